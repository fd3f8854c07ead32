/* SPDX-License-Identifier: Apache-2.0 */
/* chlo-legalize-to-stablehlo: the client dialect's conveniences become ops with a buffer form.
 *
 *   chlo.erf %x                   ->   mhlo.erf %x: functions stay one op, which its kernel expands (codegen/math)
 *   chlo.broadcast_add %a, %b     ->   stablehlo.add of both operands broadcast to the common shape
 *   chlo.constant_like %x         ->   a scalar constant broadcast to the shape of %x
 *   chlo.is_inf %x, chlo.square   ->   comparisons, products
 *
 * Where dims are unknown the common shape is arithmetic on them: of a dim of 1 and another the other. Left as they are:
 * minimum_broadcast_shapes, and what hlo-expand takes: top_k, ragged_dot, scan, dynamic_reshape. */
#include "passes/graph/import/chlo_legalize_to_stablehlo.h"

#include "ir/number.h"
#include "ir/ops/chlo.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/hlo_build.h"
#include "passes/graph/import/broadcast.h"
#include "passes/passes.h"

typedef struct renaming {
  hd_opcode from, to;
  bool broadcasts;
} renaming;

static const renaming renamings[] = {
#define SAME(name, to) {HD_OP_chlo_##name, HD_OP_##to, false}
#define WIDE(name, to) {HD_OP_chlo_broadcast_##name, HD_OP_##to, true}
    SAME(acos, mhlo_acos),
    SAME(acosh, mhlo_acosh),
    SAME(asin, mhlo_asin),
    SAME(asinh, mhlo_asinh),
    SAME(atan, mhlo_atan),
    SAME(atanh, mhlo_atanh),
    SAME(cosh, mhlo_cosh),
    SAME(sinh, mhlo_sinh),
    SAME(tan, stablehlo_tan),
    SAME(erf, mhlo_erf),
    SAME(erfc, mhlo_erfc),
    SAME(erf_inv, mhlo_erf_inv),
    SAME(lgamma, mhlo_lgamma),
    SAME(digamma, mhlo_digamma),
    SAME(bessel_i1e, mhlo_bessel_i1e),
    SAME(next_after, mhlo_next_after),
    SAME(zeta, mhlo_zeta),
    SAME(polygamma, mhlo_polygamma),
    SAME(mulhi, mhlo_mulhi),
    SAME(constant, stablehlo_constant),
    WIDE(add, stablehlo_add),
    WIDE(and, stablehlo_and),
    WIDE(atan2, stablehlo_atan2),
    WIDE(divide, stablehlo_divide),
    WIDE(maximum, stablehlo_maximum),
    WIDE(minimum, stablehlo_minimum),
    WIDE(multiply, stablehlo_multiply),
    WIDE(next_after, mhlo_next_after),
    WIDE(or, stablehlo_or),
    WIDE(polygamma, mhlo_polygamma),
    WIDE(power, stablehlo_power),
    WIDE(remainder, stablehlo_remainder),
    WIDE(shift_left, stablehlo_shift_left),
    WIDE(shift_right_arithmetic, stablehlo_shift_right_arithmetic),
    WIDE(shift_right_logical, stablehlo_shift_right_logical),
    WIDE(subtract, stablehlo_subtract),
    WIDE(xor, stablehlo_xor),
    WIDE(zeta, mhlo_zeta),
    WIDE(compare, stablehlo_compare),
    WIDE(complex, stablehlo_complex),
    WIDE(select, stablehlo_select),
#undef SAME
#undef WIDE
};

/* The renamed op, with the attributes that it keeps. */
static hd_value *rename(hd_builder *b, hd_op *op, hd_opcode to, hd_value *const *values) {
  hd_attr_arg attrs[3];
  size_t count = 0;
  hd_attr direction = hd_compare_like_comparison_direction_if_any(op), type = hd_compare_like_compare_type_if_any(op);
  hd_attr value = to == HD_OP_stablehlo_constant ? hd_constant_like_value(op) : NULL;
  if (hd_attr_is(direction, HD_ATTR_ENUM)) /* the cases of both dialects have the same numbers */
    attrs[count++] =
        (hd_attr_arg){HD_NAME_comparison_direction,
                      hd_attr_enum(b->context, HD_ENUM_stablehlo_comparison_direction, direction->enumerant.value)};
  if (hd_attr_is(type, HD_ATTR_ENUM))
    attrs[count++] = (hd_attr_arg){HD_NAME_compare_type,
                                   hd_attr_enum(b->context, HD_ENUM_stablehlo_comparison_type, type->enumerant.value)};
  if (value) attrs[count++] = (hd_attr_arg){HD_NAME_value, value};
  return hd_build_one_(b, to, hd_result_type(op, 0), values, op->operand_count, attrs, count);
}

static hd_value *is_infinite(hd_builder *b, hd_op *op) {
  hd_value *x = hd_operand(op, 0);
  hd_type element = hd_type_element(x->type);
  if (element->kind == HD_TYPE_FLOAT && hd_float_formats[element->float_kind].special != HD_FLOAT_IEEE)
    return hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_LT, x, x); /* the type has no infinity */
  bool both = hd_op_is(op, HD_OP_chlo_is_inf);
  if (both) x = hd_stablehlo_abs(b, x);
  hd_value *limit = hd_hlo_float_like(b, x, hd_op_is(op, HD_OP_chlo_is_neg_inf) ? -__builtin_inf() : __builtin_inf());
  return hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, x, limit);
}

/* x * x; of complex x + iy ((x - y) (x + y), 2 x y), where no digits cancel and parts of one magnitude give 0 even when
 * their sum overflows. */
static hd_value *square(hd_builder *b, hd_value *z) {
  hd_type element = hd_type_element(z->type);
  if (element->kind != HD_TYPE_COMPLEX) return hd_stablehlo_multiply(b, z, z);
  hd_type parts = hd_type_with_element(z->type, element->shaped.element);
#define PART(name, ...) hd_build(b, HD_OP_stablehlo_##name, parts, __VA_ARGS__)
  hd_value *x = PART(real, z), *y = PART(imag, z), *zero = hd_hlo_zero_like(b, x);
  hd_value *even = hd_stablehlo_compare(b, HD_STABLEHLO_COMPARE_EQ, PART(abs, x), PART(abs, y));
  even = hd_stablehlo_and(b, even, hd_stablehlo_is_finite(b, x));
  hd_value *re = hd_stablehlo_select(b, even, zero, PART(multiply, PART(subtract, x, y), PART(add, x, y)));
  hd_value *product = PART(multiply, x, y), *im = PART(add, product, product);
#undef PART
  return hd_stablehlo_complex(b, re, im);
}

/* The value attribute of constant_like as one element's bytes; 0 when it does not fit. */
static size_t element_bytes(hd_attr value, hd_type element, char *bytes) {
  if (hd_attr_is(value, HD_ATTR_INTEGER) && element->kind == HD_TYPE_INTEGER)
    hd_element_store(element, bytes, value->integer);
  else if (hd_attr_is(value, HD_ATTR_FLOAT) && element->kind == HD_TYPE_FLOAT)
    hd_element_store(element, bytes, (int64_t)hd_float_encode(element->float_kind, value->floating.value));
  else
    return 0;
  return hd_type_element_bytes(element);
}

hd_value *hd_chlo_legalize_op(hd_builder *b, hd_op *op, bool *out_failed) {
  hd_value *values[3] = {0};
  if (op->operand_count > 3 || op->result_count != 1) return NULL;
  for (size_t i = 0; i < sizeof renamings / sizeof *renamings; ++i) {
    const renaming *r = &renamings[i];
    if (!hd_op_is(op, r->from)) continue;
    for (uint32_t k = 0; k < op->operand_count; ++k) values[k] = hd_operand(op, k);
    if (r->broadcasts && !hd_broadcast_operands(b, op, values)) {
      *out_failed = true;
      return NULL;
    }
    return rename(b, op, r->to, values);
  }
  switch (hd_opcode_get(op)) {
    case HD_OP_chlo_is_inf:
    case HD_OP_chlo_is_pos_inf:
    case HD_OP_chlo_is_neg_inf:
      return hd_type_has_rank(hd_operand_type(op, 0)) ? is_infinite(b, op) : NULL;
    case HD_OP_chlo_conj: {
      hd_value *x = hd_operand(op, 0);
      hd_type element = hd_type_element(x->type);
      if (element->kind != HD_TYPE_COMPLEX) return x;
      hd_value *im = hd_stablehlo_imag(b, x);
      return hd_stablehlo_complex(b, hd_stablehlo_real(b, x), hd_stablehlo_negate(b, im));
    }
    case HD_OP_chlo_square:
      return square(b, hd_operand(op, 0));
    case HD_OP_chlo_constant_like: {
      char bytes[16];
      size_t size = element_bytes(hd_chlo_constant_like_value(op), hd_type_element(hd_operand_type(op, 0)), bytes);
      return size && hd_type_has_rank(hd_operand_type(op, 0)) ? hd_hlo_splat_like(b, hd_operand(op, 0), bytes, size)
                                                              : NULL;
    }
    default:
      return NULL;
  }
}

static bool is_chlo(const hd_op *op) { return hd_str_starts(hd_str_of(op->info->name ? op->info->name : ""), "chlo."); }

bool hd_pass_chlo_legalize_to_stablehlo(hd_pass *pass, hd_op *op) {
  hd_op_list ops = hd_ops_where(op, is_chlo, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *old = ops.data[i];
    hd_builder b = hd_builder_before(old);
    b.loc = old->loc;
    bool failed = false;
    hd_value *value = hd_chlo_legalize_op(&b, old, &failed);
    if (failed) return false;
    if (!value) continue;
    hd_op_replace(old, &value);
    pass->changed = true;
  }
  return true;
}
