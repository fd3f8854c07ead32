/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/machine/memory.h"

#include <string.h>

/* Bytes of an element of a memref; 0 when it has no size in memory. */
static size_t element_bytes(hd_type element) {
  int64_t count = hd_type_is(element, HD_TYPE_VECTOR) ? hd_type_num_elements(element) : 1;
  size_t bytes = hd_type_element_bytes(hd_type_element(element));
  return count < 0 || (bytes && (uint64_t)count > SIZE_MAX / 8 / bytes) ? 0 : (size_t)count * bytes;
}

/* Memory holds numbers and vectors of numbers: an element that is a value with parts elsewhere (a memref) could be read
 * back from bytes that the program wrote. */
static hd_status check_type(hd_type type) {
  hd_type element = type->shaped.element;
  if (!hd_type_is(type, HD_TYPE_MEMREF)) return hd_make_status(HD_UNIMPLEMENTED, "expected a ranked memref");
  if (type->shaped.rank > HD_MAX_RANK)
    return hd_make_status(HD_UNIMPLEMENTED, "rank %u is above the evaluator's limit of %d", type->shaped.rank,
                          HD_MAX_RANK);
  if ((hd_type_is_shaped(element) && !hd_type_is(element, HD_TYPE_VECTOR)) || !element_bytes(element))
    return hd_make_status(HD_UNIMPLEMENTED, "the evaluator has no memory for elements of this type");
  return HD_STATUS_OK;
}

hd_status hd_memref_create(hd_eval_frame *frame, hd_type type, hd_storage *storage, char *base, int64_t offset,
                           const int64_t *sizes, const int64_t *strides, hd_tensor *out) {
  *out = (hd_tensor){0};
  uint32_t rank = type->shaped.rank;
  HD_TRY(check_type(type));
  for (uint32_t i = 0; i < rank; ++i)
    if (sizes[i] < 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "dim %u of a memref is %lld", i, (long long)sizes[i]);
    else if (type->shaped.dims[i] != HD_DYNAMIC && type->shaped.dims[i] != sizes[i])
      return hd_make_status(HD_INVALID_ARGUMENT, "dim %u of a memref is %lld where its type says %lld", i,
                            (long long)sizes[i], (long long)type->shaped.dims[i]);
  HD_TRY(hd_tensor_buffer_create(hd_frame_heap(frame), hd_memref_bytes(type), &out->buffer));
  out->type = type;
  hd_memref *m = (hd_memref *)(void *)out->buffer->data;
  *m = (hd_memref){storage, base, offset};
  if (rank) memcpy(m->dims, sizes, rank * sizeof *sizes); /* null for a scalar */
  if (strides && rank)
    memcpy(m->dims + rank, strides, rank * sizeof *strides);
  else
    hd_strides_of(rank, sizes, m->dims + rank);
  int64_t count;
  if (!storage->shape && !strides && !offset && base == storage->data && hd_dims_product(rank, sizes, &count) &&
      (uint64_t)count * hd_type_element_bytes(type->shaped.element) == storage->size)
    storage->shape = hd_type_tensor(type->shaped.element, sizes, rank, NULL);
  return HD_STATUS_OK;
}

static hd_status bytes_of(hd_type element, uint32_t rank, const int64_t *sizes, size_t *out) {
  int64_t count;
  size_t bytes = element_bytes(element);
  for (uint32_t i = 0; i < rank; ++i)
    if (sizes[i] < 0) return hd_make_status(HD_INVALID_ARGUMENT, "allocates a dim of %lld", (long long)sizes[i]);
  if (!hd_dims_product(rank, sizes, &count) || (uint64_t)count > SIZE_MAX / 4 / bytes)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "the number of elements of a buffer overflows");
  *out = (size_t)count * bytes;
  return HD_STATUS_OK;
}

hd_status hd_memref_allocate(hd_eval_frame *frame, hd_type type, const int64_t *sizes, hd_op *origin, bool automatic,
                             hd_tensor *out) {
  size_t bytes = 0;
  hd_storage *storage;
  HD_TRY(check_type(type));
  HD_TRY(bytes_of(type->shaped.element, type->shaped.rank, sizes, &bytes));
  HD_TRY(hd_storage_create(frame, bytes, origin, automatic, &storage));
  return hd_memref_create(frame, type, storage, storage->data, 0, sizes, NULL, out);
}

/* The sizes of |dims| that are not given: as many elements of |bytes| as |room| has. */
static void fill_not_given(int64_t *dims, uint32_t rank, size_t bytes, uint64_t room) {
  int64_t known = 1;
  bool is_first = true;
  for (uint32_t i = 0; i < rank; ++i)
    if (dims[i] >= 0 && __builtin_mul_overflow(known, dims[i], &known)) known = INT64_MAX;
  for (uint32_t i = 0; i < rank; ++i) {
    if (dims[i] != HD_MEMREF_NOT_GIVEN) continue;
    dims[i] = !is_first ? 1 : known && bytes ? (int64_t)(room / bytes) / known : 0;
    is_first = false;
  }
}

hd_status hd_memref_at(hd_eval_frame *frame, hd_type type, uint64_t address, const int64_t *sizes, hd_tensor *out) {
  hd_storage *storage = hd_storage_find(frame, address);
  if (!storage) return hd_make_status(HD_INVALID_ARGUMENT, "uses an address that is in no live buffer");
  int64_t dims[HD_MAX_RANK];
  uint32_t rank = type->shaped.rank, unknown = 0;
  if (rank > HD_MAX_RANK) return hd_make_status(HD_UNIMPLEMENTED, "rank %u is above the limit", rank);
  size_t bytes = hd_type_element_bytes(type->shaped.element);
  for (uint32_t i = 0; i < rank; ++i) {
    dims[i] = type->shaped.dims[i];
    if (dims[i] != HD_DYNAMIC) continue;
    if (!sizes && (rank != 1 || !bytes)) return hd_make_status(HD_UNIMPLEMENTED, "needs the sizes of a memref");
    dims[i] =
        sizes ? sizes[unknown++] : (int64_t)((storage->size - (address - (uint64_t)(uintptr_t)storage->data)) / bytes);
  }
  char *base = storage->data + (address - (uint64_t)(uintptr_t)storage->data);
  if (sizes) fill_not_given(dims, rank, bytes, storage->size - (uint64_t)(base - storage->data));
  return hd_memref_create(frame, type, storage, base, 0, dims, NULL, out);
}

static hd_status outside(const hd_memref *m) {
  if (!m->storage->buffer) return hd_make_status(HD_INVALID_ARGUMENT, "uses a buffer after it is freed");
  return hd_make_status(HD_INVALID_ARGUMENT, "accesses memory outside of its buffer of %zu bytes", m->storage->size);
}

hd_status hd_memref_address(const hd_tensor *memref, const int64_t *index, size_t count, char **out) {
  const hd_memref *m = hd_memref_of(memref);
  uint32_t rank = memref->type->shaped.rank;
  const int64_t *strides = m->dims + rank;
  int64_t at = m->offset, bytes = (int64_t)element_bytes(memref->type->shaped.element), from, to;
  bool overflow = !m->storage->buffer;
  for (uint32_t i = 0; i < rank; ++i) {
    if (index[i] < 0 || (index[i] >= m->dims[i] && (count == 1 || i + 1 < rank)))
      return hd_make_status(HD_INVALID_ARGUMENT, "index %lld of dim %u is not in [0, %lld)", (long long)index[i], i,
                            (long long)m->dims[i]);
    int64_t step;
    overflow |= __builtin_mul_overflow(index[i], strides[i], &step) || __builtin_add_overflow(at, step, &at);
  }
  if (overflow || __builtin_mul_overflow(at, bytes, &from) ||
      __builtin_add_overflow(from, m->base - m->storage->data, &from) || from < 0 ||
      __builtin_mul_overflow((int64_t)count, bytes, &to) || __builtin_add_overflow(to, from, &to) ||
      to > (int64_t)m->storage->size + (count > 1 ? HD_STORAGE_SLACK : 0))
    return outside(m);
  *out = m->storage->data + from;
  return HD_STATUS_OK;
}

hd_status hd_memref_check(const hd_tensor *memref) {
  const hd_memref *m = hd_memref_of(memref);
  uint32_t rank = memref->type->shaped.rank;
  int64_t low, high, bytes = (int64_t)element_bytes(memref->type->shaped.element);
  if (!m->storage->buffer) return outside(m);
  for (uint32_t i = 0; i < rank; ++i)
    if (!m->dims[i]) return HD_STATUS_OK;
  int64_t from = m->base - m->storage->data;
  if (!hd_strided_span(rank, m->dims, m->dims + rank, m->offset, &low, &high) ||
      __builtin_mul_overflow(low, bytes, &low) || __builtin_add_overflow(low, from, &low) || low < 0 ||
      __builtin_add_overflow(high, 1, &high) || __builtin_mul_overflow(high, bytes, &high) ||
      __builtin_add_overflow(high, from, &high) || high > (int64_t)m->storage->size)
    return outside(m);
  return HD_STATUS_OK;
}

hd_status hd_memref_place(const hd_tensor *memref, int64_t shift, char **out) {
  const hd_memref *m = hd_memref_of(memref);
  int64_t at, bytes = (int64_t)element_bytes(memref->type->shaped.element);
  if (!m->storage->buffer || __builtin_mul_overflow(m->offset, bytes, &at) || __builtin_add_overflow(at, shift, &at) ||
      __builtin_add_overflow(at, m->base - m->storage->data, &at) || at < 0 || at > (int64_t)m->storage->size)
    return outside(m);
  *out = m->storage->data + at;
  return HD_STATUS_OK;
}

hd_status hd_memref_read(hd_eval_frame *frame, const hd_tensor *memref, hd_tensor *out) {
  HD_TRY(hd_memref_check(memref));
  uint32_t rank = memref->type->shaped.rank;
  HD_TRY(hd_eval_tensor(frame, memref->type->shaped.element, rank, hd_memref_sizes(memref), out));
  size_t bytes = hd_tensor_element_bytes(out);
  int64_t strides[HD_MAX_RANK];
  hd_strides_of(rank, hd_tensor_dims(out), strides);
  const hd_memref *m = hd_memref_of(memref);
  if (out->buffer->size)
    hd_tensor_copy_strided(rank, hd_tensor_dims(out), bytes, hd_tensor_data(out), strides,
                           m->base + m->offset * (int64_t)bytes, hd_memref_strides(memref));
  return HD_STATUS_OK;
}

hd_status hd_memref_write(hd_eval_frame *frame, const hd_tensor *memref, const hd_tensor *tensor) {
  HD_TRY(hd_memref_check(memref));
  HD_TRY(hd_storage_write(frame, hd_memref_of(memref)->storage));
  uint32_t rank = memref->type->shaped.rank;
  const hd_memref *m = hd_memref_of(memref);
  if (hd_tensor_rank(tensor) != rank || !hd_dims_equal(rank, hd_tensor_dims(tensor), m->dims))
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %s where its buffer has %s",
                          hd_dims_text(hd_tensor_rank(tensor), hd_tensor_dims(tensor)), hd_dims_text(rank, m->dims));
  size_t bytes = hd_tensor_element_bytes(tensor);
  if (bytes != hd_type_element_bytes(memref->type->shaped.element))
    return hd_make_status(HD_INVALID_ARGUMENT, "gives elements of another size than its buffer's");
  int64_t strides[HD_MAX_RANK];
  hd_strides_of(rank, hd_tensor_dims(tensor), strides);
  if (tensor->buffer->size)
    hd_tensor_copy_strided(rank, m->dims, bytes, m->base + m->offset * (int64_t)bytes, m->dims + rank,
                           hd_tensor_data(tensor), strides);
  return HD_STATUS_OK;
}

hd_status hd_memref_cast_to(const hd_tensor *value, hd_type type, hd_tensor *out) {
  bool fits = hd_type_is(type, HD_TYPE_MEMREF) &&
              (hd_is_memref(value) ? value->type->shaped.rank == type->shaped.rank
                                   : hd_is_pointer(value->type) && value->buffer->size == hd_memref_bytes(type));
  if (!fits) return hd_make_status(HD_INVALID_ARGUMENT, "makes a memref of what is no memref of its rank");
  *out = hd_tensor_retain(*value);
  out->type = type;
  return HD_STATUS_OK;
}

hd_status hd_eval_pointer(hd_eval_frame *frame, hd_type type, uint64_t address, hd_tensor *out) {
  HD_TRY(hd_tensor_buffer_create(hd_frame_heap(frame), sizeof address, &out->buffer));
  memcpy(out->buffer->data, &address, sizeof address);
  out->type = type;
  return HD_STATUS_OK;
}

hd_status hd_eval_index_operands(hd_eval_frame *frame, const hd_tensor *in, uint32_t count, int64_t **out) {
  HD_TRY(hd_eval_temp(frame, count + 1, sizeof **out, out));
  for (uint32_t i = 0; i < count; ++i) (*out)[i] = hd_eval_int(&in[i]);
  return HD_STATUS_OK;
}
