/* SPDX-License-Identifier: Apache-2.0 */
/* The OpenCL driver: the first device of any platform that takes SPIR-V and has memory that pointers address, GPUs
 * first. Memory is Intel's unified device memory where there is such, else shared virtual memory. A queue is in order;
 * a null stream is the driver's own queue. */
#ifndef HD_RUNTIME_DRIVERS_OPENCL_OPENCL_H_
#define HD_RUNTIME_DRIVERS_OPENCL_OPENCL_H_

#include <pthread.h>

#include "base/hash128.h"
#include "heddle/cache.h"
#include "runtime/driver.h"
#include "runtime/drivers/opencl/api.h"
#include "runtime/drivers/simt/ranges.h"

/* Functions of cl_intel_unified_shared_memory; all null: the device has none. */
typedef struct hd_cl_unified {
  void *(*allocate)(cl_context, cl_device_id, const cl_ulong *, size_t, cl_uint, cl_int *);
  cl_int (*release)(cl_context, void *);
  cl_int (*argument)(cl_kernel, cl_uint, const void *);
  cl_int (*copy)(cl_queue, cl_uint, void *, const void *, size_t, cl_uint, const cl_event *, cl_event *);
  cl_int (*fill)(cl_queue, void *, const void *, size_t, size_t, cl_uint, const cl_event *, cl_event *);
} hd_cl_unified;

/* A device and what it says of itself. */
typedef struct hd_cl_device_info {
  cl_platform_id platform;
  cl_device_id id;
  char name[128], platform_name[64], driver_version[64];
  cl_ulong type, svm, single_config, double_config, local_bytes, global_bytes;
  size_t block_limit;
  hd_cl_unified unified; /* all of it, or none: some platforms list the extension and lack functions */
  bool takes_il, required_subgroups;
  bool subgroups_of_32, exchanges; /* values between lanes, by cl_intel_subgroups */
  bool atomics_64, halves, preserves_denormals;
} hd_cl_device_info;

/* A program, whose bytes are |key|. */
typedef struct hd_opencl_program {
  struct hd_opencl_program *next;
  hd_hash128 key;
  cl_program program; /* null: someone builds it, who is its user */
  uint32_t users;     /* kernels of images */
} hd_opencl_program;

/* The device as the process has opened it, once: contexts and programs are expensive, and are there for every driver
 * and image that comes later. Never closed. */
typedef struct hd_opencl_device {
  const hd_cl_api *cl;
  hd_cl_device_info info;
  cl_context context;
  pthread_mutex_t lock; /* of programs, the last used first; not held while one is built */
  pthread_cond_t built; /* one was, or failed */
  hd_opencl_program *programs;
  uint32_t unused; /* programs without users */
} hd_opencl_device;

typedef struct hd_opencl_driver {
  hd_driver base;
  hd_opencl_device *device;
  const hd_cl_api *cl;   /* the device's */
  hd_cache *cache;       /* of built programs; null: none */
  cl_queue queue;        /* of null streams */
  hd_simt_ranges ranges; /* what is allocated */
} hd_opencl_driver;

struct hd_stream {
  cl_queue queue;
};

static inline hd_opencl_driver *hd_opencl_of(hd_driver *driver) { return (hd_opencl_driver *)driver; }
static inline cl_queue hd_opencl_queue(hd_opencl_driver *driver, hd_stream *stream) {
  return stream ? stream->queue : driver->queue;
}

/* device.c: calls |visit| for every device of every platform; |refusal| is what
 * keeps the driver from it, null: nothing. */
typedef void hd_opencl_visit(void *user, const hd_cl_device_info *device, const char *refusal);
hd_status hd_opencl_each_device(const hd_cl_api *cl, hd_opencl_visit *visit, void *user,
                                uint32_t *out_platforms) HD_MUST_USE;
/* describe.c: a line for each of them, with limits and what it says of denormals and division. */
void hd_opencl_describe(hd_driver *driver, char *out, size_t size);
/* device.c: the process's device, opened by whoever asks first. Thread-safe. */
hd_status hd_opencl_open_device(hd_opencl_device **out_device) HD_MUST_USE;

/* A SPIR-V module of an image. */
typedef struct hd_opencl_module {
  const char *entry; /* the kernel's name, in the words; "": none */
  uint32_t *words;   /* what the device is to build */
  size_t count;      /* of them */
  size_t read;       /* words of the image that it is made from */
  bool by_lanes;     /* it counts on subgroups of 32 */
} hd_opencl_module;

/* requirements.c: the module that begins at |words|, of which |count| follow. |out_module|->words has room for as many.
 * FAILED_PRECONDITION names the device and what it lacks; DATA_LOSS for what is no SPIR-V. */
hd_status hd_opencl_read_module(const hd_cl_device_info *device, const uint32_t *words, size_t count,
                                hd_opencl_module *out_module) HD_MUST_USE;

/* programs.c: the program of |module|, built where neither the process nor the driver's cache has it; lent until given
 * back. Thread-safe: who asks for one that is being built waits for it, others build theirs at the same time. */
hd_status hd_opencl_program_take(hd_opencl_driver *driver, const hd_opencl_module *module,
                                 hd_opencl_program **out_program) HD_MUST_USE;
void hd_opencl_program_give(hd_opencl_driver *driver, hd_opencl_program *program);

hd_status hd_opencl_memory_allocate(hd_driver *driver, size_t bytes, void **out_data);
void hd_opencl_memory_release(hd_driver *driver, void *data, size_t bytes);
bool hd_opencl_owns(hd_driver *driver, const void *data);
hd_status hd_opencl_queue_create(hd_opencl_driver *driver, cl_queue *out_queue) HD_MUST_USE;
hd_status hd_opencl_stream_create(hd_driver *driver, hd_stream **out_stream);
void hd_opencl_stream_destroy(hd_driver *driver, hd_stream *stream);
hd_status hd_opencl_stream_wait(hd_driver *driver, hd_stream *stream);
hd_status hd_opencl_copy(hd_driver *driver, hd_stream *stream, void *destination, const void *source, size_t bytes);
hd_status hd_opencl_fill(hd_driver *driver, hd_stream *stream, void *destination, uint8_t byte, size_t bytes);
hd_status hd_opencl_event_create(hd_driver *driver, hd_device_event **out_event);
void hd_opencl_event_destroy(hd_driver *driver, hd_device_event *event);
hd_status hd_opencl_event_record(hd_driver *driver, hd_device_event *event, hd_stream *stream);
hd_status hd_opencl_event_wait(hd_driver *driver, hd_device_event *event);
hd_status hd_opencl_stream_wait_event(hd_driver *driver, hd_stream *stream, hd_device_event *event);
bool hd_opencl_event_is_done(hd_driver *driver, hd_device_event *event);
hd_status hd_opencl_launch_function(hd_driver *driver, hd_stream *stream, const hd_launch *launch);
hd_status hd_opencl_launch_grid(hd_driver *driver, hd_stream *stream, const hd_grid_launch *launch);
hd_status hd_opencl_image_load(hd_driver *driver, const void *data, size_t size, hd_device_image **out_image);
void hd_opencl_image_unload(hd_driver *driver, hd_device_image *image);
hd_status hd_opencl_kernel_find(hd_driver *driver, hd_device_image *image, const char *symbol, uint32_t *out_kernel);

/* A kernel of an image, built when it is first launched. Its object holds
 * arguments, so one thread uses it at a time. */
typedef struct hd_opencl_kernel {
  hd_opencl_module module;
  pthread_mutex_t lock;
  hd_opencl_program *program; /* null: not built yet */
  cl_kernel kernel;
} hd_opencl_kernel;

struct hd_device_image {
  uint32_t *words; /* of all modules */
  hd_opencl_kernel *kernels;
  uint32_t kernel_count;
};

/* load.c: |kernel|, built. The caller holds its lock. */
hd_status hd_opencl_kernel_built(hd_opencl_driver *driver, hd_opencl_kernel *kernel, cl_kernel *out_kernel) HD_MUST_USE;

#endif
