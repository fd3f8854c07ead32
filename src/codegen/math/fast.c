/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of fast.def, on f32. */
#include "codegen/math/emitter.h"
#include "codegen/math/expand.h"
#include "codegen/math/families.h"

enum { CONTRACT = 32, APPROXIMATE = 64 }; /* bits of arith.fastmath */

/* An op that a device has an instruction for. LLVM takes 1 / sqrt(x) for one where both may be contracted. */
static V approximate(E *e, hd_opcode opcode, V a, V b) {
  hd_attr_arg flags = {HD_NAME_fastmath, hd_attr_enum(e->b->context, HD_ENUM_arith_fastmath, CONTRACT | APPROXIMATE)};
  return hd_build_one_(e->b, opcode, a->type, (V[]){a, b}, b ? 2 : 1, &flags, 1);
}

/* n / d for d in [1, 2^100] */
static V quotient(E *e, V n, V d) {
  if (!e->instructions) return m_div(e, n, d);
  return m_mul(e, n, approximate(e, HD_OP_arith_divf, m_const(e, 1), d));
}

/* ---- exponentials ---- */

/* 2^r = 1 + r P(r) on [-1/2, 1/2] */
static const double power_bf16[] = {0x1.62f5fap-1, 0x1.f00c5p-3, 0x1.c2a254p-5};
static const double power_f16[] = {0x1.62e12ep-1, 0x1.ec0398p-3, 0x1.c9fc2ep-5, 0x1.39fb2p-7};

/* 2^(x scale): the product is not rounded before the multiple of 1 is taken off. */
static V exp2_of(E *e, V x, double scale, const double *c, size_t n) {
  x = m_floor_at(e, m_cap(e, x, 129 / scale), -152 / scale);
  V shifted = m_fmac(e, x, scale, m_const(e, 0x1.8p23));
  V r = m_fmac(e, x, scale, m_neg(e, m_subc(e, shifted, 0x1.8p23)));
  return hd_math_scale(e, m_fmak(e, hd_math_horner(e, r, c, n), r, 1), m_bits(e, shifted));
}

#define EXP2_OF(e, x, scale, c) exp2_of(e, x, scale, c, sizeof(c) / sizeof *(c))
static const double log2_e = 0x1.715476p0; /* in f32 */

static V exp_bf16(E *e, const V *args) { return EXP2_OF(e, args[0], log2_e, power_bf16); }
static V exp_f16(E *e, const V *args) { return EXP2_OF(e, args[0], log2_e, power_f16); }
static V exp2_bf16(E *e, const V *args) { return EXP2_OF(e, args[0], 1, power_bf16); }
static V exp2_f16(E *e, const V *args) { return EXP2_OF(e, args[0], 1, power_f16); }
static V exp2_instruction(E *e, const V *args) { return approximate(e, HD_OP_math_exp2, args[0], NULL); }
static V exp_instruction(E *e, const V *args) {
  V scaled = m_mulc(e, args[0], log2_e);
  return exp2_instruction(e, &scaled);
}

/* ---- others ---- */

static V rsqrt_instruction(E *e, const V *args) {
  return approximate(e, HD_OP_arith_divf, m_const(e, 1), approximate(e, HD_OP_math_sqrt, args[0], NULL));
}

static V tanh_instruction(E *e, const V *args) { return approximate(e, HD_OP_math_tanh, args[0], NULL); }

/* x P(x^2) / Q(x^2) with Q(0) = 1. At the cap it is 1 in f32, to the last bit, so larger arguments give 1 too. */
static V odd_quotient(E *e, V x, double cap, const double *p, size_t p_count, const double *q, size_t q_count) {
  x = m_floor_at(e, m_cap(e, x, cap), -cap);
  V u = m_mul(e, x, x);
  return quotient(e, m_mul(e, x, hd_math_horner(e, u, p, p_count)), hd_math_horner(e, u, q, q_count));
}

static V tanh_bf16(E *e, const V *args) {
  static const double p[] = {0x1.fff768p-1, 0x1.a0334ep-4, 0x1.535b74p-11}, q[] = {1, 0x1.bcf352p-2, 0x1.9c3e88p-7};
  return odd_quotient(e, args[0], 0x1.4cccccp+2, p, 3, q, 3);
}

static V tanh_f16(E *e, const V *args) {
  static const double p[] = {0x1.ffffeap-1, 0x1.bcfc62p-4, 0x1.005c9p-10, -0x1.37f77cp-19},
                      q[] = {1, 0x1.c47a4ap-2, 0x1.ed5854p-7};
  return odd_quotient(e, args[0], 0x1.733336p+2, p, 4, q, 3);
}

/* ---- the table ---- */

enum {
#define ROW(name, operands, opcode, ...) OPCODE_##name = HD_OP_##opcode,
#include "codegen/math/math.def"
};

static const struct {
  hd_math_fast_row row;
  hd_math_family form;
} rows[] = {
#define FAST(function, format, instructions, bound, emitter, method) \
  {{#function, method, (hd_opcode)OPCODE_##function, HD_##format, instructions, bound}, emitter},
#include "codegen/math/fast.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

const hd_math_fast_row *hd_math_fast_row_at(size_t index) { return index < ROW_COUNT ? &rows[index].row : NULL; }

hd_value *hd_math_expand_fast_row(hd_builder *b, size_t index, hd_value *const *operands) {
  return hd_math_emit(b, rows[index].form, operands, 1, rows[index].row.instructions);
}

hd_value *hd_math_expand_fast(hd_builder *b, hd_opcode opcode, hd_value *const *operands, hd_float_kind rounds,
                              bool instructions) {
  for (size_t i = 0; i < ROW_COUNT; ++i) {
    const hd_math_fast_row *row = &rows[i].row;
    if (row->opcode == opcode && row->format == rounds && (instructions || !row->instructions))
      return hd_math_emit(b, rows[i].form, operands, 1, instructions);
  }
  return NULL;
}
