/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of hd_shape_rewrite share. Thread-compatible. */
#ifndef HD_DRIVER_SHAPE_REWRITER_H_
#define HD_DRIVER_SHAPE_REWRITER_H_

#include "driver/shape_rewrite.h"
#include "ir/builder.h"

typedef struct hd_rewriter {
  hd_shape_samples *samples;
  hd_shape_rule *rule;
  const hd_form_places *places;
  hd_module *module;
  hd_arena *arena;
  hd_builder entry; /* where the arithmetic on symbols goes */
  hd_value **symbols;
  hd_map computed; /* bytes of an expression -> value */
  hd_op *func;
  hd_value **lifted; /* per input that was a constant */
  hd_op *failed_at;
  const char *reason;
} hd_rewriter;

/* False; the first reason stays. */
bool hd_rewriter_fail(hd_rewriter *w, hd_op *op, const char *reason);

/* ---- numbers ---- */

/* Where the numbers of |key| start. */
size_t hd_form_start(const hd_map *map, const void *key);
/* The number is not the same in all forms. */
bool hd_rewriter_varies(const hd_rewriter *w, size_t number);
bool hd_rewriter_any_varies(const hd_rewriter *w, size_t start, size_t count);
/* The number has an expression, found now if need be. */
bool hd_rewriter_explains(hd_rewriter *w, size_t number);
/* |count| numbers are written down in the program: fails for those that have no expression. */
bool hd_rewriter_need(hd_rewriter *w, hd_op *op, size_t start, size_t count);

/* The numbers of one attribute or type. */
typedef struct hd_number_range {
  size_t start, count;
} hd_number_range;
/* Those of attribute |name| of |op|; none where it is absent, or no size. */
hd_number_range hd_rewriter_sizes(const hd_rewriter *w, const hd_op *op, hd_name name);
bool hd_rewriter_range_varies(const hd_rewriter *w, hd_number_range range);
bool hd_rewriter_need_range(hd_rewriter *w, hd_op *op, hd_number_range range);

/* ---- values, tensor<i64> at the entry's start unless said otherwise ---- */

hd_type hd_rewriter_scalar(hd_rewriter *w);
hd_value *hd_rewriter_value(hd_rewriter *w, const hd_shape_expression *e);
/* A number that has an expression. */
hd_value *hd_rewriter_number(hd_rewriter *w, size_t number);
/* |count| numbers as a vector. */
hd_value *hd_rewriter_vector(hd_rewriter *w, size_t start, size_t count);
/* The integers of an attribute as a vector, at |b|. */
hd_value *hd_rewriter_attribute(hd_rewriter *w, hd_builder *b, hd_attr attr);
hd_value *hd_rewriter_list(hd_rewriter *w, hd_builder *b, const int64_t *values, size_t count);
/* A dim of |value|, tensor<i32>. */
hd_value *hd_rewriter_size_of(hd_rewriter *w, hd_value *value, int64_t d);
/* Sizes that are one symbol are equal: the compiler may count on it, the runtime checks it. */
void hd_rewriter_assert_equal(hd_rewriter *w, hd_value *first, hd_value *second);

/* ---- ops ---- */

static inline bool hd_rewriter_replace(hd_op *op, hd_value *value) {
  hd_op_replace(op, &value);
  return true;
}

bool hd_rewrite_constant(hd_rewriter *w, hd_op *op);
bool hd_rewrite_window(hd_rewriter *w, hd_op *op);

#endif
