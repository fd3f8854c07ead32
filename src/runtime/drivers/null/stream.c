/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "runtime/drivers/null/null.h"

struct hd_stream {
  char unused;
};

hd_status hd_null_stream_create(hd_driver *driver, hd_stream **out_stream) {
  (void)driver;
  *out_stream = calloc(1, sizeof **out_stream);
  return *out_stream ? HD_STATUS_OK : hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
}

void hd_null_stream_destroy(hd_driver *driver, hd_stream *stream) {
  (void)driver;
  free(stream);
}

hd_status hd_null_stream_wait(hd_driver *driver, hd_stream *stream) {
  (void)driver, (void)stream;
  return HD_STATUS_OK;
}

hd_status hd_null_copy(hd_driver *driver, hd_stream *stream, void *destination, const void *source, size_t bytes) {
  (void)driver, (void)stream;
  memcpy(destination, source, bytes);
  return HD_STATUS_OK;
}

hd_status hd_null_fill(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte, size_t bytes) {
  (void)driver, (void)stream;
  memset(destination, byte, bytes);
  return HD_STATUS_OK;
}
