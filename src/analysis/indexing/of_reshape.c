/* SPDX-License-Identifier: Apache-2.0 */
/* Reshapes: dims of both shapes in the least groups whose products are equal; in a group the result's index as a
 * position, taken apart by the operand's dims. */
#include "analysis/indexing/of_op.h"

typedef struct dim_list {
  uint32_t count, at[HD_MAX_RANK];
  hd_dim sizes[HD_MAX_RANK];
} dim_list;

/* Dims of size 1 have the index 0 and belong to no group. */
static void add_dim(hd_dim_table *table, dim_list *list, uint32_t d, hd_dim size) {
  int64_t one;
  if (hd_dim_is_const(table, size, &one) && one == 1) return;
  list->at[list->count] = d;
  list->sizes[list->count++] = size;
}

static hd_dim product(hd_dim_table *table, const dim_list *list, uint32_t from, uint32_t to) {
  hd_dim all = hd_dim_const(table, 1);
  for (uint32_t i = from; i < to; ++i) all = hd_dim_mul(table, all, list->sizes[i]);
  return all;
}

/* The ends of the least groups from |*i| and |*j| on; the ends of all when no products are known to be equal. */
static void next_group(hd_dim_table *table, const dim_list *from, const dim_list *to, uint32_t *i, uint32_t *j) {
  uint32_t first = *i, start = *j;
  *i = *i < from->count ? *i + 1 : *i;
  *j = *j < to->count ? *j + 1 : *j;
  for (;;) {
    hd_dim x = product(table, from, first, *i), y = product(table, to, start, *j);
    if (hd_dim_equal(table, x, y)) break;
    bool more_to =
        *j < to->count && (*i == from->count || hd_dim_exact_div(table, x, y) || hd_dim_at_most(table, y, x));
    if (more_to)
      ++*j;
    else if (*i < from->count)
      ++*i;
    else
      return; /* what is left is one group */
  }
  /* A group at the end takes what is left. */
  if (*i == from->count || *j == to->count) *i = from->count, *j = to->count;
}

/* The position of the result's index in dims [from, to) of |list|. */
static hd_affine linearize(hd_op_maps *m, const dim_list *list, uint32_t from, uint32_t to) {
  hd_affine sum = hd_affine_const(m->in->context, 0);
  for (uint32_t j = from; j < to; ++j) {
    hd_affine stride = hd_index_of_dim(m->in, product(m->in->table, list, j + 1, to));
    if (!stride || !sum) return NULL;
    hd_affine d = hd_affine_dim(m->in->context, list->at[j]);
    sum = hd_index_add(m->in, sum, hd_affine_binary(m->in->context, HD_AFFINE_MUL, d, stride));
  }
  return sum;
}

/* Takes |position| apart by dims [from, to) of |list|. */
static bool delinearize(hd_op_maps *m, hd_index_map *map, const dim_list *list, uint32_t from, uint32_t to,
                        hd_affine position) {
  hd_context *c = m->in->context;
  for (uint32_t i = from; i < to; ++i) {
    hd_affine stride = hd_index_of_dim(m->in, product(m->in->table, list, i + 1, to)),
              size = hd_index_of_dim(m->in, list->sizes[i]);
    if (!stride || !size || !position) return false;
    hd_affine index = hd_affine_binary(c, HD_AFFINE_FLOORDIV, position, stride);
    map->results[list->at[i]] = i > from ? hd_affine_binary(c, HD_AFFINE_MOD, index, size) : index;
  }
  return true;
}

bool hd_index_of_reshape(hd_op_maps *m) {
  dim_list from = {0}, to = {0};
  hd_dim_table *table = m->in->table;
  hd_index_map *map = hd_op_map(m, 0, 0, 0, 0);
  if (map->dim_count > HD_MAX_RANK || map->result_count > HD_MAX_RANK) return false;
  for (uint32_t d = 0; d < map->result_count; ++d) {
    add_dim(table, &from, d, hd_op_maps_dim(m, 0, d));
    map->results[d] = hd_affine_const(m->in->context, 0);
  }
  for (uint32_t d = 0; d < map->dim_count; ++d) add_dim(table, &to, d, hd_op_maps_output_dim(m, d));
  for (uint32_t i = 0, j = 0; i < from.count || j < to.count;) {
    uint32_t first = i, start = j;
    next_group(table, &from, &to, &i, &j);
    if (!delinearize(m, map, &from, first, i, linearize(m, &to, start, j))) return false;
  }
  return hd_op_maps_add(m, 0, map);
}

static hd_affine divide(hd_op_maps *m, hd_affine a, int64_t by) {
  hd_context *c = m->in->context;
  return a ? hd_affine_binary(c, HD_AFFINE_FLOORDIV, a, hd_affine_const(c, by)) : NULL;
}

/* The same bytes. Elements of another width: several of the result are in one of the operand, or the other way. */
bool hd_index_of_bitcast(hd_op_maps *m) {
  hd_type from_element = hd_type_element(hd_op_maps_input(m, 0)->type), to_element = hd_type_element(m->output->type);
  int64_t from_bits = hd_type_bits(from_element), to_bits = hd_type_bits(to_element);
  if (from_bits == to_bits) return hd_index_of_reshape(m);
  if (from_bits < 8 || to_bits < 8 || (from_bits % to_bits && to_bits % from_bits)) return false;
  dim_list from = {0}, to = {0};
  bool widens = to_bits > from_bits;
  hd_index_map *map = hd_op_map(m, 0, widens, 0, 0);
  if (map->dim_count > HD_MAX_RANK || map->result_count > HD_MAX_RANK) return false;
  for (uint32_t d = 0; d < map->result_count; ++d) {
    add_dim(m->in->table, &from, d, hd_op_maps_dim(m, 0, d));
    map->results[d] = hd_affine_const(m->in->context, 0);
  }
  for (uint32_t d = 0; d < map->dim_count; ++d) add_dim(m->in->table, &to, d, hd_op_maps_output_dim(m, d));
  hd_affine position = linearize(m, &to, 0, to.count);
  if (widens) {
    map->variables[map->dim_count].range = (hd_index_range){0, to_bits / from_bits - 1};
    position =
        hd_index_add(m->in, hd_index_scale(m->in, position, to_bits / from_bits), hd_affine_symbol(m->in->context, 0));
  } else {
    position = divide(m, position, from_bits / to_bits);
  }
  return delinearize(m, map, &from, 0, from.count, position) && hd_op_maps_add(m, 0, map);
}
