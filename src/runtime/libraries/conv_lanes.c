/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of groups that have few output features each (depthwise ones have one): a product of a group would fill
 * a part of a vector. Here the output features of all groups are lanes. With f the output feature, and g(f) its group,
 *
 *   out[o, f] = sum of X[o * stride - pad + p * dilation, c, f] * kernel[p, c, f] over positions p and features c
 *
 * where X[.., c, f] is feature c of group g(f): the input itself where a group has one feature of each and they
 * are contiguous, otherwise a copy of what a block of outputs sees, which stays in the cache. An output of a line
 * that sees all of the kernel line has its whole sum in a register; those at the border run over the part of the
 * kernel that they see, in the same order. */
#include <string.h>

#include "runtime/libraries/conv_problem.h"

enum { tile_bytes_wanted = 16384, copy_bytes_wanted = 131072, least_width = 16 };

typedef struct lanes_problem {
  hd_conv_problem *c;
  int64_t b_steps[4], columns, tile_row;
  /* A unit is some lines of outputs of one plane, a part of each, and a strip of features. */
  int64_t block_width, blocks, strip, strips, unit_lines, plane_units;
  bool copies;               /* X is a copy */
  int64_t input_dilation[3]; /* which the copy spells out */
  int64_t lane_step;         /* from group to group in the input */
  const char *kernel;        /* position 0 */
  const char *zeros;         /* a row of them */
  bool direct;               /* sums go to the output as they are */
  bool meets_padding;        /* padding meets weights that are not finite */
  atomic_bool not_finite;
  size_t tile_bytes, copy_bytes; /* of the scratch memory of a thread: the sums, as they are stored, and the copy */
} lanes_problem;

/* X of a unit: position |origin| is at |x|. Steps count elements. */
typedef struct view {
  const char *x;
  int64_t origin[3], steps[3], plane_step;
} view;

bool hd_conv_is_lanes(const hd_conv_problem *c) {
  int64_t lanes = c->p.kernels->vector_bytes / (int64_t)c->p.size;
  return c->groups > 1 && (c->features == 1 || 2 * c->features <= lanes) && c->p.kernels->lanes[c->p.compute][1];
}

/* Rows of the next kernel where |rows| are left: as many, or such that all have about equally many. */
static int64_t rows_at_once(const hd_conv_problem *c, int64_t rows) {
  int64_t some = ceil_div(rows, ceil_div(rows, HD_GEMM_LANES_ROWS));
  if (c->p.kernels->lanes[c->p.compute][some]) return some;
  return rows >= HD_GEMM_LANES_ROWS ? HD_GEMM_LANES_ROWS : 1;
}

/* Some rows of lanes. |slides|: lines of |args| are those of a window kernel. */
static void add_rows(const hd_conv_problem *c, const hd_gemm_lanes *args, int64_t rows, int64_t columns, bool slides) {
  int64_t pair = 2 * c->p.kernels->vector_bytes / (int64_t)c->p.size, whole = 0;
  hd_kernel_fn window = c->p.kernels->window[c->p.compute][rows];
  if (slides && window) {
    whole = columns / pair * pair;
    if (whole) window((const uint64_t *)(const void *)args, 0, whole);
    if (whole == columns) return;
  }
  hd_gemm_lanes rest = *args;
  if (slides) {
    rest.lines = args->depth, rest.a_line = args->a_k, rest.b_line = args->b_k;
    rest.depth = args->lines, rest.a_k = args->a_line, rest.b_k = args->b_line;
  }
  c->p.kernels->lanes[c->p.compute][rows]((const uint64_t *)(const void *)&rest, whole, columns);
}

void hd_conv_sums(const hd_conv_problem *c, const hd_conv_level levels[4], const char *a, int64_t a_row, const char *b,
                  char *out, int64_t out_row, int64_t rows, int64_t columns, bool accumulate) {
  int64_t size = (int64_t)c->p.size, total = levels[0].size * levels[1].size * levels[2].size * levels[3].size;
  /* Levels that do something; two of them are the kernel's. */
  hd_conv_level used[4];
  int count = 0;
  for (int i = 0; i < 4 && total; ++i) {
    if (levels[i].size == 1) continue;
    hd_conv_level *last = count ? &used[count - 1] : NULL;
    if (last && last->a == levels[i].a * levels[i].size && last->b == levels[i].b * levels[i].size)
      *last = (hd_conv_level){last->size * levels[i].size, levels[i].a, levels[i].b};
    else
      used[count++] = levels[i];
  }
  hd_conv_level inner = count > 0 ? used[count - 1] : (hd_conv_level){.size = total != 0},
                outer = count > 1 ? used[count - 2] : (hd_conv_level){.size = 1};
  hd_conv_level rest[2] = {{.size = 1}, {.size = 1}};
  for (int i = 0; i + 2 < count; ++i) rest[i] = used[i];
  /* Where neighbouring outputs see neighbouring elements, those are loaded once for all rows. */
  bool slides = inner.size > 1 && inner.a == a_row;
  if (slides) {
    hd_conv_level swap = inner;
    inner = outer, outer = swap;
  }
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
        some = rows_at_once(c, rows - row);
        args.a = from + row * a_row * size;
        args.c = out + row * out_row * size;
        add_rows(c, &args, some, columns, slides);
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
        hd_conv_level features[4] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {l->c->call->input_features, 0, l->b_steps[3]}};
        hd_conv_sums(l->c, features, l->zeros, 0,
                     l->kernel + (d * l->b_steps[0] + h * l->b_steps[1] + x * l->b_steps[2] + n0) * size, out, 0, 1,
                     columns, true);
      }
}

/* Outputs [x0, x1) of a line, features [n0, n0 + columns), to |out|, rows |out_row| apart. */
static void line_sums(const lanes_problem *l, const view *v, int64_t line, int64_t x0, int64_t x1, int64_t n0,
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
    hd_conv_level levels[4] = {[3] = {c->call->input_features, v->plane_step, l->b_steps[3]}};
    int64_t a = 0, b = n0;
    for (int i = 0; i < 3; ++i) {
      levels[i] = (hd_conv_level){max64(0, to[i] - from[i]), w[i].kernel_dilation * v->steps[i], l->b_steps[i]};
      a += (o[i] * w[i].stride - w[i].pad_low + from[i] * w[i].kernel_dilation - v->origin[i]) * v->steps[i];
      b += from[i] * l->b_steps[i];
    }
    bool none = !levels[0].size || !levels[1].size || !levels[2].size || !levels[3].size;
    hd_conv_sums(c, levels, none ? v->x : v->x + a * size, w[2].stride * v->steps[2],
                 none ? l->kernel : l->kernel + b * size, at, out_row, next - x, columns, l->meets_padding);
  }
}

/* Groups from one row of an input to |groups| * |repeat| lanes. */
#define SPREAD(T, times)                                                            \
  for (int64_t g = 0; g < groups; ++g) {                                            \
    T value = ((const T *)(const void *)from)[g * step];                            \
    for (int64_t r = 0; r < times; ++r) ((T *)(void *)to)[g * (times) + r] = value; \
  }
#define SPREAD_ALL(T)     \
  do {                    \
    if (repeat == 1)      \
      SPREAD(T, 1)        \
    else if (repeat == 2) \
      SPREAD(T, 2)        \
    else if (repeat == 4) \
      SPREAD(T, 4)        \
    else if (repeat == 8) \
      SPREAD(T, 8)        \
    else                  \
      SPREAD(T, repeat)   \
  } while (0)

static void spread(const char *from, int64_t step, int64_t groups, int64_t repeat, size_t size, char *to) {
  if (size == 4)
    SPREAD_ALL(uint32_t);
  else
    SPREAD_ALL(uint64_t);
}

void hd_conv_copy_lanes(const hd_conv_problem *c, const char *from, int64_t lane_step, int64_t count, int64_t columns,
                        char *to, int64_t step) {
  int64_t size = (int64_t)c->p.size, repeat = c->features, groups = columns / repeat;
  if (repeat == 1 && (groups == 1 || lane_step == 1)) {
    hd_gemm_copy args = {.a = from, .a_row = c->w[2].input_step, .d = to, .d_row = step, .rows = count, .pad = true};
    c->p.kernels->copy[c->p.a_type][c->p.compute]((const uint64_t *)(const void *)&args, 0, columns);
    return;
  }
  bool is_same = c->p.a_size == c->p.size;
  char temporary[HD_GEMM_GATHER_BYTES];
  hd_gemm_problem p = c->p;
  p.b_type = p.a_type, p.b_size = p.a_size;
  p.b_k = c->w[2].input_step, p.b_n = groups == 1 ? 1 : lane_step;
  if (is_same && p.b_n != 1 && p.b_k != 1) {
    for (int64_t x = 0; x < count; ++x)
      spread(from + x * p.b_k * size, p.b_n, groups, repeat, p.size, to + x * step * size);
    return;
  }
  hd_gemm_pack_b(&p, from, 0, count, 0, groups, to, step, temporary);
  for (int64_t x = 0; x < count && repeat > 1; ++x) {
    char row[4096];
    for (int64_t g = groups; g > 0;) {
      int64_t some = min64(g, (int64_t)sizeof row / size);
      g -= some;
      memcpy(row, to + (x * step + g) * size, (size_t)(some * size));
      spread(row, 1, some, repeat, p.size, to + (x * step + g * repeat) * size);
    }
  }
}

/* |count| positions of a line, |step| elements of the copy apart, lanes [n0, n0 + columns). */
static void copy_line(const lanes_problem *l, const char *from, int64_t count, int64_t n0, int64_t columns, char *to,
                      int64_t step) {
  const hd_conv_problem *c = l->c;
  from += n0 / c->features * l->lane_step * (int64_t)c->p.a_size;
  for (int64_t plane = 0; plane < c->call->input_features; ++plane) {
    hd_conv_copy_lanes(c, from, l->lane_step, count, columns, to, step);
    from += c->call->input_feature_step * (int64_t)c->p.a_size;
    to += l->tile_row * (int64_t)c->p.size;
  }
}

/* Input positions that outputs [o0, o1) see: [out_from, out_to). */
static void box(const hd_conv_window *w, int64_t o0, int64_t o1, int64_t *out_from, int64_t *out_to) {
  *out_from = max64(0, o0 * w->stride - w->pad_low);
  *out_to = min64(w->input, (o1 - 1) * w->stride - w->pad_low + (w->kernel - 1) * w->kernel_dilation + 1);
}

/* The copy for lines [line0, line1) of one plane, outputs [x0, x1), to |to|. */
static void copy_box(const lanes_problem *l, int64_t batch, int64_t line0, int64_t line1, int64_t x0, int64_t x1,
                     int64_t n0, int64_t columns, char *to, view *out_view) {
  const hd_conv_problem *c = l->c;
  const hd_conv_window *w = c->w;
  int64_t from[3], end[3], plane = line0 / w[1].output, size = (int64_t)c->p.size;
  const int64_t *dilation = l->input_dilation;
  box(&w[0], plane, plane + 1, &from[0], &end[0]);
  box(&w[1], line0 - plane * w[1].output, line1 - plane * w[1].output, &from[1], &end[1]);
  box(&w[2], x0, x1, &from[2], &end[2]);
  *out_view = (view){.x = to, .plane_step = l->tile_row};
  int64_t step = l->tile_row * c->call->input_features;
  for (int i = 2; i >= 0; --i) {
    out_view->origin[i] = from[i];
    out_view->steps[i] = step;
    step *= max64(0, end[i] - from[i]);
  }
  if (step <= 0) return;
  if (dilation[0] * dilation[1] * dilation[2] > 1) memset(to, 0, (size_t)(step * size));
  int64_t first = ceil_div(from[2], dilation[2]), count = ceil_div(end[2], dilation[2]) - first;
  for (int64_t d = from[0]; d < end[0]; ++d)
    for (int64_t h = from[1]; h < end[1]; ++h) {
      if (d % dilation[0] || h % dilation[1] || count <= 0) continue;
      int64_t at = batch * c->x_batch + d / dilation[0] * w[0].input_step + h / dilation[1] * w[1].input_step +
                   first * w[2].input_step;
      int64_t copy = (d - from[0]) * out_view->steps[0] + (h - from[1]) * out_view->steps[1] +
                     (first * dilation[2] - from[2]) * out_view->steps[2];
      copy_line(l, c->x + at * (int64_t)c->p.a_size, count, n0, columns, to + copy * size,
                out_view->steps[2] * dilation[2]);
    }
}

static void do_units(void *argument, int64_t begin, int64_t end) {
  const lanes_problem *l = argument;
  const hd_conv_problem *c = l->c;
  const hd_conv_window *w = c->w;
  int64_t size = (int64_t)c->p.size;
  hd_gemm_block *scratch = hd_gemm_block_acquire(c->context, 2 * l->tile_bytes + l->copy_bytes);
  if (!scratch) {
    atomic_store_explicit(&l->c->no_memory, true, memory_order_relaxed);
    return;
  }
  for (int64_t unit = begin; unit < end; ++unit) {
    int64_t rest = unit, strip = rest % l->strips, part = (rest /= l->strips) % l->blocks,
            of_plane = (rest /= l->blocks) % l->plane_units, plane = (rest /= l->plane_units) % w[0].output,
            batch = rest / w[0].output;
    int64_t x0 = part * l->block_width, x1 = min64(x0 + l->block_width, w[2].output);
    int64_t n0 = strip * l->strip, columns = min64(l->strip, l->columns - n0);
    int64_t line0 = plane * w[1].output + of_plane * l->unit_lines,
            line1 = min64(line0 + l->unit_lines, (plane + 1) * w[1].output);
    view v = {.x = c->x + (batch * c->x_batch + n0) * size,
              .steps = {w[0].input_step, w[1].input_step, w[2].input_step},
              .plane_step = c->call->input_feature_step};
    if (l->copies) copy_box(l, batch, line0, line1, x0, x1, n0, columns, scratch->data + 2 * l->tile_bytes, &v);
    for (int64_t line = line0; line < line1; ++line) {
      if (l->direct) {
        int64_t at = batch * c->call->output_batch_step + plane * w[0].output_step +
                     line % w[1].output * w[1].output_step + x0 * w[2].output_step + n0;
        line_sums(l, &v, line, x0, x1, n0, columns, (char *)c->call->output + at * size, w[2].output_step);
      } else {
        line_sums(l, &v, line, x0, x1, n0, columns, scratch->data, l->tile_row);
        hd_conv_finish(c, batch, line, 1, x0, x1, n0, columns, scratch->data, l->tile_row,
                       scratch->data + l->tile_bytes);
      }
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
    hd_conv_level levels[4] = {
        {1, 0, 0}, {1, 0, 0}, {c->w[2].kernel, 0, l->b_steps[2]}, {c->call->input_features, 0, l->b_steps[3]}};
    hd_conv_sums(c, levels, l->zeros, 0,
                 l->kernel + (line / c->w[1].kernel * l->b_steps[0] + line % c->w[1].kernel * l->b_steps[1]) * size,
                 scratch->data, 0, 1, l->columns, false);
    for (int64_t i = 0; i < l->columns * size; ++i)
      if (scratch->data[i]) atomic_store_explicit(&l->not_finite, true, memory_order_relaxed);
  }
  hd_gemm_block_release(c->context, scratch);
}

/* Is the input read in place, and what of it is a lane? */
static void prepare_input(lanes_problem *l) {
  hd_conv_problem *c = l->c;
  const hd_conv_call *call = c->call;
  l->lane_step =
      call->batch_groups > 1 ? call->batch * call->input_batch_step : call->input_features * call->input_feature_step;
  c->x = call->input;
  c->x_batch = call->input_batch_step;
  l->copies = c->features != 1 || l->lane_step != 1 || c->p.a_size != c->p.size;
  for (int i = 0; i < 3; ++i) {
    hd_conv_window *w = &c->w[i];
    l->copies |= w->input_dilation > 1;
    l->input_dilation[i] = w->input_dilation;
    if (w->input) w->input = (w->input - 1) * w->input_dilation + 1;
    w->input_dilation = 1;
  }
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

/* Elements of the input that |outputs| in a row see. */
static double seen_by(const hd_conv_window *w, int64_t outputs) {
  double seen = (double)(outputs - 1) * (double)w->stride + (double)(w->kernel - 1) * (double)w->kernel_dilation + 1;
  if (seen < 0) return 0; /* a kernel of no positions */
  return seen < (double)w->input ? seen : (double)w->input;
}

static double copied_bytes(const lanes_problem *l, int64_t lines, int64_t width) {
  const hd_conv_window *w = l->c->w;
  double positions = seen_by(&w[0], 1) * seen_by(&w[1], lines) * seen_by(&w[2], width);
  return positions * (double)l->tile_row * (double)l->c->call->input_features * (double)l->c->p.size;
}

static void divide(lanes_problem *l) {
  hd_conv_problem *c = l->c;
  const hd_conv_call *call = c->call;
  int64_t size = (int64_t)c->p.size, lanes = c->p.kernels->vector_bytes / size;
  int64_t threads = call->env && call->env->for_range ? call->env->threads : 1;
  int64_t pair = ceil_div(2 * lanes, c->features) * c->features;
  l->columns = call->output_features;
  l->strip = l->copies ? min64(pair, l->columns) : l->columns;
  int64_t fits = max64(HD_GEMM_LANES_ROWS, tile_bytes_wanted / (l->strip * size));
  l->block_width = min64(c->w[2].output, fits / HD_GEMM_LANES_ROWS * HD_GEMM_LANES_ROWS);
  l->unit_lines = 1;
  int64_t units = call->batch * c->lines * ceil_div(c->w[2].output, l->block_width);
  if (!l->copies && units < 4 * threads)
    l->strip = max64(2 * lanes, ceil_div(ceil_div(l->columns, ceil_div(4 * threads, units)), 2 * lanes) * 2 * lanes);
  l->strips = ceil_div(l->columns, l->strip);
  l->tile_row = ceil_div(l->strip, lanes) * lanes;
  if (l->copies) {
    while (l->block_width > least_width && copied_bytes(l, 1, l->block_width) > copy_bytes_wanted)
      l->block_width = (l->block_width + 1) / 2;
    while (l->unit_lines < c->w[1].output && units * l->strips / (2 * l->unit_lines) >= 4 * threads &&
           copied_bytes(l, 2 * l->unit_lines, l->block_width) <= copy_bytes_wanted)
      l->unit_lines *= 2;
    l->copy_bytes = (size_t)copied_bytes(l, l->unit_lines, l->block_width) + 256;
  }
  l->blocks = ceil_div(c->w[2].output, l->block_width);
  l->plane_units = ceil_div(c->w[1].output, l->unit_lines);
  l->tile_bytes = (size_t)(l->block_width * l->tile_row * size + 127) / 64 * 64;
  l->direct = !c->p.epilogue && c->p.c_size == c->p.size && call->output_feature_step == 1;
}

hd_status hd_conv_by_lanes(hd_conv_problem *c) {
  const hd_conv_call *call = c->call;
  lanes_problem l = {.c = c};
  hd_gemm_block *kernel_copy = NULL, *zeros = NULL;
  prepare_input(&l);
  hd_status status = prepare_kernel(&l, &kernel_copy);
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
    double work = 4.0 * (double)(l.block_width * l.strip * l.unit_lines) * (double)c->p.k / HD_GEMM_FLOPS_PER_GRAIN;
    if (!atomic_load_explicit(&c->no_memory, memory_order_relaxed))
      hd_conv_in_parallel(c, call->batch * c->w[0].output * l.plane_units * l.blocks * l.strips, work, do_units, &l);
    if (atomic_load_explicit(&c->no_memory, memory_order_relaxed))
      status = hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory for %zu bytes of scratch",
                              2 * l.tile_bytes + l.copy_bytes);
  }
  hd_gemm_block_release(c->context, kernel_copy);
  hd_gemm_block_release(c->context, zeros);
  return status;
}
