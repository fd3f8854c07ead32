/* SPDX-License-Identifier: Apache-2.0 */
/* What folds of arith and math share: elements of constants as words of 64 bits, and operands as results. */
#ifndef HD_IR_FOLD_ELEMENTS_H_
#define HD_IR_FOLD_ELEMENTS_H_

#include "ir/fold.h"

/* How many elements the constants have to be computed for: 1 when each is a scalar or a splat; 0 when they do not fold.
 */
size_t hd_fold_span(const hd_attr *operands, uint32_t count);
/* Element |i|: an integer, or the bits of a float; and a float's value. */
int64_t hd_fold_raw(hd_attr a, size_t i);
double hd_fold_float(hd_attr a, size_t i);
/* A constant of |type| from |span| raw elements; null: the type has none. */
hd_attr hd_fold_make(hd_op *op, hd_type type, const int64_t *raw, size_t span);

/* Is the element of |type| an integer or index of at most 64 bits? */
bool hd_fold_fits_word(hd_type type);
unsigned hd_fold_width(hd_type element);
/* Elements are read sign-extended but for i1, which is read as 0 or 1. */
uint64_t hd_fold_unsigned(hd_type element, int64_t value);
int64_t hd_fold_signed(hd_type element, int64_t value);

static inline bool hd_fold_to_operand(hd_op *op, uint32_t i, hd_fold_result *out) {
  return hd_fold_to_value(out, hd_operand(op, i));
}
static inline bool hd_fold_to_int(hd_op *op, int64_t value, hd_fold_result *out) {
  return hd_fold_to_attr(out, hd_fold_fill_int(hd_result_type(op, 0), value));
}
/* The operand of the op |first| before |op|, a cast back to the type that |first| came from; null: it is none. It loses
 * nothing when |first| widened. */
hd_value *hd_fold_cast_back(hd_op *op, hd_opcode first);

#endif
