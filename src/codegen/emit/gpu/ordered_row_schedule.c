/* SPDX-License-Identifier: Apache-2.0 */
/* The row schedules of reductions by any function: several operands (argmax), complex numbers. Such a function is known
 * to be associative and no more, so elements are combined in their order, and the initial value once, on the left.
 *
 *   scf.parallel (%row, %t) = (0, 0) to (rows, threads)      threads: of a warp (one round) or of a block (two)
 *     %acc = scf.for tiles of a warp's size:
 *       each lane has an element; rounds of shuffles over 1, 2, 4, ... lanes combine the left one with the right one
 *       %acc combined with the tile
 *     two rounds: each warp has a part of the row; lane 0 of each writes to shared memory, barrier, a second round
 *     thread 0 stores
 *
 * Where the right one is beyond the end of the row the left one is all there is. */
#include "codegen/emit/generate_ops.h"
#include "codegen/emit/gpu/schedules.h"
#include "ir/ops/arith.h"
#include "ir/ops/stablehlo.h"

enum { MAX_PARTS = 16 };

typedef struct rows {
  hd_gpu_frame *f;
  hd_op *reduce;
  uint32_t count, parts; /* operands; values that they are */
  hd_element *init;
  hd_value *lane, *inner;
} rows;

bool hd_gpu_is_ordered_reduction(const hd_op *op) {
  if (hd_buffer_opcode(op) != HD_OP_stablehlo_reduce || hd_is_row_reduction(op)) return false;
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0)), parts = 0, outputs = hd_buffer_output_count(op);
  if (hd_buffer_input_count(op) != 2 * outputs + hd_buffer_capture_count(op)) return false;
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  uint32_t count = (uint32_t)hd_attr_count(dims);
  if (!count || count > rank || rank > HD_COMPILED_MAX_RANK) return false;
  for (uint32_t d = rank - count; d < rank; ++d)
    if (hd_attr_find_int(dims, (int64_t)d) < 0) return false;
  for (uint32_t o = 0; o < outputs; ++o) {
    hd_type element = hd_type_element(hd_operand_type(op, o));
    if (hd_type_element(hd_buffer_output(op, o)->type) != element) return false;
    parts += element->kind == HD_TYPE_COMPLEX ? 2 : 1;
  }
  return parts <= MAX_PARTS;
}

static hd_value *less(rows *s, hd_value *x, hd_value *y) { return hd_arith_cmpi(s->f->g.b, HD_ARITH_CMPI_ULT, x, y); }

static void choose(rows *s, hd_value *condition, hd_value *const *yes, hd_value *const *no, hd_value **out) {
  for (uint32_t p = 0; p < s->parts; ++p)
    out[p] = hd_build(s->f->g.b, HD_OP_arith_select, yes[p]->type, condition, yes[p], no[p]);
}

/* The reducer on parts. */
static bool combine(rows *s, hd_value *const *x, hd_value *const *y, hd_value **out) {
  hd_generator *g = &s->f->g;
  hd_element *arguments = hd_new_array(g->arena, hd_element, 2 * s->count),
             *results = hd_new_array(g->arena, hd_element, s->count);
  hd_unflatten_elements(x, s->count, s->init, arguments);
  hd_unflatten_elements(y, s->count, s->init, arguments + s->count);
  if (!hd_generate_region(g, s->reduce, 0, arguments, results)) return false;
  hd_flatten_elements(results, s->count, out);
  return true;
}

/* One round over |lanes| neighbours, in order: |values| become their combination in each. The element of lane k counts
 * where |first| + k * |step| is less than |end|. */
static bool ordered_round(rows *s, int64_t lanes, hd_value *lane, hd_value *first, hd_value *step, hd_value *end,
                          hd_value **values) {
  hd_builder *b = s->f->g.b;
  hd_value *other[MAX_PARTS], *left[MAX_PARTS], *right[MAX_PARTS], *both[MAX_PARTS];
  for (int64_t offset = 1; offset < lanes; offset *= 2) {
    hd_value *in_group = hd_build_binary(s->f->g.b, HD_OP_arith_remui, lane, hd_build_index(b, 2 * offset));
    hd_value *is_left = less(s, in_group, hd_build_index(b, offset));
    for (uint32_t p = 0; p < s->parts; ++p) other[p] = hd_gpu_shuffle(b, values[p], offset, s->f->target->warp);
    choose(s, is_left, values, other, left);
    choose(s, is_left, other, values, right);
    if (!combine(s, left, right, both)) return false;
    hd_value *group = hd_build_binary(s->f->g.b, HD_OP_arith_subi, lane, in_group);
    hd_value *behind = hd_build_binary(s->f->g.b, HD_OP_arith_addi, group, hd_build_index(b, offset));
    hd_value *at =
        hd_build_binary(s->f->g.b, HD_OP_arith_addi, first, hd_build_binary(s->f->g.b, HD_OP_arith_muli, behind, step));
    choose(s, less(s, at, end), both, left, values);
  }
  return true;
}

/* |values| of each warp through shared memory. |part|: the elements of the row that a warp has. */
static bool second_round(rows *s, hd_value *thread, hd_value *warp, hd_value *part, hd_value **values) {
  hd_builder *b = s->f->g.b;
  int64_t warps = s->f->threads / s->f->target->warp;
  if (warps <= 1) return true;
  hd_value *memory[MAX_PARTS], *zero = hd_build_index(b, 0);
  for (uint32_t p = 0; p < s->parts; ++p) memory[p] = hd_gpu_shared(b, values[p]->type, warps);
  hd_op *first = hd_build_if(b, hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, s->lane, zero), NULL, 0, false);
  hd_builder then = hd_builder_at_start(b->module, hd_op_region(first, 0)->first);
  then.loc = b->loc;
  for (uint32_t p = 0; p < s->parts; ++p) hd_gpu_store_shared(&then, values[p], memory[p], warp);
  hd_build_yield(&then, NULL, 0);
  hd_build_op(b, HD_OP_gpu_barrier, NULL, 0, NULL, 0, NULL, 0, 0);
  hd_value *mine = hd_build_binary(s->f->g.b, HD_OP_arith_remui, thread, hd_build_index(b, warps));
  for (uint32_t p = 0; p < s->parts; ++p) values[p] = hd_gpu_load_shared(b, memory[p], mine, values[p]->type);
  return ordered_round(s, warps, mine, zero, part, s->inner, values);
}

/* The elements of the row at |at|; initial values, which nobody takes, after its end. */
static bool load(rows *s, const hd_index_tuple *at, hd_value *position, hd_value **out) {
  hd_generator *g = &s->f->g;
  hd_element *values = hd_new_array(g->arena, hd_element, s->count);
  hd_guard guard = {less(s, position, s->inner), NULL};
  for (uint32_t i = 0; i < s->count; ++i)
    if (!hd_generate_guarded(g, guard, hd_operand(s->reduce, i), at, s->init[i], &values[i])) return false;
  hd_flatten_elements(values, s->count, out);
  return true;
}

static bool emit_row(rows *s, hd_value *row, hd_value *thread, bool two_rounds) {
  hd_gpu_frame *f = s->f;
  hd_generator *g = &f->g;
  hd_builder *b = g->b;
  hd_value *full = hd_operand(s->reduce, 0), *zero = hd_build_index(b, 0), *size = hd_build_index(b, f->target->warp),
           *warp = zero, *part = s->inner, *values[MAX_PARTS], *next[MAX_PARTS];
  uint32_t rank = hd_type_rank(full->type),
           first_reduced = rank - (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(s->reduce));
  s->lane = thread;
  if (two_rounds) {
    s->lane = hd_build_binary(s->f->g.b, HD_OP_arith_remui, thread, size);
    warp = hd_build_binary(s->f->g.b, HD_OP_arith_divui, thread, size);
    hd_value *tiles = hd_build_binary(s->f->g.b, HD_OP_arith_ceildivui, s->inner, hd_build_index(b, f->threads));
    part = hd_build_binary(s->f->g.b, HD_OP_arith_muli, tiles, size);
  }
  hd_value *first = two_rounds ? hd_build_binary(s->f->g.b, HD_OP_arith_muli, warp, part) : zero;
  hd_lane_index outer[HD_COMPILED_MAX_RANK];
  hd_gpu_delinearize(f, full, 0, first_reduced, row, outer);
  s->parts = hd_flatten_elements(s->init, s->count, values);
  hd_op *loop = hd_build_for(b, zero, part, size, values, s->parts);
  hd_block *block = hd_op_region(loop, 0)->first;
  hd_builder body = hd_builder_at_end(b->module, block);
  body.loc = b->loc;
  g->b = &body;
  hd_value *tile = two_rounds ? hd_build_binary(s->f->g.b, HD_OP_arith_addi, first, block->args[0]) : block->args[0],
           *position = hd_build_binary(s->f->g.b, HD_OP_arith_addi, tile, s->lane), *one = hd_build_index(&body, 1);
  hd_index_tuple *at = hd_new_tuple(g, rank);
  for (uint32_t d = 0; d < first_reduced; ++d) at->at[d] = outer[d];
  hd_gpu_delinearize(f, full, first_reduced, rank, position, at->at);
  if (!load(s, at, position, next) || !ordered_round(s, f->target->warp, s->lane, tile, one, s->inner, next) ||
      !combine(s, block->args + 1, next, values))
    return false;
  if (two_rounds) { /* the first warp alone has the initial value; the last ones may have nothing */
    hd_value *starts = hd_build(&body, HD_OP_arith_andi, hd_i1(body.context),
                                hd_arith_cmpi(&body, HD_ARITH_CMPI_EQ, block->args[0], zero),
                                hd_arith_cmpi(&body, HD_ARITH_CMPI_NE, warp, zero));
    choose(s, starts, next, values, values);
    choose(s, less(s, tile, s->inner), values, block->args + 1, values);
  }
  hd_build_yield(&body, values, s->parts);
  g->b = b;
  for (uint32_t p = 0; p < s->parts; ++p) values[p] = hd_result(loop, p);
  if (two_rounds && !second_round(s, thread, warp, part, values)) return false;
  hd_element *results = hd_new_array(g->arena, hd_element, s->count);
  hd_unflatten_elements(values, s->count, s->init, results);
  hd_op *leader = hd_build_if(b, hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, thread, zero), NULL, 0, false);
  hd_builder then = hd_builder_at_start(b->module, hd_op_region(leader, 0)->first);
  then.loc = b->loc;
  g->b = &then;
  hd_index_tuple *to = hd_new_tuple(g, first_reduced);
  for (uint32_t d = 0; d < first_reduced; ++d) to->at[d] = outer[d];
  bool ok = true;
  for (uint32_t i = 0; i < s->count && ok; ++i)
    for (size_t o = 0; o < f->ops->output_count && ok; ++o)
      if (f->ops->outputs[o] == hd_buffer_output(s->reduce, i))
        ok = hd_generate_store(g, f->ops->outputs[o], to, results[i]);
  hd_build_yield(&then, NULL, 0);
  g->b = b;
  return ok;
}

bool hd_gpu_emit_ordered_rows(hd_gpu_frame *f, hd_op *reduce, bool two_rounds) {
  hd_generator *g = &f->g;
  hd_dim_table *t = &g->shapes->table;
  rows s = {.f = f, .reduce = reduce, .count = hd_buffer_output_count(reduce)};
  hd_value *full = hd_operand(reduce, 0);
  uint32_t rank = hd_type_rank(full->type),
           first_reduced = rank - (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(reduce));
  hd_dim inner = hd_dim_const(t, 1), row_count = hd_dim_const(t, 1);
  for (uint32_t d = 0; d < rank; ++d) {
    hd_dim *product = d < first_reduced ? &row_count : &inner;
    *product = hd_dim_mul(t, *product, hd_shapes_dim(g->shapes, full, d));
  }
  s.inner = hd_generate_dim(g, inner);
  hd_value *extents[2] = {hd_generate_dim(g, row_count),
                          hd_build_index(g->b, two_rounds ? f->threads : f->target->warp)};
  hd_builder *outer = g->b, inside = hd_gpu_parallel(f, extents, 2, "");
  g->b = &inside;
  s.init = hd_new_array(g->arena, hd_element, s.count);
  bool ok = true;
  for (uint32_t i = 0; i < s.count && ok; ++i)
    ok = hd_generate(g, hd_operand(reduce, s.count + i), hd_new_tuple(g, 0), &s.init[i]);
  ok = ok && emit_row(&s, inside.block->args[0], inside.block->args[1], two_rounds);
  g->b = outer;
  return ok && !g->failed;
}
