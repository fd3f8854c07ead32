/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of programs below the graph: memrefs and pointers on storages.
 *
 * A memref is a value whose buffer holds a hd_memref: its type says element, rank and
 * what is static, the sizes and strides here are the actual ones. A pointer (!llvm.ptr) is a value of one 64-bit
 * address. */
#ifndef HD_EVAL_MACHINE_MEMORY_H_
#define HD_EVAL_MACHINE_MEMORY_H_

#include "eval/core/scalar.h"
#include "eval/core/storage.h"

typedef struct hd_memref {
  hd_storage *storage;
  char *base;     /* the aligned pointer */
  int64_t offset; /* elements */
  int64_t dims[]; /* sizes, then strides in elements */
} hd_memref;

static inline const hd_memref *hd_memref_of(const hd_tensor *value) {
  return (const hd_memref *)(const void *)value->buffer->data;
}
static inline const int64_t *hd_memref_sizes(const hd_tensor *value) { return hd_memref_of(value)->dims; }
static inline const int64_t *hd_memref_strides(const hd_tensor *value) {
  return hd_memref_of(value)->dims + value->type->shaped.rank;
}
/* Bytes of the value of a memref of |type|. */
static inline size_t hd_memref_bytes(hd_type type) {
  return sizeof(hd_memref) + 2 * (size_t)type->shaped.rank * sizeof(int64_t);
}
static inline bool hd_is_memref(const hd_tensor *value) { return hd_type_is(value->type, HD_TYPE_MEMREF); }

static inline bool hd_is_pointer(hd_type type) {
  return hd_type_is(type, HD_TYPE_DIALECT) && type->dialect.row == HD_TYPE_ROW_llvm_ptr;
}

/* A memref of |type|; |strides| null: dense, row major. */
hd_status hd_memref_create(hd_eval_frame *frame, hd_type type, hd_storage *storage, char *base, int64_t offset,
                           const int64_t *sizes, const int64_t *strides, hd_tensor *out) HD_MUST_USE;
/* A memref of |type| with storage of its own. */
hd_status hd_memref_allocate(hd_eval_frame *frame, hd_type type, const int64_t *sizes, hd_op *origin, bool automatic,
                             hd_tensor *out) HD_MUST_USE;
/* A memref of |type| at |address|: sizes that the type does not give follow from |sizes| (one per unknown dim), or for
 * rank 1 without |sizes| from the storage's end. Of sizes that are HD_MEMREF_NOT_GIVEN the first follows from the
 * storage's end, and the others are 1. */
#define HD_MEMREF_NOT_GIVEN INT64_MIN
hd_status hd_memref_at(hd_eval_frame *frame, hd_type type, uint64_t address, const int64_t *sizes,
                       hd_tensor *out) HD_MUST_USE;
/* The address of the element at |index| and the |count| - 1 after it in the innermost dim; an error when the index or
 * the memory does not have them. */
hd_status hd_memref_address(const hd_tensor *memref, const int64_t *index, size_t count, char **out) HD_MUST_USE;
/* The elements as a dense tensor, and back. Sizes must be equal. */
hd_status hd_memref_read(hd_eval_frame *frame, const hd_tensor *memref, hd_tensor *out) HD_MUST_USE;
hd_status hd_memref_write(hd_eval_frame *frame, const hd_tensor *memref, const hd_tensor *tensor) HD_MUST_USE;
/* Are all elements inside of a live storage? */
hd_status hd_memref_check(const hd_tensor *memref) HD_MUST_USE;
/* The place |shift| bytes after the first element of |memref|; an error when its storage does not have it. */
hd_status hd_memref_place(const hd_tensor *memref, int64_t shift, char **out) HD_MUST_USE;

/* |value|, a memref or the pointer that one became, as a memref of |type|. A pointer that was computed is no memref. */
hd_status hd_memref_cast_to(const hd_tensor *value, hd_type type, hd_tensor *out) HD_MUST_USE;
hd_status hd_eval_pointer(hd_eval_frame *frame, hd_type type, uint64_t address, hd_tensor *out) HD_MUST_USE;
/* Integers of operands |first| .. of |op|, for indices and sizes. */
hd_status hd_eval_index_operands(hd_eval_frame *frame, const hd_tensor *in, uint32_t count, int64_t **out) HD_MUST_USE;

#endif
