/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers: a promise of memory, with the shape that is known from the start. */
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

/* ---- element types --------------------------------------------------------------------------------------------- */

/* The interface's numbers. Its integers of one bit have no counterpart. */
static const uint8_t types[HD_ELEMENT_TYPE_LIMIT] = {
#define X(id, number, type_class, bits, text, ral_name, xla_name, c_type) [number] = PJRT_Buffer_Type_##xla_name,
    HD_ELEMENT_TYPES(X)
#undef X
};

hd_element_type hd_pjrt_element(PJRT_Buffer_Type type) {
  int element = type == PJRT_Buffer_Type_INVALID ? HD_ELEMENT_TYPE_LIMIT : 1;
  while (element < HD_ELEMENT_TYPE_LIMIT && types[element] != type) ++element;
  return element == HD_ELEMENT_TYPE_LIMIT ? HD_ELEMENT_INVALID : (hd_element_type)element;
}

PJRT_Buffer_Type hd_pjrt_buffer_type(hd_element_type type) {
  return (PJRT_Buffer_Type)types[(unsigned)type < HD_ELEMENT_TYPE_LIMIT ? type : HD_ELEMENT_INVALID];
}

hd_status hd_pjrt_read_shape(PJRT_Buffer_Type type, size_t rank, const int64_t *dims, hd_element_type *out_type) {
  *out_type = hd_pjrt_element(type);
  if (*out_type == HD_ELEMENT_INVALID) {
    const char *name = type == PJRT_Buffer_Type_S1 ? " (int1)" : type == PJRT_Buffer_Type_U1 ? " (uint1)" : "";
    return hd_make_status(HD_UNIMPLEMENTED, "element type %d%s of the PJRT C API has no counterpart", (int)type, name);
  }
  if (rank > HD_PJRT_MAX_RANK)
    return hd_make_status(HD_INVALID_ARGUMENT, "rank %zu, expected at most %d", rank, HD_PJRT_MAX_RANK);
  if (rank && !dims) return hd_make_status(HD_INVALID_ARGUMENT, "the dims of a tensor of rank %zu are null", rank);
  int64_t bytes = (int64_t)hd_element_bytes(*out_type);
  for (size_t i = 0; i < rank; ++i) {
    if (dims[i] < 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "dim %zu is %lld, expected at least 0", i, (long long)dims[i]);
    if (__builtin_mul_overflow(bytes, dims[i] ? dims[i] : 1, &bytes))
      return hd_make_status(HD_INVALID_ARGUMENT, "a tensor of rank %zu takes more bytes than 64 bits count", rank);
  }
  return HD_STATUS_OK;
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

hd_status hd_pjrt_buffer_make(PJRT_Memory *memory, PJRT_Buffer_Type type, size_t rank, const int64_t *dims,
                              hd_promise *promise, PJRT_Buffer **out) {
  PJRT_Buffer *buffer = *out = calloc(1, sizeof *buffer + 2 * rank * sizeof *dims);
  if (!buffer) return hd_pjrt_out_of_memory();
  buffer->client = hd_pjrt_client_retain(memory->device->client);
  buffer->memory = memory;
  buffer->type = type;
  buffer->rank = rank;
  for (size_t i = 0; i < rank; ++i) {
    buffer->dims[i] = dims[i];
    buffer->dims[rank + i] = (int64_t)(rank - 1 - i);
  }
  pthread_mutex_init(&buffer->mutex, NULL);
  buffer->promise = hd_promise_retain(promise);
  return HD_STATUS_OK;
}

void hd_pjrt_buffer_set_order(PJRT_Buffer *buffer, const int64_t *order) {
  for (size_t k = 0; order && k < buffer->rank; ++k) buffer->dims[2 * buffer->rank - 1 - k] = order[k];
}

static hd_status gone(void) { return hd_make_status(HD_INVALID_ARGUMENT, "the buffer has been deleted or donated"); }

hd_promise *hd_pjrt_buffer_gone(void) { return hd_promise_create_done(gone(), NULL); }

hd_status hd_pjrt_buffer_promise(PJRT_Buffer *buffer, hd_promise **out) {
  pthread_mutex_lock(&buffer->mutex);
  *out = hd_promise_retain(buffer->promise);
  pthread_mutex_unlock(&buffer->mutex);
  return *out ? HD_STATUS_OK : gone();
}

hd_status hd_pjrt_buffer_donate(PJRT_Buffer *buffer, hd_promise **out, bool *out_writable) {
  pthread_mutex_lock(&buffer->mutex);
  *out = buffer->promise;
  *out_writable = !buffer->external && !buffer->borrowed;
  buffer->promise = NULL;
  pthread_mutex_unlock(&buffer->mutex);
  return *out ? HD_STATUS_OK : gone();
}

void hd_pjrt_buffer_restore(PJRT_Buffer *buffer, hd_promise *promise) {
  pthread_mutex_lock(&buffer->mutex);
  hd_promise *extra = buffer->promise;
  buffer->promise = promise;
  pthread_mutex_unlock(&buffer->mutex);
  hd_promise_release(extra);
}

static void delete_value(PJRT_Buffer *buffer) {
  pthread_mutex_lock(&buffer->mutex);
  hd_promise *promise = buffer->promise;
  buffer->promise = NULL;
  pthread_mutex_unlock(&buffer->mutex);
  hd_promise_release(promise);
}

hd_status hd_pjrt_Buffer_Destroy(PJRT_Buffer_Destroy_Args *args) {
  PJRT_Buffer *buffer = args->buffer;
  if (!buffer) return HD_STATUS_OK;
  delete_value(buffer);
  hd_buffer_release(buffer->pinned);
  pthread_mutex_destroy(&buffer->mutex);
  PJRT_Client *client = buffer->client;
  free(buffer);
  hd_pjrt_client_release(client);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Buffer_Delete(PJRT_Buffer_Delete_Args *args) {
  delete_value(args->buffer);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Buffer_IsDeleted(PJRT_Buffer_IsDeleted_Args *args) {
  pthread_mutex_lock(&args->buffer->mutex);
  args->is_deleted = !args->buffer->promise;
  pthread_mutex_unlock(&args->buffer->mutex);
  return HD_STATUS_OK;
}

/* ---- what can be asked ----------------------------------------------------------------------------------------- */

hd_status hd_pjrt_Buffer_ElementType(PJRT_Buffer_ElementType_Args *args) {
  args->type = args->buffer->type;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Buffer_Dimensions(PJRT_Buffer_Dimensions_Args *args) {
  args->dims = args->buffer->dims;
  args->num_dims = args->buffer->rank;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Buffer_UnpaddedDimensions(PJRT_Buffer_UnpaddedDimensions_Args *args) {
  args->unpadded_dims = args->buffer->dims;
  args->num_dims = args->buffer->rank;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Buffer_DynamicDimensionIndices(PJRT_Buffer_DynamicDimensionIndices_Args *args) {
  args->dynamic_dim_indices = NULL;
  args->num_dynamic_dims = 0;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args *args) {
  PJRT_Buffer *buffer = args->buffer;
  args->layout = (PJRT_Buffer_MemoryLayout){.struct_size = HD_PJRT_SIZE_OF(PJRT_Buffer_MemoryLayout, type),
                                            .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
                                            .tiled = {.struct_size = sizeof(PJRT_Buffer_MemoryLayout_Tiled),
                                                      .minor_to_major = buffer->dims + buffer->rank,
                                                      .minor_to_major_size = buffer->rank}};
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Buffer_OnDeviceSizeInBytes(PJRT_Buffer_OnDeviceSizeInBytes_Args *args) {
  args->on_device_size_in_bytes = hd_pjrt_dense_bytes(args->buffer);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Buffer_Device(PJRT_Buffer_Device_Args *args) {
  args->device = args->buffer->memory->device;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Buffer_Memory(PJRT_Buffer_Memory_Args *args) {
  args->memory = args->buffer->memory;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Buffer_IsOnCpu(PJRT_Buffer_IsOnCpu_Args *args) {
  args->is_on_cpu = !args->buffer->client->is_device;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args *args) {
  hd_promise *promise;
  hd_status status = hd_pjrt_buffer_promise(args->buffer, &promise);
  if (!hd_is_ok(status)) promise = hd_promise_retain(args->buffer->client->gone); /* this function never fails */
  hd_status_free(status);
  args->event = hd_promise_as_event(promise);
  return HD_STATUS_OK;
}

/* The address of the value, which is waited for. */
static hd_status address_of(PJRT_Buffer *buffer, void **out) {
  *out = NULL;
  hd_promise *promise;
  HD_TRY(hd_pjrt_buffer_promise(buffer, &promise));
  hd_promise_wait(promise);
  hd_status status = hd_pjrt_status_copy(promise->outcome);
  if (hd_is_ok(status)) {
    *out = hd_buffer_device_data(promise->value);
    if (!*out) *out = hd_buffer_data(promise->value);
  }
  hd_promise_release(promise);
  return status;
}

hd_status hd_pjrt_Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args *args) {
  void *address;
  hd_status status = address_of(args->buffer, &address);
  args->buffer_pointer = (uintptr_t)address;
  return status;
}

hd_status hd_pjrt_Buffer_OpaqueDeviceMemoryDataPointer(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args *args) {
  return address_of(args->buffer, &args->device_memory_ptr);
}

/* While other frameworks hold it, the memory outlives deletion and is never written by a donation. */
hd_status hd_pjrt_Buffer_IncreaseExternalReferenceCount(PJRT_Buffer_IncreaseExternalReferenceCount_Args *args) {
  PJRT_Buffer *buffer = args->buffer;
  hd_promise *promise;
  HD_TRY(hd_pjrt_buffer_promise(buffer, &promise));
  hd_promise_wait(promise);
  hd_status status = hd_pjrt_status_copy(promise->outcome);
  if (hd_is_ok(status)) {
    pthread_mutex_lock(&buffer->mutex);
    if (!buffer->external++) buffer->pinned = hd_buffer_retain(promise->value);
    pthread_mutex_unlock(&buffer->mutex);
  }
  hd_promise_release(promise);
  return status;
}

hd_status hd_pjrt_Buffer_DecreaseExternalReferenceCount(PJRT_Buffer_DecreaseExternalReferenceCount_Args *args) {
  PJRT_Buffer *buffer = args->buffer;
  hd_buffer *free_now = NULL;
  pthread_mutex_lock(&buffer->mutex);
  bool held = buffer->external > 0;
  if (held && !--buffer->external) {
    free_now = buffer->pinned;
    buffer->pinned = NULL;
  }
  pthread_mutex_unlock(&buffer->mutex);
  hd_buffer_release(free_now);
  return held ? HD_STATUS_OK : hd_make_status(HD_FAILED_PRECONDITION, "the buffer has no external reference");
}
