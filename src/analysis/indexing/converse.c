/* SPDX-License-Identifier: Apache-2.0 */
/* The relation that a map is, read from its results: equations result = r are solved for the map's dims and range
 * variables, one after the other. Every step keeps the set of solutions:
 *
 *   one unknown      c * x + k = r        x = (r - k) floordiv c, where (r - k) mod c is 0
 *   digits           c * x + low = r      x = r floordiv c and low = r mod c, when low is known to be in [0, c)
 *   two halves       y floordiv n = q and y mod n = r       y = q * n + r
 *   choice           c * x + y = r        x by the first line, for each y: it becomes a range variable
 *
 * An equation that nothing solves becomes a constraint, an unknown that nothing solves a range variable. */
#include "analysis/indexing/linear.h"

typedef struct equation {
  hd_affine lhs, rhs; /* unknowns are in |lhs| alone */
  bool done;
} equation;

/* The map at work: its dims are the dims of the map that is turned round, then its results. Unknowns are its first dims
 * and its range variables. */
typedef struct solver {
  hd_indexing *in;
  hd_arena *arena;
  hd_index_map *work;
  uint32_t dims, unknowns;
  hd_affine *values; /* of unknowns, null while they have none */
  bool *is_place;    /* does the unknown occur in the index of a runtime variable? */
  hd_vec(equation) equations;
  hd_vec(hd_index_constraint) constraints;
} solver;

static hd_affine unknown_expr(const solver *v, uint32_t i) {
  return i < v->dims ? hd_affine_dim(v->in->context, i) : hd_affine_symbol(v->in->context, i - v->dims);
}

/* The number of the unknown that |atom| is, or -1. */
static int64_t unknown_of(const solver *v, hd_affine atom) {
  if (atom->kind == HD_AFFINE_DIM) return atom->value < v->dims ? atom->value : -1;
  if (atom->kind != HD_AFFINE_SYMBOL || atom->value >= v->unknowns - v->dims) return -1;
  return v->dims + atom->value;
}

static bool has_unknown(const solver *v, hd_affine e) {
  if (e->lhs) return has_unknown(v, e->lhs) || has_unknown(v, e->rhs);
  return unknown_of(v, e) >= 0;
}

/* |e| with the values of unknowns that have one. */
static hd_affine known_part(solver *v, hd_affine e) {
  uint32_t dims = v->work->dim_count, symbols = v->work->range_count + v->work->runtime_count;
  hd_affine *to_dims = hd_new_array(v->arena, hd_affine, dims), *to = hd_new_array(v->arena, hd_affine, symbols);
  for (uint32_t i = 0; i < dims; ++i)
    to_dims[i] = i < v->dims && v->values[i] ? v->values[i] : hd_affine_dim(v->in->context, i);
  for (uint32_t i = 0; i < symbols; ++i) {
    bool solved = v->dims + i < v->unknowns && v->values[v->dims + i];
    to[i] = solved ? v->values[v->dims + i] : hd_affine_symbol(v->in->context, i);
  }
  return hd_index_substitute(v->in, e, to_dims, to);
}

static void require(solver *v, hd_affine expr, int64_t lower, int64_t upper) {
  hd_vec_push(v->arena, &v->constraints, (hd_index_constraint){expr, {lower, upper}});
}

static bool has_runtime(const solver *v, hd_affine e) {
  if (e->lhs) return has_runtime(v, e->lhs) || has_runtime(v, e->rhs);
  return e->kind == HD_AFFINE_SYMBOL && e->value >= v->work->range_count && e->value < HD_INDEX_SIZE;
}

/* An unknown has a value now: values that mention it are rewritten. Not where an unknown that says which element a
 * runtime variable is would have to be known from a runtime variable. */
static bool settle(solver *v, uint32_t unknown, hd_affine value) {
  if (!value) return false;
  hd_affine *old = v->values, *values = hd_new_array(v->arena, hd_affine, v->unknowns + 1);
  memcpy(values, old, v->unknowns * sizeof *values);
  old[unknown] = value;
  bool ok = true;
  for (uint32_t i = 0; i < v->unknowns && ok; ++i) {
    if (!old[i]) continue;
    values[i] = known_part(v, old[i]);
    ok = values[i] && !(v->is_place[i] && has_runtime(v, values[i]));
  }
  old[unknown] = NULL;
  if (ok) v->values = values;
  return ok;
}

/* The terms of |sum| that have unknowns, |*rest| being the others; true when all are unknowns themselves. */
static bool unknown_terms(solver *v, hd_simplifier *s, const hd_linear *sum, hd_linear *terms, hd_linear *rest) {
  bool plain = true;
  rest->constant = sum->constant;
  for (size_t i = 0; i < sum->terms.len; ++i) {
    bool unknown = has_unknown(v, sum->terms.data[i].atom);
    hd_linear_add_term(s, unknown ? terms : rest, sum->terms.data[i].atom, sum->terms.data[i].coefficient);
    plain &= !unknown || unknown_of(v, sum->terms.data[i].atom) >= 0;
  }
  return plain;
}

static hd_affine binary(const solver *v, hd_affine_kind kind, hd_affine a, hd_affine b) {
  return a && b ? hd_affine_binary(v->in->context, kind, a, b) : NULL;
}

static hd_affine minus(const solver *v, hd_affine a, hd_affine b) {
  return hd_index_add(v->in, a, hd_index_scale(v->in, b, -1));
}

/* unknown * c = target. */
static bool solve_one(solver *v, hd_simplifier *s, hd_linear_term term, hd_affine target) {
  uint32_t unknown = (uint32_t)unknown_of(v, term.atom);
  hd_amount c = term.coefficient;
  if (hd_amount_upper(c) < 0) {
    c = hd_amount_mul(v->in, c, hd_amount_of(-1));
    target = hd_index_scale(v->in, target, -1);
  }
  if (!target || hd_amount_lower(c) < 1) return false;
  if (hd_amount_is(c, 1)) return settle(v, unknown, hd_simplify(s, target));
  hd_affine by = hd_index_of_dim(v->in, hd_amount_dim(v->in, c)), rest = binary(v, HD_AFFINE_MOD, target, by),
            value = binary(v, HD_AFFINE_FLOORDIV, target, by);
  if (!rest || !value) return false;
  require(v, rest, 0, 0);
  return settle(v, unknown, hd_simplify(s, value));
}

/* The term above all others: their sum is in [0, its coefficient). */
static bool find_top(solver *v, hd_simplifier *s, const hd_linear *terms, size_t *top) {
  for (size_t t = 0; t < terms->terms.len; ++t) {
    hd_amount c = terms->terms.data[t].coefficient;
    if (!hd_amount_divides(c)) continue;
    hd_linear *low = hd_linear_copy(s, terms);
    hd_linear_add_term(s, low, terms->terms.data[t].atom, hd_amount_mul(v->in, c, hd_amount_of(-1)));
    hd_amount_range r = hd_linear_range(s, low);
    if (hd_amount_lower(r.lower) < 0 || !hd_amount_at_most(v->in, r.upper, hd_amount_sub(v->in, c, hd_amount_of(1))))
      continue;
    *top = t;
    return true;
  }
  return false;
}

static void add_equation(solver *v, hd_affine lhs, hd_affine rhs) {
  hd_vec_push(v->arena, &v->equations, (equation){lhs, rhs, false});
}

/* terms = target: the digit above all others, and the others, as equations of their own. */
static bool split_digit(solver *v, hd_simplifier *s, const hd_linear *terms, hd_affine target) {
  size_t top;
  if (terms->terms.len < 2 || !find_top(v, s, terms, &top)) return false;
  hd_linear_term term = terms->terms.data[top];
  hd_linear *low = hd_linear_copy(s, terms);
  hd_linear_add_term(s, low, term.atom, hd_amount_mul(v->in, term.coefficient, hd_amount_of(-1)));
  hd_affine by = hd_index_of_dim(v->in, hd_amount_dim(v->in, term.coefficient)), others = hd_linear_expr(s, low),
            value = binary(v, HD_AFFINE_FLOORDIV, target, by), rest = binary(v, HD_AFFINE_MOD, target, by);
  if (!others || !value || !rest) return false;
  add_equation(v, term.atom, value);
  add_equation(v, others, rest);
  return true;
}

/* c * atom = target, with |c| not 1, as atom = target / c. */
static bool unscale(solver *v, const hd_linear *terms, hd_affine target) {
  hd_amount c = terms->terms.data[0].coefficient;
  if (terms->terms.len != 1 || !hd_amount_is_number(c) || c.value == 1 || c.value == INT64_MIN) return false;
  if (c.value < 0) target = hd_index_scale(v->in, target, -1);
  hd_affine by = hd_affine_const(v->in->context, c.value < 0 ? -c.value : c.value);
  require(v, binary(v, HD_AFFINE_MOD, target, by), 0, 0);
  add_equation(v, terms->terms.data[0].atom, binary(v, HD_AFFINE_FLOORDIV, target, by));
  return true;
}

static bool mentions(hd_affine e, hd_affine variable) {
  return e == variable || (e->lhs && (mentions(e->lhs, variable) || mentions(e->rhs, variable)));
}

/* Any unknown for which c * x + others = target can be written; dims first, and coefficients of 1. */
static bool solve_by_choice(solver *v, hd_simplifier *s, hd_linear *terms, hd_affine target) {
  for (int wish = 0; wish < 4; ++wish)
    for (size_t t = 0; t < terms->terms.len; ++t) {
      hd_linear_term term = terms->terms.data[t];
      int64_t unknown = unknown_of(v, term.atom);
      bool is_one = hd_amount_is(term.coefficient, 1) || hd_amount_is(term.coefficient, -1);
      if (unknown < 0 || (wish % 2 == 0 && !is_one) || (wish < 2 && unknown >= v->dims)) continue;
      hd_linear *others = hd_linear_copy(s, terms);
      hd_linear_add_term(s, others, term.atom, hd_amount_mul(v->in, term.coefficient, hd_amount_of(-1)));
      hd_affine rest = hd_linear_expr(s, others);
      if (!rest || hd_index_parts(rest) > HD_INDEX_MAX_PARTS) return false;
      if (!mentions(rest, term.atom) && solve_one(v, s, term, minus(v, target, rest))) return true;
    }
  return false;
}

/* Equation |e| with known values put in, as unknown terms = target. Null: it has none. */
static hd_linear *prepare(solver *v, hd_simplifier *s, equation *e, hd_affine *target, bool *plain) {
  if (!(e->lhs = known_part(v, e->lhs))) return NULL;
  hd_linear *terms = hd_linear_new(s), *rest = hd_linear_new(s);
  const hd_linear *sum = hd_linear_of(s, e->lhs);
  *plain = unknown_terms(v, s, sum, terms, rest);
  hd_affine known = hd_linear_expr(s, rest);
  *target = known ? minus(v, e->rhs, known) : NULL;
  return *target && terms->terms.len && terms->known ? terms : NULL;
}

/* Finds y mod n = r and y floordiv n = q, and makes y = q * n + r of them. */
static bool join_halves(solver *v, hd_simplifier *s) {
  for (size_t i = 0; i < v->equations.len; ++i) {
    equation *rest = &v->equations.data[i];
    bool plain;
    hd_affine r, q;
    hd_linear *terms = rest->done ? NULL : prepare(v, s, rest, &r, &plain);
    if (!terms || terms->terms.len != 1 || terms->terms.data[0].atom->kind != HD_AFFINE_MOD ||
        !hd_amount_is(terms->terms.data[0].coefficient, 1))
      continue;
    hd_affine atom = terms->terms.data[0].atom;
    const hd_linear *by = hd_linear_of(s, atom->rhs);
    if (by->terms.len || !hd_amount_divides(by->constant)) continue;
    hd_linear *quotient = hd_linear_divide(s, hd_linear_of(s, atom->lhs), by->constant);
    for (size_t k = 0; k < v->equations.len; ++k) {
      equation *other = &v->equations.data[k];
      hd_linear *half = k == i || other->done ? NULL : prepare(v, s, other, &q, &plain);
      hd_linear *unknown_quotient = hd_linear_new(s), *known_quotient = hd_linear_new(s);
      unknown_terms(v, s, quotient, unknown_quotient, known_quotient);
      if (!half || !hd_linear_same_terms(s, half, unknown_quotient)) continue;
      hd_affine add = hd_linear_expr(s, known_quotient), whole = add ? hd_index_add(v->in, q, add) : NULL;
      whole = hd_index_add(v->in, binary(v, HD_AFFINE_MUL, whole, atom->rhs), r);
      if (!whole) return false;
      require(v, r, 0, INT64_MAX);
      require(v, minus(v, r, atom->rhs), INT64_MIN, -1);
      other->done = true;
      *rest = (equation){.lhs = atom->lhs, .rhs = whole};
      return true;
    }
  }
  return false;
}

/* One step; false when none is left. */
static bool step(solver *v, hd_simplifier *s, bool by_choice) {
  for (size_t i = 0; i < v->equations.len; ++i) {
    hd_affine target;
    bool plain, solved;
    hd_linear *terms = v->equations.data[i].done ? NULL : prepare(v, s, &v->equations.data[i], &target, &plain);
    if (!terms) continue;
    if (by_choice)
      solved = solve_by_choice(v, s, terms, target);
    else if (plain && terms->terms.len == 1)
      solved = solve_one(v, s, terms->terms.data[0], target);
    else
      solved = split_digit(v, s, terms, target) || unscale(v, terms, target);
    if (!solved) continue;
    v->equations.data[i].done = true;
    return true;
  }
  return !by_choice && join_halves(v, s);
}

static void mark_places(solver *v, hd_affine e) {
  if (e->lhs) {
    mark_places(v, e->lhs);
    mark_places(v, e->rhs);
  } else if (unknown_of(v, e) >= 0) {
    v->is_place[unknown_of(v, e)] = true;
  }
}

static void range_of_result(hd_index_variable *to, hd_indexing *in, hd_amount_range range) {
  to->range = (hd_index_range){hd_amount_lower(range.lower), hd_amount_upper(range.upper)};
  if (range.upper.known && range.upper.dim)
    to->limit = hd_index_of_dim(in, hd_amount_dim(in, hd_amount_add(in, range.upper, hd_amount_of(1))));
}

static void start(solver *v, const hd_index_map *map, const hd_dim *sizes) {
  hd_indexing *in = map->in;
  v->dims = map->dim_count;
  v->unknowns = map->dim_count + map->range_count;
  v->values = hd_new_array(v->arena, hd_affine, v->unknowns + 1);
  v->work = hd_index_map_create(in, map->dim_count + map->result_count, map->range_count, map->runtime_count, 0);
  memcpy(v->work->variables, map->variables, map->dim_count * sizeof *map->variables);
  memcpy(v->work->variables + v->work->dim_count, map->variables + map->dim_count,
         (map->range_count + map->runtime_count) * sizeof *map->variables);
  v->is_place = hd_new_array(v->arena, bool, v->unknowns + 1);
  for (uint32_t i = map->dim_count; i < hd_index_variable_count(map); ++i)
    for (uint32_t k = 0; k < map->variables[i].index_count; ++k) mark_places(v, map->variables[i].index[k]);
  hd_simplifier s = {.in = in, .map = map, .arena = v->arena};
  for (uint32_t i = 0; i < map->result_count; ++i) {
    hd_index_variable *to = &v->work->variables[v->dims + i];
    if (sizes)
      hd_index_variable_size(in, to, sizes[i]);
    else
      range_of_result(to, in, hd_linear_range(&s, hd_linear_of(&s, map->results[i])));
    add_equation(v, map->results[i], hd_affine_dim(in->context, v->dims + i));
  }
  for (uint32_t i = 0; i < map->constraint_count; ++i) {
    const hd_index_constraint *c = &map->constraints[i];
    bool is_equation = c->range.lower == c->range.upper && c->expr->kind == HD_AFFINE_MOD;
    if (is_equation)
      add_equation(v, c->expr, hd_affine_const(in->context, c->range.lower));
    else
      hd_vec_push(v->arena, &v->constraints, *c);
  }
}

/* ---- the result ---- */

typedef struct renaming {
  hd_affine *dims, *symbols;
} renaming;

/* Where the variables of |v->work| are in the converse: results become dims, unknowns without a value range variables.
 */
static renaming rename_variables(solver *v, hd_index_map *to) {
  hd_context *c = v->in->context;
  uint32_t symbols = v->work->range_count + v->work->runtime_count, range = 0;
  renaming n = {hd_new_array(v->arena, hd_affine, v->work->dim_count), hd_new_array(v->arena, hd_affine, symbols)};
  for (uint32_t i = 0; i < to->dim_count; ++i) {
    n.dims[v->dims + i] = hd_affine_dim(c, i);
    to->variables[i] = v->work->variables[v->dims + i];
  }
  for (uint32_t i = 0; i < v->unknowns; ++i) {
    if (v->values[i]) continue;
    to->variables[to->dim_count + range] = *hd_index_variable_of(v->work, unknown_expr(v, i));
    to->variables[to->dim_count + range].name = NULL;
    hd_affine named = hd_affine_symbol(c, range++);
    if (i < v->dims)
      n.dims[i] = named;
    else
      n.symbols[i - v->dims] = named;
  }
  for (uint32_t i = 0; i < v->work->runtime_count; ++i) {
    to->variables[to->dim_count + range + i] = v->work->variables[v->work->dim_count + v->work->range_count + i];
    n.symbols[v->work->range_count + i] = hd_affine_symbol(c, range + i);
  }
  return n;
}

static hd_affine finished(solver *v, const renaming *n, hd_affine e) {
  e = e ? known_part(v, e) : NULL;
  return hd_index_substitute(v->in, e, n->dims, n->symbols);
}

static hd_index_map *finish(solver *v) {
  uint32_t ranges = 0, results = v->work->dim_count - v->dims;
  for (uint32_t i = 0; i < v->unknowns; ++i) ranges += !v->values[i];
  hd_index_map *to = hd_index_map_create(v->in, results, ranges, v->work->runtime_count, v->dims);
  renaming n = rename_variables(v, to);
  /* Unknowns stay in their ranges. */
  for (uint32_t i = 0; i < v->unknowns; ++i) {
    if (!v->values[i]) continue;
    const hd_index_variable *x = hd_index_variable_of(v->work, unknown_expr(v, i));
    require(v, v->values[i], x->range.lower, x->range.upper);
    if (x->limit) require(v, minus(v, v->values[i], x->limit), INT64_MIN, -1);
  }
  for (size_t i = 0; i < v->equations.len; ++i)
    if (!v->equations.data[i].done) require(v, minus(v, v->equations.data[i].lhs, v->equations.data[i].rhs), 0, 0);
  to->constraints = hd_new_array(v->in->arena, hd_index_constraint, v->constraints.len);
  for (size_t i = 0; i < v->constraints.len; ++i) {
    const hd_index_constraint *c = &v->constraints.data[i];
    hd_affine expr = finished(v, &n, c->expr);
    if (!expr) return NULL;
    hd_index_map_constrain(to, expr, c->range.lower, c->range.upper);
  }
  for (uint32_t i = 0; i < v->dims; ++i)
    if (!(to->results[i] = finished(v, &n, unknown_expr(v, i)))) return NULL;
  for (uint32_t i = 0; i < v->work->runtime_count; ++i) {
    hd_index_variable *x = &to->variables[results + ranges + i];
    hd_affine *index = hd_new_array(v->in->arena, hd_affine, x->index_count);
    for (uint32_t k = 0; k < x->index_count; ++k)
      if (!(index[k] = finished(v, &n, x->index[k]))) return NULL;
    x->index = index;
  }
  return hd_index_map_simplify(to);
}

hd_index_map *hd_index_map_converse(const hd_index_map *map, const hd_dim *sizes) {
  if (!map || hd_index_variable_count(map) + map->result_count > HD_INDEX_MAX_VARIABLES) return NULL;
  hd_arena arena;
  hd_scratch_init(&arena, NULL);
  solver v = {.in = map->in, .arena = &arena};
  start(&v, map, sizes);
  hd_simplifier s = {.in = map->in, .map = v.work, .arena = &arena};
  while (step(&v, &s, false) || step(&v, &s, true)) {
  }
  hd_index_map *converse = finish(&v);
  if (converse) converse->is_empty |= map->is_empty;
  hd_arena_free(&arena);
  return converse;
}

hd_index_map *hd_index_map_inverse(const hd_index_map *map) {
  hd_index_map *converse = hd_index_map_converse(map, NULL);
  return converse && !converse->range_count ? converse : NULL;
}
