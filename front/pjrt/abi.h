/* SPDX-License-Identifier: Apache-2.0 */
/* The binary interface between a framework and this plugin: the PJRT C API as published by OpenXLA, version 0.94
 * (xla/pjrt/c/pjrt_c_api.h), with the layouts, FFI and profiler extensions. Declared here in our own words; names of
 * types, fields and functions are the interface's. Each struct's size is asserted, so a field that is missing, out of
 * order or of the wrong width does not compile. One file, like the header that it mirrors: a new version is checked
 * against that from top to bottom.
 *
 * Every function takes one struct, whose |struct_size| says how much of it the caller knows: a caller newer than us has
 * more fields at the end, an older one fewer. Fields marked "out" are written by the function. */
#ifndef HD_FRONT_PJRT_ABI_H_
#define HD_FRONT_PJRT_ABI_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_PJRT_MAJOR = 0, HD_PJRT_MINOR = 94 };

/* Bytes that a struct counts: up to the end of its last field, without padding. */
#define HD_PJRT_SIZE_OF(type, last_field) (offsetof(type, last_field) + sizeof(((type *)0)->last_field))
#define HD_PJRT_CHECK(type, bytes) _Static_assert(sizeof(type) == (((bytes) + 7u) & ~7u), #type)

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
  const int64_t *minor_to_major; /* dims, the one whose neighbours lie side by side first */
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

/* ---- functions ------------------------------------------------------------------------------------------------- */

/* ARGS(name, bytes, fields): the struct PJRT_name_Args, with its head and |fields|, which count |bytes|. */
#define ARGS(name, bytes, ...)            \
  typedef struct PJRT_##name##_Args {     \
    size_t struct_size;                   \
    PJRT_Extension_Base *extension_start; \
    __VA_ARGS__                           \
  } PJRT_##name##_Args;                   \
  enum { PJRT_##name##_BYTES = bytes };   \
  HD_PJRT_CHECK(PJRT_##name##_Args, bytes);

/* Structs with no field beyond one object. */
#define ARGS_OF(name, type, field) ARGS(name, 24, type *field;)

ARGS_OF(Error_Destroy, PJRT_Error, error)
ARGS(Error_Message, 40, const PJRT_Error *error; const char *message /* out */; size_t message_size /* out */;)
ARGS(Error_GetCode, 28, const PJRT_Error *error; PJRT_Error_Code code /* out */;)

typedef struct PJRT_Plugin_Initialize_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
} PJRT_Plugin_Initialize_Args;
enum { PJRT_Plugin_Initialize_BYTES = 16 };
ARGS(Plugin_Attributes, 32, const PJRT_NamedValue *attributes /* out */; size_t num_attributes /* out */;)

ARGS_OF(Event_Destroy, PJRT_Event, event)
ARGS(Event_IsReady, 25, PJRT_Event *event; bool is_ready /* out */;)
ARGS_OF(Event_Error, PJRT_Event, event)
ARGS_OF(Event_Await, PJRT_Event, event)
ARGS(Event_OnReady, 40, PJRT_Event *event; PJRT_Event_OnReadyCallback callback; void *user_arg;)
ARGS_OF(Event_Create, PJRT_Event, event /* out */)
ARGS(Event_Set, 48, PJRT_Event *event; PJRT_Error_Code error_code; const char *error_message;
     size_t error_message_size;)

/* The key-value callbacks of several processes are not called. */
ARGS(Client_Create, 88, const PJRT_NamedValue *create_options; size_t num_options; void *kv_get_callback;
     void *kv_get_user_arg; void *kv_put_callback; void *kv_put_user_arg; PJRT_Client * client /* out */;
     void *kv_try_get_callback; void *kv_try_get_user_arg;)
ARGS_OF(Client_Destroy, PJRT_Client, client)
ARGS(Client_PlatformName, 40, PJRT_Client *client; const char *platform_name /* out */;
     size_t platform_name_size /* out */;)
ARGS(Client_ProcessIndex, 28, PJRT_Client *client; int process_index /* out */;)
ARGS(Client_PlatformVersion, 40, PJRT_Client *client; const char *platform_version /* out */;
     size_t platform_version_size /* out */;)
ARGS(Client_TopologyDescription, 32, PJRT_Client *client; PJRT_TopologyDescription * topology /* out */;)
ARGS(Client_Devices, 40, PJRT_Client *client; PJRT_Device *const *devices /* out */; size_t num_devices /* out */;)
ARGS(Client_AddressableDevices, 40, PJRT_Client *client; PJRT_Device *const *addressable_devices /* out */;
     size_t num_addressable_devices /* out */;)
ARGS(Client_LookupDevice, 40, PJRT_Client *client; int id; PJRT_Device * device /* out */;)
ARGS(Client_LookupAddressableDevice, 40, PJRT_Client *client; int local_hardware_id;
     PJRT_Device * addressable_device /* out */;)
ARGS(Client_AddressableMemories, 40, PJRT_Client *client; PJRT_Memory *const *addressable_memories /* out */;
     size_t num_addressable_memories /* out */;)
ARGS(Client_Compile, 56, PJRT_Client *client; const PJRT_Program *program; const char *compile_options;
     size_t compile_options_size; PJRT_LoadedExecutable * executable /* out */;)
ARGS(Client_DefaultDeviceAssignment, 48, PJRT_Client *client; int num_replicas; int num_partitions;
     size_t default_assignment_size; int *default_assignment /* filled */;)
ARGS(Client_UpdateGlobalProcessInfo, 40, PJRT_Client *client; const void *process_infos; size_t num_process_infos;)
ARGS(Client_CreateUninitializedBuffer, 80, PJRT_Client *client; const int64_t *shape_dims; size_t shape_num_dims;
     PJRT_Buffer_Type shape_element_type; PJRT_Buffer_MemoryLayout * shape_layout; PJRT_Device * device;
     PJRT_Memory * memory; PJRT_Buffer * buffer /* out */;)
ARGS(Client_CreateErrorBuffer, 96, PJRT_Client *client; PJRT_Error_Code error_code; const char *error_message;
     size_t error_message_size; const int64_t *shape_dims; size_t shape_num_dims; PJRT_Buffer_Type shape_element_type;
     PJRT_Buffer_MemoryLayout * shape_layout; PJRT_Memory * memory; PJRT_Buffer * buffer /* out */;)
ARGS(Client_BufferFromHostBuffer, 120, PJRT_Client *client; const void *data; PJRT_Buffer_Type type;
     const int64_t *dims; size_t num_dims; const int64_t *byte_strides /* none: dense row major */;
     size_t num_byte_strides; PJRT_HostBufferSemantics host_buffer_semantics; PJRT_Device * device;
     PJRT_Memory * memory /* set: instead of device */; PJRT_Buffer_MemoryLayout * device_layout;
     PJRT_Event * done_with_host_buffer /* out */; PJRT_Buffer * buffer /* out */;)
ARGS(Client_CreateViewOfDeviceBuffer, 112, PJRT_Client *client; void *device_buffer_ptr; const int64_t *dims;
     size_t num_dims; PJRT_Buffer_Type element_type; PJRT_Buffer_MemoryLayout * layout; PJRT_Device * device;
     void (*on_delete_callback)(void *device_buffer_ptr, void *user_arg); void *on_delete_callback_arg; intptr_t stream;
     PJRT_Buffer * buffer /* out */; PJRT_Memory * memory /* set: instead of device */;)

ARGS(DeviceDescription_Id, 28, PJRT_DeviceDescription *device_description; int id /* out */;)
ARGS(DeviceDescription_ProcessIndex, 28, PJRT_DeviceDescription *device_description; int process_index /* out */;)
ARGS(DeviceDescription_Attributes, 40, PJRT_DeviceDescription *device_description; size_t num_attributes /* out */;
     const PJRT_NamedValue *attributes /* out */;)
ARGS(DeviceDescription_Kind, 40, PJRT_DeviceDescription *device_description; const char *device_kind /* out */;
     size_t device_kind_size /* out */;)
ARGS(DeviceDescription_DebugString, 40, PJRT_DeviceDescription *device_description; const char *debug_string /* out */;
     size_t debug_string_size /* out */;)
ARGS(DeviceDescription_ToString, 40, PJRT_DeviceDescription *device_description; const char *to_string /* out */;
     size_t to_string_size /* out */;)

ARGS(Device_GetDescription, 32, PJRT_Device *device; PJRT_DeviceDescription * device_description /* out */;)
ARGS(Device_IsAddressable, 25, PJRT_Device *device; bool is_addressable /* out */;)
ARGS(Device_LocalHardwareId, 28, PJRT_Device *device; int local_hardware_id /* out */;)
ARGS(Device_AddressableMemories, 40, PJRT_Device *device; PJRT_Memory *const *memories /* out */;
     size_t num_memories /* out */;)
ARGS(Device_DefaultMemory, 32, PJRT_Device *device; PJRT_Memory * memory /* out */;)
/* All out; each but the first with a flag that it is set. */
#define STAT(name) \
  int64_t name;    \
  bool name##_is_set;
ARGS(Device_MemoryStats, 185, PJRT_Device *device; int64_t bytes_in_use; STAT(peak_bytes_in_use) STAT(num_allocs)
         STAT(largest_alloc_size) STAT(bytes_limit) STAT(bytes_reserved) STAT(peak_bytes_reserved)
             STAT(bytes_reservable_limit) STAT(largest_free_block_bytes) STAT(pool_bytes) STAT(peak_pool_bytes))
#undef STAT
ARGS(Device_GetAttributes, 56, PJRT_Device *device; const PJRT_NamedValue *attributes /* out */;
     size_t num_attributes /* out */; PJRT_Bytes * device_attributes /* out */;
     void (*attributes_deleter)(PJRT_Bytes *device_attributes) /* out */;)

ARGS(Memory_Id, 28, PJRT_Memory *memory; int id /* out */;)
ARGS(Memory_Kind, 40, PJRT_Memory *memory; const char *kind /* out */; size_t kind_size /* out */;)
ARGS(Memory_Kind_Id, 28, PJRT_Memory *memory; int kind_id /* out */;)
ARGS(Memory_DebugString, 40, PJRT_Memory *memory; const char *debug_string /* out */;
     size_t debug_string_size /* out */;)
ARGS(Memory_ToString, 40, PJRT_Memory *memory; const char *to_string /* out */; size_t to_string_size /* out */;)
ARGS(Memory_AddressableByDevices, 40, PJRT_Memory *memory; PJRT_Device *const *devices /* out */;
     size_t num_devices /* out */;)

ARGS_OF(ExecuteContext_Create, PJRT_ExecuteContext, context /* out */)
ARGS_OF(ExecuteContext_Destroy, PJRT_ExecuteContext, context)

ARGS_OF(Executable_Destroy, PJRT_Executable, executable)
ARGS(Executable_Name, 40, PJRT_Executable *executable; const char *executable_name /* out */;
     size_t executable_name_size /* out */;)
ARGS(Executable_NumReplicas, 32, PJRT_Executable *executable; size_t num_replicas /* out */;)
ARGS(Executable_NumPartitions, 32, PJRT_Executable *executable; size_t num_partitions /* out */;)
ARGS(Executable_NumOutputs, 32, PJRT_Executable *executable; size_t num_outputs /* out */;)
ARGS(Executable_SizeOfGeneratedCodeInBytes, 32, PJRT_Executable *executable; int64_t size_in_bytes /* out */;)
ARGS(Executable_Fingerprint, 40, PJRT_Executable *executable; const char *executable_fingerprint /* out */;
     size_t executable_fingerprint_size /* out */;)
ARGS(Executable_GetCostAnalysis, 40, PJRT_Executable *executable; size_t num_properties /* out */;
     const PJRT_NamedValue *properties /* out */;)
ARGS(Executable_GetCompiledMemoryStats, 120, PJRT_Executable *executable; /* all out */
     int64_t generated_code_size_in_bytes; int64_t argument_size_in_bytes; int64_t output_size_in_bytes;
     int64_t alias_size_in_bytes; int64_t temp_size_in_bytes; int64_t host_generated_code_size_in_bytes;
     int64_t host_argument_size_in_bytes; int64_t host_output_size_in_bytes; int64_t host_alias_size_in_bytes;
     int64_t host_temp_size_in_bytes; int64_t peak_memory_in_bytes; int64_t total_size_in_bytes;)
ARGS(Executable_OutputElementTypes, 40, PJRT_Executable *executable; PJRT_Buffer_Type * output_types /* out */;
     size_t num_output_types /* out */;)
ARGS(Executable_OutputDimensions, 48, PJRT_Executable *executable; size_t num_outputs /* out */;
     const int64_t *dims /* out, of all outputs */; const size_t *dim_sizes /* out */;)
ARGS(Executable_OutputMemoryKinds, 48, PJRT_Executable *executable; size_t num_outputs /* out */;
     const char *const *memory_kinds /* out */; const size_t *memory_kind_sizes /* out */;)
ARGS(Executable_OptimizedProgram, 32, PJRT_Executable *executable; PJRT_Program * program /* filled */;)
ARGS(Executable_Serialize, 56, const PJRT_Executable *executable; const char *serialized_bytes /* out */;
     size_t serialized_bytes_size /* out */; PJRT_Bytes * serialized_executable /* out */;
     void (*serialized_executable_deleter)(PJRT_Bytes *bytes) /* out */;)
ARGS(Executable_GetCompileOptions, 56, PJRT_Executable *executable; const char *serialized_bytes /* out */;
     size_t serialized_bytes_size /* out */; PJRT_Bytes * serialized_compile_options /* out */;
     void (*serialized_compile_options_deleter)(PJRT_Bytes *bytes) /* out */;)
ARGS(Executable_DeserializeAndLoad, 64, PJRT_Client *client; const char *serialized_executable;
     size_t serialized_executable_size; PJRT_LoadedExecutable * loaded_executable /* out */;
     const char *overridden_serialized_compile_options; size_t overridden_serialized_compile_options_size;)

ARGS_OF(LoadedExecutable_Destroy, PJRT_LoadedExecutable, executable)
ARGS(LoadedExecutable_GetExecutable, 32, PJRT_LoadedExecutable *loaded_executable;
     PJRT_Executable * executable /* out */;)
ARGS(LoadedExecutable_GetDeviceAssignment, 56, PJRT_LoadedExecutable *executable;
     const char *serialized_bytes /* out */; size_t serialized_bytes_size /* out */;
     PJRT_Bytes * serialized_device_assignment /* out */;
     void (*serialized_device_assignment_deleter)(PJRT_Bytes *bytes) /* out */;)
ARGS(LoadedExecutable_AddressableDevices, 40, PJRT_LoadedExecutable *executable;
     PJRT_Device *const *addressable_devices /* out */; size_t num_addressable_devices /* out */;)
ARGS_OF(LoadedExecutable_Delete, PJRT_LoadedExecutable, executable)
ARGS(LoadedExecutable_IsDeleted, 25, PJRT_LoadedExecutable *executable; bool is_deleted /* out */;)
ARGS(LoadedExecutable_Fingerprint, 40, PJRT_LoadedExecutable *executable; const char *executable_fingerprint /* out */;
     size_t executable_fingerprint_size /* out */;)
/* |argument_lists| and |output_lists| have one list per device; |device_complete_events|, where not null, too. */
ARGS(LoadedExecutable_Execute, 80, PJRT_LoadedExecutable *executable; PJRT_ExecuteOptions * options;
     PJRT_Buffer *const *const *argument_lists; size_t num_devices; size_t num_args;
     PJRT_Buffer * *const *output_lists /* filled */; PJRT_Event * *device_complete_events /* filled */;
     PJRT_Device * execute_device;)

ARGS_OF(Buffer_Destroy, PJRT_Buffer, buffer)
ARGS(Buffer_ElementType, 28, PJRT_Buffer *buffer; PJRT_Buffer_Type type /* out */;)
ARGS(Buffer_Dimensions, 40, PJRT_Buffer *buffer; const int64_t *dims /* out */; size_t num_dims /* out */;)
ARGS(Buffer_UnpaddedDimensions, 40, PJRT_Buffer *buffer; const int64_t *unpadded_dims /* out */;
     size_t num_dims /* out */;)
ARGS(Buffer_DynamicDimensionIndices, 40, PJRT_Buffer *buffer; const size_t *dynamic_dim_indices /* out */;
     size_t num_dynamic_dims /* out */;)
ARGS(Buffer_GetMemoryLayout, 104, PJRT_Buffer *buffer; PJRT_Buffer_MemoryLayout layout /* out */;)
ARGS(Buffer_ToHostBuffer, 56, PJRT_Buffer *src; PJRT_Buffer_MemoryLayout * host_layout /* null: as the buffer */;
     void *dst /* null: asks for the size */; size_t dst_size /* in, out */; PJRT_Event * event /* out */;)
ARGS(Buffer_OnDeviceSizeInBytes, 32, PJRT_Buffer *buffer; size_t on_device_size_in_bytes /* out */;)
ARGS_OF(Buffer_Delete, PJRT_Buffer, buffer)
ARGS(Buffer_IsDeleted, 25, PJRT_Buffer *buffer; bool is_deleted /* out */;)
ARGS(Buffer_CopyRawToHost, 56, PJRT_Buffer *buffer; void *dst; int64_t offset; int64_t transfer_size;
     PJRT_Event * event /* out */;)
ARGS(Buffer_CopyToDevice, 40, PJRT_Buffer *buffer; PJRT_Device * dst_device; PJRT_Buffer * dst_buffer /* out */;)
ARGS(Buffer_CopyToMemory, 40, PJRT_Buffer *buffer; PJRT_Memory * dst_memory; PJRT_Buffer * dst_buffer /* out */;)
ARGS(Buffer_IsOnCpu, 25, PJRT_Buffer *buffer; bool is_on_cpu /* out */;)
ARGS(Buffer_Device, 32, PJRT_Buffer *buffer; PJRT_Device * device /* out */;)
ARGS(Buffer_Memory, 32, PJRT_Buffer *buffer; PJRT_Memory * memory /* out */;)
ARGS(Buffer_ReadyEvent, 32, PJRT_Buffer *buffer; PJRT_Event * event /* out */;)
ARGS(Buffer_UnsafePointer, 32, PJRT_Buffer *buffer; uintptr_t buffer_pointer /* out */;)
ARGS_OF(Buffer_IncreaseExternalReferenceCount, PJRT_Buffer, buffer)
ARGS_OF(Buffer_DecreaseExternalReferenceCount, PJRT_Buffer, buffer)
ARGS(Buffer_OpaqueDeviceMemoryDataPointer, 32, PJRT_Buffer *buffer; void *device_memory_ptr /* out */;)

ARGS(TopologyDescription_Create, 56, const char *topology_name; size_t topology_name_size;
     const PJRT_NamedValue *create_options; size_t num_options; PJRT_TopologyDescription * topology /* out */;)
ARGS_OF(TopologyDescription_Destroy, PJRT_TopologyDescription, topology)
ARGS(TopologyDescription_PlatformName, 40, const PJRT_TopologyDescription *topology;
     const char *platform_name /* out */; size_t platform_name_size /* out */;)
ARGS(TopologyDescription_PlatformVersion, 40, PJRT_TopologyDescription *topology;
     const char *platform_version /* out */; size_t platform_version_size /* out */;)
ARGS(TopologyDescription_GetDeviceDescriptions, 40, const PJRT_TopologyDescription *topology;
     PJRT_DeviceDescription *const *descriptions /* out */; size_t num_descriptions /* out */;)
ARGS(TopologyDescription_Attributes, 40, PJRT_TopologyDescription *topology;
     const PJRT_NamedValue *attributes /* out */; size_t num_attributes /* out */;)

/* What functions that we do not have are given. */
typedef struct PJRT_None_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
} PJRT_None_Args;

typedef struct PJRT_Api {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  struct {
    size_t struct_size;
    PJRT_Extension_Base *extension_start;
    int major_version, minor_version;
  } pjrt_api_version;
  void (*Error_Destroy)(PJRT_Error_Destroy_Args *args);
  void (*Error_Message)(PJRT_Error_Message_Args *args);
#define SLOT(name, ...) PJRT_Error *(*name)(PJRT_##name##_Args * args);
#define NONE(name, instead) PJRT_Error *(*name)(PJRT_None_Args * args);
#include "slots.def"
} PJRT_Api;
/* Three parts of the table as it grew: the first version with stable slots, and the two ends of what was appended. */
_Static_assert(offsetof(PJRT_Api, Error_GetCode) == 56, "slot of Error_GetCode");
_Static_assert(offsetof(PJRT_Api, Executable_OutputElementTypes) == 40 + 90 * 8,
               "slot of Executable_OutputElementTypes");
_Static_assert(offsetof(PJRT_Api, Device_GetAttributes) == 40 + 128 * 8, "slot of Device_GetAttributes");
_Static_assert(sizeof(PJRT_Api) == 40 + 129 * 8, "size of PJRT_Api");

/* ---- extension: layouts ---------------------------------------------------------------------------------------- */

ARGS_OF(Layouts_MemoryLayout_Destroy, PJRT_Layouts_MemoryLayout, layout)
ARGS(Layouts_MemoryLayout_Serialize, 56, PJRT_Layouts_MemoryLayout *layout; const char *serialized_bytes /* out */;
     size_t serialized_bytes_size /* out */; PJRT_Bytes * serialized_layout /* out */;
     void (*serialized_layout_deleter)(PJRT_Bytes *bytes) /* out */;)
ARGS(Layouts_PJRT_Client_GetDefaultLayout, 56, PJRT_Client *client; PJRT_Buffer_Type type; const int64_t *dims;
     size_t num_dims; PJRT_Layouts_MemoryLayout * layout /* out */;)
ARGS(Layouts_PJRT_Buffer_MemoryLayout, 32, PJRT_Buffer *buffer; PJRT_Layouts_MemoryLayout * layout /* out */;)
ARGS(Layouts_PJRT_Topology_GetDefaultLayout, 56, PJRT_TopologyDescription *topology_description; PJRT_Buffer_Type type;
     const int64_t *dims; size_t num_dims; PJRT_Layouts_MemoryLayout * layout /* out */;)
ARGS(Layouts_PJRT_Executable_GetOutputLayouts, 40, PJRT_Executable *executable; size_t num_outputs /* out */;
     PJRT_Layouts_MemoryLayout * *layouts /* out */;)
ARGS(Layouts_PJRT_Executable_GetParameterLayouts, 40, PJRT_Executable *executable; size_t num_parameters /* out */;
     PJRT_Layouts_MemoryLayout * *layouts /* out */;)

typedef struct PJRT_Layouts_Extension {
  PJRT_Extension_Base base;
#define METHOD(name) PJRT_Error *(*name)(PJRT_Layouts_##name##_Args * args);
  METHOD(MemoryLayout_Destroy)
  METHOD(MemoryLayout_Serialize)
  METHOD(PJRT_Client_GetDefaultLayout)
  METHOD(PJRT_Buffer_MemoryLayout)
  METHOD(PJRT_Topology_GetDefaultLayout)
  METHOD(PJRT_Executable_GetOutputLayouts)
  METHOD(PJRT_Executable_GetParameterLayouts)
#undef METHOD
} PJRT_Layouts_Extension;

/* ---- extension: shardings -------------------------------------------------------------------------------------- */

/* Serialised shardings, which belong to the executable; null where it has none. */
ARGS(Shardings_PJRT_Executable_ParameterShardings, 48, PJRT_Executable *executable; size_t num_parameters /* out */;
     const char *const *shardings /* out */; const size_t *sharding_sizes /* out */;)
ARGS(Shardings_PJRT_Executable_OutputShardings, 48, PJRT_Executable *executable; size_t num_outputs /* out */;
     const char *const *shardings /* out */; const size_t *sharding_sizes /* out */;)

typedef struct PJRT_Shardings_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*parameters)(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args *args);
  PJRT_Error *(*outputs)(PJRT_Shardings_PJRT_Executable_OutputShardings_Args *args);
} PJRT_Shardings_Extension;

/* ---- extension: FFI -------------------------------------------------------------------------------------------- */

ARGS(FFI_TypeID_Register, 40, const char *type_name; size_t type_name_size; int64_t type_id /* in, out */;)
ARGS(FFI_UserData_Add, 48, PJRT_ExecuteContext *context; int64_t type_id; void *data; void (*deleter)(void *data);)
/* This struct has no extension_start. |api_version| 1: |handler| is a typed handler. */
typedef struct PJRT_FFI_Register_Handler_Args {
  size_t struct_size;
  const char *target_name;
  size_t target_name_size;
  int api_version;
  void *handler;
  const char *platform_name;
  size_t platform_name_size;
  unsigned traits;
} PJRT_FFI_Register_Handler_Args;
HD_PJRT_CHECK(PJRT_FFI_Register_Handler_Args, 60);

typedef struct PJRT_FFI_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*type_id_register)(PJRT_FFI_TypeID_Register_Args *args);
  PJRT_Error *(*user_data_add)(PJRT_FFI_UserData_Add_Args *args);
  PJRT_Error *(*register_handler)(PJRT_FFI_Register_Handler_Args *args);
} PJRT_FFI_Extension;

/* ---- extension: profiler --------------------------------------------------------------------------------------- */

/* A profiler has errors and conventions of its own: its arguments have no extension_start. */
typedef struct PLUGIN_Profiler PLUGIN_Profiler;
typedef struct PLUGIN_Profiler_Error PLUGIN_Profiler_Error;

#define PROFILER_ARGS(name, size, ...)           \
  typedef struct PLUGIN_Profiler_##name##_Args { \
    size_t struct_size;                          \
    __VA_ARGS__                                  \
  } PLUGIN_Profiler_##name##_Args;               \
  HD_PJRT_CHECK(PLUGIN_Profiler_##name##_Args, size);

PROFILER_ARGS(Error_Destroy, 24, void *priv; PLUGIN_Profiler_Error * error;)
PROFILER_ARGS(Error_Message, 40, void *priv; const PLUGIN_Profiler_Error *error; const char *message;
              size_t message_size;)
PROFILER_ARGS(Error_GetCode, 28, void *priv; const PLUGIN_Profiler_Error *error; int code;)
PROFILER_ARGS(Create, 32, const char *options; size_t options_size; PLUGIN_Profiler * profiler;)
PROFILER_ARGS(Destroy, 16, PLUGIN_Profiler *profiler;)
PROFILER_ARGS(Start, 16, PLUGIN_Profiler *profiler;)
PROFILER_ARGS(Stop, 16, PLUGIN_Profiler *profiler;)
/* |buffer| null: the profiler lends its own, until it is destroyed. */
PROFILER_ARGS(CollectData, 32, PLUGIN_Profiler *profiler; uint8_t *buffer; size_t buffer_size_in_bytes;)
#undef PROFILER_ARGS

typedef struct PLUGIN_Profiler_Api {
  size_t struct_size;
  void *priv;
  void (*error_destroy)(PLUGIN_Profiler_Error_Destroy_Args *args);
  void (*error_message)(PLUGIN_Profiler_Error_Message_Args *args);
  PLUGIN_Profiler_Error *(*error_get_code)(PLUGIN_Profiler_Error_GetCode_Args *args);
  PLUGIN_Profiler_Error *(*create)(PLUGIN_Profiler_Create_Args *args);
  PLUGIN_Profiler_Error *(*destroy)(PLUGIN_Profiler_Destroy_Args *args);
  PLUGIN_Profiler_Error *(*start)(PLUGIN_Profiler_Start_Args *args);
  PLUGIN_Profiler_Error *(*stop)(PLUGIN_Profiler_Stop_Args *args);
  PLUGIN_Profiler_Error *(*collect_data)(PLUGIN_Profiler_CollectData_Args *args);
} PLUGIN_Profiler_Api;
_Static_assert(sizeof(PLUGIN_Profiler_Api) == 80, "PLUGIN_Profiler_Api");

typedef struct PJRT_Profiler_Extension {
  PJRT_Extension_Base base;
  PLUGIN_Profiler_Api *profiler_api;
  int64_t traceme_context_id; /* of a call's own extension; 0 here */
} PJRT_Profiler_Extension;

#undef ARGS_OF
#undef ARGS

#endif
