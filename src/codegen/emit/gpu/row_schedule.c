/* SPDX-License-Identifier: Apache-2.0 */
/* The row schedules: reductions of trailing dims stitched to what makes and what uses their operands.
 *
 *   scf.parallel (%row, %t) = (0, 0) to (rows, threads)      threads: of a block (two rounds), of a warp (one), or of a
 *                                                            part of one
 *     stage k:  %acc = scf.for %i = %t to inner step threads  every reduction of the stage
 *               shuffles: every lane of a warp has the warp's result
 *               two rounds: lane 0 of each warp writes it to shared memory, barrier, every warp reads all of them and
 *               shuffles again: every thread of the block has the row's result
 *     last:     scf.for %i: roots of the row's shape; thread 0: what is one number a row
 *
 * Rows of less than a warp have a power of two of its lanes that is no less than they are long, so a warp has several.
 * What only the run tells is a word of the launch, and what lanes of another row say in a round is not taken. The last
 * warp may have rows that are not there: of no elements, nothing of them is stored.
 *
 * Each reduction has shared memory of its own, so one barrier a reduction is enough. */
#include "codegen/emit/emission.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/gpu/schedules.h"
#include "codegen/emit/reduction.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "ir/ops/enums.h"
#include "ir/ops/stablehlo.h"

typedef struct rows {
  hd_gpu_frame *f;
  bool two_rounds;
  hd_value *full; /* a buffer of the full shape: an operand of a reduction */
  uint32_t rank, first_reduced;
  hd_lane_index outer[HD_COMPILED_MAX_RANK];
  hd_value *thread, *inner; /* the thread in the row, the row's elements */
  hd_value *lanes;          /* threads of a row */
  hd_value *present;        /* is there this row? Null: always */
  hd_map stages;
  uint32_t stage, last;
  hd_op **reductions, **columns; /* columns: done by atomics beside them */
  uint32_t count, column_count;
} rows;

static hd_index_tuple *row_index(rows *s, uint32_t rank) {
  hd_generator *g = &s->f->g;
  hd_index_tuple *at = hd_new_tuple(g, rank);
  for (uint32_t d = 0; d < rank; ++d)
    at->at[d] = d < s->first_reduced ? s->outer[d] : hd_lane_const(hd_generator_lanes(g), 0);
  return at;
}

static bool is_full(rows *s, hd_value *buffer) {
  return hd_type_rank(buffer->type) == s->rank && hd_shapes_same(s->f->g.shapes, buffer, s->full);
}

static bool in_stage(rows *s, hd_op *reduction) {
  return hd_stage_of(&s->stages, hd_operand(reduction, 0)) == s->stage;
}

/* One round: |value| becomes the combination of |lanes| neighbouring ones, in each of them; of as
 * many as |open| says, where it is not null. */
static bool shuffle_round(rows *s, hd_op *reduction, int64_t lanes, hd_value *open, hd_element *value) {
  hd_builder *b = s->f->g.b;
  for (int64_t offset = lanes / 2; offset > 0; offset /= 2) {
    hd_element other = {hd_gpu_shuffle(b, value->re, offset, s->f->target->warp), NULL}, own = *value;
    if (!hd_reduction_combine(b, reduction, own, other, 0, value)) return false;
    if (!open) continue;
    hd_value *of_row = hd_arith_cmpi(b, HD_ARITH_CMPI_UGT, open, hd_build_index(b, offset));
    value->re = hd_emit_select_value(b, of_row, value->re, own.re);
  }
  return true;
}

static bool warp_round(rows *s, hd_op *reduction, hd_element *value) {
  int64_t known;
  bool is_known = !s->two_rounds && hd_value_constant_int(s->lanes, &known), open = !s->two_rounds && !is_known;
  return shuffle_round(s, reduction, is_known ? known : s->f->target->warp, open ? s->lanes : NULL, value);
}

/* |value| of every warp through shared memory, combined. */
static bool second_round(rows *s, hd_op *reduction, hd_element *value) {
  hd_builder *b = s->f->g.b;
  hd_type index = hd_type_index(b->context), type = value->re->type;
  int64_t warps = s->f->threads / s->f->target->warp;
  if (warps <= 1) return true;
  hd_value *memory = hd_gpu_shared(b, type, warps);
  hd_value *width = hd_build_index(b, s->f->target->warp);
  hd_value *lane = hd_build(b, HD_OP_arith_remui, index, s->thread, width);
  hd_value *warp = hd_build(b, HD_OP_arith_divui, index, s->thread, width);
  hd_op *first = hd_build_if(b, hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, lane, hd_build_index(b, 0)), NULL, 0, false);
  hd_builder then = hd_builder_at_start(b->module, hd_op_region(first, 0)->first);
  then.loc = b->loc;
  hd_gpu_store_shared(&then, value->re, memory, warp);
  hd_build_yield(&then, NULL, 0);
  hd_build_op(b, HD_OP_gpu_barrier, NULL, 0, NULL, 0, NULL, 0, 0);
  hd_value *mine = hd_build(b, HD_OP_arith_remui, index, s->thread, hd_build_index(b, warps));
  value->re = hd_gpu_load_shared(b, memory, mine, type);
  return shuffle_round(s, reduction, warps, NULL, value);
}

/* Stores |value| of |buffer| for this row, by thread 0 alone. It is rounded where all threads
 * see it, from where later stages take it. */
static void store_row(rows *s, hd_value *buffer, hd_element value, const hd_index_tuple *at) {
  hd_generator *g = &s->f->g;
  hd_builder *b = g->b;
  uint32_t rank = hd_type_rank(buffer->type);
  hd_value **operands = hd_new_array(g->arena, hd_value *, 2 + rank);
  operands[0] = hd_stored_value(b, hd_type_element(buffer->type), value);
  operands[1] = buffer;
  for (uint32_t d = 0; d < rank; ++d) operands[2 + d] = at->at[d].scalar;
  hd_value *stores = hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, s->thread, hd_build_index(b, 0));
  if (s->present) stores = hd_build_binary(b, HD_OP_arith_andi, stores, s->present);
  hd_op *first = hd_build_if(b, stores, NULL, 0, false);
  hd_builder then = hd_builder_at_start(b->module, hd_op_region(first, 0)->first);
  then.loc = b->loc;
  hd_build_op(&then, HD_OP_memref_store, operands, 2 + rank, NULL, 0, NULL, 0, 0);
  hd_build_yield(&then, NULL, 0);
}

static bool finish(rows *s, hd_op *reduction, hd_value *accumulator) {
  hd_generator *g = &s->f->g;
  hd_element init, *result = hd_new(g->arena, hd_element);
  *result = (hd_element){accumulator, NULL};
  hd_value *out = hd_buffer_output(reduction, 0);
  if (!warp_round(s, reduction, result)) return false;
  if (s->two_rounds && !second_round(s, reduction, result)) return false;
  if (!hd_generate(g, hd_operand(reduction, 1), hd_new_tuple(g, 0), &init)) return false;
  if (!hd_reduction_combine(g->b, reduction, init, *result, 0, result)) return false;
  hd_map_set(g->arena, &g->fixed, out, result);
  store_row(s, out, *result, row_index(s, hd_type_rank(out->type)));
  return true;
}

static bool stores_in_last(rows *s) {
  if (s->stage < s->last) return false;
  if (s->column_count) return true;
  for (size_t o = 0; o < s->f->ops->output_count; ++o)
    if (is_full(s, s->f->ops->outputs[o])) return true;
  return false;
}

static bool emit_stage(rows *s) {
  hd_generator *g = &s->f->g;
  hd_builder *outer = g->b;
  hd_value **values = hd_new_array(g->arena, hd_value *, s->count + 1);
  hd_op **reductions = hd_new_array(g->arena, hd_op *, s->count + 1);
  uint32_t n = 0;
  for (uint32_t r = 0; r < s->count; ++r)
    if (in_stage(s, s->reductions[r])) {
      reductions[n] = s->reductions[r];
      values[n] = hd_reduction_identity(outer, reductions[n], 0).re;
      ++n;
    }
  bool stores = stores_in_last(s);
  if (!n && !stores) return true;
  hd_op *loop = hd_build_for(outer, s->thread, s->inner, s->lanes, values, n);
  hd_gpu_mark_vector(s->f, loop);
  hd_block *block = hd_op_region(loop, 0)->first;
  hd_builder body = hd_builder_at_end(outer->module, block);
  body.loc = outer->loc;
  g->b = &body;
  hd_index_tuple *at = row_index(s, s->rank);
  hd_gpu_delinearize(s->f, s->full, s->first_reduced, s->rank, block->args[0], at->at);
  hd_element value;
  for (uint32_t r = 0; r < n; ++r) {
    if (!hd_generate(g, hd_operand(reductions[r], 0), at, &value) ||
        !hd_reduction_combine(&body, reductions[r], (hd_element){block->args[1 + r], NULL}, value, 0, &value))
      return false;
    values[r] = value.re;
  }
  for (uint32_t c = 0; c < s->column_count && stores; ++c) {
    if (!hd_generate(g, hd_operand(s->columns[c], 0), at, &value)) return false;
    hd_gpu_emit_atomic(s->f, s->columns[c], at, value);
  }
  for (size_t o = 0; o < s->f->ops->output_count && stores; ++o) {
    hd_value *output = s->f->ops->outputs[o];
    if (!is_full(s, output)) continue;
    if (!hd_generate(g, output, at, &value) || !hd_generate_store(g, output, at, value)) return false;
  }
  hd_build_yield(&body, values, n);
  g->b = outer;
  for (uint32_t r = 0; r < n; ++r)
    if (!finish(s, reductions[r], hd_result(loop, r))) return false;
  return true;
}

/* Outputs that are one number a row and no reduction of this kernel. */
static bool emit_row_outputs(rows *s) {
  hd_generator *g = &s->f->g;
  for (size_t o = 0; o < s->f->ops->output_count; ++o) {
    hd_value *output = s->f->ops->outputs[o];
    bool known = is_full(s, output) || hd_map_get(&g->fixed, output);
    for (uint32_t c = 0; c < s->column_count; ++c) known |= hd_buffer_output(s->columns[c], 0) == output;
    if (known) continue;
    uint32_t rank = hd_type_rank(output->type);
    for (uint32_t d = 0; d < rank || d < s->first_reduced; ++d) {
      hd_dim_table *t = &g->shapes->table;
      hd_dim expected = d < s->first_reduced ? hd_shapes_dim(g->shapes, s->full, d) : hd_dim_const(t, 1);
      if (d >= rank || !hd_dim_equal(t, hd_shapes_dim(g->shapes, output, d), expected))
        return hd_op_error(hd_map_get(&g->writers, output),
                           "writes neither whole rows of its kernel nor one number a row");
    }
    hd_index_tuple *at = row_index(s, rank);
    hd_element value;
    if (!hd_generate(g, output, at, &value)) return false;
    store_row(s, output, value, at);
  }
  return true;
}

/* ---- rooms: shared memory for rows that are read in several stages (disc-keep-rows) ---- */

/* Shared memory that is left to the rounds of reductions, and to what threads exchange through it where they do not run
 * in step (subgroups-to-shared): a value of each. */
enum { ROUNDS_BYTES = 4096, EXCHANGE_BYTES = 8, ROOM_STEP = 16 };

/* A slot for each row that a block has; |part|: for as much of a row as it takes. */
static void build_room(rows *s, hd_type element, int64_t slots, int64_t length, bool part) {
  hd_builder *b = s->f->g.b;
  hd_attr space = hd_attr_of_gpu_address_space(b->context, HD_GPU_ADDRESS_SPACE_WORKGROUP);
  hd_type room = hd_type_memref(element, (int64_t[]){slots, length}, 2, NULL, space);
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(b->context, (int32_t[]){0, 0}, 2)};
  hd_value *memory = hd_build_one_(b, HD_OP_memref_alloca, room, NULL, 0, &segments, 1);
  if (part) hd_discardable_set_part(hd_value_op(memory), true);
}

/* What comes from outside as whole rows, in elements that registers and memory have alike. */
static bool is_kept(rows *s, hd_value *buffer) {
  hd_type element = hd_type_element(buffer->type);
  bool whole = element->kind == HD_TYPE_FLOAT || (element->kind == HD_TYPE_INTEGER && element->integer.width >= 8);
  return whole && hd_type_is(buffer->type, HD_TYPE_MEMREF) && is_full(s, buffer) &&
         !hd_map_get(&s->f->g.writers, buffer);
}

/* How long rooms are that hold rows of this version, those that are side by side included (disc-keep-rows). */
static int64_t room_length(rows *s, int64_t most, int64_t *out_slots) {
  hd_gpu_frame *f = s->f;
  int64_t warp = f->target->warp, lanes = warp;
  bool is_known = s->two_rounds || hd_value_constant_int(s->lanes, &lanes);
  *out_slots = s->two_rounds ? 1 : f->threads / (is_known ? lanes : warp);
  if (f->row_limit > most) return most;
  if (!s->two_rounds && is_known && lanes < warp) return lanes;
  int64_t length = (f->row_limit + ROOM_STEP - 1) / ROOM_STEP * ROOM_STEP;
  return is_known || length > f->threads ? length : f->threads;
}

/* Rooms for whole rows, and one for a part where that is too much: not with vectors, whose loops have no branches. */
static void build_rooms(rows *s) {
  hd_gpu_frame *f = s->f;
  int64_t left = f->target->shared_bytes - ROUNDS_BYTES - EXCHANGE_BYTES * f->threads, slots,
          longest = room_length(s, left, &slots);
  if (f->host || !s->last || !f->row_limit) return;
  hd_map seen = {0};
  for (size_t i = 0; i < f->ops->count; ++i)
    for (uint32_t k = 0; k < f->ops->ops[i]->operand_count; ++k) {
      hd_value *buffer = hd_operand(f->ops->ops[i], k);
      if (hd_map_get(&seen, buffer) || !is_kept(s, buffer)) continue;
      hd_map_set(f->g.arena, &seen, buffer, buffer);
      int64_t size = slots * (int64_t)hd_type_element_bytes(hd_type_element(buffer->type)), length = longest;
      if (length * size > left) length = left / size / ROOM_STEP * ROOM_STEP;
      bool part = length < f->row_limit;
      if (part && (f->vector > 1 || length < f->threads)) continue;
      left -= length * size;
      build_room(s, hd_type_element(buffer->type), slots, length, part);
    }
}

/* ---- lanes ---- */

/* Threads of a row of |inner| elements, of which the host knows |size|. */
static hd_value *lanes_of(rows *s, hd_dim inner, hd_value *size) {
  hd_builder *b = s->f->g.b;
  int64_t warp = s->f->target->warp, known;
  if (s->two_rounds) return hd_build_index(b, s->f->threads);
  bool is_known = hd_dim_is_const(&s->f->g.shapes->table, inner, &known);
  if (s->f->vector > 1 || (!is_known && hd_dim_lower(inner) > warp / 2)) return hd_build_index(b, warp);
  if (is_known) {
    int64_t lanes = 1;
    while (lanes < warp && lanes < known) lanes *= 2;
    return hd_build_index(b, lanes);
  }
  hd_value *lanes = hd_build_index(b, 1);
  for (int64_t most = 1; most < warp; most *= 2)
    lanes = hd_emit_select_value(b, hd_arith_cmpi(b, HD_ARITH_CMPI_UGT, size, hd_build_index(b, most)),
                                 hd_build_index(b, 2 * most), lanes);
  return lanes;
}

/* |rows|, and as many as are missing to whole warps. */
static hd_value *whole_warps(rows *s, hd_value *count) {
  hd_builder *b = s->f->g.b;
  int64_t lanes, warp = s->f->target->warp;
  bool is_known = hd_value_constant_int(s->lanes, &lanes);
  if (s->two_rounds || (is_known && lanes == warp)) return count;
  hd_value *each = is_known ? hd_build_index(b, warp / lanes)
                            : hd_build_binary(b, HD_OP_arith_divui, hd_build_index(b, warp), s->lanes);
  return hd_build_binary(b, HD_OP_arith_muli, hd_build_binary(b, HD_OP_arith_ceildivui, count, each), each);
}

/* In the loop: which row this is, of |count|, and of how many elements. */
static hd_value *row_of(rows *s, hd_value *row, hd_value *count, hd_value *all) {
  hd_builder *b = s->f->g.b;
  if (all == count) return row;
  s->present = hd_arith_cmpi(b, HD_ARITH_CMPI_ULT, row, count);
  s->inner = hd_emit_select_value(b, s->present, s->inner, hd_build_index(b, 0));
  return hd_emit_select_value(b, s->present, row, hd_build_index(b, 0));
}

bool hd_gpu_emit_rows(hd_gpu_frame *f, bool two_rounds) {
  rows s = {.f = f,
            .two_rounds = two_rounds,
            .reductions = hd_new_array(f->g.arena, hd_op *, f->ops->count),
            .columns = hd_new_array(f->g.arena, hd_op *, f->ops->count)};
  hd_generator *g = &f->g;
  hd_dim_table *t = &g->shapes->table;
  for (size_t i = 0; i < f->ops->count; ++i) {
    hd_op *op = f->ops->ops[i];
    bool row = hd_is_row_reduction(op), column = !row && hd_is_atomic_reduction(op);
    if (row) s.reductions[s.count++] = op;
    if (column) s.columns[s.column_count++] = op;
  }
  hd_op *first = s.reductions[0];
  s.full = hd_operand(first, 0);
  s.rank = hd_type_rank(s.full->type);
  if (s.rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(first, "has rank %u, expected at most %d in a kernel", s.rank, HD_COMPILED_MAX_RANK);
  s.first_reduced = s.rank - (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(first));
  s.last = hd_plan_stages(f->ops, &s.stages, g->arena);
  for (uint32_t c = 0; c < s.column_count; ++c)
    if (!is_full(&s, hd_operand(s.columns[c], 0)))
      return hd_op_error(s.columns[c], "reduces another shape than the rows of its kernel");
  for (uint32_t c = 0; c < s.column_count; ++c)
    if (!hd_gpu_emit_initialiser(f, s.columns[c])) return false;
  hd_dim inner = hd_dim_const(t, 1), row_count = hd_dim_const(t, 1);
  for (uint32_t d = 0; d < s.rank; ++d) {
    hd_dim dim = hd_shapes_dim(g->shapes, s.full, d);
    if (d < s.first_reduced)
      row_count = hd_dim_mul(t, row_count, dim);
    else
      inner = hd_dim_mul(t, inner, dim);
  }
  s.inner = hd_generate_dim(g, inner);
  s.lanes = lanes_of(&s, inner, s.inner);
  hd_value *count = hd_generate_dim(g, row_count), *extents[2] = {whole_warps(&s, count), s.lanes};
  hd_builder *outer = g->b, inside = hd_gpu_parallel(f, extents, 2, "");
  g->b = &inside;
  s.thread = inside.block->args[1];
  hd_value *row = row_of(&s, inside.block->args[0], count, extents[0]);
  hd_gpu_delinearize(f, s.full, 0, s.first_reduced, row, s.outer);
  build_rooms(&s);
  bool ok = true;
  for (s.stage = 0; s.stage <= s.last && ok; ++s.stage) ok = emit_stage(&s);
  ok = ok && emit_row_outputs(&s);
  g->b = outer;
  return ok && !g->failed;
}
