/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of filters of groups, where lines are contiguous: few outputs, a kernel as large as an image, and features
 * before positions. An output is the sum of an image times another that lies some positions off,
 *
 *   out[o, f] = sum over input features c and lines h: sum over x of X[c, h + o, x + o] * kernel[c, h, x, f]
 *
 * where x is a lane: the sums of lines are one row of lanes for each output, which are added up at the end, always in
 * the same order. X is a copy of some lines with padding. Weights are finite where there is padding. */
#include <string.h>

#include "runtime/libraries/conv_problem.h"

enum { copy_bytes_wanted = 16384, most_columns = 128, most_outputs = 8, least_kernel = 4 };

typedef struct planes_problem {
  hd_conv_problem *c;
  int64_t rows, outputs;      /* rows of sums for a line of outputs; lines of outputs */
  int64_t columns, row;       /* lanes at once; elements from one row of sums to the next */
  int64_t pitch, block_lines; /* of the copy of X; lines of the kernel at once */
  size_t copy_bytes, kernel_bytes, sums_bytes;
} planes_problem;

static int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

bool hd_conv_is_planes(const hd_conv_problem *c) {
  const hd_conv_window *w = c->w;
  for (int i = 0; i < 3; ++i)
    if (w[i].input_dilation != 1) return false;
  return c->groups > 1 && c->p.k && !c->p.epilogue && w[2].stride == 1 && w[2].kernel_dilation == 1 && !w[2].reversed &&
         w[2].input_step == 1 && w[2].kernel_step == 1 && w[2].kernel >= least_kernel && w[2].output <= most_outputs &&
         c->lines * w[2].output < w[0].kernel * w[1].kernel * w[2].kernel && c->p.kernels->lanes[c->p.compute][1];
}

/* Lines of X that |lines| of the kernel meet in all outputs. */
static int64_t lines_of(const planes_problem *l, int64_t lines) {
  const hd_conv_window *w = &l->c->w[1];
  return (w->output - 1) * w->stride + (lines - 1) * w->kernel_dilation + 1;
}

/* |lines| lines of X from |h| on, columns [x, x + l->pitch), of the plane at |plane|; null: zeros. */
static void copy_lines(const planes_problem *l, const char *plane, int64_t h, int64_t lines, int64_t x, char *to) {
  const hd_conv_problem *c = l->c;
  const hd_conv_window *w = c->w;
  int64_t size = (int64_t)c->p.size;
  memset(to, 0, (size_t)(lines * l->pitch * size));
  int64_t first = max64(0, -h), last = min64(lines, w[1].input - h), from = max64(0, -x),
          end = min64(l->pitch, w[2].input - x);
  if (!plane || first >= last || from >= end) return;
  hd_gemm_copy args = {.a = plane + ((h + first) * w[1].input_step + x + from) * (int64_t)c->p.a_size,
                       .a_row = w[1].input_step,
                       .d = to + (first * l->pitch + from) * size,
                       .d_row = l->pitch,
                       .rows = last - first};
  c->p.kernels->copy[c->p.a_type][c->p.compute]((const uint64_t *)(const void *)&args, 0, end - from);
}

/* Lines [h0, h1) of the plane |kd| of a kernel at |kernel|, columns [x0, x0 + columns), times a copy of X. */
static void block_sums(const planes_problem *l, const char *kernel, int64_t plane, int64_t h0, int64_t h1, int64_t x0,
                       int64_t columns, const char *copy, char *lines, char *sums) {
  const hd_conv_problem *c = l->c;
  const hd_conv_window *w = c->w;
  int64_t size = (int64_t)c->p.size, step = w[1].reversed ? -w[1].kernel_step : w[1].kernel_step;
  int64_t at = (w[1].reversed ? w[1].kernel - 1 - h0 : h0) * w[1].kernel_step + x0;
  const char *b = kernel + at * (int64_t)c->p.b_size;
  if (c->p.b_size != c->p.size) {
    hd_gemm_copy args = {.a = b, .a_row = step, .d = lines, .d_row = l->columns, .rows = h1 - h0};
    c->p.kernels->copy[c->p.b_type][c->p.compute]((const uint64_t *)(const void *)&args, 0, columns);
    b = lines, step = l->columns;
  }
  hd_conv_level levels[4] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {h1 - h0, w[1].kernel_dilation * l->pitch, step}};
  for (int64_t o = 0; o < w[1].output; ++o)
    hd_conv_sums(c, levels, copy + o * w[1].stride * l->pitch * size, 1, b,
                 sums + (plane * w[1].output + o) * l->rows * l->row * size, l->row, l->rows, columns, true);
}

/* The sum of a row of lanes: of every 16th, then of halves. */
#define ROW_SUM(T)                                              \
  do {                                                          \
    const T *x = (const T *)(const void *)row;                  \
    T part[16] = {0}, *to = (T *)(void *)out;                   \
    for (int64_t j = 0; j < columns; ++j) part[j % 16] += x[j]; \
    for (int half = 8; half; half /= 2)                         \
      for (int i = 0; i < half; ++i) part[i] += part[i + half]; \
    *to += part[0];                                             \
  } while (0)

static void add_row(hd_gemm_compute compute, const char *row, int64_t columns, char *out) {
  if (compute == HD_GEMM_F32)
    ROW_SUM(float);
  else if (compute == HD_GEMM_F64)
    ROW_SUM(double);
  else if (compute == HD_GEMM_I32)
    ROW_SUM(uint32_t);
  else
    ROW_SUM(uint64_t);
}

/* All outputs of one group and element of the batch. */
static void do_unit(const planes_problem *l, int64_t group, int64_t batch, char *scratch) {
  const hd_conv_problem *c = l->c;
  const hd_conv_call *call = c->call;
  const hd_conv_window *w = c->w;
  int64_t size = (int64_t)c->p.size, all = c->features * l->outputs * l->rows;
  char *lines = scratch + l->copy_bytes, *sums = lines + l->kernel_bytes, *totals = sums + l->sums_bytes;
  memset(totals, 0, (size_t)(all * size));
  int64_t image = call->batch_groups > 1
                      ? (group * call->batch + batch) * call->input_batch_step
                      : batch * call->input_batch_step + group * call->input_features * call->input_feature_step;
  for (int64_t x0 = 0; x0 < w[2].kernel; x0 += l->columns) {
    int64_t columns = min64(l->columns, w[2].kernel - x0);
    memset(sums, 0, l->sums_bytes);
    for (int64_t i = 0; i < call->input_features; ++i)
      for (int64_t kd = 0; kd < w[0].kernel; ++kd)
        for (int64_t od = 0; od < w[0].output; ++od)
          for (int64_t h0 = 0; h0 < w[1].kernel; h0 += l->block_lines) {
            int64_t h1 = min64(h0 + l->block_lines, w[1].kernel);
            int64_t d = od * w[0].stride - w[0].pad_low + kd * w[0].kernel_dilation;
            if (d < 0 || d >= w[0].input) continue;
            const char *x = (const char *)call->input +
                            (image + i * call->input_feature_step + d * w[0].input_step) * (int64_t)c->p.a_size;
            copy_lines(l, x, h0 * w[1].kernel_dilation - w[1].pad_low, lines_of(l, h1 - h0), x0 - w[2].pad_low,
                       scratch);
            for (int64_t f = 0; f < c->features; ++f) {
              int64_t k = (group * c->features + f) * call->kernel_output_step + i * call->kernel_input_step +
                          (w[0].reversed ? w[0].kernel - 1 - kd : kd) * w[0].kernel_step;
              block_sums(l, (const char *)call->kernel + k * (int64_t)c->p.b_size, od, h0, h1, x0, columns, scratch,
                         lines, sums + f * l->outputs * l->rows * l->row * size);
            }
          }
    for (int64_t at = 0; at < all; ++at) add_row(c->p.compute, sums + at * l->row * size, columns, totals + at * size);
  }
  for (int64_t f = 0; f < c->features; ++f)
    for (int64_t line = 0; line < l->outputs; ++line)
      for (int64_t x = 0; x < w[2].output; ++x) {
        int64_t to = batch * call->output_batch_step + (group * c->features + f) * call->output_feature_step +
                     line / w[1].output * w[0].output_step + line % w[1].output * w[1].output_step +
                     x * w[2].output_step;
        hd_gemm_copy args = {.a = totals + ((f * l->outputs + line) * l->rows + x) * size,
                             .d = (char *)call->output + to * (int64_t)c->p.c_size,
                             .rows = 1};
        c->p.kernels->store[c->p.compute][c->p.c_type]((const uint64_t *)(const void *)&args, 0, 1);
      }
}

static size_t scratch_bytes(const planes_problem *l) {
  size_t totals = (size_t)(l->c->features * l->outputs * l->rows) * l->c->p.size;
  return l->copy_bytes + l->kernel_bytes + l->sums_bytes + totals + 64;
}

static void do_units(void *argument, int64_t begin, int64_t end) {
  const planes_problem *l = argument;
  hd_gemm_block *scratch = hd_gemm_block_acquire(l->c->context, scratch_bytes(l));
  if (!scratch) {
    atomic_store_explicit(&l->c->no_memory, true, memory_order_relaxed);
    return;
  }
  for (int64_t unit = begin; unit < end; ++unit)
    do_unit(l, unit / l->c->call->batch, unit % l->c->call->batch, scratch->data);
  hd_gemm_block_release(l->c->context, scratch);
}

hd_status hd_conv_by_planes(hd_conv_problem *c) {
  const hd_conv_window *w = c->w;
  planes_problem l = {.c = c, .outputs = c->lines};
  int64_t size = (int64_t)c->p.size, lanes = 64 / size;
  /* Sums of four outputs at once read X four times and the kernel once. */
  l.rows = w[2].output < 3 ? w[2].output : round_up(w[2].output, HD_GEMM_LANES_ROWS);
  l.columns = min64(most_columns, w[2].kernel);
  l.row = round_up(l.columns, lanes);
  l.pitch = round_up(l.columns + l.rows - 1, lanes);
  l.block_lines = max64(1, min64(w[1].kernel, copy_bytes_wanted / (l.pitch * size * w[1].kernel_dilation)));
  l.copy_bytes = (size_t)(round_up(lines_of(&l, l.block_lines) * l.pitch * size, 64) + 64);
  l.kernel_bytes = c->p.b_size == c->p.size ? 0 : (size_t)round_up(l.block_lines * l.columns * size, 64);
  l.sums_bytes = (size_t)(c->features * l.outputs * l.rows * l.row * size);
  double work = 2.0 * (double)(l.outputs * l.rows * c->features) * (double)c->p.k / HD_GEMM_FLOPS_PER_GRAIN;
  hd_conv_in_parallel(c, c->groups * c->call->batch, work, do_units, &l);
  if (atomic_load_explicit(&c->no_memory, memory_order_relaxed))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory for %zu bytes of scratch", scratch_bytes(&l));
  return NULL;
}
