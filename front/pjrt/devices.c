/* SPDX-License-Identifier: Apache-2.0 */
/* What the interface asks of devices, their descriptions and their memories, which the client has made (client.c). */
#include <string.h>

#include "plugin.h"

/* ---- device descriptions --------------------------------------------------------------------------------------- */

hd_status hd_pjrt_DeviceDescription_Id(PJRT_DeviceDescription_Id_Args *args) {
  args->id = args->device_description->id;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_DeviceDescription_ProcessIndex(PJRT_DeviceDescription_ProcessIndex_Args *args) {
  args->process_index = 0;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_DeviceDescription_Attributes(PJRT_DeviceDescription_Attributes_Args *args) {
  args->attributes = NULL;
  args->num_attributes = 0;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_DeviceDescription_Kind(PJRT_DeviceDescription_Kind_Args *args) {
  args->device_kind = args->device_description->kind;
  args->device_kind_size = strlen(args->device_kind);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_DeviceDescription_DebugString(PJRT_DeviceDescription_DebugString_Args *args) {
  args->debug_string = args->device_description->text;
  args->debug_string_size = strlen(args->debug_string);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_DeviceDescription_ToString(PJRT_DeviceDescription_ToString_Args *args) {
  args->to_string = args->device_description->text;
  args->to_string_size = strlen(args->to_string);
  return HD_STATUS_OK;
}

/* ---- devices --------------------------------------------------------------------------------------------------- */

hd_status hd_pjrt_Device_GetDescription(PJRT_Device_GetDescription_Args *args) {
  args->device_description = &args->device->description;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Device_IsAddressable(PJRT_Device_IsAddressable_Args *args) {
  args->is_addressable = true;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Device_LocalHardwareId(PJRT_Device_LocalHardwareId_Args *args) {
  args->local_hardware_id = args->device->description.id;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Device_AddressableMemories(PJRT_Device_AddressableMemories_Args *args) {
  args->memories = args->device->memory_list;
  args->num_memories = HD_PJRT_MEMORIES;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Device_DefaultMemory(PJRT_Device_DefaultMemory_Args *args) {
  args->memory = args->device->memory_list[0];
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Device_MemoryStats(PJRT_Device_MemoryStats_Args *args) {
  hd_memory_stats stats = hd_runtime_memory(args->device->client->runtime);
  args->bytes_in_use = (int64_t)stats.bytes_live;
  args->peak_bytes_in_use = (int64_t)stats.bytes_peak;
  args->num_allocs = (int64_t)stats.allocations;
  args->pool_bytes = (int64_t)(stats.bytes_live + stats.bytes_pooled);
  args->peak_bytes_in_use_is_set = args->num_allocs_is_set = args->pool_bytes_is_set = true;
  args->largest_alloc_size_is_set = args->bytes_limit_is_set = args->bytes_reserved_is_set = false;
  args->peak_bytes_reserved_is_set = args->bytes_reservable_limit_is_set = false;
  args->largest_free_block_bytes_is_set = args->peak_pool_bytes_is_set = false;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Device_GetAttributes(PJRT_Device_GetAttributes_Args *args) {
  args->attributes = NULL;
  args->num_attributes = 0;
  args->device_attributes = NULL;
  args->attributes_deleter = hd_pjrt_bytes_free;
  return HD_STATUS_OK;
}

/* ---- memories -------------------------------------------------------------------------------------------------- */

hd_status hd_pjrt_Memory_Id(PJRT_Memory_Id_Args *args) {
  args->id = args->memory->id;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Memory_Kind(PJRT_Memory_Kind_Args *args) {
  args->kind = args->memory->kind;
  args->kind_size = strlen(args->kind);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Memory_Kind_Id(PJRT_Memory_Kind_Id_Args *args) {
  args->kind_id = args->memory->kind_id;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Memory_DebugString(PJRT_Memory_DebugString_Args *args) {
  args->debug_string = args->memory->text;
  args->debug_string_size = strlen(args->debug_string);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Memory_ToString(PJRT_Memory_ToString_Args *args) {
  args->to_string = args->memory->text;
  args->to_string_size = strlen(args->to_string);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Memory_AddressableByDevices(PJRT_Memory_AddressableByDevices_Args *args) {
  PJRT_Device *device = args->memory->device;
  args->devices = &device->client->device_list[device->description.id];
  args->num_devices = 1;
  return HD_STATUS_OK;
}
