/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/bounds.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 64, RED = 0xCB, FRESH = 0xA5 };

typedef struct guarded {
  char *map; /* with both pages without access */
  size_t mapped;
  char *data;
  size_t bytes;
} guarded;

struct hd_bounds {
  guarded *all; /* in no order */
  size_t count, room;
  size_t page;
  hd_status broken; /* found when a buffer was given back */
};

hd_status hd_bounds_create(hd_bounds **out_bounds) {
  *out_bounds = calloc(1, sizeof **out_bounds);
  if (!*out_bounds) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  (*out_bounds)->page = (size_t)sysconf(_SC_PAGESIZE);
  return HD_STATUS_OK;
}

void hd_bounds_free(hd_bounds *bounds) {
  if (!bounds) return;
  hd_status_free(bounds->broken);
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

hd_status hd_bounds_take(hd_bounds *bounds, size_t bytes, void **out_data) {
  *out_data = NULL;
  if (bytes > SIZE_MAX / 4) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
  if (bounds->count == bounds->room) {
    size_t room = bounds->room ? bounds->room * 2 : 64;
    guarded *all = realloc(bounds->all, room * sizeof *all);
    if (!all) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
    bounds->all = all;
    bounds->room = room;
  }
  size_t page = bounds->page,
         whole = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT; /* a red zone behind whole lines too */
  if (bytes && bytes % ALIGNMENT == 0) whole = bytes;
  guarded g = {.bytes = bytes, .mapped = (whole + ALIGNMENT + page - 1) / page * page + 2 * page};
  g.map = mmap(NULL, g.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (g.map == MAP_FAILED) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
  if (mprotect(g.map, page, PROT_NONE) || mprotect(g.map + g.mapped - page, page, PROT_NONE)) {
    munmap(g.map, g.mapped);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "no guards for a buffer of %zu bytes", bytes);
  }
  g.data = g.map + g.mapped - page - whole;
  paint(bounds, &g);
  memset(g.data, FRESH, bytes);
  bounds->all[bounds->count++] = g;
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
  if ((at = written(first, g->data)) < g->data)
    return hd_make_status(HD_INTERNAL, "writes %zu bytes before a buffer of %zu bytes", (size_t)(g->data - at),
                          g->bytes);
  if ((at = written(behind, end)) < end)
    return hd_make_status(HD_INTERNAL, "writes at byte %zu of a buffer of %zu bytes", (size_t)(at - g->data), g->bytes);
  return HD_STATUS_OK;
}

static void note(hd_bounds *bounds, const guarded *g) {
  hd_status status = check(bounds, g);
  if (hd_is_ok(bounds->broken))
    bounds->broken = status;
  else
    hd_status_free(status);
}

static guarded *find(const hd_bounds *bounds, const void *data) {
  for (size_t i = 0; i < bounds->count; ++i)
    if (bounds->all[i].data == data) return &bounds->all[i];
  return NULL;
}

bool hd_bounds_has(const hd_bounds *bounds, const void *data) { return find(bounds, data) != NULL; }

void hd_bounds_give(hd_bounds *bounds, void *data) {
  guarded *g = find(bounds, data);
  if (!g) return;
  note(bounds, g);
  munmap(g->map, g->mapped);
  *g = bounds->all[--bounds->count];
}

hd_status hd_bounds_check(hd_bounds *bounds) {
  for (size_t i = 0; i < bounds->count; ++i) {
    hd_status status = check(bounds, &bounds->all[i]);
    if (hd_is_ok(status)) continue;
    hd_status_free(status);
    note(bounds, &bounds->all[i]);
    paint(bounds, &bounds->all[i]); /* later launches are not blamed */
  }
  hd_status broken = bounds->broken;
  bounds->broken = HD_STATUS_OK;
  return broken;
}
