/* SPDX-License-Identifier: Apache-2.0 */
/* Running compiled programs: runtimes, executables, buffers, events. Needs no compiler and no LLVM.
 *
 * Ownership: *_create, *_load, *_wrap and execute give one reference to the caller, who releases it; accessors lend;
 * functions that keep an argument retain it themselves. Releasing null is allowed. Objects keep what they are on:
 * an executable its runtime, a buffer its memory.
 *
 * Null: a null pointer where no comment allows one is answered with INVALID_ARGUMENT, which names it, or, where there
 * is no status, with nothing: zero, false or null.
 *
 * Errors: a status, whose message is for people. On failure, out-parameters are null or zero.
 *
 * Thread-safety: all objects may be used from many threads at once, unless a function says otherwise.
 *
 * Floating point: code runs rounding to nearest, with subnormals and without traps, whatever the caller's thread is set
 * to; the setting is there again afterwards. Functions of the embedder that it calls see the former.
 *
 * Processes: a child that was forked while no function of this library ran and no execution was under way has all
 * objects as they were and may do everything with them, and so may its parent; threads are started anew in it (the
 * embedder's pool is the embedder's matter, and the ranks of hd_communicator_create_local stay with the parent). Where
 * executions were under way or queued, they go on in the parent alone: in the child their events are done and ABORTED,
 * what they hold is not freed, and executing on their runtime is FAILED_PRECONDITION; releasing it, and making another
 * one, are right.
 *
 * Structs with a |struct_size| are extended at their end: set it to sizeof the struct, zero the rest; HD_INIT does. One
 * that no version of the struct has (0 too) is INVALID_ARGUMENT. */
#ifndef HEDDLE_RUNTIME_H_
#define HEDDLE_RUNTIME_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/cpu.h"
#include "heddle/element.h"
#include "heddle/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_runtime hd_runtime;       /* a device with its memory pool, its threads and its profile */
typedef struct hd_executable hd_executable; /* one entry of a loaded artifact */
typedef struct hd_buffer hd_buffer;         /* a typed, shaped piece of memory */
typedef struct hd_event hd_event;           /* the end of an asynchronous execution */

/* A dim that is not known (before a run, or without the values of its symbols). */
#define HD_DIM_UNKNOWN INT64_MIN

#define HD_INIT(type) {.struct_size = sizeof(type)}

/* ---- what an embedder may bring -------------------------------------------------------------------------------- */

/* Memory of the embedder. |alignment| is a power of two, at least 64. Called from any thread. allocate may return null.
 */
typedef struct hd_allocator {
  void *user;
  void *(*allocate)(void *user, size_t bytes, size_t alignment);
  void (*release)(void *user, void *data, size_t bytes);
} hd_allocator;

/* Threads of the embedder. run calls |body|(|argument|, i) once for each i in [0, |count|), on any threads at once, and
 * returns when all have returned. It may be called from several threads at once and from inside a body (then running
 * all on the caller is right). */
typedef struct hd_thread_pool {
  void *user;
  int32_t thread_count;
  void (*run)(void *user, int64_t count, void (*body)(void *argument, int64_t i), void *argument);
} hd_thread_pool;

/* ---- devices --------------------------------------------------------------------------------------------------- */

enum { HD_DRIVER_NAME = 16 };

/* What a driver (hd_runtime_options.driver) finds on this machine. */
typedef struct hd_device_description {
  char driver[HD_DRIVER_NAME];
  char name[96];         /* of the device, for people */
  uint32_t architecture; /* of the code that it takes, as 90 for sm_90; 0: such code is not told apart */
  uint64_t memory_bytes; /* 0: the host's */
  char details[2048];    /* lines for people: each device that the driver found, with its limits; "": nothing more */
} hd_device_description;

HD_API int32_t hd_driver_count(void);
/* Driver |i|: its name also where it finds no device, which is UNAVAILABLE or what else it says. OUT_OF_RANGE. */
HD_API hd_status hd_driver_describe(int32_t i, hd_device_description *out_device) HD_MUST_USE;

/* ---- runtime --------------------------------------------------------------------------------------------------- */

enum { HD_MAX_THREADS = 1024 };

typedef struct hd_runtime_options {
  size_t struct_size;
  int32_t threads;                   /* caller included, at most HD_MAX_THREADS; 0: hd_cpu_count() */
  size_t memory_limit;               /* bytes of buffers alive at once, pooled ones included; 0: none */
  const hd_allocator *allocator;     /* copied; null: the system's */
  const hd_thread_pool *thread_pool; /* copied; null: an own pool of |threads| */
  uint64_t cpu_features;             /* features that variants may use; 0: all of this machine */
  bool profile;                      /* record a timeline from the start */
  bool perf_map;                     /* write /tmp/perf-PID.map for Linux perf */
  /* "cpu" (null too), "simt", "cuda", "opencl", "guarded", "null"; see hd_driver_describe. Of simt and guarded with the
   * threads of a subgroup too: "simt:16". Of cuda, with commas between: the number that CUDA gives a device, "cuda:1",
   * else the first;
   * "cuda:graphs": launches go out as graphs of CUDA's; "cuda:marks": the device says after every launch that it is
   * done, which costs time between kernels and names one that fails among those of a run. */
  const char *driver;
  int64_t stream_bytes;               /* a kernel that moves more stores past the caches; 0: hd_cpu_stream_bytes() */
  const hd_allocator *host_allocator; /* copied; of the buffers that a program for a device keeps on the host, where its
                                         allocation is routed through the context; null: the system's */
  bool check_bounds;                  /* buffers are between guards, which are looked at after every launch, copy and
                                         library call: slow, for tests; on in builds for AddressSanitizer. Of driver
                                         "cpu" without an allocator */
  const char *cache_dir;              /* copied; where what a device makes of its images is kept for other processes, as
                                         hd_compile_options.cache_dir; null: nowhere */
} hd_runtime_options;

/* |options| may be null. Threads start with the first parallel work. */
HD_API hd_status hd_runtime_create(const hd_runtime_options *options, hd_runtime **out_runtime) HD_MUST_USE;
HD_API hd_runtime *hd_runtime_retain(hd_runtime *runtime);
HD_API void hd_runtime_release(hd_runtime *runtime);
HD_API int32_t hd_runtime_threads(const hd_runtime *runtime);

typedef struct hd_memory_stats {
  uint64_t bytes_live;         /* in buffers that someone holds */
  uint64_t bytes_peak;         /* the most that bytes_live has been */
  uint64_t bytes_pooled;       /* kept for reuse */
  uint64_t allocations;        /* buffers given out so far */
  uint64_t system_allocations; /* of those, how many the pool could not serve */
} hd_memory_stats;
HD_API hd_memory_stats hd_runtime_memory(const hd_runtime *runtime);
/* Gives pooled memory back to the system. */
HD_API void hd_runtime_trim(hd_runtime *runtime);

/* The timeline: one event per execution, kernel launch, part of it that a thread took, and library call; a kernel with
 * its source ops, a product or convolution with its sizes and the source ops on its tiles. Costs a load and a branch
 * when off. */
HD_API void hd_runtime_profile(hd_runtime *runtime, bool on);
/* The timeline so far as Chrome trace JSON, which Perfetto opens; malloc'ed, NUL-terminated, free() it. */
HD_API hd_status hd_runtime_profile_json(hd_runtime *runtime, char **out_json, size_t *out_size) HD_MUST_USE;
typedef struct hd_profile_span {
  const char *category; /* "execute", "launch" (of a kernel), "kernel" (a thread's part of it), "library", "copy" */
  const char *name, *detail;
  int64_t items;            /* elements or bytes; -1: not known */
  int64_t start_ns, end_ns; /* of the monotonic clock */
  int64_t thread;           /* of the system */
  int32_t worker;           /* 0: a caller's thread */
} hd_profile_span;
/* Calls |visit| with each event of the timeline and forgets them. |visit| must not use the runtime. */
HD_API void hd_runtime_profile_take(hd_runtime *runtime, void (*visit)(void *user, const hd_profile_span *span),
                                    void *user);

/* What a kernel of a device did, over all its launches while its runtime counted. */
enum { HD_KERNEL_CLASSES = 9 };
typedef struct hd_kernel_counters {
  /* Of warps: moves, of integers, of floats, conversions, of memory, atomic, barriers, shuffles, control. */
  uint64_t instructions[HD_KERNEL_CLASSES];
  uint64_t lanes; /* active ones, over all instructions of warps */
  uint64_t branches, divergent_branches;
  uint64_t global_requests, global_sectors, global_bytes; /* sectors of 32 bytes that requests of warps touch */
  uint64_t shared_requests, bank_conflicts;               /* rounds beyond the first, of 32 banks of 4 bytes */
  uint64_t shuffles, atomics, barriers;                   /* of warps; barriers of blocks */
} hd_kernel_counters;
/* From here on, or not. UNIMPLEMENTED where the driver counts nothing ("simt" does); runs are several times slower. */
HD_API hd_status hd_runtime_count_kernels(hd_runtime *runtime, bool on) HD_MUST_USE;

/* ---- buffers --------------------------------------------------------------------------------------------------- */

/* Uninitialised memory for |rank| dims, dense row major, 64-byte aligned, from the runtime's pool. */
HD_API hd_status hd_buffer_create(hd_runtime *runtime, hd_element_type type, int32_t rank, const int64_t *dims,
                                  hd_buffer **out_buffer) HD_MUST_USE;
/* The caller's memory at |data|, which must be at a multiple of the element's size (of a complex element's parts),
 * else INVALID_ARGUMENT: it is never copied here. |strides| in elements, null: dense row major. Calls |release|(user,
 * data), if not null, when the last reference goes, and not when this fails. The memory must stay until then, and
 * unchanged while an execution reads it. */
HD_API hd_status hd_buffer_wrap(hd_runtime *runtime, hd_element_type type, int32_t rank, const int64_t *dims,
                                const int64_t *strides, void *data, void (*release)(void *user, void *data), void *user,
                                hd_buffer **out_buffer) HD_MUST_USE;
HD_API hd_buffer *hd_buffer_retain(hd_buffer *buffer);
HD_API void hd_buffer_release(hd_buffer *buffer);
HD_API hd_element_type hd_buffer_type(const hd_buffer *buffer);
HD_API int32_t hd_buffer_rank(const hd_buffer *buffer);
HD_API const int64_t *hd_buffer_dims(const hd_buffer *buffer);
HD_API const int64_t *hd_buffer_strides(const hd_buffer *buffer); /* in elements */
HD_API int64_t hd_buffer_elements(const hd_buffer *buffer);
HD_API size_t hd_buffer_bytes(const hd_buffer *buffer); /* of all elements */
/* Of element 0. Null on a device whose memory the host cannot use (hd_runtime_options.driver): read and write copy.
 * Where an execution went on after its return (hd_execute_options.results_later), hd_buffer_wait comes first. */
HD_API void *hd_buffer_data(const hd_buffer *buffer);
/* Of element 0 in the device's memory, as functions of heddle/ral.h take it; null for the host's. */
HD_API void *hd_buffer_device_data(const hd_buffer *buffer);
/* All elements, dense row major, to and from the host's memory: |bytes| is hd_buffer_bytes. Both wait for what makes or
 * uses them, and are done when they return; read gives the failure of the execution that should have made them. The
 * buffer that is written must be dense, and no execution of another thread uses it. The memory may share bytes with
 * that of a dense buffer; with one that has strides it is INVALID_ARGUMENT. */
HD_API hd_status hd_buffer_read(hd_buffer *buffer, void *to, size_t bytes) HD_MUST_USE;
HD_API hd_status hd_buffer_write(hd_buffer *buffer, const void *from, size_t bytes) HD_MUST_USE;
/* Until the elements are there; the failure of the execution that should have made them, a new status each time. */
HD_API hd_status hd_buffer_wait(hd_buffer *buffer) HD_MUST_USE;

/* ---- executables ----------------------------------------------------------------------------------------------- */

typedef struct hd_load_options {
  size_t struct_size;
  const char *entry;     /* null: "main", else the only one, else an error that names them */
  bool trust_constants;  /* do not compare the bytes of constants with their hashes */
  const char *constants; /* the file of constants that are not in the artifact; null: the one that it names, relative to
                            its own folder */
} hd_load_options;

/* Do |size| bytes of |data| (null: no) begin as an artifact does? Whether they are one, loading tells. */
HD_API bool hd_artifact_is(const void *data, size_t size);

/* What an artifact was compiled for, in the order in which it is taken: hd_executable_open. */
enum { HD_ARTIFACT_TARGETS = 8, HD_ARTIFACT_TARGET_NAME = 96 };
typedef struct hd_artifact_target_list {
  int32_t count;
  struct {
    char name[HD_ARTIFACT_TARGET_NAME]; /* as it was written: "cuda:80,90" */
    char driver[HD_DRIVER_NAME];        /* that runs it */
  } targets[HD_ARTIFACT_TARGETS];
} hd_artifact_target_list;
/* |target|: of those that it names, "cuda" or "cuda:80+cpu", alone (INVALID_ARGUMENT for one that the artifact has
 * not); null: all. */
HD_API hd_status hd_artifact_targets(const void *data, size_t size, const char *target,
                                     hd_artifact_target_list *out_list) HD_MUST_USE;

/* A runtime, as |runtime_options| (may be null) say, and an executable of the artifact on it: of the first target for
 * which this machine has a device that takes the code. |target| as of hd_artifact_targets. A driver in the options is
 * taken as it is; it runs one of the targets that |target| names (INVALID_ARGUMENT). Where
 * none can be used FAILED_PRECONDITION says of each why. Both are the caller's. */
HD_API hd_status hd_executable_open(const hd_runtime_options *runtime_options, const char *target, const void *data,
                                    size_t size, const hd_load_options *options, hd_runtime **out_runtime,
                                    hd_executable **out_executable) HD_MUST_USE;
HD_API hd_status hd_executable_open_file(const hd_runtime_options *runtime_options, const char *target,
                                         const char *path, const hd_load_options *options, hd_runtime **out_runtime,
                                         hd_executable **out_executable) HD_MUST_USE;

/* Loads an artifact from memory, of its targets the one for the runtime's driver; |data| is copied. |options| may be
 * null. */
HD_API hd_status hd_executable_load(hd_runtime *runtime, const void *data, size_t size, const hd_load_options *options,
                                    hd_executable **out_executable) HD_MUST_USE;
/* The same from a file, which is mapped: constants are paged in on use. The file must not change while loaded.
 * A constants file (heddle/constants.h) that the artifact names is mapped too, once per runtime. Loading fails when it
 * is missing or damaged (NOT_FOUND, DATA_LOSS) or has a constant not at all (NOT_FOUND) or with another type
 * (DATA_LOSS); the content of a constant is compared with its hash before its first use, and the run fails (DATA_LOSS)
 * where it differs. All name file and constant. */
HD_API hd_status hd_executable_load_file(hd_runtime *runtime, const char *path, const hd_load_options *options,
                                         hd_executable **out_executable) HD_MUST_USE;
/* Another entry of the same artifact; code and constants are shared. */
HD_API hd_status hd_executable_other_entry(hd_executable *executable, const char *entry,
                                           hd_executable **out_executable) HD_MUST_USE;
HD_API hd_executable *hd_executable_retain(hd_executable *executable);
HD_API void hd_executable_release(hd_executable *executable);

typedef struct hd_tensor_info {
  const char *name; /* may be "" */
  hd_element_type type;
  int32_t rank;
  const int64_t *dims;          /* HD_DIM_UNKNOWN where symbolic */
  const char *const *dim_texts; /* "4", "b", "2*n+1"; "?" when only the run can tell */
  int32_t alias; /* outputs: the input that may be donated to it; inputs: themselves, if given up; or -1 */
} hd_tensor_info;

/* All that these return lives as long as |executable|. Indices must be in range (else null or zeros). */
HD_API const char *hd_executable_name(const hd_executable *executable);
HD_API const char *hd_executable_module(const hd_executable *executable);   /* the program's name, else its file's */
HD_API const char *hd_executable_target(const hd_executable *executable);   /* of the variant that was taken */
HD_API const char *hd_executable_driver(const hd_executable *executable);   /* that its runtime has */
HD_API const char *hd_executable_metadata(const hd_executable *executable); /* hd_compile_options.metadata */
HD_API int32_t hd_executable_entry_count(const hd_executable *executable);
HD_API const char *hd_executable_entry_name(const hd_executable *executable, int32_t i);
HD_API int32_t hd_executable_input_count(const hd_executable *executable);
HD_API int32_t hd_executable_output_count(const hd_executable *executable);
HD_API hd_tensor_info hd_executable_input(const hd_executable *executable, int32_t i);
HD_API hd_tensor_info hd_executable_output(const hd_executable *executable, int32_t i);
HD_API int32_t hd_executable_symbol_count(const hd_executable *executable);
HD_API const char *hd_executable_symbol_name(const hd_executable *executable, int32_t i);
HD_API int32_t hd_executable_kernel_count(const hd_executable *executable);
HD_API const char *hd_executable_kernel_name(const hd_executable *executable, int32_t i);
HD_API const char *hd_executable_kernel_source(const hd_executable *executable, int32_t i);
#define HD_KERNEL_NOT_KNOWN UINT32_MAX
typedef struct hd_kernel_report {
  const char *name, *source;              /* the executable's */
  uint32_t block[3];                      /* threads; zeros: any */
  uint32_t shared_static, shared_dynamic; /* bytes of shared memory of a block; what a launch may add */
  uint32_t registers, spill_bytes;        /* of a thread, as ptxas said of any image of it; or HD_KERNEL_NOT_KNOWN */
  uint64_t launches;                      /* that were counted (hd_runtime_count_kernels) */
  hd_kernel_counters counters;
} hd_kernel_report;
/* Of kernel |i| of the device; INVALID_ARGUMENT for one of the CPU. While nothing runs. */
HD_API hd_status hd_executable_kernel_report(const hd_executable *executable, int32_t i,
                                             hd_kernel_report *out_report) HD_MUST_USE;
HD_API int32_t hd_executable_call_count(const hd_executable *executable); /* distinct RAL APIs */
HD_API const char *hd_executable_call_name(const hd_executable *executable, int32_t i);

/* The dims of input |i| when the symbols have |values| (symbol_count of them; HD_DIM_UNKNOWN leaves what depends on it
 * unknown): |out_dims| has its rank entries. */
HD_API hd_status hd_executable_input_dims(const hd_executable *executable, int32_t i, const int64_t *values,
                                          int64_t *out_dims) HD_MUST_USE;
/* The values of the symbols (|out_values|: symbol_count) for the given dims of all inputs; checks dims and constraints
 * as execute does: `argument 1: dim 0 is 5, but b is 4 by argument 0`. */
HD_API hd_status hd_executable_symbol_values(const hd_executable *executable, const int64_t *const *input_dims,
                                             int64_t *out_values) HD_MUST_USE;
/* The dims of all outputs for the given dims of all inputs, before a run: |out_dims|[i] has the rank of output i
 * entries. HD_DIM_UNKNOWN where only the run can tell. Checks as symbol_values does. */
HD_API hd_status hd_executable_output_shapes(const hd_executable *executable, const int64_t *const *input_dims,
                                             int64_t *const *out_dims) HD_MUST_USE;

/* Promises that argument |i| is |buffer| in every execution from now on: it is packed ahead where that helps. Keeps
 * |buffer|, whose contents must not change. Executions pass null for it. Null unbinds. Not while an execution of this
 * executable runs (FAILED_PRECONDITION). */
HD_API hd_status hd_executable_bind(hd_executable *executable, int32_t i, hd_buffer *buffer) HD_MUST_USE;

/* ---- execution ------------------------------------------------------------------------------------------------- */

typedef struct hd_run_stats {
  int64_t launches;      /* kernels started */
  int64_t library_calls; /* calls of libraries (gemm, convolution, ...) */
  int64_t allocations;   /* buffers that the program took */
  int64_t copies;        /* explicit copies, those of outputs included */
  uint64_t bytes_peak;   /* most bytes of such buffers alive at once */
  int64_t nanoseconds;   /* wall time of the run */
} hd_run_stats;

typedef struct hd_execute_options {
  size_t struct_size;
  int64_t
      /* from the start of the run; 0: none. Looked at before each launch and between pieces of it: DEADLINE_EXCEEDED */
      timeout_ns;
  size_t memory_limit;            /* bytes of the program's own buffers alive at once; 0: none. RESOURCE_EXHAUSTED */
  const volatile int32_t *cancel; /* not zero: stop at the next launch, CANCELLED. May be null */
  const bool *donated;            /* per input: the program may overwrite it. May be null: none */
  bool serial;                    /* use the calling thread alone */
  void (*print)(void *user, const char *text); /* what the program prints; null: dropped */
  void *print_user;
  hd_run_stats *out_stats;              /* may be null */
  struct hd_communicator *communicator; /* heddle/communicator.h: this execution's rank; null: the only process */
  const struct hd_feeds *feeds;         /* infeed and outfeed of the program; null: it has none */
  bool results_later; /* on a device with queues: return when all work is queued. Results carry its end: reading them,
                         waiting for them and other executions heed it, and releasing one waits. A kernel's failure
                         comes out of the former two; kernels are not stopped by |timeout_ns| and |cancel|. Where the
                         caller set outputs, or there are none, the execution waits as ever */
} hd_execute_options;

/* Runs the program. |inputs| in the order of the signature, null for bound ones. |outputs|: where an entry is null the
 * runtime makes the buffer; where the caller set a buffer (of the right type and dims, see output_shapes; dense) the
 * result is written there and the entry stays. On failure, entries that were null are null again; the contents of
 * caller-set ones are undefined. A buffer may be several inputs. An output in the memory of an input, donated or not,
 * is right too and costs a copy at the end; outputs that overlap each other are refused. */
HD_API hd_status hd_executable_execute(hd_executable *executable, const hd_execute_options *options,
                                       hd_buffer *const *inputs, int32_t input_count, hd_buffer **outputs,
                                       int32_t output_count) HD_MUST_USE;
/* The same in the background, executions of one runtime in the order of the calls. Inputs (and caller-set outputs) are
 * retained until the end; |outputs| must stay and may be read after the event; options are copied, what they point to
 * must stay. */
HD_API hd_status hd_executable_execute_async(hd_executable *executable, const hd_execute_options *options,
                                             hd_buffer *const *inputs, int32_t input_count, hd_buffer **outputs,
                                             int32_t output_count, hd_event **out_event) HD_MUST_USE;

HD_API hd_event *hd_event_retain(hd_event *event);
HD_API void hd_event_release(hd_event *event);
HD_API bool hd_event_is_done(const hd_event *event);
/* Waits, then gives the outcome (a new status each time). |timeout_ns| < 0: for ever; when it passes:
 * DEADLINE_EXCEEDED. */
HD_API hd_status hd_event_wait(hd_event *event, int64_t timeout_ns) HD_MUST_USE;
/* Asks the execution to stop at its next launch; it ends CANCELLED. */
HD_API void hd_event_cancel(hd_event *event);
/* Calls |done| once when the event is done, on the thread that ended it, or now when it already is. A wait for the
 * event may return before |done| has. */
HD_API hd_status hd_event_on_done(hd_event *event, void (*done)(void *user), void *user) HD_MUST_USE;

/* ---- custom calls ---------------------------------------------------------------------------------------------- */

typedef struct hd_custom_tensor {
  hd_element_type type;
  int32_t rank;
  const int64_t *dims;
  void *data; /* in the layout that the program asked for, else dense row major; inputs must not be written */
} hd_custom_tensor;

typedef struct hd_custom_call {
  const hd_custom_tensor *inputs, *outputs;
  int32_t input_count, output_count;
  const uint8_t *attributes; /* the call's backend_config, see below; lives during the call */
  size_t attribute_bytes;
  hd_runtime *runtime;
} hd_custom_call;

/* The other ends of a program's infeed and outfeed ops, in the order of the program, each on the thread that runs it. A
 * null function: there is no such end, and an op that needs it fails. */
typedef struct hd_feeds {
  void *user;
  hd_status (*infeed)(void *user, const hd_custom_tensor *outputs, int32_t count); /* fills the outputs */
  hd_status (*outfeed)(void *user, const hd_custom_tensor *inputs, int32_t count); /* inputs must not be written */
} hd_feeds;

/* Attributes are a dictionary: u32 count, then for each name in alphabetical order u32 length, the name, u8 kind and
 *   HD_CUSTOM_ARRAY       u8 hd_element_type, u64 count, the elements
 *   HD_CUSTOM_DICTIONARY  a dictionary
 *   HD_CUSTOM_SCALAR      u8 hd_element_type, the element
 *   HD_CUSTOM_STRING      u64 length, the bytes
 * all little-endian and unaligned. A backend_config that is a string is the entry "" of that kind. */
enum { HD_CUSTOM_ARRAY = 1, HD_CUSTOM_DICTIONARY = 2, HD_CUSTOM_SCALAR = 3, HD_CUSTOM_STRING = 4 };

/* Called on the thread that runs the program, by several at once; fills the outputs. It must return: a C++ exception
 * does not find its way through the runtime. */
typedef hd_status (*hd_custom_call_fn)(void *user, const hd_custom_call *call);

/* What programs reach as `stablehlo.custom_call @target`, in every runtime of the process from now on; a later one of
 * the same name replaces it. |target| is copied. Null |fn| removes it. A program that calls a target without a function
 * fails with NOT_FOUND, which names it. */
HD_API hd_status hd_custom_call_register(const char *target, hd_custom_call_fn fn, void *user) HD_MUST_USE;

/* Does a program that calls |target| find a function? One that was registered, or the runtime's own: the routines of
 * LAPACK as JAX names them (lapack_sgeqrf_ffi, ...), on the system's library. */
HD_API bool hd_custom_call_registered(const char *target);

/* Calls the RAL API with encoded |name| (see src/runtime/ral_names.h) in the run |ctx|; an unknown name fails the run.
 * For embedders that write their own entries; generated code goes through its table. */
HD_API void ral_api_call(void *ctx, const char *name, void **args);

#ifdef __cplusplus
}
#endif
#endif
