/* SPDX-License-Identifier: Apache-2.0 */
/* heddle-opt: reads a program, hands options and bytes to the compiler's hd_opt, writes what it gives.
 *   heddle-opt [FILE] [-o FILE] [options of passes and printing] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/compiler.h"
#include "crash.h"
#include "files.h"
#include "options.h"
#include "watchdog.h"

/* Does |option| need a value, which may follow as the next word? */
static bool takes_value(const char *option) {
  static const char *const rows[][2] = {
#define OPTION(name, value, ...) {name, value},
#define READ(name, value, ...) {name, value},
#include "driver/opt_options.def"
  };
  const char *name = option + strspn(option, "-");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (!strcmp(name, rows[i][0])) return rows[i][1][0] == '=';
  return false;
}

typedef struct command_line {
  const char *input, *output;
  const char **rest; /* what is the compiler's: options, the program's name first, null last */
  int count;
  bool help, version;
} command_line;

static hd_status read_words(hd_arena *arena, int argc, const char *const *argv, command_line *out) {
  *out = (command_line){.output = "-", .rest = hd_new_array(arena, const char *, argc + 1)};
  out->rest[out->count++] = argv[0];
  bool only_files = false;
  for (int i = 1; i < argc; ++i) {
    const char *word = argv[i];
    bool option = word[0] == '-' && word[1] && !only_files;
    if (!option) {
      if (out->input)
        return hd_make_status(HD_INVALID_ARGUMENT, "expected one file, got '%s' and '%s'", out->input, word);
      out->input = hd_cli_path(arena, word);
    } else if (!strcmp(word, "--")) {
      only_files = true;
    } else if (!strcmp(word, "-o")) {
      if (++i == argc) return hd_make_status(HD_INVALID_ARGUMENT, "-o: expected a file");
      out->output = hd_cli_path(arena, argv[i]);
    } else {
      out->help |= !strcmp(word, "--help") || !strcmp(word, "-h");
      out->version |= !strcmp(word, "--version");
      if (takes_value(word)) {
        if (++i == argc) return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected a value", word);
        word = hd_arena_printf(arena, "%s=%s", word, argv[i]);
      }
      out->rest[out->count++] = word;
    }
  }
  if (!out->input) out->input = "-";
  return HD_STATUS_OK;
}

static hd_status show_help(hd_arena *arena, const hd_compiler *compiler) {
  hd_blob *text = hd_cli_blob(arena);
  HD_TRY(compiler->hd_opt_help(text));
  printf("usage: heddle-opt [FILE] [-o FILE] [options]\n       heddle-opt --version\n\n");
  printf("Reads MLIR as text or bytecode, or XLA's HLO text.\n\n");
  fwrite(text->data, 1, text->size, stdout);
  printf(
      "\nExit codes: 0 done; 1 a program or file is wrong or not supported, or diagnostics differ from what was\n"
      "expected; 2 the command line is wrong; 4 a time or memory limit was reached; 70 a fault of Heddle.\n"
      "A crash writes the program to heddle-crash-PID.mlir in the working folder, with the command to run again.\n");
  return HD_STATUS_OK;
}

typedef struct opt_call {
  int argc;
  const char *const *argv;
  hd_arena arena;
  bool parsed; /* what fails before is the command line's fault */
} opt_call;

static hd_status run(void *argument) {
  opt_call *call = argument;
  hd_arena *arena = &call->arena;
  command_line line;
  HD_TRY(read_words(arena, call->argc, call->argv, &line));
  call->parsed = true;
  const hd_compiler *compiler;
  double seconds;
  hd_blob bytes, *out = hd_cli_blob(arena);
  HD_TRY(hd_compiler_open(&compiler));
  HD_TRY(compiler->hd_opt_timeout(line.count, line.rest, &seconds));
  hd_cli_watch_time("heddle-opt", "the program", seconds); /* with reading and writing it */
  if (line.version) return printf("%s\n", compiler->hd_compiler_version()), HD_STATUS_OK;
  if (line.help) return show_help(arena, compiler);
  HD_TRY(hd_cli_read_file(arena, line.input, &bytes));
  hd_cli_watch_crashes(&bytes, line.rest + 1);
  hd_status status =
      compiler->hd_opt(line.count, line.rest, bytes.data, bytes.size, hd_cli_name(line.input), hd_cli_sink(), out);
  hd_cli_watch_crashes(NULL, NULL);
  /* What was made before a failure is printed all the same: dumps and the parts that were good. */
  return hd_status_join(status, out->data ? hd_cli_write_file(line.output, out->data, out->size) : HD_STATUS_OK);
}

int main(int argc, char **argv) {
  opt_call call = {.argc = argc, .argv = (const char *const *)argv};
  hd_arena_init(&call.arena, NULL);
  hd_status status = hd_guarded_call(run, &call);
  hd_arena_free(&call.arena);
  if (hd_is_ok(status)) status = hd_cli_flush();
  if (hd_is_ok(status)) return HD_EXIT_OK;
  int code = hd_cli_fail("heddle-opt", status);
  return code == HD_EXIT_FAILED && !call.parsed ? HD_EXIT_USAGE : code;
}
