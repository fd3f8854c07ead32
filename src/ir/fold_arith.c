/* SPDX-License-Identifier: Apache-2.0 */
/* Folds of arith and math on integers of up to 64 bits. */
#include "ir/fold_elements.h"
#include "ir/number.h"
#include "ir/ops/arith.h"

typedef bool (*int_function)(hd_type element, int64_t a, int64_t b, int64_t *out);

static bool fold_ints(hd_op *op, const hd_attr *operands, int_function function, hd_fold_result *out) {
  uint32_t count = op->operand_count < 2 ? op->operand_count : 2;
  size_t span = hd_fold_span(operands, count);
  hd_type type = hd_operand_type(op, 0), result = hd_result_type(op, 0), element = hd_type_element(type),
          to = hd_type_element(result);
  if (!span || !hd_fold_fits_word(type) || !hd_fold_fits_word(result)) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    if (!function(element, hd_fold_raw(operands[0], i), count > 1 ? hd_fold_raw(operands[1], i) : 0, &raw[i]))
      return false;
    raw[i] = to->kind == HD_TYPE_INTEGER ? hd_integer_wrap(to, raw[i]) : raw[i];
  }
  return hd_fold_to_attr(out, hd_fold_make(op, result, raw, span));
}

static int64_t least(hd_type element) {
  return hd_fold_signed(element, (int64_t)(1ull << (hd_fold_width(element) - 1)));
}

#define INT(name, expression)                                                      \
  static bool name(hd_type element, int64_t x, int64_t y, int64_t *out) {          \
    int64_t a = hd_fold_signed(element, x), b = hd_fold_signed(element, y);        \
    uint64_t ua = hd_fold_unsigned(element, x), ub = hd_fold_unsigned(element, y); \
    (void)a, (void)b, (void)ua, (void)ub;                                          \
    *out = (int64_t)(expression);                                                  \
    return true;                                                                   \
  }
/* Division: undefined cases do not fold. */
#define DIVISION(name, guard, expression)                                          \
  static bool name(hd_type element, int64_t x, int64_t y, int64_t *out) {          \
    int64_t a = hd_fold_signed(element, x), b = hd_fold_signed(element, y);        \
    uint64_t ua = hd_fold_unsigned(element, x), ub = hd_fold_unsigned(element, y); \
    (void)a, (void)b, (void)ua, (void)ub;                                          \
    if (guard) return false;                                                       \
    *out = (int64_t)(expression);                                                  \
    return true;                                                                   \
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
INT(do_leading_zeros, ua ? (unsigned)__builtin_clzll(ua) - (64 - hd_fold_width(element)) : hd_fold_width(element))
INT(do_trailing_zeros, ua ? (unsigned)__builtin_ctzll(ua) : hd_fold_width(element))
#define SIGNED_TRAP (b == 0 || (b == -1 && a == least(element)))
DIVISION(do_divs, SIGNED_TRAP, a / b)
DIVISION(do_rems, SIGNED_TRAP, a % b)
DIVISION(do_divu, ub == 0, ua / ub)
DIVISION(do_remu, ub == 0, ua % ub)
DIVISION(do_floordivs, SIGNED_TRAP, a / b - (a % b != 0 && (a < 0) != (b < 0)))
DIVISION(do_ceildivs, SIGNED_TRAP, a / b + (a % b != 0 && (a < 0) == (b < 0)))
DIVISION(do_ceildivu, ub == 0, ua / ub + (ua % ub != 0))
DIVISION(do_shl, ub >= hd_fold_width(element), ua << ub)
DIVISION(do_shrs, ub >= hd_fold_width(element), a >> ub)
DIVISION(do_shru, ub >= hd_fold_width(element), ua >> ub)

/* True when operand |i| is the integer |value| (all ones is -1, of i1 as well). */
static bool is_int(hd_op *op, const hd_attr *operands, uint32_t i, int64_t value) {
  int64_t constant;
  hd_type element = hd_type_element(hd_operand_type(op, i));
  return hd_attr_splat_int(operands[i], &constant) && hd_fold_fits_word(element) &&
         hd_fold_unsigned(element, constant) == hd_fold_unsigned(element, value);
}
static bool same_operands(hd_op *op) { return hd_operand(op, 0) == hd_operand(op, 1); }
bool hd_fold_arith_addi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 0)) return hd_fold_to_operand(op, 0, out);
  if (is_int(op, operands, 0, 0)) return hd_fold_to_operand(op, 1, out);
  return fold_ints(op, operands, do_add, out);
}
bool hd_fold_arith_subi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 0)) return hd_fold_to_operand(op, 0, out);
  if (same_operands(op) && hd_fold_to_int(op, 0, out)) return true;
  return fold_ints(op, operands, do_sub, out);
}
bool hd_fold_arith_muli(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (is_int(op, operands, i, 1)) return hd_fold_to_operand(op, 1 - i, out);
    if (is_int(op, operands, i, 0)) return hd_fold_to_operand(op, i, out);
  }
  return fold_ints(op, operands, do_mul, out);
}
bool hd_fold_arith_divsi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 1) && hd_fold_width(hd_type_element(hd_operand_type(op, 1))) > 1)
    return hd_fold_to_operand(op, 0, out);
  return fold_ints(op, operands, do_divs, out);
}
bool hd_fold_arith_divui(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return is_int(op, operands, 1, 1) ? hd_fold_to_operand(op, 0, out) : fold_ints(op, operands, do_divu, out);
}
bool hd_fold_arith_ceildivsi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 1) && hd_fold_width(hd_type_element(hd_operand_type(op, 1))) > 1)
    return hd_fold_to_operand(op, 0, out);
  return fold_ints(op, operands, do_ceildivs, out);
}
bool hd_fold_arith_ceildivui(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return is_int(op, operands, 1, 1) ? hd_fold_to_operand(op, 0, out) : fold_ints(op, operands, do_ceildivu, out);
}
bool hd_fold_arith_floordivsi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 1) && hd_fold_width(hd_type_element(hd_operand_type(op, 1))) > 1)
    return hd_fold_to_operand(op, 0, out);
  return fold_ints(op, operands, do_floordivs, out);
}
bool hd_fold_arith_remsi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 1) && hd_fold_to_int(op, 0, out)) return true;
  return fold_ints(op, operands, do_rems, out);
}
bool hd_fold_arith_remui(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  if (is_int(op, operands, 1, 1) && hd_fold_to_int(op, 0, out)) return true;
  return fold_ints(op, operands, do_remu, out);
}
bool hd_fold_arith_andi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (is_int(op, operands, i, 0)) return hd_fold_to_operand(op, i, out);
    if (is_int(op, operands, i, -1)) return hd_fold_to_operand(op, 1 - i, out);
  }
  return same_operands(op) ? hd_fold_to_operand(op, 0, out) : fold_ints(op, operands, do_and, out);
}
bool hd_fold_arith_ori(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (is_int(op, operands, i, 0)) return hd_fold_to_operand(op, 1 - i, out);
    if (is_int(op, operands, i, -1)) return hd_fold_to_operand(op, i, out);
  }
  return same_operands(op) ? hd_fold_to_operand(op, 0, out) : fold_ints(op, operands, do_or, out);
}
bool hd_fold_arith_xori(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  for (uint32_t i = 0; i < 2; ++i)
    if (is_int(op, operands, i, 0)) return hd_fold_to_operand(op, 1 - i, out);
  if (same_operands(op) && hd_fold_to_int(op, 0, out)) return true;
  return fold_ints(op, operands, do_xor, out);
}
#define PICK(name, function)                                                                            \
  bool hd_fold_arith_##name(hd_op *op, const hd_attr *operands, hd_fold_result *out) {                  \
    return same_operands(op) ? hd_fold_to_operand(op, 0, out) : fold_ints(op, operands, function, out); \
  }
PICK(maxsi, do_maxs)
PICK(maxui, do_maxu)
PICK(minsi, do_mins)
PICK(minui, do_minu)
#define SHIFT(name, function)                                                                                    \
  bool hd_fold_arith_##name(hd_op *op, const hd_attr *operands, hd_fold_result *out) {                           \
    return is_int(op, operands, 1, 0) ? hd_fold_to_operand(op, 0, out) : fold_ints(op, operands, function, out); \
  }
SHIFT(shli, do_shl)
SHIFT(shrsi, do_shrs)
SHIFT(shrui, do_shru)

bool hd_fold_arith_extsi(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return fold_ints(op, operands, do_extend_signed, out);
}
bool hd_fold_arith_extui(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  return fold_ints(op, operands, do_extend_unsigned, out);
}
bool hd_fold_arith_trunci(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_value *back = hd_fold_cast_back(op, HD_OP_arith_extsi);
  if (!back) back = hd_fold_cast_back(op, HD_OP_arith_extui);
  return back ? hd_fold_to_value(out, back) : fold_ints(op, operands, do_extend_unsigned, out);
}
bool hd_fold_arith_index_cast(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_value *back = hd_fold_cast_back(op, HD_OP_arith_index_cast);
  /* index -> i32 -> index drops bits; i32 -> index -> i32 does not. */
  if (back && (hd_type_element(back->type)->kind == HD_TYPE_INTEGER ||
               hd_fold_width(hd_type_element(hd_operand_type(op, 0))) >= 64))
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
      hd_fold_to_int(
          op, predicate == EQ || predicate == SLE || predicate == SGE || predicate == ULE || predicate == UGE, out))
    return true;
  size_t span = hd_fold_span(operands, 2);
  hd_type type = hd_operand_type(op, 0), element = hd_type_element(type);
  if (!span || !hd_fold_fits_word(type)) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    int64_t x = hd_fold_raw(operands[0], i), y = hd_fold_raw(operands[1], i), a = hd_fold_signed(element, x),
            b = hd_fold_signed(element, y);
    uint64_t ua = hd_fold_unsigned(element, x), ub = hd_fold_unsigned(element, y);
    const bool answers[] = {ua == ub, ua != ub, a<b, a <= b, a> b, a >= b, ua<ub, ua <= ub, ua> ub, ua >= ub};
    raw[i] = answers[predicate];
  }
  return hd_fold_to_attr(out, hd_fold_make(op, hd_result_type(op, 0), raw, span));
}

bool hd_fold_arith_select(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  int64_t condition;
  if (hd_operand(op, 1) == hd_operand(op, 2)) return hd_fold_to_operand(op, 1, out);
  if (hd_attr_splat_int(operands[0], &condition)) return hd_fold_to_operand(op, condition ? 1 : 2, out);
  /* select c, true, false is c. */
  if (hd_operand_type(op, 0) == hd_result_type(op, 0) && is_int(op, operands, 1, 1) && is_int(op, operands, 2, 0))
    return hd_fold_to_operand(op, 0, out);
  return false;
}

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

bool hd_fold_arith_bitcast(hd_op *op, const hd_attr *operands, hd_fold_result *out) {
  hd_value *back = hd_fold_cast_back(op, HD_OP_arith_bitcast);
  if (back) return hd_fold_to_value(out, back);
  if (hd_operand_type(op, 0) == hd_result_type(op, 0)) return hd_fold_to_operand(op, 0, out);
  size_t span = hd_fold_span(operands, 1);
  hd_type result = hd_result_type(op, 0), to = hd_type_element(result);
  if (!span || (to->kind != HD_TYPE_FLOAT && !hd_fold_fits_word(result)) || hd_type_bits(to) > 64) return false;
  int64_t *raw = hd_new_array(&op->module->arena, int64_t, span);
  for (size_t i = 0; i < span; ++i) {
    raw[i] = hd_fold_raw(operands[0], i);
    if (to->kind == HD_TYPE_INTEGER)
      raw[i] = hd_integer_wrap(to, raw[i]);
    else if (hd_type_bits(to) < 64)
      raw[i] &= (int64_t)((1ull << hd_type_bits(to)) - 1);
  }
  return hd_fold_to_attr(out, hd_fold_make(op, result, raw, span));
}
