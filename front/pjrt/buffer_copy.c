/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers to host memory and to other memories of the client. */
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

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

/* The elements of |value|: where they are, or, of a device whose memory the host cannot use, a copy, which is also
 * |*out_copy|, the caller's to free. */
static hd_status look_at(hd_buffer *value, const char **out, void **out_copy) {
  *out = hd_buffer_data(value);
  *out_copy = NULL;
  size_t bytes = hd_buffer_bytes(value);
  if (*out || !bytes) return HD_STATUS_OK;
  *out = *out_copy = malloc(bytes);
  return *out ? hd_buffer_read(value, *out_copy, bytes) : hd_pjrt_out_of_memory();
}

static void run_copy(void *argument) {
  copy *c = argument;
  hd_status status = hd_pjrt_status_copy(c->source->outcome);
  hd_buffer *value = c->source->value;
  bool all = c->size < 0 && !c->rank;
  const char *from = NULL;
  void *own = NULL;
  if (hd_is_ok(status) && !all) status = look_at(value, &from, &own);
  if (hd_is_ok(status) && c->size >= 0) {
    if ((uint64_t)c->offset + (uint64_t)c->size > hd_buffer_bytes(value))
      status = hd_make_status(HD_OUT_OF_RANGE, "%lld bytes from %lld on of a buffer of %zu", (long long)c->size,
                              (long long)c->offset, hd_buffer_bytes(value));
    else if (c->size)
      memcpy(c->to, from + c->offset, (size_t)c->size);
  } else if (hd_is_ok(status) && hd_buffer_bytes(value)) {
    if (c->rank)
      copy_to_strides(c->to, &from, c->element, c->rank, c->dims_and_strides, c->dims_and_strides + c->rank);
    else
      status = hd_buffer_read(value, c->to, hd_buffer_bytes(value));
  }
  free(own);
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
    *out_event = hd_promise_as_event(end);
    return HD_STATUS_OK;
  }
  hd_promise_release(end);
  hd_promise_release(c->end);
  hd_promise_release(c->source);
  free(c);
  return hd_pjrt_out_of_memory();
}

size_t hd_pjrt_dense_bytes(const PJRT_Buffer *buffer) {
  size_t bytes = hd_element_bytes(hd_pjrt_element(buffer->type));
  for (size_t i = 0; i < buffer->rank; ++i) bytes *= (size_t)buffer->dims[i];
  return bytes;
}

/* The dims in the order of the buffer's memory and the byte strides that they have in the destination, unless both are
 * the same: |*out_rank| is that of the buffer then. No layout is the buffer's. */
static hd_status host_strides(const PJRT_Buffer_ToHostBuffer_Args *args, int64_t *out_dims, int64_t *dims_strides,
                              size_t *out_rank) {
  const PJRT_Buffer *buffer = args->src;
  int64_t out_strides[HD_PJRT_MAX_RANK];
  bool dense;
  if (!args->host_layout) return HD_STATUS_OK;
  HD_TRY(hd_pjrt_read_layout(args->host_layout, buffer->rank, buffer->dims, hd_pjrt_element(buffer->type), out_strides,
                             &dense));
  int64_t want = (int64_t)hd_element_bytes(hd_pjrt_element(buffer->type));
  bool same = true;
  for (size_t k = buffer->rank; k-- > 0;) {
    int64_t d = hd_pjrt_buffer_dim_at(buffer, k);
    out_dims[k] = buffer->dims[d];
    dims_strides[k] = out_strides[d];
    same &= out_dims[k] <= 1 || dims_strides[k] == want;
    want *= out_dims[k] ? out_dims[k] : 1;
  }
  if (same) return HD_STATUS_OK;
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
  size_t needed = hd_pjrt_dense_bytes(buffer);
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
  hd_status status = host_strides(args, c->dims_and_strides, c->dims_and_strides + rank, &c->rank);
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
  PJRT_Memory *memory;
} move;

static hd_status copy_value(const PJRT_Memory *memory, hd_buffer *from, hd_buffer **out) {
  const char *elements;
  void *own;
  HD_TRY(hd_pjrt_value_create(memory, hd_buffer_type(from), hd_buffer_rank(from), hd_buffer_dims(from), out));
  hd_status status = look_at(from, &elements, &own);
  if (hd_is_ok(status)) status = hd_buffer_write(*out, elements, hd_buffer_bytes(from));
  free(own);
  if (hd_is_ok(status)) return status;
  hd_buffer_release(*out);
  *out = NULL;
  return status;
}

static void run_move(void *argument) {
  move *m = argument;
  hd_status status = hd_pjrt_status_copy(m->source->outcome);
  hd_buffer *to = NULL;
  if (hd_is_ok(status)) status = copy_value(m->memory, m->source->value, &to);
  hd_promise_keep(m->end, status, to);
  hd_promise_release(m->end);
  hd_promise_release(m->source);
  free(m);
}

/* A copy in |memory|. Where all are the host's, a buffer that may be donated must not share. */
static hd_status copy_to(PJRT_Buffer *buffer, PJRT_Memory *memory, PJRT_Buffer **out) {
  *out = NULL;
  move *m = calloc(1, sizeof *m);
  if (!m) return hd_pjrt_out_of_memory();
  m->memory = memory;
  hd_status status = hd_pjrt_buffer_promise(buffer, &m->source);
  if (hd_is_ok(status) && !(m->end = hd_promise_create())) status = hd_pjrt_out_of_memory();
  if (hd_is_ok(status)) status = hd_pjrt_buffer_make(memory, buffer->type, buffer->rank, buffer->dims, m->end, out);
  if (hd_is_ok(status)) {
    memcpy((*out)->dims, buffer->dims, 2 * buffer->rank * sizeof *buffer->dims);
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
