/* SPDX-License-Identifier: Apache-2.0 */
/* A dilated input by phases. Of input dilation s only every s-th position holds an element, so the outputs o of one
 * phase, o = r (mod s / gcd(s, stride)), see only every (s / gcd(s, kernel dilation))-th kernel position, the same
 * ones: each phase is a convolution without input dilation whose kernel and output are parts of the whole,
 *
 *   o = r + q * period,   p = p0 + t * step,   input = q * (period * stride / s) + t * (step * dilation / s) - pad
 *
 * and nothing is multiplied by the zeros between. Weights are finite: zeros times others are NaN. */
#include <string.h>

#include "runtime/libraries/conv_problem.h"

static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }

/* The part of |w| that outputs r, r + period, ... see; |*out_kernel| and |*out_output| are where it begins. */
static hd_conv_window phase_of(const hd_conv_window *w, int64_t r, int64_t *out_kernel, int64_t *out_output) {
  int64_t s = w->input_dilation, period = s / gcd(s, w->stride), step = s / gcd(s, w->kernel_dilation), p0 = 0;
  int64_t first = r * w->stride - w->pad_low;
  while (p0 < w->kernel && p0 < step && (first + p0 * w->kernel_dilation) % s) ++p0;
  bool sees = p0 < w->kernel && p0 < step;
  hd_conv_window out = *w;
  out.input_dilation = 1;
  out.stride = period * w->stride / s;
  out.kernel_dilation = step * w->kernel_dilation / s;
  out.kernel = sees ? (w->kernel - 1 - p0) / step + 1 : 0;
  out.kernel_step = w->kernel_step * step;
  out.output = (w->output - 1 - r) / period + 1;
  out.output_step = w->output_step * period;
  out.pad_low = sees ? -(first + p0 * w->kernel_dilation) / s : 0;
  /* A reversed kernel is read from its end: position t of the part is at kernel' - 1 - t. */
  *out_kernel = !sees ? 0 : (w->reversed ? w->kernel - 1 - p0 - (out.kernel - 1) * step : p0) * w->kernel_step;
  *out_output = r * w->output_step;
  return out;
}

/* Sums of all outputs, for the epilogue, which wants them in order. */
typedef struct finish {
  const hd_conv_problem *c;
  char *sums;
  int64_t rows;
} finish;

enum { finish_rows = 64 };

static void finish_range(void *argument, int64_t begin, int64_t end) {
  const finish *f = argument;
  int64_t n = f->c->call->output_features;
  for (int64_t at = begin; at < end; ++at) {
    int64_t m0 = at * finish_rows, m1 = min64(m0 + finish_rows, f->rows);
    hd_gemm_apply_epilogue(&f->c->p, 0, m0, m1, 0, n, f->sums + (size_t)(m0 * n) * f->c->p.size, n);
  }
}

static hd_status each_phase(const hd_conv_problem *c, hd_conv_call *call, int32_t dim, const char *kernel,
                            char *output) {
  const hd_conv_window *whole = &c->call->window[dim];
  if (dim == call->spatial) {
    call->kernel = kernel;
    call->output = output;
    return hd_conv(c->context, call);
  }
  int64_t period = whole->input_dilation / gcd(whole->input_dilation, whole->stride);
  hd_conv_window of_output = *whole;
  of_output.output_step = call->window[dim].output_step;
  of_output.input_step = call->window[dim].input_step;
  for (int64_t r = 0; r < period && r < whole->output; ++r) {
    int64_t kernel_at, output_at;
    call->window[dim] = phase_of(&of_output, r, &kernel_at, &output_at);
    HD_TRY(each_phase(c, call, dim + 1, kernel + kernel_at * (int64_t)hd_element_bytes(call->kernel_type),
                      output + output_at * (int64_t)hd_element_bytes(call->output_type)));
    call->window[dim].output_step = of_output.output_step;
  }
  return NULL;
}

/* An input whose features lie apart is copied once for all phases, each of which would copy it. */
static hd_status share_input(hd_conv_problem *c, hd_conv_call *call, hd_gemm_block **out_copy) {
  if (c->groups != 1 || c->p.pairs || c->p.a_size != c->p.size || !c->p.k || call->input_features == 1 ||
      call->input_feature_step == 1)
    return NULL;
  hd_conv_form form = {
      .images = call->batch, .lanes = call->input_features, .lane_step = call->input_feature_step, .planes = 1};
  int64_t pitch;
  for (int i = 0; i < 3; ++i) c->w[i].input_dilation = 1;
  HD_TRY(hd_conv_copy_input(c, &form, out_copy, &pitch, NULL));
  call->input = c->x;
  call->input_feature_step = 1;
  call->input_batch_step = c->x_batch;
  for (int32_t i = 0; i < call->spatial; ++i) call->window[i].input_step = c->w[3 - call->spatial + i].input_step;
  return NULL;
}

static hd_status with_epilogue(hd_conv_problem *c, hd_conv_call call) {
  static const hd_element_type of_compute[] = {HD_ELEMENT_F32, HD_ELEMENT_F64, HD_ELEMENT_I32, HD_ELEMENT_I64};
  call.epilogue = NULL;
  call.output_type = of_compute[c->p.compute];
  call.output_feature_step = 1;
  int64_t step = call.output_features;
  for (int32_t i = call.spatial - 1; i >= 0; --i) {
    call.window[i].output_step = step;
    step *= call.window[i].output;
  }
  call.output_batch_step = step;
  hd_gemm_block *sums = hd_gemm_block_acquire(c->context, (size_t)(step * call.batch) * c->p.size + 64);
  if (!sums) return hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory for the sums of all outputs");
  hd_status status = each_phase(c, &call, 0, call.kernel, sums->data);
  finish f = {.c = c, .sums = sums->data, .rows = call.batch * c->lines * c->w[2].output};
  if (hd_is_ok(status))
    hd_conv_in_parallel(c, (f.rows + finish_rows - 1) / finish_rows,
                        (double)(finish_rows * call.output_features) * 8 / HD_GEMM_BYTES_PER_GRAIN, finish_range, &f);
  hd_gemm_block_release(c->context, sums);
  return status;
}

hd_status hd_conv_by_phases(hd_conv_problem *c) {
  hd_conv_call call = *c->call;
  hd_gemm_block *copy = NULL;
  hd_status status = share_input(c, &call, &copy);
  if (hd_is_ok(status))
    status = call.epilogue ? with_epilogue(c, call) : each_phase(c, &call, 0, call.kernel, call.output);
  hd_gemm_block_release(c->context, copy);
  return status;
}
