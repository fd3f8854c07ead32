/* SPDX-License-Identifier: Apache-2.0 */
/* What fold hooks share. A hook folds one op to constants or to values that exist; eval/fold.h runs it.
 *
 * Requirements for fold hooks
 *  1. A result keeps its type: an attribute has the type of the result that it stands for, a value as well. The driver
 *     drops results of other types, so a hook need not look.
 *  2. What is folded means the same as the op for every input, NaN, infinities and signed zeros included: x + 0 is x
 *     for integers, not for floats (-0 + 0 is 0).
 *  3. No op is made or changed. Rewrites that need one are rules or passes.
 *  4. Constants do not grow: a fold may not give more than 64 elements that its operands do not have, unless all are
 *     one (a splat). */
#ifndef HD_IR_FOLD_H_
#define HD_IR_FOLD_H_

#include "ir/hooks.h"

/* |type| filled with one integer, or one float; null for types that have no such constant. */
hd_attr hd_fold_fill_int(hd_type type, int64_t value);
hd_attr hd_fold_fill_float(hd_type type, double value);
/* |type| filled with element 0 of |splat| (an attribute with one value for all elements); null when it is none. */
hd_attr hd_fold_fill(hd_type type, hd_attr splat);
static inline bool hd_fold_to_value(hd_fold_result *out, hd_value *value) {
  out->value = value;
  return value != NULL;
}
static inline bool hd_fold_to_attr(hd_fold_result *out, hd_attr attr) {
  out->attr = attr;
  return attr != NULL;
}

#endif
