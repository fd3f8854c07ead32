/* SPDX-License-Identifier: Apache-2.0 */
/* Each op of the shape dialect, of index arithmetic and of tensors of sizes, as ops on tensors of integers. An index
 * that is taken as unsigned is a size, and sizes are not negative: for them signed and unsigned division are one, and
 * so are the two orders. Other integers that an op takes as unsigned are cast to unsigned ones around it. */
#include "passes/graph/shape/shape_values.h"

#include "ir/number.h"
#include "ir/ops/arith.h"
#include "ir/ops/interfaces.h"
#include "passes/graph/hlo_build.h"
#include "passes/graph/shape/shape_relations.h"

/* The element type in which numbers of |type| are kept; null for what is no integer. */
static hd_type kept(hd_context *context, hd_type type) {
  hd_type element = hd_type_is_shaped(type) ? hd_type_element(type) : type;
  if (hd_type_is(element, HD_TYPE_INDEX) || hd_type_is(element, HD_TYPE_DIALECT)) return hd_i64(context);
  return hd_type_is(element, HD_TYPE_INTEGER) ? element : NULL;
}

hd_value *hd_shape_standing(hd_shape_values *v, hd_value *value) {
  hd_value *known = hd_map_get(&v->known, value);
  if (known) return known;
  bool integers = hd_type_is(value->type, HD_TYPE_TENSOR) && hd_type_is(hd_type_element(value->type), HD_TYPE_INTEGER);
  return integers ? value : NULL;
}

/* What stands for operand |i|; null when nothing does or it is a witness. */
static hd_value *standing(hd_shape_values *v, hd_op *op, uint32_t i) {
  hd_value *value = i < op->operand_count ? hd_shape_standing(v, hd_operand(op, i)) : NULL;
  return value == &v->always ? NULL : value;
}

hd_value *hd_shape_operand(hd_shape_values *v, hd_op *op, uint32_t i) {
  hd_value *value = standing(v, op, i);
  if (!value || value == &v->no_sizes) return value;
  return hd_type_rank(value->type) == 1 && hd_type_is_static(value->type) ? value : NULL;
}

hd_value *hd_shape_numbers(hd_shape_values *v, hd_op *op, uint32_t i) {
  hd_value *value = standing(v, op, i);
  return value == &v->no_sizes ? NULL : value;
}

int64_t hd_shape_rank(hd_shape_values *v, hd_value *x) { return x == &v->no_sizes ? 0 : hd_type_dim(x->type, 0); }

static hd_value *constant(hd_builder *b, hd_type element, const int64_t *dims, uint32_t rank, hd_attr values) {
  size_t count = 1;
  for (uint32_t i = 0; i < rank; ++i) count *= (size_t)dims[i];
  uint32_t bytes = hd_type_element_bytes(element);
  char *data = hd_arena_alloc(&b->module->arena, count * bytes + 1);
  for (size_t i = 0; i < count; ++i) hd_element_store(element, data + i * bytes, hd_attr_int_at(values, i));
  return hd_build_hlo_constant(b, hd_attr_dense(hd_type_tensor(element, dims, rank, NULL), data, count * bytes, false));
}

/* tensor<1xelement> of |value|. */
static hd_value *number(hd_builder *b, hd_type element, int64_t value) {
  char bytes[16] = {0};
  hd_element_store(element, bytes, value);
  hd_type type = hd_type_tensor(element, &(int64_t){1}, 1, NULL);
  return hd_build_hlo_constant(b, hd_attr_dense(type, bytes, hd_type_element_bytes(element), true));
}
hd_value *hd_shape_truth(hd_builder *b, bool value) { return number(b, hd_i1(b->context), value); }

static hd_value *size_of(hd_builder *b, hd_value *x, uint32_t i) {
  return hd_hlo_convert(b, hd_hlo_size_of(b, x, i), hd_i64(b->context));
}

static hd_value *joined(hd_builder *b, hd_value *const *parts, uint32_t count) {
  return count == 1 ? parts[0] : hd_stablehlo_concatenate(b, 0, parts, count);
}

hd_value *hd_shape_extent(hd_builder *b, hd_value *x, int64_t i) { return hd_hlo_slice(b, x, 0, i, i + 1); }

/* Sizes [from, to) of |x|. */
static hd_value *part(hd_shape_values *v, hd_builder *b, hd_value *x, int64_t from, int64_t to) {
  return from == to ? &v->no_sizes : hd_hlo_slice(b, x, 0, from, to);
}

/* The number that |x| has at the constant operand 1 of |op|. Null when it is none, or out of bounds. */
static hd_value *element_of(hd_shape_values *v, hd_builder *b, hd_op *op) {
  int64_t i;
  hd_value *x = hd_shape_operand(v, op, 0), *at = x ? hd_shape_numbers(v, op, 1) : NULL;
  if (!at || !(hd_value_constant_int(hd_operand(op, 1), &i) || hd_value_constant_int(at, &i))) return NULL;
  return i < 0 || i >= hd_shape_rank(v, x) ? NULL : hd_shape_extent(b, x, i);
}

static hd_value *shape_of(hd_shape_values *v, hd_builder *b, hd_value *x) {
  uint32_t rank = hd_type_rank(x->type);
  if (!rank) return &v->no_sizes;
  hd_value **sizes = hd_new_array(v->arena, hd_value *, rank);
  for (uint32_t i = 0; i < rank; ++i) sizes[i] = size_of(b, x, i);
  return joined(b, sizes, rank);
}

static const struct {
  hd_opcode from, to;
  enum { ANY_SIGN, AS_SIGNED, AS_UNSIGNED } sign;
} arithmetic[] = {
#define ARITHMETIC(row, to, sign) {HD_OP_##row, HD_OP_##to, sign},
#include "passes/graph/shape/shape_values.def"
};

/* Are the elements of |type| integers of a width, not sizes? */
static bool is_integers(hd_type type) {
  return hd_type_is(hd_type_is_shaped(type) ? hd_type_element(type) : type, HD_TYPE_INTEGER);
}

static bool is_bits(const hd_value *x) { return hd_type_element(x->type)->integer.width == 1; }

/* |x| with its elements as unsigned ones, or as signless ones again. */
static hd_value *with_sign(hd_builder *b, hd_value *x, hd_signedness sign) {
  hd_type element = hd_type_integer(b->context, hd_type_element(x->type)->integer.width, sign);
  return hd_stablehlo_bitcast_convert(b, hd_type_with_element(x->type, element), x);
}

static hd_value *legal_arithmetic(hd_shape_values *v, hd_builder *b, hd_op *op, size_t row) {
  hd_value *x = hd_shape_numbers(v, op, 0), *y = hd_shape_numbers(v, op, 1);
  bool integers = is_integers(hd_operand_type(op, 0));
  if (!x || !y || x->type != y->type) return NULL;
  /* The one bit of i1 is -1 when it is signed, and 1 in the graph's dialects. */
  if (integers && is_bits(x) && arithmetic[row].sign == AS_SIGNED) return NULL;
  if (!integers || is_bits(x) || arithmetic[row].sign != AS_UNSIGNED)
    return hd_build(b, arithmetic[row].to, x->type, x, y);
  x = with_sign(b, x, HD_UNSIGNED), y = with_sign(b, y, HD_UNSIGNED);
  return with_sign(b, hd_build(b, arithmetic[row].to, x->type, x, y), HD_SIGNLESS);
}

/* A constant of integers, for arith and for shape. */
static hd_value *legal_constant(hd_shape_values *v, hd_builder *b, hd_op *op, hd_type element) {
  hd_type type = hd_result_type(op, 0);
  int64_t scalar;
  if (hd_op_is(op, HD_OP_shape_const_size))
    return number(b, element, hd_attr_int_or(hd_shape_constant_value_attr(op), 0));
  if (hd_op_is(op, HD_OP_shape_const_shape)) {
    hd_attr values = hd_shape_constant_shape(op);
    int64_t count = (int64_t)hd_attr_count(values);
    return count ? constant(b, element, &count, 1, values) : &v->no_sizes;
  }
  if (hd_type_is(type, HD_TYPE_TENSOR) && hd_type_is_static(type))
    return constant(b, element, type->shaped.dims, hd_type_rank(type), hd_constant_like_value(op));
  return hd_value_constant_int(hd_result(op, 0), &scalar) ? number(b, element, scalar) : NULL;
}

static hd_value *legal_elements(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_type type = hd_result_type(op, 0);
  hd_value **parts = hd_new_array(v->arena, hd_value *, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!(parts[i] = hd_shape_numbers(v, op, i))) return NULL;
  if (!op->operand_count) return &v->no_sizes;
  hd_value *all = joined(b, parts, op->operand_count);
  return hd_type_is(type, HD_TYPE_TENSOR) ? hd_hlo_reshape_to(b, all, type->shaped.dims, hd_type_rank(type)) : all;
}

static hd_value *legal_compare(hd_shape_values *v, hd_builder *b, hd_op *op) {
  /* By the numbers of arith's predicates. */
  static const hd_enum_stablehlo_comparison_direction directions[] = {
      HD_STABLEHLO_COMPARE_EQ, HD_STABLEHLO_COMPARE_NE, HD_STABLEHLO_COMPARE_LT, HD_STABLEHLO_COMPARE_LE,
      HD_STABLEHLO_COMPARE_GT, HD_STABLEHLO_COMPARE_GE, HD_STABLEHLO_COMPARE_LT, HD_STABLEHLO_COMPARE_LE,
      HD_STABLEHLO_COMPARE_GT, HD_STABLEHLO_COMPARE_GE};
  enum { FIRST_SIGNED = 2, FIRST_UNSIGNED = 6 };
  int64_t predicate = hd_arith_cmpi_predicate(op);
  hd_value *x = hd_shape_numbers(v, op, 0), *y = hd_shape_numbers(v, op, 1);
  if (!x || !y || x->type != y->type) return NULL;
  if (is_integers(hd_operand_type(op, 0))) {
    if (is_bits(x) && predicate >= FIRST_SIGNED && predicate < FIRST_UNSIGNED) return NULL;
    if (!is_bits(x) && predicate >= FIRST_UNSIGNED) x = with_sign(b, x, HD_UNSIGNED), y = with_sign(b, y, HD_UNSIGNED);
  }
  return hd_stablehlo_compare(b, directions[predicate], x, y);
}

/* Rounded down, which for sizes is what a division gives; an index may be negative. */
static hd_value *legal_quotient(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_value *x = hd_shape_numbers(v, op, 0), *y = hd_shape_numbers(v, op, 1);
  if (!x || !y || x->type != y->type) return NULL;
  hd_value *q = hd_stablehlo_divide(b, x, y);
  if (!hd_type_is(hd_operand_type(op, 0), HD_TYPE_INDEX) && !hd_type_is(hd_operand_type(op, 1), HD_TYPE_INDEX))
    return q;
  hd_value *rest = hd_stablehlo_remainder(b, x, y), *zero = hd_hlo_int_like(b, x, 0);
  hd_value *differ =
      hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_NE, hd_stablehlo_sign(b, rest), hd_stablehlo_sign(b, y));
  hd_value *off = hd_hlo_and(b, differ, hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_NE, rest, zero));
  hd_value *less = hd_stablehlo_subtract(b, q, hd_hlo_int_like(b, x, 1));
  return hd_stablehlo_select(b, off, less, q);
}

static hd_value *product(hd_shape_values *v, hd_builder *b, hd_value *x) {
  hd_value *all = NULL;
  for (int64_t i = 0; i < hd_shape_rank(v, x); ++i)
    all = all ? hd_stablehlo_multiply(b, all, hd_shape_extent(b, x, i)) : hd_shape_extent(b, x, i);
  return all ? all : number(b, hd_i64(b->context), 1);
}

/* The op that made the pair |value|; null for what came from elsewhere. */
static hd_op *pair_of(hd_value *value) {
  hd_op *op = hd_value_op(value);
  return hd_op_is(op, HD_OP_shape_with_shape) ? op : NULL;
}

static bool is_tensor(const hd_value *value) { return hd_type_is(value->type, HD_TYPE_TENSOR); }

/* ---- rows of shape_values.def ---- */

static hd_value *cast_tensor(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_value *x = hd_operand(op, 0), *known = hd_shape_standing(v, x);
  return known && known != x ? known : hd_hlo_retype(b, x, hd_result_type(op, 0));
}

static hd_value *reshape_tensor(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_value *sizes = hd_shape_operand(v, op, 1), *x = hd_operand(op, 0);
  if (!sizes) return NULL;
  if (sizes == &v->no_sizes) return hd_hlo_reshape_to(b, x, NULL, 0);
  return hd_stablehlo_dynamic_reshape(b, hd_result_type(op, 0), x, sizes);
}

static hd_value *collapse_tensor(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_type type = hd_result_type(op, 0);
  hd_value *x = hd_operand(op, 0);
  hd_attr groups = hd_reassociating_reassociation(op);
  hd_value **merged = hd_new_array(v->arena, hd_value *, hd_type_rank(type) + 1);
  for (uint32_t g = 0; g < hd_type_rank(type); ++g) {
    merged[g] = hd_hlo_size(b, 1);
    for (size_t k = 0; k < hd_attr_count(groups->array.items[g]); ++k) {
      uint32_t d = (uint32_t)hd_attr_int_at(groups->array.items[g], k);
      merged[g] = hd_hlo_size_op(b, HD_OP_stablehlo_multiply, merged[g], hd_hlo_size_of(b, x, d));
    }
  }
  return hd_hlo_retype(b, hd_hlo_reshape(b, x, merged, hd_type_rank(type)), type);
}

static hd_value *concatenate_tensors(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_value **parts = hd_new_array(v->arena, hd_value *, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) parts[i] = hd_operand(op, i);
  return hd_stablehlo_concatenate(b, hd_along_dim_dim(op), parts, op->operand_count);
}

static hd_value *shape_of_operand(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_value *operand = hd_operand(op, 0);
  if (pair_of(operand)) return hd_shape_operand(v, pair_of(operand), 1);
  return is_tensor(operand) ? shape_of(v, b, operand) : NULL;
}

static hd_value *size_of_dim(hd_builder *b, hd_op *op) {
  hd_value *operand = hd_operand(op, 0);
  int64_t i;
  if (!is_tensor(operand) || !hd_value_constant_int(hd_operand(op, 1), &i)) return NULL;
  return i < 0 || i >= hd_type_rank(operand->type) ? NULL : size_of(b, operand, (uint32_t)i);
}

static hd_value *extract(hd_shape_values *v, hd_builder *b, hd_op *op) {
  if (op->operand_count == 2) return element_of(v, b, op);
  hd_value *x = op->operand_count == 1 ? hd_shape_numbers(v, op, 0) : NULL;
  return x ? hd_hlo_reshape_to(b, x, &(int64_t){1}, 1) : NULL;
}

static hd_value *broadcast(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_value *x = &v->no_sizes, *y;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    if (!(y = hd_shape_operand(v, op, i))) return NULL;
    x = hd_shape_broadcast(v, b, x, y);
  }
  return x;
}

static hd_value *concatenate(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_value *x = hd_shape_operand(v, op, 0), *y = x ? hd_shape_operand(v, op, 1) : NULL;
  if (!x || !y) return NULL;
  if (x == &v->no_sizes || y == &v->no_sizes) return x == &v->no_sizes ? y : x;
  return hd_stablehlo_concatenate(b, 0, (hd_value *[]){x, y}, 2);
}

static hd_value *rank_of_tensor(hd_builder *b, hd_op *op, hd_type element) {
  hd_type type = hd_operand_type(op, 0);
  return hd_type_is(type, HD_TYPE_TENSOR) ? number(b, element, hd_type_rank(type)) : NULL;
}

static hd_value *rank_of_shape(hd_shape_values *v, hd_builder *b, hd_op *op, hd_type element) {
  hd_value *x = hd_shape_operand(v, op, 0);
  return x ? number(b, element, hd_shape_rank(v, x)) : NULL;
}

static hd_value *element_count(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_value *x = hd_shape_operand(v, op, 0);
  return x ? product(v, b, x) : NULL;
}

static hd_value *value_of(hd_op *op) {
  hd_op *pair = pair_of(hd_operand(op, 0));
  return pair ? hd_operand(pair, 0) : NULL;
}

static hd_value *meet(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_value *x = hd_shape_operand(v, op, 0), *y = x ? hd_shape_operand(v, op, 1) : NULL;
  if (!x || !y) return NULL;
  hd_shape_assert_equal(v, b, x, y, hd_shape_message(hd_with_error_text_error_if_any(op), "shapes differ"));
  return x;
}

static hd_value *select(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_value *p = hd_shape_numbers(v, op, 0), *x = hd_shape_numbers(v, op, 1), *y = hd_shape_numbers(v, op, 2);
  return p && x && y && x->type == y->type ? hd_stablehlo_select(b, p, x, y) : NULL;
}

/* The numbers as they are, of another type. */
static hd_value *convert(hd_shape_values *v, hd_builder *b, hd_op *op, hd_type element) {
  hd_value *x = standing(v, op, 0);
  return x && x != &v->no_sizes ? hd_hlo_convert(b, x, element) : x;
}

static hd_value *value_as_shape(hd_shape_values *v, hd_builder *b, hd_op *op, hd_type element) {
  hd_op *pair = pair_of(hd_operand(op, 0));
  return pair ? hd_shape_operand(v, pair, 0) : convert(v, b, op, element);
}

/* Tensors of any elements with other dims; null for what is no op of that kind. */
static hd_value *legal_tensor(hd_shape_values *v, hd_builder *b, hd_op *op) {
  if (!op->operand_count || !is_tensor(hd_result(op, 0)) || !is_tensor(hd_operand(op, 0))) return NULL;
  switch (hd_opcode_get(op)) {
#define TENSOR(row, call) \
  case HD_OP_##row:       \
    return call;
#include "passes/graph/shape/shape_values.def"
    default:
      return NULL;
  }
}

/* The number, shape or bool that the result of |op| is. */
static hd_value *legalized(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_type element = kept(b->context, hd_result_type(op, 0));
  if (!element) return NULL;
  for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; ++i)
    if (hd_op_is(op, arithmetic[i].from) && op->operand_count == 2) return legal_arithmetic(v, b, op, i);
  switch (hd_opcode_get(op)) {
#define VALUE(row, call) \
  case HD_OP_##row:      \
    return call;
#include "passes/graph/shape/shape_values.def"
    default:
      return NULL;
  }
}

/* Head and tail of a shape, at an index that counts from the end when negative. */
static bool split(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_value *x = hd_shape_operand(v, op, 0), *index = hd_shape_numbers(v, op, 1);
  int64_t at, rank = x ? hd_shape_rank(v, x) : 0;
  if (!x || !(hd_value_constant_int(hd_operand(op, 1), &at) || (index && hd_value_constant_int(index, &at))))
    return false;
  if (at < 0) at += rank;
  if (at < 0 || at > rank) return false;
  hd_map_set(v->arena, &v->known, hd_result(op, 0), part(v, b, x, 0, at));
  hd_map_set(v->arena, &v->known, hd_result(op, 1), part(v, b, x, at, rank));
  return true;
}

/* The region of a reduction over extents, once for each. */
static bool unroll(hd_shape_values *v, hd_builder *b, hd_op *op) {
  hd_value *x = hd_shape_operand(v, op, 0);
  hd_block *body = hd_op_region(op, 0)->first;
  uint32_t n = op->result_count;
  hd_value **carried = hd_new_array(v->arena, hd_value *, n + 1);
  if (!x || !body || body->arg_count != n + 2) return false;
  for (uint32_t k = 0; k < n; ++k)
    if (!(carried[k] = standing(v, op, k + 1))) return false;
  for (int64_t i = 0; i < hd_shape_rank(v, x); ++i) {
    hd_map_set(v->arena, &v->known, body->args[0], number(b, hd_i64(b->context), i));
    hd_map_set(v->arena, &v->known, body->args[1], hd_shape_extent(b, x, i));
    for (uint32_t k = 0; k < n; ++k) hd_map_set(v->arena, &v->known, body->args[2 + k], carried[k]);
    for (hd_op *inner = body->first; inner != body->last; inner = inner->next)
      if (!hd_shape_legalize(v, b, inner)) return false;
    for (uint32_t k = 0; k < n; ++k)
      if (!(carried[k] = standing(v, body->last, k))) return false;
  }
  for (uint32_t k = 0; k < n; ++k) hd_map_set(v->arena, &v->known, hd_result(op, k), carried[k]);
  return true;
}

bool hd_shape_legalize(hd_shape_values *v, hd_builder *b, hd_op *op) {
  if (hd_op_is(op, HD_OP_shape_split_at)) return split(v, b, op);
  if (hd_op_is(op, HD_OP_shape_reduce)) return unroll(v, b, op);
  hd_value *value = op->result_count ? legalized(v, b, op) : NULL;
  if (!value && op->result_count) value = legal_tensor(v, b, op);
  if (value) hd_map_set(v->arena, &v->known, hd_result(op, 0), value);
  return value != NULL;
}
