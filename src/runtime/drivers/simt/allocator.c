/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the simt driver: the embedder's allocator, or the system's, and the table to which launches are held. */
#include <stdlib.h>

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

hd_status hd_simt_memory_allocate(hd_driver *base, size_t bytes, void **out_data) {
  hd_simt_driver *driver = (hd_simt_driver *)base;
  void *data = take(&driver->allocator, bytes);
  if (data &&
      !hd_simt_ranges_add(&driver->ranges, (hd_simt_allocation){.address = (uint64_t)(uintptr_t)data, .size = bytes})) {
    give(&driver->allocator, data, bytes);
    data = NULL;
  }
  if (!data) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
  *out_data = data;
  return HD_STATUS_OK;
}

void hd_simt_memory_release(hd_driver *base, void *data, size_t bytes) {
  hd_simt_driver *driver = (hd_simt_driver *)base;
  hd_simt_ranges_remove(&driver->ranges, data);
  give(&driver->allocator, data, bytes);
}
