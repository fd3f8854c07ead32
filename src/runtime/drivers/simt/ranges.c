/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/drivers/simt/ranges.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

static void lock_for_fork(void *user) { pthread_rwlock_wrlock(&((hd_simt_ranges *)user)->lock); }
static void unlock_after_fork(void *user) { pthread_rwlock_unlock(&((hd_simt_ranges *)user)->lock); }
static void reset_after_fork(void *user) { pthread_rwlock_init(&((hd_simt_ranges *)user)->lock, NULL); }

bool hd_simt_ranges_init(hd_simt_ranges *ranges) {
  *ranges = (hd_simt_ranges){.items = calloc(FIRST_ROOM, sizeof *ranges->items), .room = FIRST_ROOM};
  pthread_rwlock_init(&ranges->lock, NULL);
  ranges->guard =
      (hd_fork_guard){lock_for_fork, unlock_after_fork, reset_after_fork, ranges, HD_FORK_MIDDLE, NULL, NULL};
  hd_status watched = hd_fork_guard_add(&ranges->guard);
  bool good = ranges->items && hd_is_ok(watched);
  hd_status_free(watched);
  return good;
}

void hd_simt_ranges_free(hd_simt_ranges *ranges) {
  hd_fork_guard_remove(&ranges->guard);
  pthread_rwlock_destroy(&ranges->lock);
  free(ranges->items);
}

/* The first from |address| on. */
static size_t place_of(const hd_simt_ranges *ranges, uint64_t address) {
  size_t low = 0, high = ranges->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (ranges->items[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool make_room(hd_simt_ranges *ranges) {
  if (ranges->count < ranges->room) return true;
  hd_simt_allocation *grown = realloc(ranges->items, 2 * ranges->room * sizeof *grown);
  if (!grown) return false;
  ranges->items = grown;
  ranges->room *= 2;
  return true;
}

bool hd_simt_ranges_add(hd_simt_ranges *ranges, hd_simt_allocation added) {
  pthread_rwlock_wrlock(&ranges->lock);
  bool has_room = make_room(ranges);
  if (has_room) {
    size_t at = place_of(ranges, added.address);
    memmove(&ranges->items[at + 1], &ranges->items[at], (ranges->count++ - at) * sizeof *ranges->items);
    ranges->items[at] = added;
  }
  pthread_rwlock_unlock(&ranges->lock);
  return has_room;
}

hd_simt_allocation hd_simt_ranges_remove(hd_simt_ranges *ranges, const void *address) {
  hd_simt_allocation gone = {0};
  pthread_rwlock_wrlock(&ranges->lock);
  size_t at = place_of(ranges, (uint64_t)(uintptr_t)address);
  if (at < ranges->count && ranges->items[at].address == (uint64_t)(uintptr_t)address) {
    gone = ranges->items[at];
    memmove(&ranges->items[at], &ranges->items[at + 1], (--ranges->count - at) * sizeof *ranges->items);
  }
  pthread_rwlock_unlock(&ranges->lock);
  return gone;
}

const hd_simt_allocation *hd_simt_ranges_at(const hd_simt_ranges *ranges, const void *address) {
  uint64_t at = (uint64_t)(uintptr_t)address;
  size_t after = place_of(ranges, at + 1);
  const hd_simt_allocation *found = after ? &ranges->items[after - 1] : NULL;
  return found && at - found->address < found->size ? found : NULL;
}

bool hd_simt_ranges_has(hd_simt_ranges *ranges, const void *address) {
  pthread_rwlock_rdlock(&ranges->lock);
  bool has = hd_simt_ranges_at(ranges, address) != NULL;
  pthread_rwlock_unlock(&ranges->lock);
  return has;
}
