/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise ops that are read once, through ops that move elements: they are computed where they are read, so that a
 * transpose, slice, reverse, pad or concatenate of computed values is one kernel.
 *
 *   negate -> transpose -> result            one kernel, which starts at the transpose
 *   negate -> slice -> add                   negate and slice are read inside of add's kernel
 *   multiply, negate -> concatenate          one kernel
 *
 *   compare -> select -> reduce of 7         one kernel, of the reduction, which writes its seven elements out
 *   gather -> convert -> reduce              one kernel, of the reduction, which reads rows of the table
 *   compare, select, concatenate -> gather   one kernel, of the gather of single elements, which computes its indices
 *
 * What a broadcast or a product reads is not such a value: it would be computed anew for each use. An op that could
 * join a kernel of its own operands stays there. */
#include "analysis/short_dims.h"
#include "codegen/emit/lower.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/ops/structs.h"
#include "ir/placement.h"
#include "passes/fuse/fuser.h"

enum {
  MAX_TRANSPOSED = 1, /* buffers read in the strides of a transpose; more are cheaper in order, into one */
  MAX_STEPS = 64,     /* ops looked through on either side of an op */
  MAX_OF_INDICES = 32,
  MAX_OF_POSITIONS = 8 + 1,
};

/* The only op that reads the result of node |x|, as |*operand|; UINT32_MAX when there are several or it is not of this
 * block. |*escapes|: control flow, a return or a call has it. */
static uint32_t only_reader(hd_fuser *f, uint32_t x, uint32_t *operand, bool *escapes) {
  uint32_t reader = UINT32_MAX, count = 0;
  *escapes = false;
  hd_for_each_use(use, hd_fuser_result_of(f, x)) {
    if (use->owner == f->nodes[x].op || hd_op_is(use->owner, HD_OP_memref_dealloc)) continue;
    hd_map_entry *entry = hd_map_find(&f->index, use->owner);
    ++count;
    *escapes |= !entry || !use->owner->info->derived_from;
    reader = entry ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
    *operand = use->index;
  }
  *escapes &= count == 1;
  return count == 1 && !*escapes ? reader : UINT32_MAX;
}

/* A reduction that is written out where its sum is used. */
static bool is_written_out(const hd_fuse_node *n) {
  return n->class == HD_FUSE_GENERATED && hd_is_short_reduction(n->op);
}

/* Is each element of operand |operand| read at most once? */
static bool moves_each_once(hd_op *op, uint32_t operand) {
  hd_opcode opcode = hd_buffer_opcode(op);
  if (opcode == HD_OP_stablehlo_reduce) return hd_is_short_reduction(op) && operand < hd_buffer_input_count(op) / 2;
  if (!(hd_op_info_of(opcode)->traits & HD_TRAIT(READS_ONCE))) return false;
  return operand == 0 || opcode == HD_OP_stablehlo_concatenate;
}

/* Does |op| give each element of its first operand at most once, maybe in another shape? */
static bool repeats_none(hd_fuser *f, hd_op *op) {
  if (hd_is_reshape_like(op)) return true;
  if (!hd_is_broadcast_in_dim_like(op)) return moves_each_once(op, 0);
  hd_dim from = hd_shapes_num_elements(f->shapes, hd_operand(op, 0)),
         to = hd_shapes_num_elements(f->shapes, hd_buffer_output(op, 0));
  return from && to && hd_dim_equal(&f->shapes->table, from, to);
}

/* Does |op| give its operand dims of one element, take such away, or move them between the others? */
static bool adds_unit_dims(hd_fuser *f, hd_op *op) {
  bool broadcast = hd_is_broadcast_in_dim_like(op), transpose = hd_buffer_opcode(op) == HD_OP_stablehlo_transpose;
  if (!broadcast && !transpose && !hd_is_reshape_like(op)) return false;
  hd_value *side[] = {hd_operand(op, 0), hd_buffer_output(op, 0)};
  hd_attr dims = broadcast   ? hd_broadcast_in_dim_like_broadcast_dimensions(op)
                 : transpose ? hd_stablehlo_transpose_permutation(op)
                             : NULL;
  uint32_t rank[] = {hd_type_rank(side[0]->type), hd_type_rank(side[1]->type)}, at[2] = {0};
  for (;;) {
    for (int i = 0; i < 2; ++i)
      while (at[i] < rank[i] && hd_fuser_dim_is_one(f, side[i], at[i])) ++at[i];
    if (at[0] == rank[0] || at[1] == rank[1]) return at[0] == rank[0] && at[1] == rank[1];
    /* Ops that exchange dims say so: they may be of one size. */
    if (broadcast && hd_attr_int_at(dims, at[0]) != at[1]) return false;
    if (transpose && hd_attr_int_at(dims, at[1]) != at[0]) return false;
    if (!hd_dim_equal(&f->shapes->table, hd_shapes_dim(f->shapes, side[0], at[0]++),
                      hd_shapes_dim(f->shapes, side[1], at[1]++)))
      return false;
  }
}

typedef struct read_once {
  uint32_t stored; /* the last op, where its result stays in memory; else UINT32_MAX */
  bool transposed; /* a transpose is among the moves */
  bool summed;     /* a reduction that is written out reads it */
  bool reshaped;   /* dims of one element come or go on the way: it is stacked */
} read_once;

/* Follows the result of node |x| through elementwise ops and then ops that move elements, until it is computed with or
 * stays in memory. False when it is not moved or an element may be read more often. */
static bool is_read_once(hd_fuser *f, uint32_t x, read_once *out) {
  bool moved = false;
  *out = (read_once){.stored = UINT32_MAX};
  for (uint32_t steps = 0; steps < MAX_STEPS; ++steps) {
    uint32_t operand = 0;
    bool escapes;
    uint32_t reader = only_reader(f, x, &operand, &escapes);
    if (reader == UINT32_MAX) { /* a move whose result only escapes is a kernel itself */
      out->stored = escapes && moved ? x : UINT32_MAX;
      return out->stored != UINT32_MAX;
    }
    hd_fuse_node *n = &f->nodes[reader];
    if (hd_fuser_program_blocker(f, x, reader)) { /* values between two fusions of the program are in memory */
      out->stored = moved ? x : UINT32_MAX;
      return moved;
    }
    if (hd_placement_entries(n->op) != hd_placement_entries(f->nodes[x].op)) return false;
    if (n->class == HD_FUSE_ELEMENTWISE && moved) return true;
    if (n->class == HD_FUSE_OPAQUE && moved) {
      out->stored = x;
      return true;
    }
    bool same = operand == 0 && adds_unit_dims(f, n->op);
    bool computes = hd_is_elementwise(n->op) && !moved;
    if (n->class != HD_FUSE_INLINE && n->class != HD_FUSE_GENERATED && n->class != HD_FUSE_ELEMENTWISE) return false;
    if (!computes && !same && !moves_each_once(n->op, operand)) return false;
    out->transposed |= hd_buffer_opcode(n->op) == HD_OP_stablehlo_transpose && !same;
    moved |= !computes && !same;
    out->summed = is_written_out(n);
    out->reshaped |= same;
    if (n->class == HD_FUSE_GENERATED) return true;
    x = reader;
  }
  return false;
}

/* Could |x| not join what it reads? Then nothing is lost when it goes to its reader. Where a reduction that is written
 * out reads it, other shapes than |shape| are of no kernel that it could be part of. */
static bool reads_memory(hd_fuser *f, uint32_t x, hd_value *shape, uint32_t *buffers, uint32_t *steps) {
  hd_op *op = f->nodes[x].op;
  if (++*steps > MAX_STEPS) return false;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) {
    uint32_t w = hd_fuser_writer_of(f, hd_operand(op, i));
    bool memory = w == UINT32_MAX || f->nodes[w].class == HD_FUSE_OPAQUE;
    if (!memory && shape && f->nodes[w].class != HD_FUSE_INLINE)
      memory = !hd_shapes_same(f->shapes, hd_operand(op, i), shape);
    *buffers += memory;
    if (memory) continue;
    if (f->nodes[w].class != HD_FUSE_INLINE) return false;
    if (!reads_memory(f, w, shape, buffers, steps)) return false;
  }
  return true;
}

/* Is something that node |x| computes with read at other indices than its own? Columns that a stack is made of would be
 * gathered again for each of its vectors, where a kernel of their own reads them side by side. */
static bool reads_moved(hd_fuser *f, uint32_t x, uint32_t *steps) {
  hd_op *op = f->nodes[x].op;
  if (++*steps > MAX_STEPS) return true;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) {
    uint32_t w = hd_fuser_writer_of(f, hd_operand(op, i));
    if (w == UINT32_MAX || f->nodes[w].class != HD_FUSE_INLINE) continue;
    if (moves_each_once(f->nodes[w].op, 0) || reads_moved(f, w, steps)) return true;
  }
  return false;
}

/* Is every reader of node |x|, through ops that move elements too, one that computes element by element? */
static bool is_read_by_elements(hd_fuser *f, uint32_t x, uint32_t *steps) {
  if (++*steps > MAX_STEPS) return false;
  hd_for_each_use(use, hd_fuser_result_of(f, x)) {
    if (use->owner == f->nodes[x].op || hd_op_is(use->owner, HD_OP_memref_dealloc)) continue;
    hd_map_entry *entry = hd_map_find(&f->index, use->owner);
    uint32_t reader = entry ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
    if (reader == UINT32_MAX || hd_fuser_program_blocker(f, x, reader)) return false;
    if (f->nodes[reader].class == HD_FUSE_ELEMENTWISE) continue;
    if (f->nodes[reader].class != HD_FUSE_INLINE || !is_read_by_elements(f, reader, steps)) return false;
  }
  return true;
}

/* Positions and what compares them, as masks are made, are computed wherever they are read: that takes no longer than
 * to load them, and they are in no memory.
 *
 *   iota, broadcast, compare -> broadcast -> select         the comparison in each kernel that selects */
static void inline_positions(hd_fuser *f) {
  uint32_t *ops =
      hd_new_array(f->arena, uint32_t, f->count); /* 1 + elementwise ops on the way from positions to each node */
  for (uint32_t x = 0; x < f->count; ++x) {
    hd_op *op = f->nodes[x].op;
    hd_opcode opcode = op->info->derived_from ? hd_buffer_opcode(op) : HD_OPCODE_COUNT;
    bool is_inline = f->nodes[x].class == HD_FUSE_INLINE;
    bool computes = f->nodes[x].class == HD_FUSE_ELEMENTWISE && hd_buffer_output_count(op) == 1;
    if (!is_inline && !computes) continue;
    hd_type element = hd_type_element(hd_fuser_result_of(f, x)->type);
    bool is_leaf = opcode == HD_OP_stablehlo_constant || (op->info->derived_from && hd_is_iota_like(op));
    uint32_t cost = 1 + computes, steps = 0, inputs = hd_buffer_input_count(op);
    if (!hd_type_is(element, HD_TYPE_INTEGER) || (!is_leaf && !inputs)) continue;
    for (uint32_t i = 0; i < inputs && cost; ++i) {
      uint32_t w = hd_fuser_writer_of(f, hd_operand(op, i));
      cost = w != UINT32_MAX && ops[w] ? cost + ops[w] - 1 : 0;
    }
    if (!cost || cost > MAX_OF_POSITIONS) continue;
    if (computes && (hd_lowering_of(opcode)->is_expensive || !is_read_by_elements(f, x, &steps))) continue;
    f->nodes[x].class = HD_FUSE_INLINE;
    ops[x] = cost;
  }
}

/* Gathers of which a reduction alone reads each element, once: rows of a table are added up as they are read, and are
 * in no memory between (an embedding bag). The indices are: they are read for every column. */
static bool is_gathered_for_sum(hd_fuser *f, uint32_t x) {
  hd_op *gather = f->nodes[x].op;
  uint32_t buffers = 0, count = 0;
  if (!hd_is_gather_like(gather) || f->nodes[x].class != HD_FUSE_GENERATED ||
      !reads_memory(f, x, hd_fuser_result_of(f, x), &buffers, &count))
    return false;
  for (uint32_t at = x, steps = 0; steps < MAX_STEPS; ++steps) {
    uint32_t operand = 0;
    bool escapes;
    uint32_t reader = only_reader(f, at, &operand, &escapes);
    if (reader == UINT32_MAX || hd_fuser_program_blocker(f, at, reader)) return false;
    hd_fuse_node *n = &f->nodes[reader];
    if (hd_placement_entries(n->op) != hd_placement_entries(gather)) return false;
    if (n->op->info->derived_from && hd_buffer_opcode(n->op) == HD_OP_stablehlo_reduce)
      return n->class != HD_FUSE_OPAQUE && operand < hd_buffer_input_count(n->op) / 2;
    if (n->class != HD_FUSE_ELEMENTWISE) return false;
    at = reader;
  }
  return false;
}

/* What node |reader| alone reads as |buffer|, each element once, becomes inline: concatenates, and
 * with |computes| ops that are no part of a kernel of their own operands. True when |buffer| is
 * computed there, or is no result of a kernel. */
static bool inline_indices(hd_fuser *f, hd_value *buffer, uint32_t reader, bool computes, uint32_t *steps) {
  uint32_t w = hd_fuser_writer_of(f, buffer), operand;
  if (w == UINT32_MAX || f->nodes[w].class == HD_FUSE_OPAQUE) return true;
  hd_fuse_node *n = &f->nodes[w];
  bool escapes, ready = true;
  bool alone = reader != UINT32_MAX && ++*steps <= MAX_OF_INDICES && hd_buffer_output_count(n->op) == 1 &&
               only_reader(f, w, &operand, &escapes) == reader && !hd_fuser_program_blocker(f, w, reader) &&
               hd_placement_entries(n->op) == hd_placement_entries(f->nodes[reader].op);
  bool joins = hd_buffer_opcode(n->op) == HD_OP_stablehlo_concatenate;
  if (n->class != HD_FUSE_INLINE && (!alone || !(joins || (computes && n->class == HD_FUSE_ELEMENTWISE)))) return false;
  bool once = alone && (n->class != HD_FUSE_INLINE || repeats_none(f, n->op));
  for (uint32_t i = 0; i < hd_buffer_input_count(n->op); ++i)
    ready &= inline_indices(f, hd_operand(n->op, i), once ? w : UINT32_MAX, computes, steps);
  if (ready || joins) n->class = HD_FUSE_INLINE;
  return ready || joins;
}

/* A gather of single elements and a scatter read each index once. That of such a gather is computed in its kernel. One
 * of rows, which reads an index for each column, and a scatter, which is scalar code, take what only moves. */
static void inline_indices_of(hd_fuser *f, uint32_t x) {
  hd_op *op = f->nodes[x].op;
  uint32_t steps = 0;
  if (f->nodes[x].reads_inline)
    inline_indices(f, hd_operand(op, hd_buffer_output_count(op)), x, false, &steps);
  else if (hd_is_gather_like(op) && f->nodes[x].class == HD_FUSE_GENERATED)
    inline_indices(f, hd_operand(op, 1), x,
                   !hd_attr_count(hd_attr_stablehlo_gather_offset_dims(hd_gather_like_dimension_numbers(op))), &steps);
}

/* A move that stays in memory and reads what only cuts, turns around or pads rows: both are one kernel, of the move.
 *
 *   reverse -> transpose -> result           one kernel, which still reads along rows of memory
 */
static bool is_end_of_moves(hd_fuser *f, uint32_t x) {
  hd_op *op = f->nodes[x].op;
  if (f->nodes[x].class != HD_FUSE_INLINE || !op->info->derived_from || !moves_each_once(op, 0)) return false;
  uint32_t operand, reader, w = hd_fuser_writer_of(f, hd_operand(op, 0));
  bool escapes;
  reader = only_reader(f, x, &operand, &escapes);
  if (!escapes && (reader == UINT32_MAX || f->nodes[reader].class != HD_FUSE_OPAQUE)) return false;
  if (w == UINT32_MAX || f->nodes[w].class != HD_FUSE_INLINE || hd_fuser_program_blocker(f, x, w)) return false;
  hd_op *source = f->nodes[w].op;
  return source->info->derived_from && moves_each_once(source, 0) &&
         hd_buffer_opcode(source) != HD_OP_stablehlo_transpose &&
         hd_placement_entries(source) == hd_placement_entries(op);
}

void hd_fuser_inline_producers(hd_fuser *f) {
  if (!f->target) inline_positions(f);
  for (uint32_t x = 0; !f->target && x < f->count; ++x) inline_indices_of(f, x);
  for (uint32_t x = 0; x < f->count; ++x) {
    uint32_t buffers = 0, steps = 0, moved_steps = 0;
    read_once read;
    if (!f->target && is_gathered_for_sum(f, x)) f->nodes[x].class = HD_FUSE_INLINE;
    if (is_end_of_moves(f, x)) f->nodes[x].class = HD_FUSE_GENERATED;
    if (f->nodes[x].class != HD_FUSE_ELEMENTWISE || hd_buffer_output_count(f->nodes[x].op) != 1) continue;
    if (!is_read_once(f, x, &read)) continue;
    if (!reads_memory(f, x, read.summed ? hd_fuser_result_of(f, x) : NULL, &buffers, &steps)) continue;
    if (read.reshaped && reads_moved(f, x, &moved_steps)) continue;
    if (read.transposed && buffers > MAX_TRANSPOSED) continue;
    f->nodes[x].class = HD_FUSE_INLINE;
    if (read.stored != UINT32_MAX) f->nodes[read.stored].class = HD_FUSE_GENERATED;
  }
}
