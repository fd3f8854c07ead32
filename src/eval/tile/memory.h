/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of tiles touch: global memory by the addresses in pointers, and shared memory by views.
 *
 * A !tt.ptr is a value of one 64-bit address. A !ttg.memdesc is a value that holds a hd_shared_view: the elements of a
 * shared buffer are in row-major order, whatever its layout says, since layouts never change values. */
#ifndef HD_EVAL_TILE_MEMORY_H_
#define HD_EVAL_TILE_MEMORY_H_

#include "eval/core/scalar.h"
#include "eval/core/storage.h"
#include "ir/ops/tt.h"
#include "ir/tile_types.h"

/* ---- global memory ---- */

typedef struct hd_global_access {
  hd_eval_frame *frame;
  const char *verb; /* "loads", "stores": for errors */
  size_t bytes;     /* of an element */
  bool writes;
  hd_storage *last; /* where the last access was */
} hd_global_access;

/* The memory at |address| for element |lane|: an error where it is null, misaligned, in no buffer, or reaches beyond
 * one. */
hd_status hd_global_address(hd_global_access *access, uint64_t address, size_t lane, char **out) HD_MUST_USE;

/* The address in pointer |value| for element |lane|. */
uint64_t hd_pointer_at(const hd_tensor *value, size_t lane);
/* |count| elements of |element| that nothing has defined, at |to|: a pattern, so that a program that uses them is seen.
 */
void hd_undefined_elements(hd_type element, char *to, size_t count);
/* Operand |item| of |op|, which is optional; null when it is not given. */
const hd_tensor *hd_optional_operand(hd_op *op, const hd_tensor *in, size_t item);

/* Loads the elements that |pointers| point to, |other| or anything where the mask is false, to |to|. */
hd_status hd_global_load(hd_eval_frame *frame, const hd_tensor *pointers, const hd_tensor *mask, const hd_tensor *other,
                         hd_type element, char *to) HD_MUST_USE;

/* ---- shared memory ---- */

typedef struct hd_shared_view {
  hd_storage *storage;
  int64_t offset;    /* elements */
  int64_t strides[]; /* elements, one per dim of the memdesc */
} hd_shared_view;

static inline const hd_shared_view *hd_shared_view_of(const hd_tensor *value) {
  return (const hd_shared_view *)(const void *)value->buffer->data;
}

/* A view of |type|, a memdesc. */
hd_status hd_shared_view_create(hd_eval_frame *frame, hd_type type, hd_storage *storage, int64_t offset,
                                const int64_t *strides, hd_tensor *out) HD_MUST_USE;
/* New memory of the type of |op|'s first result, with |content| in it, or with anything where that is null. */
hd_status hd_shared_allocate(hd_eval_frame *frame, hd_op *op, const hd_tensor *content, hd_tensor *out) HD_MUST_USE;
/* What |view| sees as a tensor, and back. An error once the buffer is freed. */
hd_status hd_shared_read(hd_eval_frame *frame, const hd_tensor *view, hd_tensor *out) HD_MUST_USE;
hd_status hd_shared_write(const hd_tensor *view, const hd_tensor *tensor) HD_MUST_USE;
/* The first element of |view|. */
hd_status hd_shared_place(const hd_tensor *view, char **out) HD_MUST_USE;

/* Counts |bytes| that came for the barrier that |view| sees. */
hd_status hd_barrier_bytes(const hd_tensor *view, int64_t bytes) HD_MUST_USE;

/* |count| arrivals at the barrier that |view| sees. */
hd_status hd_barrier_arrive(const hd_tensor *view, int64_t count) HD_MUST_USE;

/* ---- products ---- */

/* |*out| = a b + c of |type|, a tensor; |c| may be null: zeros. */
hd_status hd_tile_dot(hd_eval_frame *frame, hd_type type, hd_enum_tt_input_precision precision, const hd_tensor *a,
                      const hd_tensor *b, const hd_tensor *c, hd_tensor *out) HD_MUST_USE;

/* An operand of a product with scales: |scales| may be null. */
typedef struct hd_scaled_operand {
  const hd_tensor *values, *scales;
  hd_enum_tt_scale_type type;
} hd_scaled_operand;

/* The same where each group of elements along the dim that is summed has a scale. */
hd_status hd_tile_dot_scaled(hd_eval_frame *frame, hd_type type, hd_scaled_operand a, hd_scaled_operand b,
                             const hd_tensor *c, hd_tensor *out) HD_MUST_USE;

/* ---- values without anything in them ---- */

static inline hd_tensor hd_async_token(hd_type type) { return (hd_tensor){.type = type}; }

#endif
