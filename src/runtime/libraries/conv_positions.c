/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of few output positions and a large kernel, which gradients of filters are: their kernel is the gradient
 * of a whole image, their batch the features of the forward input, and their input features are its batch. Each output
 * position o is a product of its own,
 *
 *   out[m, o, n] = sum over input features c and kernel positions p of in[m, o * stride - pad + p * dilation, c] *
 *                  kernel[p, c, n]
 *
 * with the batch as rows: for features, for kernel lines: for the positions of an output line: tile += A * B, where k
 * runs along the line. Both are read where they are, but where B must be padded to vectors or has another type. A
 * batch of few, such as the colours of an image, would fill a part of a tile's rows: there the positions of an output
 * line are rows, and the lines of the input a padded copy. Groups are of many features, others have better ways.
 * Weights are finite where there is padding. */
#include <string.h>

#include "runtime/libraries/conv_problem.h"

enum { block_rows = 32, few_rows = 4, most_positions = 8, strip_columns = 48, longest_piece = 256 };

typedef struct positions_problem {
  hd_conv_problem *c;
  const char *kernel; /* of the compute type where it was copied */
  size_t kernel_size;
  bool by_outputs; /* rows are positions of an output line */
  int64_t plane_step, row_step, group_step, b_steps[3], b_plane;
  hd_gemm_panels panels;
  int64_t strip_panels, strips, blocks_of_rows, blocks_of_width, rows, width, tile_row;
  size_t tile_bytes;
} positions_problem;

bool hd_conv_is_positions(const hd_conv_problem *c) {
  int64_t outputs = c->lines * c->w[2].output, kernel = c->w[0].kernel * c->w[1].kernel * c->w[2].kernel;
  for (int i = 0; i < 3; ++i)
    if (c->w[i].input_dilation != 1) return false;
  bool has_rows = c->call->batch >= few_rows || c->w[2].output >= few_rows - 1;
  bool has_columns = c->groups == 1 || 2 * c->features * (int64_t)c->p.size > 64; /* on any CPU */
  return has_rows && has_columns && outputs < kernel && c->w[2].kernel >= 4 && c->p.k;
}

/* Rows of A in a piece of k, and those of the tile. */
typedef struct row_steps {
  int64_t a_row, a_k, c_row, rows;
} row_steps;

/* Products of one piece of k: rows from |a|, columns of panels [p0, p1) of B from |b|. */
static void accumulate(const positions_problem *l, const row_steps *r, const char *a, const char *b, int64_t p0,
                       int64_t p1, char *tile, int64_t depth) {
  const hd_gemm_panels *panels = &l->panels;
  bool has_last = p1 == panels->count && panels->last_vectors != panels->vectors;
  for (int part = 0; part < 2; ++part) {
    int64_t first = part ? p1 - 1 : p0, count = part ? (int64_t)has_last : p1 - p0 - has_last;
    if (!count) continue;
    int64_t column = first * panels->width;
    hd_gemm_panel_run run = {.family = panels->family,
                             .vectors = hd_gemm_panel_vectors(panels, first),
                             .count = count,
                             .c_row = r->c_row,
                             .b = b + column * (int64_t)l->kernel_size,
                             .b_k = l->b_steps[2],
                             .b_step = panels->width * (int64_t)l->kernel_size,
                             .prefetch = 0,
                             .c = tile + (size_t)(column - p0 * panels->width) * l->c->p.size};
    hd_gemm_tile_block(&l->c->p, &run, a, r->a_row, r->a_k, r->rows, depth, true);
  }
}

/* One line of outputs [x0, x1) of a group, rows of the batch from |m0| on, panels [p0, p1). */
static void line_sums(const positions_problem *l, int64_t group, int64_t line, int64_t x0, int64_t x1, int64_t m0,
                      int64_t rows, int64_t p0, int64_t p1, char *tile) {
  const hd_conv_problem *c = l->c;
  const hd_conv_window *w = c->w;
  int64_t size = (int64_t)c->p.size, o[2] = {line / w[1].output, line % w[1].output}, from[2], to[2];
  row_steps r = {l->row_step, w[2].kernel_dilation * w[2].input_step, l->tile_row, rows};
  if (l->by_outputs) r = (row_steps){w[2].stride * w[2].input_step, r.a_k, rows * l->tile_row, x1 - x0};
  for (int i = 0; i < 2; ++i) hd_conv_seen(&w[i], o[i], &from[i], &to[i]);
  for (int64_t plane = 0; plane < c->call->input_features; ++plane)
    for (int64_t d = from[0]; d < to[0]; ++d)
      for (int64_t h = from[1]; h < to[1]; ++h)
        for (int64_t k0 = 0; k0 < w[2].kernel; k0 += longest_piece)
          for (int64_t i = 0; i < (l->by_outputs ? rows : x1 - x0); ++i) {
            int64_t x = l->by_outputs ? x0 : x0 + i, m = l->by_outputs ? i : 0, begin, end;
            hd_conv_seen(&w[2], x, &begin, &end); /* in a padded copy all see all */
            begin = max64(begin, k0), end = min64(end, k0 + longest_piece);
            if (begin >= end) continue;
            int64_t at = group * l->group_step + (m0 + m) * l->row_step + plane * l->plane_step +
                         (o[0] * w[0].stride - w[0].pad_low + d * w[0].kernel_dilation) * w[0].input_step +
                         (o[1] * w[1].stride - w[1].pad_low + h * w[1].kernel_dilation) * w[1].input_step +
                         (x * w[2].stride - w[2].pad_low + begin * w[2].kernel_dilation) * w[2].input_step;
            int64_t b = group * c->features + plane * l->b_plane + d * l->b_steps[0] + h * l->b_steps[1] +
                        begin * l->b_steps[2];
            accumulate(l, &r, c->x + at * size, l->kernel + b * (int64_t)l->kernel_size, p0, p1,
                       tile + (size_t)(((x - x0) * rows + m) * l->tile_row) * c->p.size, end - begin);
          }
}

static void do_units(void *argument, int64_t begin, int64_t end) {
  const positions_problem *l = argument;
  const hd_conv_problem *c = l->c;
  hd_gemm_block *scratch = hd_gemm_block_acquire(c->context, l->tile_bytes + (size_t)(l->tile_row * 8) + 128);
  if (!scratch) {
    atomic_store_explicit(&l->c->no_memory, true, memory_order_relaxed);
    return;
  }
  for (int64_t unit = begin; unit < end; ++unit) {
    int64_t rest = unit, strip = rest % l->strips, block = (rest /= l->strips) % l->blocks_of_rows,
            part = (rest /= l->blocks_of_rows) % l->blocks_of_width, line = (rest /= l->blocks_of_width) % c->lines,
            group = rest / c->lines;
    int64_t m0 = block * l->rows, rows = min64(l->rows, c->call->batch - m0), x0 = part * l->width,
            x1 = min64(x0 + l->width, c->w[2].output);
    int64_t p0 = strip * l->strip_panels, p1 = min64(p0 + l->strip_panels, l->panels.count), n0 = p0 * l->panels.width,
            columns = min64(p1 * l->panels.width, c->features) - n0;
    if (p1 == l->panels.count) columns = c->features - n0;
    memset(scratch->data, 0, (size_t)((x1 - x0) * rows * l->tile_row) * c->p.size);
    line_sums(l, group, line, x0, x1, m0, rows, p0, p1, scratch->data);
    for (int64_t x = x0; x < x1; ++x)
      for (int64_t m = 0; m < rows; ++m)
        hd_conv_finish(c, m0 + m, line, 1, x, x + 1, group * c->features + n0, columns,
                       scratch->data + (size_t)(((x - x0) * rows + m) * l->tile_row) * c->p.size, l->tile_row,
                       scratch->data + (l->tile_bytes + 63) / 64 * 64);
  }
  hd_gemm_block_release(c->context, scratch);
}

/* The input's lines with padding, [image][plane][d][h][x]. */
typedef struct padded_lines {
  const positions_problem *l;
  int64_t planes, pitch;
  char *to;
} padded_lines;

static void copy_padded_lines(void *argument, int64_t begin, int64_t end) {
  const padded_lines *copy = argument;
  const hd_conv_problem *c = copy->l->c;
  const hd_conv_call *call = c->call;
  const hd_conv_window *w = c->w;
  int64_t size = (int64_t)c->p.size, a_size = (int64_t)c->p.a_size;
  int64_t from = min64(copy->pitch, max64(0, w[2].pad_low)),
          last = max64(from, min64(copy->pitch, w[2].pad_low + w[2].input));
  char temporary[HD_GEMM_GATHER_BYTES];
  for (int64_t line = begin; line < end; ++line) {
    int64_t rest = line, h = rest % w[1].input, d = (rest /= w[1].input) % w[0].input,
            plane = (rest /= w[0].input) % copy->planes, image = rest / copy->planes, some;
    const char *x =
        (const char *)call->input + (image * call->input_batch_step + plane * call->input_feature_step +
                                     d * w[0].input_step + h * w[1].input_step - w[2].pad_low * w[2].input_step) *
                                        a_size;
    char *to = copy->to + line * copy->pitch * size;
    memset(to, 0, (size_t)(copy->pitch * size));
    for (int64_t at = from; at < last; at += some) {
      some = min64(last - at, HD_GEMM_GATHER_BYTES / a_size);
      hd_gemm_copy args = {.a = x + at * w[2].input_step * a_size, .d = to + at * size, .rows = 1};
      if (w[2].input_step != 1) {
        hd_gemm_gather(args.a, 0, w[2].input_step, 1, some, c->p.a_size, temporary);
        args.a = temporary;
      }
      c->p.kernels->copy[c->p.a_type][c->p.compute]((const uint64_t *)(const void *)&args, 0, some);
    }
  }
}

static hd_status pad_input(positions_problem *l, hd_gemm_block **out_copy) {
  hd_conv_problem *c = l->c;
  const hd_conv_call *call = c->call;
  hd_conv_window *w = c->w;
  padded_lines copy = {.l = l,
                       .planes = call->input_features * call->feature_groups,
                       .pitch = (w[2].output - 1) * w[2].stride + (w[2].kernel - 1) * w[2].kernel_dilation + 1};
  int64_t images = call->batch * call->batch_groups, lines = images * copy.planes * w[0].input * w[1].input;
  size_t bytes;
  if (!__builtin_mul_overflow((size_t)lines * c->p.size, (size_t)copy.pitch, &bytes))
    *out_copy = hd_gemm_block_acquire(c->context, bytes + 64);
  if (!*out_copy) return hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory for a copy of the input");
  copy.to = (*out_copy)->data;
  if (lines) hd_conv_in_parallel(c, lines, (double)copy.pitch * 8 / HD_GEMM_BYTES_PER_GRAIN, copy_padded_lines, &copy);
  c->x = copy.to;
  w[2].input = copy.pitch, w[2].pad_low = 0, w[2].input_step = 1;
  w[1].input_step = copy.pitch;
  w[0].input_step = copy.pitch * w[1].input;
  l->plane_step = w[0].input_step * w[0].input;
  l->row_step = l->plane_step * copy.planes;
  return NULL;
}

/* B as [feature][d][h][w][out]. */
typedef struct kernel_lines {
  const positions_problem *l;
  char *to;
  int64_t pitch;
} kernel_lines;

static void copy_kernel_lines(void *argument, int64_t begin, int64_t end) {
  const kernel_lines *copy = argument;
  const hd_conv_problem *c = copy->l->c;
  const hd_conv_window *w = c->w;
  char temporary[HD_GEMM_GATHER_BYTES];
  hd_gemm_problem p = c->p;
  p.b_k = w[2].reversed ? -w[2].kernel_step : w[2].kernel_step;
  p.b_n = c->call->output_features == 1 ? 1 : c->call->kernel_output_step;
  for (int64_t at = begin; at < end; ++at) {
    int64_t h = at % w[1].kernel, d = at / w[1].kernel % w[0].kernel, plane = at / w[1].kernel / w[0].kernel;
    int64_t from = plane * c->call->kernel_input_step + (w[0].reversed ? w[0].kernel - 1 - d : d) * w[0].kernel_step +
                   (w[1].reversed ? w[1].kernel - 1 - h : h) * w[1].kernel_step +
                   (w[2].reversed ? w[2].kernel - 1 : 0) * w[2].kernel_step;
    hd_gemm_pack_b(&p, (const char *)c->call->kernel + from * (int64_t)p.b_size, 0, w[2].kernel, 0,
                   c->call->output_features, copy->to + (size_t)(at * w[2].kernel * copy->pitch) * p.size, copy->pitch,
                   temporary);
  }
}

static hd_status prepare_kernel(positions_problem *l, hd_gemm_block **out_copy) {
  hd_conv_problem *c = l->c;
  const hd_conv_call *call = c->call;
  hd_gemm_problem *p = &c->p;
  int64_t lanes = p->kernels->vector_bytes / (int64_t)p->size;
  if (call->kernel_output_step == 1 && p->b_size == p->size && c->features % lanes == 0) {
    l->kernel = call->kernel;
    l->b_plane = call->kernel_input_step;
    for (int i = 0; i < 3; ++i) {
      l->b_steps[i] = c->w[i].reversed ? -c->w[i].kernel_step : c->w[i].kernel_step;
      if (c->w[i].reversed) l->kernel += (c->w[i].kernel - 1) * c->w[i].kernel_step * (int64_t)p->size;
    }
    return NULL;
  }
  kernel_lines copy = {.l = l, .pitch = ceil_div(call->output_features, lanes) * lanes};
  size_t bytes;
  if (!__builtin_mul_overflow((size_t)p->k * p->size, (size_t)copy.pitch, &bytes))
    *out_copy = hd_gemm_block_acquire(c->context, bytes + 64 * HD_GEMM_MAX_VECTORS); /* the last panel reads on */
  if (!*out_copy) return hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory for a copy of the kernel");
  copy.to = (*out_copy)->data;
  hd_conv_in_parallel(c, call->input_features * c->w[0].kernel * c->w[1].kernel,
                      (double)(c->w[2].kernel * copy.pitch) * 8 / HD_GEMM_BYTES_PER_GRAIN, copy_kernel_lines, &copy);
  l->kernel = copy.to;
  l->b_steps[2] = copy.pitch;
  l->b_steps[1] = copy.pitch * c->w[2].kernel;
  l->b_steps[0] = l->b_steps[1] * c->w[1].kernel;
  l->b_plane = l->b_steps[0] * c->w[0].kernel;
  return NULL;
}

hd_status hd_conv_by_positions(hd_conv_problem *c) {
  const hd_conv_call *call = c->call;
  positions_problem l = {
      .c = c, .kernel_size = c->p.size, .plane_step = call->input_feature_step, .row_step = call->input_batch_step};
  hd_gemm_block *x_copy = NULL, *kernel_copy = NULL;
  hd_status status = NULL;
  c->x = call->input;
  l.by_outputs = call->batch < few_rows;
  if (l.by_outputs) {
    status = pad_input(&l, &x_copy);
  } else if (c->p.a_size != c->p.size) {
    hd_conv_form form = {.images = 1,
                         .lanes = call->batch * call->batch_groups,
                         .lane_step = call->input_batch_step,
                         .planes = call->input_features * call->feature_groups,
                         .plane_step = call->input_feature_step};
    status = hd_conv_copy_input(c, &form, &x_copy, &l.plane_step, NULL);
    l.row_step = 1;
  }
  l.group_step = call->batch_groups > 1 ? call->batch * l.row_step : call->input_features * l.plane_step;
  if (hd_is_ok(status)) status = prepare_kernel(&l, &kernel_copy);
  if (hd_is_ok(status)) {
    c->p.n = c->features;
    l.panels = hd_gemm_panels_of(&c->p, HD_GEMM_SAME, c->features);
    int64_t threads = call->env && call->env->for_range ? call->env->threads : 1;
    l.rows = min64(call->batch, block_rows);
    l.blocks_of_rows = ceil_div(call->batch, l.rows);
    l.width = min64(c->w[2].output, most_positions);
    l.blocks_of_width = ceil_div(c->w[2].output, l.width);
    l.strip_panels = max64(1, strip_columns / l.panels.width);
    int64_t blocks = c->groups * c->lines * l.blocks_of_rows * l.blocks_of_width;
    if (!l.by_outputs && blocks * ceil_div(l.panels.count, l.strip_panels) < 2 * threads) {
      l.width = 1;
      l.blocks_of_width = c->w[2].output;
      blocks = c->groups * c->lines * l.blocks_of_rows * l.blocks_of_width;
    }
    l.strips = ceil_div(l.panels.count, l.strip_panels);
    l.tile_row =
        (l.strip_panels - 1) * l.panels.width + max64(l.panels.vectors, l.panels.last_vectors) * l.panels.lanes;
    l.tile_bytes = (size_t)(l.width * l.rows * l.tile_row) * c->p.size;
    double work =
        2.0 * (double)(l.width * l.rows * min64(l.tile_row, c->features)) * (double)c->p.k / HD_GEMM_FLOPS_PER_GRAIN;
    hd_conv_in_parallel(c, blocks * l.strips, work, do_units, &l);
    if (atomic_load_explicit(&c->no_memory, memory_order_relaxed))
      status = hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory for %zu bytes of scratch", l.tile_bytes);
  }
  hd_gemm_block_release(c->context, x_copy);
  hd_gemm_block_release(c->context, kernel_copy);
  return status;
}
