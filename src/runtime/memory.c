/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Kept on top of the bound, so that small programs never go to the system twice. */
static const size_t SLACK = 16 << 20;

typedef struct block {
  size_t capacity;
  void *data;
  uint64_t age; /* when it was given back */
} block;

struct hd_memory {
  hd_driver *driver;
  size_t limit;
  pthread_mutex_t mutex;
  block *kept; /* sorted by capacity */
  size_t count, room;
  uint64_t clock;
  hd_memory_stats stats;
};

/* Eight sizes between a power of two and the next, so that nearly equal requests share blocks. */
static size_t round_capacity(size_t bytes) {
  size_t step = 64;
  if (bytes > 512) {
    size_t power = (size_t)1 << (63 - __builtin_clzll(bytes - 1));
    step = power / 8 < 64 ? 64 : power / 8;
  }
  return bytes ? (bytes + step - 1) / step * step : 64;
}

/* The first kept block of at least |capacity|. */
static size_t find(const hd_memory *memory, size_t capacity) {
  size_t low = 0, high = memory->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (memory->kept[middle].capacity < capacity)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void drop(hd_memory *memory, size_t i) {
  memory->stats.bytes_pooled -= memory->kept[i].capacity;
  hd_driver_release(memory->driver, memory->kept[i].data, memory->kept[i].capacity);
  memmove(&memory->kept[i], &memory->kept[i + 1], (--memory->count - i) * sizeof *memory->kept);
}

/* Drops the longest unused until |total| bytes in use and kept would remain. */
static void shrink(hd_memory *memory, size_t total) {
  while (memory->count && memory->stats.bytes_live + memory->stats.bytes_pooled > total) {
    size_t oldest = 0;
    for (size_t i = 1; i < memory->count; ++i)
      if (memory->kept[i].age < memory->kept[oldest].age) oldest = i;
    drop(memory, oldest);
  }
}

static size_t bound(const hd_memory *memory) {
  size_t peak = memory->stats.bytes_peak;
  return peak + peak / 4 + SLACK;
}

hd_status hd_memory_create(hd_driver *driver, size_t limit, hd_memory **out_memory) {
  *out_memory = calloc(1, sizeof **out_memory);
  if (!*out_memory) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  (*out_memory)->driver = driver;
  (*out_memory)->limit = limit;
  pthread_mutex_init(&(*out_memory)->mutex, NULL);
  return HD_STATUS_OK;
}

void hd_memory_free(hd_memory *memory) {
  if (!memory) return;
  shrink(memory, 0);
  pthread_mutex_destroy(&memory->mutex);
  free(memory->kept);
  free(memory);
}

static void count_taken(hd_memory *memory, size_t capacity) {
  ++memory->stats.allocations;
  memory->stats.bytes_live += capacity;
  if (memory->stats.bytes_live > memory->stats.bytes_peak) memory->stats.bytes_peak = memory->stats.bytes_live;
}

static bool make_room(hd_memory *memory) {
  if (memory->count < memory->room) return true;
  size_t room = memory->room ? memory->room * 2 : 64;
  block *kept = realloc(memory->kept, room * sizeof *kept);
  if (!kept) return false;
  memory->kept = kept;
  memory->room = room;
  return true;
}

static hd_status take_new(hd_memory *memory, size_t capacity, void **out_data) {
  hd_memory_stats *stats = &memory->stats;
  size_t future = stats->bytes_live + capacity;
  size_t most = bound(memory) > future ? bound(memory) : future;
  if (memory->limit && most > memory->limit) most = memory->limit;
  if (memory->limit && future > memory->limit)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "memory limit of %zu bytes: %llu in use, %zu more wanted",
                          memory->limit, (unsigned long long)stats->bytes_live, capacity);
  shrink(memory, most - capacity);
  hd_status status = hd_driver_allocate(memory->driver, capacity, out_data);
  if (!hd_is_ok(status) && memory->count) {
    hd_status_ignore(status);
    shrink(memory, 0);
    status = hd_driver_allocate(memory->driver, capacity, out_data);
  }
  if (hd_is_ok(status)) ++stats->system_allocations;
  return status;
}

hd_status hd_memory_take(hd_memory *memory, size_t bytes, void **out_data, size_t *out_capacity) {
  *out_data = NULL;
  *out_capacity = 0;
  if (bytes > SIZE_MAX / 4) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
  size_t capacity = round_capacity(bytes);
  pthread_mutex_lock(&memory->mutex);
  hd_status status = HD_STATUS_OK;
  size_t i = find(memory, capacity);
  /* A block of more than twice the size would be a waste to hold; under a limit, any larger one. */
  size_t largest = memory->limit ? capacity : 2 * capacity + 4096;
  if (i < memory->count && memory->kept[i].capacity <= largest) {
    *out_data = memory->kept[i].data;
    capacity = memory->kept[i].capacity;
    memory->stats.bytes_pooled -= capacity;
    memmove(&memory->kept[i], &memory->kept[i + 1], (--memory->count - i) * sizeof *memory->kept);
  } else {
    status = take_new(memory, capacity, out_data);
  }
  if (hd_is_ok(status)) {
    count_taken(memory, capacity);
    *out_capacity = capacity;
  }
  pthread_mutex_unlock(&memory->mutex);
  return status;
}

void hd_memory_give(hd_memory *memory, void *data, size_t capacity) {
  if (!data) return;
  pthread_mutex_lock(&memory->mutex);
  memory->stats.bytes_live -= capacity;
  if (!make_room(memory)) {
    hd_driver_release(memory->driver, data, capacity);
  } else {
    size_t i = find(memory, capacity);
    memmove(&memory->kept[i + 1], &memory->kept[i], (memory->count++ - i) * sizeof *memory->kept);
    memory->kept[i] = (block){capacity, data, ++memory->clock};
    memory->stats.bytes_pooled += capacity;
    shrink(memory, memory->limit && memory->limit < bound(memory) ? memory->limit : bound(memory));
  }
  pthread_mutex_unlock(&memory->mutex);
}

void hd_memory_trim(hd_memory *memory) {
  pthread_mutex_lock(&memory->mutex);
  shrink(memory, 0);
  pthread_mutex_unlock(&memory->mutex);
}

hd_memory_stats hd_memory_read(hd_memory *memory) {
  pthread_mutex_lock(&memory->mutex);
  hd_memory_stats stats = memory->stats;
  pthread_mutex_unlock(&memory->mutex);
  return stats;
}
