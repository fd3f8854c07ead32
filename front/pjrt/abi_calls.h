/* SPDX-License-Identifier: Apache-2.0 */
/* PJRT C API (abi.h): the arguments of every function, in the order of the objects that they are about. */
#ifndef HD_FRONT_PJRT_ABI_CALLS_H_
#define HD_FRONT_PJRT_ABI_CALLS_H_

#include "abi_values.h"

HD_PJRT_ARGS_OF(Error_Destroy, PJRT_Error, error)
HD_PJRT_ARGS(Error_Message, 40, const PJRT_Error *error; const char *message /* out */; size_t message_size /* out */;)
HD_PJRT_ARGS(Error_GetCode, 28, const PJRT_Error *error; PJRT_Error_Code code /* out */;)

typedef struct PJRT_Plugin_Initialize_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
} PJRT_Plugin_Initialize_Args;
enum { PJRT_Plugin_Initialize_BYTES = 16 };
HD_PJRT_ARGS(Plugin_Attributes, 32, const PJRT_NamedValue *attributes /* out */; size_t num_attributes /* out */;)

HD_PJRT_ARGS_OF(Event_Destroy, PJRT_Event, event)
HD_PJRT_ARGS(Event_IsReady, 25, PJRT_Event *event; bool is_ready /* out */;)
HD_PJRT_ARGS_OF(Event_Error, PJRT_Event, event)
HD_PJRT_ARGS_OF(Event_Await, PJRT_Event, event)
HD_PJRT_ARGS(Event_OnReady, 40, PJRT_Event *event; PJRT_Event_OnReadyCallback callback; void *user_arg;)
HD_PJRT_ARGS_OF(Event_Create, PJRT_Event, event /* out */)
HD_PJRT_ARGS(Event_Set, 48, PJRT_Event *event; PJRT_Error_Code error_code; const char *error_message;
             size_t error_message_size;)

/* The key-value callbacks of several processes are not called. */
HD_PJRT_ARGS(Client_Create, 88, const PJRT_NamedValue *create_options; size_t num_options; void *kv_get_callback;
             void *kv_get_user_arg; void *kv_put_callback; void *kv_put_user_arg; PJRT_Client * client /* out */;
             void *kv_try_get_callback; void *kv_try_get_user_arg;)
HD_PJRT_ARGS_OF(Client_Destroy, PJRT_Client, client)
HD_PJRT_ARGS(Client_PlatformName, 40, PJRT_Client *client; const char *platform_name /* out */;
             size_t platform_name_size /* out */;)
HD_PJRT_ARGS(Client_ProcessIndex, 28, PJRT_Client *client; int process_index /* out */;)
HD_PJRT_ARGS(Client_PlatformVersion, 40, PJRT_Client *client; const char *platform_version /* out */;
             size_t platform_version_size /* out */;)
HD_PJRT_ARGS(Client_TopologyDescription, 32, PJRT_Client *client; PJRT_TopologyDescription * topology /* out */;)
HD_PJRT_ARGS(Client_Devices, 40, PJRT_Client *client; PJRT_Device *const *devices /* out */;
             size_t num_devices /* out */;)
HD_PJRT_ARGS(Client_AddressableDevices, 40, PJRT_Client *client; PJRT_Device *const *addressable_devices /* out */;
             size_t num_addressable_devices /* out */;)
HD_PJRT_ARGS(Client_LookupDevice, 40, PJRT_Client *client; int id; PJRT_Device * device /* out */;)
HD_PJRT_ARGS(Client_LookupAddressableDevice, 40, PJRT_Client *client; int local_hardware_id;
             PJRT_Device * addressable_device /* out */;)
HD_PJRT_ARGS(Client_AddressableMemories, 40, PJRT_Client *client; PJRT_Memory *const *addressable_memories /* out */;
             size_t num_addressable_memories /* out */;)
HD_PJRT_ARGS(Client_Compile, 56, PJRT_Client *client; const PJRT_Program *program; const char *compile_options;
             size_t compile_options_size; PJRT_LoadedExecutable * executable /* out */;)
HD_PJRT_ARGS(Client_DefaultDeviceAssignment, 48, PJRT_Client *client; int num_replicas; int num_partitions;
             size_t default_assignment_size; int *default_assignment /* filled */;)
HD_PJRT_ARGS(Client_UpdateGlobalProcessInfo, 40, PJRT_Client *client; const void *process_infos;
             size_t num_process_infos;)
HD_PJRT_ARGS(Client_CreateUninitializedBuffer, 80, PJRT_Client *client; const int64_t *shape_dims;
             size_t shape_num_dims; PJRT_Buffer_Type shape_element_type; PJRT_Buffer_MemoryLayout * shape_layout;
             PJRT_Device * device; PJRT_Memory * memory; PJRT_Buffer * buffer /* out */;)
HD_PJRT_ARGS(Client_CreateErrorBuffer, 96, PJRT_Client *client; PJRT_Error_Code error_code; const char *error_message;
             size_t error_message_size; const int64_t *shape_dims; size_t shape_num_dims;
             PJRT_Buffer_Type shape_element_type; PJRT_Buffer_MemoryLayout * shape_layout; PJRT_Memory * memory;
             PJRT_Buffer * buffer /* out */;)
HD_PJRT_ARGS(Client_BufferFromHostBuffer, 120, PJRT_Client *client; const void *data; PJRT_Buffer_Type type;
             const int64_t *dims; size_t num_dims; const int64_t *byte_strides /* none: dense row major */;
             size_t num_byte_strides; PJRT_HostBufferSemantics host_buffer_semantics; PJRT_Device * device;
             PJRT_Memory * memory /* set: instead of device */; PJRT_Buffer_MemoryLayout * device_layout;
             PJRT_Event * done_with_host_buffer /* out */; PJRT_Buffer * buffer /* out */;)
HD_PJRT_ARGS(Client_CreateViewOfDeviceBuffer, 112, PJRT_Client *client; void *device_buffer_ptr; const int64_t *dims;
             size_t num_dims; PJRT_Buffer_Type element_type; PJRT_Buffer_MemoryLayout * layout; PJRT_Device * device;
             void (*on_delete_callback)(void *device_buffer_ptr, void *user_arg); void *on_delete_callback_arg;
             intptr_t stream; PJRT_Buffer * buffer /* out */; PJRT_Memory * memory /* set: instead of device */;)

HD_PJRT_ARGS(DeviceDescription_Id, 28, PJRT_DeviceDescription *device_description; int id /* out */;)
HD_PJRT_ARGS(DeviceDescription_ProcessIndex, 28, PJRT_DeviceDescription *device_description;
             int process_index /* out */;)
HD_PJRT_ARGS(DeviceDescription_Attributes, 40, PJRT_DeviceDescription *device_description;
             size_t num_attributes /* out */; const PJRT_NamedValue *attributes /* out */;)
HD_PJRT_ARGS(DeviceDescription_Kind, 40, PJRT_DeviceDescription *device_description; const char *device_kind /* out */;
             size_t device_kind_size /* out */;)
HD_PJRT_ARGS(DeviceDescription_DebugString, 40, PJRT_DeviceDescription *device_description;
             const char *debug_string /* out */; size_t debug_string_size /* out */;)
HD_PJRT_ARGS(DeviceDescription_ToString, 40, PJRT_DeviceDescription *device_description;
             const char *to_string /* out */; size_t to_string_size /* out */;)

HD_PJRT_ARGS(Device_GetDescription, 32, PJRT_Device *device; PJRT_DeviceDescription * device_description /* out */;)
HD_PJRT_ARGS(Device_IsAddressable, 25, PJRT_Device *device; bool is_addressable /* out */;)
HD_PJRT_ARGS(Device_LocalHardwareId, 28, PJRT_Device *device; int local_hardware_id /* out */;)
HD_PJRT_ARGS(Device_AddressableMemories, 40, PJRT_Device *device; PJRT_Memory *const *memories /* out */;
             size_t num_memories /* out */;)
HD_PJRT_ARGS(Device_DefaultMemory, 32, PJRT_Device *device; PJRT_Memory * memory /* out */;)
/* All out; each but the first with a flag that it is set. */
#define STAT(name) \
  int64_t name;    \
  bool name##_is_set;
HD_PJRT_ARGS(Device_MemoryStats, 185, PJRT_Device *device; int64_t bytes_in_use;
             STAT(peak_bytes_in_use) STAT(num_allocs) STAT(largest_alloc_size) STAT(bytes_limit) STAT(bytes_reserved)
                 STAT(peak_bytes_reserved) STAT(bytes_reservable_limit) STAT(largest_free_block_bytes) STAT(pool_bytes)
                     STAT(peak_pool_bytes))
#undef STAT
HD_PJRT_ARGS(Device_GetAttributes, 56, PJRT_Device *device; const PJRT_NamedValue *attributes /* out */;
             size_t num_attributes /* out */; PJRT_Bytes * device_attributes /* out */;
             void (*attributes_deleter)(PJRT_Bytes *device_attributes) /* out */;)

HD_PJRT_ARGS(Memory_Id, 28, PJRT_Memory *memory; int id /* out */;)
HD_PJRT_ARGS(Memory_Kind, 40, PJRT_Memory *memory; const char *kind /* out */; size_t kind_size /* out */;)
HD_PJRT_ARGS(Memory_Kind_Id, 28, PJRT_Memory *memory; int kind_id /* out */;)
HD_PJRT_ARGS(Memory_DebugString, 40, PJRT_Memory *memory; const char *debug_string /* out */;
             size_t debug_string_size /* out */;)
HD_PJRT_ARGS(Memory_ToString, 40, PJRT_Memory *memory; const char *to_string /* out */;
             size_t to_string_size /* out */;)
HD_PJRT_ARGS(Memory_AddressableByDevices, 40, PJRT_Memory *memory; PJRT_Device *const *devices /* out */;
             size_t num_devices /* out */;)

HD_PJRT_ARGS_OF(ExecuteContext_Create, PJRT_ExecuteContext, context /* out */)
HD_PJRT_ARGS_OF(ExecuteContext_Destroy, PJRT_ExecuteContext, context)

HD_PJRT_ARGS_OF(Executable_Destroy, PJRT_Executable, executable)
HD_PJRT_ARGS(Executable_Name, 40, PJRT_Executable *executable; const char *executable_name /* out */;
             size_t executable_name_size /* out */;)
HD_PJRT_ARGS(Executable_NumReplicas, 32, PJRT_Executable *executable; size_t num_replicas /* out */;)
HD_PJRT_ARGS(Executable_NumPartitions, 32, PJRT_Executable *executable; size_t num_partitions /* out */;)
HD_PJRT_ARGS(Executable_NumOutputs, 32, PJRT_Executable *executable; size_t num_outputs /* out */;)
HD_PJRT_ARGS(Executable_SizeOfGeneratedCodeInBytes, 32, PJRT_Executable *executable; int64_t size_in_bytes /* out */;)
HD_PJRT_ARGS(Executable_Fingerprint, 40, PJRT_Executable *executable; const char *executable_fingerprint /* out */;
             size_t executable_fingerprint_size /* out */;)
HD_PJRT_ARGS(Executable_GetCostAnalysis, 40, PJRT_Executable *executable; size_t num_properties /* out */;
             const PJRT_NamedValue *properties /* out */;)
HD_PJRT_ARGS(Executable_GetCompiledMemoryStats, 120, PJRT_Executable *executable; /* all out */
             int64_t generated_code_size_in_bytes; int64_t argument_size_in_bytes; int64_t output_size_in_bytes;
             int64_t alias_size_in_bytes; int64_t temp_size_in_bytes; int64_t host_generated_code_size_in_bytes;
             int64_t host_argument_size_in_bytes; int64_t host_output_size_in_bytes; int64_t host_alias_size_in_bytes;
             int64_t host_temp_size_in_bytes; int64_t peak_memory_in_bytes; int64_t total_size_in_bytes;)
HD_PJRT_ARGS(Executable_OutputElementTypes, 40, PJRT_Executable *executable; PJRT_Buffer_Type * output_types /* out */;
             size_t num_output_types /* out */;)
HD_PJRT_ARGS(Executable_OutputDimensions, 48, PJRT_Executable *executable; size_t num_outputs /* out */;
             const int64_t *dims /* out, of all outputs */; const size_t *dim_sizes /* out */;)
HD_PJRT_ARGS(Executable_OutputMemoryKinds, 48, PJRT_Executable *executable; size_t num_outputs /* out */;
             const char *const *memory_kinds /* out */; const size_t *memory_kind_sizes /* out */;)
HD_PJRT_ARGS(Executable_OptimizedProgram, 32, PJRT_Executable *executable; PJRT_Program * program /* filled */;)
HD_PJRT_ARGS(Executable_Serialize, 56, const PJRT_Executable *executable; const char *serialized_bytes /* out */;
             size_t serialized_bytes_size /* out */; PJRT_Bytes * serialized_executable /* out */;
             void (*serialized_executable_deleter)(PJRT_Bytes *bytes) /* out */;)
HD_PJRT_ARGS(Executable_GetCompileOptions, 56, PJRT_Executable *executable; const char *serialized_bytes /* out */;
             size_t serialized_bytes_size /* out */; PJRT_Bytes * serialized_compile_options /* out */;
             void (*serialized_compile_options_deleter)(PJRT_Bytes *bytes) /* out */;)
HD_PJRT_ARGS(Executable_DeserializeAndLoad, 64, PJRT_Client *client; const char *serialized_executable;
             size_t serialized_executable_size; PJRT_LoadedExecutable * loaded_executable /* out */;
             const char *overridden_serialized_compile_options; size_t overridden_serialized_compile_options_size;)

HD_PJRT_ARGS_OF(LoadedExecutable_Destroy, PJRT_LoadedExecutable, executable)
HD_PJRT_ARGS(LoadedExecutable_GetExecutable, 32, PJRT_LoadedExecutable *loaded_executable;
             PJRT_Executable * executable /* out */;)
HD_PJRT_ARGS(LoadedExecutable_GetDeviceAssignment, 56, PJRT_LoadedExecutable *executable;
             const char *serialized_bytes /* out */; size_t serialized_bytes_size /* out */;
             PJRT_Bytes * serialized_device_assignment /* out */;
             void (*serialized_device_assignment_deleter)(PJRT_Bytes *bytes) /* out */;)
HD_PJRT_ARGS(LoadedExecutable_AddressableDevices, 40, PJRT_LoadedExecutable *executable;
             PJRT_Device *const *addressable_devices /* out */; size_t num_addressable_devices /* out */;)
HD_PJRT_ARGS_OF(LoadedExecutable_Delete, PJRT_LoadedExecutable, executable)
HD_PJRT_ARGS(LoadedExecutable_IsDeleted, 25, PJRT_LoadedExecutable *executable; bool is_deleted /* out */;)
HD_PJRT_ARGS(LoadedExecutable_Fingerprint, 40, PJRT_LoadedExecutable *executable;
             const char *executable_fingerprint /* out */; size_t executable_fingerprint_size /* out */;)
/* |argument_lists| and |output_lists| have one list per device; |device_complete_events|, where not null, too. */
HD_PJRT_ARGS(LoadedExecutable_Execute, 80, PJRT_LoadedExecutable *executable; PJRT_ExecuteOptions * options;
             PJRT_Buffer *const *const *argument_lists; size_t num_devices; size_t num_args;
             PJRT_Buffer * *const *output_lists /* filled */; PJRT_Event * *device_complete_events /* filled */;
             PJRT_Device * execute_device;)

HD_PJRT_ARGS_OF(Buffer_Destroy, PJRT_Buffer, buffer)
HD_PJRT_ARGS(Buffer_ElementType, 28, PJRT_Buffer *buffer; PJRT_Buffer_Type type /* out */;)
HD_PJRT_ARGS(Buffer_Dimensions, 40, PJRT_Buffer *buffer; const int64_t *dims /* out */; size_t num_dims /* out */;)
HD_PJRT_ARGS(Buffer_UnpaddedDimensions, 40, PJRT_Buffer *buffer; const int64_t *unpadded_dims /* out */;
             size_t num_dims /* out */;)
HD_PJRT_ARGS(Buffer_DynamicDimensionIndices, 40, PJRT_Buffer *buffer; const size_t *dynamic_dim_indices /* out */;
             size_t num_dynamic_dims /* out */;)
HD_PJRT_ARGS(Buffer_GetMemoryLayout, 104, PJRT_Buffer *buffer; PJRT_Buffer_MemoryLayout layout /* out */;)
HD_PJRT_ARGS(Buffer_ToHostBuffer, 56, PJRT_Buffer *src;
             PJRT_Buffer_MemoryLayout * host_layout /* null: as the buffer */; void *dst /* null: asks for the size */;
             size_t dst_size /* in, out */; PJRT_Event * event /* out */;)
HD_PJRT_ARGS(Buffer_OnDeviceSizeInBytes, 32, PJRT_Buffer *buffer; size_t on_device_size_in_bytes /* out */;)
HD_PJRT_ARGS_OF(Buffer_Delete, PJRT_Buffer, buffer)
HD_PJRT_ARGS(Buffer_IsDeleted, 25, PJRT_Buffer *buffer; bool is_deleted /* out */;)
HD_PJRT_ARGS(Buffer_CopyRawToHost, 56, PJRT_Buffer *buffer; void *dst; int64_t offset; int64_t transfer_size;
             PJRT_Event * event /* out */;)
HD_PJRT_ARGS(Buffer_CopyToDevice, 40, PJRT_Buffer *buffer; PJRT_Device * dst_device;
             PJRT_Buffer * dst_buffer /* out */;)
HD_PJRT_ARGS(Buffer_CopyToMemory, 40, PJRT_Buffer *buffer; PJRT_Memory * dst_memory;
             PJRT_Buffer * dst_buffer /* out */;)
HD_PJRT_ARGS(Buffer_IsOnCpu, 25, PJRT_Buffer *buffer; bool is_on_cpu /* out */;)
HD_PJRT_ARGS(Buffer_Device, 32, PJRT_Buffer *buffer; PJRT_Device * device /* out */;)
HD_PJRT_ARGS(Buffer_Memory, 32, PJRT_Buffer *buffer; PJRT_Memory * memory /* out */;)
HD_PJRT_ARGS(Buffer_ReadyEvent, 32, PJRT_Buffer *buffer; PJRT_Event * event /* out */;)
HD_PJRT_ARGS(Buffer_UnsafePointer, 32, PJRT_Buffer *buffer; uintptr_t buffer_pointer /* out */;)
HD_PJRT_ARGS_OF(Buffer_IncreaseExternalReferenceCount, PJRT_Buffer, buffer)
HD_PJRT_ARGS_OF(Buffer_DecreaseExternalReferenceCount, PJRT_Buffer, buffer)
HD_PJRT_ARGS(Buffer_OpaqueDeviceMemoryDataPointer, 32, PJRT_Buffer *buffer; void *device_memory_ptr /* out */;)

HD_PJRT_ARGS(TopologyDescription_Create, 56, const char *topology_name; size_t topology_name_size;
             const PJRT_NamedValue *create_options; size_t num_options; PJRT_TopologyDescription * topology /* out */;)
HD_PJRT_ARGS_OF(TopologyDescription_Destroy, PJRT_TopologyDescription, topology)
HD_PJRT_ARGS(TopologyDescription_PlatformName, 40, const PJRT_TopologyDescription *topology;
             const char *platform_name /* out */; size_t platform_name_size /* out */;)
HD_PJRT_ARGS(TopologyDescription_PlatformVersion, 40, PJRT_TopologyDescription *topology;
             const char *platform_version /* out */; size_t platform_version_size /* out */;)
HD_PJRT_ARGS(TopologyDescription_GetDeviceDescriptions, 40, const PJRT_TopologyDescription *topology;
             PJRT_DeviceDescription *const *descriptions /* out */; size_t num_descriptions /* out */;)
HD_PJRT_ARGS(TopologyDescription_Attributes, 40, PJRT_TopologyDescription *topology;
             const PJRT_NamedValue *attributes /* out */; size_t num_attributes /* out */;)

#endif
