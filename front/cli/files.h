/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files, the terminal, and the clock. */
#ifndef HD_FRONT_CLI_FILES_H_
#define HD_FRONT_CLI_FILES_H_

#include <stdio.h>

#include "base/arena.h"
#include "base/status.h"
#include "heddle/compile.h"

/* Writes |text| to |out|, as it is but for bytes that are no UTF-8 and control characters other than ends of line and
 * tabs: those are \xNN, since names and programs are not to steer a terminal. */
void hd_cli_print_text(FILE *out, const char *text, size_t size);
/* What messages call |path|: "<stdin>" for "-". */
const char *hd_cli_name(const char *path);
/* The whole of |path| ("-": standard input), which ends with |arena|. Inside an out-of-memory guard. */
hd_status hd_cli_read_file(hd_arena *arena, const char *path, hd_blob *out) HD_MUST_USE;
/* An empty blob, for a door of the compiler to fill; what it holds when |arena| is freed goes back there. */
hd_blob *hd_cli_blob(hd_arena *arena);
/* Writes |path| ("-": standard output) as a whole. */
hd_status hd_cli_write_file(const char *path, const void *data, size_t size) HD_MUST_USE;

/* UNAVAILABLE when standard output has not taken all that was printed. */
hd_status hd_cli_flush(void) HD_MUST_USE;

/* A sink that writes diagnostics to standard error, coloured on a terminal. */
hd_message_sink hd_cli_sink(void);
/* Reports |status|, a failure, which it takes, and gives the exit code that it stands for (options.h). What is wrong
 * with an option begins with the option, and is the command line's fault. */
int hd_cli_fail(const char *program, hd_status status);
/* On a terminal, says what is going on in a line that the next message takes away, or null. */
void hd_cli_progress(const char *what, const char *file);

double hd_cli_now_ms(void);

#endif
