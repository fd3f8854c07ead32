/* SPDX-License-Identifier: Apache-2.0 */
/* Folds of arith and math: integers of up to 64 bits, floats where one rounding of a double gives the right result. */
#include <math.h>

#include "ir/fold.h"
#include "ir/number.h"
#include "ir/ops/arith.h"
#include "ir/ops/interfaces.h"
#include "ir/wide.h"

enum { MAX_ELEMENTS = 4096 }; /* of non-splat operands */

/* Elements -------------------------------------------------------------------------------------------------------- */

/* How many elements the constants have to be computed for: 1 when each is a scalar or a splat; 0 when they do not fold.
 */
static size_t span_of(const hd_attr *operands, uint32_t count) {
  size_t span = 1;
  for (uint32_t i = 0; i < count; ++i) {
    hd_attr a = operands[i];
    if (!a) return 0;
    if (a->type && hd_type_is_wide(hd_type_element(a->type))) return 0;
    if (a->kind == HD_ATTR_INTEGER || a->kind == HD_ATTR_FLOAT) continue;
    if (a->kind != HD_ATTR_DENSE) return 0;
    if (a->dense.splat) continue;
    size_t n = hd_attr_count(a);
    if (n > MAX_ELEMENTS || (span != 1 && n != span)) return 0;
    span = n;
  }
  return span;
}

/* Element |i|: an integer, or the bits of a float. */
static int64_t raw_at(hd_attr a, size_t i) {
  if (a->kind == HD_ATTR_INTEGER) return a->integer;
  if (a->kind == HD_ATTR_FLOAT) return (int64_t)a->floating.bits;
  return hd_element_load(hd_type_element(a->type), hd_attr_element_data(a, i));
}
static double float_at(hd_attr a, size_t i) {
  return hd_float_decode(hd_type_element(a->type)->float_kind, (uint64_t)raw_at(a, i));
}

/* A constant of |type| from |span| raw elements. */
static hd_attr make(hd_op *op, hd_type type, const int64_t *raw, size_t span) {
  hd_type element = hd_type_element(type);
  if (hd_type_is_wide(element)) return NULL;
  if (!hd_type_is_shaped(type)) {
    return element->kind == HD_TYPE_FLOAT ? hd_attr_float_bits(type, (uint64_t)raw[0]) : hd_attr_integer(type, raw[0]);
  }
  if ((type->kind != HD_TYPE_TENSOR && type->kind != HD_TYPE_VECTOR) || !hd_type_is_static(type)) return NULL;
  size_t bytes = hd_type_element_bytes(element);
  if (!bytes || (span != 1 && (int64_t)span != hd_type_num_elements(type))) return NULL;
  char *data = hd_arena_alloc(&op->module->arena, span * bytes);
  for (size_t i = 0; i < span; ++i) hd_element_store(element, data + i * bytes, raw[i]);
  return hd_attr_dense(type, data, span * bytes, span == 1);
}

typedef bool (*int_function)(hd_type element, int64_t a, int64_t b, int64_t *out);
typedef double (*float_function)(double a, double b);

static bool fits_word(hd_type type) {
  hd_type element = hd_type_element(type);
  return element->kind == HD_TYPE_INDEX || (element->kind == HD_TYPE_INTEGER && element->integer.width <= 64);
}

static bool fold_ints(hd_op *op, const hd_attr *operands, int_function function, hd_fold_result *out) {
  uint32_t count = op->operand_count < 2 ? op->operand_count : 2;
  size_t span = span_of(operands, count);
  hd_type type = hd_operand_type(op, 0), result = hd_result_type(op, 0), element = hd_type_element(type),
          to = hd_type_element(result);
  if (!span || !fits_word(type) || !fits_word(result)) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    if (!function(element, raw_at(operands[0], i), count > 1 ? raw_at(operands[1], i) : 0, &raw[i])) return false;
    raw[i] = to->kind == HD_TYPE_INTEGER ? hd_integer_wrap(to, raw[i]) : raw[i];
  }
  return hd_fold_to_attr(out, make(op, result, raw, span));
}

static bool fold_floats(hd_op *op, const hd_attr *operands, float_function function, hd_fold_result *out) {
  uint32_t count = op->operand_count < 2 ? op->operand_count : 2;
  size_t span = span_of(operands, count);
  hd_type element = hd_type_element(hd_result_type(op, 0));
  if (!span || element->kind != HD_TYPE_FLOAT || hd_type_element(hd_operand_type(op, 0)) != element) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    double value = function(float_at(operands[0], i), count > 1 ? float_at(operands[1], i) : 0);
    raw[i] = (int64_t)hd_float_encode(element->float_kind, value);
  }
  return hd_fold_to_attr(out, make(op, hd_result_type(op, 0), raw, span));
}

/* Integers -------------------------------------------------------------------------------------------------------- */

static unsigned width_of(hd_type element) { return element->kind == HD_TYPE_INDEX ? 64 : element->integer.width; }
static uint64_t mask_of(hd_type element) {
  unsigned width = width_of(element);
  return width >= 64 ? UINT64_MAX : (1ull << width) - 1;
}
static uint64_t as_unsigned(hd_type element, int64_t value) { return (uint64_t)value & mask_of(element); }
/* Elements are read sign-extended but for i1, which is read as 0 or 1. */
static int64_t as_signed(hd_type element, int64_t value) {
  unsigned width = width_of(element);
  return width >= 64 ? value : (int64_t)((uint64_t)value << (64 - width)) >> (64 - width);
}
static int64_t least(hd_type element) { return as_signed(element, (int64_t)(1ull << (width_of(element) - 1))); }

#define INT(name, expression)                                             \
  static bool name(hd_type element, int64_t x, int64_t y, int64_t *out) { \
    int64_t a = as_signed(element, x), b = as_signed(element, y);         \
    uint64_t ua = as_unsigned(element, x), ub = as_unsigned(element, y);  \
    (void)a, (void)b, (void)ua, (void)ub;                                 \
    *out = (int64_t)(expression);                                         \
    return true;                                                          \
  }
/* Division: undefined cases do not fold. */
#define DIVISION(name, guard, expression)                                 \
  static bool name(hd_type element, int64_t x, int64_t y, int64_t *out) { \
    int64_t a = as_signed(element, x), b = as_signed(element, y);         \
    uint64_t ua = as_unsigned(element, x), ub = as_unsigned(element, y);  \
    (void)a, (void)b, (void)ua, (void)ub;                                 \
    if (guard) return false;                                              \
    *out = (int64_t)(expression);                                         \
    return true;                                                          \
  }
INT(do_add, ua + ub)
INT(do_sub, ua - ub)
INT(do_mul, ua *ub)
INT(do_and, ua &ub)
INT(do_or, ua | ub)
INT(do_xor, ua ^ ub)
INT(do_maxs, a > b ? a : b)
INT(do_mins, a < b ? a : b)
INT(do_maxu, ua > ub ? ua : ub)
INT(do_minu, ua < ub ? ua : ub)
INT(do_extend_signed, a)
INT(do_extend_unsigned, ua)
INT(do_absolute, a < 0 ? 0 - (uint64_t)a : (uint64_t)a)
INT(do_count_ones, __builtin_popcountll(ua))
INT(do_leading_zeros, ua ? (unsigned)__builtin_clzll(ua) - (64 - width_of(element)) : width_of(element))
INT(do_trailing_zeros, ua ? (unsigned)__builtin_ctzll(ua) : width_of(element))
#define SIGNED_TRAP (b == 0 || (b == -1 && a == least(element)))
DIVISION(do_divs, SIGNED_TRAP, a / b)
DIVISION(do_rems, SIGNED_TRAP, a % b)
DIVISION(do_divu, ub == 0, ua / ub)
DIVISION(do_remu, ub == 0, ua % ub)
DIVISION(do_floordivs, SIGNED_TRAP, a / b - (a % b != 0 && (a < 0) != (b < 0)))
DIVISION(do_ceildivs, SIGNED_TRAP, a / b + (a % b != 0 && (a < 0) == (b < 0)))
DIVISION(do_ceildivu, ub == 0, ua / ub + (ua % ub != 0))
DIVISION(do_shl, ub >= width_of(element), ua << ub)
DIVISION(do_shrs, ub >= width_of(element), a >> ub)
DIVISION(do_shru, ub >= width_of(element), ua >> ub)

/* True when operand |i| is the integer |value| (all ones is -1, of i1 as well). */
static bool is_int(hd_op *op, const hd_attr *operands, uint32_t i, int64_t value) {
  int64_t constant;
  hd_type element = hd_type_element(hd_operand_type(op, i));
  return hd_attr_splat_int(operands[i], &constant) && fits_word(element) &&
         as_unsigned(element, constant) == as_unsigned(element, value);
}
static bool same_operands(hd_op *op) { return hd_operand(op, 0) == hd_operand(op, 1); }
static bool to_operand(hd_op *op, uint32_t i, hd_fold_result *out) { return hd_fold_to_value(out, hd_operand(op, i)); }
static bool to_int(hd_op *op, int64_t value, hd_fold_result *out) {
  return hd_fold_to_attr(out, hd_fold_fill_int(hd_result_type(op, 0), value));
}

bool hd_fold_arith_addi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 0)) return to_operand(op, 0, out);
  if (is_int(op, operands, 0, 0)) return to_operand(op, 1, out);
  return fold_ints(op, operands, do_add, out);
}
bool hd_fold_arith_subi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 0)) return to_operand(op, 0, out);
  if (same_operands(op) && to_int(op, 0, out)) return true;
  return fold_ints(op, operands, do_sub, out);
}
bool hd_fold_arith_muli(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (is_int(op, operands, i, 1)) return to_operand(op, 1 - i, out);
    if (is_int(op, operands, i, 0)) return to_operand(op, i, out);
  }
  return fold_ints(op, operands, do_mul, out);
}
bool hd_fold_arith_divsi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 1) && width_of(hd_type_element(hd_operand_type(op, 1))) > 1)
    return to_operand(op, 0, out);
  return fold_ints(op, operands, do_divs, out);
}
bool hd_fold_arith_divui(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return is_int(op, operands, 1, 1) ? to_operand(op, 0, out) : fold_ints(op, operands, do_divu, out);
}
bool hd_fold_arith_ceildivsi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 1) && width_of(hd_type_element(hd_operand_type(op, 1))) > 1)
    return to_operand(op, 0, out);
  return fold_ints(op, operands, do_ceildivs, out);
}
bool hd_fold_arith_ceildivui(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return is_int(op, operands, 1, 1) ? to_operand(op, 0, out) : fold_ints(op, operands, do_ceildivu, out);
}
bool hd_fold_arith_floordivsi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 1) && width_of(hd_type_element(hd_operand_type(op, 1))) > 1)
    return to_operand(op, 0, out);
  return fold_ints(op, operands, do_floordivs, out);
}
bool hd_fold_arith_remsi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 1) && to_int(op, 0, out)) return true;
  return fold_ints(op, operands, do_rems, out);
}
bool hd_fold_arith_remui(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 1) && to_int(op, 0, out)) return true;
  return fold_ints(op, operands, do_remu, out);
}
bool hd_fold_arith_andi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (is_int(op, operands, i, 0)) return to_operand(op, i, out);
    if (is_int(op, operands, i, -1)) return to_operand(op, 1 - i, out);
  }
  return same_operands(op) ? to_operand(op, 0, out) : fold_ints(op, operands, do_and, out);
}
bool hd_fold_arith_ori(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (is_int(op, operands, i, 0)) return to_operand(op, 1 - i, out);
    if (is_int(op, operands, i, -1)) return to_operand(op, i, out);
  }
  return same_operands(op) ? to_operand(op, 0, out) : fold_ints(op, operands, do_or, out);
}
bool hd_fold_arith_xori(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i)
    if (is_int(op, operands, i, 0)) return to_operand(op, 1 - i, out);
  if (same_operands(op) && to_int(op, 0, out)) return true;
  return fold_ints(op, operands, do_xor, out);
}
#define PICK(name, function)                                                                    \
  bool hd_fold_arith_##name(hd_op *op, const hd_attr *operands, hd_fold_result *out) {          \
    return same_operands(op) ? to_operand(op, 0, out) : fold_ints(op, operands, function, out); \
  }
PICK(maxsi, do_maxs)
PICK(maxui, do_maxu)
PICK(minsi, do_mins)
PICK(minui, do_minu)
#define SHIFT(name, function)                                                                            \
  bool hd_fold_arith_##name(hd_op *op, const hd_attr *operands, hd_fold_result *out) {                   \
    return is_int(op, operands, 1, 0) ? to_operand(op, 0, out) : fold_ints(op, operands, function, out); \
  }
SHIFT(shli, do_shl)
SHIFT(shrsi, do_shrs)
SHIFT(shrui, do_shru)

/* Casts that lead back to the type they came from lose nothing when the first one widened. */
static hd_value *cast_back(hd_op *op, hd_opcode first) {
  hd_op *inner = hd_value_op(hd_operand(op, 0));
  return hd_op_is(inner, first) && hd_operand_type(inner, 0) == hd_result_type(op, 0) ? hd_operand(inner, 0) : NULL;
}

bool hd_fold_arith_extsi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return fold_ints(op, operands, do_extend_signed, out);
}
bool hd_fold_arith_extui(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return fold_ints(op, operands, do_extend_unsigned, out);
}
bool hd_fold_arith_trunci(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_value *back = cast_back(op, HD_OP_arith_extsi);
  if (!back) back = cast_back(op, HD_OP_arith_extui);
  return back ? hd_fold_to_value(out, back) : fold_ints(op, operands, do_extend_unsigned, out);
}
bool hd_fold_arith_index_cast(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_value *back = cast_back(op, HD_OP_arith_index_cast);
  /* index -> i32 -> index drops bits; i32 -> index -> i32 does not. */
  if (back &&
      (hd_type_element(back->type)->kind == HD_TYPE_INTEGER || width_of(hd_type_element(hd_operand_type(op, 0))) >= 64))
    return hd_fold_to_value(out, back);
  return fold_ints(op, operands, do_extend_signed, out);
}
bool hd_fold_arith_index_castui(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return fold_ints(op, operands, do_extend_unsigned, out);
}

bool hd_fold_arith_cmpi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };
  int64_t predicate = hd_arith_cmpi_predicate(op);
  if (predicate < EQ || predicate > UGE) return false;
  if (same_operands(op) &&
      to_int(op, predicate == EQ || predicate == SLE || predicate == SGE || predicate == ULE || predicate == UGE, out))
    return true;
  size_t span = span_of(operands, 2);
  hd_type type = hd_operand_type(op, 0), element = hd_type_element(type);
  if (!span || !fits_word(type)) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    int64_t x = raw_at(operands[0], i), y = raw_at(operands[1], i), a = as_signed(element, x),
            b = as_signed(element, y);
    uint64_t ua = as_unsigned(element, x), ub = as_unsigned(element, y);
    const bool answers[] = {ua == ub, ua != ub, a<b, a <= b, a> b, a >= b, ua<ub, ua <= ub, ua> ub, ua >= ub};
    raw[i] = answers[predicate];
  }
  return hd_fold_to_attr(out, make(op, hd_result_type(op, 0), raw, span));
}

bool hd_fold_arith_select(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  int64_t condition;
  if (hd_operand(op, 1) == hd_operand(op, 2)) return to_operand(op, 1, out);
  if (hd_attr_splat_int(operands[0], &condition)) return to_operand(op, condition ? 1 : 2, out);
  /* select c, true, false is c. */
  if (hd_operand_type(op, 0) == hd_result_type(op, 0) && is_int(op, operands, 1, 1) && is_int(op, operands, 2, 0))
    return to_operand(op, 0, out);
  return false;
}

/* Floats ---------------------------------------------------------------------------------------------------------- */

static double f_add(double a, double b) { return a + b; }
static double f_sub(double a, double b) { return a - b; }
static double f_mul(double a, double b) { return a * b; }
static double f_div(double a, double b) { return a / b; }
static double f_neg(double a, double b) { return (void)b, -a; }
static double f_maxnum(double a, double b) { return isnan(a) ? b : isnan(b) ? a : hd_float_maximum(a, b); }
static double f_minnum(double a, double b) { return isnan(a) ? b : isnan(b) ? a : hd_float_minimum(a, b); }
static double f_abs(double a, double b) { return (void)b, fabs(a); }
static double f_ceil(double a, double b) { return (void)b, ceil(a); }
static double f_floor(double a, double b) { return (void)b, floor(a); }
static double f_trunc(double a, double b) { return (void)b, trunc(a); }
static double f_round(double a, double b) { return (void)b, round(a); }
static double f_roundeven(double a, double b) { return (void)b, nearbyint(a); }
static double f_sqrt(double a, double b) { return (void)b, sqrt(a); }
static double f_copysign(double a, double b) { return copysign(a, b); }

/* True when operand |i| is the float |value|, sign of zero included. */
static bool is_float(const hd_attr *operands, uint32_t i, double value) {
  double constant;
  return hd_attr_splat_float(operands[i], &constant) && constant == value && signbit(constant) == signbit(value);
}

bool hd_fold_arith_addf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_float(operands, 1, -0.0)) return to_operand(op, 0, out);
  if (is_float(operands, 0, -0.0)) return to_operand(op, 1, out);
  return fold_floats(op, operands, f_add, out);
}
bool hd_fold_arith_subf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return is_float(operands, 1, 0.0) ? to_operand(op, 0, out) : fold_floats(op, operands, f_sub, out);
}
bool hd_fold_arith_mulf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_float(operands, 1, 1.0)) return to_operand(op, 0, out);
  if (is_float(operands, 0, 1.0)) return to_operand(op, 1, out);
  return fold_floats(op, operands, f_mul, out);
}
bool hd_fold_arith_divf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return is_float(operands, 1, 1.0) ? to_operand(op, 0, out) : fold_floats(op, operands, f_div, out);
}
bool hd_fold_arith_negf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_value *back = cast_back(op, HD_OP_arith_negf);
  return back ? hd_fold_to_value(out, back) : fold_floats(op, operands, f_neg, out);
}
#define FLOATS(name, function)                                                   \
  bool hd_fold_##name(hd_op *op, const hd_attr *operands, hd_fold_result *out) { \
    return fold_floats(op, operands, function, out);                             \
  }
FLOATS(arith_maximumf, hd_float_maximum)
FLOATS(arith_minimumf, hd_float_minimum)
FLOATS(arith_maxnumf, f_maxnum)
FLOATS(arith_minnumf, f_minnum)
FLOATS(math_absf, f_abs)
FLOATS(math_ceil, f_ceil)
FLOATS(math_floor, f_floor)
FLOATS(math_trunc, f_trunc)
FLOATS(math_round, f_round)
FLOATS(math_roundeven, f_roundeven)
FLOATS(math_sqrt, f_sqrt)
FLOATS(math_copysign, f_copysign)

bool hd_fold_math_absi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return fold_ints(op, operands, do_absolute, out);
}
bool hd_fold_math_ctpop(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return fold_ints(op, operands, do_count_ones, out);
}
bool hd_fold_math_ctlz(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return fold_ints(op, operands, do_leading_zeros, out);
}
bool hd_fold_math_cttz(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return fold_ints(op, operands, do_trailing_zeros, out);
}

bool hd_fold_arith_cmpf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  int64_t predicate = hd_arith_cmpf_predicate(op);
  if (predicate < 0 || predicate > 15) return false;
  if ((predicate == 0 || predicate == 15) && to_int(op, predicate == 15, out)) return true;
  size_t span = span_of(operands, 2);
  if (!span || hd_type_element(hd_operand_type(op, 0))->kind != HD_TYPE_FLOAT) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    double a = float_at(operands[0], i), b = float_at(operands[1], i);
    bool unordered = isnan(a) || isnan(b);
    /* 1 to 7: ordered eq gt ge lt le ne ord; 8 to 14: unordered eq gt ge lt le ne uno. */
    const bool answers[] = {a == b, a > b, a >= b, a < b, a <= b, a != b, true};
    raw[i] = predicate < 8     ? !unordered && answers[predicate - 1]
             : predicate == 14 ? unordered
                               : unordered || answers[predicate - 8];
  }
  return hd_fold_to_attr(out, make(op, hd_result_type(op, 0), raw, span));
}

/* Between formats: extf is exact; truncf rounds to nearest even unless the op says otherwise. */
bool hd_fold_arith_extf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  size_t span = span_of(operands, 1);
  hd_type to = hd_type_element(hd_result_type(op, 0));
  if (!span || to->kind != HD_TYPE_FLOAT || hd_type_element(hd_operand_type(op, 0))->kind != HD_TYPE_FLOAT)
    return false;
  if (hd_with_rounding_roundingmode_if_any(op)) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) raw[i] = (int64_t)hd_float_encode(to->float_kind, float_at(operands[0], i));
  return hd_fold_to_attr(out, make(op, hd_result_type(op, 0), raw, span));
}
bool hd_fold_arith_truncf(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_value *back = hd_arith_truncf_roundingmode_attr(op) ? NULL : cast_back(op, HD_OP_arith_extf);
  return back ? hd_fold_to_value(out, back) : hd_fold_arith_extf(op, operands, out);
}

/* Integer to float: up to 53 bits are exact in a double; wider ones that are not do not fold. */
static bool from_int(hd_op *op, const hd_attr *operands, bool is_signed, hd_fold_result *out) {
  size_t span = span_of(operands, 1);
  hd_type type = hd_operand_type(op, 0), from = hd_type_element(type), to = hd_type_element(hd_result_type(op, 0));
  if (!span || !fits_word(type) || to->kind != HD_TYPE_FLOAT) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    int64_t x = raw_at(operands[0], i);
    double value = is_signed ? (double)as_signed(from, x) : (double)as_unsigned(from, x);
    if (fabs(value) > 9007199254740992.0) return false;
    raw[i] = (int64_t)hd_float_encode(to->float_kind, value);
  }
  return hd_fold_to_attr(out, make(op, hd_result_type(op, 0), raw, span));
}
bool hd_fold_arith_sitofp(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return from_int(op, operands, true, out);
}
bool hd_fold_arith_uitofp(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return from_int(op, operands, false, out);
}

/* Float to integer, towards zero; what is out of range is undefined and does not fold. */
static bool to_integer(hd_op *op, const hd_attr *operands, bool is_signed, hd_fold_result *out) {
  size_t span = span_of(operands, 1);
  hd_type result = hd_result_type(op, 0), to = hd_type_element(result);
  if (!span || !fits_word(result) || hd_type_element(hd_operand_type(op, 0))->kind != HD_TYPE_FLOAT) return false;
  unsigned width = width_of(to);
  double top = ldexp(1, (int)width - (is_signed ? 1 : 0)), bottom = is_signed ? -top : 0;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    double value = trunc(float_at(operands[0], i));
    if (!(value >= bottom && value < top)) return false;
    raw[i] = is_signed ? (int64_t)value : (int64_t)(uint64_t)value;
    raw[i] = hd_integer_wrap(to, raw[i]);
  }
  return hd_fold_to_attr(out, make(op, result, raw, span));
}
bool hd_fold_arith_fptosi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return to_integer(op, operands, true, out);
}
bool hd_fold_arith_fptoui(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return to_integer(op, operands, false, out);
}

bool hd_fold_arith_bitcast(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_value *back = cast_back(op, HD_OP_arith_bitcast);
  if (back) return hd_fold_to_value(out, back);
  if (hd_operand_type(op, 0) == hd_result_type(op, 0)) return to_operand(op, 0, out);
  size_t span = span_of(operands, 1);
  hd_type result = hd_result_type(op, 0), to = hd_type_element(result);
  if (!span || (to->kind != HD_TYPE_FLOAT && !fits_word(result)) || hd_type_bits(to) > 64) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    raw[i] = raw_at(operands[0], i);
    if (to->kind == HD_TYPE_INTEGER)
      raw[i] = hd_integer_wrap(to, raw[i]);
    else if (hd_type_bits(to) < 64)
      raw[i] &= (int64_t)((1ull << hd_type_bits(to)) - 1);
  }
  return hd_fold_to_attr(out, make(op, result, raw, span));
}
