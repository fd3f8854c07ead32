/* SPDX-License-Identifier: Apache-2.0 */
/* A stream is a stream of CUDA and the word of pinned memory into which the device writes the number of each launch
 * that is done. Copies and fills are queued on it. */
#include <stdlib.h>

#include "runtime/drivers/cuda/cuda.h"

static int create(hd_cuda_driver *driver, hd_stream *stream) {
  void *done;
  int code = driver->cu->allocate_host(&done, 64, CU_HOST_EVERY_CONTEXT);
  if (code) return code;
  stream->done = done;
  *stream->done = 0;
  code = driver->cu->stream_create(&stream->stream, CU_STREAM_APART);
  if (code) driver->cu->release_host(done);
  return code;
}

hd_status hd_cuda_stream_create(hd_driver *base, hd_stream **out_stream) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  hd_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_status status =
      driver->graphs && !driver->marks && driver->own ? hd_cuda_graphs_create(&stream->graphs) : HD_STATUS_OK;
  if (hd_is_ok(status)) status = hd_cuda_enter(driver);
  if (hd_is_ok(status)) status = hd_cuda_leave(driver, create(driver, stream), "create a stream");
  if (!hd_is_ok(status)) {
    hd_cuda_graphs_free(stream, true);
    free(stream);
    return status;
  }
  pthread_mutex_lock(&driver->lock);
  stream->next = driver->streams;
  driver->streams = stream;
  pthread_mutex_unlock(&driver->lock);
  *out_stream = stream;
  return HD_STATUS_OK;
}

static void unlink_stream(hd_cuda_driver *driver, hd_stream *stream) {
  pthread_mutex_lock(&driver->lock);
  hd_stream **at = &driver->streams;
  while (*at && *at != stream) at = &(*at)->next;
  if (*at) *at = stream->next;
  pthread_mutex_unlock(&driver->lock);
}

/* Its work is done first, since it writes the stream's word. */
void hd_cuda_stream_destroy(hd_driver *base, hd_stream *stream) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  hd_status status = hd_cuda_enter_end(driver, &stream);
  if (hd_is_ok(status)) status = hd_cuda_leave(driver, driver->cu->stream_wait(stream->stream), "end a stream");
  unlink_stream(driver, stream); /* before its word goes, which is read of streams in the list */
  if (hd_is_ok(status)) status = hd_cuda_enter(driver);
  hd_cuda_graphs_free(stream, !hd_is_ok(status));
  if (hd_is_ok(status)) {
    int code = driver->cu->stream_destroy(stream->stream);
    if (!code) code = driver->cu->release_host((void *)stream->done);
    status = hd_cuda_leave(driver, code, "end a stream");
  }
  hd_status_free(status);
  free(stream);
}

hd_status hd_cuda_stream_wait(hd_driver *base, hd_stream *stream) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  HD_TRY(hd_cuda_enter_end(driver, &stream));
  int code = driver->cu->stream_wait(stream->stream);
  return hd_cuda_leave(driver, code, "wait for a stream");
}

/* Addresses say where both ends are. CUDA reads pageable memory before the call returns, pinned memory later. */
hd_status hd_cuda_copy(hd_driver *base, hd_stream *stream, void *destination, const void *source, size_t bytes) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  HD_TRY(hd_cuda_enter_stream(driver, &stream));
  int code = driver->cu->copy((cu_address)(uintptr_t)destination, (cu_address)(uintptr_t)source, bytes, stream->stream);
  return hd_cuda_leave(driver, code, "copy");
}

hd_status hd_cuda_fill(hd_driver *base, hd_stream *stream, void *destination, uint8_t byte, size_t bytes) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  HD_TRY(hd_cuda_enter_stream(driver, &stream));
  int code = driver->cu->fill((cu_address)(uintptr_t)destination, byte, bytes, stream->stream);
  return hd_cuda_leave(driver, code, "fill");
}
