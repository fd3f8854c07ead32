/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file, mapped read-only. */
#ifndef HD_RUNTIME_MAP_FILE_H_
#define HD_RUNTIME_MAP_FILE_H_

#include <stddef.h>
#include <sys/stat.h>

#include "base/status.h"

/* munmap(*out_data, *out_size). |what| the file should be: "an artifact". |out_info| may be null. Errors name |path|:
 * DATA_LOSS for an empty file. */
hd_status hd_map_file(const char *path, const char *what, void **out_data, size_t *out_size,
                      struct stat *out_info) HD_MUST_USE;

#endif
