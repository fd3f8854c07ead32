/* SPDX-License-Identifier: Apache-2.0 */
/* The cache on disk: who may own it, size and age of entries, damage, processes and forks that share it. */
#define _GNU_SOURCE
#include "heddle/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "base/fork_testing.h"
#include "base/hash128.h"

static char folder[] = "/tmp/heddle-cache-XXXXXX";
static char path[300];

static hd_hash128 key(int i) { return hd_hash128_of(&i, sizeof i); }

/* The contents that entry |i| must have. */
static size_t contents(int i, uint8_t *out) {
  size_t size = 1000 + (size_t)(i * 7919) % 50000;
  for (size_t k = 0; k < size; ++k) out[k] = (uint8_t)(k * 31 + (size_t)i);
  return size;
}

static bool put(hd_cache *cache, int i) {
  static uint8_t bytes[1 << 16];
  hd_hash128 k = key(i);
  return HD_CHECK_OK(hd_cache_put(cache, k.bytes, bytes, contents(i, bytes)));
}

/* Present and right, or absent; damaged contents are a failure. */
static bool has(hd_cache *cache, int i) {
  static uint8_t want[1 << 16];
  const void *data;
  size_t size;
  hd_hash128 k = key(i);
  hd_status status = hd_cache_get(cache, k.bytes, &data, &size);
  bool found = hd_is_ok(status);
  HD_CHECK(found || hd_status_code_of(status) == HD_NOT_FOUND);
  hd_status_free(status);
  if (!found) return false;
  HD_CHECK(size == contents(i, want) && !memcmp(data, want, size) && (uintptr_t)data % 64 == 0);
  hd_cache_unmap(data, size);
  return true;
}

static void file_of(int i, char *out, size_t capacity) {
  char hex[33];
  hd_hash128 k = key(i);
  hd_hash128_hex(&k, hex);
  snprintf(out, capacity, "%s/%s", path, hex);
}

static int temporaries(void) {
  int count = 0;
  DIR *directory = opendir(path);
  for (struct dirent *item; directory && (item = readdir(directory));) count += !strncmp(item->d_name, "tmp-", 4);
  if (directory) closedir(directory);
  return count;
}

static void check_directory(void) {
  char out[100];
  HD_CHECK(hd_cache_directory("/a", "/b", "/c", out, sizeof out));
  HD_CHECK_STR(out, "/a");
  HD_CHECK(hd_cache_directory("", "/b", "/c", out, sizeof out));
  HD_CHECK_STR(out, "/b/heddle");
  HD_CHECK(hd_cache_directory(NULL, "relative", "/c", out, sizeof out));
  HD_CHECK_STR(out, "/c/.cache/heddle");
  HD_CHECK(!hd_cache_directory(NULL, NULL, NULL, out, sizeof out));
  HD_CHECK(!hd_cache_directory("/a/long/name", NULL, NULL, out, 5));
}

static void check_safety(void) {
  hd_cache *cache;
  char other[320];
  HD_CHECK_OK(hd_cache_open(path, 0, &cache));
  hd_cache_close(cache);
  struct stat info;
  HD_CHECK(!stat(path, &info) && (info.st_mode & 0777) == 0700);
  chmod(path, 0755);
  HD_CHECK_FAILS(hd_cache_open(path, 0, &cache), HD_PERMISSION_DENIED, "mode is 755, expected 700");
  chmod(path, 0700);
  snprintf(other, sizeof other, "%s/file", folder);
  close(open(other, O_CREAT | O_WRONLY, 0600));
  HD_CHECK_FAILS(hd_cache_open(other, 0, &cache), HD_UNAVAILABLE, other);
  HD_CHECK_FAILS(hd_cache_open("/proc/heddle/cache", 0, &cache), HD_UNAVAILABLE, "/proc/heddle/cache");
  if (geteuid() == 0) {
    snprintf(other, sizeof other, "%s/foreign", folder);
    HD_CHECK(!mkdir(other, 0700) && !chown(other, 1234, 1234));
    HD_CHECK_FAILS(hd_cache_open(other, 0, &cache), HD_PERMISSION_DENIED, "belongs to user 1234");
  }
}

static void check_entries(void) {
  hd_cache *cache;
  HD_CHECK_OK(hd_cache_open(path, 0, &cache));
  HD_CHECK(!has(cache, 1));
  HD_CHECK(put(cache, 1) && put(cache, 2) && put(cache, 1));
  HD_CHECK(has(cache, 1) && has(cache, 2) && !has(cache, 3));
  uint64_t bytes, entries;
  hd_cache_usage(cache, &bytes, &entries);
  HD_CHECK_INT(entries, 2);
  HD_CHECK(bytes > 2000);
  hd_hash128 k = key(1000);
  HD_CHECK_OK(hd_cache_put(cache, k.bytes, "", 0));
  const void *data;
  size_t size;
  HD_CHECK_OK(hd_cache_get(cache, k.bytes, &data, &size));
  HD_CHECK_INT(size, 0);
  hd_cache_unmap(data, size);
  /* Damage of any kind is a miss and goes. */
  for (int kind = 0; kind < 5; ++kind) {
    char file[400];
    put(cache, 5);
    file_of(5, file, sizeof file);
    int fd = open(file, O_RDWR);
    if (kind == 0) HD_CHECK(!ftruncate(fd, 500));
    if (kind == 1) HD_CHECK(!ftruncate(fd, 0));
    if (kind == 2) HD_CHECK_INT(pwrite(fd, "x", 1, 300), 1);
    if (kind == 3) HD_CHECK_INT(pwrite(fd, "x", 1, 0), 1);
    if (kind == 4) {
      unlink(file);
      HD_CHECK(!symlink("/etc/passwd", file));
    }
    close(fd);
    HD_CHECK(!has(cache, 5));
    struct stat info;
    HD_CHECK(kind == 4 || lstat(file, &info) != 0);
  }
  HD_CHECK(put(cache, 5) && has(cache, 5)); /* replaces the link too */
  hd_cache_close(cache);
}

static void check_limit(void) {
  hd_cache *cache;
  HD_CHECK_OK(hd_cache_open(path, 200000, &cache));
  for (int i = 0; i < 30; ++i) {
    put(cache, i);
    /* Ages, so that the order of use does not hang on the clock's grain. */
    char file[400];
    file_of(i, file, sizeof file);
    struct utimbuf times = {time(NULL) - 1000 + i, time(NULL) - 1000 + i};
    utime(file, &times);
    if (i > 3) HD_CHECK(has(cache, 3)); /* used again and again: stays */
  }
  uint64_t bytes, entries;
  hd_cache_usage(cache, &bytes, &entries);
  HD_CHECK(bytes <= 200000 && entries > 2);
  HD_CHECK(has(cache, 29) && has(cache, 3) && !has(cache, 0));
  static uint8_t large[150000];
  hd_hash128 k = key(77);
  HD_CHECK_FAILS(hd_cache_put(cache, k.bytes, large, sizeof large), HD_RESOURCE_EXHAUSTED, "an entry of 150000 bytes");
  /* What a killed process left is swept once it is old. */
  char left[400];
  snprintf(left, sizeof left, "%s/tmp-1-1-1", path);
  close(open(left, O_CREAT | O_WRONLY, 0600));
  put(cache, 1);
  HD_CHECK_INT(temporaries(), 1);
  struct utimbuf old = {time(NULL) - 7200, time(NULL) - 7200};
  utime(left, &old);
  hd_cache_close(cache);
  HD_CHECK_OK(hd_cache_open(path, 200000, &cache));
  put(cache, 1);
  HD_CHECK_INT(temporaries(), 0);
  hd_cache_close(cache);
}

/* Many processes write, read and drop the same entries; some are killed in the middle. */
static void check_processes(void) {
  pid_t children[6];
  for (int c = 0; c < 6; ++c) {
    children[c] = fork();
    if (children[c]) continue;
    hd_cache *cache;
    hd_status status = hd_cache_open(path, 300000, &cache);
    if (!hd_is_ok(status)) _exit(1);
    uint32_t rng = (uint32_t)c * 7919 + 1;
    for (int round = 0; round < (c < 3 ? 400 : 1000000); ++round) {
      rng = rng * 1664525 + 1013904223;
      if (rng >> 31)
        put(cache, (int)(rng >> 8 & 31));
      else
        has(cache, (int)(rng >> 8 & 31));
    }
    _exit(atomic_load(&hd_test_failed_) ? 1 : 0);
  }
  usleep(100000);
  for (int c = 3; c < 6; ++c) {
    usleep(20000);
    kill(children[c], SIGKILL);
  }
  for (int c = 0; c < 6; ++c) {
    int status;
    waitpid(children[c], &status, 0);
    if (c < 3) HD_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  hd_cache *cache;
  HD_CHECK_OK(hd_cache_open(path, 300000, &cache));
  for (int i = 0; i < 32; ++i) has(cache, i);
  HD_CHECK(put(cache, 4) && has(cache, 4));
  hd_cache_close(cache);
}

/* A disk without room: a small file-size limit makes writes fail in the same place. */
static void check_full(void) {
  hd_cache *cache;
  HD_CHECK_OK(hd_cache_open(path, 0, &cache));
  put(cache, 50);
  int left = temporaries(); /* of the processes that were killed */
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit before, small = {100, 100};
  getrlimit(RLIMIT_FSIZE, &before);
  small.rlim_max = before.rlim_max;
  setrlimit(RLIMIT_FSIZE, &small);
  static uint8_t bytes[5000];
  hd_hash128 k = key(51);
  hd_status status = hd_cache_put(cache, k.bytes, bytes, sizeof bytes);
  setrlimit(RLIMIT_FSIZE, &before);
  HD_CHECK_FAILS(status, HD_UNAVAILABLE, "not kept");
  HD_CHECK(!has(cache, 51) && has(cache, 50));
  HD_CHECK_INT(temporaries(), left);
  hd_cache_close(cache);
}

/* A home that cannot be written: entries are read, new ones are not kept. Root writes anywhere, so this runs as nobody.
 */
static void check_read_only(void) {
  pid_t child = fork();
  if (!child) {
    if (geteuid() == 0 && (chown(path, 65534, 65534) || chmod(folder, 0755) || setuid(65534))) _exit(2);
    hd_cache *cache;
    if (hd_is_ok(hd_cache_open(path, 0, &cache))) {
      put(cache, 60);
      chmod(path, 0500);
      hd_hash128 k = key(61);
      HD_CHECK_FAILS(hd_cache_put(cache, k.bytes, "abc", 3), HD_UNAVAILABLE, "not kept: Permission denied");
      HD_CHECK(has(cache, 60) && !has(cache, 61));
      hd_cache_close(cache);
      HD_CHECK_FAILS(hd_cache_open("/sys/heddle", 0, &cache), HD_UNAVAILABLE, "cache /sys/heddle");
    } else {
      HD_CHECK(!"the cache opens");
    }
    _exit(atomic_load(&hd_test_failed_) ? 1 : 0);
  }
  int status;
  waitpid(child, &status, 0);
  HD_CHECK(WIFEXITED(status));
  HD_CHECK_INT(WEXITSTATUS(status), 0);
}

static void keep_putting(void *cache) { put(cache, 1); }

static bool puts_another(void *cache) { return put(cache, 7); }

/* A forked child keeps entries, whatever the parent's threads did with the cache at the fork. */
static void check_forks(void) {
  hd_cache *cache;
  if (!HD_CHECK_OK(hd_cache_open(path, 18000, &cache))) return; /* little more than two: the directory is listed */
  hd_test_forks(100, keep_putting, puts_another, cache);
  hd_cache_close(cache);
}

int main(void) {
  HD_CHECK(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/deep/er/cache", folder);
  check_directory();
  check_safety();
  check_entries();
  check_limit();
  check_processes();
  check_full();
  check_forks();
  snprintf(path, sizeof path, "%s/read-only", folder);
  HD_CHECK(!mkdir(path, 0700));
  check_read_only();
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  HD_CHECK_INT(system(command), 0);
  return HD_TEST_RESULT();
}
