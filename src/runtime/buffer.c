/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers (heddle/runtime.h): tensors in memory of the runtime's driver or of the embedder, and copies of their
 * elements between devices, strides and the host. */
#include <stdlib.h>
#include <string.h>

#include "runtime/alignment.h"
#include "runtime/objects.h"

hd_status hd_tensor_size(hd_element_type type, int32_t rank, const int64_t *dims, int64_t *out_elements,
                         size_t *out_bytes) {
  *out_elements = 0;
  *out_bytes = 0;
  int64_t elements = 1, bytes;
  bool empty = false;
  for (int32_t i = 0; i < rank; ++i) {
    if (dims[i] < 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "dim %d is %lld, expected at least 0", i, (long long)dims[i]);
    empty |= !dims[i];
  }
  for (int32_t i = 0; i < rank && !empty; ++i)
    if (__builtin_mul_overflow(elements, dims[i], &elements)) elements = -1, i = rank;
  if (elements < 0 || __builtin_mul_overflow(elements, (int64_t)hd_element_bytes(type), &bytes))
    return hd_make_status(HD_INVALID_ARGUMENT, "a tensor of rank %d takes more bytes than 64 bits count", rank);
  *out_elements = empty ? 0 : elements;
  *out_bytes = empty ? 0 : (size_t)bytes;
  return HD_STATUS_OK;
}

hd_status hd_buffer_make(hd_runtime *runtime, hd_element_type type, int32_t rank, const int64_t *dims,
                         const int64_t *strides, void *data, hd_buffer **out_buffer) {
  HD_REQUIRE(out_buffer);
  *out_buffer = NULL;
  HD_REQUIRE(runtime);
  if (!strcmp(hd_element_text(type), "?"))
    return hd_make_status(HD_INVALID_ARGUMENT, "unknown element type %d", (int)type);
  if (rank > 0) HD_REQUIRE(dims);
  if (rank < 0 || rank > HD_MAX_RANK)
    return hd_make_status(HD_INVALID_ARGUMENT, "rank %d, expected 0 to %d", rank, (int)HD_MAX_RANK);
  int64_t elements;
  size_t bytes;
  HD_TRY(hd_tensor_size(type, rank, dims, &elements, &bytes));
  hd_buffer *buffer = calloc(1, sizeof *buffer + 2 * (size_t)rank * sizeof(int64_t));
  if (!buffer) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  *buffer = (hd_buffer){.runtime = hd_runtime_retain(runtime),
                        .type = type,
                        .rank = rank,
                        .elements = elements,
                        .bytes = bytes,
                        .data = data,
                        .dims = (int64_t *)(buffer + 1),
                        .strides = (int64_t *)(buffer + 1) + rank};
  atomic_store_explicit(&buffer->references, 1, memory_order_relaxed);
  int64_t stride = 1;
  for (int32_t i = rank; i-- > 0;) {
    buffer->dims[i] = dims[i];
    buffer->strides[i] = strides ? strides[i] : stride;
    stride *= elements ? dims[i] : 1; /* of an empty tensor any stride will do */
  }
  *out_buffer = buffer;
  return HD_STATUS_OK;
}

hd_status hd_buffer_create(hd_runtime *runtime, hd_element_type type, int32_t rank, const int64_t *dims,
                           hd_buffer **out_buffer) {
  return hd_buffer_create_for(runtime, NULL, type, rank, dims, out_buffer);
}

hd_status hd_buffer_create_for(hd_runtime *runtime, hd_work *work, hd_element_type type, int32_t rank,
                               const int64_t *dims, hd_buffer **out_buffer) {
  HD_REQUIRE(out_buffer);
  hd_buffer *buffer;
  HD_TRY(hd_buffer_make(runtime, type, rank, dims, NULL, NULL, &buffer));
  hd_status status = hd_runtime_take(runtime, buffer->bytes, work, &buffer->block, &buffer->capacity);
  if (!hd_is_ok(status)) {
    *out_buffer = NULL;
    hd_buffer_release(buffer);
    return status;
  }
  buffer->data = buffer->block;
  *out_buffer = buffer;
  return HD_STATUS_OK;
}

hd_status hd_buffer_wrap(hd_runtime *runtime, hd_element_type type, int32_t rank, const int64_t *dims,
                         const int64_t *strides, void *data, void (*release)(void *user, void *data), void *user,
                         hd_buffer **out_buffer) {
  HD_TRY(hd_buffer_make(runtime, type, rank, dims, strides, data, out_buffer));
  hd_status status = HD_STATUS_OK;
  if (!data && (*out_buffer)->bytes)
    status = hd_make_status(HD_INVALID_ARGUMENT, "wrapped memory is null, expected %s elements", hd_element_text(type));
  else if ((*out_buffer)->bytes)
    status = hd_check_aligned("wrapped memory", type, data);
  if (!hd_is_ok(status)) {
    hd_buffer_release(*out_buffer);
    *out_buffer = NULL;
    return status;
  }
  (*out_buffer)->release = release;
  (*out_buffer)->user = user;
  return HD_STATUS_OK;
}

hd_buffer *hd_buffer_retain(hd_buffer *buffer) {
  if (buffer) atomic_fetch_add_explicit(&buffer->references, 1, memory_order_relaxed);
  return buffer;
}

void hd_buffer_release(hd_buffer *buffer) {
  if (!buffer || atomic_fetch_sub_explicit(&buffer->references, 1, memory_order_acq_rel) != 1) return;
  hd_status_ignore(hd_work_wait(buffer->work)); /* so that all work is waited for by somebody */
  hd_work_release(buffer->work);
  if (buffer->block) hd_memory_give(buffer->runtime->memory, buffer->block, buffer->capacity, NULL);
  if (buffer->release) buffer->release(buffer->user, buffer->data);
  hd_buffer_release(buffer->parent);
  hd_runtime_release(buffer->runtime);
  free(buffer);
}

hd_element_type hd_buffer_type(const hd_buffer *buffer) { return buffer ? buffer->type : HD_ELEMENT_INVALID; }
int32_t hd_buffer_rank(const hd_buffer *buffer) { return buffer ? buffer->rank : 0; }
const int64_t *hd_buffer_dims(const hd_buffer *buffer) { return buffer ? buffer->dims : NULL; }
const int64_t *hd_buffer_strides(const hd_buffer *buffer) { return buffer ? buffer->strides : NULL; }
int64_t hd_buffer_elements(const hd_buffer *buffer) { return buffer ? buffer->elements : 0; }
size_t hd_buffer_bytes(const hd_buffer *buffer) { return buffer ? buffer->bytes : 0; }

bool hd_buffer_is_on_device(const hd_buffer *buffer) {
  return !(buffer->runtime->driver->vtable->caps & HD_DRIVER_HOST_MEMORY) &&
         hd_buffer_is_of_driver(buffer, buffer->runtime);
}

void *hd_buffer_data(const hd_buffer *buffer) {
  return buffer && !hd_buffer_is_on_device(buffer) ? buffer->data : NULL;
}

void *hd_buffer_device_data(const hd_buffer *buffer) {
  bool device = buffer && buffer->runtime->driver->vtable->caps & HD_DRIVER_IMAGES;
  return device && hd_buffer_is_of_driver(buffer, buffer->runtime) ? buffer->data : NULL;
}

bool hd_buffer_is_of_driver(const hd_buffer *buffer, const hd_runtime *runtime) {
  while (buffer->parent) buffer = buffer->parent;
  return buffer->block && buffer->runtime == runtime;
}

static bool is_dense(int32_t rank, const int64_t *dims, const int64_t *strides) {
  int64_t stride = 1;
  for (int32_t i = rank; i-- > 0;) {
    if (dims[i] != 1 && strides[i] != stride) return false;
    stride *= dims[i];
  }
  return true;
}

bool hd_buffer_is_dense(const hd_buffer *buffer) {
  return !buffer->elements || is_dense(buffer->rank, buffer->dims, buffer->strides);
}

void hd_copy_strided(void *destination, const void *source, size_t size, int32_t rank, const int64_t *dims,
                     const int64_t *strides) {
  int64_t index[HD_MAX_RANK] = {0};
  for (int32_t i = 0; i < rank; ++i)
    if (!dims[i]) return;
  /* The dense tail is copied in runs. */
  int32_t outer = rank;
  int64_t run = 1;
  while (outer && (dims[outer - 1] == 1 || strides[outer - 1] == run)) run *= dims[--outer];
  char *to = destination;
  const char *from = source;
  for (;;) {
    memcpy(to, from, (size_t)run * size);
    to += (size_t)run * size;
    int32_t i = outer;
    while (i-- > 0) {
      from += strides[i] * (int64_t)size;
      if (++index[i] < dims[i]) break;
      from -= strides[i] * dims[i] * (int64_t)size;
      index[i] = 0;
    }
    if (i < 0) return;
  }
}

/* A driver whose memory the host cannot use gets strided elements by way of dense ones on the host. */
typedef struct dense_copy {
  hd_driver *driver;
  void *data;
  size_t bytes;
} dense_copy;

static void free_dense(void *data) {
  dense_copy *dense = data;
  hd_driver_release_host(dense->driver, dense->data, dense->bytes);
  free(dense);
}

static hd_status copy_by_host(hd_driver *driver, hd_buffer *to, const hd_buffer *from, hd_work *work) {
  dense_copy *dense = malloc(sizeof *dense);
  if (!dense) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  *dense = (dense_copy){driver, NULL, to->bytes};
  hd_status status = hd_driver_allocate_host(driver, to->bytes, &dense->data);
  if (hd_is_ok(status)) {
    hd_copy_strided(dense->data, from->data, hd_element_bytes(from->type), from->rank, from->dims, from->strides);
    status = hd_stream_copy(driver, hd_work_stream(work), to->data, dense->data, to->bytes);
  }
  hd_work_keep(work, free_dense, dense);
  return status;
}

static hd_status copy_dense(hd_buffer *to, const hd_buffer *from, hd_work *work) {
  hd_driver *driver = to->runtime->driver;
  HD_TRY(hd_work_follow(work, from->work));
  if (!hd_buffer_is_dense(from)) return copy_by_host(driver, to, from, work);
  return hd_stream_copy(driver, hd_work_stream(work), to->data, from->data, to->bytes);
}

/* Runs |copy| in work of its own. */
static hd_status in_own_work(hd_buffer *to, const hd_buffer *from) {
  hd_work *work;
  HD_TRY(hd_work_begin(to->runtime->works, &work));
  hd_status status = copy_dense(to, from, work); /* before the wait: C orders no arguments */
  status = hd_status_join(status, hd_work_wait(work));
  hd_work_release(work);
  return status;
}

hd_status hd_buffer_copy_dense(hd_buffer *to, const hd_buffer *from, hd_work *work) {
  hd_driver *driver = to->runtime->driver;
  if (!to->bytes) return HD_STATUS_OK;
  if (driver->vtable->caps & HD_DRIVER_HOST_MEMORY) {
    hd_copy_strided(to->data, from->data, hd_element_bytes(from->type), from->rank, from->dims, from->strides);
    return HD_STATUS_OK;
  }
  return work ? copy_dense(to, from, work) : in_own_work(to, from);
}

/* ---- from and to the host -------------------------------------------------------------------------------------- */

hd_status hd_buffer_wait(hd_buffer *buffer) {
  HD_REQUIRE(buffer);
  return hd_work_wait(buffer->work);
}

static hd_status check_bytes(const hd_buffer *buffer, const void *data, size_t bytes) {
  if (bytes != buffer->bytes)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %zu bytes, those of all elements, got %zu", buffer->bytes,
                          bytes);
  return data || !bytes ? HD_STATUS_OK : hd_make_status(HD_INVALID_ARGUMENT, "the memory of %zu bytes is null", bytes);
}

/* Between dense elements of the device and the host. */
static hd_status transfer(hd_runtime *runtime, void *to, const void *from, size_t bytes) {
  hd_work *work;
  HD_TRY(hd_work_begin(runtime->works, &work));
  hd_status status = hd_stream_copy(runtime->driver, hd_work_stream(work), to, from, bytes);
  status = hd_status_join(status, hd_work_wait(work));
  hd_work_release(work);
  return status;
}

bool hd_buffer_shares_memory(const hd_buffer *buffer, const void *data, size_t bytes) {
  const char *first = buffer->data, *last = first, *other = data;
  if (!buffer->bytes || !bytes) return false;
  size_t size = hd_element_bytes(buffer->type);
  for (int32_t i = 0; i < buffer->rank; ++i) {
    int64_t span = buffer->strides[i] * (buffer->dims[i] - 1) * (int64_t)size;
    if (span < 0)
      first += span;
    else
      last += span;
  }
  return other < last + size && first < other + bytes;
}

hd_status hd_buffer_read(hd_buffer *buffer, void *to, size_t bytes) {
  HD_REQUIRE(buffer);
  HD_TRY(check_bytes(buffer, to, bytes));
  HD_TRY(hd_work_wait(buffer->work));
  if (!bytes) return HD_STATUS_OK;
  if (hd_buffer_is_on_device(buffer)) return transfer(buffer->runtime, to, buffer->data, bytes);
  if (hd_buffer_is_dense(buffer)) {
    memmove(to, buffer->data, bytes);
    return HD_STATUS_OK;
  }
  if (hd_buffer_shares_memory(buffer, to, bytes))
    return hd_make_status(HD_INVALID_ARGUMENT,
                          "the memory to read into is the buffer's own, whose elements have strides");
  hd_copy_strided(to, buffer->data, hd_element_bytes(buffer->type), buffer->rank, buffer->dims, buffer->strides);
  return HD_STATUS_OK;
}

hd_status hd_buffer_write(hd_buffer *buffer, const void *from, size_t bytes) {
  HD_REQUIRE(buffer);
  HD_TRY(check_bytes(buffer, from, bytes));
  if (!hd_buffer_is_dense(buffer))
    return hd_make_status(HD_INVALID_ARGUMENT, "a buffer with strides cannot be written: expected a dense one");
  hd_works_wait(buffer->runtime->works); /* some of it may read the buffer */
  if (!bytes) return HD_STATUS_OK;
  if (hd_buffer_is_on_device(buffer)) return transfer(buffer->runtime, buffer->data, from, bytes);
  memmove(buffer->data, from, bytes);
  return HD_STATUS_OK;
}
