/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/elementwise.h"

#include "codegen/emit/lower.h"
#include "codegen/math/expand.h"
#include "ir/number.h"
#include "ir/ops/discardable.h"

hd_value *hd_emit_float_op(hd_builder *b, hd_opcode opcode, hd_value *x, hd_value *y) {
  hd_attr_arg contract = {HD_NAME_fastmath, hd_attr_enum(b->context, HD_ENUM_arith_fastmath, 32)};
  return hd_build_one_(b, opcode, x->type, (hd_value *[]){x, y}, 2, &contract, 1);
}

hd_element hd_emit_select(hd_builder *b, hd_value *condition, hd_element yes, hd_element no) {
  return (hd_element){hd_emit_select_value(b, condition, yes.re, no.re),
                      yes.im ? hd_emit_select_value(b, condition, yes.im, no.im) : NULL};
}

static hd_value *part_constant(hd_builder *b, hd_type element, const void *data, uint32_t lanes) {
  hd_type type = hd_lanes_type(hd_compute_type(element), lanes);
  int64_t bits = hd_element_load(element, data);
  if (!hd_type_is(element, HD_TYPE_FLOAT)) return hd_build_int(b, type, bits);
  if (hd_compute_type(element) != element && hd_float_bits_are_nan(element->float_kind, (uint64_t)bits)) {
    hd_type narrow = hd_lanes_type(element, lanes);
    hd_attr nan = lanes ? hd_attr_dense(narrow, data, hd_type_element_bytes(element), true)
                        : hd_attr_float_bits(narrow, (uint64_t)bits);
    return hd_emit_widen(b, element, (hd_element){hd_build_constant(b, nan), NULL}, lanes).re;
  }
  if (hd_compute_type(element) != element)
    return hd_build_float(b, type, hd_float_decode(element->float_kind, (uint64_t)bits));
  if (!lanes) return hd_build_constant(b, hd_attr_float_bits(type, (uint64_t)bits));
  return hd_build_constant(b, hd_attr_dense(type, data, hd_type_element_bytes(element), true));
}

hd_element hd_emit_constant(hd_builder *b, hd_type element, const void *data, uint32_t lanes) {
  if (!hd_type_is(element, HD_TYPE_COMPLEX)) return (hd_element){part_constant(b, element, data, lanes), NULL};
  hd_type part = element->shaped.element;
  return (hd_element){part_constant(b, part, data, lanes),
                      part_constant(b, part, (const char *)data + hd_type_element_bytes(part), lanes)};
}

bool hd_emit_selected(hd_emission *e, hd_element *out) {
  *out = hd_emit_select(e->b, e->x[0].re, e->x[1], e->x[2]);
  return true;
}

enum { MAX_OPERANDS = 4 };

/* The one place that says which functions may take the shorter forms of math/fast.def: those whose result the program
 * has in bf16 or f16, which it rounds; that excess precision carries it on in f32 asks for no more digits. */
static void mark_rounded(hd_emission *e, hd_value *made) {
  hd_type element = e->out;
  if (!hd_type_is_float(element, HD_BF16) && !hd_type_is_float(element, HD_F16)) return;
  hd_op *op = hd_value_op(made);
  if (!hd_math_can_expand(hd_opcode_get(op)) || !hd_type_is_float(hd_type_element(made->type), HD_F32)) return;
  hd_discardable_set_rounds(op, hd_type_is_float(element, HD_BF16) ? HD_ROUNDS_BF16 : HD_ROUNDS_F16);
}

/* |count|: the op's operands, as its row says: products of a dot are emitted by the row of multiply. */
static bool emit(hd_emission *e, const hd_scalar_form *form, size_t count, hd_element *out) {
  hd_value *x[MAX_OPERANDS];
  if (count > MAX_OPERANDS) return false;
  for (size_t i = 0; i < count; ++i) x[i] = e->x[i].re;
  *out = (hd_element){0};
  switch (form->kind) {
    case HD_FORM_OP:
      out->re = hd_build_one_(e->b, form->opcode, e->type, x, count, NULL, 0);
      mark_rounded(e, out->re);
      return true;
    case HD_FORM_CONTRACTED:
      out->re = hd_emit_float_op(e->b, form->opcode, x[0], x[1]);
      return true;
    case HD_FORM_EXPANDED:
      return (out->re = hd_math_expand(e->b, form->opcode, x)) != NULL;
    case HD_FORM_FUNCTION: {
      hd_complex_parts operands[MAX_OPERANDS], parts;
      for (size_t i = 0; i < count; ++i) operands[i] = (hd_complex_parts){x[i], e->x[i].im};
      if (!hd_math_expand_complex(e->b, form->function, operands, &parts)) return false;
      *out = (hd_element){parts.re, parts.im};
      return true;
    }
    case HD_FORM_EMIT:
      return form->emit(e, out);
    case HD_FORM_OPERAND:
      *out = e->x[0];
      return true;
    default:
      return false;
  }
}

uint32_t hd_typed_operand(hd_opcode opcode) {
  return opcode == HD_OP_stablehlo_select || opcode == HD_OP_stablehlo_clamp ? 1 : 0;
}

bool hd_emit_elementwise(hd_builder *b, hd_op *op, hd_opcode opcode, const hd_type *elements,
                         const hd_element *operands, hd_type result_element, uint32_t lanes, hd_element *out) {
  hd_type in = elements[hd_typed_operand(opcode)];
  hd_emission e = {b,
                   op,
                   in,
                   result_element,
                   hd_lanes_type(hd_compute_type(in), lanes),
                   hd_lanes_type(hd_compute_type(result_element), lanes),
                   lanes,
                   operands};
  const hd_scalar_form *form = &hd_lowering_of(opcode)->forms[hd_scalar_class_of(in)];
  hd_element made; /* |out| may be one of the operands */
  if (!emit(&e, form, hd_signature_of(b->context, opcode)->args.count, &made))
    return hd_op_error(op, "has no compiled path for its element type");
  *out = made;
  return true;
}

bool hd_can_emit_elementwise(hd_opcode opcode, hd_type in, hd_type out) {
  if (opcode == HD_OP_stablehlo_bitcast_convert && !hd_can_emit_bitcast(in, out)) return false;
  return hd_lowering_of(opcode)->forms[hd_scalar_class_of(in)].kind != HD_FORM_NONE;
}
