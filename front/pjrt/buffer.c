/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers: a promise of memory, with the shape that is known from the start. */
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

/* ---- element types --------------------------------------------------------------------------------------------- */

/* By the interface's number. One bit integers have no counterpart. */
static const hd_element_type elements[] = {
    [PJRT_Buffer_Type_PRED] = HD_ELEMENT_I1,
    [PJRT_Buffer_Type_S8] = HD_ELEMENT_I8,
    [PJRT_Buffer_Type_S16] = HD_ELEMENT_I16,
    [PJRT_Buffer_Type_S32] = HD_ELEMENT_I32,
    [PJRT_Buffer_Type_S64] = HD_ELEMENT_I64,
    [PJRT_Buffer_Type_U8] = HD_ELEMENT_UI8,
    [PJRT_Buffer_Type_U16] = HD_ELEMENT_UI16,
    [PJRT_Buffer_Type_U32] = HD_ELEMENT_UI32,
    [PJRT_Buffer_Type_U64] = HD_ELEMENT_UI64,
    [PJRT_Buffer_Type_F16] = HD_ELEMENT_F16,
    [PJRT_Buffer_Type_F32] = HD_ELEMENT_F32,
    [PJRT_Buffer_Type_F64] = HD_ELEMENT_F64,
    [PJRT_Buffer_Type_BF16] = HD_ELEMENT_BF16,
    [PJRT_Buffer_Type_C64] = HD_ELEMENT_C64,
    [PJRT_Buffer_Type_C128] = HD_ELEMENT_C128,
    [PJRT_Buffer_Type_F8E5M2] = HD_ELEMENT_F8E5M2,
    [PJRT_Buffer_Type_F8E4M3FN] = HD_ELEMENT_F8E4M3FN,
    [PJRT_Buffer_Type_F8E4M3B11FNUZ] = HD_ELEMENT_F8E4M3B11FNUZ,
    [PJRT_Buffer_Type_F8E5M2FNUZ] = HD_ELEMENT_F8E5M2FNUZ,
    [PJRT_Buffer_Type_F8E4M3FNUZ] = HD_ELEMENT_F8E4M3FNUZ,
    [PJRT_Buffer_Type_S4] = HD_ELEMENT_I4,
    [PJRT_Buffer_Type_U4] = HD_ELEMENT_UI4,
    [PJRT_Buffer_Type_TOKEN] = HD_ELEMENT_TOKEN,
    [PJRT_Buffer_Type_S2] = HD_ELEMENT_I2,
    [PJRT_Buffer_Type_U2] = HD_ELEMENT_UI2,
    [PJRT_Buffer_Type_F8E4M3] = HD_ELEMENT_F8E4M3,
    [PJRT_Buffer_Type_F8E3M4] = HD_ELEMENT_F8E3M4,
    [PJRT_Buffer_Type_F8E8M0FNU] = HD_ELEMENT_F8E8M0FNU,
    [PJRT_Buffer_Type_F4E2M1FN] = HD_ELEMENT_F4E2M1FN,
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

hd_element_type hd_pjrt_element(PJRT_Buffer_Type type) {
  return (unsigned)type < ELEMENTS ? elements[type] : HD_ELEMENT_INVALID;
}

PJRT_Buffer_Type hd_pjrt_buffer_type(hd_element_type type) {
  for (int i = 0; i < ELEMENTS; ++i)
    if (elements[i] == type && type != HD_ELEMENT_INVALID) return (PJRT_Buffer_Type)i;
  return PJRT_Buffer_Type_INVALID;
}

static hd_status element_of(PJRT_Buffer_Type type, hd_element_type *out) {
  *out = hd_pjrt_element(type);
  if (*out != HD_ELEMENT_INVALID) return HD_STATUS_OK;
  return hd_make_status(HD_UNIMPLEMENTED, "element type %d of the PJRT C API has no counterpart", (int)type);
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

static hd_status gone(void) { return hd_make_status(HD_INVALID_ARGUMENT, "the buffer has been deleted or donated"); }

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

/* ---- from host memory ------------------------------------------------------------------------------------------ */

/* Which memory a request means. */
static hd_status place(PJRT_Client *client, PJRT_Device *device, PJRT_Memory *memory, PJRT_Memory **out) {
  *out = memory ? memory : device ? &device->memories[0] : &client->devices[0].memories[0];
  if ((*out)->device->client != client) return hd_make_status(HD_INVALID_ARGUMENT, "the memory is another client's");
  return HD_STATUS_OK;
}

/* Device memory is dense and row major; a caller may ask for just that. */
static hd_status check_layout(const PJRT_Buffer_MemoryLayout *layout, size_t rank, const int64_t *dims,
                              hd_element_type type) {
  if (!layout) return HD_STATUS_OK;
  bool dense = true;
  if (layout->type == PJRT_Buffer_MemoryLayout_Type_Tiled) {
    dense =
        !layout->tiled.num_tiles && (layout->tiled.minor_to_major_size == rank || !layout->tiled.minor_to_major_size);
    for (size_t i = 0; dense && i < layout->tiled.minor_to_major_size; ++i)
      dense = layout->tiled.minor_to_major[i] == (int64_t)(rank - 1 - i) || dims[layout->tiled.minor_to_major[i]] == 1;
  } else {
    int64_t stride = (int64_t)hd_element_bytes(type);
    dense = layout->strides.num_byte_strides == rank;
    for (size_t i = rank; dense && i-- > 0;) {
      dense = dims[i] <= 1 || layout->strides.byte_strides[i] == stride;
      stride *= dims[i];
    }
  }
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

/* The memory behind a new buffer: the host's own where that is allowed and pays, else a copy. */
static hd_status take_host(PJRT_Client_BufferFromHostBuffer_Args *args, hd_runtime *runtime, hd_element_type type,
                           hd_promise *done, hd_buffer **out, bool *out_borrowed) {
  size_t element = hd_element_bytes(type);
  int64_t bytes = (int64_t)element, want = (int64_t)element;
  bool dense = true, strided = args->num_byte_strides != 0;
  if (strided && args->num_byte_strides != args->num_dims)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %zu strides, got %zu", args->num_dims, args->num_byte_strides);
  for (size_t i = args->num_dims; i-- > 0;) {
    if (strided && args->dims[i] > 1 && args->byte_strides[i] != want) dense = false;
    want *= args->dims[i];
    bytes *= args->dims[i];
  }
  bool zero_copy = args->host_buffer_semantics >= PJRT_HostBufferSemantics_kImmutableZeroCopy && dense &&
                   bytes >= ZERO_COPY_BYTES && !((uintptr_t)args->data % ALIGNMENT);
  *out_borrowed = zero_copy && args->host_buffer_semantics == PJRT_HostBufferSemantics_kImmutableZeroCopy;
  if (zero_copy) {
    hd_status status = hd_buffer_wrap(runtime, type, (int32_t)args->num_dims, args->dims, NULL, (void *)args->data,
                                      keep_done, hd_promise_retain(done), out);
    if (!hd_is_ok(status)) hd_promise_release(done);
    return status;
  }
  HD_TRY(hd_buffer_create(runtime, type, (int32_t)args->num_dims, args->dims, out));
  if (bytes && dense)
    memcpy(hd_buffer_data(*out), args->data, (size_t)bytes);
  else if (bytes)
    copy_strided(hd_buffer_data(*out), args->data, element, args->num_dims, args->dims, args->byte_strides);
  hd_promise_keep(done, HD_STATUS_OK, NULL);
  return HD_STATUS_OK;
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
  HD_TRY(element_of(args->type, &type));
  HD_TRY(place(args->client, args->device, args->memory, &memory));
  HD_TRY(check_layout(args->device_layout, args->num_dims, args->dims, type));
  hd_promise *done = hd_promise_create();
  if (!done) return hd_pjrt_out_of_memory();
  hd_buffer *value;
  bool borrowed = false;
  hd_status status = take_host(args, args->client->runtime, type, done, &value, &borrowed);
  if (hd_is_ok(status))
    status = make_kept(memory, args->type, args->num_dims, args->dims, HD_STATUS_OK, value, &args->buffer);
  if (!hd_is_ok(status)) {
    hd_promise_release(done);
    return status;
  }
  args->buffer->borrowed = borrowed;
  args->done_with_host_buffer = done;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Client_CreateUninitializedBuffer(PJRT_Client_CreateUninitializedBuffer_Args *args) {
  args->buffer = NULL;
  hd_element_type type;
  PJRT_Memory *memory;
  hd_buffer *value;
  HD_TRY(element_of(args->shape_element_type, &type));
  HD_TRY(place(args->client, args->device, args->memory, &memory));
  HD_TRY(check_layout(args->shape_layout, args->shape_num_dims, args->shape_dims, type));
  HD_TRY(hd_buffer_create(args->client->runtime, type, (int32_t)args->shape_num_dims, args->shape_dims, &value));
  return make_kept(memory, args->shape_element_type, args->shape_num_dims, args->shape_dims, HD_STATUS_OK, value,
                   &args->buffer);
}

hd_status hd_pjrt_Client_CreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args *args) {
  args->buffer = NULL;
  PJRT_Memory *memory;
  HD_TRY(place(args->client, NULL, args->memory, &memory));
  if (args->error_code == HD_OK) return hd_make_status(HD_INVALID_ARGUMENT, "a failed buffer needs an error code");
  hd_status outcome = hd_make_status((hd_status_code)args->error_code, "%.*s", (int)args->error_message_size,
                                     args->error_message ? args->error_message : "");
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
  HD_TRY(element_of(args->element_type, &type));
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

/* ---- to host memory and other memories ------------------------------------------------------------------------- */

typedef struct copy {
  hd_promise *source, *end;
  void *to;
  int64_t offset, size;       /* raw copies; size -1: all, in the layout that follows */
  size_t rank, element;       /* with strides: the host's layout */
  int64_t dims_and_strides[]; /* rank dims, rank byte strides of the destination */
} copy;

static void copy_to_strides(char *to, const char **from, size_t element, size_t rank, const int64_t *dims,
                            const int64_t *strides) {
  if (!rank) {
    memcpy(to, *from, element);
    *from += element;
    return;
  }
  for (int64_t i = 0; i < dims[0]; ++i)
    copy_to_strides(to + i * strides[0], from, element, rank - 1, dims + 1, strides + 1);
}

static void run_copy(void *argument) {
  copy *c = argument;
  hd_status status = hd_pjrt_status_copy(c->source->outcome);
  hd_buffer *value = c->source->value;
  if (hd_is_ok(status) && c->size >= 0) {
    if ((uint64_t)c->offset + (uint64_t)c->size > hd_buffer_bytes(value))
      status = hd_make_status(HD_OUT_OF_RANGE, "bytes %lld to %lld of a buffer of %zu", (long long)c->offset,
                              (long long)(c->offset + c->size), hd_buffer_bytes(value));
    else if (c->size)
      memcpy(c->to, (char *)hd_buffer_data(value) + c->offset, (size_t)c->size);
  } else if (hd_is_ok(status) && hd_buffer_bytes(value)) {
    const char *from = hd_buffer_data(value);
    if (c->rank)
      copy_to_strides(c->to, &from, c->element, c->rank, c->dims_and_strides, c->dims_and_strides + c->rank);
    else
      memcpy(c->to, from, hd_buffer_bytes(value));
  }
  hd_promise_keep(c->end, status, NULL);
  hd_promise_release(c->source);
  hd_promise_release(c->end);
  free(c);
}

/* Starts |c|, whose source is set; gives the event of its end. Takes |c|. */
static hd_status start_copy(copy *c, PJRT_Event **out_event) {
  c->end = hd_promise_create();
  hd_promise *end = hd_promise_retain(c->end);
  if (end && hd_promise_on_done(c->source, run_copy, c)) {
    *out_event = end;
    return HD_STATUS_OK;
  }
  hd_promise_release(end);
  hd_promise_release(c->end);
  hd_promise_release(c->source);
  free(c);
  return hd_pjrt_out_of_memory();
}

static size_t dense_bytes(const PJRT_Buffer *buffer) {
  size_t bytes = hd_element_bytes(hd_pjrt_element(buffer->type));
  for (size_t i = 0; i < buffer->rank; ++i) bytes *= (size_t)buffer->dims[i];
  return bytes;
}

hd_status hd_pjrt_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args *args) {
  PJRT_Buffer *buffer = args->src;
  args->event = NULL;
  size_t needed = dense_bytes(buffer);
  if (!args->dst) {
    args->dst_size = needed;
    return HD_STATUS_OK;
  }
  if (args->dst_size < needed)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected room for %zu bytes, got %zu", needed, args->dst_size);
  size_t rank = buffer->rank;
  copy *c = calloc(1, sizeof *c + 2 * rank * sizeof(int64_t));
  if (!c) return hd_pjrt_out_of_memory();
  c->to = args->dst;
  c->size = -1;
  c->element = hd_element_bytes(hd_pjrt_element(buffer->type));
  const PJRT_Buffer_MemoryLayout *layout = args->host_layout;
  hd_status status = check_layout(layout, rank, buffer->dims, hd_pjrt_element(buffer->type));
  if (!hd_is_ok(status)) {
    /* Another order of dims or strides on the host: dims and byte strides of the destination. */
    hd_status_free(status);
    c->rank = rank;
    int64_t *strides = c->dims_and_strides + rank, stride = (int64_t)c->element;
    memcpy(c->dims_and_strides, buffer->dims, rank * sizeof(int64_t));
    bool tiled = layout->type == PJRT_Buffer_MemoryLayout_Type_Tiled;
    if (tiled ? layout->tiled.num_tiles || layout->tiled.minor_to_major_size != rank
              : layout->strides.num_byte_strides != rank) {
      free(c);
      return hd_make_status(HD_UNIMPLEMENTED, "the host's layout is tiled or of another rank than %zu", rank);
    }
    for (size_t i = 0; i < rank; ++i) {
      int64_t dim = tiled ? layout->tiled.minor_to_major[i] : (int64_t)i;
      strides[dim] = tiled ? stride : layout->strides.byte_strides[i];
      stride *= buffer->dims[dim];
    }
  }
  status = hd_pjrt_buffer_promise(buffer, &c->source);
  if (!hd_is_ok(status)) {
    free(c);
    return status;
  }
  return start_copy(c, &args->event);
}

hd_status hd_pjrt_Buffer_CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args *args) {
  args->event = NULL;
  if (args->offset < 0 || args->transfer_size < 0)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected an offset and a size of at least 0");
  copy *c = calloc(1, sizeof *c);
  if (!c) return hd_pjrt_out_of_memory();
  c->to = args->dst;
  c->offset = args->offset;
  c->size = args->transfer_size;
  hd_status status = hd_pjrt_buffer_promise(args->buffer, &c->source);
  if (!hd_is_ok(status)) {
    free(c);
    return status;
  }
  return start_copy(c, &args->event);
}

typedef struct move {
  hd_promise *source, *end;
  hd_runtime *runtime;
} move;

static void run_move(void *argument) {
  move *m = argument;
  hd_status status = hd_pjrt_status_copy(m->source->outcome);
  hd_buffer *from = m->source->value, *to = NULL;
  if (hd_is_ok(status))
    status = hd_buffer_create(m->runtime, hd_buffer_type(from), hd_buffer_rank(from), hd_buffer_dims(from), &to);
  if (to && hd_buffer_bytes(from)) memcpy(hd_buffer_data(to), hd_buffer_data(from), hd_buffer_bytes(from));
  hd_promise_keep(m->end, status, to);
  hd_promise_release(m->end);
  hd_promise_release(m->source);
  free(m);
}

/* A copy in |memory|. Memories are all the host's, but a buffer that may be donated must not share. */
static hd_status copy_to(PJRT_Buffer *buffer, PJRT_Memory *memory, PJRT_Buffer **out) {
  *out = NULL;
  move *m = calloc(1, sizeof *m);
  if (!m) return hd_pjrt_out_of_memory();
  m->runtime = buffer->client->runtime;
  hd_status status = hd_pjrt_buffer_promise(buffer, &m->source);
  if (hd_is_ok(status) && !(m->end = hd_promise_create())) status = hd_pjrt_out_of_memory();
  if (hd_is_ok(status)) status = hd_pjrt_buffer_make(memory, buffer->type, buffer->rank, buffer->dims, m->end, out);
  if (hd_is_ok(status)) {
    hd_promise *end = hd_promise_retain(m->end);
    if (!hd_promise_on_done(m->source, run_move, m)) {
      hd_promise_keep(m->end, hd_pjrt_out_of_memory(), NULL);
      hd_promise_release(m->end);
      hd_promise_release(m->source);
      free(m);
    }
    hd_promise_release(end);
    return HD_STATUS_OK;
  }
  hd_promise_release(m->end);
  hd_promise_release(m->source);
  free(m);
  return status;
}

hd_status hd_pjrt_Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args *args) {
  return copy_to(args->buffer, &args->dst_device->memories[0], &args->dst_buffer);
}

hd_status hd_pjrt_Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args *args) {
  return copy_to(args->buffer, args->dst_memory, &args->dst_buffer);
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
  args->on_device_size_in_bytes = dense_bytes(args->buffer);
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
  args->is_on_cpu = true;
  return HD_STATUS_OK;
}

hd_status hd_pjrt_Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args *args) {
  hd_status status = hd_pjrt_buffer_promise(args->buffer, &args->event);
  if (hd_is_ok(status)) return HD_STATUS_OK;
  args->event = hd_promise_create_done(status, NULL);
  return args->event ? HD_STATUS_OK : hd_pjrt_out_of_memory();
}

/* The address of the value, which is waited for. */
static hd_status address_of(PJRT_Buffer *buffer, void **out) {
  *out = NULL;
  hd_promise *promise;
  HD_TRY(hd_pjrt_buffer_promise(buffer, &promise));
  hd_promise_wait(promise);
  hd_status status = hd_pjrt_status_copy(promise->outcome);
  if (hd_is_ok(status)) *out = hd_buffer_data(promise->value);
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
