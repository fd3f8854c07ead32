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
  hd_cli_options options;
  HD_TRY(hd_cli_parse(arena, HD_CLI_OPT, call->argc - 1, call->argv + 1, &options));
  if (!options.file) options.file = "-";
  call->parsed = true;
  hd_cli_watch_time("heddle-opt", "the program", options.timeout); /* with reading and writing it */
  const hd_compiler *compiler;
  hd_blob bytes, *out = hd_cli_blob(arena);
  HD_TRY(hd_compiler_open(&compiler));
  if (options.version) return printf("%s\n", compiler->hd_compiler_version()), HD_STATUS_OK;
  if (options.help) return show_help(arena, compiler);
  HD_TRY(hd_cli_read_file(arena, options.file, &bytes));
  hd_cli_watch_crashes(&bytes, options.rest + 1);
  hd_status status = compiler->hd_opt(options.rest_count, options.rest, bytes.data, bytes.size,
                                      hd_cli_name(options.file), hd_cli_sink(), out);
  hd_cli_watch_crashes(NULL, NULL);
  /* What was made before a failure is printed all the same: dumps and the parts that were good. */
  return hd_status_join(status, out->data
                                    ? hd_cli_write_file(options.output ? options.output : "-", out->data, out->size)
                                    : HD_STATUS_OK);
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
