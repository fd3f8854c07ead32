/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/core/tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/core/elements.h"
#include "ir/attributes.h"

enum { SMALL = 64, SPARE_LIMIT = 1024 };

void hd_heap_init(hd_heap *heap, size_t limit) { *heap = (hd_heap){.limit = limit}; }

void hd_heap_clear(hd_heap *heap) {
  for (hd_tensor_buffer *buffer = heap->first, *next; buffer; buffer = next) {
    next = buffer->next;
    free(buffer);
  }
  for (hd_tensor_buffer *buffer = heap->spare, *next; buffer; buffer = next) {
    next = buffer->next;
    free(buffer);
  }
  *heap = (hd_heap){.limit = heap->limit};
}

hd_status hd_tensor_buffer_create(hd_heap *heap, size_t size, hd_tensor_buffer **out_buffer) {
  *out_buffer = NULL;
  if (size > SIZE_MAX / 2 || (heap->limit && (size > heap->limit || heap->used > heap->limit - size)))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory: %zu bytes wanted, %zu in use, limit %zu", size,
                          heap->used, heap->limit);
  hd_tensor_buffer *buffer;
  if (size <= SMALL && heap->spare) {
    buffer = heap->spare;
    heap->spare = buffer->next;
    --heap->spare_count;
  } else {
    size_t room = size <= SMALL ? SMALL : (size + 63) / 64 * 64;
    buffer = aligned_alloc(64, (sizeof *buffer + room + 63) / 64 * 64);
    if (!buffer) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory: %zu bytes wanted", size);
  }
  buffer->heap = heap;
  buffer->prev = NULL;
  buffer->next = heap->first;
  if (heap->first) heap->first->prev = buffer;
  heap->first = buffer;
  buffer->refs = 1;
  buffer->size = size;
  buffer->is_tuple = false;
  heap->used += size;
  *out_buffer = buffer;
  return HD_STATUS_OK;
}

void hd_tensor_buffer_release(hd_tensor_buffer *buffer) {
  if (!buffer || --buffer->refs) return;
  if (buffer->is_tuple)
    for (size_t i = 0; i < buffer->size / sizeof(hd_tensor); ++i)
      hd_tensor_buffer_release(((hd_tensor *)(void *)buffer->data)[i].buffer);
  hd_heap *heap = buffer->heap;
  if (buffer->prev)
    buffer->prev->next = buffer->next;
  else
    heap->first = buffer->next;
  if (buffer->next) buffer->next->prev = buffer->prev;
  heap->used -= buffer->size;
  if (buffer->size <= SMALL && heap->spare_count < SPARE_LIMIT) {
    buffer->next = heap->spare;
    heap->spare = buffer;
    ++heap->spare_count;
  } else {
    free(buffer);
  }
}

hd_status hd_no_elements_of(hd_type element) {
  bool is_pair = element->kind == HD_TYPE_COMPLEX;
  hd_type part = is_pair ? element->shaped.element : element;
  char name[32] = "that are no numbers";
  if (part->kind == HD_TYPE_FLOAT)
    snprintf(name, sizeof name, "of type %s%s%s", is_pair ? "complex<" : "", hd_float_formats[part->float_kind].name,
             is_pair ? ">" : "");
  else if (part->kind == HD_TYPE_INTEGER)
    snprintf(name, sizeof name, "of type %s%si%u%s", is_pair ? "complex<" : "",
             part->integer.signedness == HD_SIGNED     ? "s"
             : part->integer.signedness == HD_UNSIGNED ? "u"
                                                       : "",
             part->integer.width, is_pair ? ">" : "");
  return hd_make_status(HD_UNIMPLEMENTED, "the evaluator has no elements %s", name);
}

hd_status hd_tensor_create(hd_heap *heap, hd_type type, hd_tensor *out_tensor) {
  *out_tensor = (hd_tensor){0};
  if (!hd_type_is(type, HD_TYPE_TENSOR)) return hd_make_status(HD_INTERNAL, "not a ranked tensor type");
  if (type->shaped.rank > HD_MAX_RANK)
    return hd_make_status(HD_UNIMPLEMENTED, "rank %u is above the evaluator's limit of %d", type->shaped.rank,
                          HD_MAX_RANK);
  size_t bytes = hd_type_element_bytes(type->shaped.element);
  hd_type element = type->shaped.element;
  if (!bytes || bytes > 16 || !hd_is_element(element)) return hd_no_elements_of(element);
  int64_t count = hd_type_num_elements(type);
  if (count < 0 || (uint64_t)count > SIZE_MAX / 4 / bytes)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "the number of elements of a tensor overflows");
  HD_TRY(hd_tensor_buffer_create(heap, (size_t)count * bytes, &out_tensor->buffer));
  out_tensor->type = type;
  return HD_STATUS_OK;
}

hd_status hd_tensor_create_tuple(hd_heap *heap, hd_type type, const hd_tensor *elements, size_t count,
                                 hd_tensor *out_tensor) {
  *out_tensor = (hd_tensor){0};
  HD_TRY(hd_tensor_buffer_create(heap, count * sizeof *elements, &out_tensor->buffer));
  out_tensor->buffer->is_tuple = true;
  if (count) memcpy(out_tensor->buffer->data, elements, count * sizeof *elements);
  out_tensor->type = type;
  return HD_STATUS_OK;
}

hd_status hd_tensor_from_attr(hd_heap *heap, hd_attr attr, hd_tensor *out_tensor) {
  *out_tensor = (hd_tensor){0};
  if (hd_attr_is(attr, HD_ATTR_DENSE_RESOURCE)) {
    hd_map_entry *entry = hd_map_find_bytes(&attr->context->resources, attr->resource->text, attr->resource->len);
    const hd_resource *resource = entry ? entry->value.ptr : NULL;
    HD_TRY(hd_tensor_create(heap, attr->type, out_tensor));
    size_t size = out_tensor->buffer->size;
    if (!resource || resource->size != size) {
      hd_tensor_release(out_tensor);
      return hd_make_status(HD_INVALID_ARGUMENT, "resource '%s': expected %zu bytes, got %zu", attr->resource->text,
                            size, resource ? resource->size : 0);
    }
    if (size) memcpy(hd_tensor_data(out_tensor), resource->data, size);
    return HD_STATUS_OK;
  }
  if (!hd_attr_is(attr, HD_ATTR_DENSE) || !hd_type_is(attr->type, HD_TYPE_TENSOR))
    return hd_make_status(HD_UNIMPLEMENTED, "expected a dense tensor constant");
  HD_TRY(hd_tensor_create(heap, attr->type, out_tensor));
  size_t bytes = hd_tensor_element_bytes(out_tensor), size = out_tensor->buffer->size;
  char *to = hd_tensor_data(out_tensor);
  if (!attr->dense.splat) {
    if (attr->dense.size < size) {
      hd_tensor_release(out_tensor);
      return hd_make_status(HD_INTERNAL, "a constant has %zu bytes where %zu are needed", attr->dense.size, size);
    }
    if (size) memcpy(to, attr->dense.data, size);
    return HD_STATUS_OK;
  }
  for (size_t at = 0; at < size; at += bytes) memcpy(to + at, attr->dense.data, bytes);
  return HD_STATUS_OK;
}

void hd_strides_of(uint32_t rank, const int64_t *dims, int64_t *out_strides) {
  int64_t stride = 1;
  for (uint32_t i = rank; i-- > 0;) {
    out_strides[i] = stride;
    if (__builtin_mul_overflow(stride, dims[i] > 0 ? dims[i] : 1, &stride)) stride = INT64_MAX;
  }
}

bool hd_strided_span(uint32_t rank, const int64_t *sizes, const int64_t *strides, int64_t offset, int64_t *out_low,
                     int64_t *out_high) {
  *out_low = *out_high = offset;
  for (uint32_t i = 0; i < rank; ++i) {
    int64_t reach, *end;
    if (sizes[i] < 2) continue;
    if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &reach)) return false;
    end = reach < 0 ? out_low : out_high;
    if (__builtin_add_overflow(*end, reach, end)) return false;
  }
  return true;
}

bool hd_dims_product(uint32_t rank, const int64_t *dims, int64_t *out_product) {
  int64_t product = 1;
  bool zero = false, overflow = false;
  for (uint32_t i = 0; i < rank; ++i) {
    zero |= dims[i] == 0;
    overflow |= dims[i] < 0 || __builtin_mul_overflow(product, dims[i], &product);
  }
  *out_product = zero ? 0 : product;
  return zero || !overflow;
}

bool hd_dims_equal(uint32_t rank, const int64_t *a, const int64_t *b) {
  for (uint32_t i = 0; i < rank; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

/* One row: the innermost dim. */
static void copy_row(int64_t count, size_t bytes, char *to, int64_t to_stride, const char *from, int64_t from_stride) {
  if (to_stride == 1 && from_stride == 1) {
    memcpy(to, from, (size_t)count * bytes);
    return;
  }
#define ROW(T)                                                                    \
  {                                                                               \
    T *out = (T *)(void *)to;                                                     \
    const T *in = (const T *)(const void *)from;                                  \
    for (int64_t i = 0; i < count; ++i) out[i * to_stride] = in[i * from_stride]; \
    return;                                                                       \
  }
  switch (bytes) {
    case 1:
      ROW(uint8_t)
    case 2:
      ROW(uint16_t)
    case 4:
      ROW(uint32_t)
    case 8:
      ROW(uint64_t)
    default:
      for (int64_t i = 0; i < count; ++i)
        memcpy(to + i * to_stride * (int64_t)bytes, from + i * from_stride * (int64_t)bytes, bytes);
  }
#undef ROW
}

void hd_tensor_copy_strided(uint32_t rank, const int64_t *dims, size_t bytes, void *to, const int64_t *to_strides,
                            const void *from, const int64_t *from_strides) {
  for (uint32_t i = 0; i < rank; ++i)
    if (dims[i] <= 0) return;
  if (rank == 0) {
    memcpy(to, from, bytes);
    return;
  }
  int64_t index[HD_MAX_RANK] = {0};
  do {
    int64_t to_offset = 0, from_offset = 0;
    for (uint32_t i = 0; i + 1 < rank; ++i) {
      to_offset += index[i] * to_strides[i];
      from_offset += index[i] * from_strides[i];
    }
    copy_row(dims[rank - 1], bytes, (char *)to + to_offset * (int64_t)bytes, to_strides[rank - 1],
             (const char *)from + from_offset * (int64_t)bytes, from_strides[rank - 1]);
  } while (hd_index_next(rank - 1, dims, index));
}
