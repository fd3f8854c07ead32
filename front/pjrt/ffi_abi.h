/* SPDX-License-Identifier: Apache-2.0 */
/* The binary interface of typed custom calls: XLA's FFI C API as published with jaxlib 0.10.2 (xla/ffi/api/c_api.h,
 * version 0.3), declared in our own words. A handler is a function of one call frame; it reads arguments and attributes
 * from it, fills results, and calls back through the table |api|. */
#ifndef HD_FRONT_PJRT_FFI_ABI_H_
#define HD_FRONT_PJRT_FFI_ABI_H_

#include <stddef.h>
#include <stdint.h>

enum { HD_FFI_MAJOR = 0, HD_FFI_MINOR = 3 };
#define HD_FFI_CHECK(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)

/* What every struct of the interface starts with. */
#define HD_FFI_HEAD   \
  size_t struct_size; \
  void *extension_start;

typedef struct ffi_error ffi_error;     /* ours */
typedef struct ffi_future ffi_future;   /* ours */
typedef struct ffi_context ffi_context; /* ours: one call */

/* Numbers of element types. */
typedef enum ffi_type {
  FFI_INVALID = 0,
  FFI_PRED = 1,
  FFI_S8 = 2,
  FFI_S16 = 3,
  FFI_S32 = 4,
  FFI_S64 = 5,
  FFI_U8 = 6,
  FFI_U16 = 7,
  FFI_U32 = 8,
  FFI_U64 = 9,
  FFI_F16 = 10,
  FFI_F32 = 11,
  FFI_F64 = 12,
  FFI_C64 = 15,
  FFI_BF16 = 16,
  FFI_TOKEN = 17,
  FFI_C128 = 18,
  FFI_F8E5M2 = 19,
  FFI_F8E4M3FN = 20,
  FFI_S4 = 21,
  FFI_U4 = 22,
  FFI_F8E4M3B11FNUZ = 23,
  FFI_F8E5M2FNUZ = 24,
  FFI_F8E4M3FNUZ = 25,
  FFI_S2 = 26,
  FFI_U2 = 27,
  FFI_F8E4M3 = 28,
  FFI_F8E3M4 = 29,
  FFI_F4E2M1FN = 32,
  FFI_F8E8M0FNU = 33,
} ffi_type;

typedef struct ffi_buffer {
  HD_FFI_HEAD
  ffi_type type;
  void *data;
  int64_t rank;
  int64_t *dims;
} ffi_buffer;
HD_FFI_CHECK(ffi_buffer, 48);

typedef struct ffi_bytes {
  const char *data;
  size_t size;
} ffi_bytes;

typedef struct ffi_scalar {
  ffi_type type;
  void *value;
} ffi_scalar;

typedef struct ffi_array {
  ffi_type type;
  size_t count;
  void *data;
} ffi_array;

enum { FFI_ARG_BUFFER = 1 };
enum { FFI_ATTR_ARRAY = 1, FFI_ATTR_DICTIONARY = 2, FFI_ATTR_SCALAR = 3, FFI_ATTR_STRING = 4 };
typedef enum ffi_stage { FFI_INSTANTIATE, FFI_PREPARE, FFI_INITIALIZE, FFI_EXECUTE } ffi_stage;

/* Arguments, and results in the same form. */
typedef struct ffi_args {
  HD_FFI_HEAD
  int64_t count;
  int *kinds;
  void **values; /* ffi_buffer each */
} ffi_args;
HD_FFI_CHECK(ffi_args, 40);

typedef struct ffi_attrs {
  HD_FFI_HEAD
  int64_t count;
  int *kinds;
  ffi_bytes **names; /* in alphabetical order */
  void **values;     /* ffi_array, ffi_attrs, ffi_scalar or ffi_bytes */
} ffi_attrs;
HD_FFI_CHECK(ffi_attrs, 48);

typedef struct ffi_frame {
  HD_FFI_HEAD
  const struct ffi_api *api;
  ffi_context *context;
  ffi_stage stage;
  ffi_args args, results;
  ffi_attrs attrs;
  ffi_future *future; /* out: set when the handler ends later */
} ffi_frame;
HD_FFI_CHECK(ffi_frame, 176);

typedef ffi_error *(*ffi_handler)(ffi_frame *frame);

/* The handlers of one target by stage; only execute must be there. */
typedef struct ffi_bundle {
  ffi_handler stages[4];
} ffi_bundle;

/* ---- the table that handlers call back through ------------------------------------------------------------------ */

#define FFI_ARGS(name, ...) \
  typedef struct name {     \
    HD_FFI_HEAD             \
    __VA_ARGS__             \
  } name;

typedef struct ffi_type_info {
  HD_FFI_HEAD
  void (*deleter)(void *object);
} ffi_type_info;

FFI_ARGS(ffi_error_create_args, const char *message; int code;)
FFI_ARGS(ffi_error_message_args, ffi_error *error; const char *message /* out */;)
FFI_ARGS(ffi_error_destroy_args, ffi_error *error;)
FFI_ARGS(ffi_register_args, ffi_bytes name; ffi_bytes platform; ffi_bundle bundle; uint32_t traits;)
FFI_ARGS(ffi_stream_args, ffi_context *context; void *stream /* out */;)
FFI_ARGS(ffi_type_register_args, ffi_bytes name; int64_t *type_id /* in, out */; const ffi_type_info *info;)
FFI_ARGS(ffi_context_get_args, ffi_context *context; int64_t *type_id; void *data /* out */;)
FFI_ARGS(ffi_state_args, ffi_context *context; ffi_stage stage; int64_t *type_id; void *state /* in or out */;)
FFI_ARGS(ffi_allocate_args, ffi_context *context; size_t size; size_t alignment; void *data /* out */;)
FFI_ARGS(ffi_free_args, ffi_context *context; size_t size; void *data;)
FFI_ARGS(ffi_schedule_args, ffi_context *context; void (*task)(void *data); void *data;)
FFI_ARGS(ffi_threads_args, ffi_context *context; int64_t *count /* filled */;)
FFI_ARGS(ffi_future_create_args, ffi_future *future /* out */;)
FFI_ARGS(ffi_future_args, ffi_future *future; ffi_error * error /* of set_error alone */;)
FFI_ARGS(ffi_run_id_args, ffi_context *context; int64_t run_id /* out */;)
FFI_ARGS(ffi_ordinal_args, ffi_context *context; int32_t ordinal /* out */;)
#undef FFI_ARGS

typedef struct ffi_api {
  HD_FFI_HEAD
  struct {
    HD_FFI_HEAD
    int major_version, minor_version;
  } version;
  const void *internal_api; /* none */
  ffi_error *(*error_create)(ffi_error_create_args *args);
  void (*error_message)(ffi_error_message_args *args);
  void (*error_destroy)(ffi_error_destroy_args *args);
  ffi_error *(*handler_register)(ffi_register_args *args);
  ffi_error *(*stream_get)(ffi_stream_args *args);
  ffi_error *(*type_register)(ffi_type_register_args *args);
  ffi_error *(*context_get)(ffi_context_get_args *args);
  ffi_error *(*state_set)(ffi_state_args *args);
  ffi_error *(*state_get)(ffi_state_args *args);
  ffi_error *(*memory_allocate)(ffi_allocate_args *args);
  ffi_error *(*memory_free)(ffi_free_args *args);
  ffi_error *(*schedule)(ffi_schedule_args *args);
  ffi_error *(*thread_count)(ffi_threads_args *args);
  ffi_error *(*future_create)(ffi_future_create_args *args);
  ffi_error *(*future_set_available)(ffi_future_args *args);
  ffi_error *(*future_set_error)(ffi_future_args *args);
  ffi_error *(*run_id)(ffi_run_id_args *args);
  ffi_error *(*device_ordinal)(ffi_ordinal_args *args);
} ffi_api;
HD_FFI_CHECK(ffi_api, 16 + 24 + 8 + 18 * 8);

#endif
