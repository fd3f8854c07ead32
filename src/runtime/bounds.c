/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/bounds.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fork.h"

enum { ALIGNMENT = 64, RED = 0xCB, FRESH = 0xA5 };

typedef struct guarded {
  char *map; /* with both pages without access */
  size_t mapped;
  char *data;
  size_t bytes;
  hd_bounds_run *run; /* null: shared */
} guarded;

struct hd_bounds {
  hd_fork_mutex mutex;
  guarded *all; /* in no order */
  size_t count, room;
  size_t page;
  uint32_t runs;         /* under way */
  uint64_t shared_count; /* writes beside shared buffers, and wrong gives, that were found */
  char shared[160];      /* the last of them */
};

hd_status hd_bounds_create(hd_bounds **out_bounds) {
  *out_bounds = calloc(1, sizeof **out_bounds);
  if (!*out_bounds) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_bounds *bounds = *out_bounds;
  bounds->page = (size_t)sysconf(_SC_PAGESIZE);
  hd_fork_mutex_init(&bounds->mutex, HD_FORK_INNER);
  return HD_STATUS_OK;
}

void hd_bounds_free(hd_bounds *bounds) {
  if (!bounds) return;
  hd_fork_mutex_destroy(&bounds->mutex);
  free(bounds->all);
  free(bounds);
}

static char *first_of(const hd_bounds *bounds, const guarded *g) { return g->map + bounds->page; }
static char *end_of(const hd_bounds *bounds, const guarded *g) { return g->map + g->mapped - bounds->page; }

static void paint(const hd_bounds *bounds, const guarded *g) {
  char *first = first_of(bounds, g), *behind = g->data + g->bytes;
  memset(first, RED, (size_t)(g->data - first));
  memset(behind, RED, (size_t)(end_of(bounds, g) - behind));
}

static bool add(hd_bounds *bounds, guarded g) {
  if (bounds->count == bounds->room) {
    size_t room = bounds->room ? bounds->room * 2 : 64;
    guarded *all = realloc(bounds->all, room * sizeof *all);
    if (!all) return false;
    bounds->all = all;
    bounds->room = room;
  }
  bounds->all[bounds->count++] = g;
  return true;
}

hd_status hd_bounds_take(hd_bounds *bounds, size_t bytes, void **out_data) {
  *out_data = NULL;
  if (bytes > SIZE_MAX / 4) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
  /* After full lines is the page without access at once, which shows reads too. */
  size_t page = bounds->page, lines = bytes ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
  guarded g = {.bytes = bytes, .mapped = (lines + ALIGNMENT + page - 1) / page * page + 2 * page};
  g.map = mmap(NULL, g.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (g.map == MAP_FAILED) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
  if (mprotect(g.map, page, PROT_NONE) || mprotect(g.map + g.mapped - page, page, PROT_NONE)) {
    munmap(g.map, g.mapped);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "no guards for a buffer of %zu bytes", bytes);
  }
  g.data = g.map + g.mapped - page - lines;
  paint(bounds, &g);
  memset(g.data, FRESH, bytes);
  hd_fork_mutex_lock(&bounds->mutex);
  bool added = add(bounds, g);
  hd_fork_mutex_unlock(&bounds->mutex);
  if (!added) {
    munmap(g.map, g.mapped);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  *out_data = g.data;
  return HD_STATUS_OK;
}

/* The first byte of [first, end) that is not as it was painted; |end| for none. */
static const char *written(const char *first, const char *end) {
  while (first < end && *first == (char)RED) ++first;
  return first;
}

static hd_status check(const hd_bounds *bounds, const guarded *g) {
  const char *first = first_of(bounds, g), *behind = g->data + g->bytes, *end = end_of(bounds, g), *at;
  const char *shared = g->run ? "" : " that executions share";
  if ((at = written(first, g->data)) < g->data)
    return hd_make_status(HD_INTERNAL, "writes %zu bytes before a buffer of %zu bytes%s", (size_t)(g->data - at),
                          g->bytes, shared);
  if ((at = written(behind, end)) < end)
    return hd_make_status(HD_INTERNAL, "writes at byte %zu of a buffer of %zu bytes%s", (size_t)(at - g->data),
                          g->bytes, shared);
  return HD_STATUS_OK;
}

/* Notes what is reported to every execution that is under way. */
static void tell_all(hd_bounds *bounds, const char *what) {
  ++bounds->shared_count;
  snprintf(bounds->shared, sizeof bounds->shared, "%s%s", what,
           bounds->runs > 1 ? ", it or another execution that runs at once" : "");
}

/* Notes a write beside |g|: for the execution that it belongs to, or for all that are under way. */
static void look(hd_bounds *bounds, const guarded *g) {
  hd_status status = check(bounds, g);
  if (hd_is_ok(status)) return;
  paint(bounds, g); /* later launches are not blamed */
  if (!g->run) {
    tell_all(bounds, hd_status_message(status));
  } else if (hd_is_ok(g->run->broken)) {
    g->run->broken = status;
    return;
  }
  hd_status_free(status);
}

static guarded *find(const hd_bounds *bounds, const void *data) {
  for (size_t i = 0; i < bounds->count; ++i)
    if (bounds->all[i].data == data) return &bounds->all[i];
  return NULL;
}

void hd_bounds_give(hd_bounds *bounds, void *data) {
  guarded gone = {0};
  hd_fork_mutex_lock(&bounds->mutex);
  guarded *g = find(bounds, data);
  if (g) {
    look(bounds, g);
    gone = *g;
    *g = bounds->all[--bounds->count];
  } else if (data) {
    tell_all(bounds, "gives back memory that is no buffer, or a buffer twice");
  }
  hd_fork_mutex_unlock(&bounds->mutex);
  if (gone.map) munmap(gone.map, gone.mapped);
}

void hd_bounds_begin(hd_bounds *bounds, hd_bounds_run *run) {
  hd_fork_mutex_lock(&bounds->mutex);
  ++bounds->runs;
  *run = (hd_bounds_run){.seen = bounds->shared_count};
  hd_fork_mutex_unlock(&bounds->mutex);
}

void hd_bounds_claim(hd_bounds *bounds, hd_bounds_run *run, const void *data) {
  hd_fork_mutex_lock(&bounds->mutex);
  guarded *g = find(bounds, data);
  if (g) g->run = run;
  hd_fork_mutex_unlock(&bounds->mutex);
}

hd_status hd_bounds_check(hd_bounds *bounds, hd_bounds_run *run) {
  hd_fork_mutex_lock(&bounds->mutex);
  for (size_t i = 0; i < bounds->count; ++i)
    if (!bounds->all[i].run || bounds->all[i].run == run) look(bounds, &bounds->all[i]);
  hd_status status = run->broken;
  run->broken = HD_STATUS_OK;
  if (hd_is_ok(status) && run->seen != bounds->shared_count) status = hd_make_status(HD_INTERNAL, "%s", bounds->shared);
  run->seen = bounds->shared_count;
  hd_fork_mutex_unlock(&bounds->mutex);
  return status;
}

hd_status hd_bounds_end(hd_bounds *bounds, hd_bounds_run *run) {
  hd_status status = hd_bounds_check(bounds, run);
  hd_fork_mutex_lock(&bounds->mutex);
  --bounds->runs;
  for (size_t i = 0; i < bounds->count; ++i)
    if (bounds->all[i].run == run) bounds->all[i].run = NULL;
  hd_fork_mutex_unlock(&bounds->mutex);
  return status;
}
