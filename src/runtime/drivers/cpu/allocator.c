/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the CPU driver: the embedder's allocator, or the system's, with huge pages for large blocks. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/drivers/cpu/cpu.h"

enum { ALIGNMENT = 64 };
/* From here on a block starts on a huge page and asks for such pages: first touches cost a fault per 2 MiB, not per 4
 * KiB. */
static const size_t HUGE_FROM = 4 << 20, HUGE_PAGE = 2 << 20;
static const size_t LARGEST = 1ull << 40;

static size_t round_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

hd_status hd_cpu_allocate(hd_driver *driver, size_t bytes, void **out_data) {
  const hd_allocator *own = &((hd_cpu_driver *)driver)->allocator;
  void *data;
  if (bytes >= LARGEST) {
    data = NULL;
  } else if (own->allocate) {
    data = own->allocate(own->user, bytes, ALIGNMENT);
  } else if (bytes >= HUGE_FROM) {
    data = aligned_alloc(HUGE_PAGE, round_up(bytes, HUGE_PAGE));
    if (data) madvise(data, bytes, MADV_HUGEPAGE); /* a wish: the system may not have it */
  } else {
    data = aligned_alloc(ALIGNMENT, round_up(bytes, ALIGNMENT));
  }
  if (!data) return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
  *out_data = data;
  return HD_STATUS_OK;
}

void hd_cpu_release(hd_driver *driver, void *data, size_t bytes) {
  const hd_allocator *own = &((hd_cpu_driver *)driver)->allocator;
  if (own->allocate)
    own->release(own->user, data, bytes);
  else
    free(data);
}
