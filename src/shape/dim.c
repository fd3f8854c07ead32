/* SPDX-License-Identifier: Apache-2.0 */
/* Polynomials in their one form, and what follows from the bounds of their symbols. What is learnt of symbols is
 * dim_assume.c's. */
#include "shape/dim.h"

#include <string.h>

/* Of an expression: its terms, and its parts as a tree, of which the atoms of all terms are some. */
enum { MAX_TERMS = 256, MAX_SIZE = 300 };

void hd_dim_table_init(hd_dim_table *table, hd_arena *arena) {
  memset(table, 0, sizeof *table);
  table->arena = arena;
}

/* A polynomial under construction. */
typedef struct sum {
  int64_t constant;
  uint32_t count;
  bool failed;
  hd_dim_term terms[MAX_TERMS];
} sum;

static void start(sum *s) { s->constant = 0, s->count = 0, s->failed = false; }

static int compare_terms(const hd_dim_term *a, const hd_dim_term *b) {
  if (a->atom_count != b->atom_count) return a->atom_count < b->atom_count ? -1 : 1;
  for (uint32_t i = 0; i < a->atom_count; ++i)
    if (a->atoms[i] != b->atoms[i]) return a->atoms[i]->id < b->atoms[i]->id ? -1 : 1;
  return 0;
}

static void add_term(sum *s, hd_dim_term term) {
  if (s->failed || !term.coefficient) return;
  uint32_t at = 0;
  for (; at < s->count; ++at) {
    int order = compare_terms(&s->terms[at], &term);
    if (order > 0) break;
    if (order < 0) continue;
    s->failed |= __builtin_add_overflow(s->terms[at].coefficient, term.coefficient, &s->terms[at].coefficient);
    if (!s->terms[at].coefficient) memmove(&s->terms[at], &s->terms[at + 1], (--s->count - at) * sizeof term);
    return;
  }
  if (s->count == MAX_TERMS) {
    s->failed = true;
    return;
  }
  memmove(&s->terms[at + 1], &s->terms[at], (s->count++ - at) * sizeof term);
  s->terms[at] = term;
}

static void add_scaled(sum *s, hd_dim a, int64_t factor) {
  int64_t scaled = 0;
  s->failed |=
      __builtin_mul_overflow(a->constant, factor, &scaled) || __builtin_add_overflow(s->constant, scaled, &s->constant);
  for (uint32_t i = 0; i < a->term_count; ++i) {
    hd_dim_term term = a->terms[i];
    s->failed |= __builtin_mul_overflow(term.coefficient, factor, &term.coefficient);
    add_term(s, term);
  }
}

static hd_dim finish(hd_dim_table *table, sum *s) {
  if (s->failed) return NULL;
  uint32_t size = 1;
  bool data_dependent = false;
  for (uint32_t i = 0; i < s->count; ++i)
    for (uint32_t j = 0; j < s->terms[i].atom_count; ++j) {
      const hd_atom *atom = s->terms[i].atoms[j];
      size += atom->kind == HD_ATOM_SYMBOL ? 1 : atom->lhs->size + atom->rhs->size;
      data_dependent |= atom->data_dependent;
    }
  if (size > MAX_SIZE) return NULL;
  uint64_t key[1 + 2 * MAX_TERMS + MAX_SIZE];
  size_t n = 0;
  key[n++] = (uint64_t)s->constant;
  for (uint32_t i = 0; i < s->count; ++i) {
    key[n++] = (uint64_t)s->terms[i].coefficient;
    key[n++] = s->terms[i].atom_count;
    for (uint32_t j = 0; j < s->terms[i].atom_count; ++j) key[n++] = s->terms[i].atoms[j]->id;
  }
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(table->arena, &table->exprs, key, n * sizeof *key, &is_new);
  if (!is_new) return entry->value.ptr;
  struct hd_dim_expr *expr = hd_new(table->arena, struct hd_dim_expr);
  hd_dim_term *terms = hd_new_array(table->arena, hd_dim_term, s->count);
  memcpy(terms, s->terms, s->count * sizeof *terms);
  *expr = (struct hd_dim_expr){.constant = s->constant,
                               .term_count = s->count,
                               .terms = terms,
                               .id = (uint32_t)table->exprs.len,
                               .size = size,
                               .data_dependent = data_dependent,
                               .table = table};
  entry->value.ptr = expr;
  return expr;
}

hd_dim hd_dim_const(hd_dim_table *table, int64_t value) {
  sum s;
  start(&s);
  s.constant = value;
  return finish(table, &s);
}

hd_dim hd_dim_of_symbol(hd_dim_table *table, hd_atom *atom) {
  if (atom->alone) return atom->alone;
  hd_atom **atoms = hd_new_array(table->arena, hd_atom *, 1);
  atoms[0] = atom;
  sum s;
  start(&s);
  add_term(&s, (hd_dim_term){1, 1, atoms});
  return atom->alone = finish(table, &s);
}

static hd_atom *new_atom(hd_dim_table *table, hd_atom init) {
  hd_atom *atom = hd_new(table->arena, hd_atom);
  *atom = init;
  atom->id = (uint32_t)table->atoms.len;
  hd_vec_push(table->arena, &table->atoms, atom);
  return atom;
}

hd_dim hd_dim_symbol(hd_dim_table *table, const char *name, int64_t lower, int64_t upper, void *origin,
                     bool data_dependent) {
  return hd_dim_of_symbol(table, new_atom(table, (hd_atom){.kind = HD_ATOM_SYMBOL,
                                                           .name = hd_arena_copy(table->arena, name, strlen(name)),
                                                           .origin = origin,
                                                           .lower = lower,
                                                           .upper = upper,
                                                           .data_dependent = data_dependent}));
}

/* The atom of an operation, made once. */
static hd_dim operation(hd_dim_table *table, hd_atom_kind kind, hd_dim a, hd_dim b) {
  uint32_t key[3] = {kind, a->id, b->id};
  if (a->size + b->size > MAX_SIZE) return NULL;
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(table->arena, &table->operations, key, sizeof key, &is_new);
  if (is_new)
    entry->value.ptr = new_atom(
        table, (hd_atom){.kind = kind, .lhs = a, .rhs = b, .data_dependent = a->data_dependent || b->data_dependent});
  return hd_dim_of_symbol(table, entry->value.ptr);
}

hd_dim hd_dim_add(hd_dim_table *table, hd_dim a, hd_dim b) {
  if (!a || !b) return NULL;
  sum s;
  start(&s);
  add_scaled(&s, a, 1);
  add_scaled(&s, b, 1);
  return finish(table, &s);
}

hd_dim hd_dim_sub(hd_dim_table *table, hd_dim a, hd_dim b) {
  if (!a || !b) return NULL;
  sum s;
  start(&s);
  add_scaled(&s, a, 1);
  add_scaled(&s, b, -1);
  return finish(table, &s);
}

static void add_product(hd_dim_table *table, sum *s, const hd_dim_term *a, const hd_dim_term *b) {
  uint32_t count = a->atom_count + b->atom_count;
  int64_t coefficient;
  if (count > MAX_SIZE || __builtin_mul_overflow(a->coefficient, b->coefficient, &coefficient)) {
    s->failed = true;
    return;
  }
  hd_atom **atoms = hd_new_array(table->arena, hd_atom *, count);
  for (uint32_t i = 0, j = 0, n = 0; n < count;)
    atoms[n++] =
        j == b->atom_count || (i < a->atom_count && a->atoms[i]->id <= b->atoms[j]->id) ? a->atoms[i++] : b->atoms[j++];
  add_term(s, (hd_dim_term){coefficient, count, atoms});
}

hd_dim hd_dim_mul(hd_dim_table *table, hd_dim a, hd_dim b) {
  if (!a || !b) return NULL;
  sum s;
  start(&s);
  add_scaled(&s, a, b->constant);
  for (uint32_t j = 0; j < b->term_count; ++j) {
    hd_dim_term term = b->terms[j];
    s.failed |= __builtin_mul_overflow(term.coefficient, a->constant, &term.coefficient);
    add_term(&s, term);
    for (uint32_t i = 0; i < a->term_count; ++i) add_product(table, &s, &a->terms[i], &b->terms[j]);
  }
  return finish(table, &s);
}

static bool is_const(hd_dim a) { return a && a->term_count == 0; }

static hd_dim divide_by_const(hd_dim_table *table, hd_dim a, int64_t divisor) {
  if (divisor <= 0 || a->constant % divisor) return NULL;
  sum s;
  start(&s);
  s.constant = a->constant / divisor;
  for (uint32_t i = 0; i < a->term_count; ++i) {
    hd_dim_term term = a->terms[i];
    if (term.coefficient % divisor) return NULL;
    term.coefficient /= divisor;
    add_term(&s, term);
  }
  return finish(table, &s);
}

hd_dim hd_dim_exact_div(hd_dim_table *table, hd_dim a, hd_dim b) {
  return b && hd_dim_lower(b) >= 1 ? hd_dim_cofactor(table, a, b) : NULL;
}

hd_dim hd_dim_cofactor(hd_dim_table *table, hd_dim a, hd_dim b) {
  if (!a || !b) return NULL;
  if (is_const(b)) return divide_by_const(table, a, b->constant);
  if (a == b) return hd_dim_const(table, 1);
  /* By one term: it must divide every term. */
  if (b->term_count != 1 || b->terms[0].coefficient < 0 || b->constant || a->constant) return NULL;
  const hd_dim_term *divisor = &b->terms[0];
  sum s;
  start(&s);
  for (uint32_t i = 0; i < a->term_count; ++i) {
    const hd_dim_term *term = &a->terms[i];
    if (term->coefficient % divisor->coefficient) return NULL;
    hd_atom **atoms = hd_new_array(table->arena, hd_atom *, term->atom_count);
    uint32_t kept = 0, used = 0;
    for (uint32_t k = 0; k < term->atom_count; ++k)
      if (used < divisor->atom_count && term->atoms[k] == divisor->atoms[used])
        ++used;
      else
        atoms[kept++] = term->atoms[k];
    if (used != divisor->atom_count) return NULL;
    int64_t coefficient = term->coefficient / divisor->coefficient;
    if (kept)
      add_term(&s, (hd_dim_term){coefficient, kept, atoms});
    else
      s.failed |= __builtin_add_overflow(s.constant, coefficient, &s.constant);
  }
  return finish(table, &s);
}

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q - (a % b != 0 && ((a < 0) != (b < 0)));
}

/* 0 <= a < b */
static bool is_below(hd_dim_table *table, hd_dim a, hd_dim b) {
  hd_dim difference = hd_dim_sub(table, a, b);
  return hd_dim_lower(a) >= 0 && difference && hd_dim_upper(difference) < 0;
}

hd_dim hd_dim_floordiv(hd_dim_table *table, hd_dim a, hd_dim b) {
  if (!a || !b || hd_dim_lower(b) < 1) return NULL;
  if (is_const(a) && is_const(b)) return hd_dim_const(table, floor_div(a->constant, b->constant));
  hd_dim exact = hd_dim_exact_div(table, a, b);
  if (exact) return exact;
  return is_below(table, a, b) ? hd_dim_const(table, 0) : operation(table, HD_ATOM_FLOORDIV, a, b);
}

hd_dim hd_dim_ceildiv(hd_dim_table *table, hd_dim a, hd_dim b) {
  return hd_dim_floordiv(table, hd_dim_add(table, a, hd_dim_sub(table, b, hd_dim_const(table, 1))), b);
}

hd_dim hd_dim_mod(hd_dim_table *table, hd_dim a, hd_dim b) {
  if (!a || !b || hd_dim_lower(b) < 1) return NULL;
  if (is_const(a) && is_const(b))
    return hd_dim_const(table, a->constant - floor_div(a->constant, b->constant) * b->constant);
  if (hd_dim_exact_div(table, a, b)) return hd_dim_const(table, 0);
  return is_below(table, a, b) ? a : operation(table, HD_ATOM_MOD, a, b);
}

static hd_dim min_or_max(hd_dim_table *table, hd_dim a, hd_dim b, hd_atom_kind kind) {
  if (!a || !b) return NULL;
  hd_dim difference = hd_dim_sub(table, a, b);
  bool smaller_first = kind == HD_ATOM_MIN;
  if (difference && hd_dim_upper(difference) <= 0) return smaller_first ? a : b;
  if (difference && hd_dim_lower(difference) >= 0) return smaller_first ? b : a;
  return a->id < b->id ? operation(table, kind, a, b) : operation(table, kind, b, a);
}

hd_dim hd_dim_min(hd_dim_table *table, hd_dim a, hd_dim b) { return min_or_max(table, a, b, HD_ATOM_MIN); }
hd_dim hd_dim_max(hd_dim_table *table, hd_dim a, hd_dim b) { return min_or_max(table, a, b, HD_ATOM_MAX); }

/* Saturating interval arithmetic; INT64_MIN and INT64_MAX stand for no bound. */
typedef struct interval {
  int64_t lower, upper;
} interval;

static int64_t add_bound(int64_t a, int64_t b, int64_t infinity) {
  int64_t r;
  if (a == infinity || b == infinity) return infinity;
  return __builtin_add_overflow(a, b, &r) ? (a < 0 ? INT64_MIN : INT64_MAX) : r;
}

static int64_t mul_bound(int64_t a, int64_t b) {
  if (!a || !b) return 0;
  int64_t r;
  bool infinite = a == INT64_MIN || a == INT64_MAX || b == INT64_MIN || b == INT64_MAX;
  if (infinite || __builtin_mul_overflow(a, b, &r)) return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
  return r;
}

static interval product(interval a, interval b) {
  int64_t corners[4] = {mul_bound(a.lower, b.lower), mul_bound(a.lower, b.upper), mul_bound(a.upper, b.lower),
                        mul_bound(a.upper, b.upper)};
  interval r = {corners[0], corners[0]};
  for (int i = 1; i < 4; ++i) {
    if (corners[i] < r.lower) r.lower = corners[i];
    if (corners[i] > r.upper) r.upper = corners[i];
  }
  return r;
}

static interval bounds(hd_dim dim);

static interval floordiv_bounds(interval a, interval b) { /* b is at least 1 */
  int64_t least = b.lower < 1 ? 1 : b.lower;
  interval r;
  r.lower = a.lower == INT64_MIN ? INT64_MIN
            : a.lower >= 0       ? (b.upper == INT64_MAX ? 0 : a.lower / b.upper)
                                 : floor_div(a.lower, least);
  r.upper = a.upper == INT64_MAX ? INT64_MAX : a.upper >= 0 ? a.upper / least : -1;
  return r;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static interval atom_bounds(const hd_atom *atom) {
  if (atom->kind == HD_ATOM_SYMBOL)
    return atom->replacement ? bounds(atom->replacement) : (interval){atom->lower, atom->upper};
  interval a = bounds(atom->lhs), b = bounds(atom->rhs);
  switch (atom->kind) {
    case HD_ATOM_MIN:
      return (interval){smaller(a.lower, b.lower), smaller(a.upper, b.upper)};
    case HD_ATOM_MAX:
      return (interval){larger(a.lower, b.lower), larger(a.upper, b.upper)};
    case HD_ATOM_MOD:
      return (interval){0, b.upper == INT64_MAX ? INT64_MAX : b.upper - 1};
    default:
      return floordiv_bounds(a, b);
  }
}

static interval bounds(hd_dim dim) {
  if (dim->bounded_at == dim->table->learnt + 1) return (interval){dim->lower, dim->upper};
  interval total = {dim->constant, dim->constant};
  for (uint32_t i = 0; i < dim->term_count; ++i) {
    interval term = {dim->terms[i].coefficient, dim->terms[i].coefficient};
    for (uint32_t j = 0; j < dim->terms[i].atom_count; ++j) term = product(term, atom_bounds(dim->terms[i].atoms[j]));
    total.lower = add_bound(total.lower, term.lower, INT64_MIN);
    total.upper = add_bound(total.upper, term.upper, INT64_MAX);
  }
  struct hd_dim_expr *kept = (struct hd_dim_expr *)dim;
  kept->bounded_at = dim->table->learnt + 1, kept->lower = total.lower, kept->upper = total.upper;
  return total;
}

int64_t hd_dim_lower(hd_dim dim) { return dim ? bounds(dim).lower : INT64_MIN; }
int64_t hd_dim_upper(hd_dim dim) { return dim ? bounds(dim).upper : INT64_MAX; }

bool hd_dim_equal(hd_dim_table *table, hd_dim a, hd_dim b) {
  return a && b && (a == b || hd_dim_resolve(table, a) == hd_dim_resolve(table, b));
}

/* dim >= 0, by its bounds or with min and max taken apart: -min(x, y) is no less than -x and than -y, -max(x, y) is one
 * of both; floor(x / n) for a number n is between (x - n + 1) / n and x / n. */
static bool is_not_negative(hd_dim_table *table, hd_dim dim, int depth, int *steps) {
  if (!dim || --*steps < 0) return false;
  if (hd_dim_lower(dim) >= 0) return true;
  for (uint32_t i = 0; depth && i < dim->term_count; ++i) {
    const hd_dim_term *term = &dim->terms[i];
    const hd_atom *atom = term->atoms[0];
    int64_t divisor;
    bool quotient = atom->kind == HD_ATOM_FLOORDIV && hd_dim_is_const(table, atom->rhs, &divisor) && divisor > 0;
    if (term->atom_count != 1 || (!quotient && atom->kind != HD_ATOM_MIN && atom->kind != HD_ATOM_MAX)) continue;
    hd_dim factor = hd_dim_const(table, term->coefficient),
           rest = hd_dim_sub(table, dim, hd_dim_mul(table, hd_dim_of_symbol(table, term->atoms[0]), factor));
    if (quotient) { /* all of it times the divisor */
      hd_dim x = hd_dim_sub(table, atom->lhs, hd_dim_const(table, term->coefficient > 0 ? divisor - 1 : 0)),
             all =
                 hd_dim_add(table, hd_dim_mul(table, rest, hd_dim_const(table, divisor)), hd_dim_mul(table, x, factor));
      if (is_not_negative(table, all, depth - 1, steps)) return true;
      continue;
    }
    bool either = (term->coefficient < 0) == (atom->kind == HD_ATOM_MIN);
    bool lhs = is_not_negative(table, hd_dim_add(table, rest, hd_dim_mul(table, atom->lhs, factor)), depth - 1, steps);
    if (either && lhs) return true;
    if (!either && !lhs) continue;
    if (is_not_negative(table, hd_dim_add(table, rest, hd_dim_mul(table, atom->rhs, factor)), depth - 1, steps))
      return true;
  }
  return false;
}

bool hd_dim_at_most(hd_dim_table *table, hd_dim a, hd_dim b) {
  if (a && b && is_const(a) && is_const(b)) return a->constant <= b->constant;
  int steps = 64;
  return is_not_negative(table, hd_dim_sub(table, hd_dim_resolve(table, b), hd_dim_resolve(table, a)), 4, &steps);
}

bool hd_dim_known_different(hd_dim_table *table, hd_dim a, hd_dim b) {
  hd_dim difference = hd_dim_sub(table, hd_dim_resolve(table, a), hd_dim_resolve(table, b));
  return difference && (hd_dim_lower(difference) > 0 || hd_dim_upper(difference) < 0);
}

bool hd_dim_is_const(hd_dim_table *table, hd_dim dim, int64_t *out) {
  dim = hd_dim_resolve(table, dim);
  if (!is_const(dim)) return false;
  *out = dim->constant;
  return true;
}
