/* SPDX-License-Identifier: Apache-2.0 */
/* A map in its one form. Constraints become ranges of variables where they are about one, and go where the ranges imply
 * them; what is left is simplified with the ranges, results with the constraints too. Rounds until nothing changes: a
 * range that became smaller may settle another constraint. */
#include <stdlib.h>

#include "analysis/indexing/linear.h"

enum { MAX_ROUNDS = 16 };

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); }

static bool is_bound(int64_t value) { return value != INT64_MIN && value != INT64_MAX; }

/* The bounds less |offset|; false when that overflows. */
static bool shift(hd_index_range *range, int64_t offset) {
  hd_index_range moved = *range;
  if (is_bound(range->lower) && __builtin_sub_overflow(range->lower, offset, &moved.lower)) return false;
  if (is_bound(range->upper) && __builtin_sub_overflow(range->upper, offset, &moved.upper)) return false;
  *range = moved;
  return true;
}

/* Bounds of x from those of x * factor, |factor| not 0. */
static void unscale(hd_index_range *range, int64_t factor) {
  hd_index_range r = *range;
  if (factor == INT64_MIN) return;
  if (factor < 0) {
    r.lower = range->upper == INT64_MAX ? INT64_MIN : range->upper == INT64_MIN ? INT64_MAX : -range->upper;
    r.upper = range->lower == INT64_MIN ? INT64_MAX : range->lower == INT64_MAX ? INT64_MIN : -range->lower;
    factor = -factor;
  }
  if (is_bound(r.lower)) r.lower = -floor_div(-r.lower, factor);
  if (is_bound(r.upper)) r.upper = floor_div(r.upper, factor);
  *range = r;
}

static bool narrow(hd_index_range *range, hd_index_range by) {
  hd_index_range old = *range;
  if (by.lower > range->lower) range->lower = by.lower;
  if (by.upper < range->upper) range->upper = by.upper;
  return old.lower != range->lower || old.upper != range->upper;
}

/* A constraint on the way: terms in |range|, a constant only where it has sizes. */
typedef struct pending {
  hd_linear *sum;
  hd_index_range range;
} pending;

/* The greatest number that divides every coefficient; 1 when there is none, or a size among them. */
static int64_t common_factor(const hd_linear *sum) {
  uint64_t g = 0;
  if (sum->constant.dim) return 1;
  for (size_t i = 0; i < sum->terms.len; ++i) {
    hd_amount c = sum->terms.data[i].coefficient;
    if (c.dim || c.value == INT64_MIN) return 1;
    uint64_t x = (uint64_t)llabs(c.value);
    while (x) {
      uint64_t rest = g % x;
      g = x;
      x = rest;
    }
  }
  return g ? (int64_t)g : 1;
}

/* Moves the number of the constant and the common factor into the range. */
static void normalise(hd_simplifier *s, pending *p) {
  if (hd_amount_is_number(p->sum->constant) && shift(&p->range, p->sum->constant.value))
    p->sum->constant = hd_amount_of(0);
  int64_t g = hd_amount_is(p->sum->constant, 0) ? common_factor(p->sum) : 1;
  if (p->sum->terms.len == 1 && p->sum->terms.data[0].coefficient.value < 0 && g != 1) g = -g;
  if (p->sum->terms.len == 1 && hd_amount_is(p->sum->terms.data[0].coefficient, -1) &&
      hd_amount_is(p->sum->constant, 0))
    g = -1;
  if (g == 1) return;
  for (size_t i = 0; i < p->sum->terms.len; ++i)
    p->sum->terms.data[i].coefficient = hd_amount_exact_div(s->in, p->sum->terms.data[i].coefficient, hd_amount_of(g));
  unscale(&p->range, g);
}

/* x floordiv n in [a, b] is x in [a * n, b * n + n - 1]. False when that overflows or it is no such thing. */
static bool open_quotient(hd_simplifier *s, pending *p) {
  if (p->sum->terms.len != 1 || !hd_amount_is(p->sum->terms.data[0].coefficient, 1) ||
      !hd_amount_is(p->sum->constant, 0))
    return false;
  hd_affine atom = p->sum->terms.data[0].atom;
  if (atom->kind != HD_AFFINE_FLOORDIV || atom->rhs->kind != HD_AFFINE_CONST || atom->rhs->value < 1) return false;
  int64_t n = atom->rhs->value;
  hd_index_range r = p->range;
  if (is_bound(r.lower) && __builtin_mul_overflow(r.lower, n, &r.lower)) return false;
  if (is_bound(r.upper) && (__builtin_mul_overflow(r.upper, n, &r.upper) ||
                            __builtin_add_overflow(r.upper, n - 1, &r.upper) || r.upper == INT64_MAX))
    return false;
  p->sum = hd_linear_copy(s, hd_linear_of(s, atom->lhs));
  p->range = r;
  return true;
}

/* Does |p| hold, or fail, wherever the variables are? */
static bool always(hd_simplifier *s, const pending *p, bool *out_never) {
  hd_amount_range r = hd_linear_range(s, p->sum);
  hd_amount lower = hd_amount_of(p->range.lower), upper = hd_amount_of(p->range.upper);
  *out_never = p->range.lower > p->range.upper ||
               (r.upper.known && hd_amount_at_most(s->in, hd_amount_add(s->in, r.upper, hd_amount_of(1)), lower)) ||
               (r.lower.known && hd_amount_at_most(s->in, hd_amount_add(s->in, upper, hd_amount_of(1)), r.lower));
  return (p->range.lower == INT64_MIN || hd_amount_at_most(s->in, lower, r.lower)) &&
         (p->range.upper == INT64_MAX || hd_amount_at_most(s->in, r.upper, upper));
}

/* The variable that |expr| is, if its range may become smaller. That of a runtime variable says to what its value is
 * clamped; that the value is in a part of it is a condition. */
static hd_index_variable *narrowable(hd_index_map *map, hd_affine expr) {
  hd_index_variable *v = hd_index_variable_of(map, expr);
  return v && v - map->variables < map->dim_count + map->range_count ? v : NULL;
}

/* Makes the bounds of |v| ones that leave |remainder| modulo |n|. */
static bool narrow_to_multiples(hd_index_variable *v, int64_t n, int64_t remainder) {
  hd_index_range r = v->range;
  int64_t offset, value;
  if (is_bound(r.lower) && !__builtin_sub_overflow(remainder, r.lower, &offset)) {
    int64_t up = offset % n + (offset % n < 0 ? n : 0);
    if (!__builtin_add_overflow(r.lower, up, &value)) r.lower = value;
  }
  if (is_bound(r.upper) && !__builtin_sub_overflow(r.upper, remainder, &offset)) {
    int64_t down = offset % n + (offset % n < 0 ? n : 0);
    if (!__builtin_sub_overflow(r.upper, down, &value)) r.upper = value;
  }
  return narrow(&v->range, r);
}

/* x mod n in [k, k], where x is a variable and a number. The constraint stays. */
static bool use_remainder(hd_simplifier *s, hd_index_map *map, const pending *p) {
  if (p->sum->terms.len != 1 || p->range.lower != p->range.upper || !hd_amount_is(p->sum->constant, 0) ||
      !hd_amount_is(p->sum->terms.data[0].coefficient, 1))
    return false;
  hd_affine atom = p->sum->terms.data[0].atom;
  if (atom->kind != HD_AFFINE_MOD || atom->rhs->kind != HD_AFFINE_CONST || atom->rhs->value < 2) return false;
  const hd_linear *x = hd_linear_of(s, atom->lhs);
  hd_index_variable *v =
      x->terms.len == 1 && hd_amount_is(x->terms.data[0].coefficient, 1) && hd_amount_is_number(x->constant)
          ? narrowable(map, x->terms.data[0].atom)
          : NULL;
  int64_t remainder;
  if (!v || __builtin_sub_overflow(p->range.lower, x->constant.value, &remainder)) return false;
  return narrow_to_multiples(v, atom->rhs->value, remainder);
}

/* A bound that has sizes: v + constant <= upper, as a limit. True when the upper bound of |p| says no more. */
static bool use_limit(hd_simplifier *s, hd_index_variable *v, pending *p, bool *changed) {
  if (p->range.upper == INT64_MAX) return true;
  hd_amount limit =
      hd_amount_sub(s->in, hd_amount_add(s->in, hd_amount_of(p->range.upper), hd_amount_of(1)), p->sum->constant);
  hd_affine expr = limit.known ? hd_index_of_dim(s->in, hd_amount_dim(s->in, limit)) : NULL;
  if (!expr) return false;
  hd_amount last = hd_amount_sub(s->in, limit, hd_amount_of(1));
  if (is_bound(v->range.upper) && hd_amount_at_most(s->in, hd_amount_of(v->range.upper), last)) return true;
  if (v->limit) {
    hd_amount old = hd_amount_of_dim(s->in, hd_index_to_dim(s->in, v->limit));
    if (hd_amount_at_most(s->in, old, limit)) return true;
    if (!hd_amount_at_most(s->in, limit, old)) return false;
  }
  v->limit = expr;
  int64_t most = hd_amount_upper(last);
  narrow(&v->range, (hd_index_range){INT64_MIN, most});
  return *changed = true;
}

/* Takes |p| into the range of the variable that it is about. True when nothing is left of it. */
static bool use_variable(hd_simplifier *s, hd_index_map *map, pending *p, bool *changed) {
  if (p->sum->terms.len != 1 || !hd_amount_is(p->sum->terms.data[0].coefficient, 1)) return false;
  hd_index_variable *v = narrowable(map, p->sum->terms.data[0].atom);
  if (!v) return false;
  if (hd_amount_is(p->sum->constant, 0)) {
    *changed |= narrow(&v->range, p->range);
    return true;
  }
  if (use_limit(s, v, p, changed)) p->range.upper = INT64_MAX;
  hd_amount least = hd_amount_sub(s->in, hd_amount_of(p->range.lower), p->sum->constant);
  if (p->range.lower == INT64_MIN || hd_amount_at_most(s->in, least, hd_amount_of(v->range.lower)))
    p->range.lower = INT64_MIN;
  return p->range.lower == INT64_MIN && p->range.upper == INT64_MAX;
}

/* One constraint; true when it stays, as |*c|. */
static bool simplify_constraint(hd_simplifier *s, hd_index_map *map, hd_index_constraint *c, bool *changed) {
  pending p = {hd_linear_copy(s, hd_linear_of(s, c->expr)), c->range};
  bool never;
  do normalise(s, &p);
  while (open_quotient(s, &p));
  bool holds = always(s, &p, &never);
  map->is_empty |= never;
  if (holds || use_variable(s, map, &p, changed)) return false;
  *changed |= use_remainder(s, map, &p);
  hd_affine expr = hd_linear_expr(s, p.sum);
  if (expr) *c = (hd_index_constraint){expr, p.range};
  return true;
}

static hd_simplifier start(hd_index_map *map, hd_arena *arena) {
  return (hd_simplifier){.in = map->in, .map = map, .arena = arena};
}

static void check_ranges(hd_simplifier *s, hd_index_map *map) {
  for (uint32_t i = 0; i < hd_index_variable_count(map); ++i) {
    const hd_index_variable *v = &map->variables[i];
    hd_amount limit = v->limit ? hd_amount_of_dim(s->in, hd_index_to_dim(s->in, v->limit)) : (hd_amount){0};
    map->is_empty |= v->range.lower > v->range.upper || hd_amount_at_most(s->in, limit, hd_amount_of(v->range.lower));
  }
}

/* One round over the constraints; true when another one may do more. */
static bool simplify_domain(hd_index_map *map) {
  hd_arena arena;
  hd_scratch_init(&arena, NULL);
  hd_simplifier s = start(map, &arena);
  bool changed = false;
  uint32_t count = 0;
  check_ranges(&s, map);
  for (uint32_t i = 0; i < map->constraint_count && !map->is_empty; ++i) {
    hd_index_constraint c = map->constraints[i];
    if (!simplify_constraint(&s, map, &c, &changed)) continue;
    uint32_t same = 0;
    while (same < count && map->constraints[same].expr != c.expr) ++same;
    if (same < count)
      narrow(&map->constraints[same].range, c.range);
    else
      map->constraints[count++] = c;
  }
  changed |= count != map->constraint_count;
  map->constraint_count = count;
  hd_arena_free(&arena);
  return changed && !map->is_empty;
}

/* ---- results ---- */

static void simplify_results(hd_index_map *map) {
  hd_arena arena;
  hd_scratch_init(&arena, NULL);
  hd_simplifier plain = start(map, &arena), s = plain;
  hd_linear_fact *facts = hd_new_array(&arena, hd_linear_fact, map->constraint_count);
  for (uint32_t i = 0; i < map->constraint_count; ++i) {
    hd_linear *sum = hd_linear_copy(&plain, hd_linear_of(&plain, map->constraints[i].expr));
    hd_index_range range = map->constraints[i].range;
    if (!hd_amount_is_number(sum->constant) || !shift(&range, sum->constant.value)) continue;
    facts[s.fact_count++] = (hd_linear_fact){sum, range};
  }
  s.facts = facts;
  for (uint32_t i = 0; i < map->result_count; ++i) map->results[i] = hd_simplify(&s, map->results[i]);
  for (uint32_t i = 0; i < hd_index_variable_count(map); ++i) {
    hd_index_variable *v = &map->variables[i];
    hd_affine *index = v->index_count ? hd_new_array(map->in->arena, hd_affine, v->index_count) : NULL;
    for (uint32_t k = 0; k < v->index_count; ++k) index[k] = hd_simplify(&s, v->index[k]);
    v->index = index;
  }
  hd_arena_free(&arena);
}

/* ---- unused variables ---- */

static void mark(hd_affine e, bool *used) {
  if (e->lhs) {
    mark(e->lhs, used);
    mark(e->rhs, used);
  } else if (e->kind == HD_AFFINE_SYMBOL && e->value < HD_INDEX_SIZE) {
    used[e->value] = true;
  }
}

/* Has |v| a value whatever the sizes are? Else leaving it out would add elements. */
static bool has_value(hd_index_map *map, const hd_index_variable *v) {
  hd_dim limit = v->limit ? hd_index_to_dim(map->in, v->limit) : NULL;
  return v->range.lower <= v->range.upper && (!v->limit || hd_dim_lower(limit) > v->range.lower);
}

static void renumber(hd_index_map *map, const hd_affine *symbols) {
  hd_indexing *in = map->in;
  for (uint32_t i = 0; i < map->result_count; ++i)
    map->results[i] = hd_index_substitute(in, map->results[i], NULL, symbols);
  for (uint32_t i = 0; i < map->constraint_count; ++i)
    map->constraints[i].expr = hd_index_substitute(in, map->constraints[i].expr, NULL, symbols);
  for (uint32_t i = 0; i < hd_index_variable_count(map); ++i) {
    hd_affine *index = (hd_affine *)map->variables[i].index; /* made by simplify_results */
    for (uint32_t k = 0; k < map->variables[i].index_count; ++k)
      index[k] = hd_index_substitute(in, index[k], NULL, symbols);
  }
}

static void remove_unused(hd_index_map *map) {
  uint32_t symbols = map->range_count + map->runtime_count, kept_ranges = 0, kept = 0;
  bool *used = hd_new_array(map->in->arena, bool, symbols);
  for (uint32_t i = 0; i < map->result_count; ++i) mark(map->results[i], used);
  for (uint32_t i = 0; i < map->constraint_count; ++i) mark(map->constraints[i].expr, used);
  for (uint32_t i = 0; i < symbols; ++i) used[i] |= !has_value(map, &map->variables[map->dim_count + i]);
  for (uint32_t i = map->range_count; i < symbols; ++i) {
    const hd_index_variable *v = &map->variables[map->dim_count + i];
    for (uint32_t k = 0; used[i] && k < v->index_count; ++k) mark(v->index[k], used);
  }
  hd_affine *to = hd_new_array(map->in->arena, hd_affine, symbols);
  for (uint32_t i = 0; i < symbols; ++i) {
    if (!used[i]) continue;
    kept_ranges += i < map->range_count;
    map->variables[map->dim_count + kept] = map->variables[map->dim_count + i];
    to[i] = hd_affine_symbol(map->in->context, kept++);
  }
  if (kept == symbols) return;
  map->runtime_count = kept - kept_ranges;
  map->range_count = kept_ranges;
  renumber(map, to);
}

static int compare_constraints(const void *a, const void *b) {
  return hd_index_compare(((const hd_index_constraint *)a)->expr, ((const hd_index_constraint *)b)->expr);
}

hd_index_map *hd_index_map_simplify(hd_index_map *map) {
  if (!map) return NULL;
  for (int round = 0; round < MAX_ROUNDS && !map->is_empty && simplify_domain(map); ++round) {
  }
  if (map->is_empty) return map;
  simplify_results(map);
  remove_unused(map);
  qsort(map->constraints, map->constraint_count, sizeof *map->constraints, compare_constraints);
  for (uint32_t i = 0; i < map->result_count; ++i)
    if (hd_index_parts(map->results[i]) > HD_INDEX_MAX_PARTS) return NULL;
  return map;
}
