/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of kernels: parameters, dynamic shared memory, and the numbers by which a failure names its kernel. A launch
 * that is traced is timed between two events and waited for. */
#include "runtime/drivers/cuda/cuda.h"

hd_status hd_cuda_launch_function(hd_driver *driver, hd_stream *stream, const hd_launch *launch) {
  (void)driver, (void)stream, (void)launch;
  return hd_make_status(HD_UNIMPLEMENTED, "driver 'cuda' runs kernels of images, not functions of the CPU");
}

/* Asked for once, and again where a launch wants more. */
int hd_cuda_allow_shared(hd_cuda_driver *driver, hd_device_image *image, uint32_t kernel, uint32_t bytes) {
  hd_cuda_function *f = &image->functions[kernel];
  int code = 0;
  if (!bytes) return 0;
  pthread_mutex_lock(&image->lock);
  if (bytes > f->dynamic_shared) {
    code = driver->cu->function_set(f->function, CU_FUNCTION_DYNAMIC_SHARED, (int)bytes);
    if (!code) f->dynamic_shared = bytes;
  }
  pthread_mutex_unlock(&image->lock);
  return code;
}

void hd_cuda_count(hd_stream *stream, const char *name, const char *source) {
  uint32_t number = stream->launched;
  stream->names[number % HD_CUDA_LAUNCHES] = name;
  stream->sources[number % HD_CUDA_LAUNCHES] = source;
  stream->launched = number + 1;
}

int hd_cuda_mark(hd_cuda_driver *driver, hd_stream *stream) {
  uint32_t launched = stream->launched;
  if (launched == stream->marked) return 0;
  int code = driver->cu->stream_write(stream->stream, (cu_address)(uintptr_t)stream->done, launched, 0);
  if (!code) stream->marked = launched;
  return code;
}

int hd_cuda_mark_due(hd_cuda_driver *driver, hd_stream *stream) {
  bool due = driver->marks || stream->launched - stream->marked >= HD_CUDA_LAUNCHES / 4;
  return due ? hd_cuda_mark(driver, stream) : 0;
}

/* CUDA reads as much of each word as the kernel's parameter has: its low bytes. |end|, if not
 * null, is recorded after the kernel alone. */
int hd_cuda_send(hd_cuda_driver *driver, hd_stream *stream, const hd_grid_launch *l, cu_event end) {
  void *parameters[HD_CUDA_WORD_LIMIT];
  hd_cuda_function *f = &l->image->functions[l->kernel];
  for (uint32_t i = 0; i < l->word_count; ++i) parameters[i] = (void *)(uintptr_t)&l->words[i];
  int code = hd_cuda_allow_shared(driver, l->image, l->kernel, l->shared_bytes);
  if (code) return code;
  code = driver->cu->launch(f->function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                            l->shared_bytes, stream->stream, parameters, NULL);
  if (!code && end) code = driver->cu->event_record(end, stream->stream);
  if (code) return code;
  hd_cuda_count(stream, l->name, l->source);
  return hd_cuda_mark_due(driver, stream);
}

typedef struct timing {
  cu_event from, to;
} timing;

static int begin_timing(hd_cuda_driver *driver, hd_stream *stream, timing *t) {
  int code = driver->cu->event_create(&t->from, 0);
  if (!code) code = driver->cu->event_create(&t->to, 0);
  return code ? code : driver->cu->event_record(t->from, stream->stream);
}

/* The span that the device says, set against the host's clock where the host saw the end. */
static int end_timing(hd_cuda_driver *driver, timing *t, const hd_grid_launch *l) {
  float ms = 0;
  int code = driver->cu->event_wait(t->to);
  if (!code) code = driver->cu->event_time(&ms, t->from, t->to);
  int64_t blocks = (int64_t)l->grid[0] * l->grid[1] * l->grid[2], now = hd_trace_now();
  if (!code) hd_trace_span(l->trace, "kernel", l->name, l->source, blocks, now - (int64_t)((double)ms * 1e6), now);
  return code;
}

static int run(hd_cuda_driver *driver, hd_stream *stream, const hd_grid_launch *l) {
  timing t = {0};
  int code = l->trace ? begin_timing(driver, stream, &t) : 0;
  if (!code) code = hd_cuda_send(driver, stream, l, t.to);
  if (!code && l->trace) code = end_timing(driver, &t, l);
  if (t.from) driver->cu->event_destroy(t.from);
  if (t.to) driver->cu->event_destroy(t.to);
  return code;
}

hd_status hd_cuda_launch_grid(hd_driver *base, hd_stream *stream, const hd_grid_launch *launch) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  if (launch->word_count > HD_CUDA_WORD_LIMIT)
    return hd_make_status(HD_INVALID_ARGUMENT, "cuda: a kernel of %u words, expected at most %d", launch->word_count,
                          (int)HD_CUDA_WORD_LIMIT);
  if (stream && stream->graphs && !launch->trace) return hd_cuda_batch_add(driver, stream, launch);
  HD_TRY(hd_cuda_enter_stream(driver, &stream));
  return hd_cuda_leave(driver, run(driver, stream, launch), "launch");
}
