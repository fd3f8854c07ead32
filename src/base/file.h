/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files. Thread-safe. */
#ifndef HD_BASE_FILE_H_
#define HD_BASE_FILE_H_

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* What errno says of |path|: "PATH: cannot WHAT: No such file or directory". NOT_FOUND where nothing is there,
 * PERMISSION_DENIED where the system allows it to nobody or not to us, RESOURCE_EXHAUSTED without memory, UNAVAILABLE
 * for all else, a full disk included. */
hd_status hd_file_error(const char *path, const char *what) HD_MUST_USE;

/* Writes all |size| bytes to the descriptor |file|; false with errno. */
bool hd_file_put(int file, const void *data, size_t size);

/* Makes |path| hold |size| bytes of |data|, as a whole or not at all: the bytes go to a file beside it, which takes its
 * name. So a failure leaves what was there, and whoever has the old file mapped keeps it. Links stay links, and the
 * permissions stay. What is no regular file (a device, a pipe) is written in place. */
hd_status hd_file_write(const char *path, const void *data, size_t size) HD_MUST_USE;

#endif
