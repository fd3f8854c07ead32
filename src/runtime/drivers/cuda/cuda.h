/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA driver: the first device of CUDA's driver, in its primary context, which an embedder's own CUDA code shares. The
 * context is current during a call alone. A null stream is the driver's own, not CUDA's default one.
 *
 * A kernel that fails takes the context with it: CUDA answers every later call with its error. Which kernel it was follows from a
 * word of pinned memory per stream, into which the device writes the number of each launch that is done. The first cause stays
 * with the driver, and every later call says it. */
#ifndef HD_RUNTIME_DRIVERS_CUDA_CUDA_H_
#define HD_RUNTIME_DRIVERS_CUDA_CUDA_H_

#include <pthread.h>

#include "runtime/driver.h"
#include "runtime/drivers/cuda/api.h"
#include "runtime/drivers/simt/ranges.h"

enum { HD_CUDA_LAUNCHES = 256 }; /* of a stream whose names are known */

struct hd_stream {
  cu_stream stream;
  hd_stream *next;           /* of the driver's */
  _Atomic uint32_t *done;    /* pinned: launches that are */
  _Atomic uint32_t launched; /* in all */
  const char *names[HD_CUDA_LAUNCHES], *sources[HD_CUDA_LAUNCHES];
};

struct hd_device_event {
  cu_event event;
};

typedef struct hd_cuda_function {
  cu_function function;
  uint32_t dynamic_shared; /* that it was allowed */
} hd_cuda_function;

struct hd_device_image {
  cu_module module;
  pthread_mutex_t lock; /* of what functions were allowed */
  hd_cuda_function *functions;
  uint32_t count, room;
};

typedef struct hd_cuda_products hd_cuda_products;         /* what cuBLASLt said */
typedef struct hd_cuda_convolutions hd_cuda_convolutions; /* what cuDNN said */

typedef struct hd_cuda_driver {
  hd_driver base;
  const hd_cuda_api *cu;
  int device;
  cu_context context;
  hd_device_facts facts;
  cu_stream memory;      /* in whose order memory is allocated and released */
  hd_simt_ranges ranges; /* what is allocated */
  pthread_mutex_t lock;  /* of what follows */
  hd_stream *streams;    /* the driver's own is the last */
  hd_stream *own;
  hd_cuda_products *products; /* null: none was asked for */
  hd_cuda_convolutions *convolutions;
  hd_status lost; /* the first cause; OK: the context lives */
} hd_cuda_driver;

static inline hd_cuda_driver *hd_cuda_of(hd_driver *driver) { return (hd_cuda_driver *)driver; }
static inline hd_stream *hd_cuda_stream(hd_cuda_driver *driver, hd_stream *stream) {
  return stream ? stream : driver->own;
}
/* The largest power of two up to |limit|, one itself, that all addresses are multiples of. */
static inline int64_t hd_cuda_alignment(uintptr_t limit, const void *a, const void *b, const void *c) {
  uintptr_t bits = (uintptr_t)a | (uintptr_t)b | (uintptr_t)c | limit;
  return (int64_t)(bits & -bits);
}

/* context.c. Between the two the context is current; where entering fails there is nothing to leave. */
hd_status hd_cuda_enter(hd_cuda_driver *driver) HD_MUST_USE;
/* What |code|, the answer of a call in between, means; where the context went with it, that the driver is lost, and by which kernel. */
hd_status hd_cuda_leave(hd_cuda_driver *driver, int code, const char *what) HD_MUST_USE;

hd_status hd_cuda_memory_allocate(hd_driver *driver, size_t bytes, void **out_data);
void hd_cuda_memory_release(hd_driver *driver, void *data, size_t bytes);
hd_status hd_cuda_host_allocate(hd_driver *driver, size_t bytes, void **out_data);
void hd_cuda_host_release(hd_driver *driver, void *data, size_t bytes);
bool hd_cuda_owns(hd_driver *driver, const void *data);
hd_status hd_cuda_stream_create(hd_driver *driver, hd_stream **out_stream);
void hd_cuda_stream_destroy(hd_driver *driver, hd_stream *stream);
hd_status hd_cuda_stream_wait(hd_driver *driver, hd_stream *stream);
hd_status hd_cuda_copy(hd_driver *driver, hd_stream *stream, void *destination, const void *source, size_t bytes);
hd_status hd_cuda_fill(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte, size_t bytes);
hd_status hd_cuda_event_create(hd_driver *driver, hd_device_event **out_event);
void hd_cuda_event_destroy(hd_driver *driver, hd_device_event *event);
hd_status hd_cuda_event_record(hd_driver *driver, hd_device_event *event, hd_stream *stream);
hd_status hd_cuda_event_wait(hd_driver *driver, hd_device_event *event);
hd_status hd_cuda_stream_wait_event(hd_driver *driver, hd_stream *stream, hd_device_event *event);
bool hd_cuda_event_is_done(hd_driver *driver, hd_device_event *event);
hd_status hd_cuda_launch_function(hd_driver *driver, hd_stream *stream, const hd_launch *launch);
hd_status hd_cuda_launch_grid(hd_driver *driver, hd_stream *stream, const hd_grid_launch *launch);
hd_status hd_cuda_image_load(hd_driver *driver, const void *data, size_t size, hd_device_image **out_image);
void hd_cuda_image_unload(hd_driver *driver, hd_device_image *image);
bool hd_cuda_product_takes(hd_driver *driver, const hd_device_product *product, size_t *out_workspace);
hd_status hd_cuda_product_run(hd_driver *driver, hd_stream *stream, const hd_device_product *product, void *workspace);
bool hd_cuda_convolution_takes(hd_driver *driver, const hd_device_convolution *convolution, size_t *out_workspace);
hd_status hd_cuda_convolution_run(hd_driver *driver, hd_stream *stream, const hd_device_convolution *convolution,
                                  void *workspace);
/* Where the context is not lost it is current. */
void hd_cuda_products_free(hd_cuda_driver *driver, bool lost);
void hd_cuda_convolutions_free(hd_cuda_driver *driver, bool lost);
void hd_cuda_describe(hd_driver *driver, char *out, size_t size);
hd_status hd_cuda_kernel_find(hd_driver *driver, hd_device_image *image, const char *symbol, uint32_t *out_kernel);

#endif
