/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of tt: ops whose shapes differ from those of their operands, and combinations along a dim. */
#include <inttypes.h>

#include "ir/hooks.h"
#include "ir/inferred_layouts.h"
#include "ir/layouts.h"
#include "ir/ops/enums.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/tt.h"

static uint32_t rank_of(hd_type type) { return hd_type_rank(type); }
static int64_t dim_of(hd_type type, uint32_t d) { return hd_type_dim(type, d); }

static bool check_axis(hd_op *op, uint32_t limit, uint32_t *out) {
  int64_t axis = hd_attr_int_or(hd_along_axis_axis_if_any(op), 0);
  *out = (uint32_t)axis;
  if (!limit) return hd_op_error(op, "expects a tensor of 1 dim or more for an axis, got one of 0");
  return (axis >= 0 && axis < limit) ||
         hd_op_error(op, "expects an axis between 0 and %u, got %" PRId64, limit - 1, axis);
}

bool hd_verify_tt_make_range(hd_op *op) {
  hd_type type = hd_result_type(op, 0);
  int64_t start = hd_tt_make_range_start(op), end = hd_tt_make_range_end(op);
  if (rank_of(type) != 1 || !hd_type_is_integer(hd_type_element(type), 32))
    return hd_op_misfit_error(op, type, NULL, "expects a 1-d tensor of i32");
  if (start >= end) return hd_op_error(op, "expects start below end, got %" PRId64 " and %" PRId64, start, end);
  return end - start == dim_of(type, 0) ||
         hd_op_misfit_error(op, type, NULL, "expects a tensor of %" PRId64 " elements", end - start);
}

bool hd_verify_tt_splat(hd_op *op) {
  hd_type element = hd_type_element(hd_result_type(op, 0));
  return element == hd_operand_type(op, 0) ||
         hd_op_type_error(op, element, hd_operand_type(op, 0), "expects an element of the result");
}

bool hd_verify_tt_unsplat(hd_op *op) {
  return hd_type_num_elements(hd_operand_type(op, 0)) == 1 ||
         hd_op_misfit_error(op, hd_operand_type(op, 0), NULL, "expects a tensor of one element");
}

/* |part| is what |whole| has without dim |axis|: dims, and as layout the slice. */
static bool check_without(hd_op *op, hd_type part, hd_type whole, uint32_t axis, bool size_one) {
  bool fits = rank_of(part) + 1 == rank_of(whole) && (!size_one || dim_of(whole, axis) == 1);
  for (uint32_t d = 0; fits && d < rank_of(part); ++d) fits = dim_of(part, d) == dim_of(whole, d + (d >= axis));
  if (!fits) return hd_op_misfit_error(op, part, whole, "expects one to have the other's dims but dim %u", axis);
  hd_attr of_part = hd_type_layout(part), of_whole = hd_type_layout(whole);
  if (!of_part != !of_whole) return hd_op_misfit_error(op, part, whole, "expects a layout on both or none");
  if (!of_part) return true;
  return of_part == hd_attr_slice(of_whole, axis) ||
         hd_op_misfit_error(op, part, whole, "expects the layout of one to be slice %u of the other's", axis);
}

bool hd_verify_tt_expand_dims(hd_op *op) {
  uint32_t axis;
  hd_type from = hd_operand_type(op, 0), to = hd_result_type(op, 0);
  return check_axis(op, rank_of(from) + 1, &axis) && check_without(op, from, to, axis, true);
}

static bool check_layout(hd_op *op, hd_type a, hd_type b) {
  return hd_type_layout(a) == hd_type_layout(b) ||
         hd_op_type_error(op, a, b, "requires one layout for operand and result");
}

bool hd_verify_tt_broadcast(hd_op *op) {
  hd_type from = hd_operand_type(op, 0), to = hd_result_type(op, 0);
  bool fits = rank_of(from) == rank_of(to);
  for (uint32_t d = 0; fits && d < rank_of(to); ++d) fits = dim_of(from, d) == dim_of(to, d) || dim_of(from, d) == 1;
  if (!fits) return hd_op_misfit_error(op, from, to, "expects one shape but where the operand's dim is 1");
  return check_layout(op, from, to);
}

static bool both_or_none(hd_op *op, hd_type a, hd_type b) {
  return !hd_type_layout(a) == !hd_type_layout(b) || hd_op_misfit_error(op, a, b, "expects a layout on both or none");
}

bool hd_verify_tt_reshape(hd_op *op) {
  hd_type from = hd_operand_type(op, 0), to = hd_result_type(op, 0);
  if (hd_type_num_elements(from) != hd_type_num_elements(to))
    return hd_op_misfit_error(op, from, to, "expects one number of elements");
  if (!both_or_none(op, from, to)) return false;
  return hd_tt_reshape_allow_reorder_attr(op) || !hd_type_layout(from) || hd_verify_reshaped_layout(op, from, to);
}

bool hd_verify_tt_trans(hd_op *op) {
  hd_type from = hd_operand_type(op, 0), to = hd_result_type(op, 0);
  hd_attr order = hd_tt_trans_order(op);
  bool fits = rank_of(from) == rank_of(to) && hd_attr_count(order) == rank_of(to);
  for (uint32_t d = 0; fits && d < rank_of(to); ++d) {
    int64_t source = hd_attr_int_at(order, d);
    fits = hd_attr_find_int(order, d) >= 0 && dim_of(to, d) == dim_of(from, (uint32_t)source);
  }
  if (!fits) return hd_op_misfit_error(op, from, to, "expects 'order' to permute the operand's dims");
  if (!both_or_none(op, from, to)) return false;
  return !hd_type_layout(from) || hd_verify_transposed_layout(op, from, order, to);
}

/* |whole| is |part| with a last dim of size 2. */
static bool check_halves(hd_op *op, hd_type part, hd_type whole) {
  bool fits = rank_of(whole) == rank_of(part) + 1 && dim_of(whole, rank_of(part)) == 2;
  for (uint32_t d = 0; fits && d < rank_of(part); ++d) fits = dim_of(part, d) == dim_of(whole, d);
  if (!fits) return hd_op_misfit_error(op, part, whole, "expects one to have the other's dims and a last one of 2");
  return both_or_none(op, part, whole) && (!hd_type_layout(part) || hd_verify_halved_layout(op, part, whole));
}

bool hd_verify_tt_join(hd_op *op) { return check_halves(op, hd_operand_type(op, 0), hd_result_type(op, 0)); }
bool hd_verify_tt_split(hd_op *op) { return check_halves(op, hd_result_type(op, 0), hd_operand_type(op, 0)); }

bool hd_verify_tt_cat(hd_op *op) {
  hd_type part = hd_operand_type(op, 0), whole = hd_result_type(op, 0);
  return hd_type_num_elements(whole) == 2 * hd_type_num_elements(part) ||
         hd_op_misfit_error(op, part, whole, "expects a result of twice as many elements");
}

/* Operand |i| of a product: as its layout says, for this product, or in shared memory. */
static bool check_dot_operand(hd_op *op, uint32_t i, hd_attr of_result) {
  hd_attr layout = hd_type_layout(hd_operand_type(op, i));
  bool fits = hd_layout_is_shared(layout) || hd_layout_row(layout) == HD_STRUCT_ttg_dot_op;
  if (hd_layout_row(layout) == HD_STRUCT_ttg_dot_op) {
    hd_dot_operand_layout fields = hd_layout_dot_operand(layout);
    fits = fields.operand == i && fields.parent == of_result;
  }
  return fits || hd_op_misfit_error(op, hd_operand_type(op, i), hd_result_type(op, 0),
                                    "operand #%u must have the layout of this operand of the result", i);
}

static bool check_dot_layouts(hd_op *op) {
  hd_type a = hd_operand_type(op, 0), b = hd_operand_type(op, 1);
  hd_attr of_a = hd_type_layout(a), of_b = hd_type_layout(b), of_d = hd_type_layout(hd_result_type(op, 0));
  if (!of_a != !of_d || !of_b != !of_d) return hd_op_misfit_error(op, a, b, "expects a layout on all or none");
  if (!of_d) return true;
  if (!check_dot_operand(op, 0, of_d) || !check_dot_operand(op, 1, of_d)) return false;
  if (hd_layout_is_shared(of_a) || hd_layout_is_shared(of_b)) return true;
  int32_t of_k[] = {hd_layout_dot_operand(of_a).k_width, hd_layout_dot_operand(of_b).k_width};
  return of_k[0] == of_k[1] || hd_op_error(op, "expects one 'kWidth', got %d and %d", of_k[0], of_k[1]);
}

bool hd_verify_tt_dot(hd_op *op) {
  hd_type a = hd_operand_type(op, 0), b = hd_operand_type(op, 1), d = hd_result_type(op, 0);
  uint32_t rank = rank_of(d), m = rank - 2, n = rank - 1;
  bool fits = rank >= 2 && rank <= 3 && rank_of(a) == rank && rank_of(b) == rank;
  fits = fits && dim_of(a, m) == dim_of(d, m) && dim_of(b, n) == dim_of(d, n) && dim_of(a, n) == dim_of(b, m);
  fits = fits && (rank == 2 || (dim_of(a, 0) == dim_of(d, 0) && dim_of(b, 0) == dim_of(d, 0)));
  if (!fits) {
    if (rank_of(a) != rank || rank_of(b) != rank || rank < 2 || rank > 3)
      return hd_op_misfit_error(op, a, b, "expects operands and result of 2 or 3 dims");
    return hd_op_misfit_error(op, a, b, "expects operands whose product has the result's shape");
  }
  uint32_t bits[] = {hd_type_bits(hd_type_element(a)), hd_type_bits(hd_type_element(b))};
  if (bits[0] != bits[1])
    return hd_op_misfit_error(op, hd_type_element(a), hd_type_element(b),
                              "expects operands whose elements are as wide");
  return check_dot_layouts(op);
}

/* Two elements of e2m1 are a byte, along k or along the other dim. */
static int64_t unpacked(hd_op *op, uint32_t i, uint32_t d) {
  int64_t kind = i ? hd_tt_dot_scaled_b_elem_type(op) : hd_tt_dot_scaled_a_elem_type(op);
  bool along_k = i ? hd_tt_dot_scaled_rhs_k_pack(op) : hd_tt_dot_scaled_lhs_k_pack(op);
  hd_type type = hd_operand_type(op, i);
  uint32_t k = i ? rank_of(type) - 2 : rank_of(type) - 1;
  bool packed = kind == HD_TT_SCALE_TYPE_E2M1 && (d == k) == along_k;
  return dim_of(type, d) * (packed ? 2 : 1);
}

/* |scale| of operand |i|: one for each 32 elements along k of each of the other dim's, or 16 where it is an f8E4M3FN.
 */
static bool check_scale(hd_op *op, uint32_t i, hd_type scale) {
  hd_type type = hd_operand_type(op, i);
  uint32_t rank = rank_of(type), k = i ? rank - 2 : rank - 1, other = i ? rank - 1 : rank - 2;
  int64_t group = hd_type_is_float(hd_type_element(scale), HD_F8E4M3FN) ? 16 : 32;
  int64_t along = unpacked(op, i, k), groups = rank_of(scale) == rank ? dim_of(scale, rank - 1) : 0;
  bool fits = rank_of(scale) == rank && dim_of(scale, rank - 2) == unpacked(op, i, other) && groups > 0 &&
              along == groups * group;
  return fits ||
         hd_op_misfit_error(op, type, scale, "expects a scale for each group of elements along k of operand #%u", i);
}

bool hd_verify_tt_dot_scaled(hd_op *op) {
  hd_type a = hd_operand_type(op, 0), b = hd_operand_type(op, 1), d = hd_result_type(op, 0);
  uint32_t rank = rank_of(d), start, count;
  if (rank < 2 || rank_of(a) != rank || rank_of(b) != rank)
    return hd_op_misfit_error(op, a, b, "expects operands of the result's rank, two dims or more");
  if (unpacked(op, 0, rank - 1) != unpacked(op, 1, rank - 2) || unpacked(op, 0, rank - 2) != dim_of(d, rank - 2) ||
      unpacked(op, 1, rank - 1) != dim_of(d, rank - 1))
    return hd_op_misfit_error(op, a, b, "expects operands whose product has the result's shape");
  for (uint32_t i = 0; i < 2; ++i) {
    hd_op_operand_range(op, 3 + i, &start, &count);
    if (count && !check_scale(op, i, hd_operand_type(op, start))) return false;
  }
  return true;
}

bool hd_verify_tt_gather(hd_op *op) {
  hd_type from = hd_operand_type(op, 0), indices = hd_operand_type(op, 1), to = hd_result_type(op, 0);
  uint32_t axis;
  if (!check_axis(op, rank_of(from), &axis)) return false;
  if (hd_type_with_element(indices, hd_type_element(from)) != to)
    return hd_op_type_error(op, hd_type_with_element(indices, hd_type_element(from)), to,
                            "expects the indices' shape and layout");
  if (hd_type_element(indices)->kind != HD_TYPE_INTEGER || rank_of(indices) != rank_of(from))
    return hd_op_misfit_error(op, from, indices, "expects integers of as many dims as indices");
  for (uint32_t d = 0; d < rank_of(from); ++d)
    if (d != axis && dim_of(indices, d) > dim_of(from, d))
      return hd_op_misfit_error(op, from, indices, "expects dim %u of the indices within the operand's", d);
  return true;
}

bool hd_verify_tt_histogram(hd_op *op) {
  hd_type from = hd_operand_type(op, 0), to = hd_result_type(op, 0);
  bool integers = hd_type_element(from)->kind == HD_TYPE_INTEGER && hd_type_element(to)->kind == HD_TYPE_INTEGER;
  if (!integers || rank_of(to) != 1) return hd_op_misfit_error(op, from, to, "expects integers, and counts of 1 dim");
  if (op->operand_count < 2) return true;
  hd_type mask = hd_type_with_element(from, hd_i1(hd_op_context(op)));
  return hd_operand_type(op, 1) == mask ||
         hd_op_type_error(op, mask, hd_operand_type(op, 1), "expects a mask of the operand");
}

/* The region combines two elements of each operand. */
static bool check_combiner(hd_op *op) {
  hd_block *body = hd_op_region(op, 0)->first;
  uint32_t count = op->operand_count;
  if (!body || body->arg_count != 2 * count)
    return hd_op_error(op, "expects a region of %u arguments, got %u", 2 * count, body ? body->arg_count : 0);
  hd_op *last = hd_block_terminator(body);
  for (uint32_t i = 0; i < 2 * count; ++i) {
    hd_type element = hd_type_element(hd_operand_type(op, i % count));
    if (body->args[i]->type != element)
      return hd_op_type_error(op, element, body->args[i]->type, "argument #%u of the region must be an element", i);
  }
  if (!last || last->operand_count != count)
    return hd_op_error(op, "expects the region to give %u values, got %u", count, last ? last->operand_count : 0);
  for (uint32_t i = 0; i < count; ++i) {
    hd_type element = hd_type_element(hd_operand_type(op, i));
    if (hd_operand_type(last, i) != element)
      return hd_op_type_error(op, element, hd_operand_type(last, i), "value #%u of the region must be an element", i);
  }
  return true;
}

static bool check_counts(hd_op *op) {
  if (!op->operand_count) return hd_op_error(op, "expects at least one operand, got none");
  if (op->result_count != op->operand_count)
    return hd_op_error(op, "expects %u results, got %u", op->operand_count, op->result_count);
  for (uint32_t i = 1; i < op->operand_count; ++i)
    if (!check_layout(op, hd_operand_type(op, 0), hd_operand_type(op, i))) return false;
  return true;
}

bool hd_verify_tt_reduce(hd_op *op) {
  uint32_t axis;
  if (!check_counts(op) || !check_axis(op, rank_of(hd_operand_type(op, 0)), &axis)) return false;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type from = hd_operand_type(op, i), to = hd_result_type(op, i);
    if (hd_type_element(from) != hd_type_element(to))
      return hd_op_type_error(op, hd_type_element(from), hd_type_element(to),
                              "result #%u must have the operand's elements", i);
    if (rank_of(from) == 1 ? to != hd_type_element(from) : !hd_type_is(to, HD_TYPE_TENSOR))
      return hd_op_misfit_error(op, from, to, "result #%u must be the operand without its dim %u", i, axis);
    if (rank_of(from) > 1 && !check_without(op, to, from, axis, false)) return false;
  }
  return check_combiner(op);
}

bool hd_verify_tt_scan(hd_op *op) {
  uint32_t axis;
  if (!check_counts(op) || !check_axis(op, rank_of(hd_operand_type(op, 0)), &axis)) return false;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_result_type(op, i) != hd_operand_type(op, i))
      return hd_op_type_error(op, hd_operand_type(op, i), hd_result_type(op, i),
                              "result #%u must have the operand's type", i);
  return check_combiner(op);
}

bool hd_verify_tt_combine_return(hd_op *op) {
  hd_op *parent = hd_op_parent(op);
  hd_opcode wanted = hd_op_is(op, HD_OP_tt_reduce_return) ? HD_OP_tt_reduce : HD_OP_tt_scan;
  return hd_op_is(parent, wanted) || hd_op_error(op, "expects parent op '%s', got '%s'", hd_op_info_of(wanted)->name,
                                                 parent ? parent->name->text : "none");
}
