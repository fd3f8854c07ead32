/* SPDX-License-Identifier: Apache-2.0 */
/* The objects behind the PJRT C API (abi.h) and what its functions share.
 *
 * Every function of the table is a function hd_pjrt_NAME here that answers with a status, which api.c turns into an
 * error of the interface. Functions whose failure ends the framework's process (facts measured on jax 0.10.2: most
 * accessors) never fail. All objects may be used from many threads at once.
 *
 * Who keeps whom: a buffer and an executable keep their client; an execution keeps its executable, the values of its
 * inputs and the promises of its outputs. Devices, memories and the topology live in the client. */
#ifndef HD_FRONT_PJRT_PLUGIN_H_
#define HD_FRONT_PJRT_PLUGIN_H_

#include <pthread.h>
#include <stdatomic.h>

#include "abi.h"
#include "base/queue.h"
#include "base/status.h"
#include "heddle/cache.h"
#include "heddle/communicator.h"
#include "heddle/compile.h"
#include "heddle/runtime.h"
#include "promise.h"

/* ---- errors: a PJRT_Error is a status ------------------------------------------------------------------------------
 */

static inline PJRT_Error *hd_pjrt_error(hd_status status) { return (PJRT_Error *)status; }
static inline hd_status hd_pjrt_status(const PJRT_Error *error) { return (hd_status)(uintptr_t)error; }
/* An equal status that the caller owns. */
hd_status hd_pjrt_status_copy(hd_status status) HD_MUST_USE;
/* The status that a caller describes; INVALID_ARGUMENT when there is no such code of an error. */
hd_status hd_pjrt_given_error(PJRT_Error_Code code, const char *message, size_t size, hd_status *out) HD_MUST_USE;
#define hd_pjrt_out_of_memory() hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory")

/* ---- structs of callers that know less, or say nonsense -----------------------------------------------------------
 */

/* What is known of a caller's struct of |type|. */
typedef struct hd_pjrt_struct {
  const char *type;
  size_t size;   /* of all its fields now */
  size_t least;  /* without the fields up to here there is no call: what it makes could not be handed over */
  size_t narrow; /* where an older version ended with a field narrower than a pointer; 0: none did */
} hd_pjrt_struct;

/* The bytes of |given|, which starts with its struct_size, that a caller and we know. INVALID_ARGUMENT for fewer than
 * |least| and for a size that cuts a field: half of a pointer is no pointer. Fields as wide as a pointer start and end
 * at multiples of its size, so only narrower ones end elsewhere: at the end of a version of the struct. */
hd_status hd_pjrt_known_size(const hd_pjrt_struct *about, const void *given, size_t *out_size) HD_MUST_USE;
/* INVALID_ARGUMENT unless the caller knows all |size| bytes: of structs of which there has been one version. */
hd_status hd_pjrt_check_whole(const char *type, const void *given, size_t size) HD_MUST_USE;

/* ---- client, devices, memories (client.c) --------------------------------------------------------------------------
 */

struct PJRT_Memory {
  PJRT_Device *device;
  int id, kind_id;
  const char *kind;
  char text[48];
};

struct PJRT_DeviceDescription {
  int id;
  char kind[96];
  char text[32];
};

enum {
  HD_PJRT_MEMORIES = 3
}; /* device, pinned_host, unpinned_host: one memory of the CPU, the last two the host's where there is a device */

struct PJRT_Device {
  PJRT_DeviceDescription description;
  PJRT_Client *client;
  PJRT_Memory memories[HD_PJRT_MEMORIES];
  PJRT_Memory *memory_list[HD_PJRT_MEMORIES];
  hd_queue *queue; /* of its executions */
};

struct PJRT_TopologyDescription {
  atomic_int references;
  int device_count;
  PJRT_DeviceDescription *descriptions;
  PJRT_DeviceDescription **list;
};

/* How programs came to their code (specializations.c). */
typedef enum hd_pjrt_counter {
  HD_PJRT_COMPILED,    /* compiled as they were */
  HD_PJRT_GENERALIZED, /* compiled with unknown dims, for all programs of their shape class that fit */
  HD_PJRT_SHARED,      /* took code that was there: no compilation */
  HD_PJRT_CACHED,      /* came from the cache on disk */
  HD_PJRT_COUNTERS
} hd_pjrt_counter;

struct PJRT_Client {
  atomic_int references;
  PJRT_Client *next_client; /* profiler.c's list of all */
  hd_runtime *runtime;
  char *target;     /* HEDDLE_TARGET, what programs are compiled for; null: the CPU */
  bool is_device;   /* the devices have memory of their own */
  hd_cache *cache;  /* null: none */
  char *cache_path; /* null: none */
  int device_count;
  PJRT_Device *devices;
  PJRT_Device **device_list;
  PJRT_Memory **memory_list;
  PJRT_TopologyDescription *topology;
  hd_promise *gone;           /* the event of buffers that were deleted or donated */
  pthread_mutex_t launching;  /* held while an execution is queued on several devices, so all queues agree */
  pthread_mutex_t mutex;      /* of the two that follow */
  struct hd_pjrt_code *codes; /* all that are alive, not retained */
  struct hd_pjrt_specializations *specializations; /* programs by shape class */
  atomic_llong counters[HD_PJRT_COUNTERS];         /* by hd_pjrt_counter */
  bool generalize;                                 /* HEDDLE_GENERALIZE is not 0 */
  bool log;                                        /* HEDDLE_LOG: a line on standard error for each compilation */
};

PJRT_Client *hd_pjrt_client_retain(PJRT_Client *client);
void hd_pjrt_client_release(PJRT_Client *client);
/* Memory for a buffer in |memory|: the device's own, or, of its host memories, the host's. */
hd_status hd_pjrt_value_create(const PJRT_Memory *memory, hd_element_type type, int32_t rank, const int64_t *dims,
                               hd_buffer **out_value) HD_MUST_USE;
/* The device with |id|, or null. */
PJRT_Device *hd_pjrt_device(PJRT_Client *client, int64_t id);
/* The number of the kind called |name|; -1: there is none. */
int hd_pjrt_memory_kind(const char *name);

/* ---- element types (buffer.c) --------------------------------------------------------------------------------------
 */

hd_element_type hd_pjrt_element(PJRT_Buffer_Type type); /* HD_ELEMENT_INVALID where there is none */
PJRT_Buffer_Type hd_pjrt_buffer_type(hd_element_type type);

/* ---- buffers (buffer.c) --------------------------------------------------------------------------------------------
 */

struct PJRT_Buffer {
  PJRT_Client *client; /* retained */
  PJRT_Memory *memory;
  PJRT_Buffer_Type type;
  size_t rank;
  bool borrowed; /* the memory is the host's and must not be written */
  pthread_mutex_t mutex;
  hd_promise *promise; /* null once deleted or donated */
  int external;        /* references of other frameworks */
  hd_buffer *pinned;   /* what these hold, while there are any */
  int64_t dims[];      /* rank dims, then the same dims' numbers from minor to major */
};

/* How much the runtime takes, it says itself. */
enum { HD_PJRT_MAX_RANK = 999 };
/* What a caller says of a tensor is checked before anything is multiplied: then sizes in bytes of parts and of the
 * whole are 64-bit numbers. */
hd_status hd_pjrt_read_shape(PJRT_Buffer_Type type, size_t rank, const int64_t *dims,
                             hd_element_type *out_type) HD_MUST_USE;
/* The byte strides that |layout| gives a tensor, whose shape has been read; |*out_dense|: it is row major without gaps.
 * A null layout is just that. */
hd_status hd_pjrt_read_layout(const PJRT_Buffer_MemoryLayout *layout, size_t rank, const int64_t *dims,
                              hd_element_type type, int64_t *out_strides, bool *out_dense) HD_MUST_USE;
/* Of all elements. */
size_t hd_pjrt_dense_bytes(const PJRT_Buffer *buffer);

/* A buffer whose value |promise| (retained here) will give. */
hd_status hd_pjrt_buffer_make(PJRT_Memory *memory, PJRT_Buffer_Type type, size_t rank, const int64_t *dims,
                              hd_promise *promise, PJRT_Buffer **out) HD_MUST_USE;
/* The value of a new buffer is row major in |order|: dims from major to minor. Null: in that of its dims. */
void hd_pjrt_buffer_set_order(PJRT_Buffer *buffer, const int64_t *order);
/* The dim that is |k|th from the major one in memory. */
static inline int64_t hd_pjrt_buffer_dim_at(const PJRT_Buffer *buffer, size_t k) {
  return buffer->dims[2 * buffer->rank - 1 - k];
}
/* A promise that failed because its buffer was deleted or donated; null when memory is short. */
hd_promise *hd_pjrt_buffer_gone(void);
/* The promise, retained; INVALID_ARGUMENT when the buffer was deleted or donated. */
hd_status hd_pjrt_buffer_promise(PJRT_Buffer *buffer, hd_promise **out) HD_MUST_USE;
/* The same, and the buffer counts as deleted from now on. |*out_writable|: nobody else can see the memory. */
hd_status hd_pjrt_buffer_donate(PJRT_Buffer *buffer, hd_promise **out, bool *out_writable) HD_MUST_USE;
/* Gives a donated promise back, when the execution does not come about. Takes |promise|. */
void hd_pjrt_buffer_restore(PJRT_Buffer *buffer, hd_promise *promise);

/* ---- compile options (options.c) -----------------------------------------------------------------------------------
 */

enum { HD_PJRT_PASS_OPTIONS = 256 };

/* Options that make other code of one program. Keys of code are hashes of the bytes, of which none is padding. */
typedef struct hd_pjrt_code_options {
  hd_numerics numerics;
  bool library_products;                   /* of a device, also where it has kernels for them */
  bool exact_math;                         /* hd_compile_options.math */
  bool no_graph_passes;                    /* only what makes buffers of the graph: its ops stay as they are written */
  char pass_options[HD_PJRT_PASS_OPTIONS]; /* hd_compile_options.pass_options; "": none. NULs after its end */
} hd_pjrt_code_options;

typedef struct hd_pjrt_options {
  int64_t replicas, partitions;
  int64_t *device_ids;    /* replicas x partitions; malloc'ed; null: not given */
  int64_t device_ordinal; /* -1: not given */
  hd_pjrt_code_options code;
  bool alone;          /* compiled as it is, whatever code there is */
  double timeout_s;    /* of the compilation; 0: none */
  size_t memory_limit; /* of the compiler; 0: none */
  char *dump_to;       /* malloc'ed; null: nothing is dumped */
  int foreign;         /* options of XLA's own, without effect here */
} hd_pjrt_options;

/* Reads a serialised CompileOptionsProto; what is not named above is left out, but a named option that nobody knows is
 * an error that names it and those that are known. hd_pjrt_options_free is due in any case. */
hd_status hd_pjrt_options_read(const char *bytes, size_t size, hd_pjrt_options *out) HD_MUST_USE;
void hd_pjrt_options_free(hd_pjrt_options *options);
/* The DeviceAssignmentProto for |options|, malloc'ed. */
char *hd_pjrt_assignment_write(const hd_pjrt_options *options, size_t *out_size);

/* ---- programs and executables (program.c, executable.c) ------------------------------------------------------------
 */

/* Compiled code: an artifact and what was loaded of it, shared by all programs that it stands for. */
typedef struct hd_pjrt_code {
  struct hd_pjrt_code *next; /* in the client's list */
  int references;            /* under the client's lock */
  uint8_t key[16];           /* of the artifact, in the cache too */
  hd_executable *executable;
  void *artifact; /* malloc'ed */
  size_t artifact_size;
  bool calls_out;          /* functions of the process: callbacks, custom calls */
  bool copies;             /* results are inputs, and nothing else happens */
  atomic_llong last_ns;    /* of the last run; 0: none */
  atomic_llong temp_bytes; /* most bytes that a run took for itself */
} hd_pjrt_code;

/* How code that fits many programs is one of them: the dims of its inputs, rank after rank (null: as the code has
 * them), and what the last |lifted_count| of them are, which the program has as constants. Freed by hd_pjrt_fit_free.
 */
typedef struct hd_pjrt_fit {
  int64_t *dims; /* malloc'ed */
  size_t dim_count, lifted_count;
  char *lifted; /* the bytes of their elements, one after the other; malloc'ed */
  size_t lifted_size;
} hd_pjrt_fit;

/* A program as a framework knows it: its code with the dims that it has there. */
typedef struct hd_pjrt_program {
  atomic_int references;
  PJRT_Client *client; /* retained */
  hd_pjrt_code *code;  /* retained */
  char *source;        /* the program as it was given; malloc'ed, may be null */
  size_t source_size;
  char *options; /* the compile options as they were given */
  size_t options_size;
  hd_pjrt_options parsed;
  char fingerprint[33];
  int32_t input_count, output_count;
  hd_pjrt_fit fit;
  hd_buffer **lifted; /* the code's further inputs, |fit.lifted_count| */
  int64_t *
      *input_dims; /* of all inputs of the code, HD_DIM_UNKNOWN where the program leaves them open; one allocation */
  PJRT_Buffer_Type *output_types;
  int64_t *output_dims; /* of all outputs */
  size_t *output_ranks;
  bool dynamic;             /* some dim of an output is not known before the call */
  bool *donatable;          /* per input */
  uint8_t *output_memories; /* per output, the number of its kind */
  int64_t **input_orders,
      **output_orders; /* as hd_pjrt_places has them; |output_dims| are the caller's, |input_dims| the code's */
  const char **memory_kinds;
  size_t *memory_kind_sizes;
  PJRT_Layouts_MemoryLayout **layouts, **input_layouts;
  PJRT_NamedValue *properties;
  pthread_mutex_t costing; /* |properties| are made when first asked for */
  size_t property_count;
  int64_t input_bytes, output_bytes, alias_bytes;
  PJRT_Bytes *assignment; /* the DeviceAssignmentProto */
  PJRT_Device **devices;  /* by rank: replica * partitions + partition */
  size_t device_count;
} hd_pjrt_program;

/* A reference to a program is all that an executable is: giving one out never fails. */
static inline hd_pjrt_program *hd_pjrt_program_of(const PJRT_Executable *executable) {
  return (hd_pjrt_program *)(uintptr_t)executable;
}

struct PJRT_LoadedExecutable {
  hd_pjrt_program *program;
  atomic_bool deleted;
};

hd_status hd_pjrt_program_compile(PJRT_Client *client, const PJRT_Program *given, const char *options,
                                  size_t options_size, hd_pjrt_program **out) HD_MUST_USE;
/* |bytes|: what hd_pjrt_program_serialise wrote. |options| may be null: those of the compilation. */
hd_status hd_pjrt_program_load(PJRT_Client *client, const char *bytes, size_t size, const char *options,
                               size_t options_size, hd_pjrt_program **out) HD_MUST_USE;
/* Makes |properties|: what a program costs. Safe from any thread. */
hd_status hd_pjrt_program_properties(hd_pjrt_program *program) HD_MUST_USE;
hd_status hd_pjrt_program_serialise(const hd_pjrt_program *program, PJRT_Bytes **out) HD_MUST_USE;
hd_pjrt_program *hd_pjrt_program_retain(hd_pjrt_program *program);
void hd_pjrt_program_release(hd_pjrt_program *program);

/* ---- from programs to code (specializations.c) ------------------------------------------------------------------- */

struct hd_compiler;
/* The compiler, opened when first asked for; for the process. */
hd_status hd_pjrt_open_compiler(PJRT_Client *client, const struct hd_compiler **out) HD_MUST_USE;
/* The code for |given|, and how it fits. */
hd_status hd_pjrt_code_for(PJRT_Client *client, const PJRT_Program *given, const hd_pjrt_options *options,
                           const uint8_t key[16], hd_pjrt_code **out, hd_pjrt_fit *out_fit) HD_MUST_USE;
hd_status hd_pjrt_specializations_create(struct hd_pjrt_specializations **out) HD_MUST_USE;
void hd_pjrt_specializations_free(PJRT_Client *client);
/* |out|: HD_PJRT_COUNTERS numbers, summed over the clients that there are. Safe from any thread. */
HD_API void hd_pjrt_count(int64_t *out);

/* ---- code and its records on disk (code.c) ----------------------------------------------------------------------- */

/* The code of an artifact, loaded or found; |data| is copied. */
hd_status hd_pjrt_code_load(PJRT_Client *client, const uint8_t key[16], const void *data, size_t size,
                            hd_pjrt_code **out) HD_MUST_USE;
/* One more reference; the caller holds the client's lock. */
hd_pjrt_code *hd_pjrt_code_retain_locked(hd_pjrt_code *code);
void hd_pjrt_code_release(PJRT_Client *client, hd_pjrt_code *code);
void hd_pjrt_fit_free(hd_pjrt_fit *fit);
/* |bytes| that hd_pjrt_fit_write wrote, as |code| takes them; false when it cannot. */
bool hd_pjrt_fit_read(const void *bytes, size_t size, const hd_pjrt_code *code, hd_pjrt_fit *out);
/* Malloc'ed; null when memory is short. */
void *hd_pjrt_fit_write(const hd_pjrt_fit *fit, size_t *out_size);
/* Notes in the cache that the program |key| has |code|, which fits so. What cannot be written is not there the next
 * time. */
void hd_pjrt_record_write(PJRT_Client *client, const uint8_t key[16], const hd_pjrt_code *code, const hd_pjrt_fit *fit);
/* The code and fit of such a note; false when there is none that can be used. */
bool hd_pjrt_record_find(PJRT_Client *client, const uint8_t key[16], hd_pjrt_code **out, hd_pjrt_fit *out_fit);

/* ---- what programs are and say (rewrite.c) -------------------------------------------------------------------------
 */

/* The program that each device runs, of one that says in shardings how its tensors are on several; as MLIR text,
 * malloc'ed. UNIMPLEMENTED names the op that is not partitioned. */
hd_status hd_pjrt_partition(PJRT_Client *client, const PJRT_Program *given, char **out, size_t *out_size) HD_MUST_USE;
/* Replaces |*text|, MLIR of |*size| bytes, malloc'ed, by a form that frameworks read: of StableHLO's ops alone. */
hd_status hd_pjrt_to_stablehlo(PJRT_Client *client, char **text, size_t *size) HD_MUST_USE;
/* |program| with every argument and result row major, and saying how these are for the caller; as MLIR text, malloc'ed.
 * |*out| is null where there is nothing to do. */
hd_status hd_pjrt_lay_out(PJRT_Client *client, const char *program, size_t size, char **out,
                          size_t *out_size) HD_MUST_USE;

/* How the arguments and results of a program are for the caller. */
typedef struct hd_pjrt_places {
  int32_t input_count, output_count;
  uint8_t *kinds;                          /* per result, the number of its kind of memory */
  int64_t **input_orders, **output_orders; /* each malloc'ed: the dims from major to minor; null: row major */
} hd_pjrt_places;
/* What |program|, as hd_pjrt_lay_out leaves it, says of them; what it does not say is left alone. */
hd_status hd_pjrt_read_places(PJRT_Client *client, const char *program, size_t size,
                              hd_pjrt_places *places) HD_MUST_USE;

/* ---- bytes that are given out --------------------------------------------------------------------------------------
 */

struct PJRT_Bytes {
  size_t size;
  char data[];
};
/* |size| bytes, copied from |data| unless null; null when memory is short. */
PJRT_Bytes *hd_pjrt_bytes(const void *data, size_t size);
void hd_pjrt_bytes_free(PJRT_Bytes *bytes);

/* ---- layouts (layouts.c) -------------------------------------------------------------------------------------------
 */

extern PJRT_Layouts_Extension hd_pjrt_layouts_extension;
extern PJRT_Shardings_Extension hd_pjrt_shardings_extension;
/* Takes the extension out of the list: with several devices frameworks are to read shardings from the program. Called
 * before the first program is compiled on such a client. */
void hd_pjrt_shardings_withdraw(void);
/* A null-terminated list for tensors of |ranks| in |orders| (null: row major), also on failure. */
hd_status hd_pjrt_layouts_make(const size_t *ranks, int64_t *const *orders, int32_t count,
                               PJRT_Layouts_MemoryLayout ***out) HD_MUST_USE;
void hd_pjrt_layouts_free(PJRT_Layouts_MemoryLayout **list);

/* ---- typed custom calls (ffi.c) ------------------------------------------------------------------------------------
 */

extern PJRT_FFI_Extension hd_pjrt_ffi_extension;

/* ---- profiling (profiler.c) ----------------------------------------------------------------------------------------
 */

extern PJRT_Profiler_Extension hd_pjrt_profiler_extension;
/* Clients are profiled from their creation on while a session runs; one that ends keeps its events for it. */
void hd_pjrt_profiler_add(PJRT_Client *client);
void hd_pjrt_profiler_remove(PJRT_Client *client);
/* |visit| for each client between those two, which stays meanwhile. */
void hd_pjrt_each_client(void (*visit)(PJRT_Client *client, void *user), void *user);

/* ---- the functions of the table ------------------------------------------------------------------------------------
 */

#define SLOT(name, ...) hd_status hd_pjrt_##name(PJRT_##name##_Args *args) HD_MUST_USE;
#define NONE(name, instead)
#include "slots.def"

#endif
