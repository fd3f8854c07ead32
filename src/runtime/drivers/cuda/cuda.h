/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA driver: a device of CUDA's driver, the first that it sees unless "cuda:1" names another by its number there,
 * in its primary context, which an embedder's own CUDA code shares. The context is current during a call alone. A null
 * stream is the driver's own, not CUDA's default one.
 *
 * A kernel that fails takes the context with it: CUDA answers every later call with its error. Which kernel it was
 * follows from a word of pinned memory per stream, into which the device writes the numbers of launches that are done.
 * Numbers are written after the last launch of what is waited for, since each costs the device time between kernels;
 * "cuda:marks" has one after every launch. The first cause stays with the driver, and every later call says it. */
#ifndef HD_RUNTIME_DRIVERS_CUDA_CUDA_H_
#define HD_RUNTIME_DRIVERS_CUDA_CUDA_H_

#include <pthread.h>

#include "runtime/driver.h"
#include "runtime/drivers/cuda/api.h"
#include "runtime/drivers/simt/ranges.h"

enum {
  HD_CUDA_LAUNCHES = 256,   /* of a stream whose names are known */
  HD_CUDA_WORD_LIMIT = 1024 /* more than the parameters of any kernel */
};

typedef struct hd_cuda_graphs hd_cuda_graphs; /* launches that go out together (graphs.c) */

struct hd_stream {
  cu_stream stream;
  hd_stream *next;                   /* of the driver's */
  _Atomic uint32_t *done;            /* pinned: launches that are, as far as marks say */
  _Atomic uint32_t launched, marked; /* in all; of those, the last after which the device writes its number */
  const char *names[HD_CUDA_LAUNCHES], *sources[HD_CUDA_LAUNCHES];
  hd_cuda_graphs *graphs; /* null: launches go out one by one */
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

typedef struct hd_cuda_library hd_cuda_library; /* what one of CUDA's libraries said (plans.h) */

typedef struct hd_cuda_driver {
  hd_driver base;
  const hd_cuda_api *cu;
  int device;
  bool marks, graphs; /* of its name: a number after every launch; launches go out as graphs (graphs.c) */
  cu_context context;
  hd_device_info info;
  cu_stream memory;      /* in whose order memory is allocated and released */
  hd_simt_ranges ranges; /* what is allocated */
  pthread_mutex_t lock;  /* of what follows */
  hd_stream *streams;    /* the driver's own is the last */
  hd_stream *own;
  hd_cuda_library *products, *convolutions; /* cuBLASLt, cuDNN; null: none was asked for */
  hd_status lost;                           /* the first cause; OK: the context lives */
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
/* What |code|, the answer of a call in between, means; where the context went with it, that
 * the driver is lost, and by which kernel. */
hd_status hd_cuda_leave(hd_cuda_driver *driver, int code, const char *what) HD_MUST_USE;

/* Enters for a call on |*stream|, the driver's own where it is null, after what waits to
 * go out. Fails as the launch that fails. */
hd_status hd_cuda_enter_stream(hd_cuda_driver *driver, hd_stream **stream) HD_MUST_USE;
/* The same before a wait or a record: the device says how far it came. */
hd_status hd_cuda_enter_end(hd_cuda_driver *driver, hd_stream **stream) HD_MUST_USE;

/* launch.c: sends a launch; the context is current. */
int hd_cuda_send(hd_cuda_driver *driver, hd_stream *stream, const hd_grid_launch *launch, cu_event end);
int hd_cuda_allow_shared(hd_cuda_driver *driver, hd_device_image *image, uint32_t kernel, uint32_t bytes);
void hd_cuda_count(hd_stream *stream, const char *name, const char *source);
/* The device writes the number of the last launch, where that is not queued yet; |due|:
 * where every launch has one, or 64 have none. */
int hd_cuda_mark(hd_cuda_driver *driver, hd_stream *stream);
int hd_cuda_mark_due(hd_cuda_driver *driver, hd_stream *stream);

/* graphs.c */
/* UNIMPLEMENTED where the driver has none. */
hd_status hd_cuda_graphs_create(hd_cuda_graphs **out_graphs) HD_MUST_USE;
/* The stream's work is done; where the context is not lost it is current. */
void hd_cuda_graphs_free(hd_stream *stream, bool lost);
/* Puts a launch after those that wait; sends them all where there is no more room. */
hd_status hd_cuda_batch_add(hd_cuda_driver *driver, hd_stream *stream, const hd_grid_launch *launch) HD_MUST_USE;
/* Sends what waits; the context is current. Null, or the launch that failed with |*out_code|. */
const hd_grid_launch *hd_cuda_batch_send(hd_cuda_driver *driver, hd_stream *stream, int *out_code);
/* Graphs with kernels of |image| go before it does. */
void hd_cuda_graphs_forget(hd_cuda_driver *driver, const hd_device_image *image);

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
hd_status hd_cuda_product_run(hd_driver *driver, hd_stream *stream, const hd_device_product *product, void *workspace,
                              size_t workspace_bytes);
bool hd_cuda_convolution_takes(hd_driver *driver, const hd_device_convolution *convolution, size_t *out_workspace);
hd_status hd_cuda_convolution_run(hd_driver *driver, hd_stream *stream, const hd_device_convolution *convolution,
                                  void *workspace, size_t workspace_bytes);
/* Where the context is not lost it is current. */
void hd_cuda_describe(hd_driver *driver, char *out, size_t size);
hd_status hd_cuda_kernel_find(hd_driver *driver, hd_device_image *image, const char *symbol, uint32_t *out_kernel);

#endif
