/* SPDX-License-Identifier: Apache-2.0 */
/* Files: replaced as a whole or not at all, links and devices, errors as status codes. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/testing.h"

static char folder[] = "/tmp/heddle-file-XXXXXX";

static const char *in_folder(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* How many names |folder| has. */
static int names(void) {
  int count = 0;
  DIR *directory = opendir(folder);
  for (struct dirent *item; directory && (item = readdir(directory));) count += item->d_name[0] != '.';
  if (directory) closedir(directory);
  return count;
}

static const char *content(const char *path) {
  static char text[64];
  FILE *file = fopen(path, "rb");
  size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) fclose(file);
  text[n] = 0;
  return text;
}

static void test_replacing(void) {
  const char *path = in_folder("a");
  struct stat info;
  HD_CHECK_OK(hd_file_write(path, "", 0));
  HD_CHECK_STR(content(path), "");
  HD_CHECK_OK(hd_file_write(path, "first", 5));
  HD_CHECK(!chmod(path, 0640));
  int file = open(path, O_RDONLY);
  const char *old = mmap(NULL, 5, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  HD_CHECK_OK(hd_file_write(path, "two", 3));
  HD_CHECK_STR(content(path), "two");
  HD_CHECK(old != MAP_FAILED && !memcmp(old, "first", 5)); /* whoever reads the old file keeps it */
  munmap((void *)old, 5);
  HD_CHECK(!stat(path, &info) && (info.st_mode & 0777) == 0640);
  HD_CHECK_INT(names(), 1);
}

static void test_failing(void) {
  struct rlimit limit, small = {4, RLIM_INFINITY};
  const char *path = in_folder("a");
  HD_CHECK(!getrlimit(RLIMIT_FSIZE, &limit));
  signal(SIGXFSZ, SIG_IGN);
  small.rlim_max = limit.rlim_max;
  HD_CHECK(!setrlimit(RLIMIT_FSIZE, &small));
  hd_status status = hd_file_write(path, "much more", 9);
  HD_CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
  HD_CHECK_FAILS(status, HD_UNAVAILABLE, "cannot write: File too large");
  HD_CHECK_STR(content(path), "two"); /* as it was */
  HD_CHECK_INT(names(), 1);
  HD_CHECK_FAILS(hd_file_write("/nowhere/x", "a", 1), HD_NOT_FOUND, "/nowhere/x: cannot write: No such file");
  HD_CHECK_FAILS(hd_file_write(folder, "a", 1), HD_UNAVAILABLE, "cannot write: Is a directory");
}

static void test_links_and_devices(void) {
  char link[256];
  struct stat info;
  snprintf(link, sizeof link, "%s", in_folder("link"));
  HD_CHECK(!symlink("a", link));
  HD_CHECK_OK(hd_file_write(link, "three", 5));
  HD_CHECK(!lstat(link, &info) && S_ISLNK(info.st_mode));
  HD_CHECK_STR(content(in_folder("a")), "three");
  HD_CHECK_OK(hd_file_write("/dev/null", "a", 1));
  HD_CHECK(!stat("/dev/null", &info) && S_ISCHR(info.st_mode));
  HD_CHECK_FAILS(hd_file_write("/dev/full", "a", 1), HD_UNAVAILABLE, "No space left");
  HD_CHECK(!unlink(in_folder("link")));
  HD_CHECK(!unlink(in_folder("a")));
}

static void check_error(int error, hd_status_code code) {
  errno = error;
  HD_CHECK_FAILS(hd_file_error("x", "read"), code, "x: cannot read: ");
}

static void test_errors(void) {
  check_error(ENOENT, HD_NOT_FOUND);
  check_error(ENOTDIR, HD_NOT_FOUND);
  check_error(EACCES, HD_PERMISSION_DENIED);
  check_error(EROFS, HD_PERMISSION_DENIED);
  check_error(ENOMEM, HD_RESOURCE_EXHAUSTED);
  check_error(ENOSPC, HD_UNAVAILABLE);
  check_error(EIO, HD_UNAVAILABLE);
}

int main(void) {
  HD_CHECK(mkdtemp(folder) != NULL);
  test_replacing();
  test_failing();
  test_links_and_devices();
  test_errors();
  HD_CHECK(!rmdir(folder));
  return HD_TEST_RESULT();
}
