/* SPDX-License-Identifier: Apache-2.0 */
#include "crash.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const hd_blob *watched;
static const char *const *watched_options;
static char name[64];                  /* of the file, made ahead: a handler may not format */
static _Alignas(16) char stack[65536]; /* a fault may be the end of the stack */

static void put(int file, const char *data, size_t size) {
  while (size) {
    ssize_t n = write(file, data, size);
    if (n <= 0) return;
    data += n;
    size -= (size_t)n;
  }
}
static void put_text(int file, const char *text) { put(file, text, strlen(text)); }

/* |word| as a shell reads it back. */
static void put_word(int file, const char *word) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.,:/+@%";
  if (*word && !word[strspn(word, plain)]) return put_text(file, word);
  put_text(file, "'");
  for (size_t n; n = strcspn(word, "'"), put(file, word, n), word[n]; word += n + 1) put_text(file, "'\\''");
  put_text(file, "'");
}

static void put_command(int file) {
  put_text(file, "heddle-opt ");
  for (size_t i = 0; watched_options[i]; ++i) {
    put_word(file, watched_options[i]);
    put_text(file, " ");
  }
  put_text(file, name);
  put_text(file, "\n");
}

/* The signal's own action follows: it is back in place, and the fault happens again. */
static void on_fault(int signal) {
  (void)signal;
  const hd_blob *program = watched;
  if (!program) return;
  watched = NULL;
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  bool text = program->size && program->data[0] != 'M'; /* bytecode begins with ML\xefR and takes no comment */
  if (text) {
    put_text(file, "// ");
    put_command(file);
  }
  put(file, program->data, program->size);
  close(file);
  put_text(2, "heddle: a fault of Heddle; the program is kept. To run its passes again:\n  ");
  put_command(2);
}

void hd_cli_watch_crashes(const hd_blob *program, const char *const *options) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  static bool installed;
  if (program) watched_options = options;
  if (!installed && program) {
    char digits[24];
    size_t n = 0;
    for (long pid = getpid(); pid; pid /= 10) digits[n++] = (char)('0' + pid % 10);
    strcpy(name, "heddle-crash-");
    for (size_t at = strlen(name); n;) name[at++] = digits[--n];
    strcat(name, ".mlir");
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) sigaction(faults[i], &action, NULL);
    installed = true;
  }
  watched = program;
}
