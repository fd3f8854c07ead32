/* SPDX-License-Identifier: Apache-2.0 */
/* Result types of gather and its kin, and what the dimension numbers of gather and scatter have to fulfil. */
#include "ir/infer.h"

/* A list parameter of a struct attribute. */
typedef struct list {
  uint32_t count;
  int64_t at[HD_MAX_RANK];
} list;

static bool load(const hd_op_state *state, hd_attr numbers, hd_name name, list *out) {
  hd_attr attr = hd_struct_get(numbers, name);
  size_t count = hd_attr_count(attr);
  *out = (list){0};
  if (count > HD_MAX_RANK)
    return hd_infer_error(state, "expects at most %d %s, got %zu", HD_MAX_RANK, hd_name_text(name), count);
  for (size_t i = 0; i < count; ++i) out->at[i] = hd_attr_int_at(attr, i);
  out->count = (uint32_t)count;
  return true;
}

static bool has(const list *l, int64_t value) {
  for (uint32_t i = 0; i < l->count; ++i)
    if (l->at[i] == value) return true;
  return false;
}

static bool sorted(const hd_op_state *state, hd_name name, const list *l) {
  for (uint32_t i = 1; i < l->count; ++i)
    if (l->at[i] < l->at[i - 1]) return hd_infer_error(state, "expects %s to be sorted", hd_name_text(name));
  return true;
}

static bool disjoint(const hd_op_state *state, hd_name a_name, const list *a, hd_name b_name, const list *b) {
  for (uint32_t i = 0; i < a->count; ++i)
    if (has(b, a->at[i]))
      return hd_infer_error(state, "expects %s and %s to be disjoint, both have %lld", hd_name_text(a_name),
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

static bool load_numbers(const hd_op_state *state, hd_attr attr, const names *n, numbers *out) {
  if (!hd_attr_is(attr, HD_ATTR_STRUCT)) return hd_infer_error(state, "expects dimension numbers");
  hd_attr vector = hd_struct_get(attr, HD_NAME_index_vector_dim);
  out->index_vector = hd_attr_is(vector, HD_ATTR_INTEGER) ? vector->integer : 0;
  return load(state, attr, n->window, &out->window) && load(state, attr, n->dropped, &out->dropped) &&
         load(state, attr, n->batching, &out->batching) && load(state, attr, n->index_batching, &out->index_batching) &&
         load(state, attr, n->index_map, &out->index_map);
}

/* |operand_rank| and |indices| of known rank. */
static bool check_numbers(const hd_op_state *state, const names *n, const numbers *d, uint32_t operand_rank,
                          const hd_sketch *operand, const hd_sketch *indices) {
  if (d->index_vector < 0 || d->index_vector > indices->rank)
    return hd_infer_error(state, "expects index_vector_dim in [0, %u], got %lld", indices->rank,
                          (long long)d->index_vector);
  int64_t depth = d->index_vector < indices->rank ? indices->dims[d->index_vector] : 1;
  if (depth != HD_DYNAMIC && depth != d->index_map.count)
    return hd_infer_error(state, "expects %s of %lld entries, got %u", hd_name_text(n->index_map), (long long)depth,
                          d->index_map.count);
  if (!hd_check_dims(state, hd_name_text(n->dropped), d->dropped.at, d->dropped.count, operand_rank) ||
      !hd_check_dims(state, hd_name_text(n->batching), d->batching.at, d->batching.count, operand_rank) ||
      !hd_check_dims(state, hd_name_text(n->index_batching), d->index_batching.at, d->index_batching.count,
                     indices->rank) ||
      !hd_check_dims(state, hd_name_text(n->index_map), d->index_map.at, d->index_map.count, operand_rank))
    return false;
  if (!sorted(state, n->window, &d->window) || !sorted(state, n->dropped, &d->dropped) ||
      !sorted(state, n->batching, &d->batching))
    return false;
  if (!disjoint(state, n->dropped, &d->dropped, n->batching, &d->batching) ||
      !disjoint(state, n->index_map, &d->index_map, n->batching, &d->batching))
    return false;
  if (has(&d->index_batching, d->index_vector))
    return hd_infer_error(state, "expects %s without index_vector_dim", hd_name_text(n->index_batching));
  if (d->batching.count != d->index_batching.count)
    return hd_infer_error(state, "expects %s and %s of one size, got %u and %u", hd_name_text(n->batching),
                          hd_name_text(n->index_batching), d->batching.count, d->index_batching.count);
  for (uint32_t i = 0; operand && i < d->batching.count; ++i) {
    int64_t a = operand->dims[d->batching.at[i]], b = indices->dims[d->index_batching.at[i]];
    if (a != HD_DYNAMIC && b != HD_DYNAMIC && a != b)
      return hd_infer_error(state, "expects batching dims of one size, got %lld and %lld", (long long)a, (long long)b);
  }
  return true;
}

/* gather and dynamic_gather; |sizes| holds HD_DYNAMIC where a slice size is not known. A collapsed dim may have slices
 * of no elements: the result has the element at the start of each, which must then be there. */
static bool gather(const hd_op_state *state, const int64_t *sizes, uint32_t size_count, hd_type *out) {
  hd_sketch operand, indices;
  numbers d;
  hd_type element = hd_type_element(hd_state_type(state, 0));
  bool operand_ranked = hd_is_ranked(hd_state_type(state, 0));
  if (!load_numbers(state, hd_state_attr(state, HD_NAME_dimension_numbers), &gather_names, &d)) return false;
  if (!hd_is_ranked(hd_state_type(state, 1))) {
    *out = hd_type_unranked_tensor(element);
    return true;
  }
  if (!hd_sketch_of(state, hd_state_type(state, 1), &indices)) return false;
  if (operand_ranked && !hd_sketch_of(state, hd_state_type(state, 0), &operand)) return false;
  if (operand_ranked && size_count != operand.rank)
    return hd_infer_error(state, "expects %u slice sizes, got %u", operand.rank, size_count);
  if (!check_numbers(state, &gather_names, &d, size_count, operand_ranked ? &operand : NULL, &indices)) return false;
  for (uint32_t i = 0; i < size_count; ++i) {
    if (sizes[i] == HD_DYNAMIC) continue;
    int64_t most = operand_ranked ? (operand.dims[i] != HD_DYNAMIC ? operand.dims[i] : operand.bounds[i]) : HD_DYNAMIC;
    if (sizes[i] < 0 || (most != HD_DYNAMIC && sizes[i] > most))
      return hd_infer_error(state, "expects slice sizes in [0, %s], got %lld in dim %u", hd_dim_text(most),
                            (long long)sizes[i], i);
    if (sizes[i] > 1 && (has(&d.dropped, i) || has(&d.batching, i)))
      return hd_infer_error(state, "expects a slice size of 1 or less in the %s dim %u, got %lld",
                            has(&d.dropped, i) ? "collapsed" : "batching", i, (long long)sizes[i]);
  }
  uint32_t windows = size_count - d.dropped.count - d.batching.count;
  if (d.window.count != windows)
    return hd_infer_error(state, "expects %u offset_dims, one per slice dim that is kept, got %u", windows,
                          d.window.count);
  uint32_t batch = indices.rank - (d.index_vector < indices.rank ? 1 : 0), rank = batch + windows;
  if (rank > HD_MAX_RANK)
    return hd_infer_error(state, "expects a result of rank %d at most, got %u", HD_MAX_RANK, rank);
  if (!hd_check_dims(state, "offset_dims", d.window.at, d.window.count, rank)) return false;
  hd_sketch result = hd_sketch_unknown(rank);
  uint32_t next_index = 0, next_operand = 0;
  for (uint32_t i = 0; i < rank; ++i) {
    if (has(&d.window, i)) {
      while (has(&d.dropped, next_operand) || has(&d.batching, next_operand)) ++next_operand;
      result.dims[i] = sizes[next_operand++];
    } else {
      if (next_index == (uint64_t)d.index_vector) ++next_index;
      hd_sketch_copy_dim(&result, i, &indices, next_index++);
    }
  }
  bool filled = true;
  for (uint32_t i = 0; i < rank; ++i) filled &= result.dims[i] != HD_DYNAMIC && result.dims[i] != 0;
  for (uint32_t i = 0; operand_ranked && filled && i < size_count; ++i)
    if (operand.dims[i] == 0 && has(&d.dropped, i))
      return hd_infer_error(state, "expects elements in the collapsed dim %u, which the result reads, got 0", i);
  *out = hd_sketch_type(state, element, &result);
  return true;
}

bool hd_infer_gather(const hd_op_state *state, hd_type *out) {
  int64_t sizes[HD_MAX_RANK];
  uint32_t count;
  return hd_state_list(state, HD_NAME_slice_sizes, sizes, &count) && gather(state, sizes, count, out);
}

bool hd_infer_dynamic_gather(const hd_op_state *state, hd_type *out) {
  hd_type shape = hd_state_type(state, 2);
  int64_t sizes[HD_MAX_RANK],
      length = hd_is_ranked(shape) && shape->shaped.rank == 1 ? shape->shaped.dims[0] : HD_DYNAMIC;
  if (length == HD_DYNAMIC && hd_is_ranked(hd_state_type(state, 0))) length = hd_state_type(state, 0)->shaped.rank;
  if (length == HD_DYNAMIC) {
    *out = hd_type_unranked_tensor(hd_type_element(hd_state_type(state, 0)));
    return true;
  }
  if (length > HD_MAX_RANK)
    return hd_infer_error(state, "expects at most %d slice sizes, got %lld", HD_MAX_RANK, (long long)length);
  if (!hd_state_constant(state, 2, (uint32_t)length, sizes))
    for (int64_t i = 0; i < length; ++i) sizes[i] = HD_DYNAMIC;
  return gather(state, sizes, (uint32_t)length, out);
}

bool hd_infer_scatter(const hd_op_state *state, hd_type *out) {
  size_t n = (state->operand_count - 1) / 2;
  if (!n || state->operand_count != 2 * n + 1)
    return hd_infer_error(state, "expects as many updates as inputs, and at least one");
  if (!hd_check_result_count(state, n)) return false;
  hd_sketch input, indices, update;
  numbers d;
  if (!load_numbers(state, hd_state_attr(state, HD_NAME_scatter_dimension_numbers), &scatter_names, &d)) return false;
  for (size_t k = 0; k < n; ++k) {
    hd_type type = hd_state_type(state, k), update_type = hd_state_type(state, n + 1 + k);
    out[k] = type;
    hd_type yielded = hd_state_yielded(state, 0, (uint32_t)k);
    if (yielded && hd_type_is_tensor(yielded) && hd_type_is_tensor(type))
      out[k] = hd_type_with_element(type, hd_type_element(yielded));
    if (!hd_is_ranked(type) || !hd_is_ranked(hd_state_type(state, n)) || !hd_is_ranked(update_type)) continue;
    if (!hd_sketch_of(state, type, &input) || !hd_sketch_of(state, hd_state_type(state, n), &indices) ||
        !hd_sketch_of(state, update_type, &update) ||
        !check_numbers(state, &scatter_names, &d, input.rank, &input, &indices))
      return false;
    uint32_t windows = input.rank - d.dropped.count - d.batching.count;
    if (d.window.count != windows)
      return hd_infer_error(state, "expects %u update_window_dims, one per input dim that is kept, got %u", windows,
                            d.window.count);
    uint32_t rank = indices.rank - (d.index_vector < indices.rank ? 1 : 0) + windows;
    if (update.rank != rank) return hd_infer_error(state, "expects updates of rank %u, got rank %u", rank, update.rank);
    if (!hd_check_dims(state, "update_window_dims", d.window.at, d.window.count, rank)) return false;
    uint32_t next_index = 0, next_input = 0;
    for (uint32_t i = 0; i < rank; ++i) {
      if (has(&d.window, i)) {
        while (has(&d.dropped, next_input) || has(&d.batching, next_input)) ++next_input;
        int64_t most = input.dims[next_input++];
        if (most != HD_DYNAMIC && update.dims[i] != HD_DYNAMIC && update.dims[i] > most)
          return hd_infer_error(state, "expects update windows within the input, got %lld of %lld in dim %u",
                                (long long)update.dims[i], (long long)most, i);
      } else {
        if (next_index == (uint64_t)d.index_vector) ++next_index;
        int64_t size = indices.dims[next_index++];
        if (size != HD_DYNAMIC && update.dims[i] != HD_DYNAMIC && update.dims[i] != size)
          return hd_infer_error(state, "expects update dim %u of size %lld as the scatter indices have, got %lld", i,
                                (long long)size, (long long)update.dims[i]);
      }
    }
  }
  return true;
}

bool hd_infer_torch_index_select(const hd_op_state *state, hd_type *out) {
  hd_sketch operand, index;
  hd_type element = hd_type_element(hd_state_type(state, 0));
  if (!hd_is_ranked(hd_state_type(state, 0)) || !hd_is_ranked(hd_state_type(state, 1))) {
    *out = hd_type_unranked_tensor(element);
    return true;
  }
  if (!hd_sketch_of(state, hd_state_type(state, 0), &operand) || !hd_sketch_of(state, hd_state_type(state, 1), &index))
    return false;
  int64_t dim = hd_state_int(state, HD_NAME_dim, 0), batch = hd_state_int(state, HD_NAME_batch_dims, 0);
  if (dim < 0 || dim >= operand.rank)
    return hd_infer_error(state, "expects dim in [0, %u), got %lld", operand.rank, (long long)dim);
  if (batch < 0 || batch > dim || batch > index.rank)
    return hd_infer_error(state, "expects batch_dims of 0 or more, not above dim and the index rank, got %lld",
                          (long long)batch);
  uint32_t rank = operand.rank - 1 + index.rank - (uint32_t)batch;
  if (rank > HD_MAX_RANK)
    return hd_infer_error(state, "expects a result of rank %d at most, got %u", HD_MAX_RANK, rank);
  hd_sketch result = hd_sketch_unknown(rank);
  uint32_t at = 0;
  for (uint32_t i = 0; i < dim; ++i) hd_sketch_copy_dim(&result, at++, &operand, i);
  for (uint32_t i = (uint32_t)batch; i < index.rank; ++i) hd_sketch_copy_dim(&result, at++, &index, i);
  for (uint32_t i = (uint32_t)dim + 1; i < operand.rank; ++i) hd_sketch_copy_dim(&result, at++, &operand, i);
  *out = hd_sketch_type(state, element, &result);
  return true;
}
