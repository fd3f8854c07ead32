/* SPDX-License-Identifier: Apache-2.0 */
/* batch_norm_training, _inference and _grad by the formulas of the StableHLO specification, computed in f64. */
#include <math.h>

#include "eval/core/frame.h"
#include "ir/ops/interfaces.h"

typedef struct norm {
  size_t count, features, per_feature;
  int64_t stride; /* elements between features */
  double epsilon;
} norm;

static hd_status start(hd_op *op, const hd_tensor *operand, norm *out) {
  int64_t axis = hd_batch_norm_like_feature_index(op), strides[HD_MAX_RANK];
  uint32_t rank = hd_tensor_rank(operand);
  if (axis < 0 || axis >= (int64_t)rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "feature_index: expected one in [0, %u), got %lld", rank,
                          (long long)axis);
  if (hd_class_of(hd_tensor_element(operand)) != HD_CLASS_FLOAT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected floats");
  hd_strides_of(rank, hd_tensor_dims(operand), strides);
  hd_attr epsilon = hd_batch_norm_like_epsilon(op);
  *out = (norm){hd_tensor_count(operand), (size_t)hd_tensor_dims(operand)[axis], 0, strides[axis],
                hd_attr_is(epsilon, HD_ATTR_FLOAT) ? epsilon->floating.value : 0};
  out->per_feature = out->features ? out->count / out->features : 0;
  return HD_STATUS_OK;
}

static hd_status load(hd_eval_frame *frame, const hd_tensor *tensor, size_t count, double **out) {
  if (hd_tensor_count(tensor) != count || hd_class_of(hd_tensor_element(tensor)) != HD_CLASS_FLOAT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %zu floats, got %zu", count, hd_tensor_count(tensor));
  HD_TRY(hd_eval_temp(frame, count, sizeof **out, out));
  hd_load_doubles(hd_tensor_element(tensor), hd_tensor_data(tensor), count, *out);
  return HD_STATUS_OK;
}

static size_t feature_of(const norm *n, size_t i) { return i / (size_t)n->stride % n->features; }

static hd_status store(hd_eval_frame *frame, hd_op *op, uint32_t i, const hd_tensor *like, const double *values,
                       hd_tensor *out) {
  HD_TRY(hd_eval_result(frame, op, i, hd_tensor_rank(like), hd_tensor_dims(like), out));
  if (hd_class_of(hd_tensor_element(out)) != HD_CLASS_FLOAT)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected float results");
  hd_store_doubles(hd_tensor_element(out), hd_tensor_data(out), hd_tensor_count(out), values);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(batch_norm_inference) {
  norm n;
  double *x, *scale, *offset, *mean, *variance;
  HD_TRY(start(op, &in[0], &n));
  HD_TRY(load(frame, &in[0], n.count, &x));
  HD_TRY(load(frame, &in[1], n.features, &scale));
  HD_TRY(load(frame, &in[2], n.features, &offset));
  HD_TRY(load(frame, &in[3], n.features, &mean));
  HD_TRY(load(frame, &in[4], n.features, &variance));
  for (size_t i = 0; i < n.count; ++i) {
    size_t f = feature_of(&n, i);
    x[i] = (x[i] - mean[f]) / sqrt(variance[f] + n.epsilon) * scale[f] + offset[f];
  }
  return store(frame, op, 0, &in[0], x, out);
}

HD_EVAL_HOOK(batch_norm_training) {
  norm n;
  double *x, *scale, *offset, *mean, *variance;
  HD_TRY(start(op, &in[0], &n));
  HD_TRY(load(frame, &in[0], n.count, &x));
  HD_TRY(load(frame, &in[1], n.features, &scale));
  HD_TRY(load(frame, &in[2], n.features, &offset));
  HD_TRY(hd_eval_temp(frame, n.features, sizeof *mean, &mean));
  HD_TRY(hd_eval_temp(frame, n.features, sizeof *variance, &variance));
  for (size_t i = 0; i < n.count; ++i) mean[feature_of(&n, i)] += x[i];
  for (size_t f = 0; f < n.features; ++f) mean[f] /= (double)n.per_feature;
  for (size_t i = 0; i < n.count; ++i) {
    double d = x[i] - mean[feature_of(&n, i)];
    variance[feature_of(&n, i)] += d * d;
  }
  for (size_t f = 0; f < n.features; ++f) variance[f] /= (double)n.per_feature;
  for (size_t i = 0; i < n.count; ++i) {
    size_t f = feature_of(&n, i);
    x[i] = (x[i] - mean[f]) / sqrt(variance[f] + n.epsilon) * scale[f] + offset[f];
  }
  HD_TRY(store(frame, op, 0, &in[0], x, &out[0]));
  HD_TRY(store(frame, op, 1, &in[1], mean, &out[1]));
  return store(frame, op, 2, &in[1], variance, &out[2]);
}

HD_EVAL_HOOK(batch_norm_grad) {
  norm n;
  double *x, *scale, *mean, *variance, *grad, *grad_sum, *grad_dot;
  HD_TRY(start(op, &in[0], &n));
  HD_TRY(load(frame, &in[0], n.count, &x));
  HD_TRY(load(frame, &in[1], n.features, &scale));
  HD_TRY(load(frame, &in[2], n.features, &mean));
  HD_TRY(load(frame, &in[3], n.features, &variance));
  HD_TRY(load(frame, &in[4], n.count, &grad));
  HD_TRY(hd_eval_temp(frame, n.features, sizeof *grad_sum, &grad_sum));
  HD_TRY(hd_eval_temp(frame, n.features, sizeof *grad_dot, &grad_dot));
  for (size_t i = 0; i < n.count; ++i) {
    size_t f = feature_of(&n, i);
    grad_sum[f] += grad[i];
    grad_dot[f] += grad[i] * (x[i] - mean[f]);
  }
  for (size_t i = 0; i < n.count; ++i) {
    size_t f = feature_of(&n, i);
    double spread = variance[f] + n.epsilon, many = (double)n.per_feature;
    x[i] = scale[f] / sqrt(spread) / many * (many * grad[i] - grad_sum[f] - grad_dot[f] * (x[i] - mean[f]) / spread);
  }
  for (size_t f = 0; f < n.features; ++f) grad_dot[f] /= sqrt(variance[f] + n.epsilon);
  HD_TRY(store(frame, op, 0, &in[0], x, &out[0]));
  HD_TRY(store(frame, op, 1, &in[1], grad_dot, &out[1]));
  return store(frame, op, 2, &in[1], grad_sum, &out[2]);
}
