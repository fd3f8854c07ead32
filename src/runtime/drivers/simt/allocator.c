/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "runtime/drivers/simt/simt.h"

enum { ALIGNMENT = 64 };
static const size_t LARGEST = 1ull << 40;

static void *take(const hd_allocator *own, size_t bytes) {
  if (bytes >= LARGEST) return NULL;
  if (own->allocate) return own->allocate(own->user, bytes, ALIGNMENT);
  return aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

static void give(const hd_allocator *own, void *data, size_t bytes) {
  if (own->allocate)
    own->release(own->user, data, bytes);
  else
    free(data);
}

/* The first range from |data| on. The caller holds the lock. */
static size_t place_of(const hd_simt_driver *driver, uint64_t data) {
  size_t low = 0, high = driver->range_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (driver->ranges[middle].address < data)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool add_range(hd_simt_driver *driver, void *data, size_t bytes) {
  bool added = true;
  pthread_rwlock_wrlock(&driver->lock);
  if (driver->range_count == driver->range_room) {
    size_t room = driver->range_room ? 2 * driver->range_room : 64;
    hd_simt_allocation *grown = realloc(driver->ranges, room * sizeof *grown);
    added = grown != NULL;
    if (grown) {
      driver->ranges = grown;
      driver->range_room = room;
    }
  }
  if (added) {
    uint64_t begin = (uint64_t)(uintptr_t)data;
    size_t at = place_of(driver, begin);
    memmove(&driver->ranges[at + 1], &driver->ranges[at], (driver->range_count++ - at) * sizeof *driver->ranges);
    driver->ranges[at] = (hd_simt_allocation){.address = begin, .size = bytes};
  }
  pthread_rwlock_unlock(&driver->lock);
  return added;
}

hd_status hd_simt_memory_allocate(hd_driver *base, size_t bytes, void **out_data) {
  hd_simt_driver *driver = (hd_simt_driver *)base;
  void *data = take(&driver->allocator, bytes);
  if (data && !add_range(driver, data, bytes)) {
    give(&driver->allocator, data, bytes);
    data = NULL;
  }
  if (!data) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
  *out_data = data;
  return HD_STATUS_OK;
}

void hd_simt_memory_release(hd_driver *base, void *data, size_t bytes) {
  hd_simt_driver *driver = (hd_simt_driver *)base;
  pthread_rwlock_wrlock(&driver->lock);
  size_t at = place_of(driver, (uint64_t)(uintptr_t)data);
  if (at < driver->range_count && driver->ranges[at].address == (uint64_t)(uintptr_t)data)
    memmove(&driver->ranges[at], &driver->ranges[at + 1], (--driver->range_count - at) * sizeof *driver->ranges);
  pthread_rwlock_unlock(&driver->lock);
  give(&driver->allocator, data, bytes);
}
