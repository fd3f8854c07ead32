/* SPDX-License-Identifier: Apache-2.0 */
/* Which static sizes of a product its outlined function leaves open, so that products that differ in these alone share
 * one function: columns and summed dims of the right-hand side that are multiples of HD_OPEN_SIZES_MULTIPLE. */
#include "ir/ops/stablehlo.h"
#include "passes/gpu/outliner.h"

/* Of all targets' tiles: whole columns and whole terms. */
enum { WHOLE = HD_OPEN_SIZES_MULTIPLE };

/* The product that is all of |fusion|, of three buffers: lhs, rhs and the result. */
static hd_op *only_product(hd_op *fusion, const hd_captures *captures) {
  hd_op *op = hd_op_region(fusion, 0)->first->first;
  if (!op || !op->next || op->next->next || hd_buffer_opcode(op) != HD_OP_stablehlo_dot_general ||
      captures->len != HD_PRODUCT_BUFFERS)
    return NULL;
  for (uint32_t i = 0; i < HD_PRODUCT_BUFFERS; ++i)
    if (hd_operand(op, i) != captures->data[i]) return NULL;
  return op;
}

static bool is_whole(hd_value *buffer, uint32_t d) {
  int64_t size = hd_type_dim(buffer->type, d);
  return size != HD_DYNAMIC && size > 0 && size % WHOLE == 0;
}

bool hd_outline_open_sizes(hd_op *fusion, const hd_captures *captures, hd_open_sizes *out) {
  hd_op *op = only_product(fusion, captures);
  *out = (hd_open_sizes){0};
  if (!op) return false;
  bool unknown = false;
  for (uint32_t i = 0; i < HD_PRODUCT_BUFFERS; ++i) {
    unknown |= !hd_type_is_static(hd_operand_type(op, i));
    if (hd_type_rank(hd_operand_type(op, i)) > HD_MAX_RANK) return false;
  }
  if (!unknown) return false; /* what is static stays so */
  hd_attr n = hd_stablehlo_dot_general_dot_dimension_numbers(op);
  hd_attr batch = hd_attr_stablehlo_dot_rhs_batching_dimensions(n),
          lhs = hd_attr_stablehlo_dot_lhs_contracting_dimensions(n),
          rhs = hd_attr_stablehlo_dot_rhs_contracting_dimensions(n);
  uint32_t rank = hd_type_rank(hd_operand_type(op, 1)), count = 0, columns = 0;
  for (uint32_t d = 0; d < rank; ++d) columns += hd_attr_find_int(batch, d) < 0 && hd_attr_find_int(rhs, d) < 0;
  uint32_t column = hd_type_rank(hd_operand_type(op, 2)) - columns;
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t sum = hd_attr_find_int(rhs, d);
    if (hd_attr_find_int(batch, d) >= 0) continue;
    if (is_whole(captures->data[1], d)) {
      out->size[1][d] = ++count;
      if (sum >= 0)
        out->size[0][hd_attr_int_at(lhs, (size_t)sum)] = count;
      else
        out->size[2][column] = count;
    }
    column += sum < 0;
  }
  /* A static operand may say a size that the other leaves out. */
  for (uint32_t i = 0; i < HD_PRODUCT_BUFFERS; ++i)
    for (uint32_t d = 0; d < hd_type_rank(captures->data[i]->type); ++d)
      if (out->size[i][d] && !is_whole(captures->data[i], d)) return false;
  return count > 0;
}

hd_type hd_outline_argument_type(const hd_captures *captures, const hd_open_sizes *all, size_t i) {
  hd_type type = captures->data[i]->type;
  if (!all) return type;
  const uint32_t *sizes = all->size[i];
  int64_t dims[HD_MAX_RANK];
  bool open = false;
  for (uint32_t d = 0; d < hd_type_rank(type); ++d) {
    dims[d] = sizes[d] ? HD_DYNAMIC : hd_type_dim(type, d);
    open |= sizes[d] != 0;
  }
  return open ? hd_type_with_dims(type, dims, hd_type_rank(type)) : type;
}
