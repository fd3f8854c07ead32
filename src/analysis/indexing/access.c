/* SPDX-License-Identifier: Apache-2.0 */
/* The thread is written as warp * lanes + lane. What has the lane in it is evaluated for each lane, and for each value
 * of the variables that are in one quotient, remainder or constraint with it; all else moves the warp's access as a
 * whole, and counts modulo what is moved at once. */
#include "analysis/indexing/access.h"

#include "analysis/indexing/linear.h"

enum { MAX_LANES = 64, MAX_CASES = 4096, MAX_PERIOD = 1024 };

hd_index_map *hd_index_map_linearize(const hd_index_map *map, const hd_dim *sizes) {
  if (!map) return NULL;
  hd_indexing *in = map->in;
  hd_index_map *to = hd_index_map_create(in, map->result_count, 0, 0, 1);
  hd_affine sum = hd_affine_const(in->context, 0);
  for (uint32_t d = 0; d < map->result_count; ++d) {
    hd_affine size = hd_index_of_dim(in, sizes[d]);
    if (!size || !sum) return NULL;
    hd_index_variable_size(in, &to->variables[d], sizes[d]);
    sum = hd_index_add(in, hd_affine_binary(in->context, HD_AFFINE_MUL, sum, size), hd_affine_dim(in->context, d));
  }
  to->results[0] = sum;
  return hd_index_map_compose(map, to);
}

/* |map| with variable |variable| written as high * unit + low; both are dims after its own. */
static hd_index_map *split_variable(const hd_index_map *map, uint32_t variable, int64_t unit) {
  hd_indexing *in = map->in;
  hd_context *c = in->context;
  uint32_t symbols = map->range_count + map->runtime_count, high = map->dim_count, low = high + 1;
  hd_index_map *to =
      hd_index_map_create(in, map->dim_count + 2, map->range_count, map->runtime_count, map->result_count);
  hd_affine *dims = hd_new_array(in->arena, hd_affine, map->dim_count),
            *to_symbols = hd_new_array(in->arena, hd_affine, symbols);
  hd_affine whole = hd_index_add(in, hd_index_scale(in, hd_affine_dim(c, high), unit), hd_affine_dim(c, low));
  for (uint32_t i = 0; i < map->dim_count; ++i) {
    dims[i] = i == variable ? whole : hd_affine_dim(c, i);
    to->variables[i] = map->variables[i];
  }
  for (uint32_t i = 0; i < symbols; ++i) {
    to_symbols[i] = map->dim_count + i == variable ? whole : hd_affine_symbol(c, i);
    to->variables[map->dim_count + 2 + i] = map->variables[map->dim_count + i];
  }
  const hd_index_range r = map->variables[variable].range;
  to->variables[low].range = (hd_index_range){0, unit - 1};
  to->variables[high].range = (hd_index_range){0, r.upper == INT64_MAX ? r.upper : r.upper / unit};
  for (uint32_t i = 0; i < map->result_count; ++i)
    to->results[i] = hd_index_substitute(in, map->results[i], dims, to_symbols);
  to->constraints = hd_new_array(in->arena, hd_index_constraint, map->constraint_count + 1);
  for (uint32_t i = 0; i < map->constraint_count; ++i)
    hd_index_map_constrain(to, hd_index_substitute(in, map->constraints[i].expr, dims, to_symbols),
                           map->constraints[i].range.lower, map->constraints[i].range.upper);
  if (r.upper != INT64_MAX && (r.upper + 1) % unit) hd_index_map_constrain(to, whole, 0, r.upper);
  return to;
}

/* ---- vectors ---- */

static bool has_dim(hd_affine e, int64_t d) {
  if (e->lhs) return has_dim(e->lhs, d) || has_dim(e->rhs, d);
  return e->kind == HD_AFFINE_DIM && e->value == d;
}

static bool is_contiguous(const hd_index_map *position, uint32_t variable, int64_t n, hd_arena *arena) {
  hd_index_map *map = split_variable(position, variable, n);
  hd_simplifier s = {.in = map->in, .map = map, .arena = arena};
  hd_affine low = hd_affine_dim(map->in->context, map->dim_count - 1);
  if (!map->results[0]) return false;
  hd_linear *rest = hd_linear_copy(&s, hd_linear_of(&s, map->results[0]));
  hd_linear_add_term(&s, rest, low, hd_amount_of(-1));
  for (size_t i = 0; i < rest->terms.len; ++i)
    if (has_dim(rest->terms.data[i].atom, low->value)) return false;
  /* All of a vector is there, or none. */
  for (uint32_t i = 0; i < map->constraint_count; ++i)
    if (!map->constraints[i].expr || has_dim(hd_simplify(&s, map->constraints[i].expr), low->value)) return false;
  const hd_linear *left = hd_linear_modulo(&s, rest, hd_amount_of(n));
  return left->known && !left->terms.len && hd_amount_is(left->constant, 0);
}

int64_t hd_index_contiguity(const hd_index_map *position, uint32_t variable, int64_t most) {
  const hd_index_variable *v = position ? &position->variables[variable] : NULL;
  if (!v || position->result_count != 1 || v->range.lower || v->range.upper < 0) return 1;
  hd_indexing *in = position->in;
  int64_t divisor = v->limit                      ? hd_dim_divisor(in->table, hd_index_to_dim(in, v->limit))
                    : v->range.upper == INT64_MAX ? 1
                                                  : v->range.upper + 1;
  int64_t n = 1, found = 1;
  while (n * 2 <= most && divisor && divisor % (n * 2) == 0) n *= 2;
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  for (; n > 1 && found == 1; n /= 2)
    if (is_contiguous(position, variable, n, &arena)) found = n;
  hd_arena_free(&arena);
  return found;
}

/* ---- warps ---- */

typedef struct request {
  const hd_index_map *map; /* the last two dims are warp and lane */
  hd_arena arena;
  hd_affine lane_part;
  int64_t period;
  bool *shifts;   /* by how many bytes, modulo |period|, all else moves the access */
  bool *together; /* variables that are with the lane */
  int64_t *at, *symbols;
  uint32_t lane;
} request;

static void mark(request *r, hd_affine e) {
  if (e->lhs) {
    mark(r, e->lhs);
    mark(r, e->rhs);
  } else if (e->kind == HD_AFFINE_DIM) {
    r->together[e->value] = true;
  } else if (e->kind == HD_AFFINE_SYMBOL && e->value < HD_INDEX_SIZE) {
    r->together[r->map->dim_count + e->value] = true;
  }
}

static bool has_size(hd_affine e) {
  if (e->lhs) return has_size(e->lhs) || has_size(e->rhs);
  return e->kind == HD_AFFINE_SYMBOL && e->value >= HD_INDEX_SIZE;
}

static int64_t modulo(__int128 value, int64_t by) { return (int64_t)((value % by + by) % by); }

/* All else moves by coefficient * x bytes too, x in [lower, upper]. */
static void add_shifts(request *r, __int128 coefficient, int64_t lower, int64_t upper) {
  bool *moved = hd_new_array(&r->arena, bool, r->period);
  if (lower == INT64_MIN || upper == INT64_MAX || (uint64_t)upper - (uint64_t)lower >= (uint64_t)r->period)
    lower = 0, upper = r->period - 1;
  for (int64_t x = lower; x <= upper; ++x)
    for (int64_t k = 0, by = modulo(coefficient * x, r->period); k < r->period; ++k)
      moved[(k + by) % r->period] |= r->shifts[k];
  r->shifts = moved;
}

static void add_amount(request *r, hd_amount a, int64_t bytes, int64_t lower, int64_t upper) {
  if (!a.dim)
    add_shifts(r, (__int128)a.value * bytes, lower, upper);
  else
    add_shifts(r, (__int128)hd_dim_divisor(r->map->in->table, a.dim) * bytes, INT64_MIN, INT64_MAX);
}

/* Takes the position apart; false when sizes are with the lane. */
static bool prepare(request *r, int64_t bytes) {
  hd_simplifier s = {.in = r->map->in, .map = r->map, .arena = &r->arena};
  const hd_linear *sum = r->map->results[0] ? hd_linear_of(&s, r->map->results[0]) : NULL;
  if (!sum || !sum->known) return false;
  hd_linear *lane = hd_linear_new(&s);
  add_amount(r, sum->constant, bytes, 1, 1);
  for (size_t i = 0; i < sum->terms.len; ++i) {
    const hd_linear_term *term = &sum->terms.data[i];
    if (has_dim(term->atom, r->lane)) {
      hd_linear_add_term(&s, lane, term->atom, term->coefficient);
      mark(r, term->atom);
      continue;
    }
    hd_amount_range range = hd_linear_range(&s, hd_linear_atom(&s, term->atom));
    add_amount(r, term->coefficient, bytes, hd_amount_lower(range.lower), hd_amount_upper(range.upper));
  }
  r->lane_part = hd_linear_expr(&s, lane);
  bool known = r->lane_part && !has_size(r->lane_part);
  for (uint32_t i = 0; i < r->map->constraint_count && known; ++i) {
    hd_affine expr = r->map->constraints[i].expr;
    if (!expr || !has_dim(expr, r->lane)) continue;
    mark(r, expr);
    known = !has_size(expr);
  }
  r->together[r->lane] = false;
  return known;
}

/* The next case: values of the variables that are with the lane. */
static bool next_case(request *r) {
  for (uint32_t i = hd_index_variable_count(r->map); i-- > 0;) {
    if (!r->together[i]) continue;
    if (++r->at[i] <= r->map->variables[i].range.upper) return true;
    r->at[i] = r->map->variables[i].range.lower;
  }
  return false;
}

static bool start_cases(request *r) {
  int64_t cases = 1;
  for (uint32_t i = 0; i < hd_index_variable_count(r->map); ++i) {
    const hd_index_variable *v = &r->map->variables[i];
    r->at[i] = 0;
    if (!r->together[i]) continue;
    if (v->limit || v->range.upper > MAX_CASES || v->range.lower < -MAX_CASES) return false;
    r->at[i] = v->range.lower;
    cases *= v->range.upper - v->range.lower + 1;
    if (cases > MAX_CASES || cases < 1) return false;
  }
  return true;
}

/* Positions of the lanes in this case, INT64_MIN of those that take no part; how many do. False: not defined. */
static bool lane_positions(request *r, int64_t lanes, int64_t *out, int64_t *out_count) {
  *out_count = 0;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    bool inside = true;
    r->at[r->lane] = lane;
    for (uint32_t i = 0; i < r->map->constraint_count; ++i) {
      const hd_index_constraint *c = &r->map->constraints[i];
      int64_t value;
      if (!has_dim(c->expr, r->lane)) continue;
      if (!hd_index_eval(r->map->in, c->expr, r->at, r->symbols, NULL, &value)) return false;
      inside &= value >= c->range.lower && value <= c->range.upper;
    }
    out[lane] = INT64_MIN;
    if (!inside) continue;
    if (!hd_index_eval(r->map->in, r->lane_part, r->at, r->symbols, NULL, &out[lane])) return false;
    ++*out_count;
  }
  return true;
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); }

/* What a request of |positions| costs when it begins |shift| bytes further. */
typedef int64_t (*cost_fn)(const int64_t *positions, int64_t bytes, const hd_warp *warp, int64_t shift);

static int64_t count_sectors(const int64_t *positions, int64_t bytes, const hd_warp *warp, int64_t shift) {
  int64_t seen[2 * MAX_LANES], count = 0;
  for (int64_t lane = 0; lane < warp->lanes; ++lane) {
    if (positions[lane] == INT64_MIN) continue;
    int64_t first = positions[lane] * bytes + shift;
    for (int64_t end = 0; end < 2; ++end) { /* an element may be in two */
      int64_t sector = floor_div(first + (end ? bytes - 1 : 0), warp->sector_bytes), i = 0;
      while (i < count && seen[i] != sector) ++i;
      if (i == count) seen[count++] = sector;
    }
  }
  return count;
}

static int64_t count_conflicts(const int64_t *positions, int64_t bytes, const hd_warp *warp, int64_t shift) {
  int64_t words = (bytes + warp->bank_bytes - 1) / warp->bank_bytes, group = warp->lanes / words, conflicts = 0;
  for (int64_t from = 0; from < warp->lanes; from += group) {
    int64_t seen[2 * MAX_LANES], count = 0, most = 1;
    for (int64_t lane = from; lane < from + group; ++lane)
      for (int64_t w = 0; positions[lane] != INT64_MIN && w < words; ++w) {
        int64_t word = floor_div(positions[lane] * bytes + shift, warp->bank_bytes) + w, i = 0, same = 1;
        while (i < count && seen[i] != word) ++i;
        if (i < count) continue;
        for (i = 0; i < count; ++i) same += (seen[i] - word) % warp->banks == 0;
        seen[count++] = word;
        most = same > most ? same : most;
      }
    conflicts += most - 1;
  }
  return conflicts;
}

/* |period|: bytes after which a shift costs the same again. */
static bool cost_of(const hd_index_map *position, uint32_t thread, int64_t bytes, const hd_warp *warp, cost_fn cost,
                    int64_t period, hd_access_cost *out) {
  *out = (hd_access_cost){0, 0};
  if (!position || position->is_empty || position->result_count != 1 || thread >= position->dim_count ||
      position->variables[thread].range.lower || position->variables[thread].limit || warp->lanes > MAX_LANES ||
      bytes < 1 || bytes > 16 || period > MAX_PERIOD)
    return false;
  request r = {.map = split_variable(position, thread, warp->lanes), .period = period};
  uint32_t count = hd_index_variable_count(r.map);
  hd_arena_init(&r.arena, NULL);
  r.lane = r.map->dim_count - 1;
  r.together = hd_new_array(&r.arena, bool, count);
  r.at = hd_new_array(&r.arena, int64_t, count);
  r.symbols = r.at + r.map->dim_count;
  r.shifts = hd_new_array(&r.arena, bool, period);
  r.shifts[0] = true;
  bool known = prepare(&r, bytes) && start_cases(&r), any = false;
  if (known) do {
      int64_t positions[MAX_LANES], active;
      known = lane_positions(&r, warp->lanes, positions, &active);
      for (int64_t shift = 0; known && active && shift < period; ++shift) {
        if (!r.shifts[shift]) continue;
        int64_t c = cost(positions, bytes, warp, shift);
        out->least = !any || c < out->least ? c : out->least;
        out->most = c > out->most ? c : out->most;
        any = true;
      }
    } while (known && next_case(&r));
  hd_arena_free(&r.arena);
  return known && any;
}

bool hd_index_sectors(const hd_index_map *position, uint32_t thread, int64_t bytes, const hd_warp *warp,
                      hd_access_cost *out) {
  return cost_of(position, thread, bytes, warp, count_sectors, warp->sector_bytes, out);
}

bool hd_index_bank_conflicts(const hd_index_map *position, uint32_t thread, int64_t bytes, const hd_warp *warp,
                             hd_access_cost *out) {
  return cost_of(position, thread, bytes, warp, count_conflicts, warp->banks * warp->bank_bytes, out);
}
