/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static hd_status_code code_of(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return HD_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
      return HD_PERMISSION_DENIED;
    case ENOMEM:
      return HD_RESOURCE_EXHAUSTED;
    default:
      return HD_UNAVAILABLE;
  }
}

hd_status hd_file_error(const char *path, const char *what) {
  int error = errno;
  return hd_make_status(code_of(error), "%s: cannot %s: %s", path, what, strerror(error));
}

bool hd_file_put(int file, const void *data, size_t size) {
  const char *at = data;
  while (size) {
    ssize_t done = write(file, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    size -= (size_t)done;
  }
  return true;
}

/* Into the file that |path| is: a device, a pipe. */
static hd_status write_in_place(const char *path, const void *data, size_t size) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return hd_file_error(path, "write");
  hd_status status = hd_file_put(file, data, size) ? HD_STATUS_OK : hd_file_error(path, "write");
  if (close(file) && hd_is_ok(status)) status = hd_file_error(path, "write");
  return status;
}

/* A new file beside |path|, whose name goes to |out_part|. */
static int create_part(const char *path, char *out_part, size_t capacity) {
  int file = -1;
  for (unsigned n = 0; file < 0 && n < 1000; ++n) { /* other threads write the same one */
    snprintf(out_part, capacity, "%s.%ld-%u.tmp", path, (long)getpid(), n);
    file = open(out_part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) break;
  }
  return file;
}

/* |old|: what is there now, or null. It is given up only for bytes that are on the disk. */
static hd_status replace(const char *path, const struct stat *old, const void *data, size_t size) {
  char part[PATH_MAX + 64];
  int file = create_part(path, part, sizeof part);
  if (file < 0) return hd_file_error(path, "write");
  bool good = hd_file_put(file, data, size);
  if (old) good = good && !fchmod(file, old->st_mode & 07777) && (!fsync(file) || errno == EINVAL);
  hd_status status = good ? HD_STATUS_OK : hd_file_error(path, "write");
  if (close(file) && hd_is_ok(status)) status = hd_file_error(path, "write");
  if (hd_is_ok(status) && rename(part, path)) status = hd_file_error(path, "write");
  if (!hd_is_ok(status)) unlink(part);
  return status;
}

hd_status hd_file_write(const char *path, const void *data, size_t size) {
  struct stat old;
  if (stat(path, &old)) return errno == ENOENT ? replace(path, NULL, data, size) : hd_file_error(path, "write");
  if (!S_ISREG(old.st_mode)) return write_in_place(path, data, size);
  if (access(path, W_OK)) return hd_file_error(path, "write");
  char *real = realpath(path, NULL); /* a link stays one */
  if (!real) return hd_file_error(path, "write");
  hd_status status = replace(real, &old, data, size);
  free(real);
  return status;
}
