/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files, the terminal, and the clock. */
#ifndef HD_FRONT_CLI_FILES_H_
#define HD_FRONT_CLI_FILES_H_

#include <stdio.h>

#include "base/status.h"
#include "heddle/compile.h"

/* The whole of |path| ("-": standard input), malloc'ed: free(out->data). */
hd_status hd_cli_read_file(const char *path, hd_blob *out) HD_MUST_USE;
/* Writes |path| ("-": standard output) as a whole. */
hd_status hd_cli_write_file(const char *path, const void *data, size_t size) HD_MUST_USE;

/* A sink that writes diagnostics to standard error, coloured on a terminal. */
hd_message_sink hd_cli_sink(void);
/* "heddle: error: message" of |status|, in the same way; several lines of a message stay as they are. */
void hd_cli_report(const char *program, hd_status status);
/* Reports |status|, a failure, which it takes, and gives the exit code that it stands for (options.h). What is wrong
 * with an option begins with the option, and is the command line's fault. */
int hd_cli_fail(const char *program, hd_status status);
/* On a terminal, says what is going on in a line that the next message takes away, or null. */
void hd_cli_progress(const char *what, const char *file);

bool hd_cli_is_terminal(FILE *file);
double hd_cli_now_ms(void);

#endif
