/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of tt: memory and elementwise ops. Those of shapes are in verify_tt_shapes.c. */
#include "ir/hooks.h"
#include "ir/layouts.h"
#include "ir/ops/enums.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/tt.h"
#include "ir/tile_types.h"

/* PTX has either a cache operator or an eviction priority. */
static bool check_cache(hd_op *op) {
  int64_t cache = hd_attr_int_or(hd_with_cache_cache_if_any(op), HD_TT_CACHE_MODIFIER_NONE);
  int64_t evict = hd_attr_int_or(hd_with_cache_evict_if_any(op), HD_TT_EVICTION_POLICY_EVICT_NORMAL);
  if (cache == HD_TT_CACHE_MODIFIER_NONE || evict == HD_TT_EVICTION_POLICY_EVICT_NORMAL) return true;
  hd_str modifier = hd_enum_case_name(HD_ENUM_tt_cache_modifier, cache);
  hd_str policy = hd_enum_case_name(HD_ENUM_tt_eviction_policy, evict);
  return hd_op_error(op, "expects a cache modifier or an eviction policy, got '%.*s' and '%.*s'", (int)modifier.len,
                     modifier.data, (int)policy.len, policy.data);
}

bool hd_verify_tt_load(hd_op *op) {
  uint32_t start, masks, others;
  hd_op_operand_range(op, 1, &start, &masks);
  hd_op_operand_range(op, 2, &start, &others);
  if (others && !masks) return hd_op_error(op, "expects a mask with the value of masked elements, got none");
  int64_t cache = hd_attr_int_or(hd_with_cache_cache_if_any(op), HD_TT_CACHE_MODIFIER_NONE);
  if (cache == HD_TT_CACHE_MODIFIER_WB || cache == HD_TT_CACHE_MODIFIER_WT)
    return hd_op_error(op, "expects a cache modifier of loads, got one of stores");
  return check_cache(op);
}

bool hd_verify_tt_store(hd_op *op) {
  int64_t cache = hd_attr_int_or(hd_with_cache_cache_if_any(op), HD_TT_CACHE_MODIFIER_NONE);
  if (cache == HD_TT_CACHE_MODIFIER_CA || cache == HD_TT_CACHE_MODIFIER_CV)
    return hd_op_error(op, "expects a cache modifier of stores, got one of loads");
  return check_cache(op);
}

/* Operand |i| has the type that pointers of operand 0 point to. */
static bool check_pointee(hd_op *op, uint32_t i) {
  hd_type pointee = hd_type_pointee(hd_operand_type(op, 0));
  return hd_operand_type(op, i) == pointee ||
         hd_op_type_error(op, pointee, hd_operand_type(op, i), "operand #%u must be what the pointers point to", i);
}

static bool is_float_kind(hd_type type) { return hd_type_element(type)->kind == HD_TYPE_FLOAT; }

bool hd_verify_tt_atomic_rmw(hd_op *op) {
  hd_type value = hd_operand_type(op, 1);
  if (!check_pointee(op, 1)) return false;
  if (op->operand_count > 2) {
    hd_type mask = hd_type_with_element(value, hd_i1(hd_op_context(op)));
    if (hd_operand_type(op, 2) != mask)
      return hd_op_type_error(op, mask, hd_operand_type(op, 2), "operand #2 must be a mask of the value's shape");
  }
  int64_t kind = hd_tt_atomic_rmw_atomic_rmw_op(op);
  if (kind == HD_TT_ATOMIC_RMW_EXCH || is_float_kind(value) == (kind == HD_TT_ATOMIC_RMW_FADD)) return true;
  return hd_op_misfit_error(op, hd_type_element(value), NULL, "expects %s for this kind",
                            is_float_kind(value) ? "integers" : "floating-point numbers");
}

bool hd_verify_tt_atomic_cas(hd_op *op) {
  if (!check_pointee(op, 1) || !check_pointee(op, 2)) return false;
  return hd_result_type(op, 0) == hd_operand_type(op, 1) ||
         hd_op_type_error(op, hd_operand_type(op, 1), hd_result_type(op, 0), "result #0 must have the type of cmp");
}

static uint32_t bits_of(hd_type type) {
  hd_type element = hd_type_element(type);
  return hd_type_is_pointer(element) ? 64 : hd_type_bits(element);
}

bool hd_verify_tt_bitcast(hd_op *op) {
  hd_type from = hd_operand_type(op, 0), to = hd_result_type(op, 0);
  if (hd_type_is_pointer(hd_type_element(from)) != hd_type_is_pointer(hd_type_element(to)))
    return hd_op_misfit_error(op, from, to, "expects pointers on both sides or none");
  return bits_of(from) == bits_of(to) || hd_op_misfit_error(op, from, to, "expects types of one width");
}

bool hd_verify_tt_pointer_cast(hd_op *op) {
  hd_type from = hd_operand_type(op, 0), to = hd_result_type(op, 0);
  return (bits_of(from) == 64 && bits_of(to) == 64) || hd_op_misfit_error(op, from, to, "expects i64 and pointers");
}

bool hd_verify_tt_fp_to_fp(hd_op *op) {
  hd_type from = hd_operand_type(op, 0), to = hd_result_type(op, 0);
  return bits_of(to) >= bits_of(from) || hd_tt_fp_to_fp_rounding_attr(op) ||
         hd_op_misfit_error(op, from, to, "expects 'rounding' where numbers become narrower");
}

bool hd_verify_tt_assert(hd_op *op) {
  hd_type type = hd_operand_type(op, 0);
  return hd_type_is_integer(hd_type_element(type), 1) ||
         hd_op_misfit_error(op, type, NULL, "expects a condition of i1");
}

/* All tensors have one shape; numbers may be beside them. */
bool hd_verify_tt_elementwise(hd_op *op) {
  hd_type first = NULL;
  int64_t packed = hd_op_is(op, HD_OP_tt_elementwise_inline_asm) ? hd_tt_elementwise_inline_asm_packed_element(op) : 1;
  for (uint32_t i = 0; i < op->operand_count + op->result_count; ++i) {
    hd_type type = i < op->operand_count ? hd_operand_type(op, i) : hd_result_type(op, i - op->operand_count);
    if (!hd_type_is(type, HD_TYPE_TENSOR)) continue;
    if (!first) first = type;
    bool same = hd_type_rank(type) == hd_type_rank(first);
    for (uint32_t d = 0; same && d < hd_type_rank(type); ++d) same = hd_type_dim(type, d) == hd_type_dim(first, d);
    if (!same) return hd_op_misfit_error(op, first, type, "expects one shape of all tensors");
    if (packed < 1 || hd_type_num_elements(type) % packed)
      return hd_op_misfit_error(op, type, NULL, "expects a multiple of %lld elements, those that are packed",
                                (long long)packed);
  }
  return true;
}

/* A descriptor's block and the tensor that is moved hold the same elements; leading dims of size 1 may be left out. */
static bool check_block(hd_op *op, hd_type desc, hd_type tensor) {
  hd_type block = hd_tensordesc_block(desc);
  if (hd_type_element(block) != hd_type_element(tensor))
    return hd_op_type_error(op, hd_type_element(block), hd_type_element(tensor), "expects the descriptor's elements");
  if (hd_type_num_elements(block) != hd_type_num_elements(tensor) || hd_type_num_elements(block) < 0)
    return hd_op_type_error(op, block, tensor, "expects the descriptor's block");
  uint32_t start, indices;
  hd_op_operand_range(op, op->result_count ? 1 : 2, &start, &indices);
  return indices == hd_type_rank(block) ||
         hd_op_error(op, "expects %u indices, one for each dim of the block, got %u", hd_type_rank(block), indices);
}

bool hd_verify_tt_descriptor_load(hd_op *op) {
  return check_block(op, hd_operand_type(op, 0), hd_result_type(op, 0)) && check_cache(op);
}
bool hd_verify_tt_descriptor_store(hd_op *op) {
  return check_block(op, hd_operand_type(op, 0), hd_operand_type(op, 1));
}

bool hd_verify_tt_make_tensor_descriptor(hd_op *op) {
  hd_type block = hd_tensordesc_block(hd_result_type(op, 0)), pointee = hd_type_pointee(hd_operand_type(op, 0));
  uint32_t start, dims;
  hd_op_operand_range(op, 1, &start, &dims);
  if (dims != hd_type_rank(block))
    return hd_op_error(op, "expects a size and a stride for each of %u dims, got %u", hd_type_rank(block), dims);
  return hd_type_element(block) == pointee ||
         hd_op_type_error(op, pointee, hd_type_element(block), "expects a block of what the pointer points to");
}
