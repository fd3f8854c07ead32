/* SPDX-License-Identifier: Apache-2.0 */
/* heddle reduce: programs are written to a file beside the result and judged by a shell command. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "commands.h"
#include "program.h"
#include "watchdog.h"

typedef struct judge {
  hd_arena *arena;
  const char *path;    /* of the program on trial */
  const char *command; /* with the path put in */
  int expected;
  uint64_t tried;
} judge;

/* |word| as one word of a shell. */
static void put_quoted(hd_strbuf *out, const char *word) {
  hd_strbuf_putc(out, '\'');
  for (; *word; ++word) {
    if (*word == '\'')
      hd_strbuf_puts(out, "'\\''");
    else
      hd_strbuf_putc(out, *word);
  }
  hd_strbuf_putc(out, '\'');
}

/* |command| with each {} replaced by |path|; the path at the end when there is none. */
static const char *with_path(hd_arena *arena, const char *command, const char *path) {
  hd_strbuf text;
  bool named = false;
  hd_strbuf_init(&text, arena);
  hd_strbuf_puts(&text, "exec >/dev/null 2>&1\n"); /* all that it says, however many commands it is */
  for (const char *at = command; *at;) {
    if (at[0] == '{' && at[1] == '}') {
      put_quoted(&text, path);
      named = true;
      at += 2;
    } else {
      hd_strbuf_putc(&text, *at++);
    }
  }
  if (!named) {
    hd_strbuf_putc(&text, ' ');
    put_quoted(&text, path);
  }
  return hd_strbuf_text(&text);
}

/* The exit code of the command, 128 + the signal that ended it, -1 when it could not be run. system() lets only the
 * command see an interrupt, which is meant for us as well. */
static int exit_code(const judge *j) {
  int code = system(j->command);
  if (code == -1) return -1;
  if (WIFEXITED(code)) return WEXITSTATUS(code);
  if (WTERMSIG(code) == SIGINT) {
    unlink(j->path);
    raise(SIGINT);
  }
  return 128 + WTERMSIG(code);
}

static bool still_fails(void *user, const char *program, size_t size) {
  judge *j = user;
  hd_status status = hd_cli_write_file(j->path, program, size);
  if (!hd_is_ok(status)) {
    hd_status_free(status);
    return false;
  }
  ++j->tried;
  return exit_code(j) == j->expected;
}

/* The smallest program found that the command fails on as it does on |bytes|. */
static hd_status search(judge *j, const hd_cli_options *options, const hd_blob *bytes, hd_blob *out_text) {
  const hd_compiler *compiler;
  hd_reduce_options reduce = HD_REDUCE_OPTIONS_INIT;
  HD_TRY(hd_compiler_open(&compiler));
  HD_TRY(hd_cli_write_file(j->path, bytes->data, bytes->size));
  j->expected = exit_code(j);
  if (j->expected <= 0)
    return hd_make_status(HD_FAILED_PRECONDITION, "the program does not fail: the command exits with %d", j->expected);
  reduce.timeout_s = options->timeout;
  hd_cli_watch_pause(); /* the best so far is given past it */
  hd_status status =
      compiler->hd_reduce(bytes->data, bytes->size, options->name, &reduce, still_fails, j, hd_cli_sink(), out_text);
  hd_cli_watch_phase(NULL);
  return status;
}

hd_status hd_cli_reduce(hd_arena *arena, const hd_cli_options *options, int *out_exit) {
  (void)out_exit;
  hd_blob bytes, *text = hd_cli_blob(arena);
  if (!options->test) return hd_make_status(HD_INVALID_ARGUMENT, "--test is missing: expected a command");
  const char *own = hd_arena_printf(arena, "%s.reduced.mlir", strcmp(options->file, "-") ? options->file : "a");
  const char *path = options->output ? options->output : own;
  bool quiet = !strcmp(path, "-"); /* standard output is the program's */
  judge j = {.arena = arena, .path = hd_arena_printf(arena, "%s.trial.mlir", quiet ? own : path)};
  j.command = with_path(arena, options->test, j.path);
  HD_TRY(hd_cli_read_file(arena, options->file, &bytes));
  hd_status status = search(&j, options, &bytes, text);
  unlink(j.path); /* before writing, which may end the process */
  HD_TRY(status);
  HD_TRY(hd_cli_write_file(path, text->data, text->size));
  if (!quiet)
    printf("%s: %zu bytes of %zu, %llu programs tried, exit code %d\n", path, text->size, bytes.size,
           (unsigned long long)j.tried, j.expected);
  return HD_STATUS_OK;
}
