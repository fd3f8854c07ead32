/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the null driver: the system's, aligned to 64 bytes. */
#include <stdlib.h>

#include "runtime/drivers/null/null.h"

hd_status hd_null_allocate(hd_driver *driver, size_t bytes, void **out_data) {
  (void)driver;
  *out_data = aligned_alloc(64, (bytes + 63) / 64 * 64);
  return *out_data ? HD_STATUS_OK : hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for a buffer of %zu bytes", bytes);
}

void hd_null_release(hd_driver *driver, void *data, size_t bytes) {
  (void)driver, (void)bytes;
  free(data);
}
