/* SPDX-License-Identifier: Apache-2.0 */
/* A transpose read row by row of its result is a gather along the operand's rows: an element of each cache line. So
 *
 *   for item in [begin, end):     a block of BLOCK x BLOCK elements, which the first cache holds
 *     for square of HD_LANES x HD_LANES:
 *       a vector of each of its columns, along the operand's rows
 *       transposed in registers: a vector of each of its rows
 *       for row of the square:  out[row, columns] = value, the transposes' being there
 *     beside whole squares: squares of which some columns count, where they are small code
 *     below them: squares of which some rows count, where it is known how many and they are small code
 *     what is left of the block: row by row */
#include "codegen/emit/tile_loops.h"

#include "codegen/emit/lower.h"
#include "codegen/emit/own_index.h"
#include "ir/ops/arith.h"
#include "ir/ops/stablehlo.h"

enum {
  BLOCK = 64,
  MOST_OPS = 24,         /* of a kernel: each is there HD_LANES times */
  MOST_OPS_OF_PARTS = 4, /* of a kernel with squares for what is left beside whole ones, which are as much code again */
  LEAST_ROWS = 8,        /* fewer, where that is known, make squares of little */
};

typedef struct tile_state {
  hd_frame *f;
  hd_value *root;
  const hd_tile_loops *tiles;
  uint32_t rank;
  hd_lane_index outer[HD_COMPILED_MAX_RANK]; /* of the dims around */
  hd_value *row;                             /* of single rows */
} tile_state;

/* ---- which transposes ---- */

/* The dim of the result of |op| that is along its operand's rows. */
static uint32_t row_of(hd_op *op) {
  hd_attr permutation = hd_stablehlo_transpose_permutation(op);
  uint32_t rank = (uint32_t)hd_attr_count(permutation), row = 0;
  for (uint32_t d = 0; d < rank; ++d)
    if (hd_attr_int_at(permutation, d) == rank - 1) row = d;
  return row;
}

static hd_dim size_of(hd_generator *g, hd_value *root, uint32_t first, uint32_t end) {
  hd_dim size = hd_dim_const(&g->shapes->table, 1);
  for (uint32_t d = first; d < end; ++d) size = hd_dim_mul(&g->shapes->table, size, hd_shapes_dim(g->shapes, root, d));
  return size;
}

static bool known_below(hd_generator *g, hd_dim size, int64_t least) {
  int64_t known;
  return !size || (hd_dim_is_const(&g->shapes->table, size, &known) && known < least);
}

bool hd_find_tile_loops(hd_frame *f, hd_value *root, const bool *merged, hd_tile_loops *out) {
  hd_generator *g = &f->g;
  const hd_kernel_ops *ops = f->ops;
  uint32_t rank = hd_type_rank(root->type);
  *out = (hd_tile_loops){.transposes = hd_new_array(g->arena, hd_op *, ops->count)};
  if (rank < 2 || ops->count > MOST_OPS) return false;
  for (size_t i = 0; i < ops->count; ++i)
    if (ops->ops[i]->region_count) return false;
  out->inner_first = out->inner_last = rank - 1;
  while (out->inner_first > 0 && merged[out->inner_first - 1]) --out->inner_first;
  for (size_t i = 0; i < ops->count; ++i) {
    hd_op *op = ops->ops[i];
    if (hd_buffer_opcode(op) != HD_OP_stablehlo_transpose) continue;
    hd_value *result = hd_buffer_output(op, 0);
    hd_type element = hd_type_element(result->type);
    uint32_t row = row_of(op);
    if (hd_type_rank(result->type) != rank || !hd_shapes_same(g->shapes, result, root) || row >= out->inner_first ||
        (out->count && row != out->row_last) || hd_type_bits(element) < 8 ||
        !hd_is_read_at_own_index(g->shapes, ops, result, g->arena))
      continue;
    out->row_last = row;
    out->transposes[out->count++] = op;
  }
  if (!out->count) return false;
  out->row_first = out->row_last;
  while (out->row_first > 0 && merged[out->row_first - 1]) --out->row_first;
  return !known_below(g, size_of(g, root, out->row_first, out->row_last + 1), LEAST_ROWS) &&
         !known_below(g, size_of(g, root, out->inner_first, rank), HD_LANES);
}

/* ---- the loops ---- */

static hd_index_tuple *index_of(tile_state *s, hd_lane_index row, hd_lane_index column) {
  hd_generator *g = &s->f->g;
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  for (uint32_t d = 0; d < s->rank; ++d)
    at->at[d] = (d >= s->tiles->row_first && d <= s->tiles->row_last) || d >= s->tiles->inner_first
                    ? hd_lane_const(hd_generator_lanes(g), 0)
                    : s->outer[d];
  at->at[s->tiles->row_last] = row;
  at->at[s->tiles->inner_last] = column;
  return at;
}

static bool store_at(tile_state *s, hd_index_tuple *at) {
  hd_generator *g = &s->f->g;
  const hd_kernel_ops *ops = s->f->ops;
  hd_element *values = hd_new_array(g->arena, hd_element, ops->output_count);
  for (size_t o = 0; o < ops->output_count; ++o)
    if (!hd_generate(g, ops->outputs[o], at, &values[o])) return false;
  for (size_t o = 0; o < ops->output_count; ++o)
    if (!hd_generate_store(g, ops->outputs[o], at, values[o])) return false;
  return true;
}

/* In the round of distance d, lanes whose bit d differs from their vector's change places with the vector d away. */
static void turn_square(hd_builder *b, hd_value **v) {
  for (int64_t d = 1; d < HD_LANES; d *= 2) {
    int64_t low[HD_LANES], high[HD_LANES];
    for (int64_t j = 0; j < HD_LANES; ++j) {
      low[j] = j & d ? HD_LANES + j - d : j;
      high[j] = j & d ? HD_LANES + j : j + d;
    }
    hd_attr_arg masks[] = {{HD_NAME_mask, hd_attr_i64_array(b->context, low, HD_LANES)},
                           {HD_NAME_mask, hd_attr_i64_array(b->context, high, HD_LANES)}};
    for (int64_t i = 0; i < HD_LANES; ++i) {
      if (i & d) continue;
      hd_value *pair[] = {v[i], v[i + d]};
      v[i] = hd_build_one_(b, HD_OP_vector_shuffle, v[i]->type, pair, 2, &masks[0], 1);
      v[i + d] = hd_build_one_(b, HD_OP_vector_shuffle, v[i]->type, pair, 2, &masks[1], 1);
    }
  }
}

/* The rows of a square of |op|'s result at (|row|, |column|): its columns, turned. Those from |end| on, where it is
 * set, are the one before it. */
static bool rows_of(tile_state *s, hd_op *op, hd_value *row, hd_value *column, hd_value *end, hd_element *out) {
  hd_generator *g = &s->f->g;
  hd_value *re[HD_LANES], *im[HD_LANES] = {NULL};
  hd_attr permutation = hd_stablehlo_transpose_permutation(op);
  for (int64_t j = 0; j < HD_LANES; ++j) {
    hd_lane_index along = {.scalar = row, .step = 1, .whole = true};
    hd_value *at_column = hd_build_binary(g->b, HD_OP_arith_addi, column, hd_build_index(g->b, j));
    if (end) {
      hd_value *last = hd_build_binary(g->b, HD_OP_arith_subi, end, hd_build_index(g->b, 1));
      at_column = hd_build_binary(g->b, HD_OP_arith_minsi, at_column, last);
    }
    hd_index_tuple *result = index_of(s, along, hd_lane_scalar(at_column)), *at = hd_new_tuple(g, s->rank);
    for (uint32_t d = 0; d < s->rank; ++d) at->at[hd_attr_int_at(permutation, d)] = result->at[d];
    hd_element value;
    if (!hd_generate(g, hd_operand(op, 0), at, &value)) return false;
    re[j] = value.re, im[j] = value.im;
  }
  turn_square(g->b, re);
  if (im[0]) turn_square(g->b, im);
  for (int64_t r = 0; r < HD_LANES; ++r) out[r] = (hd_element){re[r], im[r]};
  return true;
}

static hd_value *mask_of(hd_generator *g, hd_value *count) {
  return hd_build(g->b, HD_OP_vector_create_mask, hd_lanes_type(hd_i1(g->b->context), HD_LANES), count);
}

/* Of a square at (|row|, |column|) the first |rows_there| rows count, and the columns before |end|, all where that is
 * null. */
static bool emit_square(tile_state *s, hd_value *row, hd_value *column, int64_t rows_there, hd_value *end) {
  hd_generator *g = &s->f->g;
  const hd_tile_loops *tiles = s->tiles;
  hd_element *rows = hd_new_array(g->arena, hd_element, tiles->count * HD_LANES);
  bool ok = true;
  g->lanes = HD_LANES;
  if (rows_there < HD_LANES)
    g->mask = mask_of(g, hd_build_index(g->b, rows_there)); /* lanes of what is read are rows */
  for (size_t i = 0; i < tiles->count && ok; ++i)
    ok = rows_of(s, tiles->transposes[i], row, column, end, rows + i * HD_LANES);
  g->mask = end ? mask_of(g, hd_build_binary(g->b, HD_OP_arith_subi, end, column)) : NULL;
  for (int64_t r = 0; r < rows_there && ok; ++r) {
    for (size_t i = 0; i < tiles->count; ++i) {
      hd_element *value = &rows[i * HD_LANES + (size_t)r];
      hd_map_set(g->arena, &g->fixed, hd_buffer_output(tiles->transposes[i], 0), value);
    }
    hd_value *at = hd_build_binary(g->b, HD_OP_arith_addi, row, hd_build_index(g->b, r));
    ok = store_at(s, index_of(s, hd_lane_scalar(at), (hd_lane_index){.scalar = column, .step = 1, .whole = true}));
  }
  for (size_t i = 0; i < tiles->count; ++i)
    hd_map_set(g->arena, &g->fixed, hd_buffer_output(tiles->transposes[i], 0), NULL);
  g->lanes = 0;
  g->mask = NULL;
  return ok;
}

static bool store_row(hd_generator *g, void *user, hd_lane_index column, hd_value **values) {
  (void)g, (void)values;
  tile_state *s = user;
  return store_at(s, index_of(s, hd_lane_scalar(s->row), column));
}

/* A loop in |*b|, which becomes its body. */
static hd_value *open_loop(hd_builder *b, hd_value *from, hd_value *to, int64_t step) {
  hd_op *loop = hd_build_for(b, from, to, hd_build_index(b, step), NULL, 0);
  hd_builder in = hd_builder_at_end(b->module, hd_op_region(loop, 0)->first);
  in.loc = b->loc;
  *b = in;
  return hd_op_region(loop, 0)->first->args[0];
}

/* A dim of a block: from where it begins up to where whole squares end, and to its own end. */
typedef struct side {
  hd_value *begin, *whole, *end;
} side;

static side side_of(hd_builder *b, hd_value *block, hd_value *size) {
  hd_value *begin = hd_build_binary(b, HD_OP_arith_muli, block, hd_build_index(b, BLOCK));
  hd_value *end = hd_build_binary(b, HD_OP_arith_addi, begin, hd_build_index(b, BLOCK));
  end = hd_build_binary(b, HD_OP_arith_minsi, end, size);
  return (side){begin, hd_build_binary(b, HD_OP_arith_andi, end, hd_build_index(b, -HD_LANES)), end};
}

/* Squares at the columns from |from| to |to|; |part|: which are less than one's. |rows_below|: of the rows below whole
 * squares, which are so many; 0: of those in them. */
static bool emit_squares(tile_state *s, side rows, int64_t rows_below, hd_value *from, hd_value *to, bool part) {
  hd_generator *g = &s->f->g;
  hd_builder *outer = g->b, in = *outer, across;
  hd_value *column = open_loop(&in, from, to, HD_LANES);
  across = in;
  hd_value *row =
      rows_below ? open_loop(&in, rows.whole, rows.end, HD_LANES) : open_loop(&in, rows.begin, rows.whole, HD_LANES);
  g->b = &in;
  bool ok = emit_square(s, row, column, rows_below ? rows_below : HD_LANES, part ? to : NULL);
  hd_build_yield(&in, NULL, 0);
  hd_build_yield(&across, NULL, 0);
  g->b = outer;
  return ok;
}

/* Below whole squares, and beside them if there is anything and no square has done |parts| of it. */
static bool emit_rest(tile_state *s, side rows, side columns, hd_dim inner, bool parts) {
  hd_generator *g = &s->f->g;
  hd_builder *outer = g->b, in = *outer;
  hd_type index = rows.begin->type;
  hd_value *beside = hd_arith_cmpi(outer, HD_ARITH_CMPI_SLT, columns.whole, columns.end);
  hd_value *first = parts ? rows.whole : hd_build(outer, HD_OP_arith_select, index, beside, rows.begin, rows.whole);
  s->row = open_loop(&in, first, rows.end, 1);
  g->b = &in;
  hd_value *from = columns.begin;
  if (!parts) {
    hd_value *in_squares = hd_arith_cmpi(&in, HD_ARITH_CMPI_SLT, s->row, rows.whole);
    from = hd_build(&in, HD_OP_arith_select, index, in_squares, columns.whole, columns.begin);
  }
  bool ok = hd_vector_loop(g, from, columns.end, inner, NULL, 0, store_row, NULL, s);
  hd_build_yield(&in, NULL, 0);
  g->b = outer;
  return ok;
}

bool hd_emit_tile_loops(hd_frame *f, hd_value *root, const bool *merged, const hd_tile_loops *tiles,
                        hd_kernel_launch *out) {
  hd_generator *g = &f->g;
  hd_dim_table *t = &g->shapes->table;
  tile_state s = {.f = f, .root = root, .tiles = tiles, .rank = hd_type_rank(root->type)};
  hd_dim block = hd_dim_const(t, BLOCK), one = hd_dim_const(t, 1);
  hd_dim rows = size_of(g, root, tiles->row_first, tiles->row_last + 1),
         inner = size_of(g, root, tiles->inner_first, s.rank);
  hd_dim row_blocks = hd_dim_ceildiv(t, rows, block), column_blocks = hd_dim_ceildiv(t, inner, block);
  hd_dim before = size_of(g, root, 0, tiles->row_first),
         between = size_of(g, root, tiles->row_last + 1, tiles->inner_first);
  out->extent = hd_dim_mul(t, hd_dim_mul(t, before, between), hd_dim_mul(t, row_blocks, column_blocks));
  out->grain = hd_dim_ceildiv(t, hd_dim_const(t, BLOCK * BLOCK / 2), hd_dim_max(t, hd_dim_mul(t, rows, inner), one));
  if (!out->grain) out->grain = one; /* a dim that is too long an expression already */

  hd_builder *b = &f->entry, body = *b;
  hd_value *item = open_loop(&body, f->begin, f->end, 1);
  g->b = &body;
  hd_value *counts[] = {hd_generate_dim(g, column_blocks), hd_generate_dim(g, row_blocks), hd_generate_dim(g, between)},
           *at[3];
  for (int i = 0; i < 3; ++i) {
    at[i] = hd_build_binary(&body, HD_OP_arith_remui, item, counts[i]);
    item = hd_build_binary(&body, HD_OP_arith_divui, item, counts[i]);
  }
  hd_delinearize(g, root, merged, 0, tiles->row_first, item, s.outer);
  hd_delinearize(g, root, merged, tiles->row_last + 1, tiles->inner_first, at[2], s.outer);
  side down = side_of(&body, at[1], hd_generate_dim(g, rows)), along = side_of(&body, at[0], hd_generate_dim(g, inner));
  bool whole = hd_dim_divisor(t, inner) % HD_LANES == 0;
  bool parts = whole || (!g->compact && f->ops->count <= MOST_OPS_OF_PARTS);
  int64_t known, below = parts && hd_dim_is_const(t, rows, &known) ? known % HD_LANES : 0;
  bool no_rest = below || (parts && hd_dim_divisor(t, rows) % HD_LANES == 0);
  bool ok = true;
  for (int i = 0; i < (below ? 2 : 1) && ok; ++i)
    ok = emit_squares(&s, down, i ? below : 0, along.begin, along.whole, false) &&
         (whole || !parts || emit_squares(&s, down, i ? below : 0, along.whole, along.end, true));
  ok = ok && (no_rest || emit_rest(&s, down, along, inner, parts));
  hd_build_yield(&body, NULL, 0);
  g->b = b;
  ok &= hd_frame_close(f, out);
  return ok;
}
