/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of small integer tensors and index values: shape arithmetic followed element by element. Integers are
 * followed as mathematical ones; where the program's type could wrap, the host checks that the value fits. */
#include "ir/number.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "shape/infer.h"

static hd_dim element(hd_shapes *s, hd_op *op, uint32_t operand, uint32_t i) {
  hd_value *value = hd_operand(op, operand);
  uint32_t count = hd_shapes_get(s, value)->element_count;
  return hd_shapes_element(s, value, count == 1 ? 0 : i); /* scalars stand for all elements */
}

static bool is_truth(hd_type element) { return hd_type_is_integer(element, 1); }

static void from_constant(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  hd_attr value = hd_constant_like_value(op);
  for (uint32_t i = 0; i < out->element_count; ++i) {
    if (hd_attr_is(value, HD_ATTR_INTEGER)) out->elements[i] = hd_dim_const(&s->table, value->integer);
    if (hd_attr_is(value, HD_ATTR_DENSE)) out->elements[i] = hd_dim_const(&s->table, hd_attr_int_at(value, i));
  }
}

/* Division truncates; for a dividend that cannot be negative that is flooring. */
static hd_dim quotient(hd_shapes *s, hd_dim a, hd_dim b) {
  return a && hd_dim_lower(a) >= 0 ? hd_dim_floordiv(&s->table, a, b) : NULL;
}
static hd_dim remainder_of(hd_shapes *s, hd_dim a, hd_dim b) {
  return a && hd_dim_lower(a) >= 0 ? hd_dim_mod(&s->table, a, b) : NULL;
}

static hd_dim truth(hd_shapes *s, bool yes, bool no) {
  return yes ? hd_dim_const(&s->table, 1) : no ? hd_dim_const(&s->table, 0) : NULL;
}

/* What a comparison gives where the bounds decide it. Arithmetic on what the program reads may wrap, which bounds do
 * not know of. */
static hd_dim compare(hd_shapes *s, hd_enum_stablehlo_comparison_direction direction, hd_dim a, hd_dim b) {
  hd_dim d = hd_dim_sub(&s->table, a, b);
  if (!d || hd_dim_reads_elements(a) || hd_dim_reads_elements(b)) return NULL;
  int64_t low = hd_dim_lower(d), high = hd_dim_upper(d);
  bool equal = hd_dim_equal(&s->table, a, b), different = low > 0 || high < 0;
  switch (direction) {
    case HD_STABLEHLO_COMPARE_EQ:
      return truth(s, equal, different);
    case HD_STABLEHLO_COMPARE_NE:
      return truth(s, different, equal);
    case HD_STABLEHLO_COMPARE_GE:
      return truth(s, low >= 0, high < 0);
    case HD_STABLEHLO_COMPARE_GT:
      return truth(s, low > 0, high <= 0);
    case HD_STABLEHLO_COMPARE_LE:
      return truth(s, high <= 0, low > 0);
    case HD_STABLEHLO_COMPARE_LT:
      return truth(s, high < 0, low >= 0);
  }
  return NULL;
}

static hd_dim select(hd_shapes *s, hd_dim condition, hd_dim yes, hd_dim no) {
  int64_t known;
  if (hd_dim_is_const(&s->table, condition, &known)) return known ? yes : no;
  return hd_dim_equal(&s->table, yes, no) ? yes : NULL;
}

static hd_dim binary(hd_shapes *s, hd_op *op, uint32_t i) {
  hd_dim_table *t = &s->table;
  hd_dim a = element(s, op, 0, i), b = element(s, op, 1, i);
  if (!a || !b || is_truth(hd_type_element(hd_result_type(op, 0)))) return NULL; /* add of truths is or */
  switch (hd_opcode_get(op)) {
#define ARITHMETIC(row, operands, expression) \
  case HD_OP_##row:                           \
    return expression;
#include "shape/elements.def"
    default:
      return NULL;
  }
}

/* Along the first dim, parts are one after the other; what follows one of unknown length has no known place. */
static void concatenate(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  if (hd_stablehlo_concatenate_dimension(op)) return;
  uint32_t at = 0;
  for (uint32_t i = 0; i < op->operand_count && hd_type_num_elements(hd_operand_type(op, i)) >= 0; ++i) {
    uint32_t count = hd_shapes_get(s, hd_operand(op, i))->element_count;
    for (uint32_t e = 0; e < count && at < out->element_count; ++e)
      out->elements[at++] = hd_shapes_element(s, hd_operand(op, i), e);
  }
}

static void slice(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  if (out->rank != 1) return;
  hd_attr start = hd_stablehlo_slice_start_indices(op), strides = hd_stablehlo_slice_strides(op);
  if (!hd_attr_count(start) || !hd_attr_count(strides)) return;
  for (uint32_t e = 0; e < out->element_count; ++e)
    out->elements[e] =
        hd_shapes_element(s, hd_operand(op, 0), (uint32_t)(hd_attr_int_at(start, 0) + e * hd_attr_int_at(strides, 0)));
}

/* Sums, products, extremes over a whole shape vector. */
static void reduce(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  hd_value *input = hd_operand(op, 0);
  hd_op *inner = hd_op_reducer(op);
  if (op->result_count != 1 || out->element_count != 1 || out->rank || !inner ||
      is_truth(hd_type_element(hd_result_type(op, 0))))
    return;
  hd_opcode opcode = hd_opcode_get(inner);
  hd_dim total = hd_shapes_element(s, hd_operand(op, 1), 0);
  for (uint32_t e = 0; e < hd_shapes_get(s, input)->element_count; ++e) {
    hd_dim next = hd_shapes_element(s, input, e);
    total = opcode == HD_OP_stablehlo_add        ? hd_dim_add(&s->table, total, next)
            : opcode == HD_OP_stablehlo_multiply ? hd_dim_mul(&s->table, total, next)
            : opcode == HD_OP_stablehlo_maximum  ? hd_dim_max(&s->table, total, next)
            : opcode == HD_OP_stablehlo_minimum  ? hd_dim_min(&s->table, total, next)
                                                 : NULL;
  }
  if (hd_type_num_elements(input->type) == (int64_t)hd_shapes_get(s, input)->element_count) out->elements[0] = total;
}

static hd_dim dim_of(hd_shapes *s, hd_value *value, hd_dim which) {
  int64_t d;
  if (!which || !hd_dim_is_const(&s->table, which, &d) || !hd_type_has_rank(value->type) || d < 0 ||
      d >= hd_type_rank(value->type))
    return NULL;
  return hd_shapes_dim(s, value, (uint32_t)d);
}

static bool is_zero(hd_shapes *s, hd_value *value, uint32_t i) {
  int64_t constant;
  hd_dim dim = hd_shapes_element(s, value, i);
  return dim && hd_dim_is_const(&s->table, dim, &constant) && !constant;
}

static hd_op *op_of(hd_value *value, hd_opcode opcode) {
  hd_op *op = hd_value_op(value);
  return hd_op_is(op, opcode) ? op : NULL;
}

static hd_op *compare_of(hd_value *value, hd_enum_stablehlo_comparison_direction direction) {
  hd_op *op = op_of(value, HD_OP_stablehlo_compare);
  return op && hd_stablehlo_compare_comparison_direction(op) == direction ? op : NULL;
}

/* |value| compares the remainder of a and b (as |op| has them) with 0. */
static hd_op *nonzero_remainder(hd_shapes *s, hd_value *value, hd_op *op) {
  hd_op *compare = compare_of(value, HD_STABLEHLO_COMPARE_NE);
  hd_op *remainder = compare && is_zero(s, hd_operand(compare, 1), 0)
                         ? op_of(hd_operand(compare, 0), HD_OP_stablehlo_remainder)
                         : NULL;
  return remainder && hd_operand(remainder, 0) == hd_operand(op, 0) && hd_operand(remainder, 1) == hd_operand(op, 1)
             ? remainder
             : NULL;
}

/* Division and remainder that floor, as JAX writes them with ops that truncate, for a positive divisor:
 *   select(sign(a) != 1 and a rem b != 0, a / b - 1, a / b)             -> floordiv(a, b)
 *   select((a rem b < 0) != false and a rem b != 0, a rem b + b, a rem b) -> mod(a, b) */
static hd_dim flooring(hd_shapes *s, hd_op *select) {
  hd_op *both = op_of(hd_operand(select, 0), HD_OP_stablehlo_and), *plain = hd_value_op(hd_operand(select, 2));
  bool quotient = hd_op_is(plain, HD_OP_stablehlo_divide);
  if (!both || !plain || (!quotient && !hd_op_is(plain, HD_OP_stablehlo_remainder))) return NULL;
  hd_op *moved = op_of(hd_operand(select, 1), quotient ? HD_OP_stablehlo_subtract : HD_OP_stablehlo_add);
  hd_dim a = hd_shapes_element(s, hd_operand(plain, 0), 0), b = hd_shapes_element(s, hd_operand(plain, 1), 0), by;
  int64_t divisor, one;
  if (!moved || hd_operand(moved, 0) != hd_result(plain, 0) || !a || !b || !hd_dim_is_const(&s->table, b, &divisor) ||
      divisor < 1 || !nonzero_remainder(s, hd_operand(both, 1), plain))
    return NULL;
  hd_op *negative = compare_of(hd_operand(both, 0), HD_STABLEHLO_COMPARE_NE);
  if (quotient) {
    by = hd_shapes_element(s, hd_operand(moved, 1), 0);
    hd_op *sign = negative ? op_of(hd_operand(negative, 0), HD_OP_stablehlo_sign) : NULL;
    hd_dim other = negative ? hd_shapes_element(s, hd_operand(negative, 1), 0) : NULL;
    bool fits = sign && hd_operand(sign, 0) == hd_operand(plain, 0) && other &&
                hd_dim_is_const(&s->table, other, &one) && one == 1 && by && hd_dim_is_const(&s->table, by, &one) &&
                one == 1;
    return fits ? hd_dim_floordiv(&s->table, a, b) : NULL;
  }
  hd_op *below = compare_of(hd_operand(both, 0), HD_STABLEHLO_COMPARE_LT);
  if (!below && negative && is_zero(s, hd_operand(negative, 1), 0))
    below = compare_of(hd_operand(negative, 0), HD_STABLEHLO_COMPARE_LT);
  return below && hd_operand(below, 0) == hd_result(plain, 0) && is_zero(s, hd_operand(below, 1), 0) &&
                 hd_operand(moved, 1) == hd_operand(plain, 1)
             ? hd_dim_mod(&s->table, a, b)
             : NULL;
}

/* Do the elements of a broadcast come in the order of the operand's? So they do when none is copied and no dims change
 * places. */
static bool keeps_order(const hd_op *op) {
  if (!hd_is_broadcast_in_dim_like(op)) return true;
  hd_attr dims = hd_broadcast_in_dim_like_broadcast_dimensions(op);
  for (size_t i = 0; i + 1 < hd_attr_count(dims); ++i)
    if (hd_attr_int_at(dims, i) >= hd_attr_int_at(dims, i + 1)) return false;
  return true;
}

static void count_up(hd_shapes *s, hd_value_shape *out) {
  for (uint32_t i = 0; i < out->element_count && out->rank == 1; ++i) out->elements[i] = hd_dim_const(&s->table, i);
}

static void dimension_size(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  hd_dim which = hd_dim_const(&s->table, hd_stablehlo_get_dimension_size_dimension(op));
  out->elements[0] = dim_of(s, hd_operand(op, 0), which);
}

static void dim_at(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  out->elements[0] = dim_of(s, hd_operand(op, 0), hd_shapes_element(s, hd_operand(op, 1), 0));
}

/* Elements that are read from memory are read from the copy, which is where it is needed. */
static void copied(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  for (uint32_t i = 0; i < out->element_count; ++i) {
    out->elements[i] = element(s, op, 0, i);
    if (!out->elements[i] || hd_dim_reads_elements(out->elements[i]))
      out->elements[i] = hd_shapes_new_element(s, hd_result(op, 0), i);
  }
}

static void selected(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  for (uint32_t i = 0; i < out->element_count; ++i)
    out->elements[i] = select(s, element(s, op, 0, i), element(s, op, 1, i), element(s, op, 2, i));
  if (out->element_count == 1 && !out->elements[0] && hd_op_is(op, HD_OP_stablehlo_select))
    out->elements[0] = flooring(s, op);
}

static void clamp(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  for (uint32_t i = 0; i < out->element_count; ++i) {
    hd_dim raised = hd_dim_max(&s->table, element(s, op, 1, i), element(s, op, 0, i));
    out->elements[i] = hd_dim_min(&s->table, raised, element(s, op, 2, i));
  }
}

static void comparison(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  hd_enum_stablehlo_comparison_direction direction = hd_stablehlo_compare_comparison_direction(op);
  for (uint32_t i = 0; i < out->element_count; ++i)
    out->elements[i] = compare(s, direction, element(s, op, 0, i), element(s, op, 1, i));
}

static void negate(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  for (uint32_t i = 0; i < out->element_count; ++i)
    out->elements[i] = hd_dim_sub(&s->table, hd_dim_const(&s->table, 0), element(s, op, 0, i));
}

/* The operand's elements, in its order or one for all. */
static void same(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  uint32_t n = out->element_count, from = op->operand_count ? hd_shapes_get(s, hd_operand(op, 0))->element_count : 0;
  if (from != 1 && (from != n || !keeps_order(op))) return;
  if (hd_op_is(op, HD_OP_arith_extsi) && is_truth(hd_type_element(hd_operand_type(op, 0)))) return;
  bool to_truth = hd_op_is(op, HD_OP_stablehlo_convert) && is_truth(hd_type_element(hd_result_type(op, 0)));
  for (uint32_t i = 0; i < n; ++i) {
    out->elements[i] = element(s, op, 0, i);
    if (to_truth) out->elements[i] = compare(s, HD_STABLEHLO_COMPARE_NE, out->elements[i], hd_dim_const(&s->table, 0));
  }
}

static void follow(hd_shapes *s, hd_op *op, hd_value_shape *out) {
  switch (hd_opcode_get(op)) {
#define ELEMENTS(row, operands, call) \
  case HD_OP_##row:                   \
    call;                             \
    return;
#include "shape/elements.def"
    default:
      for (uint32_t i = 0; i < out->element_count && op->operand_count == 2; ++i) out->elements[i] = binary(s, op, i);
  }
}

/* A constant is what its type makes of it. Other elements of narrow types would wrap where dims do not: they are not
 * followed; of 32 bits, the host checks that they fit. Unsigned ones are followed where they cannot be negative, so
 * that the order of the expressions is theirs. */
static hd_dim stored(hd_shapes *s, hd_type element, hd_dim dim) {
  if (!dim || element->kind != HD_TYPE_INTEGER) return dim;
  int64_t value;
  if (!hd_dim_is_const(&s->table, dim, &value)) {
    bool negative = element->integer.signedness == HD_UNSIGNED && hd_dim_lower(dim) < 0;
    return element->integer.width < 32 || negative ? NULL : dim;
  }
  value = hd_integer_wrap(element, value);
  if (element->integer.signedness == HD_UNSIGNED && value < 0) return NULL;
  return hd_dim_const(&s->table, value);
}

void hd_shapes_infer_elements(hd_shapes *s, hd_op *op) {
  if (op->result_count != 1) return;
  hd_value_shape *out = hd_shapes_entry(s, hd_result(op, 0));
  if (!out->element_count) return;
  follow(s, op, out);
  hd_type element = hd_type_element(hd_result_type(op, 0));
  for (uint32_t i = 0; i < out->element_count; ++i) out->elements[i] = stored(s, element, out->elements[i]);
}
