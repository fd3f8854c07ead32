/* SPDX-License-Identifier: Apache-2.0 */
/* A convolution as a sum of products that read the input where it is. The kernel is a matrix B of k = (position,
 * feature) rows; the rows of A for neighbouring outputs of one line are a fixed step apart in the input. So a tile of
 * outputs x features is
 *
 *   zero;  for kernel lines (d, h):  for pieces of the line's (w, feature) range:  for output lines:  tile += A * B
 *
 * where the outputs at the border, that see a part of the kernel line, run over their part of k, those of several lines
 * together, and kernel lines outside of the input are left out. Nothing is padded, unless weights are infinite or NaN:
 * padding is zeros, and those times such a weight are NaN.
 *
 * Features of the input must be contiguous and of the compute type; an input that is not, or that is dilated, is copied
 * first. The kernel becomes panels (kept when it is bound), or is read in place with 64-byte vectors. */
#include "runtime/libraries/conv.h"

#include <string.h>

#include "runtime/libraries/conv_problem.h"

enum { block_outputs = 64, longest_block = 128, strip_columns = 96 };

static int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

void hd_conv_seen(const hd_conv_window *w, int64_t o, int64_t *out_from, int64_t *out_to) {
  int64_t first = o * w->stride - w->pad_low;
  *out_from = max64(0, ceil_div(-first, w->kernel_dilation));
  *out_to = min64(w->kernel, floor_div(w->input - 1 - first, w->kernel_dilation) + 1);
}

void hd_conv_seeing(const hd_conv_window *w, int64_t a, int64_t b, int64_t from, int64_t to, int64_t *out_from,
                    int64_t *out_to) {
  *out_from = max64(from, ceil_div(w->pad_low - a * w->kernel_dilation, w->stride));
  *out_to = min64(to, floor_div(w->input - 1 + w->pad_low - b * w->kernel_dilation, w->stride) + 1);
  if (*out_to < *out_from) *out_to = *out_from;
}

/* ---- a block of outputs
 * ------------------------------------------------------------------------------------------------------ */

typedef struct block {
  const hd_conv_problem *c;
  const char *x; /* of the group and batch element */
  int64_t group, line0, line1, x0, x1, p0, p1, n0;
  char *tile;
} block;

/* |count| tile rows from |row| on, |row_step| apart, += the outputs from |a|, |a_row| apart, times k [k0, k1) of B. */
static void accumulate(const block *b, int64_t row, int64_t row_step, int64_t count, const char *a, int64_t a_row,
                       int64_t k0, int64_t k1) {
  const hd_conv_problem *c = b->c;
  const hd_gemm_problem *p = &c->p;
  const hd_gemm_panels *panels = &c->panels;
  bool has_last = b->p1 == panels->count && panels->last_vectors != panels->vectors;
  for (int part = 0; part < 2; ++part) {
    int64_t first = part ? b->p1 - 1 : b->p0, panel_count = part ? (int64_t)has_last : b->p1 - b->p0 - has_last;
    if (!panel_count) continue;
    int64_t vectors = hd_gemm_panel_vectors(panels, first), width = vectors * panels->lanes,
            column = first * panels->width;
    hd_gemm_panel_run run = {.family = c->exact ? &p->pairs->exact : panels->family,
                             .vectors = vectors,
                             .count = panel_count,
                             .c_row = row_step * c->tile_row};
    if (c->packed.data) {
      size_t size = c->packed.element_size;
      run.b = c->packed.data + (size_t)b->group * c->packed.step_bytes + (size_t)(column * p->k + k0 * width) * size;
      run.b_k = width;
      run.b_step = panels->width * p->k * (int64_t)size;
      run.prefetch = HD_GEMM_PREFETCH_PANEL * width;
    } else {
      run.b = p->b + (b->group * c->features + k0 * p->b_k + column) * (int64_t)p->b_size;
      run.b_k = p->b_k;
      run.b_step = panels->width * (int64_t)p->b_size;
      run.prefetch = HD_GEMM_PREFETCH_IN_PLACE * p->b_k;
    }
    run.c = b->tile + (size_t)(row * c->tile_row + column - b->n0) * p->size;
    hd_gemm_tile_block(p, &run, a, a_row, 1, count, k1 - k0, true);
  }
}

/* Kernel line at |k_line| (its first row of B) over the input lines from |x|, |x_step| apart, for the |lines| output
 * lines from |line| on: its piece [k0, k1). Outputs that see all of a merged kernel line run along the line, those at
 * the border across the lines. */
static void line_piece(const block *b, int64_t line, int64_t lines, const char *x, int64_t x_step, int64_t k_line,
                       int64_t k0, int64_t k1) {
  const hd_conv_problem *c = b->c;
  const hd_conv_window *w = &c->w[2];
  int64_t features = c->depth, size = (int64_t)c->p.size, width = b->x1 - b->x0,
          row0 = (line - b->line0) * width - b->x0;
  int64_t a_row = w->stride * w->input_step, from, to;
  /* A piece that is not merged is in one kernel position. */
  int64_t at = c->merged ? 0 : k0 / features, last = c->merged ? w->kernel - 1 : at;
  hd_conv_seeing(w, at, last, b->x0, b->x1, &from, &to);
  int64_t a = ((from * w->stride - w->pad_low + at * w->kernel_dilation) * w->input_step + k0 - at * features) * size;
  for (int64_t i = 0; i < lines && from < to; ++i)
    accumulate(b, row0 + i * width + from, 1, to - from, x + a + i * x_step * size, a_row, k_line + k0, k_line + k1);
  if (!c->merged) return;
  if (from >= to) from = to = b->x1; /* no output sees all of the kernel line */
  for (int64_t o = b->x0; o < b->x1; ++o) {
    if (o == from) o = to;
    if (o >= b->x1) break;
    int64_t first, end;
    hd_conv_seen(w, o, &first, &end);
    first = max64(first * features, k0), end = min64(end * features, k1);
    if (first < end)
      accumulate(b, row0 + o, width, lines, x + ((o * w->stride - w->pad_low) * w->input_step + first) * size, x_step,
                 k_line + first, k_line + end);
  }
}

static void block_sums(const block *b) {
  const hd_conv_problem *c = b->c;
  const hd_conv_window *w = c->w;
  int64_t k_line_length = w[2].kernel * c->depth, size = (int64_t)c->p.size;
  int64_t unit = c->merged ? k_line_length : c->depth;
  for (int64_t kd = 0; kd < w[0].kernel; ++kd) {
    for (int64_t kh = 0; kh < w[1].kernel; ++kh) {
      int64_t k_line = (kd * w[1].kernel + kh) * k_line_length;
      for (int64_t start = 0; start < k_line_length; start += unit) {
        for (int64_t k0 = start; k0 < start + unit; k0 += c->piece) {
          int64_t k1 = min64(k0 + c->piece, start + unit);
          for (int64_t line = b->line0; line < b->line1;) {
            /* The lines of one d that see this kernel line inside the input. */
            int64_t plane = line / w[1].output, h0 = line - plane * w[1].output,
                    h1 = min64(b->line1 - plane * w[1].output, w[1].output);
            int64_t d = plane * w[0].stride - w[0].pad_low + kd * w[0].kernel_dilation, from, to;
            line += h1 - h0;
            if (d < 0 || d >= w[0].input) continue;
            hd_conv_seeing(&w[1], kh, kh, h0, h1, &from, &to);
            if (from >= to) continue;
            int64_t h = from * w[1].stride - w[1].pad_low + kh * w[1].kernel_dilation;
            line_piece(b, plane * w[1].output + from, to - from,
                       b->x + (d * w[0].input_step + h * w[1].input_step) * size, w[1].stride * w[1].input_step, k_line,
                       k0, k1);
          }
        }
      }
    }
  }
}

/* ---- padding that meets infinite weights ---- */

enum { UNKNOWN, FINITE, NOT_FINITE };

bool hd_conv_has_padding(const hd_conv_problem *c) {
  const hd_conv_window *w = c->w;
  for (int i = 0; i < 3; ++i) {
    int64_t last = (w[i].output - 1) * w[i].stride - w[i].pad_low + (w[i].kernel - 1) * w[i].kernel_dilation;
    if (w[i].pad_low > 0 || last >= w[i].input) return true;
  }
  return false;
}

/* Tile row |row| += zeros times k [k0, k1) of B. */
static void accumulate_zeros(const block *b, const char *zeros, int64_t row, int64_t k0, int64_t k1) {
  for (; k0 < k1; k0 += b->c->piece) accumulate(b, row, 1, 1, zeros, 0, k0, min64(k0 + b->c->piece, k1));
}

/* Are all weights of the block's strip finite? Its first row of sums is used, and cleared. */
static bool weights_are_finite(const block *b, const char *zeros, atomic_uchar *met) {
  unsigned char known = atomic_load_explicit(met, memory_order_relaxed);
  if (known != UNKNOWN) return known == FINITE;
  size_t bytes = (size_t)b->c->tile_row * b->c->p.size;
  accumulate_zeros(b, zeros, 0, 0, b->c->p.k);
  known = FINITE;
  for (size_t i = 0; i < bytes; ++i)
    if (b->tile[i]) known = NOT_FINITE;
  memset(b->tile, 0, bytes);
  atomic_store_explicit(met, known, memory_order_relaxed);
  return known == FINITE;
}

bool hd_conv_sees(const hd_conv_window *w, int64_t output, int64_t position) {
  int64_t at = output * w->stride - w->pad_low + position * w->kernel_dilation;
  return at >= 0 && at < w->input;
}

/* Every output of the block takes in the kernel positions that it sees outside of the input. */
static void padding_sums(const block *b, const char *zeros) {
  const hd_conv_window *w = b->c->w;
  int64_t features = b->c->depth, row = 0;
  for (int64_t line = b->line0; line < b->line1; ++line)
    for (int64_t x = b->x0; x < b->x1; ++x, ++row) {
      int64_t k = 0;
      for (int64_t kd = 0; kd < w[0].kernel; ++kd)
        for (int64_t kh = 0; kh < w[1].kernel; ++kh)
          for (int64_t kx = 0; kx < w[2].kernel; ++kx, k += features)
            if (!hd_conv_sees(&w[0], line / w[1].output, kd) || !hd_conv_sees(&w[1], line % w[1].output, kh) ||
                !hd_conv_sees(&w[2], x, kx))
              accumulate_zeros(b, zeros, row, k, k + features);
    }
}

/* |width| positions of a line from |tile|, rows |tile_row| apart, to |out|. */
static void finish_line(const hd_conv_problem *c, int64_t width, int64_t columns, const char *tile, int64_t tile_row,
                        char *out, char *store) {
  enum { least_rows = 4 };
  const hd_gemm_problem *p = &c->p;
  int64_t step = c->w[2].output_step, feature_step = c->call->output_feature_step, size = (int64_t)p->size;
  hd_kernel_fn to_output = p->kernels->store[p->compute][p->c_type];
  hd_gemm_copy args = {.a = tile, .a_row = tile_row, .d = out, .d_row = step, .rows = width};
  if (feature_step == 1 || columns == 1) {
    to_output((const uint64_t *)(const void *)&args, 0, columns);
    return;
  }
  static const hd_element_type of_compute[] = {HD_ELEMENT_F32, HD_ELEMENT_F64, HD_ELEMENT_I32, HD_ELEMENT_I64};
  hd_kernel_fn transpose = p->kernels->transpose[of_compute[p->compute]][p->compute];
  if (step != 1 || !transpose || width < least_rows) {
    args.d = store, args.d_row = columns;
    to_output((const uint64_t *)(const void *)&args, 0, columns);
    hd_gemm_scatter(store, width, columns, p->c_size, out, step, feature_step);
    return;
  }
  /* Lines of the output are columns of sums: squares are transposed, to the output where they are whole and of its
   * type. A transpose writes whole vectors, the rest of which its next row writes over. */
  int64_t lanes = p->kernels->vector_bytes / size;
  for (int64_t x = 0, rows; x < width; x += rows) {
    rows = min64(lanes, width - x);
    bool direct = rows == lanes && p->c_size == p->size;
    hd_gemm_copy turn = {.a = tile + x * tile_row * size,
                         .a_row = tile_row,
                         .d = direct ? out + x * size : store,
                         .d_row = direct ? feature_step : rows,
                         .rows = rows};
    transpose((const uint64_t *)(const void *)&turn, 0, columns);
    if (direct) continue;
    hd_gemm_copy rest = {
        .a = store, .a_row = rows, .d = out + x * (int64_t)p->c_size, .d_row = feature_step, .rows = columns};
    to_output((const uint64_t *)(const void *)&rest, 0, rows);
  }
}

void hd_conv_finish(const hd_conv_problem *c, int64_t batch, int64_t line, int64_t lines, int64_t x0, int64_t x1,
                    int64_t n0, int64_t columns, char *tile, int64_t tile_row, char *store) {
  const hd_conv_call *call = c->call;
  const hd_gemm_problem *p = &c->p;
  int64_t width = x1 - x0;
  if (p->epilogue) {
    int64_t m = (batch * c->lines + line) * c->w[2].output + x0;
    hd_gemm_apply_epilogue(p, 0, m, m + lines * width, n0, n0 + columns, tile, tile_row);
    return;
  }
  const hd_conv_window *w = c->w;
  /* Whole lines that follow each other in memory are one. */
  bool follow = w[1].output_step == w[2].output * w[2].output_step &&
                (w[0].output == 1 || w[0].output_step == w[1].output * w[1].output_step);
  int64_t together = follow && width == w[2].output ? lines : 1;
  for (int64_t i = 0; i < lines; i += together) {
    int64_t at = batch * call->output_batch_step + (line + i) / w[1].output * w[0].output_step +
                 (line + i) % w[1].output * w[1].output_step + x0 * w[2].output_step + n0 * call->output_feature_step;
    finish_line(c, width * together, columns, tile + (size_t)(i * width * tile_row) * p->size, tile_row,
                (char *)call->output + at * (int64_t)p->c_size, store);
  }
}

/* The sums of a block to where they belong. */
static void block_finish(const block *b, int64_t batch, char *store) {
  const hd_conv_problem *c = b->c;
  int64_t columns = min64(b->p1 * c->panels.width, c->features) - b->n0;
  if (b->p1 == c->panels.count) columns = c->features - b->n0;
  hd_conv_finish(c, batch, b->line0, b->line1 - b->line0, b->x0, b->x1, b->group * c->features + b->n0, columns,
                 b->tile, c->tile_row, store);
}

static void do_range(void *argument, int64_t begin, int64_t end) {
  hd_conv_problem *c = argument;
  hd_gemm_block *scratch = hd_gemm_block_acquire(c->context, c->scratch_bytes);
  if (!scratch) {
    atomic_store_explicit(&c->no_memory, true, memory_order_relaxed);
    return;
  }
  if (c->met) memset(scratch->data + 2 * c->tile_bytes + 256, 0, (size_t)c->piece * c->p.size);
  for (int64_t unit = begin; unit < end; ++unit) {
    /* Blocks of one strip follow each other: the strip stays in L2. */
    int64_t rest = unit, of_width = rest % c->blocks_of_width,
            of_lines = (rest /= c->blocks_of_width) % c->blocks_of_lines;
    int64_t batch = (rest /= c->blocks_of_lines) % c->call->batch, strip = (rest /= c->call->batch) % c->strips;
    int64_t group = rest / c->strips;
    block b = {.c = c, .group = group, .tile = scratch->data};
    b.x = c->x + (batch * c->x_batch + group * c->x_group) * (int64_t)c->p.size;
    b.line0 = of_lines * c->block_lines, b.line1 = min64(b.line0 + c->block_lines, c->lines);
    b.x0 = of_width * c->block_width, b.x1 = min64(b.x0 + c->block_width, c->w[2].output);
    b.p0 = strip * c->strip_panels, b.p1 = min64(b.p0 + c->strip_panels, c->panels.count);
    b.n0 = b.p0 * c->panels.width;
    memset(b.tile, 0, (size_t)((b.line1 - b.line0) * (b.x1 - b.x0) * c->tile_row) * c->p.size);
    char *zeros = scratch->data + 2 * c->tile_bytes + 256;
    if (c->met && !weights_are_finite(&b, zeros, &c->met[group * c->strips + strip])) padding_sums(&b, zeros);
    if (!c->sums_nothing) block_sums(&b);
    block_finish(&b, batch, scratch->data + c->tile_bytes);
  }
  hd_gemm_block_release(c->context, scratch);
}

/* Items of several grains each, which the pool counts one by one. */
typedef struct heavy_items {
  hd_range_fn body;
  void *argument;
  int64_t grains; /* of an item, the first of which does it */
} heavy_items;

static void do_heavy_items(void *argument, int64_t begin, int64_t end) {
  const heavy_items *h = argument;
  begin = ceil_div(begin, h->grains), end = ceil_div(end, h->grains);
  if (begin < end) h->body(h->argument, begin, end);
}

void hd_conv_in_parallel(const hd_conv_problem *c, int64_t items, double work_each, hd_range_fn body, void *argument) {
  const hd_gemm_env *env = c->call->env;
  if (!env || !env->for_range || env->threads <= 1) {
    body(argument, 0, items);
    return;
  }
  double most = (double)INT64_MAX / 2 / (double)max64(items, 1);
  heavy_items heavy = {body, argument, (int64_t)(work_each < most ? work_each : most)};
  if (heavy.grains > 1)
    env->for_range(env->user, items * heavy.grains, 1, do_heavy_items, &heavy);
  else
    env->for_range(env->user, items, work_each >= 1 ? 1 : (int64_t)(1 / (work_each > 1e-6 ? work_each : 1e-6)), body,
                   argument);
}

/* 1 x 1 without stride and padding is a matrix product. */
static bool as_product(hd_gemm_context *context, const hd_conv_call *call, hd_status *out_status) {
  hd_gemm_call product = {.a_type = call->input_type,
                          .b_type = call->kernel_type,
                          .c_type = call->output_type,
                          .a = call->input,
                          .b = call->kernel,
                          .c = call->output,
                          .epilogue = call->epilogue,
                          .epilogue_words = call->epilogue_words,
                          .epilogue_word_count = call->epilogue_word_count,
                          .env = call->env};
  if (call->feature_groups != 1 || call->batch_groups != 1) return false;
  product.dims[product.dim_count++] =
      (hd_gemm_dim){HD_GEMM_M, call->batch, call->input_batch_step, 0, call->output_batch_step};
  for (int32_t i = 0; i < call->spatial; ++i) {
    const hd_conv_window *w = &call->window[i];
    if (w->kernel != 1 || w->stride != 1 || w->pad_low != 0 || w->input_dilation != 1 || w->output != w->input)
      return false;
    product.dims[product.dim_count++] = (hd_gemm_dim){HD_GEMM_M, w->output, w->input_step, 0, w->output_step};
  }
  product.dims[product.dim_count++] =
      (hd_gemm_dim){HD_GEMM_N, call->output_features, 0, call->kernel_output_step, call->output_feature_step};
  product.dims[product.dim_count++] =
      (hd_gemm_dim){HD_GEMM_K, call->input_features, call->input_feature_step, call->kernel_input_step, 0};
  *out_status = hd_gemm(context, &product);
  return true;
}

static hd_status check(const hd_conv_call *call) {
  if (call->spatial < 0 || call->spatial > HD_CONV_MAX_SPATIAL)
    return hd_make_status(HD_UNIMPLEMENTED, "convolution: expected at most 3 spatial dims, got %d", call->spatial);
  int64_t groups = call->feature_groups * call->batch_groups;
  if (call->feature_groups < 1 || call->batch_groups < 1 || call->output_features % groups || call->batch < 0 ||
      call->input_features < 0 || call->output_features < 0)
    return hd_make_status(HD_INVALID_ARGUMENT, "convolution: %lld output features in %lld groups",
                          (long long)call->output_features, (long long)groups);
  for (int32_t i = 0; i < call->spatial; ++i) {
    const hd_conv_window *w = &call->window[i];
    if (w->input < 0 || w->output < 0 || w->kernel < 0 || w->stride < 1 || w->input_dilation < 1 ||
        w->kernel_dilation < 1)
      return hd_make_status(HD_INVALID_ARGUMENT,
                            "convolution: spatial dim %d has a negative size or a stride or dilation below 1", i);
  }
  return NULL;
}

hd_status hd_conv(hd_gemm_context *context, const hd_conv_call *call) {
  HD_TRY(check(call));
  hd_status status = NULL;
  if (as_product(context, call, &status)) return status;
  hd_conv_problem c = {.context = context, .call = call, .groups = call->feature_groups * call->batch_groups};
  c.features = call->output_features / c.groups;
  for (int i = 0; i < 3; ++i) {
    int from = i - (3 - call->spatial);
    c.w[i] = from >= 0
                 ? call->window[from]
                 : (hd_conv_window){
                       .input = 1, .output = 1, .kernel = 1, .stride = 1, .input_dilation = 1, .kernel_dilation = 1};
  }
  /* A product without dims says what the types come to. */
  hd_gemm_call types = {.a_type = call->input_type,
                        .b_type = call->kernel_type,
                        .c_type = call->output_type,
                        .epilogue = call->epilogue,
                        .epilogue_words = call->epilogue_words,
                        .epilogue_word_count = call->epilogue_word_count};
  hd_gemm_block *unused_a, *unused_b;
  HD_TRY(hd_gemm_problem_make(context, &types, &c.p, &unused_a, &unused_b));
  c.lines = c.w[0].output * c.w[1].output;
  if (call->batch == 0 || c.features == 0 || c.lines == 0 || c.w[2].output == 0) return NULL;
  c.p.k = c.w[0].kernel * c.w[1].kernel * c.w[2].kernel * call->input_features;
  c.p.n = c.features;
  c.p.loops[0] = (hd_gemm_loop){.size = c.groups, .b = c.features};
  c.p.loop_count = c.groups > 1;
  c.p.loop_total = c.groups;

  bool dilated = false;
  for (int i = 0; i < 3; ++i) dilated |= c.w[i].input_dilation > 1;
  if (dilated && hd_conv_kernel_is_finite(&c)) return hd_conv_by_phases(&c);
  if (hd_conv_is_positions(&c) && (!hd_conv_has_padding(&c) || hd_conv_kernel_is_finite(&c)))
    return hd_conv_by_positions(&c);
  if (hd_conv_is_planes(&c) && (!hd_conv_has_padding(&c) || hd_conv_kernel_is_finite(&c))) return hd_conv_by_planes(&c);
  if (hd_conv_is_taps(&c)) return hd_conv_by_taps(&c);
  if (hd_conv_is_rows(&c) && (!hd_conv_has_padding(&c) || hd_conv_kernel_is_finite(&c))) return hd_conv_by_rows(&c);
  if (hd_conv_is_lanes(&c)) return hd_conv_by_lanes(&c);
  c.x = call->input;
  c.sums_nothing = !c.p.k;
  for (int i = 0; i < 3; ++i) c.sums_nothing |= !c.w[i].input;
  c.x_batch = call->input_batch_step;
  c.x_group = call->feature_groups > 1 ? call->input_features : call->batch * call->input_batch_step;
  hd_gemm_block *x_copy = NULL, *kernel_block = NULL, *panel_block = NULL, *met_block = NULL;
  c.pairs = hd_conv_is_pairs(&c);
  if (!c.pairs) c.p.pairs = NULL; /* bound weights are packed as elements then */
  c.depth = c.pairs ? hd_gemm_words(call->input_features) : call->input_features;
  bool copies = dilated || c.p.a_size != c.p.size ||
                (call->input_feature_step != 1 && call->input_features * call->feature_groups != 1);
  if (c.pairs) {
    status = hd_conv_prepare_pairs(&c, &x_copy, &panel_block);
    c.x_group = call->feature_groups > 1 ? c.depth : call->batch * c.x_batch;
  } else if (copies) {
    hd_conv_form form = {.images = call->batch * call->batch_groups,
                         .lanes = call->input_features * call->feature_groups,
                         .lane_step = call->input_feature_step,
                         .planes = 1};
    int64_t pitch;
    status = hd_conv_copy_input(&c, &form, &x_copy, &pitch, NULL);
    c.x_group = call->feature_groups > 1 ? call->input_features : call->batch * c.x_batch;
  }
  if (hd_is_ok(status) && !c.pairs) status = hd_conv_prepare_kernel(&c, &kernel_block, &panel_block);
  if (hd_is_ok(status)) {
    int64_t size = (int64_t)c.p.size;
    c.merged = c.w[2].input_step * c.w[2].kernel_dilation == c.depth;
    c.piece = max64(context->caches.l1d * 3 / 4 / (c.p.kernels->rows * size), 128);
    c.block_width = c.w[2].output <= longest_block ? c.w[2].output : block_outputs;
    c.blocks_of_width = ceil_div(c.w[2].output, c.block_width);
    c.block_lines = c.blocks_of_width > 1 ? 1 : min64(c.lines, max64(1, block_outputs / c.block_width));
    c.blocks_of_lines = ceil_div(c.lines, c.block_lines);
    int64_t blocks = c.blocks_of_width * c.blocks_of_lines * call->batch * c.groups;
    c.strip_panels = max64(1, strip_columns / c.panels.width);
    int64_t threads = call->env && call->env->for_range ? call->env->threads : 1;
    if (blocks * ceil_div(c.panels.count, c.strip_panels) < 4 * threads) c.strip_panels = 1;
    c.strips = ceil_div(c.panels.count, c.strip_panels);
    c.tile_row =
        ((c.strip_panels - 1) * c.panels.width + max64(c.panels.vectors, c.panels.last_vectors) * c.panels.lanes);
    c.tile_bytes = (size_t)(c.block_lines * c.block_width * c.tile_row) * c.p.size;
    c.scratch_bytes = 2 * c.tile_bytes + 256;
    bool pads = (c.p.compute == HD_GEMM_F32 || c.p.compute == HD_GEMM_F64) && c.p.k && hd_conv_has_padding(&c);
    if (pads) {
      c.scratch_bytes += (size_t)c.piece * c.p.size + 64;
      met_block = hd_gemm_block_acquire(context, (size_t)(c.groups * c.strips));
      if (met_block) memset(met_block->data, UNKNOWN, (size_t)(c.groups * c.strips));
      if (met_block) c.met = (atomic_uchar *)(void *)met_block->data;
    }
    c.units = blocks * c.strips;
    double work = 2.0 * (double)(c.block_lines * c.block_width) * (double)min64(c.tile_row, c.features) *
                  (double)c.p.k / HD_GEMM_FLOPS_PER_GRAIN;
    bool no_memory = pads && !met_block;
    if (!no_memory) hd_conv_in_parallel(&c, c.units, work, do_range, &c);
    if (no_memory || atomic_load_explicit(&c.no_memory, memory_order_relaxed))
      status =
          hd_make_status(HD_RESOURCE_EXHAUSTED, "convolution: no memory for %zu bytes of scratch", c.scratch_bytes);
  }
  hd_gemm_block_release(context, x_copy);
  hd_gemm_block_release(context, kernel_block);
  hd_gemm_block_release(context, panel_block);
  hd_gemm_block_release(context, met_block);
  return status;
}
