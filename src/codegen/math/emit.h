/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary in which the vector math library is written: one call makes one arith, math or vector op, on
 * scalars or on vectors of any width alike. Internal to codegen/math.
 *
 * An emitter |E| stands for one element format (f32 or f64) and one shape (a scalar or a vector); its types are
 *   F  the float type          I  the integer type of the same width       B  i1 of the same shape
 *   W  i64 of the same shape (I itself when the format is f64)             S  the scalar i1, for m_any alone
 *
 * Every op is emitted without fast-math flags: error-free transformations stay what they are, and a lane of a vector
 * gets the same bits as a scalar, on every target. What should be fused is written m_fma. */
#ifndef HD_CODEGEN_MATH_EMIT_H_
#define HD_CODEGEN_MATH_EMIT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hd_math_emitter E;
typedef struct hd_value *V;

typedef enum math_type { MATH_F, MATH_I, MATH_B, MATH_W, MATH_S } math_type;

/* primitive, opcode */
#define MATH_PRIMITIVES(X)   \
  X(ADDF, arith_addf)        \
  X(SUBF, arith_subf)        \
  X(MULF, arith_mulf)        \
  X(DIVF, arith_divf)        \
  X(NEGF, arith_negf)        \
  X(FMA, math_fma)           \
  X(ABSF, math_absf)         \
  X(SQRT, math_sqrt)         \
  X(TRUNCF, math_trunc)      \
  X(RINT, math_roundeven)    \
  X(COPYSIGN, math_copysign) \
  X(ADDI, arith_addi)        \
  X(SUBI, arith_subi)        \
  X(MULI, arith_muli)        \
  X(ANDI, arith_andi)        \
  X(ORI, arith_ori)          \
  X(XORI, arith_xori)        \
  X(SHLI, arith_shli)        \
  X(SHRUI, arith_shrui)      \
  X(SHRSI, arith_shrsi)      \
  X(SELECT, arith_select)    \
  X(BITCAST, arith_bitcast)  \
  X(SITOFP, arith_sitofp)    \
  X(FPTOSI, arith_fptosi)    \
  X(EXTUI, arith_extui)      \
  X(EXTSI, arith_extsi)      \
  X(TRUNCI, arith_trunci)

typedef enum math_primitive {
#define X(name, ...) MATH_##name,
  MATH_PRIMITIVES(X)
#undef X
      MATH_PRIMITIVE_COUNT
} math_primitive;

/* Comparisons; the float ones are false when an operand is NaN, but MATH_NE, which is true. */
typedef enum math_predicate {
  MATH_EQ,
  MATH_NE,
  MATH_LT,
  MATH_LE,
  MATH_GT,
  MATH_GE,
  MATH_UNO,
  MATH_IEQ,
  MATH_INE,
  MATH_ILT,
  MATH_IGT,
  MATH_IGE,
  MATH_IULT,
  MATH_IULE,
  MATH_IUGT
} math_predicate;

/* The emitter of this folder's expansions, made by expand.c. */
bool hd_math_is64(const E *e); /* f64, else f32 */
V hd_math_prim(E *e, math_primitive op, math_type type, V a, V b, V c);
V hd_math_compare(E *e, math_predicate predicate, V a, V b);
V hd_math_const_float(E *e, double value);                 /* rounded to the format */
V hd_math_const_int(E *e, math_type type, uint64_t value); /* MATH_I or MATH_W, truncated */
bool hd_math_is_splat(V value, double *out);               /* a float constant, the same in all lanes */
/* results = any ? body(args) : args[0..count): the rare path. |body| must give lanes that do not need it the value
 * that they had, so that a lane's result never depends on its neighbours. */
typedef void (*math_body)(E *e, const V *args, V *results);
void hd_math_if_any(E *e, V lanes, math_body body, const V *args, size_t count, V *results);
/* The same, lane by lane: |body| is emitted once, on scalars, in a loop over the lanes. For long rare paths, which as
 * vector code would take longer to compile than all the rest. */
void hd_math_if_any_each(E *e, V lanes, math_body body, const V *args, size_t count, V *results);
/* values = while any(condition(values)): body(values), in place. The first |state| values change, the rest are read. */
typedef V (*math_condition)(E *e, const V *values);
void hd_math_while_any(E *e, math_condition condition, math_body body, V *values, size_t state, size_t count);

/* floats */
static inline V m_const(E *e, double c) { return hd_math_const_float(e, c); }
static inline V m_add(E *e, V a, V b) { return hd_math_prim(e, MATH_ADDF, MATH_F, a, b, 0); }
static inline V m_sub(E *e, V a, V b) { return hd_math_prim(e, MATH_SUBF, MATH_F, a, b, 0); }
static inline V m_mul(E *e, V a, V b) { return hd_math_prim(e, MATH_MULF, MATH_F, a, b, 0); }
static inline V m_div(E *e, V a, V b) { return hd_math_prim(e, MATH_DIVF, MATH_F, a, b, 0); }
static inline V m_neg(E *e, V a) { return hd_math_prim(e, MATH_NEGF, MATH_F, a, 0, 0); }
static inline V m_fma(E *e, V a, V b, V c) { return hd_math_prim(e, MATH_FMA, MATH_F, a, b, c); }
static inline V m_abs(E *e, V a) { return hd_math_prim(e, MATH_ABSF, MATH_F, a, 0, 0); }
static inline V m_sqrt(E *e, V a) { return hd_math_prim(e, MATH_SQRT, MATH_F, a, 0, 0); }
static inline V m_trunc(E *e, V a) { return hd_math_prim(e, MATH_TRUNCF, MATH_F, a, 0, 0); }
static inline V m_rint(E *e, V a) { return hd_math_prim(e, MATH_RINT, MATH_F, a, 0, 0); }
static inline V m_copysign(E *e, V a, V sign) { return hd_math_prim(e, MATH_COPYSIGN, MATH_F, a, sign, 0); }
static inline V m_addc(E *e, V a, double c) { return m_add(e, a, m_const(e, c)); }
static inline V m_subc(E *e, V a, double c) { return m_sub(e, a, m_const(e, c)); }
static inline V m_mulc(E *e, V a, double c) { return m_mul(e, a, m_const(e, c)); }
static inline V m_fmac(E *e, V a, double b, V c) { return m_fma(e, a, m_const(e, b), c); } /* a * b + c */
static inline V m_fmak(E *e, V a, V b, double c) { return m_fma(e, a, b, m_const(e, c)); } /* a * b + c */
static inline V m_fnma(E *e, V a, V b, V c) { return m_fma(e, m_neg(e, a), b, c); }        /* c - a * b */
static inline V m_fms(E *e, V a, V b, V c) { return m_fma(e, a, b, m_neg(e, c)); }         /* a * b - c */

/* |a|, whose sign bit is clear, with the sign of |sign|: cheaper than m_copysign. */
static inline V m_signed(E *e, V a, V sign);

/* integers: I or W, whichever |type| says */
static inline V m_int(E *e, uint64_t c) { return hd_math_const_int(e, MATH_I, c); }
static inline V m_wide(E *e, uint64_t c) { return hd_math_const_int(e, MATH_W, c); }
#define MATH_INTEGER_OPS(X) \
  X(add, ADDI) X(sub, SUBI) X(mul, MULI) X(and, ANDI) X(or, ORI) X(xor, XORI) X(shl, SHLI) X(shr, SHRUI) X(sar, SHRSI)
#define X(name, op)                                                                                 \
  static inline V m_i##name(E *e, V a, V b) { return hd_math_prim(e, MATH_##op, MATH_I, a, b, 0); } \
  static inline V m_i##name##c(E *e, V a, uint64_t c) { return m_i##name(e, a, m_int(e, c)); }      \
  static inline V m_w##name(E *e, V a, V b) { return hd_math_prim(e, MATH_##op, MATH_W, a, b, 0); } \
  static inline V m_w##name##c(E *e, V a, uint64_t c) { return m_w##name(e, a, m_wide(e, c)); }
MATH_INTEGER_OPS(X)
#undef X
static inline V m_bits(E *e, V a) { return hd_math_prim(e, MATH_BITCAST, MATH_I, a, 0, 0); }
static inline V m_float(E *e, V a) { return hd_math_prim(e, MATH_BITCAST, MATH_F, a, 0, 0); }
static inline V m_to_float(E *e, V a) { return hd_math_prim(e, MATH_SITOFP, MATH_F, a, 0, 0); } /* signed I or W */
static inline V m_widen(E *e, V a) { return hd_math_is64(e) ? a : hd_math_prim(e, MATH_EXTUI, MATH_W, a, 0, 0); }
static inline V m_narrow(E *e, V a) { return hd_math_is64(e) ? a : hd_math_prim(e, MATH_TRUNCI, MATH_I, a, 0, 0); }

/* lanes of truth */
static inline V m_cmp(E *e, math_predicate p, V a, V b) { return hd_math_compare(e, p, a, b); }
static inline V m_lt(E *e, V a, V b) { return hd_math_compare(e, MATH_LT, a, b); }
static inline V m_gt(E *e, V a, V b) { return hd_math_compare(e, MATH_GT, a, b); }
static inline V m_eq(E *e, V a, V b) { return hd_math_compare(e, MATH_EQ, a, b); }
static inline V m_ltc(E *e, V a, double c) { return m_lt(e, a, m_const(e, c)); }
static inline V m_gtc(E *e, V a, double c) { return m_gt(e, a, m_const(e, c)); }
static inline V m_eqc(E *e, V a, double c) { return m_eq(e, a, m_const(e, c)); }
/* The NaN that functions give of numbers outside of their domain: its sign is set, as in those that arithmetic gives
 * (0/0, inf - inf) on x86 and that the C library gives there, so that an order of all floats is the evaluator's. */
static inline V m_invalid(E *e) { return hd_math_const_float(e, -__builtin_nan("")); }
static inline V m_isnan(E *e, V a) { return hd_math_compare(e, MATH_UNO, a, a); }
static inline V m_both(E *e, V a, V b) { return hd_math_prim(e, MATH_ANDI, MATH_B, a, b, 0); }
static inline V m_either(E *e, V a, V b) { return hd_math_prim(e, MATH_ORI, MATH_B, a, b, 0); }
static inline V m_differ(E *e, V a, V b) { return hd_math_prim(e, MATH_XORI, MATH_B, a, b, 0); }
static inline V m_sel(E *e, V c, V a, V b) { return hd_math_prim(e, MATH_SELECT, MATH_F, c, a, b); }
static inline V m_isel(E *e, V c, V a, V b) { return hd_math_prim(e, MATH_SELECT, MATH_I, c, a, b); }
static inline V m_wsel(E *e, V c, V a, V b) { return hd_math_prim(e, MATH_SELECT, MATH_W, c, a, b); }

static inline V m_signed(E *e, V a, V sign) {
  uint64_t bit = hd_math_is64(e) ? 1ull << 63 : 1ull << 31;
  return m_float(e, m_ior(e, m_bits(e, a), m_iandc(e, m_bits(e, sign), bit)));
}

/* |a| limited from above or below by |c|; NaN stays NaN. One instruction on x86. */
static inline V m_cap(E *e, V a, double c) {
  V k = m_const(e, c);
  return m_sel(e, m_lt(e, k, a), k, a);
}
static inline V m_floor_at(E *e, V a, double c) {
  V k = m_const(e, c);
  return m_sel(e, m_gt(e, k, a), k, a);
}

/* c[0] + c[1] x + … + c[n-1] x^(n-1): by Horner's rule (fewest ops), or in pairs (half the latency). */
V hd_math_horner(E *e, V x, const double *c, size_t n);
V hd_math_estrin(E *e, V x, const double *c, size_t n);
#define m_horner(e, x, c) hd_math_horner(e, x, c, sizeof(c) / sizeof((c)[0]))
#define m_estrin(e, x, c) hd_math_estrin(e, x, c, sizeof(c) / sizeof((c)[0]))

/* Facts of the format. */
static inline int m_mantissa(const E *e) { return hd_math_is64(e) ? 52 : 23; }
static inline int m_bias(const E *e) { return hd_math_is64(e) ? 1023 : 127; }
static inline double m_inf(void) { return __builtin_inf(); }

#endif
