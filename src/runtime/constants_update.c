/* SPDX-License-Identifier: Apache-2.0 */
/* Adding constants to a file. Writers hold a lock on its folder, so that none loses what another one adds; the new file
 * takes the old one's place as a whole. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vec.h"
#include "runtime/constants.h"
#include "runtime/map_file.h"

typedef struct update {
  const char *path;
  const void *data;
  size_t size;
  hd_constants_stats stats;
  hd_arena arena;
  void *old;
  size_t old_size;
} update;

static bool is_good(const hd_artifact_constant *c) {
  hd_hash128 hash = hd_hash128_of(c->data, c->size);
  return hd_hash128_equal(&hash, &c->hash);
}

static hd_status merge(void *argument) {
  update *u = argument;
  hd_constants old = {0}, new;
  HD_TRY(hd_constants_read(u->data, u->size, &u->arena, &new));
  struct stat info;
  if (!stat(u->path, &info)) {
    HD_TRY(hd_map_file(u->path, "a constants file", &u->old, &u->old_size, NULL));
    HD_TRY_MSG(hd_constants_read(u->old, u->old_size, &u->arena, &old), "%s", u->path);
  } else if (errno != ENOENT) {
    return hd_file_error(u->path, "read");
  }
  hd_vec(hd_artifact_constant) all = {0};
  uint32_t healed = 0;
  for (uint32_t i = 0; i < old.count; ++i) {
    const hd_artifact_constant *fresh = hd_constants_search(&new, &old.items[i]);
    bool heal = fresh && !is_good(&old.items[i]);
    healed += heal;
    hd_vec_push(&u->arena, &all, heal ? *fresh : old.items[i]);
  }
  for (uint32_t i = 0; i < new.count; ++i) {
    if (!is_good(&new.items[i]))
      return hd_make_status(HD_DATA_LOSS, "constant %s: its content has another hash",
                            hd_constant_name(&u->arena, &new.items[i]));
    if (hd_constants_search(&old, &new.items[i])) continue;
    hd_vec_push(&u->arena, &all, new.items[i]);
    ++u->stats.added;
  }
  u->stats.constants = (uint32_t)all.len;
  u->stats.bytes = u->old_size;
  if (u->old && !u->stats.added && !healed) return HD_STATUS_OK;
  void *bytes;
  size_t size;
  HD_TRY(hd_constants_write(all.data, all.len, &bytes, &size));
  hd_status status = hd_file_write(u->path, bytes, size);
  free(bytes);
  u->stats.bytes = size;
  return status;
}

/* Opens the folder of |path| and waits for its lock, which closing gives back. */
static hd_status lock_folder(const char *path, int *out_folder) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
  if (!folder) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  *out_folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  free(folder);
  if (*out_folder < 0) return hd_file_error(path, "write");
  while (flock(*out_folder, LOCK_EX) && errno == EINTR) {
  } /* a file system without locks: alone */
  return HD_STATUS_OK;
}

hd_status hd_constants_update(const char *path, const void *data, size_t size, hd_constants_stats *out_stats) {
  HD_REQUIRE(path);
  HD_REQUIRE(data);
  if (out_stats) *out_stats = (hd_constants_stats){0};
  char *real = realpath(path, NULL); /* a link stays one */
  update u = {.path = real ? real : path, .data = data, .size = size};
  int folder = -1;
  hd_status status = lock_folder(u.path, &folder);
  if (hd_is_ok(status)) {
    hd_arena_init(&u.arena, NULL);
    status = hd_guarded_call(merge, &u);
    hd_arena_free(&u.arena);
    if (u.old) munmap(u.old, u.old_size);
    close(folder);
  }
  if (hd_is_ok(status) && out_stats) *out_stats = u.stats;
  free(real);
  return status;
}
