/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of graph ops whose result type is written out: the result against the operands. */
#include "ir/constraints.h"
#include "ir/infer.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/promotion.h"

static int64_t dim(hd_type type, uint32_t i) { return type->shaped.dims[i]; }
static bool known(int64_t size) { return size != HD_DYNAMIC; }

/* A dimension attribute against the rank of |type|. */
static bool check_axis(hd_op *op, hd_name name, int64_t axis, hd_type type) {
  if (!hd_is_ranked(type) || (axis >= 0 && axis < type->shaped.rank)) return true;
  return hd_op_error(op, "expects '%s' in [0, %u), got %lld", hd_name_text(name), type->shaped.rank, (long long)axis);
}

/* Random bits are numbers as wide as what they round. */
bool hd_verify_stochastic_convert(hd_op *op) {
  hd_type from = hd_type_element(hd_operand_type(op, 0)), random = hd_type_element(hd_operand_type(op, 1));
  return (random->integer.signedness == HD_UNSIGNED && hd_type_bits(random) == hd_type_bits(from)) ||
         hd_op_misfit_error(op, hd_operand_type(op, 1), NULL, "operand #1 must be unsigned integers of %u bits",
                            hd_type_bits(from));
}

bool hd_verify_iota(hd_op *op) {
  hd_type element = hd_type_element(hd_result_type(op, 0));
  if (hd_type_is_integer(element, 1)) return hd_op_misfit_error(op, element, NULL, "expects numbers to count with");
  return check_axis(op, HD_NAME_iota_dimension, hd_iota_like_iota_dimension(op), hd_result_type(op, 0));
}

/* Entries of known_[non]expanding_dimensions are operand dims, each in one list at most. */
static bool check_known(hd_op *op, hd_name name, hd_attr dims, uint32_t rank, uint64_t *seen) {
  for (size_t i = 0; i < hd_attr_count(dims); ++i) {
    int64_t at = hd_attr_int_at(dims, i);
    if (at < 0 || at >= rank)
      return hd_op_error(op, "expects '%s' in [0, %u), got %lld", hd_name_text(name), rank, (long long)at);
    if (*seen >> at & 1)
      return hd_op_error(op, "expects known expanding and nonexpanding dims to be unique, got %lld twice",
                         (long long)at);
    *seen |= 1ull << at;
  }
  return true;
}

bool hd_verify_dynamic_broadcast_in_dim(hd_op *op) {
  hd_type in = hd_operand_type(op, 0);
  uint64_t seen = 0;
  if (!hd_is_ranked(in) || in->shaped.rank > HD_MAX_RANK) return true;
  return check_known(op, HD_NAME_known_expanding_dimensions,
                     hd_stablehlo_dynamic_broadcast_in_dim_known_expanding_dimensions(op), in->shaped.rank, &seen) &&
         check_known(op, HD_NAME_known_nonexpanding_dimensions,
                     hd_stablehlo_dynamic_broadcast_in_dim_known_nonexpanding_dimensions(op), in->shaped.rank, &seen);
}

bool hd_verify_reduce_precision(hd_op *op) {
  int64_t exponent = hd_stablehlo_reduce_precision_exponent_bits(op),
          mantissa = hd_stablehlo_reduce_precision_mantissa_bits(op);
  if (exponent < 1) return hd_op_error(op, "expects exponent_bits of 1 or more, got %lld", (long long)exponent);
  return mantissa >= 0 || hd_op_error(op, "expects mantissa_bits of 0 or more, got %lld", (long long)mantissa);
}

bool hd_verify_uniform_quantize(hd_op *op) {
  hd_type in = hd_type_element(hd_operand_type(op, 0)), out = hd_type_element(hd_result_type(op, 0));
  if (out->kind != HD_TYPE_QUANT) return hd_op_misfit_error(op, out, NULL, "expects a quantized result");
  hd_type expressed = in->kind == HD_TYPE_QUANT ? in->quant.expressed : in;
  return expressed == out->quant.expressed ||
         hd_op_misfit_error(op, expressed, out->quant.expressed, "expects operand and result of one expressed type");
}

bool hd_verify_uniform_dequantize(hd_op *op) {
  hd_type in = hd_type_element(hd_operand_type(op, 0)), out = hd_type_element(hd_result_type(op, 0));
  if (in->kind != HD_TYPE_QUANT) return hd_op_misfit_error(op, in, NULL, "expects a quantized operand");
  return out == in->quant.expressed ||
         hd_op_type_error(op, in->quant.expressed, out, "expects the result in the expressed type of the operand");
}

bool hd_verify_rng_bit_generator(hd_op *op) {
  hd_type state = hd_type_element(hd_operand_type(op, 0)), bits = hd_type_element(hd_result_type(op, 1));
  if (bits->kind != HD_TYPE_INTEGER && bits->kind != HD_TYPE_FLOAT)
    return hd_op_misfit_error(op, bits, NULL, "expects bits of integers or floating-point numbers");
  if (state->kind != HD_TYPE_INTEGER && state->kind != HD_TYPE_FLOAT)
    return hd_op_misfit_error(op, state, NULL, "expects a state of integers or floating-point numbers");
  return true;
}

/* precision_config: none, or one precision per operand. */
static bool check_precision(hd_op *op) {
  hd_attr config = hd_with_precision_precision_config_if_any(op);
  if (!config || !config->array.count) return true;
  if (config->array.count != 2)
    return hd_op_error(op, "expects 2 entries in 'precision_config', got %u", config->array.count);
  for (uint32_t i = 0; i < 2; ++i)
    if (!hd_attr_is(config->array.items[i], HD_ATTR_ENUM))
      return hd_op_error(op, "expects a precision as entry #%u of 'precision_config', got another attribute", i);
  return true;
}

/* The element types of both sides and of the result meet in one product. */
bool hd_verify_product(hd_op *op) {
  if (!check_precision(op)) return false;
  hd_type lhs = hd_type_element(hd_operand_type(op, 0)), rhs = hd_type_element(hd_operand_type(op, 1)),
          result = hd_type_element(hd_result_type(op, 0));
  if (hd_product_element(lhs, rhs, result)) return true;
  /* Is it the sides that do not meet, or what they give? */
  bool meet = hd_product_element(lhs, rhs, hd_type_bits(lhs) > hd_type_bits(rhs) ? lhs : rhs) != NULL;
  return meet ? hd_op_misfit_error(op, result, NULL,
                                   "expects a result whose element type the sides' promote to, or floats of integers")
              : hd_op_misfit_error(op, lhs, rhs,
                                   "expects lhs and rhs of one element type, both floats, or integers of one "
                                   "signedness");
}

bool hd_verify_unary_einsum(hd_op *op) {
  hd_type in = hd_type_element(hd_operand_type(op, 0)), out = hd_type_element(hd_result_type(op, 0));
  return in == out || hd_op_type_error(op, in, out, "expects a result of the element type of the operand");
}

/* |name|: for each of |count| tensors the order of its dims in memory; none, or all of them once. */
static bool check_orders(hd_op *op, hd_name name, hd_attr orders, uint32_t count) {
  if (!orders) return true;
  if (!hd_attr_is(orders, HD_ATTR_ARRAY) || orders->array.count != count)
    return hd_op_error(op, "expects '%s' with an order of dims for each of %u tensors, got %zu", hd_name_text(name),
                       count, hd_attr_count(orders));
  bool operands = name == HD_NAME_hd_operand_dims;
  for (uint32_t i = 0; i < count; ++i) {
    hd_type type = operands ? hd_operand_type(op, i) : hd_result_type(op, i);
    size_t entries = hd_attr_count(orders->array.items[i]), rank = hd_type_has_rank(type) ? type->shaped.rank : 0;
    if (!entries) continue;
    uint64_t seen = 0;
    _Static_assert(HD_MAX_RANK <= 64, "seen has a bit per dim");
    for (size_t d = 0; d < entries && entries == rank && rank <= HD_MAX_RANK; ++d) {
      int64_t at = hd_attr_int_at(orders->array.items[i], d);
      if (at >= 0 && at < (int64_t)rank) seen |= 1ull << at;
    }
    if (entries != rank || rank > HD_MAX_RANK || seen != UINT64_MAX >> (64 - rank))
      return hd_op_error(op, "expects '%s' #%u to have each dim of a tensor of rank %zu once, got %zu entries",
                         hd_name_text(name), i, rank, entries);
  }
  return true;
}

bool hd_verify_custom_call(hd_op *op) {
  return check_orders(op, HD_NAME_hd_operand_dims, hd_discardable_operand_dims(op), op->operand_count) &&
         check_orders(op, HD_NAME_hd_result_dims, hd_discardable_result_dims(op), op->result_count);
}

bool hd_verify_expect_const(hd_op *op) {
  hd_attr value = hd_expecting_const_value(op);
  return hd_types_compatible(value->type, hd_operand_type(op, 0)) ||
         hd_op_type_error(op, hd_operand_type(op, 0), value->type, "expects a value in the type of the operand");
}

bool hd_verify_minimum_broadcast_shapes(hd_op *op) {
  return op->result_count == op->operand_count ||
         hd_op_error(op, "expects as many results as operands, got %u and %u", op->result_count, op->operand_count);
}

/* infeed and recv: the last result is a token. */
bool hd_verify_token_last(hd_op *op) {
  hd_type last = op->result_count ? hd_result_type(op, op->result_count - 1) : NULL;
  if (!last) return hd_op_error(op, "expects the last result to be a token, got no result");
  return hd_type_satisfies(HD_STR("token"), last) ||
         hd_op_misfit_error(op, last, NULL, "expects the last result to be a token");
}

/* Rows may be filled up with -1 where groups differ in size. |equal|: they may not, since the shape of the result
 * follows from it. */
static bool check_groups(hd_op *op, bool equal) {
  hd_attr groups = hd_collective_like_replica_groups(op);
  if (!hd_attr_is(groups, HD_ATTR_DENSE)) return true;
  if (!hd_type_has_rank(groups->type) || groups->type->shaped.rank != 2 ||
      hd_type_element(groups->type)->kind != HD_TYPE_INTEGER)
    return hd_op_misfit_error(op, groups->type, NULL, "expects 'replica_groups' of integers of rank 2");
  size_t count = hd_attr_count(groups);
  for (size_t i = 0; i < count; ++i) {
    int64_t id = hd_attr_int_at(groups, i);
    if (id < -1) return hd_op_error(op, "expects replica ids of -1 or more, got %lld", (long long)id);
    if (id < 0 && equal && !hd_discardable_members_attr(op)) /* hlo-expand's have room for the largest group */
      return hd_op_error(op, "expects groups of one size, which its result follows from, got a row with -1");
    for (size_t k = 0; k < i && count <= 4096; ++k)
      if (id >= 0 && hd_attr_int_at(groups, k) == id)
        return hd_op_error(op, "expects each replica in one group, got %lld twice", (long long)id);
  }
  return true;
}

bool hd_verify_collective(hd_op *op) { return check_groups(op, hd_op_is(op, HD_OP_stablehlo_all_to_all)); }

/* At least a tensor, and after them the roots of each where they are operands. */
bool hd_verify_collective_root(hd_op *op) {
  bool roots = hd_collective_like_has_dynamic_root_attr(op) != NULL;
  uint32_t count = op->operand_count;
  if (count < 1u + roots) return hd_op_error(op, "expects %u operands or more, got %u", 1u + roots, count);
  if (op->result_count != count - roots)
    return hd_op_error(op, "expects %u results, got %u", count - roots, op->result_count);
  if (!check_groups(op, false)) return false;
  if (!roots) return true;
  hd_type type = hd_operand_type(op, count - 1);
  if (!hd_is_ranked(type) || type->shaped.rank != 1 || !hd_type_is_integer(type->shaped.element, 32) ||
      (known(dim(type, 0)) && dim(type, 0) != (int64_t)count - 1))
    return hd_op_misfit_error(op, type, NULL, "expects the last operand to be tensor<%uxi32>, the roots of the others",
                              count - 1);
  return true;
}

bool hd_verify_collective_reduce(hd_op *op) {
  return hd_verify_collective_root(op) && hd_verify_collective_reducer(op);
}

bool hd_verify_all_reduce(hd_op *op) { return check_groups(op, false) && hd_verify_collective_reducer(op); }

/* Groups of one size, from which the shape of the result follows. */
bool hd_verify_all_gather(hd_op *op) { return check_groups(op, true); }
bool hd_verify_reduce_scatter(hd_op *op) { return check_groups(op, true) && hd_verify_collective_reducer(op); }

bool hd_verify_channel(hd_op *op) { return hd_verify_token_last(op) && hd_verify_collective_permute(op); }

bool hd_verify_collective_permute(hd_op *op) {
  hd_attr pairs = hd_collective_like_source_target_pairs(op);
  if (!hd_attr_is(pairs, HD_ATTR_DENSE)) return true;
  hd_type type = pairs->type;
  if (!hd_type_has_rank(type) || type->shaped.rank != 2 || dim(type, 1) != 2 ||
      hd_type_element(type)->kind != HD_TYPE_INTEGER)
    return hd_op_misfit_error(op, type, NULL, "expects 'source_target_pairs' of integers of shape Nx2");
  size_t count = hd_attr_count(pairs);
  for (size_t i = 0; i < count; ++i) {
    int64_t id = hd_attr_int_at(pairs, i);
    if (id < 0) return hd_op_error(op, "expects replica ids of 0 or more, got %lld", (long long)id);
    for (size_t k = i % 2; k < i && count <= 4096; k += 2)
      if (hd_attr_int_at(pairs, k) == id)
        return hd_op_error(op, "expects %s to be unique, got %lld twice", i % 2 ? "targets" : "sources", (long long)id);
  }
  return true;
}

/* padding and window lists of reduce_window, select_and_scatter, convolution: integers in the right shape. */
static bool check_padding(hd_op *op) {
  hd_attr padding = hd_with_padding_padding_if_any(op);
  if (!padding) return true;
  if (padding->kind != HD_ATTR_DENSE || hd_type_element(padding->type)->kind != HD_TYPE_INTEGER ||
      !hd_type_has_rank(padding->type) || padding->type->shaped.rank != 2 || dim(padding->type, 1) != 2)
    return hd_op_misfit_error(op, padding->type, NULL, "expects 'padding' of integers of shape Nx2");
  return true;
}
bool hd_verify_reduce_window(hd_op *op) { return check_padding(op) && hd_verify_reducer(op); }
bool hd_verify_select_and_scatter_window(hd_op *op) { return check_padding(op) && hd_verify_select_and_scatter(op); }
bool hd_verify_convolution(hd_op *op) { return check_padding(op) && hd_verify_product(op); }
