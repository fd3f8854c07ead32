/* SPDX-License-Identifier: Apache-2.0 */
/* An allocation is three ranges of pages: the one that is handed out, of which no page is mapped, the one where it is,
 * and what of it was written. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/drivers/guarded/guarded.h"

static const size_t LARGEST = 1ull << 40;

/* Pages of |bytes| and one more, so that neither range touches anything. */
static size_t span_of(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page + page;
}

hd_status hd_guarded_allocate(hd_driver *base, size_t bytes, void **out_data) {
  hd_guarded_driver *driver = (hd_guarded_driver *)base;
  size_t span = bytes < LARGEST ? span_of(bytes) : 0;
  char *pages = span ? mmap(NULL, 3 * span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : MAP_FAILED;
  hd_simt_allocation added = {(uint64_t)(uintptr_t)pages, bytes, pages + span, (uint8_t *)pages + 2 * span};
  bool made = pages != MAP_FAILED;
  if (made && (mprotect(added.data, 2 * span, PROT_READ | PROT_WRITE) || !hd_simt_ranges_add(&driver->ranges, added))) {
    munmap(pages, 3 * span);
    made = false;
  }
  if (!made) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
  memset(added.data, HD_GUARDED_POISON, bytes);
  *out_data = pages;
  return HD_STATUS_OK;
}

/* The memory goes at once, its addresses after some more releases. */
void hd_guarded_release(hd_driver *base, void *data, size_t bytes) {
  hd_guarded_driver *driver = (hd_guarded_driver *)base;
  size_t span = span_of(bytes);
  if (!hd_simt_ranges_remove(&driver->ranges, data).size) return;
  munmap((char *)data + span, 2 * span);
  pthread_mutex_lock(&driver->mutex);
  void *oldest = driver->quarantine[driver->oldest].base;
  size_t size = driver->quarantine[driver->oldest].size;
  driver->quarantine[driver->oldest].base = data;
  driver->quarantine[driver->oldest].size = span;
  driver->oldest = (driver->oldest + 1) % HD_GUARDED_QUARANTINE;
  pthread_mutex_unlock(&driver->mutex);
  if (oldest) munmap(oldest, size);
}

void hd_guarded_memory_free(hd_guarded_driver *driver) {
  for (uint32_t i = 0; i < HD_GUARDED_QUARANTINE; ++i)
    if (driver->quarantine[i].base) munmap(driver->quarantine[i].base, driver->quarantine[i].size);
  hd_simt_ranges_free(&driver->ranges);
  hd_simt_ranges_free(&driver->pinned);
}

hd_status hd_guarded_allocate_host(hd_driver *base, size_t bytes, void **out_data) {
  hd_guarded_driver *driver = (hd_guarded_driver *)base;
  void *data = bytes < LARGEST ? aligned_alloc(64, bytes) : NULL;
  if (data &&
      !hd_simt_ranges_add(&driver->pinned, (hd_simt_allocation){(uint64_t)(uintptr_t)data, bytes, data, NULL})) {
    free(data);
    data = NULL;
  }
  *out_data = data;
  return data ? HD_STATUS_OK : hd_make_status(HD_RESOURCE_EXHAUSTED, "no host memory for %zu bytes", bytes);
}

void hd_guarded_release_host(hd_driver *base, void *data, size_t bytes) {
  (void)bytes;
  hd_simt_ranges_remove(&((hd_guarded_driver *)base)->pinned, data);
  free(data);
}

bool hd_guarded_owns(hd_driver *base, const void *data) {
  return hd_simt_ranges_has(&((hd_guarded_driver *)base)->ranges, data);
}

hd_guarded_place hd_guarded_place_of(const hd_guarded_driver *driver, const void *address, size_t bytes) {
  const hd_simt_allocation *in = hd_simt_ranges_at(&driver->ranges, address);
  uint64_t at = in ? (uint64_t)(uintptr_t)address - in->address : 0;
  if (!in || bytes > in->size - at) return (hd_guarded_place){0};
  return (hd_guarded_place){(char *)in->data + at, in->written + at};
}
