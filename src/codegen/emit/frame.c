/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/frame.h"

#include "codegen/emit/lower.h"
#include "codegen/emit/pieces.h"
#include "codegen/emit/reduction.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"

void hd_frame_open(hd_frame *f, hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena) {
  hd_module *module = shapes->func->module;
  hd_context *context = module->context;
  f->ops = ops;
  hd_builder at = hd_builder_at_end(module, shapes->func->block);
  at.loc = ops->ops[ops->count - 1]->loc;
  hd_type index = hd_type_index(context), range[2] = {index, index};
  hd_op *func = hd_build_func(&at, hd_str_of(name), hd_type_function(context, range, 2, NULL, 0), true);
  hd_discardable_set_kernel(func, true);
  if (ops->compact) hd_discardable_set_compact(func, true);
  hd_block *entry = hd_op_region(func, 0)->first;
  f->entry = hd_builder_at_end(module, entry);
  f->entry.loc = at.loc;
  f->begin = entry->args[0];
  f->end = entry->args[1];
  hd_generator_init(&f->g, shapes, &f->entry, func, ops->ops, ops->count, arena);
  f->g.compact = ops->compact;
}

/* Bytes per element of |full| that a launch moves: of inputs and outputs with as many elements. */
static int64_t moved_bytes(hd_frame *f, const hd_kernel_ops *ops, hd_value *full, hd_dim elements) {
  hd_generator *g = &f->g;
  hd_dim_table *t = &g->shapes->table;
  hd_map seen = {0};
  int64_t bytes = 0;
  for (size_t o = 0; o < ops->output_count; ++o)
    if (hd_dim_equal(t, hd_shapes_num_elements(g->shapes, ops->outputs[o]), elements))
      bytes += (int64_t)hd_type_element_bytes(hd_type_element(ops->outputs[o]->type));
  for (size_t i = 0; i < ops->count; ++i)
    for (uint32_t k = 0; k < hd_buffer_input_count(ops->ops[i]); ++k) {
      hd_value *input = hd_operand(ops->ops[i], k);
      bool is_new;
      hd_map_insert(g->arena, &seen, input, &is_new);
      if (!is_new || hd_map_get(&g->writers, input) || input->type->kind != HD_TYPE_MEMREF) continue;
      if (!hd_dim_equal(t, hd_shapes_num_elements(g->shapes, input), elements)) continue;
      bytes += (int64_t)hd_type_element_bytes(hd_type_element(input->type));
      if (hd_shapes_same(g->shapes, input, full)) hd_vec_push(g->arena, &g->ahead, input);
    }
  return bytes;
}

void hd_frame_stream(hd_frame *f, const hd_kernel_ops *ops, hd_value *full, bool interleaved) {
  enum { LEAST = 2 << 20 /* no last cache is smaller */, MOST_STREAMS = 8 };
  if (ops->output_count > MOST_STREAMS) return;
  hd_generator *g = &f->g;
  hd_dim_table *t = &g->shapes->table;
  hd_dim elements = hd_shapes_num_elements(g->shapes, full);
  if (!elements) return;
  hd_dim moved = hd_dim_mul(t, elements, hd_dim_const(t, moved_bytes(f, ops, full, elements)));
  int64_t known;
  bool is_known = hd_dim_is_const(t, moved, &known);
  if (is_known ? known <= LEAST : g->compact) return;
  hd_builder *b = &f->entry;
  g->stream = hd_arith_cmpi(b, HD_ARITH_CMPI_SGT, hd_generate_dim(g, moved), hd_generate_stream_bytes(g));
  if (interleaved) g->leader = full;
}

/* Elements that a window of the largest of |ops| has, up to |most|. */
static int64_t window_elements(const hd_kernel_ops *ops, int64_t most) {
  int64_t largest = 1;
  for (size_t i = 0; i < ops->count; ++i) {
    if (hd_buffer_opcode(ops->ops[i]) != HD_OP_stablehlo_reduce_window) continue;
    hd_attr window = hd_window_like_window_dimensions(ops->ops[i]);
    int64_t elements = 1;
    for (uint32_t d = 0; d < hd_operand_type(ops->ops[i], 0)->shaped.rank && elements < most; ++d)
      elements *= hd_attr_int_at(window, d) < most ? hd_attr_int_at(window, d) : most;
    if (elements > largest) largest = elements;
  }
  return largest < most ? largest : most;
}

/* Is |op| computed for each element of |full|? Others are of one number for each row, or of a small table. */
static bool is_of_each(hd_shapes *shapes, hd_op *op, hd_value *full) {
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i)
    if (hd_shapes_same(shapes, hd_operand(op, i), full)) return true;
  return hd_shapes_same(shapes, hd_buffer_output(op, 0), full);
}

int64_t hd_grain_elements(hd_shapes *shapes, const hd_kernel_ops *ops, hd_value *reduced) {
  enum {
    OF_NOTHING = 16384,
    EXPENSIVE = 4,
    OTHER = 2048, /* what may read many elements for one */
    LEAST = 1024,
    OF_WINDOWS = 4096 /* elements that windows have */
  };
  int64_t cost = 1;
  bool reads_one = true;
  for (size_t i = 0; i < ops->count; ++i) {
    hd_opcode opcode = hd_buffer_opcode(ops->ops[i]);
    if (!hd_buffer_input_count(ops->ops[i])) continue; /* a constant */
    if (reduced && !is_of_each(shapes, ops->ops[i], reduced)) continue;
    cost += hd_lowering_of(opcode)->is_expensive ? EXPENSIVE : 1;
    bool is_of_one = hd_op_info_of(opcode)->traits & (HD_TRAIT(ELEMENTWISE) | HD_TRAIT(MOVES_ELEMENTS));
    reads_one &= is_of_one || (reduced && hd_is_simple_reduction(ops->ops[i]));
  }
  int64_t elements = OF_NOTHING / cost > LEAST ? OF_NOTHING / cost : LEAST;
  int64_t window = window_elements(ops, OF_WINDOWS), of_windows = window > 1 ? OF_WINDOWS / window : OF_NOTHING;
  if (!reads_one && elements > OTHER) elements = OTHER;
  return elements < of_windows ? elements : of_windows;
}

static hd_value *first_item(hd_builder *b, hd_value *part, hd_value *parts) {
  hd_value *last = hd_build_binary(b, HD_OP_arith_subi, parts, hd_build_index(b, 1));
  return hd_build_binary(b, HD_OP_arith_divui, hd_build_binary(b, HD_OP_arith_addi, part, last), parts);
}

void hd_frame_divide(hd_frame *f, hd_dim items, hd_dim elements, int64_t per_grain, hd_kernel_launch *out) {
  hd_generator *g = &f->g;
  hd_dim_table *t = &g->shapes->table;
  hd_dim one = hd_dim_const(t, 1), grain = hd_dim_const(t, per_grain);
  out->extent = items;
  out->grain = hd_dim_ceildiv(t, grain, hd_dim_max(t, elements, one));
  if (!out->grain) out->grain = one; /* a dim that is too long an expression already */
  hd_dim parts = hd_dim_max(t, hd_dim_floordiv(t, elements, grain), one);
  hd_dim all = hd_dim_sub(t, hd_dim_mul(t, items, parts), hd_dim_sub(t, parts, one));
  all = hd_dim_max(t, all, hd_dim_const(t, 0));
  int64_t known;
  if (!all || (hd_dim_is_const(t, parts, &known) && known == 1)) return;
  out->extent = all;
  hd_value *count = hd_generate_dim(g, parts);
  f->begin = first_item(&f->entry, f->begin, count);
  f->end = first_item(&f->entry, f->end, count);
}

static hd_attr argument_attrs(hd_context *context, bool alone) {
  hd_named_attr attrs[1] = {{hd_name_ident(context, HD_NAME_llvm_noalias), hd_attr_unit(context)}};
  return hd_attr_dict(context, attrs, alone ? 1 : 0);
}

hd_value *hd_kernel_donor(const hd_shapes *shapes, const hd_value *output) {
  hd_op *alloc = hd_value_op(output);
  int64_t donor = alloc ? hd_discardable_donor(alloc) : -1;
  hd_block *entry = hd_op_region(shapes->func, 0)->first;
  return donor >= 0 && donor < entry->arg_count ? entry->args[donor] : NULL;
}

/* Is |argument| an output that may be in an input's memory, or that input? */
static bool may_overlap(const hd_frame *f, const hd_value *argument) {
  for (size_t o = 0; o < f->ops->output_count; ++o) {
    hd_value *donor = hd_kernel_donor(f->g.shapes, f->ops->outputs[o]);
    hd_value *memory = donor ? hd_map_get(&f->g.arguments, donor) : NULL;
    if (memory && (memory == argument || hd_map_get(&f->g.arguments, f->ops->outputs[o]) == argument)) return true;
  }
  return false;
}

bool hd_frame_close(hd_frame *f, hd_kernel_launch *out) {
  hd_generator *g = &f->g;
  hd_context *context = f->entry.context;
  hd_build_op(&f->entry, HD_OP_func_return, NULL, 0, NULL, 0, NULL, 0, 0);
  hd_block *entry = hd_op_region(g->kernel, 0)->first;
  hd_type *types = hd_new_array(g->arena, hd_type, entry->arg_count);
  hd_attr *attrs = hd_new_array(g->arena, hd_attr, entry->arg_count);
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    types[i] = entry->args[i]->type;
    attrs[i] = argument_attrs(context, types[i]->kind == HD_TYPE_MEMREF && !may_overlap(f, entry->args[i]));
  }
  hd_function_like_set_function_type(g->kernel,
                                     hd_attr_type(hd_type_function(context, types, entry->arg_count, NULL, 0)));
  hd_function_like_set_arg_attrs(g->kernel, hd_attr_array(context, attrs, entry->arg_count));
  out->func = g->kernel;
  out->operands = g->operands.data;
  out->dims = g->dims.data;
  out->operand_count = g->operands.len;
  return !g->failed || hd_op_error(f->ops->ops[0], "has a size that is not known where it is launched");
}

/* |map|[d] is the root dim that dim d of |buffer| stands for, or -1 for a size-1 dim that is always indexed by 0.
 * |as_roots|: it is read at the index of the roots. */
static void merge_walk(hd_generator *g, hd_value *buffer, const int *map, uint32_t rank, uint32_t root_rank,
                       bool *merged, hd_map *seen, bool as_roots) {
  /* A pair survives an access that has both dims as neighbours, or neither. */
  for (uint32_t d = 0; d + 1 < root_rank; ++d) {
    int at = -1, next = -1;
    for (uint32_t i = 0; i < rank; ++i) {
      if (map[i] == (int)d) at = (int)i;
      if (map[i] == (int)d + 1) next = (int)i;
    }
    if ((at < 0) != (next < 0) || (at >= 0 && next != at + 1)) merged[d] = false;
  }
  hd_op *writer = hd_map_get(&g->writers, buffer);
  if (!writer || hd_map_get(&g->fixed, buffer)) return;
  /* the same walk again: all below allows the same pairs */
  const void *key[1 + HD_COMPILED_MAX_RANK] = {buffer};
  for (uint32_t i = 0; i < rank; ++i) key[1 + i] = (const void *)(intptr_t)(map[i] + 2);
  bool is_new;
  hd_map_insert_bytes(g->arena, seen, key, sizeof key, &is_new);
  if (g->pieces && g->pieces->op == writer && as_roots) { /* the dims from its axis on are one in each piece */
    if (!is_new) return;
    for (uint32_t d = 0; d < g->pieces->axis; ++d) merged[d] = false;
    for (uint32_t i = 0; i < hd_buffer_input_count(writer); ++i)
      if (hd_type_rank(hd_operand_type(writer, i)) == rank)
        merge_walk(g, hd_operand(writer, i), map, rank, root_rank, merged, seen, false);
    return;
  }
  if (g->pieces && g->pieces->op == writer) is_new = true; /* where it is read at another index, dims are dims */
  hd_opcode opcode = hd_buffer_opcode(writer);
  bool broadcast = hd_is_broadcast_in_dim_like(writer);
  if (!is_new) return;
  if (opcode == HD_OP_stablehlo_constant) return;
  if (hd_is_reshape_like(writer) && hd_generate_by_position(g, hd_operand(writer, 0))) return;
  if (broadcast) {
    hd_attr dims = hd_broadcast_in_dim_like_broadcast_dimensions(writer);
    hd_value *operand = hd_operand(writer, 0);
    int inner[HD_COMPILED_MAX_RANK];
    uint32_t inner_rank = hd_type_rank(operand->type);
    for (uint32_t d = 0; d < inner_rank; ++d) {
      uint32_t to = (uint32_t)hd_attr_int_at(dims, d);
      hd_dim from_dim = hd_shapes_dim(g->shapes, operand, d), to_dim = hd_shapes_dim(g->shapes, buffer, to);
      int64_t one;
      if (hd_dim_equal(&g->shapes->table, from_dim, to_dim)) {
        inner[d] = map[to];
      } else if (hd_dim_is_const(&g->shapes->table, from_dim, &one) && one == 1) {
        inner[d] = -1;
      } else { /* one or equal: keep the dim apart from its neighbours */
        inner[d] = map[to];
        if (map[to] >= 0 && map[to] + 1 < (int)root_rank) merged[map[to]] = false;
        if (map[to] > 0) merged[map[to] - 1] = false;
      }
    }
    merge_walk(g, operand, inner, inner_rank, root_rank, merged, seen, false);
    return;
  }
  if (opcode == HD_OP_stablehlo_transpose) {
    hd_attr permutation = hd_stablehlo_transpose_permutation(writer);
    int inner[HD_COMPILED_MAX_RANK];
    for (uint32_t i = 0; i < rank; ++i) inner[hd_attr_int_at(permutation, i)] = map[i];
    merge_walk(g, hd_operand(writer, 0), inner, rank, root_rank, merged, seen, false);
    return;
  }
  uint32_t inputs = hd_buffer_input_count(writer);
  if (hd_is_elementwise(writer)) {
    for (uint32_t i = 0; i < inputs; ++i)
      if (hd_type_rank(hd_operand_type(writer, i)) == rank)
        merge_walk(g, hd_operand(writer, i), map, rank, root_rank, merged, seen, as_roots);
    return;
  }
  /* Anything else looks at its indices one by one. A row reduction keeps its leading dims. */
  if (opcode == HD_OP_stablehlo_reduce && hd_is_row_reduction(writer)) {
    int inner[HD_COMPILED_MAX_RANK];
    uint32_t full = hd_type_rank(hd_operand_type(writer, 0));
    for (uint32_t d = 0; d < full; ++d) inner[d] = d < rank ? map[d] : (int)d;
    if (full == root_rank) {
      merge_walk(g, hd_operand(writer, 0), inner, full, root_rank, merged, seen, false);
      return;
    }
  }
  for (uint32_t i = 0; i < rank; ++i)
    for (int d = map[i] - 1; d <= map[i]; ++d)
      if (d >= 0 && d + 1 < (int)root_rank) merged[d] = false;
}

void hd_merge_dims(hd_generator *g, hd_value *const *roots, size_t root_count, uint32_t rank, bool *out) {
  int identity[HD_COMPILED_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) {
    out[d] = d + 1 < rank;
    identity[d] = (int)d;
  }
  hd_map seen = {0};
  for (size_t i = 0; i < root_count; ++i)
    merge_walk(g, roots[i], identity, hd_type_rank(roots[i]->type), rank, out, &seen, true);
}

void hd_delinearize(hd_generator *g, hd_value *root, const bool *merged, uint32_t from, uint32_t to, hd_value *linear,
                    hd_lane_index *out) {
  hd_lanes l = {g->b, 0};
  hd_lane_index rest = hd_lane_scalar(linear);
  for (uint32_t d = to; d-- > from;) {
    out[d] = hd_lane_const(l, 0);
    uint32_t first = d;
    while (first > from && merged[first - 1]) out[--first] = hd_lane_const(l, 0);
    if (first == from) {
      out[d] = rest;
    } else {
      hd_dim size = hd_dim_const(&g->shapes->table, 1);
      for (uint32_t i = first; i <= d; ++i)
        size = hd_dim_mul(&g->shapes->table, size, hd_shapes_dim(g->shapes, root, i));
      int64_t one;
      if (!(hd_dim_is_const(&g->shapes->table, size, &one) && one == 1)) {
        hd_lane_index by = hd_lane_scalar(hd_generate_dim(g, size));
        out[d] = hd_lane_rem(l, rest, by);
        rest = hd_lane_div(l, rest, by);
      }
    }
    d = first;
  }
}

/* Ops on vectors: a short body runs on several at once; a long one is not made twice, unless whole vectors are loaded
 * by shuffles in it, which under a mask are gathers of many times their cost. */
enum { TOGETHER = 4, SHORT_BODY = 8 /* the step included */, LONG_BODY = 64, LONG_SHUFFLED_BODY = 1024 };

typedef struct body_ops {
  uint32_t vectors, shuffles;
} body_ops;

static bool count_vector_op(hd_op *op, void *user) {
  body_ops *count = user;
  bool constant = hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE));
  count->vectors += !constant && op->result_count && hd_result(op, 0)->type->kind == HD_TYPE_VECTOR;
  count->shuffles += hd_op_is(op, HD_OP_vector_shuffle);
  return true;
}

static body_ops body_length(hd_op *loop) {
  body_ops count = {0};
  hd_for_each_op(op, hd_op_region(loop, 0)->first) hd_walk_pre(op, count_vector_op, &count);
  return count;
}

/* Is the start of a loop a multiple of the lanes: a number, or one times a number? */
static bool starts_whole(hd_value *lower, uint32_t lanes) {
  int64_t value;
  if (hd_value_constant_int(lower, &value)) return value % lanes == 0;
  hd_op *op = hd_value_op(lower);
  return hd_op_is(op, HD_OP_arith_muli) && hd_value_constant_int(hd_operand(op, 1), &value) && value % lanes == 0;
}

/* Puts a loop over TOGETHER vectors at once before |loop|, which then does what is left. */
static bool unroll_before(hd_generator *g, hd_op *loop, hd_value *length, hd_vector_body body, hd_vector_join join,
                          void *user) {
  hd_builder b = hd_builder_before(loop), *outer = g->b;
  b.loc = loop->loc;
  uint32_t count = loop->result_count, at = 0;
  hd_value **partial = hd_new_array(g->arena, hd_value *, (size_t)TOGETHER * count);
  for (uint32_t i = 0; i < TOGETHER * count; ++i) partial[i] = hd_operand(loop, 3 + i % count);
  hd_value *lower = hd_operand(loop, 0);
  hd_value *whole = hd_build(&b, HD_OP_arith_andi, length->type, length, hd_build_index(&b, -TOGETHER * HD_LANES));
  hd_value *end = hd_build(&b, HD_OP_arith_addi, length->type, lower, whole);
  hd_op *wide = hd_build_for(&b, lower, end, hd_build_index(&b, TOGETHER * HD_LANES), partial, TOGETHER * count);
  hd_block *block = hd_op_region(wide, 0)->first;
  hd_builder inside = hd_builder_at_end(b.module, block);
  inside.loc = b.loc;
  g->b = &inside;
  for (uint32_t i = 0; i < TOGETHER * count; ++i) partial[i] = block->args[1 + i];
  bool ok = true;
  for (uint32_t v = 0; v < TOGETHER && ok; ++v, at += count) {
    hd_lanes l = hd_generator_lanes(g);
    hd_lane_index i = {.scalar = block->args[0], .step = 1, .whole = starts_whole(lower, HD_LANES)};
    ok = body(g, user, hd_lane_add(l, i, hd_lane_const(l, (int64_t)v * HD_LANES)), partial + at);
  }
  if (ok) hd_build_yield(&inside, partial, TOGETHER * count);
  g->b = &b;
  for (uint32_t i = 0; i < TOGETHER * count; ++i) partial[i] = hd_result(wide, i);
  for (uint32_t step = TOGETHER / 2; step && ok; step /= 2)
    for (uint32_t v = 0; v < step && ok; ++v) ok = join(g, user, partial + v * count, partial + (v + step) * count);
  hd_op_set_operand(loop, 0, end);
  for (uint32_t i = 0; i < count; ++i) hd_op_set_operand(loop, 3 + i, partial[i]);
  g->b = outer;
  return ok;
}

/* The loop over [lower, end) by vectors of |g->lanes|; |masked|: the last one
 * may be part of one. Null after an error. */
static hd_op *vectors(hd_generator *g, hd_value *lower, hd_value *end, bool masked, hd_value **values,
                      uint32_t value_count, hd_vector_body body, void *user) {
  hd_builder *outer = g->b;
  hd_type index = hd_type_index(outer->context);
  hd_op *loop = hd_build_for(outer, lower, end, hd_build_index(outer, g->lanes), values, value_count);
  hd_block *block = hd_op_region(loop, 0)->first;
  hd_builder inside = hd_builder_at_end(outer->module, block);
  inside.loc = outer->loc;
  g->b = &inside;
  if (masked) {
    hd_value *left = hd_build(&inside, HD_OP_arith_subi, index, end, block->args[0]), *full;
    full = hd_build_index(&inside, g->lanes);
    g->mask = hd_build(&inside, HD_OP_vector_create_mask, hd_lanes_type(hd_i1(outer->context), g->lanes), left);
    g->whole = hd_arith_cmpi(&inside, HD_ARITH_CMPI_SGE, left, full);
  }
  for (uint32_t i = 0; i < value_count; ++i) values[i] = block->args[1 + i];
  bool ok = body(g, user, (hd_lane_index){.scalar = block->args[0], .step = 1, .whole = starts_whole(lower, g->lanes)},
                 values);
  if (ok) hd_build_yield(&inside, values, value_count);
  for (uint32_t i = 0; i < value_count; ++i) values[i] = hd_result(loop, i);
  g->mask = g->whole = NULL;
  g->b = outer;
  return ok ? loop : NULL;
}

/* What is left after the full vectors, |rest| elements from |begin| on, which is a multiple of the lanes when |even|.
 */
static bool masked_tail(hd_generator *g, hd_value *begin, bool even, hd_value *rest, hd_value **values,
                        uint32_t value_count, hd_vector_body body, void *user) {
  hd_builder *outer = g->b;
  hd_type *types = hd_new_array(g->arena, hd_type, value_count);
  for (uint32_t i = 0; i < value_count; ++i) types[i] = values[i]->type;
  hd_value *some = hd_arith_cmpi(outer, HD_ARITH_CMPI_NE, rest, hd_build_index(outer, 0));
  hd_op *tail = hd_build_if(outer, some, types, value_count, false);
  hd_builder masked = hd_builder_at_end(outer->module, hd_op_region(tail, 0)->first);
  masked.loc = outer->loc;
  g->b = &masked;
  g->mask = hd_build(&masked, HD_OP_vector_create_mask, hd_lanes_type(hd_i1(outer->context), HD_LANES), rest);
  hd_value **kept = hd_new_array(g->arena, hd_value *, value_count);
  for (uint32_t i = 0; i < value_count; ++i) kept[i] = values[i];
  bool ok = body(g, user, (hd_lane_index){.scalar = begin, .step = 1, .whole = even}, values);
  if (ok) hd_build_yield(&masked, values, value_count);
  if (ok && value_count) {
    hd_builder other = hd_builder_at_end(outer->module, hd_op_region(tail, 1)->first);
    hd_build_yield(&other, kept, value_count);
  }
  for (uint32_t i = 0; i < value_count; ++i) values[i] = hd_result(tail, i);
  g->mask = NULL;
  g->b = outer;
  return ok;
}

bool hd_vector_loop(hd_generator *g, hd_value *lower, hd_value *upper, hd_dim size, hd_value **values,
                    uint32_t value_count, hd_vector_body body, hd_vector_join join, void *user) {
  hd_dim_table *t = &g->shapes->table;
  hd_type index = hd_type_index(g->b->context);
  int64_t known;
  bool less_than_one = hd_dim_is_const(t, size, &known) && known > 0 && known < HD_LANES,
       whole = size && hd_dim_divisor(t, size) % HD_LANES == 0;
  hd_value *length = hd_build(g->b, HD_OP_arith_subi, index, upper, lower), *rest = length, *end = lower;
  if (whole) {
    end = upper;
  } else if (!less_than_one) {
    rest = hd_build(g->b, HD_OP_arith_andi, index, length, hd_build_index(g->b, HD_LANES - 1));
    end = hd_build(g->b, HD_OP_arith_subi, index, upper, rest);
  }
  uint32_t lanes = g->lanes;
  bool even = starts_whole(lower, HD_LANES);
  g->mask = NULL;
  if (g->wide && !less_than_one && !value_count && !g->compact) {
    g->lanes = g->wide; /* most of it, then by HD_LANES */
    hd_value *many = hd_build(g->b, HD_OP_arith_andi, index, length, hd_build_index(g->b, -(int64_t)g->wide));
    hd_value *from = lower;
    lower = hd_build(g->b, HD_OP_arith_addi, index, lower, many);
    if (!vectors(g, from, lower, false, values, 0, body, user)) return false;
  }
  g->lanes = HD_LANES;
  hd_value **start = hd_new_array(g->arena, hd_value *, value_count);
  for (uint32_t i = 0; i < value_count; ++i) start[i] = values[i];
  bool joins = join && value_count; /* then it is the body's length that says in which order is added up */
  bool once = g->compact && !whole && !less_than_one && !joins;
  hd_op *loop = less_than_one || once ? NULL : vectors(g, lower, end, false, values, value_count, body, user);
  bool ok = less_than_one || once || loop;
  body_ops length_of = ok && loop ? body_length(loop) : (body_ops){0};
  uint32_t is_long = g->compact ? SHORT_BODY + 1 : length_of.shuffles ? LONG_SHUFFLED_BODY : LONG_BODY;
  if (once || (ok && loop && !whole && length_of.vectors >= is_long)) {
    if (loop) hd_op_erase(loop);
    for (uint32_t i = 0; i < value_count; ++i) values[i] = start[i];
    ok = vectors(g, lower, upper, true, values, value_count, body, user) != NULL;
  } else {
    if (ok && loop && joins && length_of.vectors <= SHORT_BODY) ok = unroll_before(g, loop, length, body, join, user);
    ok = ok && (whole || masked_tail(g, end, even, rest, values, value_count, body, user));
  }
  g->lanes = lanes;
  return ok;
}
