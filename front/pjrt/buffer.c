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

enum { MAX_RANK = 999 }; /* how much the runtime takes, it says itself */

/* What a caller says of a tensor is checked before anything is multiplied: then sizes in bytes of parts and of the
 * whole are 64-bit numbers. */
static hd_status read_shape(PJRT_Buffer_Type type, size_t rank, const int64_t *dims, hd_element_type *out_type) {
  *out_type = hd_pjrt_element(type);
  if (*out_type == HD_ELEMENT_INVALID)
    return hd_make_status(HD_UNIMPLEMENTED, "element type %d of the PJRT C API has no counterpart", (int)type);
  if (rank > MAX_RANK) return hd_make_status(HD_INVALID_ARGUMENT, "rank %zu, expected at most %d", rank, MAX_RANK);
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

static hd_status read_error_code(PJRT_Error_Code code) {
  if (code > HD_OK && code <= HD_UNAUTHENTICATED) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "error code %d, expected 1 to %d", code, (int)HD_UNAUTHENTICATED);
}

hd_status hd_pjrt_given_error(PJRT_Error_Code code, const char *message, size_t size, hd_status *out) {
  HD_TRY(read_error_code(code));
  if (!message) size = 0;
  *out = hd_make_status((hd_status_code)code, "%.*s", size > 4096 ? 4096 : (int)size, message ? message : "");
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

/* ---- from host memory ------------------------------------------------------------------------------------------ */

/* Which memory a request means. */
static hd_status place(PJRT_Client *client, PJRT_Device *device, PJRT_Memory *memory, PJRT_Memory **out) {
  *out = memory ? memory : device ? &device->memories[0] : &client->devices[0].memories[0];
  if ((*out)->device->client != client) return hd_make_status(HD_INVALID_ARGUMENT, "the memory is another client's");
  return HD_STATUS_OK;
}

static int64_t or_one(int64_t dim) { return dim ? dim : 1; }

/* The byte strides that |layout| gives a tensor, whose shape has been read; |*out_dense|: it is row major without gaps.
 * A null layout is just that. */
static hd_status read_layout(const PJRT_Buffer_MemoryLayout *layout, size_t rank, const int64_t *dims,
                             hd_element_type type, int64_t *out_strides, bool *out_dense) {
  int64_t stride = (int64_t)hd_element_bytes(type);
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
  int64_t strides[MAX_RANK];
  bool dense;
  if (!layout) return HD_STATUS_OK;
  HD_TRY(read_layout(layout, rank, dims, type, strides, &dense));
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

/* The memory behind a new buffer: the host's own where that is allowed and pays, else a copy. */
static hd_status take_host(PJRT_Client_BufferFromHostBuffer_Args *args, hd_runtime *runtime, hd_element_type type,
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
  bool zero_copy = args->host_buffer_semantics >= PJRT_HostBufferSemantics_kImmutableZeroCopy && dense &&
                   bytes >= ZERO_COPY_BYTES && !((uintptr_t)args->data % ALIGNMENT) &&
                   (type != HD_ELEMENT_I1 || are_zeros_and_ones(args->data, bytes));
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
  if (type == HD_ELEMENT_I1) make_zeros_and_ones(hd_buffer_data(*out), bytes);
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
  HD_TRY(read_shape(args->type, args->num_dims, args->dims, &type));
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
  HD_TRY(read_shape(args->shape_element_type, args->shape_num_dims, args->shape_dims, &type));
  HD_TRY(place(args->client, args->device, args->memory, &memory));
  HD_TRY(check_layout(args->shape_layout, args->shape_num_dims, args->shape_dims, type));
  HD_TRY(hd_buffer_create(args->client->runtime, type, (int32_t)args->shape_num_dims, args->shape_dims, &value));
  return make_kept(memory, args->shape_element_type, args->shape_num_dims, args->shape_dims, HD_STATUS_OK, value,
                   &args->buffer);
}

hd_status hd_pjrt_Client_CreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args *args) {
  args->buffer = NULL;
  PJRT_Memory *memory;
  hd_element_type type;
  hd_status outcome;
  HD_TRY(read_shape(args->shape_element_type, args->shape_num_dims, args->shape_dims, &type));
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
  HD_TRY(read_shape(args->element_type, args->num_dims, args->dims, &type));
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

/* The byte strides of the destination, where it is not dense: |*out_rank| is that of the buffer then. */
static hd_status host_strides(const PJRT_Buffer_ToHostBuffer_Args *args, int64_t *out_strides, size_t *out_rank) {
  const PJRT_Buffer *buffer = args->src;
  bool dense;
  HD_TRY(
      read_layout(args->host_layout, buffer->rank, buffer->dims, hd_pjrt_element(buffer->type), out_strides, &dense));
  if (dense) return HD_STATUS_OK;
  *out_rank = buffer->rank;
  uint64_t end = hd_element_bytes(hd_pjrt_element(buffer->type)), step;
  bool inside = true;
  for (size_t i = 0; i < buffer->rank; ++i)
    inside &= buffer->dims[i] < 2 ||
              (out_strides[i] >= 0 &&
               !__builtin_mul_overflow((uint64_t)out_strides[i], (uint64_t)buffer->dims[i] - 1, &step) &&
               !__builtin_add_overflow(end, step, &end));
  if (inside && end <= args->dst_size) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "the host's layout leaves its %zu bytes", args->dst_size);
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
  memcpy(c->dims_and_strides, buffer->dims, rank * sizeof(int64_t));
  hd_status status = host_strides(args, c->dims_and_strides + rank, &c->rank);
  if (!hd_is_ok(status)) {
    free(c);
    return status;
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
  if (args->transfer_size && !args->dst) return hd_make_status(HD_INVALID_ARGUMENT, "the host's memory is null");
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
  m->runtime = memory->device->client->runtime;
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
  hd_status_free(status);
  args->event = hd_promise_retain(args->buffer->client->gone); /* this function never fails */
  return HD_STATUS_OK;
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
