/* SPDX-License-Identifier: Apache-2.0 */
/* Values of the evaluator: static tensors in host memory, tokens and tuples.
 *
 * A hd_tensor is a small value that shares a reference-counted buffer. A hook borrows its operands and owns what it
 * puts into its results. Buffers are never changed once a tensor has more than one holder: make a new one instead.
 * All buffers of a heap are linked, so that a run which is given up frees everything at once (hd_heap_clear).
 * Thread-compatible: a heap and its tensors are used by one thread at a time. */
#ifndef HD_EVAL_CORE_TENSOR_H_
#define HD_EVAL_CORE_TENSOR_H_

#include "ir/types.h"

typedef struct hd_tensor_buffer hd_tensor_buffer;

/* Where buffers come from: malloc under a limit of bytes. */
typedef struct hd_heap {
  size_t limit; /* 0: none */
  size_t used;
  hd_tensor_buffer *first; /* all live buffers */
  hd_tensor_buffer *spare; /* small ones kept for the next use */
  size_t spare_count;
} hd_heap;

struct hd_tensor_buffer {
  hd_heap *heap;
  hd_tensor_buffer *prev, *next;
  size_t refs;
  size_t size;
  bool is_tuple; /* holds hd_tensors, which it releases */
  _Alignas(64) char data[];
};

typedef struct hd_tensor {
  hd_type type;             /* a static tensor, a tuple, or a dialect type such as !stablehlo.token; null: no value */
  hd_tensor_buffer *buffer; /* null for tokens and before a value is given */
} hd_tensor;

void hd_heap_init(hd_heap *heap, size_t limit);
/* Frees every buffer, whoever holds it. */
void hd_heap_clear(hd_heap *heap);
/* A buffer with one reference, uninitialised. RESOURCE_EXHAUSTED past the limit or when the machine has no more. */
hd_status hd_tensor_buffer_create(hd_heap *heap, size_t size, hd_tensor_buffer **out_buffer) HD_MUST_USE;
void hd_tensor_buffer_release(hd_tensor_buffer *buffer); /* null is allowed */

/* UNIMPLEMENTED, with |element|'s name: "i128", "f80", "complex<f128>". */
hd_status hd_no_elements_of(hd_type element) HD_MUST_USE;

/* A tensor of |type| (ranked, static) with room for its elements, uninitialised. */
hd_status hd_tensor_create(hd_heap *heap, hd_type type, hd_tensor *out_tensor) HD_MUST_USE;
/* A tuple of |type| that takes over |elements|. */
hd_status hd_tensor_create_tuple(hd_heap *heap, hd_type type, const hd_tensor *elements, size_t count,
                                 hd_tensor *out_tensor) HD_MUST_USE;
/* The elements of a dense attribute whose type is a static tensor. */
hd_status hd_tensor_from_attr(hd_heap *heap, hd_attr attr, hd_tensor *out_tensor) HD_MUST_USE;

static inline hd_tensor hd_tensor_retain(hd_tensor tensor) {
  if (tensor.buffer) ++tensor.buffer->refs;
  return tensor;
}
static inline void hd_tensor_release(hd_tensor *tensor) {
  hd_tensor_buffer_release(tensor->buffer);
  *tensor = (hd_tensor){0};
}

static inline void *hd_tensor_data(const hd_tensor *tensor) { return tensor->buffer->data; }
static inline hd_type hd_tensor_element(const hd_tensor *tensor) { return tensor->type->shaped.element; }
static inline uint32_t hd_tensor_rank(const hd_tensor *tensor) { return tensor->type->shaped.rank; }
static inline const int64_t *hd_tensor_dims(const hd_tensor *tensor) { return tensor->type->shaped.dims; }
static inline size_t hd_tensor_count(const hd_tensor *tensor) { return (size_t)hd_type_num_elements(tensor->type); }
static inline size_t hd_tensor_element_bytes(const hd_tensor *tensor) {
  return hd_type_element_bytes(tensor->type->shaped.element);
}
static inline bool hd_tensor_is_tensor(const hd_tensor *tensor) { return hd_type_is(tensor->type, HD_TYPE_TENSOR); }
/* Element |i| of a tuple, borrowed. */
static inline const hd_tensor *hd_tuple_get(const hd_tensor *tuple, size_t i) {
  return (const hd_tensor *)(const void *)tuple->buffer->data + i;
}

/* ---- index arithmetic ---- */

/* Row-major strides in elements; one that overflows, which only a tensor without elements or a view of memory that is
 * not there has, is INT64_MAX. */
void hd_strides_of(uint32_t rank, const int64_t *dims, int64_t *out_strides);
/* The product of |dims| (all 0 or above); false when it overflows. */
bool hd_dims_product(uint32_t rank, const int64_t *dims, int64_t *out_product);
bool hd_dims_equal(uint32_t rank, const int64_t *a, const int64_t *b);

/* The least and the greatest of offset + sum over dims of i * stride, 0 <= i < size, for |sizes| of 1 or more (less
 * counts as 1) and strides of any sign: where a strided part is. False when that overflows. */
bool hd_strided_span(uint32_t rank, const int64_t *sizes, const int64_t *strides, int64_t offset, int64_t *out_low,
                     int64_t *out_high);

/* Steps |index| through |dims| in row-major order; false after the last. Start with zeros and only when no dim is 0. */
static inline bool hd_index_next(uint32_t rank, const int64_t *dims, int64_t *index) {
  for (uint32_t i = rank; i-- > 0;) {
    if (++index[i] < dims[i]) return true;
    index[i] = 0;
  }
  return false;
}

/* Copies a box of |dims| elements of |bytes| each; offsets and strides in elements, of any sign. */
void hd_tensor_copy_strided(uint32_t rank, const int64_t *dims, size_t bytes, void *to, const int64_t *to_strides,
                            const void *from, const int64_t *from_strides);

#endif
