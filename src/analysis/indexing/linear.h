/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions as sums: coefficient * atom + ... + constant, what simplification works on. Coefficients are numbers or
 * polynomials over sizes; an atom is a variable, a quotient, a remainder, or what is not understood. */
#ifndef HD_ANALYSIS_INDEXING_LINEAR_H_
#define HD_ANALYSIS_INDEXING_LINEAR_H_

#include "analysis/indexing/map.h"

/* A number, or an expression over sizes; the fast form of hd_dim for numbers. */
typedef struct hd_amount {
  bool known;
  hd_dim dim; /* null: |value| */
  int64_t value;
} hd_amount;

static inline hd_amount hd_amount_of(int64_t value) { return (hd_amount){true, NULL, value}; }
static inline bool hd_amount_is(hd_amount a, int64_t value) { return a.known && !a.dim && a.value == value; }
static inline bool hd_amount_is_number(hd_amount a) { return a.known && !a.dim; }
hd_amount hd_amount_of_dim(hd_indexing *in, hd_dim dim);
hd_dim hd_amount_dim(hd_indexing *in, hd_amount a);
hd_amount hd_amount_add(hd_indexing *in, hd_amount a, hd_amount b);
hd_amount hd_amount_sub(hd_indexing *in, hd_amount a, hd_amount b);
hd_amount hd_amount_mul(hd_indexing *in, hd_amount a, hd_amount b);
/* a / b when b is known to divide a; else not known. */
hd_amount hd_amount_exact_div(hd_indexing *in, hd_amount a, hd_amount b);
bool hd_amount_equal(hd_indexing *in, hd_amount a, hd_amount b);
bool hd_amount_at_most(hd_indexing *in, hd_amount a, hd_amount b); /* proven */
int64_t hd_amount_lower(hd_amount a);                              /* INT64_MIN: no bound */
int64_t hd_amount_upper(hd_amount a);
/* May it be divided by? A size may be 0; but then what divides by it has no value, whatever is made of it. */
static inline bool hd_amount_divides(hd_amount a) { return a.known && !hd_amount_is(a, 0) && hd_amount_lower(a) >= 0; }

typedef struct hd_linear_term {
  hd_affine atom;
  hd_amount coefficient; /* not 0 */
} hd_linear_term;

typedef hd_vec(hd_linear_term) hd_linear_terms;

typedef struct hd_linear {
  bool known;            /* false: a coefficient cannot be written */
  hd_linear_terms terms; /* in the order in which they are printed */
  hd_amount constant;
} hd_linear;

typedef struct hd_amount_range {
  hd_amount lower, upper; /* not known: no bound */
} hd_amount_range;

/* Simplifies the expressions of one map. */
typedef struct hd_simplifier {
  hd_indexing *in;
  const hd_index_map *map; /* the ranges of its variables are used */
  hd_arena *arena;
  hd_map linears; /* expression -> hd_linear */
  hd_map ranges;  /* atom -> hd_amount_range */
  uint32_t depth;
  /* Constraints that hold, as sums without constant; used where there are any. */
  uint32_t fact_count;
  const struct hd_linear_fact *facts;
} hd_simplifier;

typedef struct hd_linear_fact {
  const hd_linear *sum;
  hd_index_range range;
} hd_linear_fact;

/* |expr| as a sum of simplified atoms; never null. */
const hd_linear *hd_linear_of(hd_simplifier *s, hd_affine expr);
hd_affine hd_linear_expr(hd_simplifier *s, const hd_linear *sum); /* null when it is not known */
static inline hd_affine hd_simplify(hd_simplifier *s, hd_affine expr) {
  hd_affine simple = hd_linear_expr(s, hd_linear_of(s, expr));
  return simple ? simple : expr;
}

hd_linear *hd_linear_new(hd_simplifier *s);
hd_linear *hd_linear_copy(hd_simplifier *s, const hd_linear *a);
hd_linear *hd_linear_atom(hd_simplifier *s, hd_affine atom);
/* a += b * factor. */
void hd_linear_add(hd_simplifier *s, hd_linear *a, const hd_linear *b, hd_amount factor);
void hd_linear_add_term(hd_simplifier *s, hd_linear *a, hd_affine atom, hd_amount coefficient);
/* The coefficient of |atom|, 0 when it has none. */
hd_amount hd_linear_coefficient(const hd_linear *a, hd_affine atom);
bool hd_linear_same_terms(hd_simplifier *s, const hd_linear *a, const hd_linear *b);

hd_amount_range hd_linear_range(hd_simplifier *s, const hd_linear *sum);

/* Floor of sum / by, and what remains; |by| is known to be at least 1. */
hd_linear *hd_linear_divide(hd_simplifier *s, const hd_linear *sum, hd_amount by);
hd_linear *hd_linear_modulo(hd_simplifier *s, const hd_linear *sum, hd_amount by);
/* Joins quotients and remainders of one expression: (x floordiv 8) * 8 + x mod 8 is x, x - (x floordiv 8) * 8 is x mod
 * 8, ((x floordiv 8) mod 4) * 8 + x mod 8 is x mod 32. */
hd_linear *hd_linear_join(hd_simplifier *s, hd_linear *sum);

/* The order of sums: constants last, else as XLA writes them. */
int hd_index_compare(hd_affine a, hd_affine b);

#endif
