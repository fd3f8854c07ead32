/* SPDX-License-Identifier: Apache-2.0 */
/* One file per entry, <directory>/<32 hex digits>: a 48-byte header (magic, size, hash of the payload), then the
 * payload from byte 64 on, so that a mapped artifact is aligned as its reader wants. Files are written under a
 * temporary name and renamed, so a reader sees a whole entry or none. The time of last use is the file's modification
 * time. Whoever writes also tidies: stale temporary files go, and the longest unused entries beyond the limit. Racing
 * processes may both tidy; removing twice does no harm. */
#define _GNU_SOURCE
#include "heddle/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/fork.h"
#include "base/hash128.h"
#include "base/status.h"

enum { HEADER = 64, HASH_AT = 16, NAME_LENGTH = 32, STALE_SECONDS = 3600, LIST_EVERY = 64 };
static const uint8_t magic[8] = {0x89, 'H', 'D', 'C', '0', '1', '\r', '\n'};
static const uint64_t DEFAULT_LIMIT = 1ull << 30;

struct hd_cache {
  int directory;
  uint64_t limit;
  atomic_uint temporaries;
  hd_fork_mutex tidying;
  uint64_t bytes;    /* on disk, as far as we know */
  uint32_t unlisted; /* entries written since the directory was listed */
};

bool hd_cache_directory(const char *heddle_cache_dir, const char *xdg_cache_home, const char *home, char *out,
                        size_t capacity) {
  if (!out || !capacity) return false;
  int length = -1;
  if (heddle_cache_dir && *heddle_cache_dir)
    length = snprintf(out, capacity, "%s", heddle_cache_dir);
  else if (xdg_cache_home && *xdg_cache_home == '/') /* the XDG rule: relative paths are ignored */
    length = snprintf(out, capacity, "%s/heddle", xdg_cache_home);
  else if (home && *home)
    length = snprintf(out, capacity, "%s/.cache/heddle", home);
  if (length >= 0 && (size_t)length < capacity) return true;
  if (capacity) *out = 0;
  return false;
}

/* Makes |path| and what is missing above it. */
static bool make_directories(const char *path) {
  char *copy = strdup(path);
  if (!copy) return false;
  for (char *p = copy + 1; *p; ++p)
    if (*p == '/') {
      *p = 0;
      mkdir(copy, 0700);
      *p = '/';
    }
  bool made = mkdir(copy, 0700) == 0 || errno == EEXIST;
  free(copy);
  return made;
}

hd_status hd_cache_open(const char *directory, uint64_t limit, hd_cache **out_cache) {
  HD_REQUIRE(out_cache);
  *out_cache = NULL;
  HD_REQUIRE(directory);
  if (!make_directories(directory)) return hd_make_status(HD_UNAVAILABLE, "cache %s: %s", directory, strerror(errno));
  int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat info;
  if (fd < 0) return hd_make_status(HD_UNAVAILABLE, "cache %s: %s", directory, strerror(errno));
  hd_status status = HD_STATUS_OK;
  if (fstat(fd, &info))
    status = hd_make_status(HD_UNAVAILABLE, "cache %s: %s", directory, strerror(errno));
  else if (info.st_uid != geteuid())
    status = hd_make_status(HD_PERMISSION_DENIED, "cache %s: belongs to user %u, expected %u", directory, info.st_uid,
                            geteuid());
  else if (info.st_mode & 077)
    status =
        hd_make_status(HD_PERMISSION_DENIED, "cache %s: mode is %03o, expected 700", directory, info.st_mode & 0777);
  hd_cache *cache = hd_is_ok(status) ? calloc(1, sizeof *cache) : NULL;
  if (!cache) {
    close(fd);
    return hd_is_ok(status) ? hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory") : status;
  }
  cache->directory = fd;
  cache->limit = limit ? limit : DEFAULT_LIMIT;
  hd_fork_mutex_init(&cache->tidying, HD_FORK_INNER);
  *out_cache = cache;
  return HD_STATUS_OK;
}

void hd_cache_close(hd_cache *cache) {
  if (!cache) return;
  close(cache->directory);
  hd_fork_mutex_destroy(&cache->tidying);
  free(cache);
}

static void name_of(const uint8_t key[16], char out[NAME_LENGTH + 1]) {
  hd_hash128 hash;
  memcpy(hash.bytes, key, 16);
  hd_hash128_hex(&hash, out);
}

static bool is_name(const char *name) {
  return strlen(name) == NAME_LENGTH && strspn(name, "0123456789abcdef") == NAME_LENGTH;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

static bool is_whole(const uint8_t *bytes, uint64_t size) {
  uint64_t stored;
  if (size < HEADER || memcmp(bytes, magic, sizeof magic)) return false;
  memcpy(&stored, bytes + 8, 8);
  if (stored != size - HEADER) return false;
  hd_hash128 hash = hd_hash128_of(bytes + HEADER, stored);
  return !memcmp(hash.bytes, bytes + HASH_AT, 16);
}

hd_status hd_cache_get(hd_cache *cache, const uint8_t key[16], const void **out_data, size_t *out_size) {
  HD_REQUIRE(out_data);
  HD_REQUIRE(out_size);
  *out_data = NULL;
  *out_size = 0;
  HD_REQUIRE(cache);
  HD_REQUIRE(key);
  char name[NAME_LENGTH + 1];
  name_of(key, name);
  int fd = openat(cache->directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return hd_make_status(HD_NOT_FOUND, "no cache entry %s", name);
  struct stat info;
  bool usable = !fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_uid == geteuid() && info.st_size >= HEADER;
  uint8_t *bytes = usable ? mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  if (bytes != MAP_FAILED && !is_whole(bytes, (uint64_t)info.st_size)) {
    munmap(bytes, (size_t)info.st_size);
    bytes = MAP_FAILED;
  }
  if (bytes == MAP_FAILED) {
    close(fd);
    unlinkat(cache->directory, name, 0);
    return hd_make_status(HD_NOT_FOUND, "cache entry %s is damaged", name);
  }
  futimens(fd, NULL); /* used now; a read-only cache keeps its times */
  close(fd);
  *out_data = bytes + HEADER;
  *out_size = (size_t)info.st_size - HEADER;
  return HD_STATUS_OK;
}

void hd_cache_unmap(const void *data, size_t size) {
  if (data) munmap((uint8_t *)data - HEADER, size + HEADER);
}

/* ---- tidying --------------------------------------------------------------------------------------------------- */

typedef struct entry {
  char name[NAME_LENGTH + 1];
  uint64_t size;
  struct timespec used;
} entry;

static int older_first(const void *a, const void *b) {
  const struct timespec *x = &((const entry *)a)->used, *y = &((const entry *)b)->used;
  if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
  return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

/* All entries, malloc'ed; |sweep| deletes temporary files that some killed process left. */
static entry *list(hd_cache *cache, bool sweep, size_t *out_count, uint64_t *out_bytes) {
  *out_count = 0;
  *out_bytes = 0;
  int fd = openat(cache->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *directory = fd < 0 ? NULL : fdopendir(fd);
  if (!directory) {
    if (fd >= 0) close(fd);
    return NULL;
  }
  entry *entries = NULL;
  size_t room = 0;
  time_t now = time(NULL);
  for (struct dirent *item; (item = readdir(directory));) {
    struct stat info;
    bool is_entry = is_name(item->d_name), is_temporary = !strncmp(item->d_name, "tmp-", 4);
    if ((!is_entry && !is_temporary) || fstatat(cache->directory, item->d_name, &info, AT_SYMLINK_NOFOLLOW)) continue;
    if (is_temporary) {
      if (sweep && now - info.st_mtime > STALE_SECONDS) unlinkat(cache->directory, item->d_name, 0);
      continue;
    }
    if (*out_count == room) {
      room = room ? room * 2 : 64;
      entry *grown = realloc(entries, room * sizeof *entries);
      if (!grown) break;
      entries = grown;
    }
    entry *e = &entries[(*out_count)++];
    memcpy(e->name, item->d_name, sizeof e->name);
    e->size = (uint64_t)info.st_size;
    e->used = info.st_mtim;
    *out_bytes += e->size;
  }
  closedir(directory);
  return entries;
}

/* Deletes the longest unused entries until at most |limit| bytes are left, after |added| more. Lists the directory only
 * when it may matter: first, beyond the limit, and now and then for what other processes wrote. */
static void tidy(hd_cache *cache, uint64_t limit, uint64_t added) {
  hd_fork_mutex_lock(&cache->tidying);
  cache->bytes += added;
  if (cache->bytes <= limit && cache->unlisted && cache->unlisted < LIST_EVERY) {
    ++cache->unlisted;
    hd_fork_mutex_unlock(&cache->tidying);
    return;
  }
  size_t count;
  uint64_t bytes;
  entry *entries = list(cache, true, &count, &bytes);
  if (bytes > limit) {
    qsort(entries, count, sizeof *entries, older_first);
    for (size_t i = 0; i < count && bytes > limit; ++i) {
      unlinkat(cache->directory, entries[i].name, 0);
      bytes -= entries[i].size;
    }
  }
  free(entries);
  cache->bytes = bytes;
  cache->unlisted = 1;
  hd_fork_mutex_unlock(&cache->tidying);
}

void hd_cache_usage(hd_cache *cache, uint64_t *out_bytes, uint64_t *out_entries) {
  size_t count = 0;
  uint64_t bytes = 0;
  if (cache) free(list(cache, false, &count, &bytes));
  if (out_bytes) *out_bytes = bytes;
  if (out_entries) *out_entries = count;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

/* Writes |name| through a temporary file; 0, or the error number. */
static int write_entry(hd_cache *cache, const char *name, const void *data, size_t size) {
  uint8_t header[HEADER] = {0};
  uint64_t stored = size;
  hd_hash128 hash = hd_hash128_of(data, size);
  memcpy(header, magic, sizeof magic);
  memcpy(header + 8, &stored, 8);
  memcpy(header + HASH_AT, hash.bytes, 16);
  char temporary[80];
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  snprintf(temporary, sizeof temporary, "tmp-%d-%u-%ld", (int)getpid(), atomic_fetch_add(&cache->temporaries, 1),
           now.tv_nsec);
  int fd = openat(cache->directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return errno;
  /* No fsync: after a crash of the machine the hash tells a torn entry, which is then a miss. */
  bool written = hd_file_put(fd, header, sizeof header) && hd_file_put(fd, data, size);
  int why = written ? 0 : errno;
  if (close(fd) && written) why = errno ? errno : EIO;
  if (!why && renameat(cache->directory, temporary, cache->directory, name)) why = errno;
  if (why) unlinkat(cache->directory, temporary, 0);
  return why;
}

hd_status hd_cache_put(hd_cache *cache, const uint8_t key[16], const void *data, size_t size) {
  HD_REQUIRE(cache);
  HD_REQUIRE(key);
  if (size) HD_REQUIRE(data);
  char name[NAME_LENGTH + 1];
  name_of(key, name);
  if (size > cache->limit / 2)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "an entry of %zu bytes in a cache of %llu", size,
                          (unsigned long long)cache->limit);
  int why = write_entry(cache, name, data, size);
  if (why == ENOSPC || why == EDQUOT) {
    /* The disk is full: give up the older half of what we hold, once. */
    uint64_t bytes, entries;
    hd_cache_usage(cache, &bytes, &entries);
    tidy(cache, bytes / 2, bytes);
    why = write_entry(cache, name, data, size);
  }
  if (why) return hd_make_status(HD_UNAVAILABLE, "cache entry %s not kept: %s", name, strerror(why));
  tidy(cache, cache->limit, size + HEADER);
  return HD_STATUS_OK;
}
