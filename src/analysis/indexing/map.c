/* SPDX-License-Identifier: Apache-2.0 */
/* Maps as they are made, compared and evaluated. */
#include "analysis/indexing/map.h"

hd_index_map *hd_index_map_create(hd_indexing *in, uint32_t dims, uint32_t ranges, uint32_t runtimes,
                                  uint32_t results) {
  hd_index_map *map = hd_new(in->arena, hd_index_map);
  *map = (hd_index_map){
      .in = in, .dim_count = dims, .range_count = ranges, .runtime_count = runtimes, .result_count = results};
  map->variables = hd_new_array(in->arena, hd_index_variable, dims + ranges + runtimes);
  for (uint32_t i = 0; i < dims + ranges + runtimes; ++i)
    map->variables[i].range = (hd_index_range){INT64_MIN, INT64_MAX};
  map->results = hd_new_array(in->arena, hd_affine, results);
  return map;
}

hd_index_map *hd_index_map_copy(const hd_index_map *map, uint32_t more) {
  hd_index_map *copy =
      hd_index_map_create(map->in, map->dim_count, map->range_count, map->runtime_count, map->result_count);
  uint32_t variables = hd_index_variable_count(map);
  if (variables) memcpy(copy->variables, map->variables, variables * sizeof *map->variables);
  if (map->result_count) memcpy(copy->results, map->results, map->result_count * sizeof *map->results);
  copy->constraints = hd_new_array(map->in->arena, hd_index_constraint, map->constraint_count + more);
  copy->constraint_count = map->constraint_count;
  if (map->constraint_count)
    memcpy(copy->constraints, map->constraints, map->constraint_count * sizeof *map->constraints);
  copy->is_empty = map->is_empty;
  return copy;
}

void hd_index_map_constrain(hd_index_map *map, hd_affine expr, int64_t lower, int64_t upper) {
  map->constraints[map->constraint_count++] = (hd_index_constraint){expr, {lower, upper}};
}

void hd_index_variable_size(hd_indexing *in, hd_index_variable *variable, hd_dim size) {
  int64_t count;
  variable->range.lower = 0;
  if (hd_dim_is_const(in->table, size, &count)) {
    variable->range.upper = count - 1;
    return;
  }
  variable->limit = hd_index_of_dim(in, size);
  int64_t most = hd_dim_upper(hd_dim_resolve(in->table, size));
  variable->range.upper = most == INT64_MAX ? most : most - 1;
}

hd_index_variable *hd_index_variable_of(const hd_index_map *map, hd_affine expr) {
  uint64_t at = (uint64_t)expr->value;
  if (expr->kind == HD_AFFINE_DIM) return at < map->dim_count ? &map->variables[at] : NULL;
  if (expr->kind != HD_AFFINE_SYMBOL || at >= map->range_count + map->runtime_count) return NULL;
  return &map->variables[map->dim_count + at];
}

hd_index_map *hd_index_map_identity(hd_indexing *in, hd_value *value) {
  const hd_value_shape *shape = hd_shapes_get(in->shapes, value);
  hd_dim dims[HD_MAX_RANK + 1] = {0};
  for (uint32_t i = 0; i < shape->rank; ++i)
    if (!(dims[i] = hd_dim_resolve(in->table, shape->dims[i]))) return NULL;
  /* A rank of 0 needs a key too. */
  hd_map_entry *entry = hd_map_insert_bytes(in->arena, &in->identities, dims, (shape->rank + 1) * sizeof *dims, NULL);
  if (entry->value.ptr) return entry->value.ptr;
  hd_index_map *map = hd_index_map_create(in, shape->rank, 0, 0, shape->rank);
  for (uint32_t i = 0; i < shape->rank; ++i) {
    hd_index_variable_size(in, &map->variables[i], dims[i]);
    map->results[i] = hd_affine_dim(in->context, i);
  }
  return entry->value.ptr = map;
}

bool hd_index_map_is_identity(const hd_index_map *map) {
  if (!map || map->is_empty || map->result_count != map->dim_count || map->range_count || map->runtime_count ||
      map->constraint_count)
    return false;
  for (uint32_t i = 0; i < map->result_count; ++i) {
    const hd_index_range *range = &map->variables[i].range;
    bool is_fixed = range->lower == range->upper && map->results[i]->kind == HD_AFFINE_CONST &&
                    map->results[i]->value == range->lower;
    if (!is_fixed && (map->results[i]->kind != HD_AFFINE_DIM || map->results[i]->value != i)) return false;
  }
  return true;
}

static bool same_variable(const hd_index_variable *a, const hd_index_variable *b) {
  if (a->range.lower != b->range.lower || a->range.upper != b->range.upper || a->limit != b->limit ||
      a->value != b->value || a->clamps != b->clamps || a->index_count != b->index_count)
    return false;
  for (uint32_t i = 0; i < a->index_count; ++i)
    if (a->index[i] != b->index[i]) return false;
  return true;
}

bool hd_index_map_equal(const hd_index_map *a, const hd_index_map *b) {
  if (!a || !b) return false;
  if (a == b) return true;
  if (a->in != b->in || a->dim_count != b->dim_count || a->range_count != b->range_count ||
      a->runtime_count != b->runtime_count || a->result_count != b->result_count || a->is_empty != b->is_empty ||
      a->constraint_count != b->constraint_count)
    return false;
  for (uint32_t i = 0; i < hd_index_variable_count(a); ++i)
    if (!same_variable(&a->variables[i], &b->variables[i])) return false;
  for (uint32_t i = 0; i < a->result_count; ++i)
    if (a->results[i] != b->results[i]) return false;
  for (uint32_t i = 0; i < a->constraint_count; ++i) {
    const hd_index_constraint *x = &a->constraints[i], *y = &b->constraints[i];
    if (x->expr != y->expr || x->range.lower != y->range.lower || x->range.upper != y->range.upper) return false;
  }
  return true;
}

static hd_index_outcome check_range(hd_index_range range, int64_t value) {
  return value >= range.lower && value <= range.upper ? HD_INDEX_INSIDE : HD_INDEX_OUTSIDE;
}

hd_index_outcome hd_index_map_eval(const hd_index_map *map, const int64_t *variables, const int64_t *sizes,
                                   int64_t *out_results) {
  const int64_t *symbols = variables + map->dim_count;
  if (map->is_empty) return HD_INDEX_OUTSIDE;
  for (uint32_t i = 0; i < hd_index_variable_count(map); ++i) {
    const hd_index_variable *v = &map->variables[i];
    int64_t limit;
    if (check_range(v->range, variables[i])) return HD_INDEX_OUTSIDE;
    if (!v->limit) continue;
    if (!hd_index_eval(map->in, v->limit, variables, symbols, sizes, &limit)) return HD_INDEX_UNDEFINED;
    if (variables[i] >= limit) return HD_INDEX_OUTSIDE;
  }
  for (uint32_t i = 0; i < map->constraint_count; ++i) {
    int64_t value;
    if (!hd_index_eval(map->in, map->constraints[i].expr, variables, symbols, sizes, &value)) return HD_INDEX_UNDEFINED;
    if (check_range(map->constraints[i].range, value)) return HD_INDEX_OUTSIDE;
  }
  for (uint32_t i = 0; i < map->result_count; ++i)
    if (!hd_index_eval(map->in, map->results[i], variables, symbols, sizes, &out_results[i])) return HD_INDEX_UNDEFINED;
  return HD_INDEX_INSIDE;
}
