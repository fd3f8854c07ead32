/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files. */
#ifndef HD_BASE_FILE_H_
#define HD_BASE_FILE_H_

#include <stddef.h>

#include "base/status.h"

/* What errno says of |path|: "PATH: cannot WHAT: No such file or directory". NOT_FOUND where nothing is there,
 * PERMISSION_DENIED for all else that the system refuses, a full disk included. */
hd_status hd_file_error(const char *path, const char *what) HD_MUST_USE;

/* Makes |path| hold |size| bytes of |data|. Half a file is no file: on failure nothing is left there, but what is no
 * regular file stays. */
hd_status hd_file_write(const char *path, const void *data, size_t size) HD_MUST_USE;

#endif
