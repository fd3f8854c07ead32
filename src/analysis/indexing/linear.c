/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions into sums and back. */
#include "analysis/indexing/linear.h"

#include <stdlib.h>

hd_linear *hd_linear_new(hd_simplifier *s) {
  hd_linear *sum = hd_new(s->arena, hd_linear);
  sum->known = true;
  sum->constant = hd_amount_of(0);
  return sum;
}

hd_linear *hd_linear_copy(hd_simplifier *s, const hd_linear *a) {
  hd_linear *sum = hd_linear_new(s);
  hd_linear_add(s, sum, a, hd_amount_of(1));
  return sum;
}

hd_linear *hd_linear_atom(hd_simplifier *s, hd_affine atom) {
  hd_linear *sum = hd_linear_new(s);
  hd_linear_add_term(s, sum, atom, hd_amount_of(1));
  return sum;
}

hd_amount hd_linear_coefficient(const hd_linear *a, hd_affine atom) {
  for (size_t i = 0; i < a->terms.len; ++i)
    if (a->terms.data[i].atom == atom) return a->terms.data[i].coefficient;
  return hd_amount_of(0);
}

void hd_linear_add_term(hd_simplifier *s, hd_linear *a, hd_affine atom, hd_amount coefficient) {
  if (hd_amount_is(coefficient, 0)) return;
  for (size_t i = 0; i < a->terms.len; ++i) {
    hd_linear_term *term = &a->terms.data[i];
    if (term->atom != atom) continue;
    term->coefficient = hd_amount_add(s->in, term->coefficient, coefficient);
    a->known &= term->coefficient.known;
    if (hd_amount_is(term->coefficient, 0)) a->terms.data[i] = a->terms.data[--a->terms.len];
    return;
  }
  a->known &= coefficient.known;
  hd_vec_push(s->arena, &a->terms, (hd_linear_term){atom, coefficient});
}

void hd_linear_add(hd_simplifier *s, hd_linear *a, const hd_linear *b, hd_amount factor) {
  a->known &= b->known && factor.known;
  for (size_t i = 0; i < b->terms.len; ++i)
    hd_linear_add_term(s, a, b->terms.data[i].atom, hd_amount_mul(s->in, b->terms.data[i].coefficient, factor));
  a->constant = hd_amount_add(s->in, a->constant, hd_amount_mul(s->in, b->constant, factor));
  a->known &= a->constant.known;
}

bool hd_linear_same_terms(hd_simplifier *s, const hd_linear *a, const hd_linear *b) {
  if (a->terms.len != b->terms.len) return false;
  for (size_t i = 0; i < a->terms.len; ++i)
    if (!hd_amount_equal(s->in, a->terms.data[i].coefficient, hd_linear_coefficient(b, a->terms.data[i].atom)))
      return false;
  return true;
}

/* ---- from expressions ---- */

static const hd_linear *product_of(hd_simplifier *s, hd_affine expr) {
  const hd_linear *lhs = hd_linear_of(s, expr->lhs), *rhs = hd_linear_of(s, expr->rhs);
  const hd_linear *factor = rhs->terms.len ? lhs : rhs, *scaled = rhs->terms.len ? rhs : lhs;
  if (factor->terms.len) {
    hd_affine x = hd_linear_expr(s, lhs), y = hd_linear_expr(s, rhs);
    return x && y ? hd_linear_atom(s, hd_affine_binary(s->in->context, HD_AFFINE_MUL, x, y)) : NULL;
  }
  hd_linear *sum = hd_linear_new(s);
  hd_linear_add(s, sum, scaled, factor->constant);
  return sum;
}

static const hd_linear *quotient_of(hd_simplifier *s, hd_affine expr) {
  const hd_linear *lhs = hd_linear_of(s, expr->lhs), *rhs = hd_linear_of(s, expr->rhs);
  if (rhs->known && !rhs->terms.len && hd_amount_divides(rhs->constant)) {
    if (expr->kind == HD_AFFINE_MOD) return hd_linear_modulo(s, lhs, rhs->constant);
    if (expr->kind == HD_AFFINE_FLOORDIV) return hd_linear_divide(s, lhs, rhs->constant);
    hd_linear *negative = hd_linear_new(s), *sum = hd_linear_new(s);
    hd_linear_add(s, negative, lhs, hd_amount_of(-1));
    hd_linear_add(s, sum, hd_linear_divide(s, negative, rhs->constant), hd_amount_of(-1));
    return sum;
  }
  hd_affine x = hd_linear_expr(s, lhs), y = hd_linear_expr(s, rhs);
  return x && y ? hd_linear_atom(s, hd_affine_binary(s->in->context, expr->kind, x, y)) : NULL;
}

/* A variable that has one value is that value. */
static const hd_linear *variable_of(hd_simplifier *s, hd_affine expr) {
  const hd_index_variable *v = hd_index_variable_of(s->map, expr);
  if (!v || v->range.lower != v->range.upper) return hd_linear_atom(s, expr);
  hd_linear *sum = hd_linear_new(s);
  sum->constant = hd_amount_of(v->range.lower);
  return sum;
}

static const hd_linear *linear_of(hd_simplifier *s, hd_affine expr) {
  switch (expr->kind) {
    case HD_AFFINE_CONST: {
      hd_linear *sum = hd_linear_new(s);
      sum->constant = hd_amount_of(expr->value);
      return sum;
    }
    case HD_AFFINE_SYMBOL:
      if (expr->value >= HD_INDEX_SIZE) {
        hd_linear *sum = hd_linear_new(s);
        sum->constant = hd_amount_of_dim(s->in, hd_index_to_dim(s->in, expr));
        sum->known = sum->constant.known;
        return sum;
      }
      return variable_of(s, expr);
    case HD_AFFINE_DIM:
      return variable_of(s, expr);
    case HD_AFFINE_ADD: {
      hd_linear *sum = hd_linear_copy(s, hd_linear_of(s, expr->lhs));
      hd_linear_add(s, sum, hd_linear_of(s, expr->rhs), hd_amount_of(1));
      return hd_linear_join(s, sum);
    }
    case HD_AFFINE_MUL:
      return product_of(s, expr);
    default:
      return quotient_of(s, expr);
  }
}

const hd_linear *hd_linear_of(hd_simplifier *s, hd_affine expr) {
  const hd_linear *known = hd_map_get(&s->linears, expr);
  if (known) return known;
  if (s->depth >= HD_INDEX_MAX_DEPTH) return hd_linear_atom(s, expr);
  ++s->depth;
  const hd_linear *sum = linear_of(s, expr);
  --s->depth;
  if (!sum || !sum->known) sum = hd_linear_atom(s, expr);
  hd_map_set(s->arena, &s->linears, expr, (void *)sum);
  return sum;
}

/* ---- back to expressions ---- */

int hd_index_compare(hd_affine a, hd_affine b) {
  /* The order of MLIR's kinds of expressions. */
  static const int order[] = {[HD_AFFINE_ADD] = 0,      [HD_AFFINE_MUL] = 1,     [HD_AFFINE_MOD] = 2,
                              [HD_AFFINE_FLOORDIV] = 3, [HD_AFFINE_CEILDIV] = 4, [HD_AFFINE_DIM] = 5,
                              [HD_AFFINE_SYMBOL] = 6,   [HD_AFFINE_CONST] = 7};
  if (a == b) return 0;
  if (a->kind != b->kind) return order[a->kind] < order[b->kind] ? -1 : 1;
  if (!a->lhs) return a->value < b->value ? -1 : 1;
  int first = hd_index_compare(a->lhs, b->lhs);
  return first ? first : hd_index_compare(a->rhs, b->rhs);
}

static int compare_summands(const void *a, const void *b) {
  return hd_index_compare(*(const hd_affine *)a, *(const hd_affine *)b);
}

/* Sums of |e| from left to right, added to |left|: the tree that reading the text makes. */
static hd_affine append(hd_context *c, hd_affine left, hd_affine e) {
  if (e->kind == HD_AFFINE_ADD) return append(c, append(c, left, e->lhs), e->rhs);
  return left ? hd_affine_binary(c, HD_AFFINE_ADD, left, e) : e;
}

hd_affine hd_linear_expr(hd_simplifier *s, const hd_linear *sum) {
  if (!sum->known) return NULL;
  hd_context *c = s->in->context;
  hd_affine *summands = hd_new_array(s->arena, hd_affine, sum->terms.len + 1);
  for (size_t i = 0; i < sum->terms.len; ++i) {
    const hd_linear_term *term = &sum->terms.data[i];
    hd_affine factor = term->coefficient.dim ? hd_index_of_dim(s->in, term->coefficient.dim)
                                             : hd_affine_const(c, term->coefficient.value);
    if (!factor) return NULL;
    summands[i] = hd_affine_binary(c, HD_AFFINE_MUL, term->atom, factor);
  }
  qsort(summands, sum->terms.len, sizeof *summands, compare_summands);
  hd_affine rest =
      sum->constant.dim ? hd_index_of_dim(s->in, sum->constant.dim) : hd_affine_const(c, sum->constant.value);
  if (!rest) return NULL;
  hd_affine expr = sum->terms.len ? summands[0] : rest;
  for (size_t i = 1; i < sum->terms.len; ++i) expr = hd_affine_binary(c, HD_AFFINE_ADD, expr, summands[i]);
  return sum->terms.len ? append(c, append(c, NULL, expr), rest) : expr;
}
