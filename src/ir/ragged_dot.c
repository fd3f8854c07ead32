/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/ragged_dot.h"

#include "ir/op_info.h"

static int64_t place(const hd_ragged_dims *dims, int64_t dim) {
  for (uint32_t i = 0; i < dims->count; ++i)
    if (dims->at[i] == dim) return i;
  return -1;
}

/* The list |name|, distinct dims below |rank| that are in none of |others|. */
static bool read_list(hd_attr numbers, hd_name name, uint32_t rank, const hd_ragged_dims *other, hd_ragged_dims *out) {
  hd_attr list = hd_struct_get(numbers, name);
  out->count = 0;
  if (hd_attr_count(list) > rank) return false;
  for (size_t i = 0; i < hd_attr_count(list); ++i) {
    int64_t dim = hd_attr_int_at(list, i);
    if (dim < 0 || dim >= rank || place(out, dim) >= 0 || (other && place(other, dim) >= 0)) return false;
    out->at[out->count++] = dim;
  }
  return true;
}

static void rest_of(uint32_t rank, const hd_ragged_dims *a, const hd_ragged_dims *b, int64_t without,
                    hd_ragged_dims *out) {
  out->count = 0;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (place(a, dim) < 0 && place(b, dim) < 0 && dim != without) out->at[out->count++] = dim;
}

/* |first|, then what precedes |ragged| in |own|. */
static void prefix_of(const hd_ragged_dims *first, const hd_ragged_dims *own, int64_t ragged, hd_ragged_dims *out) {
  out->count = 0;
  for (uint32_t i = 0; first && i < first->count; ++i) out->at[out->count++] = first->at[i];
  for (uint32_t i = 0; own->at[i] != ragged; ++i) out->at[out->count++] = own->at[i];
}

const char *hd_ragged_dot_read(hd_attr numbers, uint32_t lhs_rank, uint32_t rhs_rank, hd_ragged_dot *out) {
  hd_ragged_dims ragged, group;
  *out = (hd_ragged_dot){.rhs_ragged = -1, .group = -1};
  if (!hd_attr_is(numbers, HD_ATTR_STRUCT)) return "expects 'ragged_dot_dimension_numbers'";
  if (lhs_rank > HD_MAX_RANK || rhs_rank > HD_MAX_RANK) return "expects operands of a smaller rank";
  if (!read_list(numbers, HD_NAME_lhs_batching_dimensions, lhs_rank, NULL, &out->lhs_batch) ||
      !read_list(numbers, HD_NAME_lhs_contracting_dimensions, lhs_rank, &out->lhs_batch, &out->lhs_contract))
    return "expects distinct dims of lhs as batching and contracting ones";
  if (!read_list(numbers, HD_NAME_rhs_batching_dimensions, rhs_rank, NULL, &out->rhs_batch) ||
      !read_list(numbers, HD_NAME_rhs_contracting_dimensions, rhs_rank, &out->rhs_batch, &out->rhs_contract))
    return "expects distinct dims of rhs as batching and contracting ones";
  if (out->lhs_batch.count != out->rhs_batch.count || out->lhs_contract.count != out->rhs_contract.count)
    return "expects as many batching and contracting dims of lhs as of rhs";
  if (!read_list(numbers, HD_NAME_lhs_ragged_dimensions, lhs_rank, NULL, &ragged) || ragged.count != 1)
    return "expects one dim of lhs in 'lhs_ragged_dimensions'";
  out->ragged = ragged.at[0];
  int64_t batch = place(&out->lhs_batch, out->ragged), contract = place(&out->lhs_contract, out->ragged);
  out->kind = batch >= 0 ? HD_RAGGED_BATCH : contract >= 0 ? HD_RAGGED_CONTRACTING : HD_RAGGED_ROWS;
  if (!read_list(numbers, HD_NAME_rhs_group_dimensions, rhs_rank, &out->rhs_batch, &group) ||
      (group.count && place(&out->rhs_contract, group.at[0]) >= 0) || group.count != (out->kind == HD_RAGGED_ROWS))
    return out->kind == HD_RAGGED_ROWS
               ? "expects one dim of rhs, neither batching nor contracting, in 'rhs_group_dimensions'"
               : "expects no 'rhs_group_dimensions' where the ragged dim is in both operands";
  if (group.count) out->group = group.at[0];
  rest_of(lhs_rank, &out->lhs_batch, &out->lhs_contract, -1, &out->lhs_rows);
  rest_of(rhs_rank, &out->rhs_batch, &out->rhs_contract, out->group, &out->rhs_columns);
  if (out->kind == HD_RAGGED_ROWS) {
    prefix_of(&out->lhs_batch, &out->lhs_rows, out->ragged, &out->lhs_prefix);
  } else if (out->kind == HD_RAGGED_CONTRACTING) {
    out->rhs_ragged = out->rhs_contract.at[contract];
    prefix_of(&out->lhs_batch, &out->lhs_contract, out->ragged, &out->lhs_prefix);
    prefix_of(&out->rhs_batch, &out->rhs_contract, out->rhs_ragged, &out->rhs_prefix);
  } else {
    out->rhs_ragged = out->rhs_batch.at[batch];
    prefix_of(NULL, &out->lhs_batch, out->ragged, &out->lhs_prefix);
    prefix_of(NULL, &out->rhs_batch, out->rhs_ragged, &out->rhs_prefix);
  }
  return NULL;
}
