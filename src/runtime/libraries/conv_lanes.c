/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of groups that have few output features each (depthwise ones have one): a product of a group would fill
 * a part of a vector. Here the output features of all groups are lanes. With f the output feature, and g(f) its group,
 *
 *   out[o, f] = sum over kernel positions p and features c of X[o * stride - pad + p * dilation, c, f] * kernel[p, c, f]
 *
 * where X[.., c, f] is feature c of group g(f): the input itself where a group has one feature of each and they are
 * contiguous, otherwise a copy. An output of a line that sees all of the kernel line has its whole sum in a register;
 * those at the border run over the part of the kernel that they see, in the same order. */
#include <string.h>

#include "runtime/libraries/conv_problem.h"

enum { tile_bytes_wanted = 16384 };

/* Loops around a lanes kernel, outer first: kernel planes, lines, positions, features. Steps count elements. */
typedef struct level {
  int64_t size, a, b;
} level;

typedef struct lanes_problem {
  hd_conv_problem *c;
  int64_t plane_step, b_steps[4], columns, block_width, blocks, strip, strips, tile_row;
  const char *kernel; /* position 0 */
  const char *zeros;  /* a row of them */
  bool direct;        /* sums go to the output as they are */
  bool meets_padding; /* padding meets weights that are not finite */
  atomic_bool not_finite;
  size_t scratch_bytes;
} lanes_problem;

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

bool hd_conv_is_lanes(const hd_conv_problem *c) {
  int64_t lanes = c->p.kernels->vector_bytes / (int64_t)c->p.size;
  return c->groups > 1 && (c->features == 1 || 2 * c->features <= lanes) && c->p.kernels->lanes[c->p.compute][1];
}

/* |rows| outputs from |out|, |out_row| apart, (+)= the sum of |levels| over |columns| lanes, from |a|, |a_row| apart,
 * and |b|. */
static void sums(const lanes_problem *l, const level levels[4], const char *a, int64_t a_row, const char *b, char *out,
                 int64_t out_row, int64_t rows, int64_t columns, bool accumulate) {
  const hd_conv_problem *c = l->c;
  int64_t size = (int64_t)c->p.size, total = levels[0].size * levels[1].size * levels[2].size * levels[3].size;
  /* Levels that do something; two of them are the kernel's. */
  level used[4];
  int count = 0;
  for (int i = 0; i < 4 && total; ++i) {
    if (levels[i].size == 1) continue;
    level *last = count ? &used[count - 1] : NULL;
    if (last && last->a == levels[i].a * levels[i].size && last->b == levels[i].b * levels[i].size)
      *last = (level){last->size * levels[i].size, levels[i].a, levels[i].b};
    else
      used[count++] = levels[i];
  }
  level inner = count > 0 ? used[count - 1] : (level){.size = total != 0},
        outer = count > 1 ? used[count - 2] : (level){.size = 1};
  level rest[2] = {{.size = 1}, {.size = 1}};
  for (int i = 0; i + 2 < count; ++i) rest[i] = used[i];
  hd_gemm_lanes args = {.a_row = a_row,
                        .a_line = outer.a,
                        .a_k = inner.a,
                        .b_line = outer.b,
                        .b_k = inner.b,
                        .c_row = out_row,
                        .lines = outer.size,
                        .depth = inner.size,
                        .accumulate = accumulate};
  for (int64_t i = 0; i < rest[0].size; ++i)
    for (int64_t j = 0; j < rest[1].size; ++j) {
      args.b = b + (i * rest[0].b + j * rest[1].b) * size;
      const char *from = a + (i * rest[0].a + j * rest[1].a) * size;
      for (int64_t row = 0, some; row < rows; row += some) {
        some = rows - row >= HD_GEMM_LANES_ROWS ? HD_GEMM_LANES_ROWS : 1;
        args.a = from + row * a_row * size;
        args.c = out + row * out_row * size;
        c->p.kernels->lanes[c->p.compute][some]((const uint64_t *)(const void *)&args, 0, columns);
      }
      args.accumulate = true;
    }
}

/* One output takes in the kernel positions that it sees outside of the input. */
static void padding_sums(const lanes_problem *l, const int64_t o[3], int64_t n0, int64_t columns, char *out) {
  const hd_conv_window *w = l->c->w;
  int64_t size = (int64_t)l->c->p.size;
  for (int64_t d = 0; d < w[0].kernel; ++d)
    for (int64_t h = 0; h < w[1].kernel; ++h)
      for (int64_t x = 0; x < w[2].kernel; ++x) {
        if (hd_conv_sees(&w[0], o[0], d) && hd_conv_sees(&w[1], o[1], h) && hd_conv_sees(&w[2], o[2], x)) continue;
        level features[4] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {l->c->call->input_features, 0, l->b_steps[3]}};
        sums(l, features, l->zeros, 0,
             l->kernel + (d * l->b_steps[0] + h * l->b_steps[1] + x * l->b_steps[2] + n0) * size, out, 0, 1, columns,
             true);
      }
}

/* Outputs [x0, x1) of a line, features [n0, n0 + columns), to |out|, rows |out_row| apart. */
static void line_sums(const lanes_problem *l, int64_t batch, int64_t line, int64_t x0, int64_t x1, int64_t n0,
                      int64_t columns, char *out, int64_t out_row) {
  const hd_conv_problem *c = l->c;
  const hd_conv_window *w = c->w;
  int64_t size = (int64_t)c->p.size, o[3] = {line / w[1].output, line % w[1].output, 0}, from[3], to[3], whole0, whole1;
  for (int i = 0; i < 2; ++i) hd_conv_seen(&w[i], o[i], &from[i], &to[i]);
  hd_conv_seeing(&w[2], 0, w[2].kernel - 1, x0, x1, &whole0, &whole1);
  for (int64_t x = x0, next; x < x1; x = next) {
    /* Those that see all of the kernel line together, others alone. */
    next = x == whole0 && whole0 < whole1 ? whole1 : x + 1;
    hd_conv_seen(&w[2], x, &from[2], &to[2]);
    o[2] = x;
    char *at = out + (x - x0) * out_row * size;
    if (l->meets_padding)
      for (o[2] = x; o[2] < next; ++o[2]) {
        char *row = at + (o[2] - x) * out_row * size;
        memset(row, 0, (size_t)(columns * size));
        padding_sums(l, o, n0, columns, row);
      }
    o[2] = x;
    level levels[4] = {[3] = {c->call->input_features, l->plane_step, l->b_steps[3]}};
    int64_t a = batch * c->x_batch + n0, b = n0;
    for (int i = 0; i < 3; ++i) {
      levels[i] = (level){max64(0, to[i] - from[i]), w[i].kernel_dilation * w[i].input_step, l->b_steps[i]};
      a += (o[i] * w[i].stride - w[i].pad_low + from[i] * w[i].kernel_dilation) * w[i].input_step;
      b += from[i] * l->b_steps[i];
    }
    bool none = !levels[0].size || !levels[1].size || !levels[2].size || !levels[3].size;
    sums(l, levels, none ? c->x : c->x + a * size, w[2].stride * w[2].input_step,
         none ? l->kernel : l->kernel + b * size, at, out_row, next - x, columns, l->meets_padding);
  }
}

static void do_units(void *argument, int64_t begin, int64_t end) {
  const lanes_problem *l = argument;
  const hd_conv_problem *c = l->c;
  hd_gemm_block *scratch = l->direct ? NULL : hd_gemm_block_acquire(c->context, l->scratch_bytes);
  if (!l->direct && !scratch) {
    atomic_store_explicit(&l->c->no_memory, true, memory_order_relaxed);
    return;
  }
  for (int64_t unit = begin; unit < end; ++unit) {
    int64_t rest = unit, strip = rest % l->strips, part = (rest /= l->strips) % l->blocks,
            line = (rest /= l->blocks) % c->lines, batch = rest / c->lines;
    int64_t x0 = part * l->block_width, x1 = min64(x0 + l->block_width, c->w[2].output);
    int64_t n0 = strip * l->strip, columns = min64(l->strip, l->columns - n0);
    if (l->direct) {
      int64_t at = batch * c->call->output_batch_step + line / c->w[1].output * c->w[0].output_step +
                   line % c->w[1].output * c->w[1].output_step + x0 * c->w[2].output_step + n0;
      line_sums(l, batch, line, x0, x1, n0, columns, (char *)c->call->output + at * (int64_t)c->p.size,
                c->w[2].output_step);
    } else {
      line_sums(l, batch, line, x0, x1, n0, columns, scratch->data, l->tile_row);
      hd_conv_finish(c, batch, line, 1, x0, x1, n0, columns, scratch->data, l->tile_row,
                     scratch->data + l->scratch_bytes / 2);
    }
  }
  hd_gemm_block_release(c->context, scratch);
}

/* Kernel lines times zeros: what is not zero is not finite. */
static void look_for_infinity(void *argument, int64_t begin, int64_t end) {
  lanes_problem *l = argument;
  const hd_conv_problem *c = l->c;
  int64_t size = (int64_t)c->p.size;
  hd_gemm_block *scratch = hd_gemm_block_acquire(c->context, (size_t)(l->columns * size));
  if (!scratch) {
    atomic_store_explicit(&l->c->no_memory, true, memory_order_relaxed);
    return;
  }
  for (int64_t line = begin; line < end; ++line) {
    level levels[4] = {
        {1, 0, 0}, {1, 0, 0}, {c->w[2].kernel, 0, l->b_steps[2]}, {c->call->input_features, 0, l->b_steps[3]}};
    sums(l, levels, l->zeros, 0,
         l->kernel + (line / c->w[1].kernel * l->b_steps[0] + line % c->w[1].kernel * l->b_steps[1]) * size,
         scratch->data, 0, 1, l->columns, false);
    for (int64_t i = 0; i < l->columns * size; ++i)
      if (scratch->data[i]) atomic_store_explicit(&l->not_finite, true, memory_order_relaxed);
  }
  hd_gemm_block_release(c->context, scratch);
}

/* The input as lanes: in place, or |out_copy|. */
static hd_status prepare_input(lanes_problem *l, hd_gemm_block **out_copy) {
  hd_conv_problem *c = l->c;
  const hd_conv_call *call = c->call;
  bool of_batch = call->batch_groups > 1, dilated = false;
  int64_t lane_step = of_batch ? call->batch * call->input_batch_step : call->input_features * call->input_feature_step;
  for (int i = 0; i < 3; ++i) dilated |= c->w[i].input_dilation > 1;
  c->x = call->input;
  c->x_batch = call->input_batch_step;
  l->plane_step = call->input_feature_step;
  if (c->features == 1 && lane_step == 1 && c->p.a_size == c->p.size && !dilated) return NULL;
  hd_conv_form form = {.images = call->batch,
                       .lanes = c->groups,
                       .lane_step = lane_step,
                       .repeat = c->features,
                       .planes = call->input_features,
                       .plane_step = call->input_feature_step};
  return hd_conv_copy_input(c, &form, out_copy, &l->plane_step);
}

/* The kernel with contiguous output features of the compute type: in place, or |out_copy|. */
static hd_status prepare_kernel(lanes_problem *l, hd_gemm_block **out_copy) {
  hd_conv_problem *c = l->c;
  const hd_conv_call *call = c->call;
  if (call->kernel_output_step == 1 && c->p.b_size == c->p.size) {
    l->kernel = call->kernel;
    l->b_steps[3] = call->kernel_input_step;
    for (int i = 0; i < 3; ++i) {
      int64_t step = c->w[i].kernel_step;
      if (c->w[i].reversed && c->p.k) {
        l->kernel += (c->w[i].kernel - 1) * step * (int64_t)c->p.size;
        step = -step;
      }
      l->b_steps[i] = step;
    }
    return NULL;
  }
  HD_TRY(hd_conv_copy_kernel(c, out_copy));
  l->kernel = c->p.b;
  l->b_steps[3] = c->p.b_k;
  l->b_steps[2] = c->p.b_k * call->input_features;
  for (int i = 1; i >= 0; --i) l->b_steps[i] = l->b_steps[i + 1] * c->w[i + 1].kernel;
  return NULL;
}

static void divide(lanes_problem *l) {
  hd_conv_problem *c = l->c;
  const hd_conv_call *call = c->call;
  int64_t size = (int64_t)c->p.size, lanes = c->p.kernels->vector_bytes / size;
  int64_t threads = call->env && call->env->for_range ? call->env->threads : 1;
  l->strip = l->columns = call->output_features;
  int64_t fits = max64(HD_GEMM_LANES_ROWS, tile_bytes_wanted / (l->columns * size));
  l->block_width = min64(c->w[2].output, fits / HD_GEMM_LANES_ROWS * HD_GEMM_LANES_ROWS);
  l->blocks = ceil_div(c->w[2].output, l->block_width);
  int64_t units = call->batch * c->lines * l->blocks;
  if (units < 4 * threads)
    l->strip = max64(2 * lanes, ceil_div(ceil_div(l->columns, ceil_div(4 * threads, units)), 2 * lanes) * 2 * lanes);
  l->strips = ceil_div(l->columns, l->strip);
  l->tile_row = ceil_div(l->strip, lanes) * lanes;
  l->scratch_bytes = 2 * ((size_t)(l->block_width * l->tile_row * size) + 128);
  l->direct = !c->p.epilogue && c->p.c_size == c->p.size && call->output_feature_step == 1;
}

hd_status hd_conv_by_lanes(hd_conv_problem *c) {
  const hd_conv_call *call = c->call;
  lanes_problem l = {.c = c};
  hd_gemm_block *x_copy = NULL, *kernel_copy = NULL, *zeros = NULL;
  hd_status status = prepare_input(&l, &x_copy);
  if (hd_is_ok(status)) status = prepare_kernel(&l, &kernel_copy);
  if (hd_is_ok(status)) {
    divide(&l);
    bool floats = c->p.compute == HD_GEMM_F32 || c->p.compute == HD_GEMM_F64;
    if (floats && c->p.k && hd_conv_has_padding(c)) {
      size_t bytes = (size_t)l.columns * c->p.size;
      zeros = hd_gemm_block_acquire(c->context, bytes);
      if (zeros) {
        memset(zeros->data, 0, bytes);
        l.zeros = zeros->data;
        double work = 2.0 * (double)(l.columns * c->w[2].kernel * call->input_features) / HD_GEMM_FLOPS_PER_GRAIN;
        hd_conv_in_parallel(c, c->w[0].kernel * c->w[1].kernel, work, look_for_infinity, &l);
        l.meets_padding = atomic_load_explicit(&l.not_finite, memory_order_relaxed);
      } else
        atomic_store_explicit(&c->no_memory, true, memory_order_relaxed);
    }
    double work = 4.0 * (double)(l.block_width * l.strip) * (double)c->p.k / HD_GEMM_FLOPS_PER_GRAIN;
    if (!atomic_load_explicit(&c->no_memory, memory_order_relaxed))
      hd_conv_in_parallel(c, call->batch * c->lines * l.blocks * l.strips, work, do_units, &l);
    if (atomic_load_explicit(&c->no_memory, memory_order_relaxed))
      status =
          hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory for %zu bytes of scratch", l.scratch_bytes);
  }
  hd_gemm_block_release(c->context, x_copy);
  hd_gemm_block_release(c->context, kernel_copy);
  hd_gemm_block_release(c->context, zeros);
  return status;
}
