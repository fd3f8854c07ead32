/* SPDX-License-Identifier: Apache-2.0 */
/* Between what a sum is, from the ranges of the map's variables and from what its constraints say. */
#include "analysis/indexing/linear.h"

static hd_amount bound(int64_t value) {
  return value == INT64_MIN || value == INT64_MAX ? (hd_amount){0} : hd_amount_of(value);
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); }

static hd_amount_range range_of_variable(hd_simplifier *s, hd_affine atom) {
  const hd_index_variable *v = hd_index_variable_of(s->map, atom);
  if (!v) return (hd_amount_range){0};
  hd_amount_range range = {bound(v->range.lower), bound(v->range.upper)};
  if (!v->limit) return range;
  hd_amount last = hd_amount_sub(s->in, hd_amount_of_dim(s->in, hd_index_to_dim(s->in, v->limit)), hd_amount_of(1));
  if (!range.upper.known || hd_amount_at_most(s->in, last, range.upper)) range.upper = last;
  return range;
}

static hd_amount divided(hd_amount x, hd_amount by) {
  return hd_amount_is_number(x) && hd_amount_is_number(by) ? hd_amount_of(floor_div(x.value, by.value))
                                                           : (hd_amount){0};
}

static hd_amount_range range_of_quotient(hd_simplifier *s, hd_amount_range x, hd_amount by) {
  hd_amount_range range = {divided(x.lower, by), divided(x.upper, by)};
  if (range.lower.known && range.upper.known) return range;
  bool natural = hd_amount_lower(x.lower) >= 0;
  if (!range.lower.known && natural) range.lower = hd_amount_of(0);
  if (range.upper.known) return range;
  hd_amount count = hd_amount_exact_div(s->in, hd_amount_add(s->in, x.upper, hd_amount_of(1)), by);
  if (count.known)
    range.upper = hd_amount_sub(s->in, count, hd_amount_of(1));
  else if (natural)
    range.upper = x.upper; /* dividing makes a number of 0 or more no larger */
  return range;
}

static hd_amount_range range_of_rest(hd_simplifier *s, hd_amount_range x, hd_amount by) {
  hd_amount_range range = {hd_amount_of(0), hd_amount_sub(s->in, by, hd_amount_of(1))};
  if (hd_amount_lower(x.lower) >= 0 && hd_amount_at_most(s->in, x.upper, range.upper)) range.upper = x.upper;
  return range;
}

static hd_amount_range range_of_product(hd_simplifier *s, hd_amount_range x, hd_amount_range y) {
  const hd_amount xs[] = {x.lower, x.upper}, ys[] = {y.lower, y.upper};
  hd_amount_range range = {0};
  for (int i = 0; i < 4; ++i) {
    hd_amount product = hd_amount_mul(s->in, xs[i / 2], ys[i % 2]);
    if (!hd_amount_is_number(product)) return (hd_amount_range){0};
    if (!i || product.value < range.lower.value) range.lower = product;
    if (!i || product.value > range.upper.value) range.upper = product;
  }
  return range;
}

static hd_amount_range range_of_atom(hd_simplifier *s, hd_affine atom) {
  if (atom->kind == HD_AFFINE_DIM || atom->kind == HD_AFFINE_SYMBOL) return range_of_variable(s, atom);
  if (s->depth >= HD_INDEX_MAX_DEPTH) return (hd_amount_range){0};
  ++s->depth;
  hd_amount_range range = {0};
  const hd_linear *lhs = hd_linear_of(s, atom->lhs), *rhs = hd_linear_of(s, atom->rhs);
  bool divides = !rhs->terms.len && hd_amount_divides(rhs->constant);
  if (atom->kind == HD_AFFINE_FLOORDIV && divides)
    range = range_of_quotient(s, hd_linear_range(s, lhs), rhs->constant);
  else if (atom->kind == HD_AFFINE_MOD && divides)
    range = range_of_rest(s, hd_linear_range(s, lhs), rhs->constant);
  else if (atom->kind == HD_AFFINE_MUL && lhs->terms.len && rhs->terms.len && lhs->terms.data[0].atom != atom)
    range = range_of_product(s, hd_linear_range(s, lhs), hd_linear_range(s, rhs));
  --s->depth;
  return range;
}

static hd_amount_range cached_range(hd_simplifier *s, hd_affine atom) {
  hd_amount_range *known = hd_map_get(&s->ranges, atom);
  if (known) return *known;
  hd_amount_range range = range_of_atom(s, atom);
  known = hd_new(s->arena, hd_amount_range);
  *known = range;
  hd_map_set(s->arena, &s->ranges, atom, known);
  return range;
}

/* The tighter of two bounds where that is seen, else |a|. */
static void narrow(hd_simplifier *s, hd_amount_range *range, hd_amount lower, hd_amount upper) {
  if (!range->lower.known || hd_amount_at_most(s->in, range->lower, lower))
    range->lower = lower.known ? lower : range->lower;
  if (!range->upper.known || hd_amount_at_most(s->in, upper, range->upper))
    range->upper = upper.known ? upper : range->upper;
}

hd_amount_range hd_linear_range(hd_simplifier *s, const hd_linear *sum) {
  hd_amount_range range = {sum->constant, sum->constant};
  for (size_t i = 0; i < sum->terms.len && (range.lower.known || range.upper.known); ++i) {
    hd_amount_range atom = cached_range(s, sum->terms.data[i].atom);
    hd_amount c = sum->terms.data[i].coefficient;
    bool up = hd_amount_lower(c) >= 0, down = hd_amount_upper(c) <= 0;
    hd_amount low = up     ? atom.lower
                    : down ? atom.upper
                           : (hd_amount){0},
              high = up     ? atom.upper
                     : down ? atom.lower
                            : (hd_amount){0};
    range.lower = hd_amount_add(s->in, range.lower, hd_amount_mul(s->in, low, c));
    range.upper = hd_amount_add(s->in, range.upper, hd_amount_mul(s->in, high, c));
  }
  for (uint32_t i = 0; i < s->fact_count; ++i)
    if (hd_linear_same_terms(s, sum, s->facts[i].sum))
      narrow(s, &range, hd_amount_add(s->in, bound(s->facts[i].range.lower), sum->constant),
             hd_amount_add(s->in, bound(s->facts[i].range.upper), sum->constant));
  return range;
}
