/* SPDX-License-Identifier: Apache-2.0 */
/* minimum_broadcast_shapes (eval/graph/minimum_broadcast_shapes.c) becomes arithmetic on the sizes, one by one from the
 * right:
 *
 *   sizes s[k] of shape k at a place, 1 beyond its end; |common| what they broadcast to; a place where that is 1 is
 *   skipped
 *   same = the same shapes have 1 here as at the place before       groups += not same
 *   merged[group][k] = same ? merged[group][k] * s[k] : s[k]        rank[k] = the last group where merged[..][k] is not
 *                                                                   1
 *
 * The group of a place is known when the program runs, so each place chooses among all that it may belong to. A result
 * is the end of its row of groups, of as many sizes as it has, which only the data tell. */
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_hlo.h"
#include "passes/graph/shape/shape_values.h"

enum { MOST_PLACES = 16 };

typedef struct merger {
  hd_builder *b;
  hd_value *one, *groups;
  hd_value **merged; /* [group][shape] */
  hd_value **alone;  /* per shape: had it 1 at the last place that counts? */
  uint32_t count;    /* of shapes */
} merger;

static hd_value *number(hd_builder *b, int64_t value) {
  return hd_hlo_convert(b, hd_hlo_size(b, value), hd_i64(b->context));
}

/* The size of |shape| at |place| from the right. */
static hd_value *size_at(const merger *m, hd_value *shape, int64_t place) {
  int64_t at = hd_type_dim(shape->type, 0) - 1 - place;
  return at < 0 ? m->one : hd_hlo_convert(m->b, hd_hlo_slice(m->b, shape, 0, at, at + 1), hd_i64(m->b->context));
}

/* What all |sizes| broadcast to. */
static hd_value *common_of(const merger *m, hd_value *const *sizes) {
  hd_builder *b = m->b;
  hd_value *common = m->one;
  for (uint32_t k = 0; k < m->count; ++k) {
    hd_value *fits = hd_stablehlo_or(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, sizes[k], m->one),
                                     hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, common, m->one));
    fits = hd_stablehlo_or(b, fits, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, sizes[k], common));
    fits = hd_hlo_and(b, fits, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_GE, sizes[k], number(b, 0)));
    hd_shape_assert_of(b, fits, (hd_value *[]){common, sizes[k]}, 2,
                       HD_STR("minimum_broadcast_shapes: shapes do not broadcast: {0} and {1}"));
    common =
        hd_stablehlo_select(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_NE, sizes[k], m->one), sizes[k], common);
  }
  return common;
}

static void take_place(merger *m, hd_value *const *sizes, uint32_t place) {
  hd_builder *b = m->b;
  hd_value *counts = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_NE, common_of(m, sizes), m->one);
  hd_value *same = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_GT, m->groups, number(b, 0));
  for (uint32_t k = 0; k < m->count; ++k) {
    hd_value *alone =
        hd_hlo_convert(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, sizes[k], m->one), hd_i64(b->context));
    same = hd_hlo_and(b, same, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, alone, m->alone[k]));
    m->alone[k] = hd_stablehlo_select(b, counts, alone, m->alone[k]);
  }
  hd_value *group = hd_stablehlo_subtract(b, m->groups, hd_hlo_convert(b, same, hd_i64(b->context)));
  for (uint32_t g = 0; g <= place; ++g) {
    hd_value *hit = hd_hlo_and(b, counts, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, group, number(b, g)));
    for (uint32_t k = 0; k < m->count; ++k) {
      hd_value **into = &m->merged[g * m->count + k];
      hd_value *product = hd_stablehlo_multiply(b, *into, sizes[k]);
      *into = hd_stablehlo_select(b, hit, hd_stablehlo_select(b, same, product, sizes[k]), *into);
    }
  }
  m->groups = hd_stablehlo_select(b, counts, hd_stablehlo_add(b, group, m->one), m->groups);
}

/* The sizes of shape |k|, of |type|. */
static hd_value *result_of(const merger *m, uint32_t k, uint32_t places, hd_type type) {
  hd_builder *b = m->b;
  hd_value *row[MOST_PLACES], *rank = number(b, 0), *size = hd_hlo_size(b, places);
  for (uint32_t g = 0; g < places; ++g) {
    hd_value *merged = row[places - 1 - g] = m->merged[g * m->count + k];
    rank = hd_stablehlo_select(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_NE, merged, m->one),
                               number(b, (int64_t)g + 1), rank);
  }
  hd_value *all = hd_hlo_convert(b, hd_stablehlo_concatenate(b, 0, row, places), hd_type_element(type));
  int64_t known = hd_type_dim(type, 0);
  if (known != HD_DYNAMIC) {
    hd_value *sides[] = {rank, number(b, known)};
    hd_shape_assert_of(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, sides[0], sides[1]), sides, 2,
                       HD_STR("minimum_broadcast_shapes: a result has {0} sizes, expected {1}"));
    return hd_hlo_slice(b, all, 0, (int64_t)places - known, places);
  }
  hd_value *from = hd_hlo_convert(b, hd_stablehlo_subtract(b, number(b, places), rank), hd_i32(b->context));
  return hd_hlo_retype(b, hd_hlo_slice_sized(b, all, 0, from, size, &size), type);
}

bool hd_expand_broadcast_shapes(hd_builder *b, hd_op *op, hd_value **results) {
  uint32_t n = op->operand_count, places = 0;
  for (uint32_t k = 0; k < n; ++k) {
    hd_type type = hd_operand_type(op, k);
    if (!hd_type_is_static(type) || !hd_type_is(hd_type_element(type), HD_TYPE_INTEGER))
      return hd_op_error(op, "has no compiled path for shape #%u: expected integers of known number", k);
    if (hd_type_dim(type, 0) > MOST_PLACES)
      return hd_op_error(op, "has no compiled path for shapes of more than %d sizes", MOST_PLACES);
    if (hd_type_dim(type, 0) > places) places = (uint32_t)hd_type_dim(type, 0);
  }
  hd_arena *arena = &b->module->arena;
  merger m = {b,
              number(b, 1),
              number(b, 0),
              hd_new_array(arena, hd_value *, (places + (size_t)1) * n + 1),
              hd_new_array(arena, hd_value *, n + 1),
              n};
  hd_value **sizes = hd_new_array(arena, hd_value *, n + 1);
  for (uint32_t k = 0; k < n; ++k) {
    m.alone[k] = m.one;
    for (uint32_t g = 0; g < places; ++g) m.merged[g * n + k] = m.one;
  }
  for (uint32_t place = 0; place < places; ++place) {
    for (uint32_t k = 0; k < n; ++k) sizes[k] = size_at(&m, hd_operand(op, k), place);
    take_place(&m, sizes, place);
  }
  for (uint32_t k = 0; k < n; ++k) {
    hd_type type = hd_result_type(op, k);
    int64_t known = hd_type_dim(type, 0), none = 0;
    if (known != HD_DYNAMIC && known > (int64_t)places)
      return hd_op_error(op, "result #%u: expected at most %u sizes, got %lld", k, places, (long long)known);
    results[k] = places
                     ? result_of(&m, k, places, type)
                     : hd_hlo_retype(
                           b,
                           hd_build_hlo_constant(
                               b, hd_attr_dense(hd_type_tensor(hd_type_element(type), &none, 1, NULL), NULL, 0, false)),
                           type);
  }
  return true;
}
