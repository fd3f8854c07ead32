/* SPDX-License-Identifier: Apache-2.0 */
/* gather-to-slice: a gather of one slice at a constant place, or of places a step apart (gather_steps.c), is a slice, which only moves
 * indices.
 *
 *   %i = stablehlo.constant dense<2> : tensor<1xi32>
 *   gather %x[n, 3], %i : n x 1, dim 1 left out   ->   reshape (slice %x [0:n, 2:3])
 *
 * JAX writes x[:, 2] so under unknown dims. A gather is computed in a kernel of its own; slices and reshapes are part of whatever
 * reads them. Dims that have a start are known and taken one element of, so the start is moved into them here; of the others the
 * gather takes the first elements. */
#include "ir/ops/stablehlo.h"
#include "ir/ops/structs.h"
#include "passes/analyses.h"
#include "passes/graph/hlo_build.h"
#include "passes/graph/simplify/gather_steps.h"
#include "passes/passes.h"

typedef struct slicer {
  hd_pass *pass;
  hd_op *func;
  hd_shapes *shapes; /* made when first asked for */
} slicer;

/* The place of each dim's slice; false where the run tells it or there are several. */
static bool starts_of(hd_op *op, hd_attr n, int64_t *starts) {
  hd_value *x = hd_operand(op, 0), *index = hd_operand(op, 1);
  hd_attr at = hd_value_constant(index), map = hd_attr_stablehlo_gather_start_index_map(n),
          collapsed = hd_attr_stablehlo_gather_collapsed_slice_dims(n);
  if (hd_attr_count(hd_attr_stablehlo_gather_operand_batching_dims(n))) return false;
  if (!hd_attr_is(at, HD_ATTR_DENSE) || hd_type_rank(index->type) > 1) return false;
  if (hd_attr_stablehlo_gather_index_vector_dim(n) != 0) return false; /* each index is a slice of its own */
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d) {
    int64_t k = hd_attr_find_int(map, d), size = hd_type_dim(x->type, d);
    starts[d] = 0;
    if (k < 0) continue;
    if (size == HD_DYNAMIC || size < 1 || hd_attr_find_int(collapsed, d) < 0) return false;
    int64_t start = hd_attr_int_at(at, at->dense.splat ? 0 : (size_t)k);
    starts[d] = start < 0 ? 0 : start > size - 1 ? size - 1 : start;
  }
  return true;
}

/* |lengths|, of i32, may be null: all dims of |type| are known. */
static hd_value *slice(hd_builder *b, hd_value *x, const int64_t *starts, hd_type type, hd_value *lengths) {
  uint32_t rank = hd_type_rank(x->type);
  int64_t limits[HD_MAX_RANK], strides[HD_MAX_RANK];
  hd_value *from[HD_MAX_RANK], *ones[HD_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) {
    limits[d] = starts[d] + hd_type_dim(type, d), strides[d] = 1;
    from[d] = hd_hlo_size(b, starts[d]), ones[d] = hd_hlo_size(b, 1);
  }
  if (hd_type_is_static(x->type) && hd_type_is_static(type)) {
    return hd_stablehlo_slice(b, hd_attr_i64_array(b->context, starts, rank),
                              hd_attr_i64_array(b->context, limits, rank), hd_attr_i64_array(b->context, strides, rank),
                              x);
  }
  hd_value *begin = hd_hlo_shape(b, from, rank), *ends = hd_stablehlo_add(b, lengths, begin);
  /* |type| knows more than the operands: that a length is 1. */
  return hd_build(b, HD_OP_stablehlo_real_dynamic_slice, type, x, begin, ends, hd_hlo_shape(b, ones, rank));
}

static bool visit(hd_op *op, void *user) {
  slicer *z = user;
  bool is_dynamic = hd_op_is(op, HD_OP_stablehlo_dynamic_gather);
  if (!is_dynamic && !hd_op_is(op, HD_OP_stablehlo_gather)) return true;
  hd_attr n =
      is_dynamic ? hd_stablehlo_dynamic_gather_dimension_numbers(op) : hd_stablehlo_gather_dimension_numbers(op);
  hd_attr collapsed = hd_attr_stablehlo_gather_collapsed_slice_dims(n);
  hd_value *x = hd_operand(op, 0);
  hd_type type = hd_result_type(op, 0);
  uint32_t rank = hd_type_rank(x->type), offset = 0;
  int64_t starts[HD_MAX_RANK], dims[HD_MAX_RANK];
  if (!starts_of(op, n, starts)) {
    if (!z->shapes) z->shapes = hd_pass_shapes(z->pass, z->func);
    z->pass->changed |= hd_gather_steps(z->shapes, op, n);
    return true;
  }
  for (uint32_t d = 0; d < rank; ++d) dims[d] = hd_attr_find_int(collapsed, d) >= 0 ? 1 : hd_type_dim(type, offset++);
  hd_type sliced = hd_type_with_dims(x->type, dims, rank);
  if (!is_dynamic && !(hd_type_is_static(x->type) && hd_type_is_static(sliced))) return true;
  hd_builder b = hd_builder_before(op);
  hd_value *sizes[HD_MAX_RANK], *lengths = NULL;
  if (is_dynamic) lengths = hd_hlo_convert(&b, hd_operand(op, 2), hd_i32(b.context));
  hd_value *taken = slice(&b, x, starts, sliced, lengths);
  uint32_t kept = 0;
  for (uint32_t d = 0; d < rank; ++d)
    if (hd_attr_find_int(collapsed, d) < 0) sizes[kept++] = hd_hlo_size_of(&b, taken, d);
  hd_value *result = kept == rank ? taken : hd_hlo_reshape(&b, taken, sizes, kept);
  if (result->type != type) result = hd_hlo_retype(&b, result, type);
  hd_op_replace(op, &result);
  z->pass->changed = true;
  return true;
}

bool hd_pass_gather_to_slice(hd_pass *pass, hd_op *func) {
  slicer z = {pass, func, NULL};
  return hd_walk_pre(func, visit, &z);
}
