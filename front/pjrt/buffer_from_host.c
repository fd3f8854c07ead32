/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers from host memory, and buffers of memory that is somebody else's. */
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

/* Which memory a request means. */
static hd_status place(PJRT_Client *client, PJRT_Device *device, PJRT_Memory *memory, PJRT_Memory **out) {
  *out = memory ? memory : device ? &device->memories[0] : &client->devices[0].memories[0];
  if ((*out)->device->client != client) return hd_make_status(HD_INVALID_ARGUMENT, "the memory is another client's");
  return HD_STATUS_OK;
}

static int64_t or_one(int64_t dim) { return dim ? dim : 1; }

hd_status hd_pjrt_read_layout(const PJRT_Buffer_MemoryLayout *layout, size_t rank, const int64_t *dims,
                              hd_element_type type, int64_t *out_strides, bool *out_dense) {
  int64_t stride = (int64_t)hd_element_bytes(type);
  if (layout && layout->struct_size) /* jaxlib leaves it 0 in layouts that it makes whole */
    HD_TRY(hd_pjrt_check_whole("PJRT_Buffer_MemoryLayout", layout, HD_PJRT_SIZE_OF(PJRT_Buffer_MemoryLayout, type)));
  bool given = layout && layout->type == PJRT_Buffer_MemoryLayout_Type_Tiled && layout->tiled.minor_to_major_size;
  *out_dense = true;
  if (layout && layout->type == PJRT_Buffer_MemoryLayout_Type_Strides) {
    if (layout->strides.num_byte_strides != rank || (rank && !layout->strides.byte_strides))
      return hd_make_status(HD_INVALID_ARGUMENT, "a layout of %zu strides, expected %zu",
                            layout->strides.num_byte_strides, rank);
    for (size_t i = 0; i < rank; ++i) out_strides[i] = layout->strides.byte_strides[i];
  } else if (layout && layout->type != PJRT_Buffer_MemoryLayout_Type_Tiled) {
    return hd_make_status(HD_INVALID_ARGUMENT, "a layout of unknown kind %d", (int)layout->type);
  } else if (layout && layout->tiled.num_tiles) {
    return hd_make_status(HD_UNIMPLEMENTED, "buffers have no tiles; a layout with %zu was asked for",
                          layout->tiled.num_tiles);
  } else {
    if (given && (layout->tiled.minor_to_major_size != rank || !layout->tiled.minor_to_major))
      return hd_make_status(HD_INVALID_ARGUMENT, "a layout of %zu dims, expected %zu",
                            layout->tiled.minor_to_major_size, rank);
    for (size_t i = 0; i < rank; ++i) out_strides[i] = -1;
    for (size_t i = 0; i < rank; ++i) {
      int64_t dim = given ? layout->tiled.minor_to_major[i] : (int64_t)(rank - 1 - i);
      if (dim < 0 || dim >= (int64_t)rank || out_strides[dim] >= 0)
        return hd_make_status(HD_INVALID_ARGUMENT, "a layout whose minor_to_major[%zu] is %lld, expected each dim once",
                              i, (long long)dim);
      out_strides[dim] = stride;
      stride *= or_one(dims[dim]);
    }
  }
  stride = (int64_t)hd_element_bytes(type);
  for (size_t i = rank; i-- > 0; stride *= or_one(dims[i])) *out_dense &= dims[i] <= 1 || out_strides[i] == stride;
  return HD_STATUS_OK;
}

/* Device memory is dense and row major; a caller may ask for just that. */
static hd_status check_layout(const PJRT_Buffer_MemoryLayout *layout, size_t rank, const int64_t *dims,
                              hd_element_type type) {
  int64_t strides[HD_PJRT_MAX_RANK];
  bool dense;
  if (!layout) return HD_STATUS_OK;
  HD_TRY(hd_pjrt_read_layout(layout, rank, dims, type, strides, &dense));
  return dense ? HD_STATUS_OK
               : hd_make_status(HD_UNIMPLEMENTED, "buffers are dense and row major; another layout was asked for");
}

static void keep_done(void *user, void *data) {
  (void)data;
  hd_promise_keep(user, HD_STATUS_OK, NULL);
  hd_promise_release(user);
}

/* Rows of |strides| in bytes, to dense memory. */
static void copy_strided(char *to, const char *from, size_t element, size_t rank, const int64_t *dims,
                         const int64_t *strides) {
  if (!rank) {
    memcpy(to, from, element);
    return;
  }
  int64_t rest = (int64_t)element;
  for (size_t i = 1; i < rank; ++i) rest *= dims[i];
  bool dense = true;
  int64_t want = (int64_t)element;
  for (size_t i = rank; dense && i-- > 0; want *= dims[i]) dense = dims[i] == 1 || strides[i] == want;
  if (dense) {
    memcpy(to, from, (size_t)(rest * dims[0]));
    return;
  }
  for (int64_t i = 0; i < dims[0]; ++i)
    copy_strided(to + i * rest, from + i * strides[0], element, rank - 1, dims + 1, strides + 1);
}

enum { ZERO_COPY_BYTES = 16384, ALIGNMENT = 64 };

/* A host's truth values may be any bytes; in a buffer they are 0 and 1, whoever reads it and as what. */
static bool are_zeros_and_ones(const unsigned char *bytes, int64_t count) {
  unsigned char all = 0;
  for (int64_t i = 0; i < count; ++i) all |= bytes[i];
  return all <= 1;
}

static void make_zeros_and_ones(unsigned char *bytes, int64_t count) {
  for (int64_t i = 0; i < count; ++i) bytes[i] = bytes[i] != 0;
}

static void release_host(void *user, void *data) {
  (void)user;
  free(data);
}

hd_status hd_pjrt_value_create(const PJRT_Memory *memory, hd_element_type type, int32_t rank, const int64_t *dims,
                               hd_buffer **out_value) {
  PJRT_Client *client = memory->device->client;
  *out_value = NULL;
  if (!client->is_device || !memory->kind_id) return hd_buffer_create(client->runtime, type, rank, dims, out_value);
  size_t bytes = hd_element_bytes(type);
  for (int32_t i = 0; i < rank; ++i) bytes *= (size_t)dims[i];
  void *data = bytes < SIZE_MAX / 2 ? aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT) : NULL;
  if (!data) return hd_pjrt_out_of_memory();
  hd_status status = hd_buffer_wrap(client->runtime, type, rank, dims, NULL, data, release_host, NULL, out_value);
  if (!hd_is_ok(status)) free(data);
  return status;
}

/* Dense elements, truth values as 0 and 1, in |to|. */
static void copy_elements(void *to, const PJRT_Client_BufferFromHostBuffer_Args *args, hd_element_type type,
                          int64_t bytes, bool dense) {
  if (dense)
    memcpy(to, args->data, (size_t)bytes);
  else
    copy_strided(to, args->data, hd_element_bytes(type), args->num_dims, args->dims, args->byte_strides);
  if (type == HD_ELEMENT_I1) make_zeros_and_ones(to, bytes);
}

static hd_status fill(hd_buffer *value, const PJRT_Client_BufferFromHostBuffer_Args *args, hd_element_type type,
                      int64_t bytes, bool dense) {
  void *data = hd_buffer_data(value);
  if (data || !bytes) {
    if (bytes) copy_elements(data, args, type, bytes, dense);
    return HD_STATUS_OK;
  }
  if (dense && type != HD_ELEMENT_I1) return hd_buffer_write(value, args->data, (size_t)bytes);
  void *copy = malloc((size_t)bytes);
  if (!copy) return hd_pjrt_out_of_memory();
  copy_elements(copy, args, type, bytes, dense);
  hd_status status = hd_buffer_write(value, copy, (size_t)bytes);
  free(copy);
  return status;
}

/* The memory behind a new buffer: the host's own where that is allowed and pays, else a copy. */
static hd_status take_host(PJRT_Client_BufferFromHostBuffer_Args *args, const PJRT_Memory *memory, hd_element_type type,
                           hd_promise *done, hd_buffer **out, bool *out_borrowed) {
  size_t element = hd_element_bytes(type);
  int64_t bytes = (int64_t)element, want = (int64_t)element;
  bool dense = true, strided = args->num_byte_strides != 0;
  if (strided && (args->num_byte_strides != args->num_dims || !args->byte_strides))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %zu strides, got %zu", args->num_dims,
                          args->byte_strides ? args->num_byte_strides : 0);
  for (size_t i = args->num_dims; i-- > 0;) {
    if (strided && args->dims[i] > 1 && args->byte_strides[i] != want) dense = false;
    want *= or_one(args->dims[i]);
    bytes *= args->dims[i];
  }
  if (bytes && !args->data) return hd_make_status(HD_INVALID_ARGUMENT, "the host's memory is null");
  hd_runtime *runtime = args->client->runtime;
  bool zero_copy = !args->client->is_device &&
                   args->host_buffer_semantics >= PJRT_HostBufferSemantics_kImmutableZeroCopy && dense &&
                   bytes >= ZERO_COPY_BYTES && !((uintptr_t)args->data % ALIGNMENT) &&
                   (type != HD_ELEMENT_I1 || are_zeros_and_ones(args->data, bytes));
  *out_borrowed = zero_copy && args->host_buffer_semantics == PJRT_HostBufferSemantics_kImmutableZeroCopy;
  if (zero_copy) {
    hd_status status = hd_buffer_wrap(runtime, type, (int32_t)args->num_dims, args->dims, NULL, (void *)args->data,
                                      keep_done, hd_promise_retain(done), out);
    if (!hd_is_ok(status)) hd_promise_release(done);
    return status;
  }
  HD_TRY(hd_pjrt_value_create(memory, type, (int32_t)args->num_dims, args->dims, out));
  hd_status status = fill(*out, args, type, bytes, dense);
  if (hd_is_ok(status)) {
    hd_promise_keep(done, HD_STATUS_OK, NULL);
  } else {
    hd_buffer_release(*out);
    *out = NULL;
  }
  return status;
}

/* A buffer over memory that is there; takes |value|. */
static hd_status make_kept(PJRT_Memory *memory, PJRT_Buffer_Type type, size_t rank, const int64_t *dims,
                           hd_status outcome, hd_buffer *value, PJRT_Buffer **out) {
  *out = NULL;
  hd_promise *promise = hd_promise_create_done(outcome, value);
  if (!promise) return hd_pjrt_out_of_memory();
  hd_status status = hd_pjrt_buffer_make(memory, type, rank, dims, promise, out);
  hd_promise_release(promise);
  return status;
}

hd_status hd_pjrt_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args *args) {
  args->buffer = NULL;
  args->done_with_host_buffer = NULL;
  hd_element_type type;
  PJRT_Memory *memory;
  HD_TRY(hd_pjrt_read_shape(args->type, args->num_dims, args->dims, &type));
  HD_TRY(place(args->client, args->device, args->memory, &memory));
  HD_TRY(check_layout(args->device_layout, args->num_dims, args->dims, type));
  hd_promise *done = hd_promise_create();
  if (!done) return hd_pjrt_out_of_memory();
  hd_buffer *value;
  bool borrowed = false;
  hd_status status = take_host(args, memory, type, done, &value, &borrowed);
  if (hd_is_ok(status))
    status = make_kept(memory, args->type, args->num_dims, args->dims, HD_STATUS_OK, value, &args->buffer);
  if (!hd_is_ok(status)) {
    hd_promise_release(done);
    return status;
  }
  args->buffer->borrowed = borrowed;
  args->done_with_host_buffer = hd_promise_as_event(done);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Client_CreateUninitializedBuffer(PJRT_Client_CreateUninitializedBuffer_Args *args) {
  args->buffer = NULL;
  hd_element_type type;
  PJRT_Memory *memory;
  hd_buffer *value;
  HD_TRY(hd_pjrt_read_shape(args->shape_element_type, args->shape_num_dims, args->shape_dims, &type));
  HD_TRY(place(args->client, args->device, args->memory, &memory));
  HD_TRY(check_layout(args->shape_layout, args->shape_num_dims, args->shape_dims, type));
  HD_TRY(hd_pjrt_value_create(memory, type, (int32_t)args->shape_num_dims, args->shape_dims, &value));
  return make_kept(memory, args->shape_element_type, args->shape_num_dims, args->shape_dims, HD_STATUS_OK, value,
                   &args->buffer);
}

hd_status hd_pjrt_Client_CreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args *args) {
  args->buffer = NULL;
  PJRT_Memory *memory;
  hd_element_type type;
  hd_status outcome;
  HD_TRY(hd_pjrt_read_shape(args->shape_element_type, args->shape_num_dims, args->shape_dims, &type));
  HD_TRY(place(args->client, NULL, args->memory, &memory));
  HD_TRY(hd_pjrt_given_error(args->error_code, args->error_message, args->error_message_size, &outcome));
  return make_kept(memory, args->shape_element_type, args->shape_num_dims, args->shape_dims, outcome, NULL,
                   &args->buffer);
}

typedef struct view_end {
  void (*callback)(void *data, void *user);
  void *user;
} view_end;

static void end_view(void *user, void *data) {
  view_end *end = user;
  if (end->callback) end->callback(data, end->user);
  free(end);
}

hd_status hd_pjrt_Client_CreateViewOfDeviceBuffer(PJRT_Client_CreateViewOfDeviceBuffer_Args *args) {
  args->buffer = NULL;
  hd_element_type type;
  PJRT_Memory *memory;
  hd_buffer *value;
  HD_TRY(hd_pjrt_read_shape(args->element_type, args->num_dims, args->dims, &type));
  HD_TRY(place(args->client, args->device, args->memory, &memory));
  HD_TRY(check_layout(args->layout, args->num_dims, args->dims, type));
  view_end *end = malloc(sizeof *end);
  if (!end) return hd_pjrt_out_of_memory();
  *end = (view_end){args->on_delete_callback, args->on_delete_callback_arg};
  hd_status status = hd_buffer_wrap(args->client->runtime, type, (int32_t)args->num_dims, args->dims, NULL,
                                    args->device_buffer_ptr, end_view, end, &value);
  if (!hd_is_ok(status)) {
    free(end);
    return status;
  }
  HD_TRY(make_kept(memory, args->element_type, args->num_dims, args->dims, HD_STATUS_OK, value, &args->buffer));
  args->buffer->borrowed = true; /* another library may read it */
  return HD_STATUS_OK;
}
