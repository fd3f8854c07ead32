/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/promotion.h"

#include "ir/computation.h"

static bool is_bool(hd_type type) { return hd_type_is_integer(type, 1); }

/* is_promotable of the specification: of one kind (i1, integer, float, complex, quantized of one expressed type) and
 * not narrower. A type is promotable to itself. */
static bool is_promotable(hd_type from, hd_type to) {
  if (from == to) return true;
  if (from->kind != to->kind || is_bool(from) != is_bool(to)) return false;
  switch (from->kind) {
    case HD_TYPE_INTEGER:
    case HD_TYPE_FLOAT:
    case HD_TYPE_COMPLEX:
      return hd_type_bits(from) <= hd_type_bits(to);
    case HD_TYPE_QUANT:
      return from->quant.expressed == to->quant.expressed &&
             hd_type_bits(from->quant.storage) <= hd_type_bits(to->quant.storage);
    default:
      return false;
  }
}

/* What operand |i| is combined as: an argument of the op's last region, the first of two that are combined. Null: it is
 * not. */
static hd_value *combined(const hd_op *op, uint32_t i) {
  hd_computation c = hd_computation_of(op, i);
  if (!c.combines || !c.argument || !op->result_count) return NULL;
  return hd_op_region(op, op->region_count - 1)->first->args[c.argument->index % op->result_count];
}

hd_type hd_combined_element(const hd_op *op, uint32_t i) {
  hd_value *argument = combined(op, i);
  return argument ? hd_type_element(argument->type) : NULL;
}

bool hd_verify_promotion(hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type to = hd_combined_element(op, i), from = hd_type_element(hd_operand_type(op, i));
    if (!to) continue;
    uint32_t first = hd_op_has_trait(op, HD_TRAIT(COLLECTIVE)) ? i : combined(op, i)->index;
    hd_type peer = hd_type_element(hd_operand_type(op, first));
    if (from != peer)
      return hd_op_type_error(op, peer, from, "expects operand #%u of the element type of operand #%u", i, first);
    if (!is_promotable(from, to))
      return hd_op_type_error(op, to, from,
                              "expects operand #%u of the element type of its computation, or of one that promotes to "
                              "it",
                              i);
  }
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type to = hd_combined_element(op, i), got = hd_type_element(hd_result_type(op, i));
    if (to && to != got)
      return hd_op_type_error(op, to, got, "expects result #%u of the element type of its computation", i);
  }
  return true;
}

static hd_type expressed(hd_type type) { return type->kind == HD_TYPE_QUANT ? type->quant.expressed : type; }

/* Of two formats: the wider one where it holds the other. */
static hd_type wider_float(hd_type a, hd_type b) {
  if (a == b) return a;
  hd_type wide = hd_type_bits(a) > hd_type_bits(b) ? a : b;
  return hd_type_bits(wide) >= 32 ? wide : hd_type_float(a->context, HD_F32);
}

hd_type hd_product_element(hd_type lhs, hd_type rhs, hd_type result) {
  if (lhs->kind == HD_TYPE_QUANT || rhs->kind == HD_TYPE_QUANT || result->kind == HD_TYPE_QUANT)
    return expressed(lhs) == expressed(rhs) && expressed(rhs) == expressed(result) ? expressed(result) : NULL;
  if (lhs->kind != rhs->kind) return NULL;
  hd_type_kind kind = result->kind;
  if (lhs->kind == HD_TYPE_FLOAT) return kind == HD_TYPE_FLOAT ? wider_float(wider_float(lhs, rhs), result) : NULL;
  uint32_t bits = hd_type_bits(lhs) > hd_type_bits(rhs) ? hd_type_bits(lhs) : hd_type_bits(rhs);
  if (bits > hd_type_bits(result)) return NULL;
  switch (lhs->kind) {
    case HD_TYPE_INTEGER:
      if (lhs != rhs && (is_bool(lhs) || is_bool(rhs) || lhs->integer.signedness != rhs->integer.signedness))
        return NULL;
      if (kind == HD_TYPE_FLOAT) return hd_type_float(lhs->context, hd_type_is_float(result, HD_F64) ? HD_F64 : HD_F32);
      return kind == HD_TYPE_INTEGER ? result : NULL;
    case HD_TYPE_COMPLEX:
      return lhs == rhs && kind == HD_TYPE_COMPLEX ? result : NULL;
    default:
      return lhs == rhs && rhs == result ? result : NULL;
  }
}

hd_type hd_element_holding(hd_type from, hd_type to) {
  return from->kind == HD_TYPE_FLOAT && to->kind == HD_TYPE_FLOAT ? wider_float(from, to) : to;
}
