/* SPDX-License-Identifier: Apache-2.0 */
/* Quotients and remainders of sums. |by| is what may be divided by. What is used, in this order:
 *
 *   ranges        x floordiv n is 0 and x mod n is x where x is known to be in [0, n)
 *   multiples     (n * a + b) floordiv n is a + b floordiv n
 *   nesting       (x floordiv a) floordiv b is x floordiv (a * b); (x mod (a * b)) floordiv b is (x floordiv b) mod a;
 *                 (x mod (a * b)) mod b is x mod b
 *   digits        (g * a + b) floordiv (g * n), b known to be in [0, g), is a floordiv n; mod, it is g * (a mod n) + b
 *   joining       (k * (x floordiv a) + x mod a) mod n, k and a the same modulo n, is x mod n */
#include "analysis/indexing/linear.h"

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); }

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Is sum floordiv |by| one number wherever the variables are? */
static bool one_quotient(hd_simplifier *s, const hd_linear *sum, hd_amount by, int64_t *out) {
  hd_amount_range r = hd_linear_range(s, sum);
  if (hd_amount_is_number(r.lower) && hd_amount_is_number(r.upper) && !by.dim) {
    *out = floor_div(r.lower.value, by.value);
    return r.lower.value <= r.upper.value && *out == floor_div(r.upper.value, by.value);
  }
  *out = 0;
  return hd_amount_lower(r.lower) >= 0 && hd_amount_at_most(s->in, r.upper, hd_amount_sub(s->in, by, hd_amount_of(1)));
}

static hd_linear *number(hd_simplifier *s, int64_t value) {
  hd_linear *sum = hd_linear_new(s);
  sum->constant = hd_amount_of(value);
  return sum;
}

/* The amount of a divisor that is in an atom; not known when it is none, or may be 0. */
static hd_amount divisor_of(hd_simplifier *s, hd_affine atom) {
  const hd_linear *by = hd_linear_of(s, atom->rhs);
  return by->known && !by->terms.len && hd_amount_divides(by->constant) ? by->constant : (hd_amount){0};
}

/* sum = multiple * by + rest, what is seen to be a multiple of |by| in |multiple|; whether anything is. */
static bool split(hd_simplifier *s, const hd_linear *sum, hd_amount by, hd_linear **multiple, hd_linear **rest) {
  *multiple = hd_linear_new(s);
  *rest = hd_linear_new(s);
  for (size_t i = 0; i < sum->terms.len; ++i) {
    hd_amount c = sum->terms.data[i].coefficient, part = hd_amount_exact_div(s->in, c, by);
    hd_linear_add_term(s, part.known ? *multiple : *rest, sum->terms.data[i].atom, part.known ? part : c);
  }
  hd_amount part = hd_amount_exact_div(s->in, sum->constant, by);
  if (part.known) {
    (*multiple)->constant = part;
  } else if (hd_amount_is_number(sum->constant) && !by.dim) {
    (*multiple)->constant = hd_amount_of(sum->constant.value / by.value);
    (*rest)->constant = hd_amount_of(sum->constant.value % by.value);
  } else {
    (*rest)->constant = sum->constant;
  }
  return (*multiple)->terms.len || !hd_amount_is((*multiple)->constant, 0);
}

/* sum = by_unit * unit + digit with the digit in [0, unit). */
static bool split_digit(hd_simplifier *s, const hd_linear *sum, hd_amount unit, hd_linear **high, hd_linear **digit) {
  int64_t shift;
  split(s, sum, unit, high, digit);
  if (!one_quotient(s, *digit, unit, &shift)) return false;
  (*high)->constant = hd_amount_add(s->in, (*high)->constant, hd_amount_of(shift));
  (*digit)->constant = hd_amount_sub(s->in, (*digit)->constant, hd_amount_mul(s->in, unit, hd_amount_of(shift)));
  return (*high)->constant.known && (*digit)->constant.known;
}

/* A unit above 1 that divides |by|, in which |sum| splits into digits; the largest that a coefficient offers. */
static bool find_digit(hd_simplifier *s, const hd_linear *sum, hd_amount by, hd_amount *unit, hd_linear **high,
                       hd_linear **digit) {
  for (int64_t below = INT64_MAX;;) {
    int64_t best = 1;
    for (size_t i = 0; i < sum->terms.len && !by.dim; ++i) {
      hd_amount c = sum->terms.data[i].coefficient;
      if (c.dim) continue;
      int64_t g = (int64_t)gcd(c.value < 0 ? 0 - (uint64_t)c.value : (uint64_t)c.value, (uint64_t)by.value);
      if (g > best && g < below) best = g;
    }
    if (best == 1) break;
    *unit = hd_amount_of(best);
    if (split_digit(s, sum, *unit, high, digit)) return true;
    below = best;
  }
  for (size_t i = 0; i < sum->terms.len && by.dim; ++i) {
    *unit = sum->terms.data[i].coefficient;
    if (!hd_amount_divides(*unit) || hd_amount_is(*unit, 1) || !hd_amount_exact_div(s->in, by, *unit).known) continue;
    if (split_digit(s, sum, *unit, high, digit)) return true;
  }
  return false;
}

/* |kind| of |sum| and |by| as an atom. */
static hd_linear *opaque(hd_simplifier *s, hd_affine_kind kind, const hd_linear *sum, hd_amount by) {
  hd_affine lhs = hd_linear_expr(s, sum), rhs = hd_index_of_dim(s->in, hd_amount_dim(s->in, by));
  hd_linear *unknown = hd_linear_new(s);
  unknown->known = false;
  if (!lhs || !rhs) return unknown;
  hd_affine atom = hd_affine_binary(s->in->context, kind, lhs, rhs);
  /* The uniqued form may be a simpler one. */
  if (atom->kind == HD_AFFINE_FLOORDIV || atom->kind == HD_AFFINE_MOD) return hd_linear_atom(s, atom);
  return hd_linear_copy(s, hd_linear_of(s, atom));
}

/* The one atom of |sum|, of |kind|, alone or with a constant; null: it is none. */
static hd_affine single(const hd_linear *sum, hd_affine_kind kind) {
  if (sum->terms.len != 1 || !hd_amount_is(sum->terms.data[0].coefficient, 1)) return NULL;
  return sum->terms.data[0].atom->kind == kind ? sum->terms.data[0].atom : NULL;
}

static hd_linear *divide_nested(hd_simplifier *s, const hd_linear *sum, hd_amount by) {
  hd_affine inner = single(sum, HD_AFFINE_FLOORDIV);
  hd_amount a = inner ? divisor_of(s, inner) : (hd_amount){0}, whole = hd_amount_mul(s->in, a, by);
  if (hd_amount_divides(whole)) {
    hd_linear *shifted = hd_linear_copy(s, hd_linear_of(s, inner->lhs));
    shifted->constant = hd_amount_add(s->in, shifted->constant, hd_amount_mul(s->in, sum->constant, a));
    if (shifted->constant.known) return hd_linear_divide(s, shifted, whole);
  }
  inner = hd_amount_is(sum->constant, 0) ? single(sum, HD_AFFINE_MOD) : NULL;
  hd_amount left = inner ? hd_amount_exact_div(s->in, divisor_of(s, inner), by) : (hd_amount){0};
  if (!hd_amount_divides(left)) return NULL;
  return hd_linear_modulo(s, hd_linear_divide(s, hd_linear_of(s, inner->lhs), by), left);
}

static hd_linear *divide(hd_simplifier *s, const hd_linear *sum, hd_amount by) {
  int64_t q;
  hd_linear *high, *low;
  if (one_quotient(s, sum, by, &q)) return number(s, q);
  if (split(s, sum, by, &high, &low)) {
    hd_linear_add(s, high, hd_linear_divide(s, low, by), hd_amount_of(1));
    return high;
  }
  hd_linear *nested = divide_nested(s, sum, by);
  if (nested) return nested;
  hd_amount unit;
  if (find_digit(s, sum, by, &unit, &high, &low))
    return hd_linear_divide(s, high, hd_amount_exact_div(s->in, by, unit));
  return opaque(s, HD_AFFINE_FLOORDIV, sum, by);
}

/* |sum| with what |by| divides left out, and remainders taken out of each other; |coefficients|: what remains of those
 * that are larger. Null when nothing changes. */
static hd_linear *reduce(hd_simplifier *s, const hd_linear *sum, hd_amount by, bool coefficients) {
  hd_linear *reduced = hd_linear_new(s);
  bool changed = false;
  for (size_t i = 0; i < sum->terms.len; ++i) {
    hd_affine atom = sum->terms.data[i].atom;
    hd_amount c = sum->terms.data[i].coefficient;
    if (hd_amount_exact_div(s->in, c, by).known) {
      changed = true;
      continue;
    }
    if (coefficients && hd_amount_is_number(c) && !by.dim && (c.value >= by.value || c.value <= -by.value)) {
      c = hd_amount_of(c.value % by.value);
      changed = true;
    }
    hd_amount inner = atom->kind == HD_AFFINE_MOD ? divisor_of(s, atom) : (hd_amount){0};
    if (hd_amount_exact_div(s->in, hd_amount_mul(s->in, inner, c), by).known) {
      hd_linear_add(s, reduced, hd_linear_of(s, atom->lhs), c);
      changed = true;
    } else {
      hd_linear_add_term(s, reduced, atom, c);
    }
  }
  hd_amount constant = sum->constant;
  if (!hd_amount_is(constant, 0) && hd_amount_exact_div(s->in, constant, by).known) constant = hd_amount_of(0);
  if (hd_amount_is_number(constant) && !by.dim) constant = hd_amount_of(constant.value % by.value);
  changed |= !hd_amount_equal(s->in, constant, sum->constant);
  reduced->constant = hd_amount_add(s->in, reduced->constant, constant);
  reduced->known &= reduced->constant.known;
  return changed && reduced->known ? reduced : NULL;
}

/* (k * (x floordiv a) + c * (x mod a)) mod |by|, k and c * a the same modulo |by|, is (c * x) mod |by|; null: |sum| is
 * no such thing. So digits join whose coefficients were reduced before. */
static hd_linear *join_congruent(hd_simplifier *s, const hd_linear *sum, hd_affine atom, hd_amount c, hd_amount by) {
  hd_amount a = atom->kind == HD_AFFINE_MOD ? divisor_of(s, atom) : (hd_amount){0};
  hd_amount factor = hd_amount_mul(s->in, c, a), minus = hd_amount_of(-1);
  if (!a.known || !hd_amount_is_number(factor) || by.dim) return NULL;
  const hd_linear *x = hd_linear_of(s, atom->lhs), *quotient = hd_linear_divide(s, x, a);
  if (!x->known || !quotient->known || !quotient->terms.len) return NULL;
  hd_linear *joined = hd_linear_copy(s, sum);
  for (size_t i = 0; i < quotient->terms.len; ++i) {
    hd_affine part = quotient->terms.data[i].atom;
    hd_amount k = hd_linear_coefficient(sum, part),
              wanted = hd_amount_mul(s->in, quotient->terms.data[i].coefficient, factor),
              over = hd_amount_sub(s->in, k, wanted);
    if (hd_amount_is(k, 0) || !hd_amount_is_number(over) || over.value % by.value) return NULL;
    hd_linear_add_term(s, joined, part, hd_amount_mul(s->in, k, minus));
  }
  hd_linear_add_term(s, joined, atom, hd_amount_mul(s->in, c, minus));
  hd_linear_add(s, joined, x, c);
  joined->constant = hd_amount_sub(s->in, joined->constant, hd_amount_mul(s->in, factor, quotient->constant));
  return joined->known && joined->constant.known && joined->terms.len < sum->terms.len ? joined : NULL;
}

static hd_linear *modulo(hd_simplifier *s, const hd_linear *sum, hd_amount by) {
  int64_t q;
  hd_linear *high, *low;
  if (one_quotient(s, sum, by, &q)) {
    hd_linear *rest = hd_linear_copy(s, sum);
    rest->constant = hd_amount_sub(s->in, rest->constant, hd_amount_mul(s->in, by, hd_amount_of(q)));
    rest->known &= rest->constant.known;
    return rest;
  }
  hd_linear *reduced = reduce(s, sum, by, false); /* joined while a digit's coefficient tells whose digit it is */
  if (reduced) return hd_linear_modulo(s, hd_linear_join(s, reduced), by);
  for (size_t i = 0; i < sum->terms.len && sum->terms.len > 1 && !reduced; ++i)
    reduced = join_congruent(s, sum, sum->terms.data[i].atom, sum->terms.data[i].coefficient, by);
  if (!reduced) reduced = reduce(s, sum, by, true);
  if (reduced) return hd_linear_modulo(s, reduced, by);
  hd_amount unit;
  if (find_digit(s, sum, by, &unit, &high, &low)) {
    hd_linear_add(s, low, hd_linear_modulo(s, high, hd_amount_exact_div(s->in, by, unit)), unit);
    return hd_linear_join(s, low);
  }
  return opaque(s, HD_AFFINE_MOD, sum, by);
}

static hd_linear *guarded(hd_simplifier *s, const hd_linear *sum, hd_amount by, hd_affine_kind kind) {
  if (!sum->known || !by.known) {
    hd_linear *unknown = hd_linear_new(s);
    unknown->known = false;
    return unknown;
  }
  if (s->depth >= HD_INDEX_MAX_DEPTH) return opaque(s, kind, sum, by);
  ++s->depth;
  hd_linear *result = (kind == HD_AFFINE_MOD ? modulo : divide)(s, sum, by);
  --s->depth;
  return result;
}

hd_linear *hd_linear_divide(hd_simplifier *s, const hd_linear *sum, hd_amount by) {
  return hd_amount_is(by, 1) ? hd_linear_copy(s, sum) : guarded(s, sum, by, HD_AFFINE_FLOORDIV);
}

hd_linear *hd_linear_modulo(hd_simplifier *s, const hd_linear *sum, hd_amount by) {
  return hd_amount_is(by, 1) ? number(s, 0) : guarded(s, sum, by, HD_AFFINE_MOD);
}

/* ---- joining ---- */

/* Does |sum| have each term of |part|, times |factor|? */
static bool has_part(hd_simplifier *s, const hd_linear *sum, const hd_linear *part, hd_amount factor) {
  if (!part->known || !factor.known || !part->terms.len) return false;
  for (size_t i = 0; i < part->terms.len; ++i)
    if (!hd_amount_equal(s->in, hd_linear_coefficient(sum, part->terms.data[i].atom),
                         hd_amount_mul(s->in, part->terms.data[i].coefficient, factor)))
      return false;
  return true;
}

/* x = by * (x floordiv by) + x mod by, where |sum| has two of the three; null: it has not. */
static hd_linear *join_at(hd_simplifier *s, const hd_linear *sum, hd_affine atom, hd_amount c) {
  if (atom->kind != HD_AFFINE_MOD && atom->kind != HD_AFFINE_FLOORDIV) return NULL;
  hd_amount by = divisor_of(s, atom), minus = hd_amount_of(-1);
  if (!by.known) return NULL;
  const hd_linear *x = hd_linear_of(s, atom->lhs);
  bool is_rest = atom->kind == HD_AFFINE_MOD;
  hd_amount factor =
      is_rest ? hd_amount_mul(s->in, c, by) : hd_amount_exact_div(s->in, hd_amount_mul(s->in, c, minus), by);
  const hd_linear *other = is_rest ? hd_linear_divide(s, x, by) : x;
  if (!has_part(s, sum, other, factor)) return NULL;
  hd_linear *joined = hd_linear_copy(s, sum);
  hd_linear_add_term(s, joined, atom, hd_amount_mul(s->in, c, minus));
  hd_linear_add(s, joined, other, hd_amount_mul(s->in, factor, minus));
  hd_linear_add(s, joined, is_rest ? x : hd_linear_modulo(s, x, by), is_rest ? c : factor);
  return joined->known ? joined : NULL;
}

/* by * ((x floordiv by) mod n) + x mod by is x mod (by * n); null where |sum| has no such part, or nothing is gained.
 */
static hd_linear *join_digits(hd_simplifier *s, const hd_linear *sum, hd_affine atom, hd_amount c) {
  hd_amount by = atom->kind == HD_AFFINE_MOD ? divisor_of(s, atom) : (hd_amount){0};
  hd_amount factor = hd_amount_mul(s->in, c, by), minus = hd_amount_of(-1);
  if (!by.known || !factor.known) return NULL;
  const hd_linear *x = hd_linear_of(s, atom->lhs), *quotient = NULL;
  for (size_t i = 0; i < sum->terms.len; ++i) {
    hd_affine high = sum->terms.data[i].atom;
    if (high->kind != HD_AFFINE_MOD || !hd_amount_equal(s->in, sum->terms.data[i].coefficient, factor)) continue;
    hd_amount whole = hd_amount_mul(s->in, divisor_of(s, high), by);
    if (!quotient) quotient = hd_linear_divide(s, x, by);
    const hd_linear *q = hd_linear_of(s, high->lhs);
    if (!hd_amount_divides(whole) || !quotient->known || !hd_linear_same_terms(s, quotient, q) ||
        !hd_amount_equal(s->in, quotient->constant, q->constant))
      continue;
    hd_linear *joined = hd_linear_copy(s, sum);
    hd_linear_add_term(s, joined, atom, hd_amount_mul(s->in, c, minus));
    hd_linear_add_term(s, joined, high, hd_amount_mul(s->in, factor, minus));
    hd_linear_add(s, joined, hd_linear_modulo(s, x, whole), c);
    if (joined->known && joined->terms.len < sum->terms.len) return joined;
  }
  return NULL;
}

hd_linear *hd_linear_join(hd_simplifier *s, hd_linear *sum) {
  for (int round = 0; round < 64 && sum->known && sum->terms.len > 1; ++round) {
    hd_linear *joined = NULL;
    for (size_t i = 0; i < sum->terms.len && !joined; ++i)
      joined = join_at(s, sum, sum->terms.data[i].atom, sum->terms.data[i].coefficient);
    for (size_t i = 0; i < sum->terms.len && !joined; ++i)
      joined = join_digits(s, sum, sum->terms.data[i].atom, sum->terms.data[i].coefficient);
    if (!joined) break;
    sum = joined;
  }
  return sum;
}
