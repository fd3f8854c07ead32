/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "runtime/map_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"

hd_status hd_map_file(const char *path, const char *what, void **out_data, size_t *out_size, struct stat *out_info) {
  *out_data = NULL;
  *out_size = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return hd_file_error(path, "read");
  struct stat info;
  hd_status status = HD_STATUS_OK;
  if (fstat(file, &info) || !S_ISREG(info.st_mode))
    status = hd_make_status(HD_INVALID_ARGUMENT, "%s: not a regular file", path);
  else if (!info.st_size)
    status = hd_make_status(HD_DATA_LOSS, "%s: not %s: empty file", path, what);
  if (hd_is_ok(status)) {
    void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED) {
      status = hd_file_error(path, "map");
    } else {
      *out_data = data;
      *out_size = (size_t)info.st_size;
      if (out_info) *out_info = info;
    }
  }
  close(file);
  return status;
}
