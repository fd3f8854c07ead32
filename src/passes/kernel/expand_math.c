/* SPDX-License-Identifier: Apache-2.0 */
/* expand-math: transcendental functions of scalars and vectors become the arithmetic of codegen/math.
 *
 *   %y = math.exp %x : vector<8xf32>     ->     cmpf, select, fma, ... : vector<8xf32>
 *
 * Kernels (bodies of gpu.launch) call a function for it, which exists once however many versions of a kernel use it:
 *
 *   %y = math.tanh %x : f32     ->     %y = func.call @math.tanh.f32(%x)     func.func private @math.tanh.f32 {...}
 *
 * but for what has a constant operand, which the expansion may know how to use.
 *
 * With a target of blocks of threads and math=fast, a function of which the program has the result in bf16 or f16 takes
 * a form of codegen/math/fast.def (math.tanh.f32.bf16): shorter polynomials, and the device's own instructions as
 * math.exp2, math.tanh, math.sqrt and arith.divf with the flag afn, where the target has those. math=exact: none.
 *
 * Before: any function whose math ops work on scalars or vectors (ops on tensors are left alone).
 * After: of the math dialect only the ops that targets have remain: absf, absi, ceil, copysign, ctlz, cttz, ctpop,
 * floor, fma, round, roundeven, sqrt, trunc, and those instructions; and no arith.remf. The errors are those of
 * docs/numerics.md; the flags in `fastmath` are not used. */
#include "codegen/math/expand.h"
#include "codegen/math/integer.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "passes/kernel/math_function.h"
#include "passes/passes.h"

static bool is_computed(hd_type type) {
  hd_type element = hd_type_element(type);
  return (!hd_type_is_shaped(type) || type->kind == HD_TYPE_VECTOR) &&
         (element->kind == HD_TYPE_FLOAT || element->kind == HD_TYPE_INTEGER);
}

/* isfinite, isinf, isnan, isnormal: comparisons of the magnitude. */
static hd_value *classify(hd_builder *b, hd_op *op) {
  hd_value *x = hd_operand(op, 0);
  hd_type type = hd_result_type(op, 0);
  if (hd_op_is(op, HD_OP_math_isnan)) return hd_arith_cmpf(b, HD_ARITH_CMPF_UNO, x, x);
  hd_value *magnitude = hd_build(b, HD_OP_math_absf, x->type, x),
           *infinity = hd_build_float(b, x->type, __builtin_inf());
  if (hd_op_is(op, HD_OP_math_isinf)) return hd_arith_cmpf(b, HD_ARITH_CMPF_OEQ, magnitude, infinity);
  hd_value *finite = hd_arith_cmpf(b, HD_ARITH_CMPF_OLT, magnitude, infinity);
  if (hd_op_is(op, HD_OP_math_isfinite)) return finite;
  const hd_float_format *f = &hd_float_formats[hd_type_element(x->type)->float_kind];
  hd_value *least = hd_build_float(b, x->type, __builtin_ldexp(1, 1 - f->bias));
  return hd_build(b, HD_OP_arith_andi, type, finite, hd_arith_cmpf(b, HD_ARITH_CMPF_OGE, magnitude, least));
}

static bool expand_class(hd_builder *b, hd_op *op, hd_value **values) {
  values[0] = classify(b, op);
  return true;
}

static bool expand_sincos(hd_builder *b, hd_op *op, hd_value **values) {
  hd_value *x = hd_operand(op, 0);
  values[0] = hd_math_expand(b, HD_OP_math_sin, &x);
  values[1] = hd_math_expand(b, HD_OP_math_cos, &x);
  return values[0] && values[1];
}

static bool expand_clampf(hd_builder *b, hd_op *op, hd_value **values) {
  hd_value *raised = hd_build_binary(b, HD_OP_arith_maximumf, hd_operand(op, 0), hd_operand(op, 1));
  values[0] = hd_build_binary(b, HD_OP_arith_minimumf, raised, hd_operand(op, 2));
  return true;
}

/* Exponents beyond the integers of the format are rounded to it. */
static bool expand_fpowi(hd_builder *b, hd_op *op, hd_value **values) {
  hd_value *x = hd_operand(op, 0), *y = hd_build(b, HD_OP_arith_sitofp, x->type, hd_operand(op, 1));
  return (values[0] = hd_math_expand(b, HD_OP_math_powf, (hd_value *[]){x, y})) != NULL;
}

static bool expand_ipowi(hd_builder *b, hd_op *op, hd_value **values) {
  values[0] = hd_integer_power_emit(b, hd_operand(op, 0), hd_operand(op, 1), true);
  return true;
}

typedef bool (*expansion)(hd_builder *b, hd_op *op, hd_value **values);

/* The math ops that are expanded here and not by a row of math.def. */
static expansion expansion_of(hd_opcode opcode) {
  static const struct {
    hd_opcode opcode;
    expansion expand;
  } own[] = {
      {HD_OP_math_sincos, expand_sincos}, {HD_OP_math_clampf, expand_clampf},  {HD_OP_math_fpowi, expand_fpowi},
      {HD_OP_math_ipowi, expand_ipowi},   {HD_OP_math_isfinite, expand_class}, {HD_OP_math_isinf, expand_class},
      {HD_OP_math_isnan, expand_class},   {HD_OP_math_isnormal, expand_class},
  };
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i)
    if (own[i].opcode == opcode) return own[i].expand;
  return NULL;
}

static bool is_expanded(const hd_op *op) {
  hd_opcode opcode = hd_opcode_get(op);
  return op->operand_count && (hd_math_can_expand(opcode) || expansion_of(opcode)) &&
         is_computed(hd_operand_type(op, 0));
}

/* What is allowed of a pass. */
typedef struct forms {
  bool fast, instructions;
} forms;

static forms forms_of(const hd_pass *pass) {
  bool fast = pass->target && pass->target->gpu && hd_str_is(hd_option_string(pass, "math"), "fast");
  return (forms){fast, fast && pass->target->approximate};
}

static bool is_narrow(hd_float_kind kind) { return kind == HD_BF16 || kind == HD_F16; }

/* The format that the result of |op| is rounded to: its own, what the program says (emit/elementwise.c), or what all
 * uses round to; f32: none of those that have shorter forms. */
static hd_float_kind rounded_to(const hd_op *op) {
  hd_type own = hd_type_element(hd_result_type(op, 0));
  hd_enum_rounds said = hd_discardable_rounds(op);
  hd_float_kind kind = HD_F32;
  if (own->kind != HD_TYPE_FLOAT || own->float_kind == HD_F64) return HD_F32;
  if (is_narrow(own->float_kind)) return own->float_kind;
  if (said == HD_ROUNDS_BF16) return HD_BF16;
  if (said == HD_ROUNDS_F16) return HD_F16;
  hd_for_each_use(use, hd_result(op, 0)) {
    hd_type to = hd_op_is(use->owner, HD_OP_arith_truncf) ? hd_type_element(hd_result_type(use->owner, 0)) : own;
    if (!is_narrow(to->float_kind) || (kind != HD_F32 && kind != to->float_kind)) return HD_F32;
    kind = to->float_kind;
  }
  return kind;
}

/* The values that stand for |op|'s results, which are rounded to |rounds|; false when one cannot be made. */
static bool expand(hd_builder *b, hd_op *op, forms allowed, hd_float_kind rounds, hd_value **values) {
  expansion own = expansion_of(hd_opcode_get(op));
  if (own) return own(b, op, values);
  hd_value *operands[3] = {0};
  for (uint32_t i = 0; i < op->operand_count && i < 3; ++i) operands[i] = hd_operand(op, i);
  if (allowed.fast) values[0] = hd_math_expand_fast(b, hd_opcode_get(op), operands, rounds, allowed.instructions);
  if (allowed.fast && values[0]) return true;
  return (values[0] = hd_math_expand(b, hd_opcode_get(op), operands)) != NULL;
}

/* ---- functions of kernels ---- */

static bool is_in_kernel(hd_op *op) {
  while (op && !hd_op_is(op, HD_OP_gpu_launch)) op = hd_op_parent(op);
  return op != NULL;
}

static bool has_constant_operand(hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_value_constant(hd_operand(op, i))) return true;
  return false;
}

/* The values of |op| by a call of a function that computes it; false when it has no expansion. */
static bool call(hd_pass *pass, hd_symbol_table *symbols, forms allowed, hd_builder *b, hd_op *op, hd_value **values) {
  if (!symbols->arena) hd_symbol_table_init(symbols, &pass->arena, pass->module->op);
  hd_float_kind rounds = allowed.fast ? rounded_to(op) : HD_F32;
  const char *suffix = is_narrow(rounds) ? hd_arena_printf(&pass->arena, ".%s", hd_float_formats[rounds].name) : "";
  hd_op *computed, *function = hd_math_function(pass->module, symbols, op, suffix, &computed);
  if (computed) {
    hd_builder in = hd_builder_before(computed);
    in.loc = op->loc;
    if (!expand(&in, computed, allowed, rounds, values)) return false;
    hd_op_replace(computed, values);
  }
  hd_math_function_call(b, function, op, values);
  return true;
}

/* Products and sums that may be fused to one rounding are marked so; here the marks go. */
static bool forbid_contraction(hd_op *op, void *user) {
  hd_pass *pass = user;
  if (!hd_with_fastmath_fastmath_if_any(op)) return true;
  hd_with_fastmath_set_fastmath(op, hd_attr_enum(pass->context, HD_ENUM_arith_fastmath, 0));
  pass->changed = true;
  return true;
}

bool hd_pass_expand_math(hd_pass *pass, hd_op *op) {
  if (!hd_option_bool(pass, "contract")) hd_walk_pre(op, forbid_contraction, pass);
  hd_op_list ops = hd_ops_where(op, is_expanded, &pass->arena);
  forms allowed = forms_of(pass);
  hd_symbol_table symbols = {0}; /* read when the first function is asked for: most functions have no launch */
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *old = ops.data[i];
    hd_builder b = hd_builder_before(old);
    b.loc = old->loc;
    hd_value *values[2];
    bool called = is_in_kernel(old) && !has_constant_operand(old);
    forms used = is_in_kernel(old) ? allowed : (forms){0};
    bool done = called ? call(pass, &symbols, used, &b, old, values)
                       : expand(&b, old, used, used.fast ? rounded_to(old) : HD_F32, values);
    if (!done) return hd_op_error(old, "has no expansion for this type");
    hd_op_replace(old, values);
    pass->changed = true;
  }
  return true;
}
