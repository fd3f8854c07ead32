/* SPDX-License-Identifier: Apache-2.0 */
/* What is learnt of symbols (that they equal an expression, their bounds, what divides them) and expressions with it
 * put in. */
#include <stdlib.h>

#include "shape/dim.h"

static hd_dim resolve_atom(hd_dim_table *table, hd_atom *atom) {
  if (atom->kind == HD_ATOM_SYMBOL)
    return atom->replacement ? hd_dim_resolve(table, atom->replacement) : hd_dim_of_symbol(table, atom);
  hd_dim a = hd_dim_resolve(table, atom->lhs), b = hd_dim_resolve(table, atom->rhs), now = NULL;
  if (a == atom->lhs && b == atom->rhs) return hd_dim_of_symbol(table, atom);
  switch (atom->kind) {
    case HD_ATOM_FLOORDIV:
      now = hd_dim_floordiv(table, a, b);
      break;
    case HD_ATOM_MOD:
      now = hd_dim_mod(table, a, b);
      break;
    case HD_ATOM_MIN:
      now = hd_dim_min(table, a, b);
      break;
    case HD_ATOM_MAX:
      now = hd_dim_max(table, a, b);
      break;
    case HD_ATOM_SYMBOL:
      break;
  }
  return now ? now : hd_dim_of_symbol(table, atom);
}

hd_dim hd_dim_resolve(hd_dim_table *table, hd_dim dim) {
  if (!dim || !table->replaced || !dim->term_count) return dim;
  if (dim->resolved_at == table->learnt + 1) return dim->resolved;
  hd_dim result = hd_dim_const(table, dim->constant);
  for (uint32_t i = 0; i < dim->term_count && result; ++i) {
    hd_dim product = hd_dim_const(table, dim->terms[i].coefficient);
    for (uint32_t j = 0; j < dim->terms[i].atom_count; ++j)
      product = hd_dim_mul(table, product, resolve_atom(table, dim->terms[i].atoms[j]));
    result = hd_dim_add(table, result, product);
  }
  struct hd_dim_expr *kept = (struct hd_dim_expr *)dim; /* made by finish(): not const itself */
  kept->resolved = result ? result : dim;
  kept->resolved_at = table->learnt + 1;
  return kept->resolved;
}

static bool mentions_unseen(hd_dim dim, const hd_atom *symbol) {
  struct hd_dim_expr *seen = (struct hd_dim_expr *)dim;
  if (seen->mark == dim->table->mark) return false;
  seen->mark = dim->table->mark;
  for (uint32_t i = 0; i < dim->term_count; ++i)
    for (uint32_t j = 0; j < dim->terms[i].atom_count; ++j) {
      const hd_atom *atom = dim->terms[i].atoms[j];
      if (atom == symbol) return true;
      if (atom->kind == HD_ATOM_SYMBOL ? atom->replacement && mentions_unseen(atom->replacement, symbol)
                                       : mentions_unseen(atom->lhs, symbol) || mentions_unseen(atom->rhs, symbol))
        return true;
    }
  return false;
}

static bool mentions(hd_dim dim, const hd_atom *symbol) {
  ++dim->table->mark;
  return mentions_unseen(dim, symbol);
}

/* The symbol of a polynomial that is one symbol and nothing else. */
static hd_atom *sole_symbol(hd_dim dim) {
  if (dim->constant || dim->term_count != 1 || dim->terms[0].coefficient != 1 || dim->terms[0].atom_count != 1)
    return NULL;
  hd_atom *atom = dim->terms[0].atoms[0];
  return atom->kind == HD_ATOM_SYMBOL ? atom : NULL;
}

static int64_t gcd(int64_t a, int64_t b) {
  a = a == INT64_MIN ? 1 : llabs(a);
  b = b == INT64_MIN ? 1 : llabs(b);
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/* Learns that |n| divides |a|, when a is a symbol. */
static void assume_divisible(hd_dim_table *table, hd_dim a, int64_t n) {
  a = hd_dim_resolve(table, a);
  hd_atom *symbol = a ? sole_symbol(a) : NULL;
  int64_t both;
  if (!symbol || n <= 1) return;
  int64_t known = symbol->divisor ? symbol->divisor : 1;
  if (!__builtin_mul_overflow(known / gcd(known, n), n, &both)) symbol->divisor = both;
}

static bool replace(hd_dim_table *table, hd_atom *symbol, hd_dim value) {
  if (!symbol || symbol->pinned || (value->data_dependent && !symbol->data_dependent) || mentions(value, symbol))
    return false;
  hd_atom *kept = sole_symbol(value);
  if (kept) {
    if (symbol->lower > kept->lower) kept->lower = symbol->lower;
    if (symbol->upper < kept->upper) kept->upper = symbol->upper;
    assume_divisible(table, value, symbol->divisor);
  }
  symbol->replacement = value;
  ++table->replaced;
  ++table->learnt;
  return true;
}

static void learn_divisor(hd_dim_table *table, hd_dim a, hd_dim b);

bool hd_dim_assume_equal(hd_dim_table *table, hd_dim a, hd_dim b) {
  a = hd_dim_resolve(table, a);
  b = hd_dim_resolve(table, b);
  if (!a || !b) return false;
  if (a == b) return true;
  learn_divisor(table, a, b);
  learn_divisor(table, b, a);
  hd_atom *sa = sole_symbol(a), *sb = sole_symbol(b);
  /* Of two symbols the data-dependent one goes, then the younger, so that the names of the first arguments stay. */
  if (sa && sb)
    return (sa->data_dependent != sb->data_dependent ? sa->data_dependent : sa->id > sb->id) ? replace(table, sa, b)
                                                                                             : replace(table, sb, a);
  return replace(table, sa, b) || replace(table, sb, a);
}

void hd_dim_assume_at_least(hd_dim_table *table, hd_dim a, int64_t bound) {
  a = hd_dim_resolve(table, a);
  int64_t least;
  if (!a || a->term_count != 1 || __builtin_sub_overflow(bound, a->constant, &least)) return;
  const hd_dim_term *term = &a->terms[0];
  if (term->coefficient != 1 || term->atom_count != 1 || term->atoms[0]->kind != HD_ATOM_SYMBOL) return;
  if (least <= term->atoms[0]->lower) return;
  term->atoms[0]->lower = least;
  ++table->learnt;
}

int64_t hd_dim_divisor(hd_dim_table *table, hd_dim dim) {
  dim = hd_dim_resolve(table, dim);
  if (!dim) return 1;
  int64_t divisor = dim->constant;
  for (uint32_t i = 0; i < dim->term_count; ++i) {
    int64_t term = dim->terms[i].coefficient;
    for (uint32_t j = 0; j < dim->terms[i].atom_count; ++j) {
      int64_t known = dim->terms[i].atoms[j]->divisor, more;
      if (known > 1 && !__builtin_mul_overflow(term, known, &more)) term = more;
    }
    divisor = gcd(divisor, term);
  }
  return divisor < 0 ? -divisor : divisor;
}

/* Of mod(x, n) == 0: n divides x. */
static void learn_divisor(hd_dim_table *table, hd_dim a, hd_dim b) {
  int64_t n;
  if (b->term_count || b->constant || a->constant || a->term_count != 1) return;
  const hd_dim_term *term = &a->terms[0];
  if (term->atom_count == 1 && term->atoms[0]->kind == HD_ATOM_MOD && hd_dim_is_const(table, term->atoms[0]->rhs, &n))
    assume_divisible(table, term->atoms[0]->lhs, n);
}
