/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

hd_status hd_file_error(const char *path, const char *what) {
  int code = errno;
  return hd_make_status(code == ENOENT ? HD_NOT_FOUND : HD_PERMISSION_DENIED, "%s: cannot %s: %s", path, what,
                        strerror(code));
}

hd_status hd_file_write(const char *path, const void *data, size_t size) {
  FILE *out = fopen(path, "wbe");
  if (!out) return hd_file_error(path, "write");
  bool failed = fwrite(data, 1, size, out) != size;
  failed |= fclose(out) != 0;
  if (!failed) return HD_STATUS_OK;
  hd_status status = hd_file_error(path, "write");
  struct stat info;
  if (!stat(path, &info) && S_ISREG(info.st_mode)) unlink(path);
  return status;
}
