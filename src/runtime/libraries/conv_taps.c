/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of filters of groups of few features: few outputs (the taps of the filter) and a kernel as large as an
 * image. As in conv_lanes.c the output features of all groups are lanes, but here a line of the kernel is used for all
 * outputs while it is in the cache,
 *
 *   for parts:  for kernel lines of the part:  copy the lines of the input that outputs begin to see, to a ring
 *                 for output lines:  for rows of outputs:  sums += X * kernel over the line's positions
 *   sums of the parts, in order
 *
 * so that an element of the kernel is loaded once for several outputs, whose sums are in registers. Parts depend on
 * the shape alone, and in a part an output is one chain. X is padded with zeros, which are multiplied like all else. */
#include <string.h>

#include "runtime/libraries/conv_problem.h"

enum {
  most_outputs = 16,
  most_group_bytes = 32, /* of an output position */
  strip_vectors = 4,
  piece_width = 128,
  wanted_parts = 16,
  part_lanes = 32
};
/* What a part must have to do. */
#define PART_FLOPS 4e5
/* Most bytes of the input's copy, by the largest vectors: outputs, or elements of the kernel, that are far apart see
 * few of the lines that a ring holds, or of their positions. */
#define MOST_COPY_BYTES 0x1p24

typedef struct taps_problem {
  hd_conv_problem *c;
  int64_t lane_step;          /* from group to group in the input */
  int64_t strip, strips, row; /* lanes of a unit; elements of a row of its sums */
  int64_t width, widths;      /* kernel positions of a piece of a line, and how many pieces a line has */
  int64_t pieces, parts;      /* of all kernel lines */
  int64_t ring, pitch;        /* lines of the input that are in the copy, of each output plane, and from line to line */
  bool kernel_in_place;
  size_t sums_bytes, copy_bytes, kernel_bytes;
  char *sums; /* of all units, part by part */
} taps_problem;

/* Of a line: whole where lines of several meet in outputs, so that a line of the input is used again. */
static int64_t piece_positions(const hd_conv_window *w) {
  return w[1].kernel == 1 ? min64(w[2].kernel, piece_width) : w[2].kernel;
}

static bool copy_is_small(const hd_conv_window *w) {
  double lines = (double)w[0].output * ((double)(w[1].output - 1) * (double)w[1].stride + 1);
  double line = (double)(w[2].output - 1) * (double)w[2].stride +
                (double)(piece_positions(w) - 1) * (double)w[2].kernel_dilation + 1;
  return lines * line * strip_vectors * 64 <= MOST_COPY_BYTES;
}

/* The same on every CPU level, since sums are divided in parts here. */
bool hd_conv_is_taps(const hd_conv_problem *c) {
  const hd_conv_window *w = c->w;
  for (int i = 0; i < 3; ++i)
    if (w[i].input_dilation != 1 || w[i].output > most_outputs) return false;
  bool small = c->features == 1 || c->features * (int64_t)c->p.size <= most_group_bytes;
  return c->groups > 1 && small && c->p.kernels->lanes[c->p.compute][1] && c->p.k && copy_is_small(w) &&
         c->lines * w[2].output < w[0].kernel * w[1].kernel * w[2].kernel;
}

/* A piece of a kernel line, of one input feature: positions [x, x + width). */
typedef struct taps_piece {
  int64_t feature, d, h, x, width;
} taps_piece;

static taps_piece piece_at(const taps_problem *t, int64_t at) {
  const hd_conv_window *w = t->c->w;
  taps_piece p = {.x = at % t->widths * t->width};
  p.h = (at /= t->widths) % w[1].kernel;
  p.d = (at /= w[1].kernel) % w[0].kernel;
  p.feature = at / w[0].kernel;
  p.width = min64(t->width, w[2].kernel - p.x);
  return p;
}

/* Lanes of a unit, and its scratch memory. */
typedef struct taps_unit {
  const taps_problem *t;
  int64_t batch, n0, columns;
  char *sums, *copy, *weights;
} taps_unit;

/* Line |h| of plane |d| of the input, where they are inside of it, from position |x| on to |to|, zeros around. */
static void copy_line(const taps_unit *u, int64_t feature, int64_t d, int64_t h, int64_t x, char *to) {
  const taps_problem *t = u->t;
  const hd_conv_problem *c = t->c;
  const hd_conv_call *call = c->call;
  const hd_conv_window *w = c->w;
  int64_t row = t->row * (int64_t)c->p.size, width = t->pitch / t->row;
  int64_t from = min64(width, max64(0, -x)), end = max64(from, min64(width, w[2].input - x));
  if (d < 0 || d >= w[0].input || h < 0 || h >= w[1].input) end = from;
  memset(to, 0, (size_t)(from * row));
  if (from < end) {
    int64_t at = u->batch * call->input_batch_step + feature * call->input_feature_step + d * w[0].input_step +
                 h * w[1].input_step + (x + from) * w[2].input_step + u->n0 / c->features * t->lane_step;
    hd_conv_copy_lanes(c, (const char *)call->input + at * (int64_t)c->p.a_size, t->lane_step, end - from, u->columns,
                       to + from * row, t->row);
  }
  memset(to + end * row, 0, (size_t)((width - end) * row));
}

/* The weights of a piece: where they are, or a copy. */
static const char *piece_kernel(const taps_unit *u, const taps_piece *piece) {
  const taps_problem *t = u->t;
  const hd_conv_problem *c = t->c;
  const hd_conv_window *w = c->w;
  const int64_t first[] = {piece->d, piece->h, piece->x};
  int64_t at = piece->feature * c->call->kernel_input_step + u->n0 * c->call->kernel_output_step;
  for (int i = 0; i < 3; ++i) at += (w[i].reversed ? w[i].kernel - 1 - first[i] : first[i]) * w[i].kernel_step;
  const char *from = (const char *)c->call->kernel + at * (int64_t)c->p.b_size;
  if (t->kernel_in_place) return from;
  char temporary[HD_GEMM_GATHER_BYTES];
  hd_gemm_problem p = c->p;
  p.b_k = w[2].reversed ? -w[2].kernel_step : w[2].kernel_step;
  p.b_n = u->columns == 1 ? 1 : c->call->kernel_output_step;
  hd_gemm_pack_b(&p, from, 0, piece->width, 0, u->columns, u->weights, t->row, temporary);
  return u->weights;
}

/* Adds the products of a piece to the sums of the unit. |*copied|: lines before this one are in the ring. */
static void piece_sums(const taps_unit *u, const taps_piece *piece, int64_t *copied) {
  const taps_problem *t = u->t;
  const hd_conv_problem *c = t->c;
  const hd_conv_window *w = c->w;
  int64_t size = (int64_t)c->p.size, line_bytes = t->pitch * size, width = w[2].output;
  int64_t h = piece->h * w[1].kernel_dilation, step = t->row;
  if (t->kernel_in_place) step = w[2].reversed ? -w[2].kernel_step : w[2].kernel_step;
  for (int64_t line = max64(*copied, h); line < h + t->ring; ++line)
    for (int64_t plane = 0; plane < w[0].output; ++plane)
      copy_line(u, piece->feature, plane * w[0].stride - w[0].pad_low + piece->d * w[0].kernel_dilation,
                line - w[1].pad_low, piece->x * w[2].kernel_dilation - w[2].pad_low,
                u->copy + (plane * t->ring + line % t->ring) * line_bytes);
  *copied = h + t->ring;
  const char *kernel = piece_kernel(u, piece);
  hd_conv_level levels[4] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {piece->width, w[2].kernel_dilation * t->row, step}};
  for (int64_t plane = 0; plane < w[0].output; ++plane)
    for (int64_t line = 0; line < w[1].output; ++line)
      hd_conv_sums(c, levels, u->copy + (plane * t->ring + (h + line * w[1].stride) % t->ring) * line_bytes,
                   w[2].stride * t->row, kernel, u->sums + (plane * w[1].output + line) * width * t->row * size, t->row,
                   width, u->columns, true);
}

static void do_units(void *argument, int64_t begin, int64_t end) {
  const taps_problem *t = argument;
  const hd_conv_problem *c = t->c;
  hd_gemm_block *scratch = hd_gemm_block_acquire(c->context, t->copy_bytes + t->kernel_bytes);
  if (!scratch) {
    atomic_store_explicit(&t->c->no_memory, true, memory_order_relaxed);
    return;
  }
  for (int64_t unit = begin; unit < end; ++unit) {
    int64_t part = unit % t->parts, strip = unit / t->parts % t->strips, copied = 0;
    taps_unit u = {.t = t,
                   .batch = unit / t->parts / t->strips,
                   .n0 = strip * t->strip,
                   .columns = min64(t->strip, c->call->output_features - strip * t->strip),
                   .sums = t->sums + (size_t)unit * t->sums_bytes,
                   .copy = scratch->data,
                   .weights = scratch->data + t->copy_bytes};
    memset(u.sums, 0, t->sums_bytes);
    for (int64_t at = t->pieces * part / t->parts; at < t->pieces * (part + 1) / t->parts; ++at) {
      taps_piece piece = piece_at(t, at);
      if (piece.h == 0) copied = 0; /* of another plane, feature or part of a line */
      piece_sums(&u, &piece, &copied);
    }
  }
  hd_gemm_block_release(c->context, scratch);
}

#define ADD_ALL(T)                                               \
  do {                                                           \
    T *x = (T *)(void *)sums;                                    \
    const T *y = (const T *)(const void *)more;                  \
    for (size_t i = 0; i < bytes / sizeof *x; ++i) x[i] += y[i]; \
  } while (0)

static void add_all(hd_gemm_compute compute, char *sums, const char *more, size_t bytes) {
  if (compute == HD_GEMM_F32)
    ADD_ALL(float);
  else if (compute == HD_GEMM_F64)
    ADD_ALL(double);
  else if (compute == HD_GEMM_I32)
    ADD_ALL(uint32_t);
  else
    ADD_ALL(uint64_t);
}

/* Adds up the parts of strips of the batch, and stores them. */
static void finish_strips(const taps_problem *t, char *store) {
  const hd_conv_problem *c = t->c;
  int64_t width = c->w[2].output;
  for (int64_t at = 0; at < c->call->batch * t->strips; ++at) {
    int64_t n0 = at % t->strips * t->strip, columns = min64(t->strip, c->call->output_features - n0);
    char *sums = t->sums + (size_t)(at * t->parts) * t->sums_bytes;
    for (int64_t part = 1; part < t->parts; ++part)
      add_all(c->p.compute, sums, sums + (size_t)part * t->sums_bytes, t->sums_bytes);
    for (int64_t line = 0; line < c->lines; ++line)
      hd_conv_finish(c, at / t->strips, line, 1, 0, width, n0, columns,
                     sums + (size_t)(line * width * t->row) * c->p.size, t->row, store);
  }
}

static void divide(taps_problem *t) {
  hd_conv_problem *c = t->c;
  const hd_conv_call *call = c->call;
  const hd_conv_window *w = c->w;
  int64_t size = (int64_t)c->p.size, lanes = c->p.kernels->vector_bytes / size;
  t->strip = min64(ceil_div(strip_vectors * lanes, c->features) * c->features, call->output_features);
  t->strips = ceil_div(call->output_features, t->strip);
  t->row = ceil_div(t->strip, lanes) * lanes;
  t->width = piece_positions(w);
  t->widths = ceil_div(w[2].kernel, t->width);
  t->pieces = call->input_features * w[0].kernel * w[1].kernel * t->widths;
  t->ring = (w[1].output - 1) * w[1].stride + 1;
  t->pitch = ((w[2].output - 1) * w[2].stride + (t->width - 1) * w[2].kernel_dilation + 1) * t->row;
  double flops = 2.0 * (double)(c->lines * w[2].output * part_lanes) * (double)c->p.k / PART_FLOPS;
  int64_t strips = call->batch * ceil_div(call->output_features, part_lanes);
  int64_t most = min64(t->pieces, max64(1, wanted_parts / strips));
  t->parts = flops<2 ? 1 : flops>(double) most ? most : (int64_t)flops;
  t->kernel_in_place = call->kernel_output_step == 1 && c->p.b_size == c->p.size;
  t->sums_bytes = (size_t)(c->lines * w[2].output * t->row * size);
  t->copy_bytes = (size_t)(w[0].output * t->ring * t->pitch * size) + 64;
  t->kernel_bytes = t->kernel_in_place ? 0 : (size_t)(t->width * t->row * size) + 64;
}

hd_status hd_conv_by_taps(hd_conv_problem *c) {
  const hd_conv_call *call = c->call;
  taps_problem t = {.c = c};
  t.lane_step =
      call->batch_groups > 1 ? call->batch * call->input_batch_step : call->input_features * call->input_feature_step;
  divide(&t);
  size_t units = (size_t)(call->batch * t.strips * t.parts);
  hd_gemm_block *sums = hd_gemm_block_acquire(c->context, (units + 1) * t.sums_bytes + 128);
  if (sums) {
    t.sums = sums->data;
    double work = 2.0 * (double)(c->lines * c->w[2].output * t.strip) * (double)c->p.k / (double)t.parts /
                  HD_GEMM_FLOPS_PER_GRAIN;
    hd_conv_in_parallel(c, (int64_t)units, work, do_units, &t);
  }
  bool failed = !sums || atomic_load_explicit(&c->no_memory, memory_order_relaxed);
  if (!failed) finish_strips(&t, sums->data + units * t.sums_bytes);
  hd_gemm_block_release(c->context, sums);
  return failed ? hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory for %zu bytes of scratch",
                                 units * t.sums_bytes)
                : NULL;
}
