/* SPDX-License-Identifier: Apache-2.0 */
/* Drivers: what the runtime asks of a device. A driver is one constant hd_driver_vtable; drivers/<name>/ holds
 * allocator.c, event.c, launch.c, stream.c and driver.c (the vtable, at its end), one of a device load.c too, so
 * that reading one teaches all. Rows of drivers/drivers.def list them. The functions below check arguments and
 * set out-parameters; the vtable's need not.
 *
 * Streams do their work in order: before the call returns (drivers/immediate/ has such streams), or later where
 * HD_DRIVER_QUEUES is set. Memory is addressed by pointers that the host may read and write only where
 * HD_DRIVER_HOST_MEMORY is set. Errors of work that runs later name the kernel and its source ops, are kept by the
 * stream and come out of its next wait, first cause first; what is queued after a failure is left out until then. After
 * it the stream is as new, or, where the device is lost, every call says so with the first cause. Thread-safe, except
 * that one stream or event is used by one thread at a time. A new driver is done when it passes conformance/. */
#ifndef HD_RUNTIME_DRIVER_H_
#define HD_RUNTIME_DRIVER_H_

#include "base/status.h"
#include "runtime/abi.h"
#include "runtime/libraries/product_abi.h"
#include "runtime/threads.h"
#include "runtime/trace.h"

typedef struct hd_driver hd_driver;
typedef struct hd_stream hd_stream;
typedef struct hd_device_event hd_device_event;
typedef struct hd_device_image hd_device_image;

typedef enum hd_driver_caps {
  HD_DRIVER_HOST_MEMORY = 1, /* the host may use its memory */
  HD_DRIVER_RUNS = 2,        /* launches of functions of the CPU do something; otherwise they say UNIMPLEMENTED */
  HD_DRIVER_IMAGES = 4,  /* it loads images and launches grids of their kernels; its memory is its own: what the host
                                wraps is copied */
  HD_DRIVER_QUEUES = 8,  /* work is done some time after its call; otherwise before the call returns */
  HD_DRIVER_COUNTS = 16, /* it counts what kernels do (hd_grid_launch.counters), before the call returns */
} hd_driver_caps;

/* What the device is. */
typedef struct hd_device_info {
  char name[96]; /* for people; as hd_device_description has it */
  /* Of images that it takes, at most: 90 for sm_90, 32 for images whose kernels rely on subgroups of 32; 0: all images
   * are alike. */
  uint32_t architecture;
  uint32_t subgroup;     /* threads that exchange values */
  uint32_t block_limit;  /* threads of a block */
  uint64_t shared_limit; /* bytes of shared memory of a block */
  uint64_t grid_limit[3];
  uint64_t memory_bytes; /* 0: the host's */
} hd_device_info;

typedef struct hd_driver_config {
  hd_pool *pool;                 /* lent for the driver's life */
  const hd_allocator *allocator; /* copied; null: the system's */
  const char *cache_dir;         /* copied; where built images are kept; null: nowhere */
  uint32_t subgroup;             /* of emulators: threads of a subgroup; 0: 32 */
  const char *choice;            /* what follows the ':' of another's name; null: nothing */
} hd_driver_config;

/* A kernel over [0, extent). Borrowed during the call. */
typedef struct hd_launch {
  hd_kernel_fn kernel;
  const uint64_t *words;
  int64_t word_count;
  int64_t extent, grain;
  hd_pool_call *call; /* may be null */
  bool serial;        /* on the calling thread alone */
  hd_trace *trace;    /* not null: record spans called |name| with |source|, both interned in it */
  const char *name, *source;
} hd_launch;

/* A grid of blocks of a kernel of an image. Borrowed during the call, but |stopped| and |user|, which stay until a wait
 * for the stream, and |trace|, |name| and |source|, which stay as long as the image. */
typedef struct hd_grid_launch {
  hd_device_image *image;
  uint32_t kernel; /* as hd_device_kernel_find says */
  uint32_t grid[3], block[3];
  uint32_t shared_bytes; /* dynamic */
  const uint64_t *words;
  const struct hd_artifact_word *word_rows; /* of each (artifact.h) */
  uint32_t word_count;
  bool serial;                       /* work of a device that is the host stays on the calling thread */
  bool (*stopped)(const void *user); /* true ends the launch; null: nothing does */
  const void *user;
  hd_kernel_counters *counters; /* added to by drivers that count; may be null */
  hd_trace *trace;              /* as of hd_launch */
  const char *name, *source;
} hd_grid_launch;

/* A product as ral_dot_general has it, of memory of the device. Borrowed during the call. */
typedef struct hd_device_product {
  hd_product_types types;
  const hd_dot_dim *dims;
  int32_t dim_count;
  const void *lhs, *rhs; /* element 0; null where it is only asked for */
  void *out;
} hd_device_product;

/* Its windows follow |descriptor|, as in ral_convolution. */
typedef struct hd_device_convolution {
  hd_product_types types;
  const hd_conv_descriptor *descriptor;
  const void *input, *kernel; /* element 0; null where it is only asked for */
  void *out;
} hd_device_convolution;

typedef struct hd_driver_vtable {
  const char *name;
  uint32_t caps;
  const char *images; /* the driver for which the images that it takes are made; null: itself */
  void (*destroy)(hd_driver *driver);
  /* allocator.c; the next three may be null: the system's memory, and, where the host may use its memory, not asked */
  hd_status (*allocate_host)(hd_driver *driver, size_t bytes, void **out_data);
  void (*release_host)(hd_driver *driver, void *data, size_t bytes);
  bool (*owns)(hd_driver *driver, const void *data);
  hd_status (*allocate)(hd_driver *driver, size_t bytes, void **out_data);
  void (*release)(hd_driver *driver, void *data, size_t bytes);
  /* stream.c */
  hd_status (*stream_create)(hd_driver *driver, hd_stream **out_stream);
  void (*stream_destroy)(hd_driver *driver, hd_stream *stream);
  hd_status (*stream_wait)(hd_driver *driver, hd_stream *stream); /* until all its work is done */
  hd_status (*copy)(hd_driver *driver, hd_stream *stream, void *destination, const void *source, size_t bytes);
  hd_status (*fill)(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte, size_t bytes);
  /* Of memory that is given back: what it holds is nobody's from here on, and late uses show. Null: they do not. */
  hd_status (*poison)(hd_driver *driver, hd_stream *stream, void *data, size_t bytes);
  /* event.c */
  hd_status (*event_create)(hd_driver *driver, hd_device_event **out_event);
  void (*event_destroy)(hd_driver *driver, hd_device_event *event);
  hd_status (*event_record)(hd_driver *driver, hd_device_event *event, hd_stream *stream);
  hd_status (*event_wait)(hd_driver *driver, hd_device_event *event);                           /* the host waits */
  hd_status (*stream_wait_event)(hd_driver *driver, hd_stream *stream, hd_device_event *event); /* the stream waits */
  bool (*event_is_done)(hd_driver *driver, hd_device_event *event);
  /* launch.c */
  hd_status (*launch)(hd_driver *driver, hd_stream *stream, const hd_launch *launch);
  /* driver.c */
  void (*info)(hd_driver *driver, hd_device_info *out_info);
  /* Lines of hd_device_description.details; null: none. */
  void (*describe)(hd_driver *driver, char *out, size_t size);
  /* load.c; null where the driver loads none */
  hd_status (*image_load)(hd_driver *driver, const void *data, size_t size, hd_device_image **out_image);
  void (*image_unload)(hd_driver *driver, hd_device_image *image);
  hd_status (*kernel_find)(hd_driver *driver, hd_device_image *image, const char *symbol, uint32_t *out_kernel);
  hd_status (*launch_grid)(hd_driver *driver, hd_stream *stream, const hd_grid_launch *launch);
  /* products.c; null where the device has no library. May be asked often: answers are kept. */
  bool (*product_takes)(hd_driver *driver, const hd_device_product *product, size_t *out_workspace);
  hd_status (*product_run)(hd_driver *driver, hd_stream *stream, const hd_device_product *product, void *workspace,
                           size_t workspace_bytes);
  /* convolutions.c; the same of convolutions */
  bool (*convolution_takes)(hd_driver *driver, const hd_device_convolution *convolution, size_t *out_workspace);
  hd_status (*convolution_run)(hd_driver *driver, hd_stream *stream, const hd_device_convolution *convolution,
                               void *workspace, size_t workspace_bytes);
} hd_driver_vtable;

/* At the start of every driver's own struct. */
struct hd_driver {
  const hd_driver_vtable *vtable;
};

/* Opens the driver called |name|, of an emulator ("simt", "guarded") with the size of its subgroups too: "simt:16", of
 * cuda with a device's number and more ("cuda:1,graphs", drivers/cuda/cuda.h). NOT_FOUND names those that there are. */
hd_status hd_driver_open(const char *name, const hd_driver_config *config, hd_driver **out_driver) HD_MUST_USE;
void hd_driver_close(hd_driver *driver);
/* Names of all drivers, ended by null. */
const char *const *hd_driver_names(void);
/* OK for one of them, as it is written there; NOT_FOUND names them. */
hd_status hd_driver_check_name(const char *name) HD_MUST_USE;

/* Zeros where the driver says nothing. */
hd_device_info hd_driver_info(hd_driver *driver);

/* |bytes| of device memory aligned to 64, uninitialised; |bytes| 0 gives a pointer too. RESOURCE_EXHAUSTED when there
 * is none. */
hd_status hd_driver_allocate(hd_driver *driver, size_t bytes, void **out_data) HD_MUST_USE;
/* |bytes| as allocated; null data is allowed. No work that is queued uses it. */
void hd_driver_release(hd_driver *driver, void *data, size_t bytes);
/* The same of the host's memory, from which copies go the fastest way: pinned where the device has that. */
hd_status hd_driver_allocate_host(hd_driver *driver, size_t bytes, void **out_data) HD_MUST_USE;
void hd_driver_release_host(hd_driver *driver, void *data, size_t bytes);
/* Lies |data| in memory of the driver that the host may not use? False for any where it may. */
bool hd_driver_owns(hd_driver *driver, const void *data);
/* The driver for which the images that it takes are made. */
const char *hd_driver_images(const hd_driver *driver);
hd_status hd_stream_create(hd_driver *driver, hd_stream **out_stream) HD_MUST_USE;
void hd_stream_destroy(hd_driver *driver, hd_stream *stream);
hd_status hd_stream_wait(hd_driver *driver, hd_stream *stream) HD_MUST_USE;
/* Streams may be null in the wait and the next three: the driver's default one, of all threads. The ranges
 * must not overlap; each may be the device's or the host's. What comes from the host may change when the
 * call returns, unless it is memory of hd_driver_allocate_host, which stays as it is until a wait; what
 * goes to the host is there after a wait. */
hd_status hd_stream_copy(hd_driver *driver, hd_stream *stream, void *destination, const void *source,
                         size_t bytes) HD_MUST_USE;
hd_status hd_stream_fill(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte,
                         size_t bytes) HD_MUST_USE;
hd_status hd_stream_launch(hd_driver *driver, hd_stream *stream, const hd_launch *launch) HD_MUST_USE;
/* |data| is not needed after the call. UNIMPLEMENTED by a driver without images, DATA_LOSS or
 * FAILED_PRECONDITION for what it cannot take. */
hd_status hd_device_image_load(hd_driver *driver, const void *data, size_t size,
                               hd_device_image **out_image) HD_MUST_USE;
/* No kernel of it runs any more. */
void hd_device_image_unload(hd_driver *driver, hd_device_image *image);
/* The number of kernel |symbol|; NOT_FOUND. */
hd_status hd_device_kernel_find(hd_driver *driver, hd_device_image *image, const char *symbol,
                                uint32_t *out_kernel) HD_MUST_USE;
/* INVALID_ARGUMENT where the device's limits are exceeded, with figure and limit. An empty grid is nothing. */
hd_status hd_stream_launch_grid(hd_driver *driver, hd_stream *stream, const hd_grid_launch *launch) HD_MUST_USE;
/* Does a library of the device compute |product|, with |*out_workspace| bytes of its memory besides? */
bool hd_device_product_takes(hd_driver *driver, const hd_device_product *product, size_t *out_workspace);
/* One that it takes. A failure that is not the device's end makes it one that it does not take from then on.
 * FAILED_PRECONDITION where the library, asked again since, wants more than |workspace_bytes|; nothing was
 * done then, and it stays one that it takes. */
hd_status hd_stream_product(hd_driver *driver, hd_stream *stream, const hd_device_product *product, void *workspace,
                            size_t workspace_bytes) HD_MUST_USE;
bool hd_device_convolution_takes(hd_driver *driver, const hd_device_convolution *convolution, size_t *out_workspace);
hd_status hd_stream_convolution(hd_driver *driver, hd_stream *stream, const hd_device_convolution *convolution,
                                void *workspace, size_t workspace_bytes) HD_MUST_USE;
hd_status hd_device_event_create(hd_driver *driver, hd_device_event **out_event) HD_MUST_USE;
void hd_device_event_destroy(hd_driver *driver, hd_device_event *event);
hd_status hd_device_event_record(hd_driver *driver, hd_device_event *event, hd_stream *stream) HD_MUST_USE;
hd_status hd_device_event_wait(hd_driver *driver, hd_device_event *event) HD_MUST_USE;
hd_status hd_stream_wait_event(hd_driver *driver, hd_stream *stream, hd_device_event *event) HD_MUST_USE;
/* An event that was never recorded is done. */
bool hd_device_event_is_done(hd_driver *driver, hd_device_event *event);

#endif
