/* SPDX-License-Identifier: Apache-2.0 */
/* Which op of cuDNN a convolution is.
 *
 *   forward   y[n, k, o] = sum over c, p of x[n, c, o * stride - pre + p * dilation] * w[k, c, p]
 *   data      x from y and w: a convolution of stride 1 over a dilated input, with the kernel's other end first
 *   filter    w from x and y: a convolution whose kernel is y, with more positions than its result, and whose batch are
 *             the features of x */
#include <string.h>

#include "runtime/drivers/cuda/convolutions.h"
#include "runtime/drivers/cuda/cuda.h"
#include "runtime/drivers/cuda/dnn.h"

enum {
  ALIGNED = 16,     /* more than any access of cuDNN's */
  LARGEST = 1 << 30 /* of a window's numbers, whose sums of products are of 64 bits then */
};

static bool types_of(const hd_device_convolution *c, hd_dnn_form *f) {
  static const struct {
    hd_element_type type;
    int32_t as, sum;
  } rows[] = {{HD_ELEMENT_F32, DNN_F32, DNN_F32},
              {HD_ELEMENT_F64, DNN_F64, DNN_F64},
              {HD_ELEMENT_F16, DNN_F16, DNN_F32},
              {HD_ELEMENT_BF16, DNN_BF16, DNN_F32}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (c->types.lhs == rows[i].type && c->types.rhs == rows[i].type && c->types.out == rows[i].type) {
      f->type = rows[i].as;
      f->sum = rows[i].sum;
      f->narrows = c->types.tf32;
      f->any_order = !c->types.deterministic;
      return true;
    }
  return false;
}

typedef struct window_descriptor {
  bool strides, dilates_input, reversed, plain; /* some dim does; all dims of several kernel positions are */
  int64_t kernel, output;                       /* positions */
} window_descriptor;

static bool is_moderate(const hd_conv_window_descriptor *w) {
  return w->input >= 1 && w->output >= 1 && w->kernel >= 1 && w->input < LARGEST && w->output < LARGEST &&
         w->kernel < LARGEST && w->stride < LARGEST && w->input_dilation < LARGEST && w->kernel_dilation < LARGEST &&
         w->pad_low > -LARGEST && w->pad_low < LARGEST;
}

static bool look(const hd_conv_descriptor *c, const hd_conv_window_descriptor *windows, window_descriptor *out) {
  *out = (window_descriptor){.reversed = true, .plain = true, .kernel = 1, .output = 1};
  for (int64_t i = 0; i < c->spatial; ++i) {
    const hd_conv_window_descriptor *w = &windows[i];
    if (!is_moderate(w)) return false;
    out->strides |= w->stride != 1;
    out->dilates_input |= w->input_dilation != 1;
    out->reversed &= w->kernel == 1 || w->reversed;
    out->plain &= w->kernel == 1 || !w->reversed;
    if (__builtin_mul_overflow(out->kernel, w->kernel, &out->kernel) ||
        __builtin_mul_overflow(out->output, w->output, &out->output))
      return false;
  }
  return c->batch > 0 && c->input_features > 0 && c->output_features > 0;
}

/* Spatial dims are after two others; one alone gets a dim of one position before it. */
static void set_spatial(hd_dnn_form *f, hd_dnn_tensor *t, int64_t i, int64_t size, int64_t step) {
  t->dims[2 + i] = size;
  t->steps[2 + i] = step;
  if (f->spatial == 2 && i == 1 && !t->dims[2]) {
    t->dims[2] = 1;
    t->steps[2] = size * step;
  }
}

static void set_features(hd_dnn_tensor *t, int64_t rows, int64_t row_step, int64_t columns, int64_t column_step) {
  t->dims[0] = rows, t->steps[0] = row_step;
  t->dims[1] = columns, t->steps[1] = column_step;
}

static void set_tensors(const hd_conv_descriptor *c, hd_dnn_form *f) {
  int64_t groups = c->feature_groups;
  if (f->op == HD_DNN_FILTER) {
    set_features(&f->input, c->input_features, c->input_feature_step, c->batch, c->input_batch_step);
    set_features(&f->output, c->input_features, c->kernel_input_step, c->output_features, c->kernel_output_step);
    set_features(&f->kernel, c->output_features, c->output_feature_step, c->batch, c->output_batch_step);
    return;
  }
  hd_dnn_tensor *from = f->op == HD_DNN_DATA ? &f->output : &f->input,
                *to = f->op == HD_DNN_DATA ? &f->input : &f->output;
  set_features(from, c->batch, c->input_batch_step, c->input_features * groups, c->input_feature_step);
  set_features(to, c->batch, c->output_batch_step, c->output_features, c->output_feature_step);
  if (f->op == HD_DNN_DATA)
    set_features(&f->kernel, c->input_features, c->kernel_input_step, c->output_features, c->kernel_output_step);
  else
    set_features(&f->kernel, c->output_features, c->kernel_output_step, c->input_features, c->kernel_input_step);
}

/* Dim |i|, and the padding after that gives the output its size. False: no padding does. */
static bool set_window(hd_dnn_form *f, int64_t i, const hd_conv_window_descriptor *w) {
  int64_t input = w->input, output = w->output, kernel = w->kernel, ends;
  f->strides[i] = w->stride;
  f->dilations[i] = w->kernel_dilation;
  f->pre[i] = w->pad_low;
  set_spatial(f, f->op == HD_DNN_DATA ? &f->output : &f->input, i, w->input, w->input_step);
  set_spatial(f, f->op == HD_DNN_FILTER ? &f->output : &f->kernel, i, w->kernel, w->kernel_step);
  set_spatial(f,
              f->op == HD_DNN_DATA     ? &f->input
              : f->op == HD_DNN_FILTER ? &f->kernel
                                       : &f->output,
              i, w->output, w->output_step);
  if (f->op == HD_DNN_DATA) {
    f->strides[i] = w->input_dilation;
    f->pre[i] = (w->kernel - 1) * w->kernel_dilation - w->pad_low;
    input = w->output, output = w->input;
  }
  if (f->op == HD_DNN_FILTER) {
    f->strides[i] = w->kernel_dilation;
    f->dilations[i] = w->stride;
    output = w->kernel, kernel = w->output;
  }
  int64_t extent = (kernel - 1) * f->dilations[i] + 1;
  ends = (output - 1) * f->strides[i] + extent - f->pre[i]; /* of the last window */
  f->post[i] = ends > input ? ends - input : 0;
  return f->pre[i] >= 0 && (input + f->pre[i] + f->post[i] - extent) / f->strides[i] + 1 == output;
}

bool hd_dnn_form_of(const hd_device_convolution *c, hd_dnn_form *f) {
  const hd_conv_descriptor *descriptor = c->descriptor;
  const hd_conv_window_descriptor *windows = (const hd_conv_window_descriptor *)(descriptor + 1);
  window_descriptor w;
  memset(f, 0, sizeof *f);
  if (descriptor->spatial < 1 || descriptor->batch_groups != 1 || !types_of(c, f) || !look(descriptor, windows, &w))
    return false;
  f->op = w.dilates_input ? HD_DNN_DATA : w.kernel > w.output ? HD_DNN_FILTER : HD_DNN_FORWARD;
  if (f->op != HD_DNN_FORWARD && descriptor->feature_groups != 1) return false;
  if (!(w.plain || w.reversed) || (f->op == HD_DNN_DATA && w.strides) || (f->op == HD_DNN_FILTER && !w.plain))
    return false;
  f->mode = (f->op == HD_DNN_DATA ? w.reversed : w.plain) ? DNN_PLAIN : DNN_REVERSED;
  f->alignment = hd_cuda_alignment(ALIGNED, c->input, c->kernel, c->out);
  f->spatial = descriptor->spatial == 1 ? 2 : (int32_t)descriptor->spatial;
  set_tensors(descriptor, f);
  f->strides[0] = f->dilations[0] = 1;
  for (int64_t i = 0; i < descriptor->spatial; ++i)
    if (!set_window(f, i + f->spatial - descriptor->spatial, &windows[i])) return false;
  return true;
}
