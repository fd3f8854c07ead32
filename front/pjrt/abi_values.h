/* SPDX-License-Identifier: Apache-2.0 */
/* PJRT C API (abi.h): the objects, the enumerations, and the structs that calls hand over. */
#ifndef HD_FRONT_PJRT_ABI_VALUES_H_
#define HD_FRONT_PJRT_ABI_VALUES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_PJRT_CHECK(type, bytes) _Static_assert(sizeof(type) == (((bytes) + 7u) & ~7u), #type)

/* HD_PJRT_ARGS(name, bytes, fields): the struct PJRT_name_Args, with its head and |fields|, which count |bytes|. */
#define HD_PJRT_ARGS(name, bytes, ...)    \
  typedef struct PJRT_##name##_Args {     \
    size_t struct_size;                   \
    PJRT_Extension_Base *extension_start; \
    __VA_ARGS__                           \
  } PJRT_##name##_Args;                   \
  enum { PJRT_##name##_BYTES = bytes };   \
  HD_PJRT_CHECK(PJRT_##name##_Args, bytes);

/* Structs with no field beyond one object. */
#define HD_PJRT_ARGS_OF(name, type, field) HD_PJRT_ARGS(name, 24, type *field;)

/* ---- extensions: a list of structs that start alike ------------------------------------------------------------ */

typedef enum PJRT_Extension_Type {
  PJRT_Extension_Type_Profiler = 1,
  PJRT_Extension_Type_Layouts = 4,
  PJRT_Extension_Type_FFI = 5,
  PJRT_Extension_Type_Shardings = 19,
} PJRT_Extension_Type;

typedef struct PJRT_Extension_Base {
  size_t struct_size;
  PJRT_Extension_Type type;
  struct PJRT_Extension_Base *next;
} PJRT_Extension_Base;
HD_PJRT_CHECK(PJRT_Extension_Base, 24);

/* ---- objects, all ours ----------------------------------------------------------------------------------------- */

typedef struct PJRT_Error PJRT_Error;
typedef struct PJRT_Event PJRT_Event;
typedef struct PJRT_Client PJRT_Client;
typedef struct PJRT_Device PJRT_Device;
typedef struct PJRT_DeviceDescription PJRT_DeviceDescription;
typedef struct PJRT_Memory PJRT_Memory;
typedef struct PJRT_TopologyDescription PJRT_TopologyDescription;
typedef struct PJRT_Executable PJRT_Executable;
typedef struct PJRT_LoadedExecutable PJRT_LoadedExecutable;
typedef struct PJRT_Buffer PJRT_Buffer;
typedef struct PJRT_ExecuteContext PJRT_ExecuteContext;
typedef struct PJRT_Bytes PJRT_Bytes; /* what backs a serialisation that we gave out */
typedef struct PJRT_Layouts_MemoryLayout PJRT_Layouts_MemoryLayout;
typedef struct PJRT_Profiler PJRT_Profiler;

/* ---- values ---------------------------------------------------------------------------------------------------- */

/* Error codes are those of heddle/status.h. */
typedef int PJRT_Error_Code;

typedef enum PJRT_NamedValue_Type {
  PJRT_NamedValue_kString,
  PJRT_NamedValue_kInt64,
  PJRT_NamedValue_kInt64List,
  PJRT_NamedValue_kFloat,
  PJRT_NamedValue_kBool,
} PJRT_NamedValue_Type;

typedef struct PJRT_NamedValue {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const char *name;
  size_t name_size;
  PJRT_NamedValue_Type type;
  union {
    const char *string_value;
    int64_t int64_value;
    const int64_t *int64_array_value;
    float float_value;
    bool bool_value;
  };
  size_t value_size; /* elements of a string or list, else 1 */
} PJRT_NamedValue;
HD_PJRT_CHECK(PJRT_NamedValue, 56);

/* Element types of buffers, numbered without gaps. */
typedef enum PJRT_Buffer_Type {
  PJRT_Buffer_Type_INVALID,
  PJRT_Buffer_Type_PRED,
  PJRT_Buffer_Type_S8,
  PJRT_Buffer_Type_S16,
  PJRT_Buffer_Type_S32,
  PJRT_Buffer_Type_S64,
  PJRT_Buffer_Type_U8,
  PJRT_Buffer_Type_U16,
  PJRT_Buffer_Type_U32,
  PJRT_Buffer_Type_U64,
  PJRT_Buffer_Type_F16,
  PJRT_Buffer_Type_F32,
  PJRT_Buffer_Type_F64,
  PJRT_Buffer_Type_BF16,
  PJRT_Buffer_Type_C64,
  PJRT_Buffer_Type_C128,
  PJRT_Buffer_Type_F8E5M2,
  PJRT_Buffer_Type_F8E4M3FN,
  PJRT_Buffer_Type_F8E4M3B11FNUZ,
  PJRT_Buffer_Type_F8E5M2FNUZ,
  PJRT_Buffer_Type_F8E4M3FNUZ,
  PJRT_Buffer_Type_S4,
  PJRT_Buffer_Type_U4,
  PJRT_Buffer_Type_TOKEN,
  PJRT_Buffer_Type_S2,
  PJRT_Buffer_Type_U2,
  PJRT_Buffer_Type_F8E4M3,
  PJRT_Buffer_Type_F8E3M4,
  PJRT_Buffer_Type_F8E8M0FNU,
  PJRT_Buffer_Type_F4E2M1FN,
  PJRT_Buffer_Type_S1,
  PJRT_Buffer_Type_U1,
} PJRT_Buffer_Type;
_Static_assert(PJRT_Buffer_Type_U1 == 31, "element types");

/* What a caller promises of host memory that becomes a buffer. */
typedef enum PJRT_HostBufferSemantics {
  PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,         /* readable during the call alone */
  PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes, /* until we say that we are done with it */
  PJRT_HostBufferSemantics_kImmutableZeroCopy,               /* the same, and we may keep it as the buffer, unwritten */
  PJRT_HostBufferSemantics_kMutableZeroCopy,                 /* the same, and we may write it when donated */
} PJRT_HostBufferSemantics;

typedef enum PJRT_Buffer_MemoryLayout_Type {
  PJRT_Buffer_MemoryLayout_Type_Tiled,
  PJRT_Buffer_MemoryLayout_Type_Strides,
} PJRT_Buffer_MemoryLayout_Type;

typedef struct PJRT_Buffer_MemoryLayout_Tiled {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const int64_t *minor_to_major; /* dims, the one whose neighbours are side by side first */
  size_t minor_to_major_size;
  const int64_t *tile_dims; /* of all tiles, one after the other */
  const size_t *tile_dim_sizes;
  size_t num_tiles;
} PJRT_Buffer_MemoryLayout_Tiled;
HD_PJRT_CHECK(PJRT_Buffer_MemoryLayout_Tiled, 56);

typedef struct PJRT_Buffer_MemoryLayout_Strides {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const int64_t *byte_strides;
  size_t num_byte_strides;
} PJRT_Buffer_MemoryLayout_Strides;
HD_PJRT_CHECK(PJRT_Buffer_MemoryLayout_Strides, 32);

typedef struct PJRT_Buffer_MemoryLayout {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  union {
    PJRT_Buffer_MemoryLayout_Tiled tiled;
    PJRT_Buffer_MemoryLayout_Strides strides;
  };
  PJRT_Buffer_MemoryLayout_Type type;
} PJRT_Buffer_MemoryLayout;
HD_PJRT_CHECK(PJRT_Buffer_MemoryLayout, 76);

typedef struct PJRT_Program {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  char *code;
  size_t code_size;
  const char *format; /* "mlir": MLIR bytecode or text */
  size_t format_size;
} PJRT_Program;
HD_PJRT_CHECK(PJRT_Program, 48);

/* |error| belongs to the callback. */
typedef void (*PJRT_Event_OnReadyCallback)(PJRT_Error *error, void *user_arg);

typedef struct PJRT_ExecuteOptions {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  void **send_callbacks; /* of send and recv ops, which no program here has */
  void **recv_callbacks;
  size_t num_send_ops;
  size_t num_recv_ops;
  int launch_id;
  const int64_t *non_donatable_input_indices; /* inputs that must stay, whatever the program says */
  size_t num_non_donatable_input_indices;
  PJRT_ExecuteContext *context;
  const char *call_location;
  size_t num_tasks;
  int *task_ids;
  int64_t *incarnation_ids;
} PJRT_ExecuteOptions;
HD_PJRT_CHECK(PJRT_ExecuteOptions, 112);

#endif
