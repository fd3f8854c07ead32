/* SPDX-License-Identifier: Apache-2.0 */
/* Emits the kernels of gemm_abi.h. Addresses are one linear index per access into a flat memref, kept in loop-carried
 * offsets; accumulators are vectors carried by the loop, so that they stay in registers.
 *
 *   tile:       acc = C or 0;  for k: { b_j = load B[k, j]; for i: x = broadcast A[i, k]; acc_ij += x * b_j };  C = acc
 *   packing:    the same, and each b_j is stored
 *   rows:       a_ip = broadcast A[i, p];  for j by vectors: { c_i = C or 0; for p: c_i += a_ip * B[p, j];  C = c_i }
 *   dot:        for k by vectors: acc_ij += A[i, k] * B[j, k];  lanes added in pairs
 *   lanes:      for j by vectors: { acc_i = C or 0;  for l, k: acc_i += A[i, l, k, j] * B[l, k, j];  C = acc }
 *   window:     the same where row i of A is line i and line l + 1 of row i is line l of row i + 1: for k, l, each
 *               line is loaded once, for all rows
 *   copy/store: for r, for j by vectors: D = convert(A), the last vector under a mask
 *   transpose:  for k by vectors: a square of lanes x lanes, transposed in registers by log2(lanes) rounds of shuffles
 *   pairs:      a tile whose k are taken two at a time, from words of two bf16, by one instruction or exactly;
 *               interleave and turn make such words
 */
#include "codegen/library/gemm_kernels.h"

#include <string.h>

#include "codegen/library/kernel_emitter.h"
#include "runtime/libraries/gemm_abi.h"

enum { max_values = 64 };

/* ---- tile ---- */

/* Arguments of tile and rows kernels, in the order of struct hd_gemm_tile. */
enum {
  tile_a,
  tile_a_row,
  tile_a_k,
  tile_b,
  tile_b_k,
  tile_c,
  tile_c_row,
  tile_accumulate,
  tile_prefetch,
  tile_packed,
  tile_begin,
  tile_end
};

/* |a| and |b|: what memory holds of A and B. */
static hd_value **open_tile(hd_kernel_emitter *e, const char *name, hd_kernel_element a, hd_kernel_element b,
                            hd_kernel_element t) {
  hd_type types[] = {hd_kernel_memref_type(a.type),
                     e->index,
                     e->index,
                     hd_kernel_memref_type(b.type),
                     e->index,
                     hd_kernel_memref_type(t.type),
                     e->index,
                     e->index,
                     e->index,
                     hd_kernel_memref_type(t.type)};
  return hd_kernel_open(e, name, types, 10, tile_c)->args;
}

/* How a step of k multiplies and adds. */
typedef enum tile_step { STEP_OF_ONE, STEP_OF_PAIRS, STEP_OF_EXACT_PAIRS } tile_step;

static hd_value *as_lanes_of(hd_kernel_emitter *e, hd_value *x, hd_type element, int64_t lanes) {
  return hd_build(&e->b, HD_OP_vector_bitcast, hd_type_vector(element, &lanes, 1, NULL), x);
}

/* The bf16 in the high or low half of each word of |x|, as f32. */
static hd_value *half_of(hd_kernel_emitter *e, hd_kernel_element t, hd_value *x, bool high) {
  hd_value *bits = high ? hd_build(&e->b, HD_OP_arith_andi, x->type, x, hd_build_int(&e->b, x->type, -65536))
                        : hd_build(&e->b, HD_OP_arith_shli, x->type, x, hd_build_int(&e->b, x->type, 16));
  return as_lanes_of(e, bits, t.type, x->type->shaped.dims[0]);
}

static hd_value *pairs_multiply_add(hd_kernel_emitter *e, hd_kernel_element t, tile_step step, hd_value *x, hd_value *y,
                                    hd_value *sum) {
  if (step == STEP_OF_EXACT_PAIRS) {
    sum = hd_kernel_multiply_add(e, t, half_of(e, t, x, true), half_of(e, t, y, true), sum);
    return hd_kernel_multiply_add(e, t, half_of(e, t, x, false), half_of(e, t, y, false), sum);
  }
  hd_type bf16 = hd_type_float(e->b.context, HD_BF16);
  int64_t lanes = 2 * x->type->shaped.dims[0];
  return hd_build(&e->b, HD_OP_x86vector_avx512_dot, sum->type, sum, as_lanes_of(e, x, bf16, lanes),
                  as_lanes_of(e, y, bf16, lanes));
}

/* Of pairs |s| is their word, which A holds too. */
static void emit_tile(hd_kernel_emitter *e, const char *name, hd_kernel_element t, hd_kernel_element s, int64_t rows,
                      int64_t vectors, tile_step step, bool packs) {
  hd_kernel_element held = step == STEP_OF_ONE ? t : s;
  hd_value **args = open_tile(e, name, held, s, t);
  int64_t lanes = e->vector_bytes / t.bytes, count = rows * vectors;
  hd_value *a_row[HD_GEMM_MAX_ROWS], *c_row[HD_GEMM_MAX_ROWS], *carried[max_values];
  hd_value *from_c = hd_kernel_splat(e, hd_kernel_not_zero(e, args[tile_accumulate]), lanes);
  for (int64_t i = 0; i < rows; ++i) {
    a_row[i] = hd_kernel_times(e, args[tile_a_row], i);
    c_row[i] = hd_kernel_times(e, args[tile_c_row], i);
    for (int64_t j = 0; j < vectors; ++j)
      carried[i * vectors + j] =
          hd_kernel_masked_load(e, t, lanes, args[tile_c], hd_kernel_add_constant(e, c_row[i], j * lanes), from_c);
  }
  carried[count] = hd_kernel_index(e, 0);     /* offset of A */
  carried[count + 1] = hd_kernel_index(e, 0); /* of B */
  hd_value *k, *b[HD_GEMM_MAX_VECTORS];
  hd_op *loop = hd_kernel_open_for(e, args[tile_begin], args[tile_end], 1, carried, (size_t)count + 2, &k);
  hd_value *a_at = carried[count], *b_at = carried[count + 1], *ahead = hd_kernel_add(e, b_at, args[tile_prefetch]);
  for (int64_t j = 0; j < vectors; ++j) {
    /* One prefetch per cache line of 64 bytes. */
    if (j * lanes * s.bytes % 64 == 0)
      hd_build_prefetch(&e->b, args[tile_b], hd_kernel_add_constant(e, ahead, j * lanes));
    b[j] = hd_kernel_load(e, s, lanes, args[tile_b], hd_kernel_add_constant(e, b_at, j * lanes));
    if (step == STEP_OF_ONE) b[j] = hd_kernel_convert(e, s, t, b[j]);
    if (packs)
      hd_kernel_store(e, b[j], args[tile_packed],
                      hd_kernel_add_constant(e, hd_kernel_times(e, k, vectors * lanes), j * lanes));
  }
  for (int64_t i = 0; i < rows; ++i) {
    hd_value *x = hd_kernel_splat(
        e, hd_kernel_scalar_load(e, held, args[tile_a], i ? hd_kernel_add(e, a_at, a_row[i]) : a_at), lanes);
    for (int64_t j = 0; j < vectors; ++j) {
      hd_value *sum = carried[i * vectors + j];
      carried[i * vectors + j] = step == STEP_OF_ONE ? hd_kernel_multiply_add(e, t, x, b[j], sum)
                                                     : pairs_multiply_add(e, t, step, x, b[j], sum);
    }
  }
  carried[count] = hd_kernel_add(e, a_at, args[tile_a_k]);
  carried[count + 1] = hd_kernel_add(e, b_at, args[tile_b_k]);
  hd_kernel_close_for(e, loop, carried, (size_t)count + 2);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < vectors; ++j)
      hd_kernel_store(e, carried[i * vectors + j], args[tile_c], hd_kernel_add_constant(e, c_row[i], j * lanes));
  hd_kernel_close(e);
}

/* ---- rows ---- */

typedef struct rows_state {
  hd_kernel_element t, s;
  int64_t rows, depth, lanes;
  hd_value **args, *from_c;
  hd_value *a[HD_GEMM_SMALL_ROWS][8], *b_row[8], *c_row[HD_GEMM_SMALL_ROWS];
} rows_state;

/* One vector of columns at |j|, under |mask| unless it is null. */
static void rows_step(hd_kernel_emitter *e, const rows_state *r, hd_value *j, hd_value *mask) {
  hd_value *c[HD_GEMM_SMALL_ROWS], *at[HD_GEMM_SMALL_ROWS];
  hd_value *c_mask = mask ? hd_build(&e->b, HD_OP_arith_andi, mask->type, mask, r->from_c) : r->from_c;
  for (int64_t i = 0; i < r->rows; ++i) {
    at[i] = i ? hd_kernel_add(e, j, r->c_row[i]) : j;
    c[i] = hd_kernel_masked_load(e, r->t, r->lanes, r->args[tile_c], at[i], c_mask);
  }
  for (int64_t p = 0; p < r->depth; ++p) {
    hd_value *b_at = p ? hd_kernel_add(e, j, r->b_row[p]) : j;
    if (!mask) hd_build_prefetch(&e->b, r->args[tile_b], hd_kernel_add(e, b_at, r->args[tile_prefetch]));
    hd_value *b = mask ? hd_kernel_masked_load(e, r->s, r->lanes, r->args[tile_b], b_at, mask)
                       : hd_kernel_load(e, r->s, r->lanes, r->args[tile_b], b_at);
    b = hd_kernel_convert(e, r->s, r->t, b);
    for (int64_t i = 0; i < r->rows; ++i) c[i] = hd_kernel_multiply_add(e, r->t, r->a[i][p], b, c[i]);
  }
  for (int64_t i = 0; i < r->rows; ++i) {
    if (mask)
      hd_kernel_masked_store(e, c[i], r->args[tile_c], at[i], mask);
    else
      hd_kernel_store(e, c[i], r->args[tile_c], at[i]);
  }
}

static void emit_rows(hd_kernel_emitter *e, const char *name, hd_kernel_element t, hd_kernel_element s, int64_t rows,
                      int64_t depth) {
  rows_state r = {.t = t, .s = s, .rows = rows, .depth = depth, .lanes = e->vector_bytes / t.bytes};
  r.args = open_tile(e, name, t, s, t);
  r.from_c = hd_kernel_splat(e, hd_kernel_not_zero(e, r.args[tile_accumulate]), r.lanes);
  for (int64_t p = 0; p < depth; ++p) r.b_row[p] = hd_kernel_times(e, r.args[tile_b_k], p);
  for (int64_t i = 0; i < rows; ++i) {
    r.c_row[i] = hd_kernel_times(e, r.args[tile_c_row], i);
    for (int64_t p = 0; p < depth; ++p) {
      hd_value *at =
          hd_kernel_add(e, hd_kernel_times(e, r.args[tile_a_row], i), hd_kernel_times(e, r.args[tile_a_k], p));
      r.a[i][p] = hd_kernel_splat(e, hd_kernel_scalar_load(e, t, r.args[tile_a], at), r.lanes);
    }
  }
  hd_value *end = r.args[tile_end], *last = hd_kernel_whole(e, end, r.lanes), *j;
  hd_op *loop = hd_kernel_open_for(e, r.args[tile_begin], last, r.lanes, NULL, 0, &j);
  rows_step(e, &r, j, NULL);
  hd_kernel_close_for(e, loop, NULL, 0);
  hd_op *rest = hd_kernel_open_if(e, hd_kernel_below(e, last, end));
  rows_step(e, &r, last, hd_kernel_mask(e, hd_build(&e->b, HD_OP_arith_subi, e->index, end, last), r.lanes));
  hd_kernel_close_if(e, rest);
  hd_kernel_close(e);
}

/* ---- dot ---- */

enum { dot_a, dot_a_row, dot_b, dot_b_row, dot_c, dot_c_row, dot_accumulate, dot_begin, dot_end };

/* Sums of the lanes of |count| vectors, in order, in as few vectors as they need; each round halves the lanes of a sum
 * by adding even and odd lanes. |*out_count| vectors of |*out_lanes|. */
static void add_lanes(hd_kernel_emitter *e, hd_kernel_element t, hd_value **v, int64_t count, int64_t lanes,
                      int64_t *out_count, int64_t *out_lanes) {
  int64_t per_sum = lanes;
  while (per_sum > 1) {
    bool pairs = count > 1;
    int64_t total = pairs ? 2 * lanes : lanes, even[64], odd[64];
    for (int64_t i = 0; i < total / 2; ++i) even[i] = 2 * i, odd[i] = 2 * i + 1;
    for (int64_t i = 0; i < (pairs ? count / 2 : 1); ++i) {
      hd_value *x = v[pairs ? 2 * i : 0], *y = v[pairs ? 2 * i + 1 : 0];
      v[i] = hd_kernel_sum(e, t, hd_kernel_shuffle(e, x, y, even, (size_t)total / 2),
                           hd_kernel_shuffle(e, x, y, odd, (size_t)total / 2));
    }
    if (pairs)
      count /= 2;
    else
      lanes /= 2;
    per_sum /= 2;
  }
  *out_count = count;
  *out_lanes = lanes;
}

static void emit_dot(hd_kernel_emitter *e, const char *name, hd_kernel_element t, hd_kernel_element s, int64_t rows,
                     int64_t columns) {
  hd_type types[] = {hd_kernel_memref_type(t.type),
                     e->index,
                     hd_kernel_memref_type(s.type),
                     e->index,
                     hd_kernel_memref_type(t.type),
                     e->index,
                     e->index};
  hd_value **args = hd_kernel_open(e, name, types, 7, dot_c)->args;
  int64_t lanes = e->vector_bytes / t.bytes, count = rows * columns;
  hd_value *carried[max_values], *a_row[HD_GEMM_SMALL_ROWS], *b_row[HD_GEMM_DOT_COLUMNS];
  for (int64_t i = 0; i < rows; ++i) a_row[i] = hd_kernel_times(e, args[dot_a_row], i);
  for (int64_t j = 0; j < columns; ++j) b_row[j] = hd_kernel_times(e, args[dot_b_row], j);
  for (int64_t i = 0; i < count; ++i) carried[i] = hd_kernel_zero_vector(e, t, lanes);
  hd_value *end = args[dot_end], *last = hd_kernel_whole(e, end, lanes), *k;
  hd_op *loop = hd_kernel_open_for(e, args[dot_begin], last, lanes, carried, (size_t)count, &k);
  for (int64_t i = 0; i < rows; ++i) {
    hd_value *x = hd_kernel_load(e, t, lanes, args[dot_a], i ? hd_kernel_add(e, k, a_row[i]) : k);
    for (int64_t j = 0; j < columns; ++j) {
      hd_value *y =
          hd_kernel_convert(e, s, t, hd_kernel_load(e, s, lanes, args[dot_b], j ? hd_kernel_add(e, k, b_row[j]) : k));
      carried[i * columns + j] = hd_kernel_multiply_add(e, t, x, y, carried[i * columns + j]);
    }
  }
  hd_kernel_close_for(e, loop, carried, (size_t)count);
  /* The rest of k, masked; a loop of at most one round keeps the sums in registers. */
  loop = hd_kernel_open_for(e, last, end, lanes, carried, (size_t)count, &k);
  hd_value *mask = hd_kernel_mask(e, hd_build(&e->b, HD_OP_arith_subi, e->index, end, k), lanes);
  for (int64_t i = 0; i < rows; ++i) {
    hd_value *x = hd_kernel_masked_load(e, t, lanes, args[dot_a], i ? hd_kernel_add(e, k, a_row[i]) : k, mask);
    for (int64_t j = 0; j < columns; ++j) {
      hd_value *y = hd_kernel_convert(
          e, s, t, hd_kernel_masked_load(e, s, lanes, args[dot_b], j ? hd_kernel_add(e, k, b_row[j]) : k, mask));
      carried[i * columns + j] = hd_kernel_multiply_add(e, t, x, y, carried[i * columns + j]);
    }
  }
  hd_kernel_close_for(e, loop, carried, (size_t)count);
  for (int64_t i = 0; i < rows; ++i) {
    int64_t vectors, width;
    hd_value **sums = carried + i * columns;
    add_lanes(e, t, sums, columns, lanes, &vectors, &width);
    for (int64_t v = 0; v < vectors; ++v) {
      hd_value *at = hd_kernel_add_constant(e, hd_kernel_times(e, args[dot_c_row], i), v * width);
      hd_value *from_c = hd_kernel_splat(e, hd_kernel_not_zero(e, args[dot_accumulate]), width);
      hd_value *old = hd_kernel_masked_load(e, t, width, args[dot_c], at, from_c);
      hd_kernel_store(e, hd_kernel_sum(e, t, old, sums[v]), args[dot_c], at);
    }
  }
  hd_kernel_close(e);
}

/* ---- lanes ---- */

enum {
  lanes_a,
  lanes_a_row,
  lanes_a_line,
  lanes_a_k,
  lanes_b,
  lanes_b_line,
  lanes_b_k,
  lanes_c,
  lanes_c_row,
  lanes_lines,
  lanes_depth,
  lanes_accumulate,
  lanes_begin,
  lanes_end
};

typedef struct lanes_state {
  hd_kernel_element t;
  int64_t rows, lanes;
  hd_value **args, *zero, *a_row[HD_GEMM_LANES_ROWS], *c_row[HD_GEMM_LANES_ROWS];
} lanes_state;

/* |vectors| of columns at |j|, under |mask| unless it is null. */
static void lanes_step(hd_kernel_emitter *e, const lanes_state *s, int64_t vectors, hd_value *j, hd_value *mask) {
  int64_t count = s->rows * vectors;
  hd_value **args = s->args, *sums[max_values], *l, *k;
  hd_value *from_c = hd_kernel_splat(e, hd_kernel_not_zero(e, args[lanes_accumulate]), s->lanes);
  if (mask) from_c = hd_build(&e->b, HD_OP_arith_andi, mask->type, mask, from_c);
  for (int64_t i = 0; i < count; ++i) {
    hd_value *at = hd_kernel_add_constant(e, hd_kernel_add(e, j, s->c_row[i / vectors]), i % vectors * s->lanes);
    sums[i] = hd_kernel_masked_load(e, s->t, s->lanes, args[lanes_c], at, from_c);
  }
  sums[count] = j, sums[count + 1] = j; /* offsets of A and B */
  hd_op *outer = hd_kernel_open_for(e, s->zero, args[lanes_lines], 1, sums, (size_t)count + 2, &l);
  hd_value *a_line = sums[count], *b_line = sums[count + 1];
  hd_op *inner = hd_kernel_open_for(e, s->zero, args[lanes_depth], 1, sums, (size_t)count + 2, &k);
  for (int64_t v = 0; v < vectors; ++v) {
    hd_value *b_at = hd_kernel_add_constant(e, sums[count + 1], v * s->lanes);
    hd_value *b = mask ? hd_kernel_masked_load(e, s->t, s->lanes, args[lanes_b], b_at, mask)
                       : hd_kernel_load(e, s->t, s->lanes, args[lanes_b], b_at);
    for (int64_t i = 0; i < s->rows; ++i) {
      hd_value *a_at = hd_kernel_add_constant(e, hd_kernel_add(e, sums[count], s->a_row[i]), v * s->lanes);
      hd_value *a = mask ? hd_kernel_masked_load(e, s->t, s->lanes, args[lanes_a], a_at, mask)
                         : hd_kernel_load(e, s->t, s->lanes, args[lanes_a], a_at);
      sums[i * vectors + v] = hd_kernel_multiply_add(e, s->t, a, b, sums[i * vectors + v]);
    }
  }
  sums[count] = hd_kernel_add(e, sums[count], args[lanes_a_k]);
  sums[count + 1] = hd_kernel_add(e, sums[count + 1], args[lanes_b_k]);
  hd_kernel_close_for(e, inner, sums, (size_t)count + 2);
  sums[count] = hd_kernel_add(e, a_line, args[lanes_a_line]);
  sums[count + 1] = hd_kernel_add(e, b_line, args[lanes_b_line]);
  hd_kernel_close_for(e, outer, sums, (size_t)count + 2);
  for (int64_t i = 0; i < count; ++i) {
    hd_value *at = hd_kernel_add_constant(e, hd_kernel_add(e, j, s->c_row[i / vectors]), i % vectors * s->lanes);
    if (mask)
      hd_kernel_masked_store(e, sums[i], args[lanes_c], at, mask);
    else
      hd_kernel_store(e, sums[i], args[lanes_c], at);
  }
}

static lanes_state open_lanes(hd_kernel_emitter *e, const char *name, hd_kernel_element t, int64_t rows) {
  hd_type memref = hd_kernel_memref_type(t.type), index = e->index;
  hd_type types[] = {memref, index, index, index, memref, index, index, memref, index, index, index, index};
  lanes_state s = {.t = t, .rows = rows, .lanes = e->vector_bytes / t.bytes};
  s.args = hd_kernel_open(e, name, types, 12, lanes_c)->args;
  s.zero = hd_kernel_index(e, 0);
  for (int64_t i = 0; i < rows; ++i) {
    s.a_row[i] = hd_kernel_times(e, s.args[lanes_a_row], i);
    s.c_row[i] = hd_kernel_times(e, s.args[lanes_c_row], i);
  }
  return s;
}

static void emit_lanes(hd_kernel_emitter *e, const char *name, hd_kernel_element t, int64_t rows) {
  lanes_state s = open_lanes(e, name, t, rows);
  hd_value *end = s.args[lanes_end], *whole = hd_kernel_whole(e, end, 2 * s.lanes),
           *last = hd_kernel_whole(e, end, s.lanes), *j;
  hd_op *loop = hd_kernel_open_for(e, s.args[lanes_begin], whole, 2 * s.lanes, NULL, 0, &j);
  lanes_step(e, &s, 2, j, NULL);
  hd_kernel_close_for(e, loop, NULL, 0);
  hd_op *one = hd_kernel_open_if(e, hd_kernel_below(e, whole, last));
  lanes_step(e, &s, 1, whole, NULL);
  hd_kernel_close_if(e, one);
  hd_op *rest = hd_kernel_open_if(e, hd_kernel_below(e, last, end));
  lanes_step(e, &s, 1, last, hd_kernel_mask(e, hd_build(&e->b, HD_OP_arith_subi, e->index, end, last), s.lanes));
  hd_kernel_close_if(e, rest);
  hd_kernel_close(e);
}

/* ---- window ---- */

/* Two vectors of columns at |j|, of all rows: the line that the last row meets is loaded, those of the others are what
 * the next row met before. */
static void window_step(hd_kernel_emitter *e, const lanes_state *s, hd_value *j) {
  enum { vectors = 2 };
  int64_t count = s->rows * vectors, others = count - vectors;
  hd_value **args = s->args, *state[max_values], *k, *l;
  hd_value *from_c = hd_kernel_splat(e, hd_kernel_not_zero(e, args[lanes_accumulate]), s->lanes);
  for (int64_t i = 0; i < count; ++i) {
    hd_value *at = hd_kernel_add_constant(e, hd_kernel_add(e, j, s->c_row[i / vectors]), i % vectors * s->lanes);
    state[i] = hd_kernel_masked_load(e, s->t, s->lanes, args[lanes_c], at, from_c);
  }
  state[count] = j, state[count + 1] = j; /* offsets of A and B */
  hd_op *outer = hd_kernel_open_for(e, s->zero, args[lanes_depth], 1, state, (size_t)count + 2, &k);
  hd_value *a_k = state[count], *b_k = state[count + 1];
  for (int64_t i = 0; i < others; ++i) {
    hd_value *at = hd_kernel_add_constant(e, hd_kernel_add(e, a_k, s->a_row[i / vectors]), i % vectors * s->lanes);
    state[count + 2 + i] = hd_kernel_load(e, s->t, s->lanes, args[lanes_a], at);
  }
  hd_op *inner = hd_kernel_open_for(e, s->zero, args[lanes_lines], 1, state, (size_t)(count + 2 + others), &l);
  hd_value **lines = state + count + 2;
  for (int64_t v = 0; v < vectors; ++v) {
    hd_value *b =
        hd_kernel_load(e, s->t, s->lanes, args[lanes_b], hd_kernel_add_constant(e, state[count + 1], v * s->lanes));
    hd_value *at = hd_kernel_add_constant(e, hd_kernel_add(e, state[count], s->a_row[s->rows - 1]), v * s->lanes);
    hd_value *last = hd_kernel_load(e, s->t, s->lanes, args[lanes_a], at);
    for (int64_t i = 0; i < s->rows; ++i) {
      hd_value *a = i + 1 < s->rows ? lines[i * vectors + v] : last;
      state[i * vectors + v] = hd_kernel_multiply_add(e, s->t, a, b, state[i * vectors + v]);
      if (i) lines[(i - 1) * vectors + v] = a;
    }
  }
  state[count] = hd_kernel_add(e, state[count], args[lanes_a_line]);
  state[count + 1] = hd_kernel_add(e, state[count + 1], args[lanes_b_line]);
  hd_kernel_close_for(e, inner, state, (size_t)(count + 2 + others));
  state[count] = hd_kernel_add(e, a_k, args[lanes_a_k]);
  state[count + 1] = hd_kernel_add(e, b_k, args[lanes_b_k]);
  hd_kernel_close_for(e, outer, state, (size_t)count + 2);
  for (int64_t i = 0; i < count; ++i)
    hd_kernel_store(e, state[i], args[lanes_c],
                    hd_kernel_add_constant(e, hd_kernel_add(e, j, s->c_row[i / vectors]), i % vectors * s->lanes));
}

static void emit_window(hd_kernel_emitter *e, const char *name, hd_kernel_element t, int64_t rows) {
  lanes_state s = open_lanes(e, name, t, rows);
  hd_value *j;
  hd_op *loop = hd_kernel_open_for(e, s.args[lanes_begin], s.args[lanes_end], 2 * s.lanes, NULL, 0, &j);
  window_step(e, &s, j);
  hd_kernel_close_for(e, loop, NULL, 0);
  hd_kernel_close(e);
}

/* ---- copies ---- */

enum { copy_a, copy_a_row, copy_d, copy_d_row, copy_rows, copy_pad, copy_begin, copy_end };

static hd_value **open_copy(hd_kernel_emitter *e, const char *name, hd_kernel_element s, hd_kernel_element t) {
  hd_type types[] = {
      hd_kernel_memref_type(s.type), e->index, hd_kernel_memref_type(t.type), e->index, e->index, e->index};
  return hd_kernel_open(e, name, types, 6, copy_d)->args;
}

static void emit_copy(hd_kernel_emitter *e, const char *name, hd_kernel_element s, hd_kernel_element t) {
  hd_value **args = open_copy(e, name, s, t);
  int64_t lanes = e->vector_bytes / (s.bytes > t.bytes ? s.bytes : t.bytes);
  hd_value *end = args[copy_end], *last = hd_kernel_whole(e, end, lanes), *zero = hd_kernel_index(e, 0), *row, *j;
  hd_value *rest = hd_kernel_mask(e, hd_build(&e->b, HD_OP_arith_subi, e->index, end, last), lanes);
  hd_value *pad = hd_kernel_splat(e, hd_kernel_not_zero(e, args[copy_pad]), lanes);
  hd_value *written = hd_build(&e->b, HD_OP_arith_ori, rest->type, rest, pad);
  hd_value *at[] = {zero, zero};
  hd_op *outer = hd_kernel_open_for(e, zero, args[copy_rows], 1, at, 2, &row);
  hd_op *inner = hd_kernel_open_for(e, args[copy_begin], last, lanes, NULL, 0, &j);
  hd_value *x = hd_kernel_load(e, s, lanes, args[copy_a], hd_kernel_add(e, at[0], j));
  hd_kernel_store(e, hd_kernel_convert(e, s, t, x), args[copy_d], hd_kernel_add(e, at[1], j));
  hd_kernel_close_for(e, inner, NULL, 0);
  hd_op *some = hd_kernel_open_if(e, hd_kernel_below(e, last, end));
  x = hd_kernel_masked_load(e, s, lanes, args[copy_a], hd_kernel_add(e, at[0], last), rest);
  hd_kernel_masked_store(e, hd_kernel_convert(e, s, t, x), args[copy_d], hd_kernel_add(e, at[1], last), written);
  hd_kernel_close_if(e, some);
  at[0] = hd_kernel_add(e, at[0], args[copy_a_row]);
  at[1] = hd_kernel_add(e, at[1], args[copy_d_row]);
  hd_kernel_close_for(e, outer, at, 2);
  hd_kernel_close(e);
}

/* Transposes |lanes| vectors of |lanes| in place: in the round of distance d, lanes whose bit d differs from their
 * row's change places with the row d away. */
static void transpose_square(hd_kernel_emitter *e, hd_value **v, int64_t lanes) {
  for (int64_t d = 1; d < lanes; d *= 2) {
    int64_t low[64], high[64];
    for (int64_t j = 0; j < lanes; ++j) {
      low[j] = j & d ? lanes + j - d : j;
      high[j] = j & d ? lanes + j : j + d;
    }
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & d) continue;
      hd_value *x = v[i], *y = v[i + d];
      v[i] = hd_kernel_shuffle(e, x, y, low, (size_t)lanes);
      v[i + d] = hd_kernel_shuffle(e, x, y, high, (size_t)lanes);
    }
  }
}

static void emit_transpose(hd_kernel_emitter *e, const char *name, hd_kernel_element s, hd_kernel_element t) {
  hd_value **args = open_copy(e, name, s, t);
  int64_t lanes = e->vector_bytes / t.bytes;
  hd_value *end = args[copy_end], *last = hd_kernel_whole(e, end, lanes), *k, *from[16], *v[16];
  /* Rows that do not exist repeat the last one. */
  hd_value *last_row = hd_kernel_add_constant(e, args[copy_rows], -1);
  for (int64_t i = 0; i < lanes; ++i)
    from[i] = hd_kernel_mul(e, args[copy_a_row],
                            hd_build(&e->b, HD_OP_arith_minsi, e->index, hd_kernel_index(e, i), last_row));
  hd_op *loop = hd_kernel_open_for(e, args[copy_begin], last, lanes, NULL, 0, &k);
  for (int64_t i = 0; i < lanes; ++i)
    v[i] = hd_kernel_convert(e, s, t, hd_kernel_load(e, s, lanes, args[copy_a], hd_kernel_add(e, from[i], k)));
  transpose_square(e, v, lanes);
  hd_value *to = hd_kernel_mul(e, k, args[copy_d_row]);
  for (int64_t i = 0; i < lanes; ++i) {
    hd_kernel_store(e, v[i], args[copy_d], to);
    if (i + 1 < lanes) to = hd_kernel_add(e, to, args[copy_d_row]);
  }
  hd_kernel_close_for(e, loop, NULL, 0);
  hd_op *some = hd_kernel_open_if(e, hd_kernel_below(e, last, end));
  hd_value *left = hd_build(&e->b, HD_OP_arith_subi, e->index, end, last), *mask = hd_kernel_mask(e, left, lanes);
  for (int64_t i = 0; i < lanes; ++i)
    v[i] = hd_kernel_convert(e, s, t,
                             hd_kernel_masked_load(e, s, lanes, args[copy_a], hd_kernel_add(e, from[i], last), mask));
  transpose_square(e, v, lanes);
  to = hd_kernel_mul(e, last, args[copy_d_row]);
  for (int64_t i = 0; i + 1 < lanes; ++i) {
    hd_op *exists = hd_kernel_open_if(e, hd_kernel_below(e, hd_kernel_index(e, i), left));
    hd_kernel_store(e, v[i], args[copy_d], hd_kernel_add(e, to, hd_kernel_times(e, args[copy_d_row], i)));
    hd_kernel_close_if(e, exists);
  }
  hd_kernel_close_if(e, some);
  hd_kernel_close(e);
}

/* ---- words of pairs ---- */

enum { pair_a, pair_a_row, pair_d, pair_d_row, pair_rows, pair_least, pair_begin, pair_end };
enum { word_lanes = 16, rows_ahead = 48 };

typedef struct pair_state {
  hd_kernel_element half, word; /* a bf16 and two of them, as integers */
  hd_value **args, *zero;
} pair_state;

static pair_state open_pairs(hd_kernel_emitter *e, const char *name) {
  pair_state s = {.half = hd_kernel_element_of(e, "i16"), .word = hd_kernel_element_of(e, "i32")};
  hd_type types[] = {
      hd_kernel_memref_type(s.half.type), e->index, hd_kernel_memref_type(s.word.type), e->index, e->index,
      hd_kernel_memref_type(s.word.type)};
  s.args = hd_kernel_open(e, name, types, 6, pair_d)->args;
  s.zero = hd_kernel_index(e, 0);
  return s;
}

/* Into halves |least|: magnitudes of elements of |words|, less one, so that zeros are last. */
static hd_value *least_of(hd_kernel_emitter *e, const pair_state *s, hd_value *words, hd_value *least) {
  hd_value *halves = as_lanes_of(e, words, s->half.type, 2 * word_lanes);
  hd_value *magnitude =
      hd_build(&e->b, HD_OP_arith_andi, halves->type, halves, hd_build_int(&e->b, halves->type, 0x7fff));
  hd_value *less = hd_build(&e->b, HD_OP_arith_addi, halves->type, magnitude, hd_build_int(&e->b, halves->type, -1));
  return hd_build(&e->b, HD_OP_arith_minui, halves->type, less, least);
}

static hd_value *least_before(hd_kernel_emitter *e, const pair_state *s) {
  return as_lanes_of(e, hd_kernel_load(e, s->word, word_lanes, s->args[pair_least], s->zero), s->half.type,
                     2 * word_lanes);
}

static void close_pairs(hd_kernel_emitter *e, const pair_state *s, hd_value *least) {
  hd_kernel_store(e, as_lanes_of(e, least, s->word.type, word_lanes), s->args[pair_least], s->zero);
  hd_kernel_close(e);
}

static hd_value *shifted(hd_kernel_emitter *e, hd_opcode code, hd_value *words) {
  return hd_build(&e->b, code, words->type, words, hd_build_int(&e->b, words->type, 16));
}

/* Neighbours in memory, the first of a pair to the high half. */
static hd_value *load_pairs(hd_kernel_emitter *e, const pair_state *s, hd_value *at, hd_value *mask) {
  hd_value *halves = mask ? hd_kernel_masked_load(e, s->half, 2 * word_lanes, s->args[pair_a], at, mask)
                          : hd_kernel_load(e, s->half, 2 * word_lanes, s->args[pair_a], at);
  hd_value *words = as_lanes_of(e, halves, s->word.type, word_lanes);
  return hd_build(&e->b, HD_OP_arith_ori, words->type, shifted(e, HD_OP_arith_shli, words),
                  shifted(e, HD_OP_arith_shrui, words));
}

/* One vector of columns of two rows. */
static hd_value *interleaved(hd_kernel_emitter *e, const pair_state *s, hd_value *first, hd_value *first_mask,
                             hd_value *second, hd_value *second_mask) {
  int64_t lanes = word_lanes;
  hd_type words = hd_type_vector(s->word.type, &lanes, 1, NULL);
  hd_value *x = first_mask ? hd_kernel_masked_load(e, s->half, lanes, s->args[pair_a], first, first_mask)
                           : hd_kernel_load(e, s->half, lanes, s->args[pair_a], first);
  hd_value *y = hd_kernel_masked_load(e, s->half, lanes, s->args[pair_a], second, second_mask);
  x = shifted(e, HD_OP_arith_shli, hd_build(&e->b, HD_OP_arith_extui, words, x));
  return hd_build(&e->b, HD_OP_arith_ori, words, x, hd_build(&e->b, HD_OP_arith_extui, words, y));
}

static void emit_interleave(hd_kernel_emitter *e, const char *name) {
  pair_state s = open_pairs(e, name);
  hd_value **args = s.args, *end = args[pair_end], *last = hd_kernel_whole(e, end, word_lanes), *row, *j;
  hd_value *rest = hd_kernel_mask(e, hd_build(&e->b, HD_OP_arith_subi, e->index, end, last), word_lanes);
  hd_value *state[] = {s.zero, s.zero, least_before(e, &s)}; /* offsets of A and D */
  hd_op *outer = hd_kernel_open_for(e, s.zero, args[pair_rows], 2, state, 3, &row);
  hd_value *from = state[0], *to = state[1], *next = hd_kernel_add(e, from, args[pair_a_row]), *least = state[2];
  hd_value *has_next =
      hd_kernel_splat(e, hd_kernel_below(e, hd_kernel_add_constant(e, row, 1), args[pair_rows]), word_lanes);
  hd_value *ahead = hd_kernel_add(e, from, hd_kernel_times(e, args[pair_a_row], rows_ahead));
  hd_value *next_ahead = hd_kernel_add(e, ahead, args[pair_a_row]);
  hd_op *inner = hd_kernel_open_for(e, args[pair_begin], last, word_lanes, &least, 1, &j);
  hd_build_prefetch(&e->b, args[pair_a], hd_kernel_add(e, ahead, j));
  hd_build_prefetch(&e->b, args[pair_a], hd_kernel_add(e, next_ahead, j));
  hd_value *words = interleaved(e, &s, hd_kernel_add(e, from, j), NULL, hd_kernel_add(e, next, j), has_next);
  hd_kernel_store(e, words, args[pair_d], hd_kernel_add(e, to, j));
  least = least_of(e, &s, words, least);
  hd_kernel_close_for(e, inner, &least, 1);
  /* The rest of the columns: a loop of at most one round. */
  inner = hd_kernel_open_for(e, last, end, word_lanes, &least, 1, &j);
  words = interleaved(e, &s, hd_kernel_add(e, from, j), rest, hd_kernel_add(e, next, j),
                      hd_build(&e->b, HD_OP_arith_andi, rest->type, rest, has_next));
  hd_kernel_store(e, words, args[pair_d], hd_kernel_add(e, to, j));
  least = least_of(e, &s, words, least);
  hd_kernel_close_for(e, inner, &least, 1);
  state[0] = hd_kernel_add(e, next, args[pair_a_row]);
  state[1] = hd_kernel_add(e, to, args[pair_d_row]);
  state[2] = least;
  hd_kernel_close_for(e, outer, state, 3);
  close_pairs(e, &s, state[2]);
}

static void emit_turn(hd_kernel_emitter *e, const char *name) {
  pair_state s = open_pairs(e, name);
  hd_value **args = s.args, *end = args[pair_end], *last = hd_kernel_whole(e, end, 2 * word_lanes), *row, *k;
  hd_value *rest = hd_kernel_mask(e, hd_build(&e->b, HD_OP_arith_subi, e->index, end, last), 2 * word_lanes);
  hd_value *state[] = {s.zero, s.zero, least_before(e, &s)};
  hd_op *outer = hd_kernel_open_for(e, s.zero, args[pair_rows], 1, state, 3, &row);
  hd_value *inside[] = {state[1], state[2]}; /* offset of D */
  hd_value *mask = NULL;
  for (int part = 0; part < 2; ++part, mask = rest) {
    hd_op *inner =
        hd_kernel_open_for(e, part ? last : args[pair_begin], part ? end : last, 2 * word_lanes, inside, 2, &k);
    hd_value *words = load_pairs(e, &s, hd_kernel_add(e, state[0], k), mask);
    hd_kernel_store(e, words, args[pair_d], inside[0]);
    inside[0] = hd_kernel_add_constant(e, inside[0], word_lanes);
    inside[1] = least_of(e, &s, words, inside[1]);
    hd_kernel_close_for(e, inner, inside, 2);
  }
  state[0] = hd_kernel_add(e, state[0], args[pair_a_row]);
  state[1] = hd_kernel_add(e, state[1], args[pair_d_row]);
  state[2] = inside[1];
  hd_kernel_close_for(e, outer, state, 3);
  close_pairs(e, &s, state[2]);
}

/* ---- rows of the table ---- */

bool hd_gemm_kernels_emit(hd_module *module, const char *isa) {
  bool wide = isa[0] && isa[1] == '4';
  if (strcmp(isa, "v3") != 0 && strcmp(isa, "v4") != 0 && strcmp(isa, "v4_bf16") != 0) return false;
  hd_kernel_emitter e = {.b = hd_builder_at_end(module, hd_module_body(module)), .vector_bytes = wide ? 64 : 32};
  e.index = hd_type_index(module->context);
#define IS(row_isa) (!strcmp(#row_isa, isa))
#define TILE(i, T, S, m, v)                                                                     \
  if (IS(i))                                                                                    \
    emit_tile(&e, "hd_gemm_" #i "_tile_" #T "_" #S "_" #m "x" #v, hd_kernel_element_of(&e, #T), \
              hd_kernel_element_of(&e, #S), m, v, STEP_OF_ONE, false);
#define PACKING(i, T, S, m, v)                                                                     \
  if (IS(i))                                                                                       \
    emit_tile(&e, "hd_gemm_" #i "_packing_" #T "_" #S "_" #m "x" #v, hd_kernel_element_of(&e, #T), \
              hd_kernel_element_of(&e, #S), m, v, STEP_OF_ONE, true);
#define ROWS(i, T, S, m, d)                                                                     \
  if (IS(i))                                                                                    \
    emit_rows(&e, "hd_gemm_" #i "_rows_" #T "_" #S "_" #m "x" #d, hd_kernel_element_of(&e, #T), \
              hd_kernel_element_of(&e, #S), m, d);
#define DOT(i, T, S, m, n)                                                                    \
  if (IS(i))                                                                                  \
    emit_dot(&e, "hd_gemm_" #i "_dot_" #T "_" #S "_" #m "x" #n, hd_kernel_element_of(&e, #T), \
             hd_kernel_element_of(&e, #S), m, n);
#define LANES(i, T, m) \
  if (IS(i)) emit_lanes(&e, "hd_gemm_" #i "_lanes_" #T "_" #m, hd_kernel_element_of(&e, #T), m);
#define WINDOW(i, T, m) \
  if (IS(i)) emit_window(&e, "hd_gemm_" #i "_window_" #T "_" #m, hd_kernel_element_of(&e, #T), m);
#define COPY(i, S, T) \
  if (IS(i))          \
    emit_copy(&e, "hd_gemm_" #i "_copy_" #S "_" #T, hd_kernel_element_of(&e, #S), hd_kernel_element_of(&e, #T));
#define STORE(i, T, S) \
  if (IS(i))           \
    emit_copy(&e, "hd_gemm_" #i "_store_" #T "_" #S, hd_kernel_element_of(&e, #T), hd_kernel_element_of(&e, #S));
#define TRANSPOSE(i, S, T)                                                                  \
  if (IS(i))                                                                                \
    emit_transpose(&e, "hd_gemm_" #i "_transpose_" #S "_" #T, hd_kernel_element_of(&e, #S), \
                   hd_kernel_element_of(&e, #T));
#define PAIRS(i, m, v)                                                                                                 \
  if (IS(i))                                                                                                           \
    emit_tile(&e, "hd_gemm_" #i "_pairs_" #m "x" #v, hd_kernel_element_of(&e, "f32"), hd_kernel_element_of(&e, "i32"), \
              m, v, STEP_OF_PAIRS, false);
#define EXACT_PAIRS(i, m, v)                                                                \
  if (IS(i))                                                                                \
    emit_tile(&e, "hd_gemm_" #i "_exact_pairs_" #m "x" #v, hd_kernel_element_of(&e, "f32"), \
              hd_kernel_element_of(&e, "i32"), m, v, STEP_OF_EXACT_PAIRS, false);
#define TO_PAIRS(i, how) \
  if (IS(i)) emit_##how(&e, "hd_gemm_" #i "_" #how);
#include "runtime/libraries/gemm_kernels.def"
  return true;
}
