/* SPDX-License-Identifier: Apache-2.0 */
/* Epilogues of matrix products: the driver gives a finished tile of sums while it is in the cache.
 *
 *   for m in [m0, m1):  for n in [n0, n1) by vectors:
 *     out[batch, m, n] = value with the dot's element being tile[(m - m0) * tile_row + n - n0]
 *
 * Where the result has several dims of columns, those that every access walks together are one, and runs of it are
 * taken one after the other:
 *
 *   for run in [n0 / size, ceil(n1 / size)):
 *     for i in the part of [0, size) that is in [n0, n1) - run * size, by vectors
 *
 * Of one vector all values are computed before one is stored: an output may be in an input's memory (hd.donor). */
#include "codegen/emit/frame.h"
#include "ir/ops/stablehlo.h"
#include "runtime/libraries/gemm_abi.h"

enum { LEADING = HD_WORDS(hd_gemm_epilogue) };
#define LEAD(s, field) ((s)->lead[HD_WORD(hd_gemm_epilogue, field)])

typedef struct epilogue_state {
  hd_frame f;
  const hd_kernel_ops *ops;
  hd_op *dot;
  hd_value *result;
  uint32_t rank, batch_dims, n_dims;
  hd_value *lead[LEADING]; /* arguments: the words of hd_gemm_epilogue */
  hd_value *row_offset;    /* (m - m0) * tile_row - n0, and the first column of the run */
  hd_lane_index outer[HD_COMPILED_MAX_RANK];
  bool merged[HD_COMPILED_MAX_RANK]; /* as hd_merge_dims has it */
} epilogue_state;

/* The elements are in the compute type: f32 for the narrow floats, 32 or 64 bits for integers. */
static hd_type tile_type(hd_type lhs, hd_type rhs, hd_type result) {
  hd_context *context = result->context;
  if (result->kind == HD_TYPE_FLOAT) return hd_compute_type(result);
  uint32_t most = hd_type_bits(lhs);
  if (hd_type_bits(rhs) > most) most = hd_type_bits(rhs);
  if (hd_type_bits(result) > most) most = hd_type_bits(result);
  return hd_type_integer(context, most > 32 ? 64 : 32, HD_SIGNLESS);
}

/* The transpose that writes |output|; null: its dims are those of the product. */
static hd_op *transpose_of(const hd_generator *g, hd_value *output) {
  hd_op *writer = hd_map_get(&g->writers, output);
  return writer && hd_buffer_opcode(writer) == HD_OP_stablehlo_transpose ? writer : NULL;
}

static bool emit_vector(hd_generator *g, void *user, hd_lane_index n, hd_value **values) {
  (void)values;
  epilogue_state *s = user;
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  for (uint32_t d = 0; d < s->rank; ++d) at->at[d] = s->outer[d];
  if (s->n_dims) at->at[s->rank - 1] = n;
  hd_value *offset = hd_build(g->b, HD_OP_arith_addi, hd_type_index(g->b->context), s->row_offset, n.scalar);
  hd_type tile = LEAD(s, tile)->type->shaped.element, lanes = hd_lanes_type(tile, g->lanes);
  hd_element *element = hd_new(g->arena, hd_element);
  element->re = hd_build(g->b, HD_OP_vector_load, lanes, LEAD(s, tile), offset); /* a row may be read past its end */
  hd_type want = hd_lanes_type(hd_compute_type(hd_type_element(s->result->type)), g->lanes);
  if (want != lanes) element->re = hd_build(g->b, HD_OP_arith_trunci, want, element->re);
  hd_map_set(g->arena, &g->fixed, s->result, element);
  size_t count = s->ops->output_count;
  hd_element *results = hd_new_array(g->arena, hd_element, count);
  const hd_index_tuple **places = hd_new_array(g->arena, const hd_index_tuple *, count);
  for (size_t o = 0; o < count; ++o) {
    hd_value *output = s->ops->outputs[o], *value = output;
    places[o] = at;
    hd_op *transpose = transpose_of(g, output);
    if (transpose) {
      hd_attr permutation = hd_stablehlo_transpose_permutation(transpose);
      hd_index_tuple *moved = hd_new_tuple(g, s->rank);
      for (uint32_t d = 0; d < s->rank; ++d) moved->at[d] = at->at[hd_attr_int_at(permutation, d)];
      places[o] = moved;
      value = hd_operand(transpose, 0);
    }
    if (!hd_generate(g, value, at, &results[o])) return false;
  }
  for (size_t o = 0; o < count; ++o)
    if (!hd_generate_store(g, s->ops->outputs[o], places[o], results[o])) return false;
  return true;
}

static void merge_dims(epilogue_state *s) {
  hd_generator *g = &s->f.g;
  size_t count = s->ops->output_count;
  hd_value **roots = hd_new_array(g->arena, hd_value *, count);
  for (size_t o = 0; o < count; ++o) {
    hd_op *transpose = transpose_of(g, s->ops->outputs[o]);
    roots[o] = transpose ? hd_operand(transpose, 0) : s->ops->outputs[o];
  }
  hd_map_set(g->arena, &g->fixed, s->result, hd_new(g->arena, hd_element)); /* read from the tile */
  hd_merge_dims(g, roots, count, s->rank, s->merged);
  for (size_t o = 0; o < count; ++o) {
    hd_op *transpose = transpose_of(g, s->ops->outputs[o]);
    hd_attr to = transpose ? hd_stablehlo_transpose_permutation(transpose) : NULL;
    for (uint32_t d = 0; transpose && d + 1 < s->rank; ++d)
      s->merged[d] &= hd_attr_find_int(to, d + 1) == hd_attr_find_int(to, d) + 1;
  }
}

/* All columns of a row: one run, or a loop over runs. */
static bool emit_columns(epilogue_state *s) {
  hd_generator *g = &s->f.g;
  hd_dim_table *t = &g->shapes->table;
  uint32_t columns = s->rank - s->n_dims, first = s->rank ? s->rank - 1 : 0;
  while (first > columns && s->merged[first - 1]) --first;
  if (first <= columns) return hd_vector_loop(g, LEAD(s, n0), LEAD(s, n1), NULL, NULL, 0, emit_vector, NULL, s);
  hd_dim run = hd_dim_const(t, 1);
  for (uint32_t d = first; d < s->rank; ++d) run = hd_dim_mul(t, run, hd_shapes_dim(g->shapes, s->result, d));
  hd_builder *outer = g->b;
  hd_value *size = hd_build_binary(outer, HD_OP_arith_maxsi, hd_generate_dim(g, run), hd_build_index(outer, 1));
  hd_value *from = hd_build_binary(outer, HD_OP_arith_divui, LEAD(s, n0), size),
           *to = hd_build_binary(outer, HD_OP_arith_ceildivui, LEAD(s, n1), size);
  hd_op *runs = hd_build_for(outer, from, to, hd_build_index(outer, 1), NULL, 0);
  hd_builder body = hd_builder_at_end(outer->module, hd_op_region(runs, 0)->first);
  body.loc = outer->loc;
  g->b = &body;
  hd_value *at = hd_op_region(runs, 0)->first->args[0], *row_offset = s->row_offset;
  hd_value *start = hd_build_binary(&body, HD_OP_arith_muli, at, size);
  hd_delinearize(g, s->result, s->merged, columns, first, at, s->outer);
  hd_value *lower = hd_build_binary(&body, HD_OP_arith_subi, LEAD(s, n0), start),
           *upper = hd_build_binary(&body, HD_OP_arith_subi, LEAD(s, n1), start);
  lower = hd_build_binary(&body, HD_OP_arith_maxsi, lower, hd_build_index(&body, 0));
  upper = hd_build_binary(&body, HD_OP_arith_minsi, upper, size);
  s->row_offset = hd_build_binary(&body, HD_OP_arith_addi, row_offset, start);
  bool ok = hd_vector_loop(g, lower, upper, NULL, NULL, 0, emit_vector, NULL, s);
  s->row_offset = row_offset;
  hd_build_yield(&body, NULL, 0);
  g->b = outer;
  return ok;
}

bool hd_emit_epilogue_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, hd_op *dot, const char *name, hd_arena *arena,
                             hd_kernel_launch *out) {
  epilogue_state s = {.ops = ops, .dot = dot, .result = hd_buffer_output(dot, 0)};
  s.rank = hd_type_rank(s.result->type);
  if (s.rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(dot, "has rank %u, expected at most %d in a kernel", s.rank, HD_COMPILED_MAX_RANK);
  hd_attr numbers =
      hd_buffer_opcode(dot) == HD_OP_stablehlo_dot_general ? hd_stablehlo_dot_general_dot_dimension_numbers(dot) : NULL;
  hd_attr lb = hd_attr_stablehlo_dot_lhs_batching_dimensions(numbers),
          rc = hd_attr_stablehlo_dot_rhs_contracting_dimensions(numbers);
  s.batch_dims = (uint32_t)hd_attr_count(lb);
  uint32_t rhs_contracting = numbers ? (uint32_t)hd_attr_count(rc) : 1;
  s.n_dims = hd_type_rank(hd_operand_type(dot, 1)) - s.batch_dims - rhs_contracting;
  if (hd_buffer_opcode(dot) == HD_OP_stablehlo_convolution) s.n_dims = 1; /* the features */

  hd_frame_open(&s.f, shapes, ops, name, arena);
  hd_generator *g = &s.f.g;
  hd_builder *b = &s.f.entry;
  hd_context *context = b->context;
  hd_block *entry = hd_op_region(g->kernel, 0)->first;
  hd_type index = hd_type_index(context);
  hd_type tile = tile_type(hd_type_element(hd_operand_type(dot, 0)), hd_type_element(hd_operand_type(dot, 1)),
                           hd_type_element(s.result->type));
  for (uint32_t i = 0; i < LEADING; ++i)
    s.lead[i] = hd_block_insert_arg(
        b->module, entry, i,
        i == HD_WORD(hd_gemm_epilogue, tile) ? hd_type_memref(tile, (int64_t[]){HD_DYNAMIC}, 1, NULL, NULL) : index);

  hd_op *loop = hd_build_for(b, s.f.begin, s.f.end, hd_build_index(b, 1), NULL, 0);
  hd_builder body = hd_builder_at_end(b->module, hd_op_region(loop, 0)->first);
  body.loc = b->loc;
  g->b = &body;
  hd_value *m = hd_op_region(loop, 0)->first->args[0];
  merge_dims(&s);
  hd_delinearize(g, s.result, s.merged, 0, s.batch_dims, LEAD(&s, batch), s.outer);
  hd_delinearize(g, s.result, s.merged, s.batch_dims, s.rank - s.n_dims, m, s.outer);
  for (uint32_t d = s.rank - s.n_dims; d < s.rank; ++d) s.outer[d] = hd_lane_const((hd_lanes){&body, 0}, 0);
  hd_value *row = hd_build(&body, HD_OP_arith_muli, index, hd_build(&body, HD_OP_arith_subi, index, m, s.f.begin),
                           LEAD(&s, tile_row));
  s.row_offset = hd_build(&body, HD_OP_arith_subi, index, row, LEAD(&s, n0));
  bool ok = emit_columns(&s);
  hd_build_yield(&body, NULL, 0);
  g->b = b;
  ok &= hd_frame_close(&s.f, out);
  out->extent = out->grain = NULL;
  return ok;
}
