/* SPDX-License-Identifier: Apache-2.0 */
/* Shape functions of gather, scatter and their kin. */
#include "ir/shapes/shape_function.h"

/* A list parameter of a struct attribute. */
typedef struct list {
  uint32_t count;
  int64_t at[HD_MAX_RANK];
} list;

static bool load(hd_shape_context *c, hd_attr numbers, hd_name name, list *out) {
  hd_attr attr = hd_struct_get(numbers, name);
  size_t count = hd_attr_count(attr);
  out->count = (uint32_t)count;
  if (count > HD_MAX_RANK)
    return hd_shape_error(c, "expects at most %d %s, got %zu", HD_MAX_RANK, hd_name_text(name), count);
  for (size_t i = 0; i < count; ++i) out->at[i] = hd_attr_int_at(attr, i);
  return true;
}

static bool has(const list *l, int64_t value) {
  for (uint32_t i = 0; i < l->count; ++i)
    if (l->at[i] == value) return true;
  return false;
}

static bool sorted(hd_shape_context *c, hd_name name, const list *l) {
  for (uint32_t i = 1; i < l->count; ++i)
    if (l->at[i] < l->at[i - 1]) return hd_shape_error(c, "expects %s to be sorted", hd_name_text(name));
  return true;
}

static bool disjoint(hd_shape_context *c, hd_name a_name, const list *a, hd_name b_name, const list *b) {
  for (uint32_t i = 0; i < a->count; ++i)
    if (has(b, a->at[i]))
      return hd_shape_error(c, "expects %s and %s to be disjoint, both have %lld", hd_name_text(a_name),
                            hd_name_text(b_name), (long long)a->at[i]);
  return true;
}

/* What gather and scatter have in common, under the names of each. */
typedef struct numbers {
  list window, dropped, batching, index_batching, index_map;
  int64_t index_vector;
} numbers;

typedef struct names {
  hd_name window, dropped, batching, index_batching, index_map;
} names;

static const names gather_names = {HD_NAME_offset_dims, HD_NAME_collapsed_slice_dims, HD_NAME_operand_batching_dims,
                                   HD_NAME_start_indices_batching_dims, HD_NAME_start_index_map};
static const names scatter_names = {HD_NAME_update_window_dims, HD_NAME_inserted_window_dims,
                                    HD_NAME_input_batching_dims, HD_NAME_scatter_indices_batching_dims,
                                    HD_NAME_scatter_dims_to_operand_dims};

static bool load_numbers(hd_shape_context *c, hd_attr attr, const names *n, numbers *out) {
  if (!hd_attr_is(attr, HD_ATTR_STRUCT)) return hd_shape_error(c, "expects dimension numbers");
  hd_attr vector = hd_struct_get(attr, HD_NAME_index_vector_dim);
  out->index_vector = hd_attr_is(vector, HD_ATTR_INTEGER) ? vector->integer : 0;
  return load(c, attr, n->window, &out->window) && load(c, attr, n->dropped, &out->dropped) &&
         load(c, attr, n->batching, &out->batching) && load(c, attr, n->index_batching, &out->index_batching) &&
         load(c, attr, n->index_map, &out->index_map);
}

static bool check_lists(hd_shape_context *c, const names *n, const numbers *d, uint32_t operand_rank,
                        uint32_t index_rank) {
  const hd_op_state *state = c->state;
  if (d->index_vector < 0 || d->index_vector > index_rank)
    return hd_shape_error(c, "expects index_vector_dim in [0, %u], got %lld", index_rank, (long long)d->index_vector);
  if (!hd_check_dims(state, hd_name_text(n->dropped), d->dropped.at, d->dropped.count, operand_rank) ||
      !hd_check_dims(state, hd_name_text(n->batching), d->batching.at, d->batching.count, operand_rank) ||
      !hd_check_dims(state, hd_name_text(n->index_batching), d->index_batching.at, d->index_batching.count,
                     index_rank) ||
      !hd_check_dims(state, hd_name_text(n->index_map), d->index_map.at, d->index_map.count, operand_rank))
    return false;
  if (!sorted(c, n->window, &d->window) || !sorted(c, n->dropped, &d->dropped) ||
      !sorted(c, n->batching, &d->batching) || !disjoint(c, n->dropped, &d->dropped, n->batching, &d->batching) ||
      !disjoint(c, n->index_map, &d->index_map, n->batching, &d->batching))
    return false;
  if (has(&d->index_batching, d->index_vector))
    return hd_shape_error(c, "expects %s without index_vector_dim", hd_name_text(n->index_batching));
  return d->batching.count == d->index_batching.count ||
         hd_shape_error(c, "expects %s and %s of one size, got %u and %u", hd_name_text(n->batching),
                        hd_name_text(n->index_batching), d->batching.count, d->index_batching.count);
}

/* Of |operand|, which has |operand_rank| dims, or may be unranked; operand |at| holds the indices. */
static bool check_numbers(hd_shape_context *c, const names *n, const numbers *d, uint32_t operand,
                          uint32_t operand_rank, uint32_t at) {
  uint32_t index_rank = hd_shape_rank_of(c, at);
  if (!check_lists(c, n, d, operand_rank, index_rank)) return false;
  if (d->index_vector < index_rank)
    hd_require_equal(c, hd_extent_dim(c, at, (uint32_t)d->index_vector), hd_extent_number(c, d->index_map.count));
  else if (d->index_map.count != 1)
    return hd_shape_error(c, "expects %s of 1 entries, got %u", hd_name_text(n->index_map), d->index_map.count);
  for (uint32_t i = 0; hd_shape_is_ranked(c, operand) && i < d->batching.count; ++i)
    hd_require_equal(c, hd_extent_dim(c, operand, (uint32_t)d->batching.at[i]),
                     hd_extent_dim(c, at, (uint32_t)d->index_batching.at[i]));
  return true;
}

/* Walks the dims of what a gather gives and a scatter takes: each is a dim of operand 0 or one of the indices. */
typedef struct window_walk {
  const numbers *d;
  uint32_t next_index, next_operand;
} window_walk;

static bool is_window(window_walk *w, uint32_t dim, uint32_t *from) {
  if (has(&w->d->window, dim)) {
    while (has(&w->d->dropped, w->next_operand) || has(&w->d->batching, w->next_operand)) ++w->next_operand;
    *from = w->next_operand++;
    return true;
  }
  if (w->next_index == (uint64_t)w->d->index_vector) ++w->next_index;
  *from = w->next_index++;
  return false;
}

/* Does every dim of |shape| surely have elements, or may it, as far as that is known? */
static bool has_elements(hd_shape_context *c, const hd_extents *shape) {
  for (uint32_t d = 0; d < shape->rank; ++d) {
    int64_t size;
    if (hd_extent_known(c, shape->at[d], &size) ? !size : !c->domain->at_run_time) return false;
  }
  return true;
}

/* gather and dynamic_gather. A collapsed dim may have slices of no elements: the result has the element at the start of
 * each, which must then be there. */
static bool gather(hd_shape_context *c, const hd_extents *sizes) {
  numbers d;
  hd_type element = hd_shape_element_type(c, 0);
  bool ranked = hd_shape_is_ranked(c, 0);
  if (!load_numbers(c, hd_state_attr(c->state, HD_NAME_dimension_numbers), &gather_names, &d)) return false;
  if (!hd_shape_is_ranked(c, 1)) return hd_shape_result_unranked(c, 0, element);
  if (ranked && sizes->rank != hd_shape_rank_of(c, 0))
    return hd_shape_error(c, "expects %u slice sizes, got %u", hd_shape_rank_of(c, 0), sizes->rank);
  if (!check_numbers(c, &gather_names, &d, 0, sizes->rank, 1)) return false;
  for (uint32_t i = 0; i < sizes->rank; ++i) {
    hd_require_at_least(c, sizes->at[i], 0);
    if (ranked) hd_require_at_most(c, sizes->at[i], hd_extent_dim(c, 0, i));
    if (has(&d.dropped, i) || has(&d.batching, i)) hd_require_at_most(c, sizes->at[i], hd_extent_number(c, 1));
  }
  uint32_t windows = sizes->rank - d.dropped.count - d.batching.count, index_rank = hd_shape_rank_of(c, 1);
  if (d.window.count != windows)
    return hd_shape_error(c, "expects %u offset_dims, one per slice dim that is kept, got %u", windows, d.window.count);
  hd_extents shape;
  shape.rank = index_rank - (d.index_vector < index_rank ? 1 : 0) + windows;
  if (shape.rank > HD_MAX_RANK)
    return hd_shape_error(c, "expects a result of rank %d at most, got %u", HD_MAX_RANK, shape.rank);
  if (!hd_check_dims(c->state, hd_name_text(HD_NAME_offset_dims), d.window.at, d.window.count, shape.rank))
    return false;
  window_walk walk = {.d = &d};
  for (uint32_t i = 0, from; i < shape.rank; ++i)
    shape.at[i] = is_window(&walk, i, &from) ? sizes->at[from] : hd_extent_dim(c, 1, from);
  for (uint32_t i = 0; ranked && i < d.dropped.count && has_elements(c, &shape); ++i)
    hd_require_at_least(c, hd_extent_dim(c, 0, (uint32_t)d.dropped.at[i]), 1);
  hd_shape_result(c, 0, element, &shape);
  return true;
}

bool hd_shape_of_gather(hd_shape_context *c) {
  int64_t given[HD_MAX_RANK];
  hd_extents sizes;
  if (!hd_state_list(c->state, HD_NAME_slice_sizes, given, &sizes.rank)) return false;
  for (uint32_t d = 0; d < sizes.rank; ++d)
    sizes.at[d] = hd_extent_named(hd_extent_number(c, given[d]), "slice size", 0, d);
  return gather(c, &sizes);
}

bool hd_shape_of_dynamic_gather(hd_shape_context *c) {
  hd_type type = hd_state_type(c->state, 2);
  int64_t length = hd_is_ranked(type) && type->shaped.rank == 1 ? type->shaped.dims[0] : HD_DYNAMIC;
  if (length == HD_DYNAMIC && hd_shape_is_ranked(c, 0)) length = hd_shape_rank_of(c, 0);
  if (length == HD_DYNAMIC) return hd_shape_result_unranked(c, 0, hd_shape_element_type(c, 0));
  if (length > HD_MAX_RANK)
    return hd_shape_error(c, "expects at most %d slice sizes, got %lld", HD_MAX_RANK, (long long)length);
  hd_extents sizes;
  sizes.rank = (uint32_t)length;
  for (uint32_t d = 0; d < sizes.rank; ++d) sizes.at[d] = hd_extent_element(c, 2, d);
  return gather(c, &sizes);
}

/* The updates: a window of the input for each index. */
static bool check_updates(hd_shape_context *c, const numbers *d, uint32_t input, uint32_t indices, uint32_t updates) {
  uint32_t input_rank = hd_shape_rank_of(c, input), index_rank = hd_shape_rank_of(c, indices);
  uint32_t windows = input_rank - d->dropped.count - d->batching.count;
  if (d->window.count != windows)
    return hd_shape_error(c, "expects %u update_window_dims, one per input dim that is kept, got %u", windows,
                          d->window.count);
  uint32_t rank = index_rank - (d->index_vector < index_rank ? 1 : 0) + windows;
  if (hd_shape_rank_of(c, updates) != rank)
    return hd_shape_error(c, "expects updates of rank %u, got rank %u", rank, hd_shape_rank_of(c, updates));
  if (!hd_check_dims(c->state, hd_name_text(HD_NAME_update_window_dims), d->window.at, d->window.count, rank))
    return false;
  window_walk walk = {.d = d};
  for (uint32_t i = 0, from; i < rank; ++i) {
    if (is_window(&walk, i, &from))
      hd_require_at_most(c, hd_extent_dim(c, updates, i), hd_extent_dim(c, input, from));
    else
      hd_require_equal(c, hd_extent_dim(c, updates, i), hd_extent_dim(c, indices, from));
  }
  return true;
}

bool hd_shape_of_scatter(hd_shape_context *c) {
  uint32_t n = ((uint32_t)c->state->operand_count - 1) / 2;
  if (!n || c->state->operand_count != 2 * (size_t)n + 1)
    return hd_shape_error(c, "expects as many updates as inputs, and at least one");
  if (!hd_check_result_count(c->state, n)) return false;
  hd_extents inputs, updates;
  numbers d;
  if (!load_numbers(c, hd_state_attr(c->state, HD_NAME_scatter_dimension_numbers), &scatter_names, &d) ||
      !hd_extents_meet_operands(c, "inputs", 0, n, &inputs) ||
      !hd_extents_meet_operands(c, "updates", n + 1, 2 * n + 1, &updates))
    return false;
  bool checked = false; /* those of the first also hold for the others, which have its dims when the program runs */
  for (uint32_t k = 0; k < n; ++k) {
    hd_type yielded = hd_state_yielded(c->state, 0, k);
    bool ranked = hd_shape_is_ranked(c, k) && hd_shape_is_ranked(c, n) && hd_shape_is_ranked(c, n + 1 + k);
    if (ranked && !checked && !check_numbers(c, &scatter_names, &d, k, hd_shape_rank_of(c, k), n)) return false;
    if (ranked && !(checked && c->domain->at_run_time) && !check_updates(c, &d, k, n, n + 1 + k)) return false;
    checked |= ranked;
    hd_shape_result_like(c, k, k, yielded && hd_type_is_tensor(yielded) ? hd_type_element(yielded) : NULL);
  }
  return true;
}

bool hd_shape_of_torch_index_select(hd_shape_context *c) {
  hd_extents operand, index, shape;
  shape.rank = 0;
  hd_type element = hd_shape_element_type(c, 0);
  if (!hd_extents_of(c, 0, &operand) || !hd_extents_of(c, 1, &index))
    return !c->failed && hd_shape_result_unranked(c, 0, element);
  int64_t dim = hd_state_int(c->state, HD_NAME_dim, 0), batch = hd_state_int(c->state, HD_NAME_batch_dims, 0);
  if (dim < 0 || dim >= operand.rank)
    return hd_shape_error(c, "expects dim in [0, %u), got %lld", operand.rank, (long long)dim);
  if (batch < 0 || batch > dim || batch > index.rank)
    return hd_shape_error(c, "expects batch_dims of 0 or more, not above dim and the index rank, got %lld",
                          (long long)batch);
  uint32_t rank = operand.rank - 1 + index.rank - (uint32_t)batch;
  if (rank > HD_MAX_RANK) return hd_shape_error(c, "expects a result of rank %d at most, got %u", HD_MAX_RANK, rank);
  for (uint32_t d = 0; d < batch; ++d) hd_require_equal(c, operand.at[d], index.at[d]);
  for (uint32_t d = 0; d < dim; ++d) shape.at[shape.rank++] = operand.at[d];
  for (uint32_t d = (uint32_t)batch; d < index.rank; ++d) shape.at[shape.rank++] = index.at[d];
  for (uint32_t d = (uint32_t)dim + 1; d < operand.rank; ++d) shape.at[shape.rank++] = operand.at[d];
  hd_shape_result(c, 0, element, &shape);
  return true;
}
