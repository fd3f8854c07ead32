/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/fork.h"

/* Kept on top of the bound, so that small programs never go to the system twice. */
static const size_t SLACK = 16 << 20;

/* Parts of divided blocks are at least this large, so that looking for a part's neighbours is a short search. */
static const size_t LEAST_PART = 64 << 10;

typedef struct block {
  size_t capacity;
  char *data;
  uint64_t age;  /* when it was given back */
  hd_work *work; /* retained: that may still use it; null: none */
} block;

/* A block of the system's that is divided. */
typedef struct divided {
  char *data;
  size_t capacity;
} divided;

struct hd_memory {
  hd_driver *driver;
  size_t limit;
  hd_fork_mutex mutex; /* outer: the driver allocates under it */
  block *kept;         /* sorted by capacity */
  size_t count, room;
  divided *divided; /* in no order: few */
  size_t divided_count, divided_room;
  uint64_t clock;
  hd_memory_stats stats;
  hd_bounds *bounds; /* null: buffers are not guarded */
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

/* The divided block that |data| is in; null when it is a block of its own. */
static divided *divided_at(const hd_memory *memory, const char *data) {
  for (size_t i = 0; i < memory->divided_count; ++i)
    if (data >= memory->divided[i].data && data < memory->divided[i].data + memory->divided[i].capacity)
      return &memory->divided[i];
  return NULL;
}

/* May |work| have it? Where that of |b| is done, it is forgotten. */
static bool is_free_for(block *b, hd_work *work) {
  if (!b->work || b->work == work) return true;
  if (!hd_work_is_done(b->work)) return false;
  hd_work_release(b->work);
  b->work = NULL;
  return true;
}

/* Its reference of the work is the caller's. */
static void remove_kept(hd_memory *memory, size_t i) {
  memory->stats.bytes_pooled -= memory->kept[i].capacity;
  memmove(&memory->kept[i], &memory->kept[i + 1], (--memory->count - i) * sizeof *memory->kept);
}

/* Drops the longest unused whole blocks, which no work uses, until |total| bytes in use and kept would remain. */
static void shrink(hd_memory *memory, size_t total) {
  while (memory->stats.bytes_live + memory->stats.bytes_pooled > total) {
    size_t oldest = memory->count;
    for (size_t i = 0; i < memory->count; ++i)
      if ((oldest == memory->count || memory->kept[i].age < memory->kept[oldest].age) &&
          !divided_at(memory, memory->kept[i].data) && is_free_for(&memory->kept[i], NULL))
        oldest = i;
    if (oldest == memory->count) return;
    block gone = memory->kept[oldest];
    remove_kept(memory, oldest);
    hd_driver_release(memory->driver, gone.data, gone.capacity);
  }
}

static size_t bound(const hd_memory *memory) {
  size_t peak = memory->stats.bytes_peak;
  return peak + peak / 4 + SLACK;
}

hd_status hd_memory_create(hd_driver *driver, size_t limit, hd_memory **out_memory) {
  hd_memory *memory = calloc(1, sizeof *memory);
  *out_memory = NULL;
  if (!memory) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  memory->driver = driver;
  memory->limit = limit;
  hd_fork_mutex_init(&memory->mutex, HD_FORK_OUTER);
  *out_memory = memory;
  return HD_STATUS_OK;
}

void hd_memory_free(hd_memory *memory) {
  if (!memory) return;
  shrink(memory, 0);
  hd_fork_mutex_destroy(&memory->mutex);
  free(memory->kept);
  free(memory->divided);
  free(memory);
}

void hd_memory_guard(hd_memory *memory, hd_bounds *bounds) { memory->bounds = bounds; }

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

/* Exactly |bytes|, between guards. */
static hd_status take_guarded(hd_memory *memory, size_t bytes, void **out_data) {
  uint64_t live = memory->stats.bytes_live;
  if (memory->limit && (bytes > memory->limit || live > memory->limit - bytes))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "memory limit of %zu bytes: %llu in use, %zu more wanted",
                          memory->limit, (unsigned long long)live, bytes);
  ++memory->stats.system_allocations;
  return hd_bounds_take(memory->bounds, bytes, out_data);
}

/* Puts a block among the kept ones, for which there is room: before those of its size, as the host's caches
 * have it, but of a device in the order of addresses, so that a run that takes and gives as one before finds
 * the same blocks (drivers/cuda/graphs.c). */
static void keep(hd_memory *memory, block added) {
  size_t i = find(memory, added.capacity);
  bool by_address = !(memory->driver->vtable->caps & HD_DRIVER_HOST_MEMORY);
  while (by_address && i < memory->count && memory->kept[i].capacity == added.capacity &&
         memory->kept[i].data < added.data)
    ++i;
  memmove(&memory->kept[i + 1], &memory->kept[i], (memory->count++ - i) * sizeof *memory->kept);
  memory->kept[i] = added;
  hd_work_retain(added.work);
  memory->stats.bytes_pooled += added.capacity;
}

/* Makes |from|, which is kept no longer, two: the first |capacity| bytes, and a rest that is kept. */
static bool divide(hd_memory *memory, block from, size_t capacity) {
  if (!make_room(memory)) return false;
  if (!divided_at(memory, from.data)) {
    if (memory->divided_count == memory->divided_room) {
      size_t room = memory->divided_room ? memory->divided_room * 2 : 16;
      divided *grown = realloc(memory->divided, room * sizeof *grown);
      if (!grown) return false;
      memory->divided = grown;
      memory->divided_room = room;
    }
    memory->divided[memory->divided_count++] = (divided){from.data, from.capacity};
  }
  keep(memory, (block){from.capacity - capacity, from.data + capacity, from.age, from.work});
  return true;
}

/* The part of a divided block with the free parts beside it; when that is all of it, it is divided no longer. */
static block join(hd_memory *memory, block part) {
  divided *whole = part.capacity < LEAST_PART ? NULL : divided_at(memory, part.data);
  if (!whole) return part;
  for (size_t i = find(memory, LEAST_PART); i < memory->count;) {
    block other = memory->kept[i];
    bool before = other.data + other.capacity == part.data && other.data >= whole->data;
    bool after = part.data + part.capacity == other.data && other.data < whole->data + whole->capacity;
    if ((!before && !after) || !is_free_for(&memory->kept[i], part.work)) {
      ++i;
      continue;
    }
    if (before) part.data = other.data;
    part.capacity += other.capacity;
    hd_work_release(memory->kept[i].work);
    remove_kept(memory, i);
    i = find(memory, LEAST_PART);
  }
  if (part.capacity == whole->capacity) *whole = memory->divided[--memory->divided_count];
  return part;
}

/* The first from |i| on, of at most |largest|, that |work| may have; the number of all where there is none. */
static size_t first_free(hd_memory *memory, size_t i, size_t largest, hd_work *work) {
  while (i < memory->count && memory->kept[i].capacity <= largest && !is_free_for(&memory->kept[i], work)) ++i;
  return i < memory->count && memory->kept[i].capacity > largest ? memory->count : i;
}

/* What was given back shows that it was: after what |work| does with it, else at once. */
static void poison(hd_memory *memory, void *data, size_t capacity, hd_work *work) {
  if (!memory->driver->vtable->poison || !capacity) return;
  hd_stream *stream = hd_work_is_done(work) ? NULL : hd_work_stream(work);
  hd_status status = memory->driver->vtable->poison(memory->driver, stream, data, capacity);
  if (!stream) status = hd_status_join(status, hd_stream_wait(memory->driver, NULL));
  hd_status_ignore(status);
}

hd_status hd_memory_take(hd_memory *memory, size_t bytes, hd_work *work, void **out_data, size_t *out_capacity) {
  *out_data = NULL;
  *out_capacity = 0;
  if (bytes > SIZE_MAX / 4) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
  size_t capacity = round_capacity(bytes);
  hd_fork_mutex_lock(&memory->mutex);
  hd_status status = HD_STATUS_OK;
  size_t i = first_free(memory, find(memory, capacity), memory->limit ? SIZE_MAX : 4 * capacity + 4096, work);
  /* A block of more than twice the size would be a waste to hold, under a limit any larger one; nor may a part that is
   * held for long keep more than four times its size from going back to the system. */
  size_t largest = memory->limit ? capacity : 2 * capacity + 4096,
         best = i < memory->count ? memory->kept[i].capacity : 0;
  bool divides = capacity >= LEAST_PART && best >= capacity + LEAST_PART && best <= 4 * capacity;
  if (memory->bounds) {
    capacity = bytes;
    status = take_guarded(memory, bytes, out_data);
  } else if (i < memory->count && (divides || best <= largest)) {
    block found = memory->kept[i];
    remove_kept(memory, i);
    if (!divides || !divide(memory, found, capacity)) capacity = found.capacity;
    hd_work_release(found.work);
    *out_data = found.data;
  } else {
    status = take_new(memory, capacity, out_data);
  }
  if (hd_is_ok(status)) {
    count_taken(memory, capacity);
    *out_capacity = capacity;
  }
  hd_fork_mutex_unlock(&memory->mutex);
  return status;
}

void hd_memory_give(hd_memory *memory, void *data, size_t capacity, hd_work *work) {
  if (!data) return;
  poison(memory, data, capacity, work);
  hd_fork_mutex_lock(&memory->mutex);
  memory->stats.bytes_live -= capacity;
  if (memory->bounds) {
    hd_bounds_give(memory->bounds, data);
    hd_fork_mutex_unlock(&memory->mutex);
    return;
  }
  block given = join(memory, (block){capacity, data, ++memory->clock, hd_work_is_done(work) ? NULL : work});
  if (!make_room(memory)) {
    /* A part cannot go alone: it is lost until the pool is freed, which is better than to end the process. */
    if (!divided_at(memory, given.data) && !given.work) hd_driver_release(memory->driver, given.data, given.capacity);
  } else {
    keep(memory, given);
    shrink(memory, memory->limit && memory->limit < bound(memory) ? memory->limit : bound(memory));
  }
  hd_fork_mutex_unlock(&memory->mutex);
}

void hd_memory_trim(hd_memory *memory) {
  hd_fork_mutex_lock(&memory->mutex);
  shrink(memory, 0);
  hd_fork_mutex_unlock(&memory->mutex);
}

hd_memory_stats hd_memory_read(hd_memory *memory) {
  hd_fork_mutex_lock(&memory->mutex);
  hd_memory_stats stats = memory->stats;
  hd_fork_mutex_unlock(&memory->mutex);
  return stats;
}
