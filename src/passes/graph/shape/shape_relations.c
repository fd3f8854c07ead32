/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/graph/shape/shape_relations.h"

#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/hlo_build.h"

hd_value *hd_shape_broadcast(hd_shape_values *v, hd_builder *b, hd_value *x, hd_value *y) {
  if (x == &v->no_sizes || y == &v->no_sizes) return x == &v->no_sizes ? y : x;
  if (hd_shape_rank(v, x) < hd_shape_rank(v, y)) {
    hd_value *longer = y;
    y = x;
    x = longer;
  }
  int64_t rank = hd_shape_rank(v, x), skip = rank - hd_shape_rank(v, y);
  hd_value *tail = skip ? hd_hlo_slice(b, x, 0, skip, rank) : x;
  hd_value *one = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, tail, hd_hlo_int_like(b, tail, 1));
  hd_value *common = hd_stablehlo_select(b, one, y, tail);
  return skip ? hd_stablehlo_concatenate(b, 0, (hd_value *[]){hd_hlo_slice(b, x, 0, 0, skip), common}, 2) : common;
}

/* Whether two shapes are equal. */
static hd_value *equal(hd_shape_values *v, hd_builder *b, hd_value *x, hd_value *y) {
  hd_value *all = NULL;
  if (hd_shape_rank(v, x) != hd_shape_rank(v, y)) return hd_shape_truth(b, false);
  for (int64_t i = 0; i < hd_shape_rank(v, x); ++i)
    all = hd_hlo_and(
        b, all, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, hd_shape_extent(b, x, i), hd_shape_extent(b, y, i)));
  return all ? all : hd_shape_truth(b, true);
}

/* Whether two shapes broadcast together. */
static hd_value *compatible(hd_shape_values *v, hd_builder *b, hd_value *x, hd_value *y) {
  hd_value *all = NULL;
  for (int64_t i = 1; i <= hd_shape_rank(v, x) && i <= hd_shape_rank(v, y); ++i) {
    hd_value *p = hd_shape_extent(b, x, hd_shape_rank(v, x) - i), *q = hd_shape_extent(b, y, hd_shape_rank(v, y) - i);
    hd_value *one = hd_hlo_int_like(b, p, 1), *either = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, p, q);
    either = hd_stablehlo_or(b, either, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, p, one));
    either = hd_stablehlo_or(b, either, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, q, one));
    all = hd_hlo_and(b, all, either);
  }
  return all ? all : hd_shape_truth(b, true);
}

hd_value *hd_shape_related(hd_shape_values *v, hd_builder *b, hd_op *op, bool broadcasting) {
  hd_value *all = NULL;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *x = hd_shape_operand(v, op, i);
    if (!x) return NULL;
    for (uint32_t k = 0; k < (broadcasting || i == 0 ? i : 1); ++k) {
      hd_value *y = hd_shape_operand(v, op, k);
      all = hd_hlo_and(b, all, broadcasting ? compatible(v, b, y, x) : equal(v, b, y, x));
    }
  }
  return all ? all : hd_shape_truth(b, true);
}

void hd_shape_assert_of(hd_builder *b, hd_value *condition, hd_value *const *values, size_t count, hd_str message) {
  hd_attr_arg attrs[] = {{HD_NAME_call_target_name, hd_attr_cstring(b->context, "shape_assertion")},
                         {HD_NAME_error_message, hd_attr_string(b->context, message)},
                         {HD_NAME_has_side_effect, hd_attr_bool(b->context, true)}};
  hd_value **operands = hd_new_array(&b->module->arena, hd_value *, count + 1);
  operands[0] = hd_hlo_reshape_to(b, condition, NULL, 0);
  for (size_t i = 0; i < count; ++i) operands[1 + i] = hd_hlo_reshape_to(b, values[i], NULL, 0);
  hd_build_op(b, HD_OP_stablehlo_custom_call, operands, count + 1, NULL, 0, attrs, 3, 0);
}

void hd_shape_assert(hd_builder *b, hd_value *condition, hd_str message) {
  hd_shape_assert_of(b, condition, NULL, 0, message);
}

void hd_shape_assert_equal(hd_shape_values *v, hd_builder *b, hd_value *x, hd_value *y, hd_str message) {
  if (x == &v->no_sizes || y == &v->no_sizes || hd_shape_rank(v, x) != hd_shape_rank(v, y)) {
    if (x != y) hd_shape_assert(b, hd_shape_truth(b, false), message);
    return;
  }
  for (int64_t i = 0; i < hd_shape_rank(v, x); ++i) {
    hd_value *p = hd_hlo_reshape_to(b, hd_shape_extent(b, x, i), NULL, 0),
             *q = hd_hlo_reshape_to(b, hd_shape_extent(b, y, i), NULL, 0);
    hd_shape_assert(b, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, p, q), message);
  }
}

hd_str hd_shape_message(hd_attr message, const char *otherwise) {
  hd_str text = hd_attr_text(message);
  return text.len ? text : hd_str_of(otherwise);
}

/* Does a region run under |witness|? Then the broadcasts in it demand of their operands what it says. */
static bool is_assumed(hd_value *witness) {
  for (hd_use *use = witness->first_use; use; use = use->next)
    if (hd_op_is(use->owner, HD_OP_shape_assuming) || hd_op_is(use->owner, HD_OP_shape_assuming_all)) return true;
  return false;
}

hd_value *hd_shape_witness(hd_shape_values *v, hd_builder *b, hd_op *op) {
  switch (hd_opcode_get(op)) {
    case HD_OP_shape_const_witness:
      return hd_shape_constant_passing(op) ? &v->always : hd_shape_truth(b, false);
    case HD_OP_shape_assuming_all: {
      hd_value *all = NULL;
      for (uint32_t i = 0; i < op->operand_count; ++i) {
        hd_value *one = hd_shape_standing(v, hd_operand(op, i));
        if (!one) return NULL;
        if (one != &v->always) all = hd_hlo_and(b, all, one);
      }
      return all ? all : &v->always;
    }
    case HD_OP_shape_cstr_require: {
      hd_value *condition = hd_shape_numbers(v, op, 0);
      if (!condition) return NULL;
      hd_shape_assert(b, condition, hd_shape_message(hd_with_message_msg_attr(op), ""));
      return &v->always;
    }
    case HD_OP_shape_cstr_eq:
      for (uint32_t i = 0; i < op->operand_count; ++i)
        if (!hd_shape_operand(v, op, i)) return NULL;
      for (uint32_t i = 1; i < op->operand_count; ++i)
        hd_shape_assert_equal(v, b, hd_shape_operand(v, op, 0), hd_shape_operand(v, op, i), HD_STR("shapes differ"));
      return &v->always;
    default: { /* cstr_broadcastable */
      if (is_assumed(hd_result(op, 0))) return &v->always;
      hd_value *condition = hd_shape_related(v, b, op, true);
      if (!condition) return NULL;
      hd_shape_assert(b, condition, HD_STR("shapes do not broadcast together"));
      return &v->always;
    }
  }
}
