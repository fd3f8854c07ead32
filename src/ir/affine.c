/* SPDX-License-Identifier: Apache-2.0 */
/* Uniqued expressions of affine maps and sets. */
#include "ir/attributes.h"
#include "ir/unique.h"

enum { AFFINE_KEY = 1 << 20 }; /* apart from the attribute kinds, whose map they share */

static hd_affine unique(hd_context *context, struct hd_affine_expr expr) {
  hd_key key;
  hd_key_init(&key, context, AFFINE_KEY + (int)expr.kind);
  hd_key_u64(&key, (uint64_t)expr.value);
  hd_key_ptr(&key, expr.lhs);
  hd_key_ptr(&key, expr.rhs);
  struct hd_affine_expr *found = hd_key_find(&key, &context->attrs);
  if (found) return found;
  found = hd_arena_alloc(&context->arena, sizeof *found);
  *found = expr;
  hd_key_add(&key, &context->attrs, found);
  return found;
}

hd_affine hd_affine_const(hd_context *context, int64_t value) {
  return unique(context, (struct hd_affine_expr){HD_AFFINE_CONST, value, NULL, NULL});
}
hd_affine hd_affine_dim(hd_context *context, int64_t position) {
  return unique(context, (struct hd_affine_expr){HD_AFFINE_DIM, position, NULL, NULL});
}
hd_affine hd_affine_symbol(hd_context *context, int64_t position) {
  return unique(context, (struct hd_affine_expr){HD_AFFINE_SYMBOL, position, NULL, NULL});
}

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q - (a % b != 0 && ((a < 0) != (b < 0)));
}

/* Folds two constants; false when the result is undefined or overflows. */
static bool fold(hd_affine_kind kind, int64_t a, int64_t b, int64_t *out) {
  switch (kind) {
    case HD_AFFINE_ADD:
      return !__builtin_add_overflow(a, b, out);
    case HD_AFFINE_MUL:
      return !__builtin_mul_overflow(a, b, out);
    case HD_AFFINE_FLOORDIV:
      if (b < 1) return false;
      *out = floor_div(a, b);
      return true;
    case HD_AFFINE_CEILDIV:
      if (b < 1 || a == INT64_MIN) return false;
      *out = -floor_div(-a, b);
      return true;
    case HD_AFFINE_MOD:
      if (b < 1) return false;
      *out = a - floor_div(a, b) * b;
      return true;
    default:
      return false;
  }
}

/* No dim inside. */
static bool is_symbolic(hd_affine e) {
  if (e->kind == HD_AFFINE_DIM) return false;
  return (!e->lhs || is_symbolic(e->lhs)) && (!e->rhs || is_symbolic(e->rhs));
}

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* A number that divides every value of |e|, as far as can be seen; 0 for the constant 0. */
static uint64_t divisor(hd_affine e) {
  uint64_t left, right, product;
  switch (e->kind) {
    case HD_AFFINE_CONST:
      return e->value < 0 ? 0 - (uint64_t)e->value : (uint64_t)e->value;
    case HD_AFFINE_MUL:
      left = divisor(e->lhs);
      right = divisor(e->rhs);
      return __builtin_mul_overflow(left, right, &product) ? 1 : product;
    case HD_AFFINE_ADD:
    case HD_AFFINE_MOD:
      return gcd(divisor(e->lhs), divisor(e->rhs));
    case HD_AFFINE_FLOORDIV:
    case HD_AFFINE_CEILDIV:
      left = divisor(e->lhs);
      right = e->rhs->kind == HD_AFFINE_CONST ? divisor(e->rhs) : 0;
      return right && left % right == 0 ? left / right : 1;
    default:
      return 1;
  }
}

/* |e| as base * factor. */
static hd_affine take_factor(hd_affine e, int64_t *out_factor) {
  bool scaled = e->kind == HD_AFFINE_MUL && e->rhs->kind == HD_AFFINE_CONST;
  *out_factor = scaled ? e->rhs->value : 1;
  return scaled ? e->lhs : e;
}

/* x*a + x*b is x*(a + b), x + (x floordiv c)*-c is x mod c; null when it is neither. */
static hd_affine simplify_sum(hd_context *context, hd_affine lhs, hd_affine rhs) {
  int64_t left, right, sum;
  hd_affine base = take_factor(lhs, &left), other = take_factor(rhs, &right);
  if (base == other && base->kind != HD_AFFINE_CONST && !__builtin_add_overflow(left, right, &sum))
    return hd_affine_binary(context, HD_AFFINE_MUL, base, hd_affine_const(context, sum));
  if (other->kind == HD_AFFINE_FLOORDIV && other->lhs == lhs && other->rhs->kind == HD_AFFINE_CONST && right < 0 &&
      right > INT64_MIN && other->rhs->value == -right)
    return hd_affine_binary(context, HD_AFFINE_MOD, lhs, other->rhs);
  return NULL;
}

/* Division of |lhs| by the constant |by|, which is at least 2, where a multiple of it is seen in |lhs|; else null. */
static hd_affine simplify_division(hd_context *context, hd_affine_kind kind, hd_affine lhs, hd_affine by) {
  int64_t factor;
  hd_affine base = take_factor(lhs, &factor);
  if (base != lhs && kind != HD_AFFINE_MOD && factor % by->value == 0)
    return hd_affine_binary(context, HD_AFFINE_MUL, base, hd_affine_const(context, factor / by->value));
  if (kind == HD_AFFINE_CEILDIV) return NULL;
  uint64_t c = (uint64_t)by->value;
  if (kind == HD_AFFINE_MOD && divisor(lhs) % c == 0) return hd_affine_const(context, 0);
  if (kind == HD_AFFINE_MOD && lhs->kind == HD_AFFINE_MOD && lhs->rhs->kind == HD_AFFINE_CONST &&
      lhs->rhs->value >= 1 && lhs->rhs->value % by->value == 0)
    return hd_affine_binary(context, kind, lhs->lhs, by);
  if (lhs->kind != HD_AFFINE_ADD) return NULL;
  bool left = divisor(lhs->lhs) % c == 0, right = divisor(lhs->rhs) % c == 0;
  if (!left && !right) return NULL;
  if (kind == HD_AFFINE_MOD) return hd_affine_binary(context, kind, left ? lhs->rhs : lhs->lhs, by);
  return hd_affine_binary(context, HD_AFFINE_ADD, hd_affine_binary(context, kind, lhs->lhs, by),
                          hd_affine_binary(context, kind, lhs->rhs, by));
}

hd_affine hd_affine_binary(hd_context *context, hd_affine_kind kind, hd_affine lhs, hd_affine rhs) {
  int64_t value;
  if (lhs->kind == HD_AFFINE_CONST && rhs->kind == HD_AFFINE_CONST && fold(kind, lhs->value, rhs->value, &value))
    return hd_affine_const(context, value);
  bool commutes = kind == HD_AFFINE_ADD || kind == HD_AFFINE_MUL;
  if (commutes && rhs->kind != HD_AFFINE_CONST &&
      (lhs->kind == HD_AFFINE_CONST || (is_symbolic(lhs) && !is_symbolic(rhs)))) { /* these are on the right */
    hd_affine swap = lhs;
    lhs = rhs;
    rhs = swap;
  }
  if (rhs->kind == HD_AFFINE_CONST) {
    if (rhs->value == 0 && kind == HD_AFFINE_ADD) return lhs;
    if (rhs->value == 1 && (kind == HD_AFFINE_MUL || kind == HD_AFFINE_FLOORDIV || kind == HD_AFFINE_CEILDIV))
      return lhs;
    if (rhs->value == 0 && kind == HD_AFFINE_MUL) return rhs;
    if (rhs->value == 1 && kind == HD_AFFINE_MOD) return hd_affine_const(context, 0);
    if (!commutes && rhs->value > 1) {
      hd_affine simple = simplify_division(context, kind, lhs, rhs);
      if (simple) return simple;
    }
    /* (x op c) op d folds the constants. */
    if (commutes && lhs->kind == kind && lhs->rhs->kind == HD_AFFINE_CONST &&
        fold(kind, lhs->rhs->value, rhs->value, &value))
      return hd_affine_binary(context, kind, lhs->lhs, hd_affine_const(context, value));
  }
  hd_affine simple = kind == HD_AFFINE_ADD ? simplify_sum(context, lhs, rhs) : NULL;
  if (simple) return simple;
  /* (x op c) op y is (x op y) op c; two constants that do not fold stay as they are. */
  if (commutes && rhs->kind != HD_AFFINE_CONST && lhs->kind == kind && lhs->rhs->kind == HD_AFFINE_CONST)
    return hd_affine_binary(context, kind, hd_affine_binary(context, kind, lhs->lhs, rhs), lhs->rhs);
  return unique(context, (struct hd_affine_expr){kind, 0, lhs, rhs});
}
