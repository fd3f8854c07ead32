/* SPDX-License-Identifier: Apache-2.0 */
/* What drivers/cuda tells cuDNN of convolutions before it needs a GPU, told to the library itself: tensors,
 * convolutions and the three ops on them, which the library checks against each other. Exit 3: it is not here. */
#include <stdio.h>

#include "runtime/drivers/cuda/dnn.h"

/* The driver's own code, with no plan behind it. */
#include "runtime/drivers/cuda/convolutions.c"

static hd_conv_words problem(int64_t spatial, int64_t groups) {
  hd_conv_words p = {.descriptor = {.batch = 2,
                                    .input_features = 8,
                                    .output_features = 16,
                                    .feature_groups = groups,
                                    .batch_groups = 1,
                                    .spatial = spatial}};
  for (int64_t i = 0; i < spatial; ++i)
    p.windows[i] = (hd_conv_window_descriptor){
        .input = 10, .output = 10, .kernel = 3, .stride = 1, .pad_low = 1, .input_dilation = 1, .kernel_dilation = 1};
  return p;
}

/* Features are the last dim of all three and lie together; the library takes no kernel that leaves memory out. */
static void lay_out(hd_conv_words *p) {
  hd_conv_descriptor *f = &p->descriptor;
  int64_t steps[3] = {f->input_features * f->feature_groups, f->input_features, f->output_features};
  f->input_feature_step = f->kernel_input_step = f->output_feature_step = 1;
  for (int64_t i = f->spatial - 1; i >= 0; --i) {
    hd_conv_window_descriptor *w = &p->windows[i];
    w->input_step = steps[0], w->kernel_step = steps[1], w->output_step = steps[2];
    steps[0] *= w->input, steps[1] *= w->kernel, steps[2] *= w->output;
  }
  f->input_batch_step = steps[0], f->kernel_output_step = steps[1], f->output_batch_step = steps[2];
}

/* What the library says of the op: 0, it takes it. */
static int ask(const hd_dnn_api *dnn, hd_conv_words *words, hd_element_type type, hd_dnn_op wanted) {
  lay_out(words);
  hd_device_convolution c = {.types = {.lhs = type, .rhs = type, .out = type}, .descriptor = &words->descriptor};
  plan p = {0};
  if (!hd_dnn_form_of(&c, &p.form) || p.form.op != (int32_t)wanted) return printf("no form, or another op\n"), 1;
  make_op(dnn, &p);
  int code = p.code;
  if (code) printf("op %d of %d dims: %s (%d)\n", p.form.op, p.form.spatial, dnn->error_text(code), code);
  end_all(dnn, &p);
  return code;
}

int main(void) {
  static const hd_element_type types[] = {HD_ELEMENT_F32, HD_ELEMENT_F64, HD_ELEMENT_F16, HD_ELEMENT_BF16};
  const hd_dnn_api *dnn;
  hd_status status = hd_dnn_open(&dnn);
  if (!hd_is_ok(status)) {
    printf("%s\n", hd_status_message(status));
    return 3;
  }
  int wrong = 0;
  for (size_t t = 0; t < sizeof types / sizeof *types; ++t)
    for (int64_t spatial = 1; spatial <= 3; ++spatial) {
      hd_conv_words p = problem(spatial, 1);
      wrong |= ask(dnn, &p, types[t], HD_DNN_FORWARD);
      p = problem(spatial, 2);
      wrong |= ask(dnn, &p, types[t], HD_DNN_FORWARD);
      p = problem(spatial, 1);
      for (int64_t i = 0; i < spatial; ++i) p.windows[i].input_dilation = 2, p.windows[i].output = 19;
      wrong |= ask(dnn, &p, types[t], HD_DNN_DATA);
      p = problem(spatial, 1);
      for (int64_t i = 0; i < spatial; ++i) p.windows[i].kernel = 10, p.windows[i].output = 3;
      wrong |= ask(dnn, &p, types[t], HD_DNN_FILTER);
    }
  hd_conv_words p = problem(2, 1);
  p.windows[0].pad_low = 0, p.windows[0].output = 8, p.windows[1].pad_low = 0, p.windows[1].output = 5,
  p.windows[1].stride = 2;
  p.windows[1].kernel = 3, p.windows[1].input = 10; /* padded behind alone */
  wrong |= ask(dnn, &p, HD_ELEMENT_F32, HD_DNN_FORWARD);
  p.windows[0].kernel_dilation = 2, p.windows[0].output = 6;
  wrong |= ask(dnn, &p, HD_ELEMENT_F32, HD_DNN_FORWARD);
  char version[16];
  hd_dnn_version_text(dnn->version(), version);
  printf("cuDNN %s\n", version);
  return wrong ? 1 : 0;
}
