/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of groups of few features whose lines are contiguous in memory, as where features come before positions:
 * outputs of a line are lanes, and each weight is spread over a row of lanes,
 *
 *   out[f, o] = sum over kernel positions p and features c of X[c, o * stride - pad + p * dilation] * kernel[p, c, f]
 *
 * with X the input itself, or a copy of the lines that a block of outputs sees, with padding, which stays in the cache.
 * Where a group has several features in and out, a block is tiles of features by positions, which read an element of X
 * once for all features.
 * Weights are finite where there is padding. */
#include <string.h>

#include "runtime/libraries/conv_problem.h"

enum { copy_bytes_wanted = 24576, most_columns = 128, least_lines = HD_GEMM_LANES_ROWS, least_weights = 32 };

typedef struct rows_problem {
  hd_conv_problem *c;
  bool tiles, copies, direct; /* by tiles; X is a copy; sums go to the output as they are */
  int64_t width;              /* columns of a block, and elements of a row of a spread weight */
  int64_t tile_row;           /* elements of a row of sums that are stored later: |width|, or all that tiles write */
  int64_t pair;               /* elements of two vectors */
  int64_t pitch, lines;       /* of the copy, of one feature and plane */
  int64_t unit_lines, plane_units, block_lines;
  size_t weight_bytes, copy_bytes, tile_bytes; /* of the scratch memory of a thread */
} rows_problem;

bool hd_conv_is_rows(const hd_conv_problem *c) {
  int64_t lanes = c->p.kernels->vector_bytes / (int64_t)c->p.size;
  for (int i = 0; i < 3; ++i)
    if (c->w[i].input_dilation != 1) return false;
  return hd_conv_is_lanes(c) && !c->p.epilogue && c->p.k && c->w[2].stride == 1 && c->w[2].input_step == 1 &&
         c->w[2].output_step == 1 && c->w[1].output >= least_lines && 4 * c->w[2].output >= 3 * lanes;
}

/* Positions from the first to the last one that |outputs| in a row see. */
static int64_t seen_by(const hd_conv_window *w, int64_t outputs) {
  return (outputs - 1) * w->stride + (w->kernel - 1) * w->kernel_dilation + 1;
}

/* The weights of a group, feature by feature, positions in order. */
#define SPREAD(T)                                                                         \
  do {                                                                                    \
    typedef T row_type __attribute__((vector_size(64)));                                  \
    for (int64_t f = 0; f < c->features; ++f)                                             \
      for (int64_t k = 0; k < c->p.k; ++k) {                                              \
        const char *at = c->p.b + (k * c->p.b_k + group * c->features + f) * size;        \
        row_type row = *(const T *)(const void *)at - (row_type){0};                      \
        for (int64_t j = 0; j < r->width * size; j += 64, to += 64) memcpy(to, &row, 64); \
      }                                                                                   \
  } while (0)

static void spread_weights(const rows_problem *r, int64_t group, char *to) {
  const hd_conv_problem *c = r->c;
  int64_t size = (int64_t)c->p.size;
  if (size == 4)
    SPREAD(uint32_t);
  else
    SPREAD(uint64_t);
}

/* Input lines from |h| on of one feature and plane to lines of the copy, with zeros around; |plane| false: zeros. */
static void copy_lines(const rows_problem *r, const char *plane, int64_t h, int64_t lines, char *to) {
  const hd_conv_problem *c = r->c;
  const hd_conv_window *w = c->w;
  int64_t size = (int64_t)c->p.size, seen = seen_by(&w[2], w[2].output);
  int64_t from = min64(seen, max64(0, w[2].pad_low)), end = max64(from, min64(seen, w[2].pad_low + w[2].input));
  int64_t first = plane ? min64(lines, max64(0, -h)) : lines, last = max64(first, min64(lines, w[1].input - h));
  for (int64_t line = 0; line < lines; ++line) {
    char *at = to + line * r->pitch * size;
    bool inside = line >= first && line < last;
    memset(at, 0, (size_t)((inside ? from : seen) * size));
    if (inside) memset(at + end * size, 0, (size_t)((seen - end) * size));
  }
  if (first == last || from == end) return;
  hd_gemm_copy args = {
      .a = plane + ((h + first) * w[1].input_step + from - w[2].pad_low) * (int64_t)c->p.a_size,
      .a_row = w[1].input_step,
      .d = to + (first * r->pitch + from) * size,
      .d_row = r->pitch,
      .rows = last - first,
  };
  c->p.kernels->copy[c->p.a_type][c->p.compute]((const uint64_t *)(const void *)&args, 0, end - from);
}

/* |columns| of |lines| output lines of a group to |tile|, those of a feature one after the other. |levels| are of X and
 * of rows of the kernel; |line_step| is from line to line in X. */
static void tile_sums(const rows_problem *r, const hd_conv_level levels[4], const char *x, int64_t line_step,
                      int64_t group, int64_t lines, int64_t columns, char *tile) {
  const hd_conv_problem *c = r->c;
  const hd_gemm_panels panels = hd_gemm_panels_of(&c->p, HD_GEMM_SAME, columns);
  int64_t size = (int64_t)c->p.size;
  hd_gemm_panel_run run = {.family = panels.family,
                           .b_k = levels[3].a,
                           .b_step = panels.width * size,
                           .c_row = r->block_lines * r->tile_row};
  for (int64_t line = 0; line < lines; ++line) {
    const char *first = c->p.b + group * c->features * size, *weights = first;
    for (int64_t d = 0; d < levels[0].size; ++d)
      for (int64_t h = 0; h < levels[1].size; ++h)
        for (int64_t w = 0; w < levels[2].size; ++w, weights += levels[3].size * c->p.b_k * size) {
          int64_t at = line * line_step + d * levels[0].a + h * levels[1].a + w * levels[2].a;
          for (int64_t panel = 0; panel < panels.count; panel += run.count) {
            run.vectors = hd_gemm_panel_vectors(&panels, panel);
            run.count = run.vectors == panels.last_vectors ? panels.count - panel : panels.count - 1;
            run.b = x + (at + panel * panels.width) * size;
            run.c = tile + (line * r->tile_row + panel * panels.width) * size;
            hd_gemm_tile_block(&c->p, &run, weights, 1, c->p.b_k, c->features, levels[3].size, weights != first);
          }
        }
  }
}

/* Sums of a feature, in rows of |r->tile_row|, to lines of the output. */
static void store_lines(const rows_problem *r, const char *sums, char *out, int64_t lines, int64_t columns) {
  const hd_conv_problem *c = r->c;
  hd_gemm_copy args = {.a = sums, .a_row = r->tile_row, .d = out, .d_row = c->w[1].output_step, .rows = lines};
  c->p.kernels->store[c->p.compute][c->p.c_type]((const uint64_t *)(const void *)&args, 0, columns);
}

/* Output lines [line0, line1) of a plane, of a group of one element of the batch whose input is at |in|. */
static void block_sums(const rows_problem *r, const char *in, int64_t batch, int64_t group, int64_t plane,
                       int64_t line0, int64_t line1, const char *weights, char *copy, char *tile) {
  const hd_conv_problem *c = r->c;
  const hd_conv_call *call = c->call;
  const hd_conv_window *w = c->w;
  int64_t size = (int64_t)c->p.size, c_size = (int64_t)c->p.c_size;
  int64_t d = plane * w[0].stride - w[0].pad_low, h = line0 * w[1].stride - w[1].pad_low;
  int64_t line_step = w[1].input_step, plane_step = w[0].input_step * w[0].kernel_dilation,
          feature_step = call->input_feature_step;
  const char *x = in + (d * w[0].input_step + h * line_step - w[2].pad_low) * size;
  if (r->copies) {
    int64_t lines = seen_by(&w[1], line1 - line0);
    line_step = r->pitch, plane_step = r->lines * r->pitch, feature_step = plane_step * w[0].kernel;
    x = copy;
    for (int64_t feature = 0; feature < call->input_features; ++feature)
      for (int64_t kd = 0; kd < w[0].kernel; ++kd, copy += plane_step * size) {
        int64_t at = d + kd * w[0].kernel_dilation, from = feature * call->input_feature_step + at * w[0].input_step;
        copy_lines(r, at >= 0 && at < w[0].input ? in + from * (int64_t)c->p.a_size : NULL, h, lines, copy);
      }
  }
  hd_conv_level levels[4] = {{w[0].kernel, plane_step, 0},
                             {w[1].kernel, w[1].kernel_dilation * line_step, 0},
                             {w[2].kernel, w[2].kernel_dilation, 0},
                             {call->input_features, feature_step, r->width}};
  for (int i = 2; i >= 0; --i) levels[i].b = levels[i + 1].b * levels[i + 1].size;
  int64_t first = batch * call->output_batch_step + group * c->features * call->output_feature_step +
                  plane * w[0].output_step + line0 * w[1].output_step;
  char *out = (char *)call->output + first * c_size;
  for (int64_t x0 = 0; r->tiles && x0 < w[2].output; x0 += r->width) {
    int64_t columns = min64(r->width, w[2].output - x0), feature_bytes = r->block_lines * r->tile_row * size;
    tile_sums(r, levels, x + x0 * size, w[1].stride * line_step, group, line1 - line0, columns, tile);
    for (int64_t f = 0; f < c->features; ++f)
      store_lines(r, tile + f * feature_bytes, out + (f * call->output_feature_step + x0) * c_size, line1 - line0,
                  columns);
  }
  /* Lines of the kernel last: outputs of neighbouring lines see neighbouring lines. */
  const hd_conv_level lines_last[4] = {levels[0], levels[3], levels[2], levels[1]};
  for (int64_t f = 0; !r->tiles && f < c->features; ++f, weights += c->p.k * r->width * size)
    for (int64_t x0 = 0; x0 < w[2].output; x0 += r->width) {
      int64_t columns = min64(r->width, w[2].output - x0), whole = columns;
      if (r->copies && !r->direct) whole = min64(r->width, ceil_div(columns, r->pair) * r->pair);
      char *to = out + (f * call->output_feature_step + x0) * c_size;
      hd_conv_sums(c, lines_last, x + x0 * size, w[1].stride * line_step, weights, r->direct ? to : tile,
                   r->direct ? w[1].output_step : r->tile_row, line1 - line0, whole, false);
      if (!r->direct) store_lines(r, tile, to, line1 - line0, columns);
    }
}

static void do_units(void *argument, int64_t begin, int64_t end) {
  const rows_problem *r = argument;
  const hd_conv_problem *c = r->c;
  const hd_conv_call *call = c->call;
  const hd_conv_window *w = c->w;
  hd_gemm_block *scratch = hd_gemm_block_acquire(c->context, r->weight_bytes + r->copy_bytes + r->tile_bytes);
  if (!scratch) {
    atomic_store_explicit(&r->c->no_memory, true, memory_order_relaxed);
    return;
  }
  char *copy = scratch->data + r->weight_bytes, *tile = copy + r->copy_bytes;
  for (int64_t unit = begin, spread = -1; unit < end; ++unit) {
    int64_t rest = unit, part = rest % r->plane_units, plane = (rest /= r->plane_units) % w[0].output,
            batch = (rest /= w[0].output) % call->batch, group = rest / call->batch;
    if (!r->tiles && group != spread) spread_weights(r, spread = group, scratch->data);
    int64_t from = call->batch_groups > 1
                       ? (group * call->batch + batch) * call->input_batch_step
                       : batch * call->input_batch_step + group * call->input_features * call->input_feature_step;
    int64_t line = part * r->unit_lines, last = min64(line + r->unit_lines, w[1].output), next;
    for (; line < last; line = next) {
      next = min64(line + r->block_lines, last);
      block_sums(r, (const char *)call->input + from * (int64_t)c->p.a_size, batch, group, plane, line, next,
                 scratch->data, copy, tile);
    }
  }
  hd_gemm_block_release(c->context, scratch);
}

static size_t copied_bytes(const rows_problem *r, int64_t lines) {
  const hd_conv_problem *c = r->c;
  return (size_t)(c->call->input_features * c->w[0].kernel * seen_by(&c->w[1], lines) * r->pitch) * c->p.size;
}

/* Tiles load and store their sums once for each kernel position, which so many weights of a position repay, and where
 * the features are tiles of equal rows. */
static bool is_tiles(const hd_conv_problem *c) {
  const hd_gemm_kernels *kernels = c->p.kernels;
  const hd_kernel_fn *tile = kernels->family[c->p.compute][HD_GEMM_SAME].tile[kernels->panel_vectors];
  int64_t most = HD_GEMM_MAX_ROWS;
  while (most > 1 && !tile[most]) --most;
  return c->features > 1 && c->features * c->call->input_features >= least_weights &&
         (c->features > most ? c->features % most == 0 : tile[c->features] != NULL);
}

static void divide(rows_problem *r) {
  const hd_conv_problem *c = r->c;
  const hd_conv_window *w = c->w;
  int64_t size = (int64_t)c->p.size, lanes = 64 / size;
  int64_t threads = c->call->env && c->call->env->for_range ? c->call->env->threads : 1;
  int64_t units = c->call->batch * c->groups * w[0].output;
  r->tiles = is_tiles(c);
  r->copies = r->tiles || hd_conv_has_padding(c) || c->p.a_size != c->p.size;
  r->pair = 2 * lanes;
  r->width = w[2].output < lanes ? lanes : min64(most_columns, ceil_div(w[2].output, r->pair) * r->pair);
  r->tile_row = r->width;
  if (r->tiles) {
    /* Not every number of vectors has tiles, so the last one may write more of them than |width| has. */
    const hd_gemm_panels panels = hd_gemm_panels_of(&c->p, HD_GEMM_SAME, min64(r->width, w[2].output));
    r->tile_row = max64(r->width, (panels.count - 1) * panels.width + panels.last_vectors * panels.lanes);
  }
  /* Where the last vector of a line is not full, pairs of whole ones to memory beside are faster. */
  bool whole = w[2].output < lanes || w[2].output % lanes == 0;
  r->direct = !r->tiles && c->p.c_size == c->p.size && (!r->copies || whole);
  r->pitch = ceil_div(seen_by(&w[2], w[2].output), lanes) * lanes;
  r->unit_lines = w[1].output;
  while (units * ceil_div(w[1].output, r->unit_lines) < 4 * threads && r->unit_lines > least_lines)
    r->unit_lines = ceil_div(r->unit_lines, 2 * least_lines) * least_lines;
  r->plane_units = ceil_div(w[1].output, r->unit_lines);
  r->block_lines = least_lines;
  while (r->block_lines < r->unit_lines && copied_bytes(r, 2 * r->block_lines) <= copy_bytes_wanted)
    r->block_lines *= 2;
  r->lines = seen_by(&w[1], r->block_lines);
  r->weight_bytes = r->tiles ? 0 : (size_t)(c->features * c->p.k * r->width * size);
  r->copy_bytes = r->copies ? (copied_bytes(r, r->block_lines) + 63) / 64 * 64 + (size_t)(r->tile_row * size) : 0;
  r->tile_bytes = r->direct ? 0 : (size_t)(r->block_lines * r->tile_row * (r->tiles ? c->features : 1) * size);
}

hd_status hd_conv_by_rows(hd_conv_problem *c) {
  rows_problem r = {.c = c};
  hd_gemm_block *kernel_copy = NULL;
  divide(&r);
  hd_status status = hd_conv_copy_kernel(c, &kernel_copy);
  if (hd_is_ok(status)) {
    double work =
        4.0 * (double)(r.unit_lines * c->w[2].output * c->features) * (double)c->p.k / HD_GEMM_FLOPS_PER_GRAIN;
    hd_conv_in_parallel(c, c->call->batch * c->groups * c->w[0].output * r.plane_units, work, do_units, &r);
    if (atomic_load_explicit(&c->no_memory, memory_order_relaxed))
      status = hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory for %zu bytes of scratch",
                              r.weight_bytes + r.copy_bytes + r.tile_bytes);
  }
  hd_gemm_block_release(c->context, kernel_copy);
  return status;
}
