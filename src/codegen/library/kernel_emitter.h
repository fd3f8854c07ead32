/* SPDX-License-Identifier: Apache-2.0 */
/* Writing kernels as IR by hand: a cursor, element types by name, vectors and loops. Offsets and
 * sizes are index values; memrefs are flat. */
#ifndef HD_CODEGEN_LIBRARY_KERNEL_EMITTER_H_
#define HD_CODEGEN_LIBRARY_KERNEL_EMITTER_H_

#include "ir/builder.h"

typedef struct hd_kernel_emitter {
  hd_builder b;
  int64_t vector_bytes;
  hd_type index;
} hd_kernel_emitter;

/* An element type by the name that rows use. */
typedef struct hd_kernel_element {
  hd_type type; /* signless */
  bool is_float, is_unsigned, is_bool;
  int64_t bytes;
} hd_kernel_element;

/* "f32", "f64", "bf16", "f16", "i1" (a byte that is 0 or 1), "i8" to "i64", "ui8" to "ui64". */
hd_kernel_element hd_kernel_element_of(hd_kernel_emitter *e, const char *name);
/* Flat, of unknown size. */
hd_type hd_kernel_memref_type(hd_type type);

/* func.func @name(memrefs and indices as |types|, begin, end) with hd.kernel; the cursor goes into it. Memref
 * |written| overlaps no other. */
hd_block *hd_kernel_open(hd_kernel_emitter *e, const char *name, const hd_type *types, size_t count, size_t written);
void hd_kernel_close(hd_kernel_emitter *e);
/* Opens a loop; |carried| becomes its block arguments. Gives the op, to be closed with |values| for the next round,
 * after which |values| are the results. */
hd_op *hd_kernel_open_for(hd_kernel_emitter *e, hd_value *from, hd_value *to, int64_t step, hd_value **carried,
                          size_t count, hd_value **out_iv);
void hd_kernel_close_for(hd_kernel_emitter *e, hd_op *loop, hd_value **values, size_t count);
/* An scf.if without results around what follows, until it is closed. */
hd_op *hd_kernel_open_if(hd_kernel_emitter *e, hd_value *condition);
void hd_kernel_close_if(hd_kernel_emitter *e, hd_op *op);

/* Index arithmetic; a factor of one and an addend of zero write nothing. */
hd_value *hd_kernel_index(hd_kernel_emitter *e, int64_t value);
hd_value *hd_kernel_add(hd_kernel_emitter *e, hd_value *x, hd_value *y);
hd_value *hd_kernel_mul(hd_kernel_emitter *e, hd_value *x, hd_value *y);
hd_value *hd_kernel_add_constant(hd_kernel_emitter *e, hd_value *x, int64_t value);
hd_value *hd_kernel_times(hd_kernel_emitter *e, hd_value *x, int64_t value);
/* The last multiple of |lanes|, a power of two, that is at most |n|; n >= 0. */
hd_value *hd_kernel_whole(hd_kernel_emitter *e, hd_value *n, int64_t lanes);
/* i1, or a vector of them. */
hd_value *hd_kernel_not_zero(hd_kernel_emitter *e, hd_value *x);
/* x < y, with a sign. */
hd_value *hd_kernel_below(hd_kernel_emitter *e, hd_value *x, hd_value *y);

/* Vectors: made, moved between memory and lanes, and computed with. */
hd_value *hd_kernel_splat(hd_kernel_emitter *e, hd_value *x, int64_t lanes);
hd_value *hd_kernel_zero_vector(hd_kernel_emitter *e, hd_kernel_element t, int64_t lanes);
hd_value *hd_kernel_load(hd_kernel_emitter *e, hd_kernel_element t, int64_t lanes, hd_value *memref, hd_value *at);
hd_value *hd_kernel_masked_load(hd_kernel_emitter *e, hd_kernel_element t, int64_t lanes, hd_value *memref,
                                hd_value *at, hd_value *mask);
void hd_kernel_store(hd_kernel_emitter *e, hd_value *value, hd_value *memref, hd_value *at);
void hd_kernel_masked_store(hd_kernel_emitter *e, hd_value *value, hd_value *memref, hd_value *at, hd_value *mask);
hd_value *hd_kernel_scalar_load(hd_kernel_emitter *e, hd_kernel_element t, hd_value *memref, hd_value *at);
/* The first |count| lanes. */
hd_value *hd_kernel_mask(hd_kernel_emitter *e, hd_value *count, int64_t lanes);
/* x * y + sum, of floats rounded once. */
hd_value *hd_kernel_multiply_add(hd_kernel_emitter *e, hd_kernel_element t, hd_value *x, hd_value *y, hd_value *sum);
hd_value *hd_kernel_sum(hd_kernel_emitter *e, hd_kernel_element t, hd_value *x, hd_value *y);
/* To the type in memory of |to|, lane by lane. */
hd_value *hd_kernel_convert(hd_kernel_emitter *e, hd_kernel_element from, hd_kernel_element to, hd_value *x);
hd_value *hd_kernel_shuffle(hd_kernel_emitter *e, hd_value *x, hd_value *y, const int64_t *lanes, size_t count);

#endif
