/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../compiler/compiler.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "options.h"

double hd_cli_now_ms(void) { return 1e3 * hd_clock_seconds(); }

static bool is_terminal(FILE *file) {
  const char *term = getenv("TERM");
  return isatty(fileno(file)) && term && strcmp(term, "dumb") && !getenv("NO_COLOR");
}

const char *hd_cli_name(const char *path) { return strcmp(path, "-") ? path : "<stdin>"; }

static void close_file(void *file) { fclose(file); }

hd_status hd_cli_read_file(hd_arena *arena, const char *path, hd_blob *out) {
  *out = (hd_blob){0};
  void **open_file = hd_arena_on_free(arena, close_file), **kept = hd_arena_on_free(arena, free);
  bool standard = !strcmp(path, "-");
  const char *name = standard ? "standard input" : path;
  FILE *in = standard ? stdin : fopen(path, "rb");
  if (!in) return hd_file_error(path, "read");
  if (!standard) *open_file = in;
  size_t cap = 0, size = 0;
  for (size_t got = 1; got; size += got) {
    if (cap - size < 2) {
      cap = cap ? cap * 2 : 1 << 16;
      void *grown = realloc(*kept, cap);
      if (!grown) return hd_make_status(HD_RESOURCE_EXHAUSTED, "%s: out of memory", name);
      *kept = grown;
    }
    got = fread((char *)*kept + size, 1, cap - size - 1, in);
  }
  if (ferror(in)) return hd_file_error(name, "read");
  *out = (hd_blob){*kept, size};
  out->data[size] = 0;
  return HD_STATUS_OK;
}

static void free_blob(void *blob) { hd_compiler_free(blob); }

hd_blob *hd_cli_blob(hd_arena *arena) {
  void **kept = hd_arena_on_free(arena, free_blob);
  hd_blob *blob = hd_new(arena, hd_blob);
  *kept = blob;
  return blob;
}

hd_status hd_cli_write_file(const char *path, const void *data, size_t size) {
  if (strcmp(path, "-")) return hd_file_write(path, data, size);
  fwrite(data, 1, size, stdout);
  return hd_cli_flush();
}

hd_status hd_cli_flush(void) {
  int error = fflush(stdout) ? errno : 0;
  if (error) return hd_make_status(HD_UNAVAILABLE, "cannot write to standard output: %s", strerror(error));
  return ferror(stdout) ? hd_make_status(HD_UNAVAILABLE, "cannot write to standard output") : HD_STATUS_OK;
}

/* How many bytes the character that |text| begins with has, if it may go to a terminal; 0 if not. C1 controls, two
 * bytes that begin with C2, steer terminals too. */
static size_t printable(const char *text) {
  size_t length = hd_utf8_length(text);
  unsigned char first = (unsigned char)text[0];
  if (length == 1) return first == '\n' || first == '\t' || (first >= ' ' && first != 0x7f);
  return length == 2 && first == 0xc2 && (unsigned char)text[1] < 0xa0 ? 0 : length;
}

void hd_cli_print_text(FILE *out, const char *text, size_t size) {
  for (const char *at = text, *end = text + size; at < end;) {
    size_t length = printable(at);
    if (length)
      fwrite(at, 1, length, out);
    else
      fprintf(out, "\\x%02x", (unsigned char)*at);
    at += length ? length : 1;
  }
}

static bool in_progress; /* the terminal's line is that of hd_cli_progress */

void hd_cli_progress(const char *what, const char *file) {
  if (in_progress) fprintf(stderr, "\r\033[K");
  in_progress = what && is_terminal(stderr);
  if (!in_progress) return;
  fprintf(stderr, "%s ", what);
  hd_cli_print_text(stderr, file, strlen(file));
  fprintf(stderr, " ...");
}

/* "heddle: error: message" of |status|, in the same way; several lines of a message stay as they are. */
static void report(const char *program, hd_status status) {
  bool colour = is_terminal(stderr);
  hd_cli_progress(NULL, NULL);
  fflush(stdout);
  const char *message = hd_status_message(status);
  fprintf(stderr, "%s: %serror:%s ", program, colour ? "\033[1;31m" : "", colour ? "\033[0m" : "");
  hd_cli_print_text(stderr, message, strlen(message));
  fputc('\n', stderr);
}

static int exit_code(hd_status status) {
  if (hd_status_message(status)[0] == '-') return HD_EXIT_USAGE;
  switch (hd_status_code_of(status)) {
    case HD_OK:
      return HD_EXIT_OK;
    case HD_DEADLINE_EXCEEDED:
    case HD_RESOURCE_EXHAUSTED:
      return HD_EXIT_LIMIT;
    case HD_INTERNAL:
    case HD_UNKNOWN:
      return HD_EXIT_INTERNAL;
    default:
      return HD_EXIT_FAILED;
  }
}

/* The last diagnostic that is an error, cut off. */
static char last_error[4096];

int hd_cli_fail(const char *program, hd_status status) {
  int code = exit_code(status);
  /* What diagnostics have said is not said again. */
  if (!strstr(last_error, hd_status_message(status))) report(program, status);
  hd_status_free(status);
  return code;
}

static void print_message(void *user, const char *severity, const char *rendered) {
  (void)user;
  hd_cli_progress(NULL, NULL);
  if (!strcmp(severity, "error")) snprintf(last_error, sizeof last_error, "%s", rendered);
  const char *colour = !is_terminal(stderr)           ? NULL
                       : !strcmp(severity, "error")   ? "\033[1;31m"
                       : !strcmp(severity, "warning") ? "\033[1;35m"
                                                      : "\033[1;36m";
  const char *word = colour ? strstr(rendered, severity) : NULL;
  if (word) {
    size_t n = strlen(severity);
    hd_cli_print_text(stderr, rendered, (size_t)(word - rendered));
    fprintf(stderr, "%s%s\033[0m", colour, severity);
    rendered = word + n;
  }
  hd_cli_print_text(stderr, rendered, strlen(rendered));
  fputc('\n', stderr);
}

hd_message_sink hd_cli_sink(void) { return (hd_message_sink){print_message, NULL}; }
