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

hd_affine hd_affine_binary(hd_context *context, hd_affine_kind kind, hd_affine lhs, hd_affine rhs) {
  int64_t value;
  if (lhs->kind == HD_AFFINE_CONST && rhs->kind == HD_AFFINE_CONST && fold(kind, lhs->value, rhs->value, &value))
    return hd_affine_const(context, value);
  bool commutes = kind == HD_AFFINE_ADD || kind == HD_AFFINE_MUL;
  if (commutes && (lhs->kind == HD_AFFINE_CONST ||
                   (is_symbolic(lhs) && !is_symbolic(rhs)))) { /* constants and symbols stand on the right */
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
    /* (x op c) op d folds the constants. */
    if (commutes && lhs->kind == kind && lhs->rhs->kind == HD_AFFINE_CONST &&
        fold(kind, lhs->rhs->value, rhs->value, &value))
      return hd_affine_binary(context, kind, lhs->lhs, hd_affine_const(context, value));
  }
  /* (x op c) op y is (x op y) op c. */
  if (commutes && lhs->kind == kind && lhs->rhs->kind == HD_AFFINE_CONST)
    return hd_affine_binary(context, kind, hd_affine_binary(context, kind, lhs->lhs, rhs), lhs->rhs);
  return unique(context, (struct hd_affine_expr){kind, 0, lhs, rhs});
}
