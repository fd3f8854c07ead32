/* SPDX-License-Identifier: Apache-2.0 */
/* Batch normalisation by the formulas of the StableHLO specification, in the type that elements are computed in. */
#include "codegen/widen.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_hlo.h"

typedef struct norm {
  hd_builder *b;
  hd_op *op;
  hd_type element; /* of the arithmetic */
  int64_t feature, axes[HD_MAX_RANK];
  uint32_t axis_count;
} norm;

static bool norm_start(hd_builder *b, hd_op *op, norm *n) {
  hd_type type = hd_operand_type(op, 0), element = hd_type_element(type);
  *n = (norm){b, op, hd_compute_type(element), hd_batch_norm_like_feature_index(op), {0}, 0};
  if (!hd_type_has_rank(type) || hd_type_rank(type) > HD_MAX_RANK || n->feature < 0 ||
      n->feature >= (int64_t)hd_type_rank(type))
    return hd_op_error(op, "expects feature_index to be a dim of its operand, got a number beyond its rank");
  for (uint32_t d = 0; d < hd_type_rank(type); ++d)
    if (d != n->feature) n->axes[n->axis_count++] = d;
  return true;
}

static hd_value *input(norm *n, uint32_t i) { return hd_hlo_convert(n->b, hd_operand(n->op, i), n->element); }
static hd_value *spread(norm *n, hd_value *per_feature, hd_value *like) {
  return hd_hlo_broadcast_like(n->b, per_feature, like, &n->feature);
}
#define OP(name, x, y) hd_build(n->b, HD_OP_stablehlo_##name, (x)->type, x, y)

/* Elements per feature, in the shape of |like|. */
static hd_value *element_count(norm *n, hd_value *x, hd_value *like) {
  hd_type scalar = hd_type_tensor(n->element, NULL, 0, NULL);
  hd_value *count = hd_hlo_float_like(n->b, like, 1);
  for (uint32_t i = 0; i < n->axis_count; ++i) {
    int64_t dim = hd_type_dim(x->type, (uint32_t)n->axes[i]);
    hd_value *size;
    if (dim != HD_DYNAMIC) {
      size = hd_hlo_float_like(n->b, like, (double)dim);
    } else {
      size = hd_hlo_size_of(n->b, x, (uint32_t)n->axes[i]);
      size = hd_stablehlo_reshape(n->b, scalar, hd_hlo_convert(n->b, size, n->element));
      size = hd_hlo_broadcast_like(n->b, size, like, NULL);
    }
    count = OP(multiply, count, size);
  }
  return count;
}

/* sqrt(variance + epsilon) */
static hd_value *deviation(norm *n, hd_value *variance) {
  hd_attr epsilon = hd_batch_norm_like_epsilon(n->op);
  double value = hd_attr_is(epsilon, HD_ATTR_FLOAT) ? epsilon->floating.value : 0;
  return hd_stablehlo_sqrt(n->b, OP(add, variance, hd_hlo_float_like(n->b, variance, value)));
}

/* (x - mean) / sqrt(variance + epsilon) * scale + offset */
static hd_value *normalised(norm *n, hd_value *x, hd_value *scale, hd_value *offset, hd_value *mean,
                            hd_value *variance) {
  hd_value *centred = OP(subtract, x, spread(n, mean, x));
  hd_value *unit = OP(divide, centred, spread(n, deviation(n, variance), x));
  hd_value *scaled = OP(multiply, unit, spread(n, scale, x));
  return OP(add, scaled, spread(n, offset, x));
}

static hd_value *result(norm *n, uint32_t i, hd_value *value) {
  return hd_hlo_convert(n->b, value, hd_type_element(hd_result_type(n->op, i)));
}

bool hd_expand_batch_norm_inference(hd_builder *b, hd_op *op, hd_value **results) {
  norm start, *n = &start;
  if (!norm_start(b, op, n)) return false;
  results[0] = result(n, 0, normalised(n, input(n, 0), input(n, 1), input(n, 2), input(n, 3), input(n, 4)));
  return true;
}

bool hd_expand_batch_norm_training(hd_builder *b, hd_op *op, hd_value **results) {
  norm start, *n = &start;
  if (!norm_start(b, op, n)) return false;
  hd_value *x = input(n, 0), *sum = hd_hlo_reduce_add(b, x, n->axes, n->axis_count);
  hd_value *count = element_count(n, x, sum), *mean = OP(divide, sum, count);
  hd_value *centred = OP(subtract, x, spread(n, mean, x));
  hd_value *squares = hd_hlo_reduce_add(b, OP(multiply, centred, centred), n->axes, n->axis_count);
  hd_value *variance = OP(divide, squares, count);
  results[0] = result(n, 0, normalised(n, x, input(n, 1), input(n, 2), mean, variance));
  results[1] = result(n, 1, mean);
  results[2] = result(n, 2, variance);
  return true;
}

/* x = operand - mean, s = sqrt(variance + epsilon), N elements per feature:
 *   grad_operand = scale / s / N * (N grad - sum(grad) - sum(grad x) x / s^2)
 *   grad_scale = sum(grad x) / s, grad_offset = sum(grad) */
bool hd_expand_batch_norm_grad(hd_builder *b, hd_op *op, hd_value **results) {
  norm start, *n = &start;
  if (!norm_start(b, op, n)) return false;
  hd_value *operand = input(n, 0), *grad = input(n, 4), *s = deviation(n, input(n, 3));
  hd_value *x = OP(subtract, operand, spread(n, input(n, 2), operand));
  hd_value *sum = hd_hlo_reduce_add(b, grad, n->axes, n->axis_count);
  hd_value *dot = hd_hlo_reduce_add(b, OP(multiply, grad, x), n->axes, n->axis_count);
  hd_value *count = element_count(n, operand, sum);
  hd_value *factor = OP(divide, OP(divide, input(n, 1), s), count);
  hd_value *slope = OP(divide, dot, OP(multiply, s, s));
  hd_value *inner = OP(subtract, OP(multiply, grad, spread(n, count, grad)), spread(n, sum, grad));
  inner = OP(subtract, inner, OP(multiply, x, spread(n, slope, x)));
  results[0] = result(n, 0, OP(multiply, inner, spread(n, factor, inner)));
  results[1] = result(n, 1, OP(divide, dot, s));
  results[2] = result(n, 2, sum);
  return true;
}
