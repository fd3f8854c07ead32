/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of programs below the graph: storages, memrefs on them, pointers.
 *
 * A storage is a block of bytes at a real address, so that programs may compute with addresses; every access is checked
 * against the storage that it goes to. It lives from its allocation to its deallocation, an automatic one (alloca) to
 * the end of the call that made it. A memref is a value whose buffer holds a hd_memref: its type says element, rank and
 * what is static, the sizes and strides here are the actual ones. A pointer (!llvm.ptr) is a value of one 64-bit
 * address. */
#ifndef HD_EVAL_MEMORY_H_
#define HD_EVAL_MEMORY_H_

#include "base/vec.h"
#include "eval/scalars.h"

typedef struct hd_storage {
  hd_tensor_buffer *buffer; /* null once it is freed */
  char *data;
  size_t size;
  bool automatic, lent; /* lent: of an argument or a constant, not the program's to free, */
  bool writable;        /* nor to write, unless this says so */
  size_t references;
  hd_op *origin; /* what allocated it; null for arguments */
  hd_type shape; /* the tensor type of what lies there, as the first memref of all of it says; null: not known */
  hd_op *writer; /* the last unit that wrote to it */
} hd_storage;

typedef struct hd_memory {
  hd_vec(hd_storage *) storages; /* live ones */
  hd_map typed_calls;            /* calls with erased types -> hd.ral_call */
  hd_op *unit;                   /* the op of the host being run that is a kernel or call as a whole; null: another */
} hd_memory;

typedef struct hd_memref {
  hd_storage *storage;
  char *base;     /* the aligned pointer */
  int64_t offset; /* elements */
  int64_t dims[]; /* sizes, then strides in elements */
} hd_memref;

hd_memory *hd_frame_memory(hd_eval_frame *frame);

/* |size| bytes filled with a pattern, so that reads before the first write are seen. */
hd_status hd_storage_create(hd_eval_frame *frame, size_t size, hd_op *origin, bool automatic,
                            hd_storage **out_storage) HD_MUST_USE;
/* To be asked before writing; an error when it is lent. */
hd_status hd_storage_write(hd_eval_frame *frame, hd_storage *storage) HD_MUST_USE;
hd_status hd_storage_free(hd_eval_frame *frame, hd_storage *storage) HD_MUST_USE;
/* The live storage that has |address| inside or at its end; null when there is none. */
hd_storage *hd_storage_find(hd_eval_frame *frame, uint64_t address);

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
 * rank 1 without |sizes| from the storage's end. */
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

hd_status hd_eval_pointer(hd_eval_frame *frame, hd_type type, uint64_t address, hd_tensor *out) HD_MUST_USE;
/* Integers of operands |first| .. of |op|, for indices and sizes. */
hd_status hd_eval_index_operands(hd_eval_frame *frame, const hd_tensor *in, uint32_t count, int64_t **out) HD_MUST_USE;

#endif
