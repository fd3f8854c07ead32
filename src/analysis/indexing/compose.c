/* SPDX-License-Identifier: Apache-2.0 */
/* Maps after maps. */
#include "analysis/indexing/map.h"

/* Symbol |i| of |map| in a map whose range variables begin with |ranges| others, runtime variables with |runtimes|. */
static hd_affine *moved_symbols(const hd_index_map *map, uint32_t ranges, uint32_t all_ranges, uint32_t runtimes) {
  uint32_t count = map->range_count + map->runtime_count;
  hd_affine *symbols = hd_new_array(map->in->arena, hd_affine, count);
  for (uint32_t i = 0; i < count; ++i)
    symbols[i] = hd_affine_symbol(map->in->context,
                                  i < map->range_count ? ranges + i : all_ranges + runtimes + (i - map->range_count));
  return symbols;
}

static bool move_variables(hd_index_map *to, uint32_t at, const hd_index_variable *from, uint32_t count,
                           const hd_affine *dims, const hd_affine *symbols) {
  for (uint32_t i = 0; i < count; ++i) {
    hd_index_variable v = from[i];
    hd_affine *index = v.index_count ? hd_new_array(to->in->arena, hd_affine, v.index_count) : NULL;
    for (uint32_t k = 0; k < v.index_count; ++k)
      if (!(index[k] = hd_index_substitute(to->in, v.index[k], dims, symbols))) return false;
    v.index = index;
    to->variables[at + i] = v;
  }
  return true;
}

static bool add_constraints(hd_index_map *to, const hd_index_map *from, const hd_affine *dims,
                            const hd_affine *symbols) {
  for (uint32_t i = 0; i < from->constraint_count; ++i) {
    hd_affine expr = hd_index_substitute(to->in, from->constraints[i].expr, dims, symbols);
    if (!expr) return false;
    hd_index_map_constrain(to, expr, from->constraints[i].range.lower, from->constraints[i].range.upper);
  }
  return true;
}

/* |expr| is in the range of |v|. */
static bool add_domain(hd_index_map *to, hd_affine expr, const hd_index_variable *v) {
  hd_index_map_constrain(to, expr, v->range.lower, v->range.upper);
  if (!v->limit) return true;
  hd_affine below = hd_index_add(to->in, expr, hd_index_scale(to->in, v->limit, -1));
  if (below) hd_index_map_constrain(to, below, INT64_MIN, -1);
  return below != NULL;
}

static hd_index_map *compose(const hd_index_map *first, const hd_index_map *second) {
  hd_indexing *in = first->in;
  uint32_t ranges = second->range_count + first->range_count, runtimes = second->runtime_count + first->runtime_count;
  if (first->dim_count + ranges + runtimes > HD_INDEX_MAX_VARIABLES) return NULL;
  hd_index_map *map = hd_index_map_create(in, first->dim_count, ranges, runtimes, second->result_count);
  map->is_empty = first->is_empty || second->is_empty;
  map->constraints = hd_new_array(in->arena, hd_index_constraint,
                                  first->constraint_count + second->constraint_count + 2 * second->dim_count);
  const hd_affine *of_first = moved_symbols(first, second->range_count, ranges, second->runtime_count),
                  *of_second = moved_symbols(second, 0, ranges, 0);
  hd_affine *dims = hd_new_array(in->arena, hd_affine, second->dim_count);
  uint32_t at = first->dim_count;
  const hd_index_variable *from_second = second->variables + second->dim_count,
                          *from_first = first->variables + first->dim_count;
  for (uint32_t i = 0; i < second->dim_count; ++i)
    if (!(dims[i] = hd_index_substitute(in, first->results[i], NULL, of_first))) return NULL;
  bool ok =
      move_variables(map, 0, first->variables, first->dim_count, NULL, of_first) &&
      move_variables(map, at, from_second, second->range_count, dims, of_second) &&
      move_variables(map, at + second->range_count, from_first, first->range_count, NULL, of_first) &&
      move_variables(map, at + ranges, from_second + second->range_count, second->runtime_count, dims, of_second) &&
      move_variables(map, at + ranges + second->runtime_count, from_first + first->range_count, first->runtime_count,
                     NULL, of_first) &&
      add_constraints(map, first, NULL, of_first) && add_constraints(map, second, dims, of_second);
  for (uint32_t i = 0; i < second->dim_count && ok; ++i) ok = add_domain(map, dims[i], &second->variables[i]);
  for (uint32_t i = 0; i < second->result_count && ok; ++i)
    ok = (map->results[i] = hd_index_substitute(in, second->results[i], dims, of_second)) != NULL;
  return ok ? hd_index_map_simplify(map) : NULL;
}

hd_index_map *hd_index_map_compose(const hd_index_map *first, const hd_index_map *second) {
  if (!first || !second || first->in != second->in || first->result_count != second->dim_count) return NULL;
  return compose(first, second);
}
