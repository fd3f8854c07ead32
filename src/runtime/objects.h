/* SPDX-License-Identifier: Apache-2.0 */
/* The structs behind heddle/runtime.h, for src/runtime alone. */
#ifndef HD_RUNTIME_OBJECTS_H_
#define HD_RUNTIME_OBJECTS_H_

#include <pthread.h>
#include <stdatomic.h>

#include "base/fork.h"
#include "base/map.h"
#include "base/queue.h"
#include "base/status.h"
#include "heddle/runtime.h"
#include "runtime/artifact.h"
#include "runtime/constants.h"
#include "runtime/driver.h"
#include "runtime/loader.h"
#include "runtime/memory.h"
#include "runtime/ral.h"
#include "runtime/trace.h"
#include "runtime/work.h"

struct hd_runtime {
  atomic_int references;
  hd_pool *pool;
  hd_driver *driver;
  hd_memory *memory;
  bool counts;     /* what kernels do; read and written atomically */
  hd_works *works; /* null: the driver has no queues */
  hd_trace *trace;
  uint64_t cpu_features;
  int64_t stream_bytes; /* what a launch must move to store past the caches */
  hd_bounds *bounds;    /* of |memory| and of copies of constants; null: bounds are not checked */
  bool perf_map;
  /* Executions queued or under way. In a child that was forked meanwhile they hold locks and memory for ever, so there
   * the runtime executes nothing any more. */
  atomic_int executions;
  bool is_lost;
  hd_fork_guard guard;
  hd_queue *queue; /* of asynchronous executions (event.c) */
  hd_constants_list constants;
  hd_allocator host_allocator; /* of ral_host_alloc; null functions: the system's */
};

/* hd_memory_take of the runtime's memory. Where it is short, what goes on by
 * itself is waited for, since it holds some. */
hd_status hd_runtime_take(hd_runtime *runtime, size_t bytes, hd_work *work, void **out_data,
                          size_t *out_capacity) HD_MUST_USE;

struct hd_buffer {
  atomic_int references;
  hd_runtime *runtime; /* retained; null for wrapped memory without one */
  hd_element_type type;
  int32_t rank;
  int64_t elements;
  size_t bytes;
  char *data;    /* of element 0, where the driver or, of wrapped memory, the host has it */
  hd_work *work; /* that makes the elements; retained, set before anybody else sees the buffer. Null: they are there */
  /* Where the memory goes at the end: to the pool, to a function, or to the buffer that it is part of. */
  void *block;
  size_t capacity;
  void (*release)(void *user, void *data);
  void *user;
  hd_buffer *parent;
  int64_t *dims, *strides; /* after the struct */
};

/* A buffer over |data|, which the caller fills in ownership for; RESOURCE_EXHAUSTED when memory is short. |strides| may
 * be null. */
hd_status hd_buffer_make(hd_runtime *runtime, hd_element_type type, int32_t rank, const int64_t *dims,
                         const int64_t *strides, void *data, hd_buffer **out_buffer) HD_MUST_USE;
bool hd_buffer_is_dense(const hd_buffer *buffer);
/* Do |bytes| from |data| on, in the same memory, share any with the elements of |buffer|? */
bool hd_buffer_shares_memory(const hd_buffer *buffer, const void *data, size_t bytes);
/* hd_buffer_create of memory that |work| uses in its stream. */
hd_status hd_buffer_create_for(hd_runtime *runtime, hd_work *work, hd_element_type type, int32_t rank,
                               const int64_t *dims, hd_buffer **out_buffer) HD_MUST_USE;
/* May the host not use the buffer's memory? */
bool hd_buffer_is_on_device(const hd_buffer *buffer);
/* Copies the elements of |from|, strided or not, into dense |to|, which the runtime made, in the stream of
 * |work|. Null |work|: done when it returns. */
hd_status hd_buffer_copy_dense(hd_buffer *to, const hd_buffer *from, hd_work *work) HD_MUST_USE;
/* Bytes of a dense tensor; INVALID_ARGUMENT for negative dims and sizes beyond the address space. */
hd_status hd_tensor_size(hd_element_type type, int32_t rank, const int64_t *dims, int64_t *out_elements,
                         size_t *out_bytes) HD_MUST_USE;
/* Copies a strided tensor of |element_bytes| to dense row-major memory. */
void hd_copy_strided(void *destination, const void *source, size_t element_bytes, int32_t rank, const int64_t *dims,
                     const int64_t *strides);

/* A kernel of the image that is loaded. */
typedef struct hd_device_kernel {
  const hd_artifact_device_kernel *row;
  uint32_t number;           /* of the driver */
  const char *name, *source; /* interned in the runtime's trace */
  uint64_t launches;         /* counted, as the counters: by atomic additions */
  hd_kernel_counters counters;
} hd_device_kernel;

/* An artifact in memory, shared by the executables of its entries. */
typedef struct hd_loaded {
  atomic_int references;
  hd_runtime *runtime;
  void *bytes;
  size_t size;
  bool is_mapped;
  bool trust_constants;
  hd_arena arena;
  hd_artifact artifact;
  const hd_artifact_program *program; /* that of the runtime's driver */
  const hd_artifact_variant *variant;
  hd_code *code;
  hd_kernel_fn *kernels;
  hd_device_image *image;           /* for the runtime's driver; null: the program is for the CPU alone */
  hd_device_kernel *device_kernels; /* of the image */
  uint32_t device_kernel_count;
  hd_map device_kernels_by_name;               /* -> hd_device_kernel, on |arena|; only read once loaded */
  const char **kernel_names, **kernel_sources; /* interned in the runtime's trace */
  hd_constants_file *constants_file;           /* of external constants, null when there are none */
  const char *constants_path;                  /* of that file */
  hd_constant_slot **constants;                /* one per constant of the program: its own or the file's */
  hd_constant_slot *own_constants;             /* those in the artifact; zeros for external ones */
  _Atomic(void *) *guarded;                    /* copies of constants, made when asked for; null: none are made */
} hd_loaded;

/* Constant |index|, which is in range, compared with its hash unless it is trusted. Thread-safe. */
hd_status hd_loaded_constant(hd_loaded *loaded, uint32_t index, hd_constant_slot **out_slot) HD_MUST_USE;
/* What kernels read of it: the slot's own bytes, or where the runtime checks
 * bounds a copy between guards. Thread-safe. */
hd_status hd_loaded_constant_data(hd_loaded *loaded, uint32_t index, void **out_data) HD_MUST_USE;

typedef struct hd_packed {
  struct hd_packed *next;
  const void *data;
  uint64_t use;
  void *memory;
  size_t capacity;
} hd_packed;

enum { HD_PACKED_BUCKETS = 128 };

struct hd_executable {
  atomic_int references;
  hd_arena arena;
  hd_loaded *loaded;
  const hd_artifact_entry *entry;
  hd_entry_fn run;
  const char *trace_name;
  int64_t **input_dims, **output_dims; /* HD_DIM_UNKNOWN where symbolic */
  const char ***input_texts, ***output_texts;
  pthread_rwlock_t lock; /* executions hold it shared, binding exclusively */
  hd_buffer **bound;     /* per input, null where not */
  int32_t bound_count;
  hd_fork_mutex packing;
  hd_packed *packed[HD_PACKED_BUCKETS];
  atomic_llong last_grains; /* of the last run, to wake threads in time */
};

/* Checks dims and constraints of |entry| and gives its symbols' values (|out_values| may be null when there are none).
 */
hd_status hd_check_shapes(const hd_artifact_entry *entry, const int64_t *const *input_dims,
                          int64_t *out_values) HD_MUST_USE;
/* |out_dims| of a tensor under |values|; HD_DIM_UNKNOWN where a dim has no program or a symbol it needs is unknown. */
hd_status hd_signature_dims(const hd_artifact_entry *entry, const hd_artifact_tensor *tensor, const int64_t *values,
                            int64_t *out_dims) HD_MUST_USE;
/* |message| with {k} replaced by values[k], in a malloc'ed string; null when memory is short. */
char *hd_format_message(const char *message, const int64_t *values, int64_t count);

/* A buffer that the program holds. */
typedef struct hd_live {
  char *data; /* null: free slot */
  size_t capacity;
  int32_t references;
  int32_t output; /* >= 0: the caller's memory for that output, not the pool's */
  bool host;      /* of the host allocator */
} hd_live;

enum { HD_LIVE_INLINE = 64 };

/* Memory of the device as the host sees it during a library call. */
typedef struct hd_host_view {
  char *device, *host;
  size_t bytes;
  int access; /* hd_host_access */
} hd_host_view;

struct hd_ral_context {
  hd_ral_head head; /* first: generated code reads it */
  hd_status error;
  hd_executable *executable;
  hd_runtime *runtime;
  hd_work *work;     /* null: the driver does work at once */
  hd_stream *stream; /* of it */
  const hd_execute_options *options;
  hd_buffer *const *inputs; /* bound ones filled in */
  hd_buffer **outputs;      /* what the program sent, or the caller set */
  bool *sent, *lent;        /* per output: sent; the caller's memory is with the program */
  const int64_t *symbols;
  const int32_t *event_cancel;
  int64_t deadline; /* 0: none */
  bool has_cancel;
  hd_pool_call call;
  hd_run_stats stats;
  hd_host_view *views; /* of the library call in progress */
  size_t view_count, view_room;
  bool goes_on;          /* its kernels may run after the execution's return */
  const char *described; /* what the library call in progress says of itself; interned in the runtime's trace */
  uint64_t random_calls; /* how often the run has asked for the number of its next rng */
  uint64_t bytes_live;
  hd_bounds_run written; /* beside its buffers, where the runtime checks bounds */
  hd_live *live;         /* open addressing by address */
  size_t live_count, live_room;
  hd_live live_inline[HD_LIVE_INLINE];
};

/* What the library call wrote on the host goes back to the device, and the copies go. */
void hd_ral_end_views(hd_ral_context *ctx);
/* Frees what was packed from |buffer|. The caller holds the lock exclusively. */
void hd_packed_forget(hd_executable *executable, const hd_buffer *buffer);

/* Gives back the memory of |gone|, which is no output's. */
void hd_live_release(hd_ral_context *ctx, const hd_live *gone);
hd_live *hd_live_find(hd_ral_context *ctx, const void *data);
bool hd_live_add(hd_ral_context *ctx, hd_live entry);
void hd_live_remove(hd_ral_context *ctx, hd_live *entry);

/* Takes the program of the artifact for the runtime's driver; FAILED_PRECONDITION where there is none. */
hd_status hd_loaded_choose(hd_loaded *loaded) HD_MUST_USE;
/* Loads the image for the runtime's driver, if the program has images: hd_loaded.image and its kernels. */
hd_status hd_loaded_device(hd_loaded *loaded) HD_MUST_USE;
/* Lies |buffer| in the memory of |runtime|'s driver? */
bool hd_buffer_is_of_driver(const hd_buffer *buffer, const hd_runtime *runtime);

/* Counts an execution on |runtime| from here to hd_execution_end. FAILED_PRECONDITION when the runtime is lost. */
hd_status hd_execution_begin(hd_runtime *runtime) HD_MUST_USE;
void hd_execution_end(hd_runtime *runtime);

/* Makes one call of a RAL API, with |args| as ral_api_call takes them, in a run of |executable| that has no inputs and
 * outputs: for tools that look at a call by itself. */
hd_status hd_ral_call_alone(hd_executable *executable, const char *name, void **args) HD_MUST_USE;

/* Runs one execution; |event_cancel| may be null. */
hd_status hd_execute_now(hd_executable *executable, const hd_execute_options *options, hd_buffer *const *inputs,
                         int32_t input_count, hd_buffer **outputs, int32_t output_count,
                         const int32_t *event_cancel) HD_MUST_USE;

#endif
