/* SPDX-License-Identifier: Apache-2.0 */
/* disc-element-type-converter: ops on element types that the target has, by converts around them.
 *
 *   reduce(%x init: %f) applies or : tensor<?x?xi1>     ->    convert to i32, reduce, convert to i1
 *   dot_general(%a, %b) : f32                           ->    dot_general(convert %a, convert %b) : f16 x f16 -> f32
 *   add %a, %b : bf16                                   ->    add of f32, rounded to bf16
 *
 * A setting of the compiler's one widening (codegen/widen.h):
 *  - `target=cpu` takes a row of its table, and products of two element types become such of one.
 *  - `native=f32:f64`: floats that are not listed are computed in the smallest listed type that holds them; moving them
 *    stays. A float that none holds is an error at the op.
 *  - `libraries`: of these only what a library of the runtime computes; kernels widen their elements themselves, and
 *    round them less often.
 *  - `i1-reductions`: reduce and reduce_window of i1 run on i32; on, but for a target that reduces i1.
 *  - `mixed-precision=f16` or `bf16`: dots and convolutions of f32 get operands of that type and still add in f32.
 *    Those that ask for an algorithm or for more than default precision are left. */
#include "base/vec.h"
#include "codegen/widen.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/hlo_build.h"
#include "passes/passes.h"

typedef struct converter {
  hd_pass *pass;
  hd_native_types types; /* no floats: all are native */
  bool i1_reductions, libraries;
  hd_type mixed;
} converter;

static hd_type float_named(hd_context *context, hd_str name) {
  hd_float_kind kind = hd_float_kind_of(name.data, name.len);
  return kind == HD_FLOAT_KIND_COUNT ? NULL : hd_type_float(context, kind);
}

static bool read_types(converter *c, hd_op *func) {
  hd_str list = hd_option_string(c->pass, "native");
  if (c->pass->target && !list.len) c->types = c->pass->target->types;
  for (size_t at = 0; at < list.len;) {
    size_t n = 0;
    while (at + n < list.len && list.data[at + n] != ':') ++n;
    hd_type type = float_named(c->pass->context, (hd_str){list.data + at, n});
    if (!type)
      return hd_op_error(func, "disc-element-type-converter: native: expected float types as f32:f64, got '%.*s'",
                         (int)list.len, list.data);
    c->types.floats |= 1u << type->float_kind;
    at += n + 1;
  }
  return true;
}

/* An element type of |op| that is to be widened; null when there is none. */
static hd_type narrow_of(const converter *c, const hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count + op->result_count; ++i) {
    hd_type type = i < op->operand_count ? hd_operand_type(op, i) : hd_result_type(op, i - op->operand_count);
    if (hd_type_is_tensor(type) && !hd_is_native(&c->types, hd_type_element(type))) return hd_type_element(type);
  }
  return NULL;
}

static bool widen_to_native(converter *c, hd_op *op) {
  hd_type narrow;
  while ((narrow = narrow_of(c, op))) {
    hd_type wide = hd_native_type(&c->types, narrow);
    if (!wide)
      return hd_op_error(op, "disc-element-type-converter: no native type holds %s",
                         hd_float_formats[narrow->float_kind].name);
    op = hd_widen_op(op, narrow, wide, &c->pass->arena);
    c->pass->changed = true;
  }
  return true;
}

static bool wants_precision(const hd_op *op) {
  hd_attr config = hd_with_precision_precision_config(op);
  for (uint32_t i = 0; hd_attr_is(config, HD_ATTR_ARRAY) && i < config->array.count; ++i)
    if (hd_attr_is(config->array.items[i], HD_ATTR_ENUM) && config->array.items[i]->enumerant.value) return true;
  return hd_op_is(op, HD_OP_stablehlo_dot_general) && hd_stablehlo_dot_general_algorithm(op);
}

static void mix_precision(converter *c, hd_op *op) {
  if (!hd_op_has_trait(op, HD_TRAIT(PRODUCT))) return;
  hd_type f32 = hd_f32(c->pass->context);
  if (!c->mixed || wants_precision(op) || hd_type_element(hd_result_type(op, 0)) != f32) return;
  for (uint32_t i = 0; i < 2; ++i)
    if (hd_type_element(hd_operand_type(op, i)) != f32) return;
  hd_builder b = hd_builder_before(op);
  for (uint32_t i = 0; i < 2; ++i) hd_op_set_operand(op, i, hd_hlo_convert(&b, hd_operand(op, i), c->mixed));
  c->pass->changed = true;
}

static hd_op *widen_i1(converter *c, hd_op *op) {
  bool reduces = hd_op_is(op, HD_OP_stablehlo_reduce) || hd_op_is(op, HD_OP_stablehlo_reduce_window);
  if (!c->i1_reductions || !reduces) return op;
  hd_op *wide = hd_widen_op(op, hd_i1(c->pass->context), hd_i32(c->pass->context), &c->pass->arena);
  c->pass->changed |= wide != op;
  return wide;
}

bool hd_pass_element_type_converter(hd_pass *pass, hd_op *func) {
  converter c = {.pass = pass, .libraries = hd_option_bool(pass, "libraries")};
  hd_str mixed = hd_option_string(pass, "mixed-precision");
  if (!hd_str_is(mixed, "none")) {
    c.mixed = hd_str_is(mixed, "f16") || hd_str_is(mixed, "bf16") ? float_named(pass->context, mixed) : NULL;
    if (!c.mixed)
      return hd_op_error(func, "disc-element-type-converter: mixed-precision: expected f16, bf16 or none, got '%.*s'",
                         (int)mixed.len, mixed.data);
  }
  if (!read_types(&c, func)) return false;
  c.i1_reductions = hd_option_given(pass, "i1-reductions") ? hd_option_bool(pass, "i1-reductions") : !c.types.i1;
  hd_op_list ops = hd_ops_inner_first(func, hd_computes_on_elements, &pass->arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *op = widen_i1(&c, ops.data[i]);
    mix_precision(&c, op);
    if (pass->target) pass->changed |= hd_widen_sides(op);
    if (c.types.floats && (!c.libraries || hd_computes_in_library(op)) && !widen_to_native(&c, op)) return false;
  }
  return true;
}
