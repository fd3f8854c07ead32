/* SPDX-License-Identifier: Apache-2.0 */
/* Row kernels: reductions of trailing dims stitched to what makes and what uses their operands.
 *
 *   for row in [begin, end):
 *     stage 0:  for i by vectors: accumulate every reduction whose operand needs no other reduction
 *     stage 1:  the same for reductions that need results of stage 0 ...
 *     last:     for i by vectors: store the outputs of the row's shape
 *     store the outputs that are one number a row
 *
 * An expensive value that a later stage uses again (softmax's exponential) is cached in the row of an output, which is
 * written only afterwards at the same place.
 *
 * An output of the full shape may be in an input's memory (hd.donor): all that depends on that input's elements is of
 * the full shape and computed element by element, or a reduction. So nothing but this item reads the row, the last
 * stage reads an element before it writes it, and a value is kept there only if no later stage reads the input. */
#include "codegen/emit/frame.h"
#include "codegen/emit/lower.h"
#include "codegen/emit/reduction.h"
#include "ir/ops/stablehlo.h"
#include "runtime/libraries/product_abi.h"

typedef struct row_state {
  hd_frame f;
  const hd_kernel_ops *ops;
  hd_value *full; /* a buffer of the full shape: an operand of a reduction */
  uint32_t rank, first_reduced;
  hd_lane_index outer[HD_COMPILED_MAX_RANK];
  hd_map stages; /* buffer -> stage + 1 */
  hd_op **reductions;
  uint32_t reduction_count;
  hd_value *kept, *cached_in; /* |kept| is in the row of output |cached_in| after |kept_stage| */
  uint32_t kept_stage;
  uint32_t stage; /* being emitted */
  uint32_t last;
  hd_value *limit; /* how many of a row's elements count; null: all */
} row_state;

static uint32_t stage_of(row_state *s, hd_value *buffer) { return hd_stage_of(&s->stages, buffer); }

/* Whether |output| is written by whole rows, not by one number a row. */
static bool is_full(row_state *s, hd_value *output) {
  return hd_type_rank(output->type) == s->rank && hd_shapes_same(s->f.g.shapes, output, s->full);
}

/* Is |donor| read after |kept| has been written over it? Reductions start from its elements in the stage of their
 * operand, outputs in the last; what comes from |kept| is read where that is. */
static bool is_read_later(row_state *s, hd_value *donor, hd_value *kept) {
  hd_vec(hd_value *) values = {0};
  hd_map seen = {0};
  hd_vec_push(s->f.g.arena, &values, donor);
  for (size_t i = 0; i < values.len; ++i) {
    for (size_t o = 0; o < s->ops->output_count; ++o)
      if (s->ops->outputs[o] == values.data[i]) return true;
    hd_for_each_use(use, values.data[i]) {
      hd_op *op = use->owner;
      if (!op->info->derived_from || use->index >= hd_buffer_input_count(op)) continue;
      hd_value *out = hd_buffer_output(op, 0);
      bool is_new;
      if (out == kept || hd_map_get(&s->f.g.writers, out) != op) continue;
      if (hd_is_row_reduction(op)) {
        if (stage_of(s, values.data[i]) > stage_of(s, kept)) return true;
        continue;
      }
      hd_map_insert(s->f.g.arena, &seen, out, &is_new);
      if (is_new) hd_vec_push(s->f.g.arena, &values, out);
    }
  }
  return false;
}

/* An expensive value that a reduction of an early stage reads and that a later
 * stage uses too, and an output to keep it in. */
static void plan_kept(row_state *s) {
  for (size_t i = 0; i < s->ops->count; ++i) {
    hd_op *op = s->ops->ops[i];
    hd_value *value = hd_buffer_output(op, 0);
    if (!hd_lowering_of(hd_buffer_opcode(op))->is_expensive || hd_type_rank(value->type) != s->rank) continue;
    bool early = false, late = false;
    hd_for_each_use(use, value) {
      if (!use->owner->info->derived_from || use->owner == op) continue; /* a return, a loop: not of this kernel */
      if (!hd_map_get(&s->f.g.writers, hd_buffer_output(use->owner, 0))) continue;
      if (hd_is_row_reduction(use->owner))
        early = true;
      else if (stage_of(s, hd_buffer_output(use->owner, 0)) > stage_of(s, value))
        late = true;
    }
    if (!early || !late) continue;
    for (size_t o = 0; o < s->ops->output_count; ++o) {
      hd_value *output = s->ops->outputs[o];
      if (output == value || output->type != value->type ||
          hd_compute_type(hd_type_element(output->type)) != hd_type_element(output->type))
        continue;
      if (hd_type_rank(output->type) != s->rank || !hd_shapes_same(s->f.g.shapes, output, value)) continue;
      hd_value *donor = hd_kernel_donor(s->f.g.shapes, output);
      if (donor && is_read_later(s, donor, value)) continue;
      s->kept = value;
      s->cached_in = output;
      s->kept_stage = stage_of(s, value);
      return;
    }
  }
}

static int reduction_kind(hd_op *op) {
  return hd_combining_of(hd_opcode_get(hd_op_reducer(op)), hd_type_element(hd_operand_type(op, 0))).vector_kind;
}

static hd_index_tuple *full_index(row_state *s, hd_generator *g, hd_lane_index i) {
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  for (uint32_t d = 0; d < s->rank; ++d)
    at->at[d] = d < s->first_reduced ? s->outer[d] : hd_lane_const(hd_generator_lanes(g), 0);
  at->at[s->rank - 1] = i;
  return at;
}

static bool in_stage(row_state *s, hd_op *reduction) { return stage_of(s, hd_operand(reduction, 0)) == s->stage; }

static bool stage_body(hd_generator *g, void *user, hd_lane_index i, hd_value **values) {
  row_state *s = user;
  hd_index_tuple *at = full_index(s, g, i);
  uint32_t n = 0;
  hd_element value;
  for (uint32_t r = 0; r < s->reduction_count; ++r) {
    hd_op *op = s->reductions[r];
    if (!in_stage(s, op)) continue;
    if (!hd_generate(g, hd_operand(op, 0), at, &value)) return false;
    if (g->mask) value = hd_emit_select(g->b, g->mask, value, hd_reduction_identity(g->b, op, g->lanes));
    if (!hd_reduction_combine(g->b, op, (hd_element){values[n], NULL}, value, g->lanes, &value)) return false;
    values[n++] = value.re;
  }
  if (s->kept && s->stage == s->kept_stage && s->stage < s->last) {
    if (!hd_generate(g, s->kept, at, &value) || !hd_generate_store(g, s->cached_in, at, value)) return false;
  }
  if (s->stage < s->last) return true;
  /* All are computed before one is stored: what is kept is in the memory of one of them. */
  hd_element *elements = hd_new_array(g->arena, hd_element, s->ops->output_count);
  for (size_t o = 0; o < s->ops->output_count; ++o)
    if (is_full(s, s->ops->outputs[o]) && !hd_generate(g, s->ops->outputs[o], at, &elements[o])) return false;
  for (size_t o = 0; o < s->ops->output_count; ++o)
    if (is_full(s, s->ops->outputs[o]) && !hd_generate_store(g, s->ops->outputs[o], at, elements[o])) return false;
  return true;
}

/* Puts the partial results |others| of the stage's reductions into |values|. */
static bool stage_join(hd_generator *g, void *user, hd_value **values, hd_value *const *others) {
  row_state *s = user;
  uint32_t n = 0;
  for (uint32_t r = 0; r < s->reduction_count; ++r) {
    hd_element value;
    if (!in_stage(s, s->reductions[r])) continue;
    if (!hd_reduction_combine(g->b, s->reductions[r], (hd_element){values[n], NULL}, (hd_element){others[n], NULL},
                              g->lanes, &value))
      return false;
    values[n++] = value.re;
  }
  return true;
}

/* The horizontal reduction of the lanes, with the initial value. */
static bool finish_reduction(row_state *s, hd_op *op, hd_value *accumulator) {
  hd_generator *g = &s->f.g;
  hd_builder *b = g->b;
  /* The order of lanes is fixed by the hardware-independent tree of the back end: reassociation is the reduction's own.
   */
  hd_attr_arg attrs[] = {{HD_NAME_kind, hd_attr_enum(b->context, HD_ENUM_vector_kind, reduction_kind(op))},
                         {HD_NAME_fastmath, hd_attr_of_arith_fastmath(b->context, HD_ARITH_FASTMATH_REASSOC)}};
  hd_type part = hd_type_element(accumulator->type);
  hd_value *scalar =
      hd_build_one_(b, HD_OP_vector_reduction, part, &accumulator, 1, attrs, part->kind == HD_TYPE_FLOAT ? 2 : 1);
  hd_element init, *result = hd_new(g->arena, hd_element);
  if (!hd_generate(g, hd_operand(op, 1), hd_new_tuple(g, 0), &init)) return false;
  if (!hd_reduction_combine(g->b, op, init, (hd_element){scalar, NULL}, 0, result)) return false;
  hd_map_set(g->arena, &g->fixed, hd_buffer_output(op, 0), result);
  return true;
}

static bool emit_row(row_state *s, hd_dim inner) {
  hd_generator *g = &s->f.g;
  hd_value *size = hd_generate_dim(g, inner), **values = hd_new_array(g->arena, hd_value *, s->reduction_count);
  if (s->limit) size = hd_build(g->b, HD_OP_arith_minsi, size->type, size, s->limit);
  for (s->stage = 0; s->stage <= s->last; ++s->stage) {
    uint32_t n = 0;
    for (uint32_t r = 0; r < s->reduction_count; ++r)
      if (in_stage(s, s->reductions[r])) values[n++] = hd_reduction_identity(g->b, s->reductions[r], HD_LANES).re;
    bool stores = s->stage == s->last;
    if (stores && !n) { /* is there anything of the row's shape to write? */
      stores = false;
      for (size_t o = 0; o < s->ops->output_count; ++o) stores |= is_full(s, s->ops->outputs[o]);
    }
    if (!n && !stores) continue;
    /* After its stage the kept value is what the output's row holds. */
    if (s->kept && s->stage > s->kept_stage) hd_map_set(g->arena, &g->stored, s->kept, s->cached_in);
    if (!hd_vector_loop(g, hd_build_index(g->b, 0), size, inner, values, n, stage_body, stage_join, s)) return false;
    n = 0;
    for (uint32_t r = 0; r < s->reduction_count; ++r)
      if (in_stage(s, s->reductions[r]) && !finish_reduction(s, s->reductions[r], values[n++])) return false;
  }
  /* Outputs that are one number a row. */
  for (size_t o = 0; o < s->ops->output_count; ++o) {
    hd_value *output = s->ops->outputs[o];
    uint32_t rank = hd_type_rank(output->type);
    if (is_full(s, output)) continue;
    hd_index_tuple *at = hd_new_tuple(g, rank);
    for (uint32_t d = 0; d < rank; ++d)
      at->at[d] = d < s->first_reduced ? s->outer[d] : hd_lane_const(hd_generator_lanes(g), 0);
    hd_element value;
    if (!hd_generate(g, output, at, &value) || !hd_generate_store(g, output, at, value)) return false;
  }
  return true;
}

/* Dims are merged by all accesses: of the outputs of full shape and of the reductions' operands. */
static void merge_dims(hd_generator *g, const row_state *s, bool *merged) {
  hd_value **roots = hd_new_array(g->arena, hd_value *, s->reduction_count + s->ops->output_count);
  size_t root_count = 0;
  for (uint32_t r = 0; r < s->reduction_count; ++r) roots[root_count++] = hd_operand(s->reductions[r], 0);
  for (size_t o = 0; o < s->ops->output_count; ++o) roots[root_count++] = s->ops->outputs[o];
  hd_merge_dims(g, roots, root_count, s->rank, merged);
}

static bool find_reductions(row_state *s, hd_arena *arena) {
  s->reductions = hd_new_array(arena, hd_op *, s->ops->count);
  for (size_t i = 0; i < s->ops->count; ++i)
    if (hd_is_row_reduction(s->ops->ops[i])) s->reductions[s->reduction_count++] = s->ops->ops[i];
  if (!s->reduction_count) return false;
  s->full = hd_operand(s->reductions[0], 0);
  s->rank = hd_type_rank(s->full->type);
  s->first_reduced = s->rank - (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(s->reductions[0]));
  return true;
}

bool hd_row_kernel_fits(hd_shapes *shapes, const hd_kernel_ops *ops, hd_arena *arena) {
  row_state s = {.ops = ops};
  if (!find_reductions(&s, arena) || s.rank > HD_COMPILED_MAX_RANK) return true; /* the emitter says what is wrong */
  hd_generator g;
  hd_generator_init(&g, shapes, NULL, NULL, ops->ops, ops->count, arena);
  bool merged[HD_COMPILED_MAX_RANK] = {false};
  merge_dims(&g, &s, merged);
  for (uint32_t d = s.first_reduced; d + 1 < s.rank; ++d)
    if (!merged[d]) return false;
  return true;
}

static bool emit(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, bool limited, hd_arena *arena,
                 hd_kernel_launch *out) {
  row_state s = {.ops = ops};
  hd_frame_open(&s.f, shapes, ops, name, arena);
  hd_generator *g = &s.f.g;
  if (limited)
    s.limit = hd_block_insert_arg(s.f.entry.module, hd_op_region(g->kernel, 0)->first,
                                  HD_WORD(hd_attention_row_descriptor, keys), hd_type_index(s.f.entry.context));
  s.last = hd_plan_stages(ops, &s.stages, arena);
  find_reductions(&s, arena);
  hd_op *first = s.reductions[0];
  if (s.rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(first, "has rank %u, expected at most %d in a kernel", s.rank, HD_COMPILED_MAX_RANK);
  plan_kept(&s);
  if (!s.kept && !limited) hd_frame_stream(&s.f, ops, s.full, false);
  bool merged[HD_COMPILED_MAX_RANK] = {false};
  merge_dims(g, &s, merged);
  for (uint32_t d = s.first_reduced; d + 1 < s.rank; ++d)
    if (!merged[d]) return hd_op_error(first, "reduces dims that its kernel cannot walk as one");
  if (s.first_reduced) merged[s.first_reduced - 1] = false;
  hd_dim_table *t = &shapes->table;
  hd_dim inner = hd_dim_const(t, 1), rows = hd_dim_const(t, 1);
  for (uint32_t d = 0; d < s.rank; ++d) {
    hd_dim dim = hd_shapes_dim(shapes, s.full, d);
    if (d < s.first_reduced)
      rows = hd_dim_mul(t, rows, dim);
    else
      inner = hd_dim_mul(t, inner, dim);
  }
  if (limited) /* the library that calls it says which rows */
    out->extent = rows, out->grain = hd_dim_const(t, 1);
  else
    hd_frame_divide(&s.f, rows, inner, hd_grain_elements(shapes, ops, s.full), out);

  hd_builder *b = &s.f.entry;
  hd_op *loop = hd_build_for(b, s.f.begin, s.f.end, hd_build_index(b, 1), NULL, 0);
  hd_builder body = hd_builder_at_end(b->module, hd_op_region(loop, 0)->first);
  body.loc = b->loc;
  g->b = &body;
  hd_delinearize(g, s.full, merged, 0, s.first_reduced, hd_op_region(loop, 0)->first->args[0], s.outer);
  bool ok = emit_row(&s, inner);
  hd_build_yield(&body, NULL, 0);
  g->b = b;
  ok &= hd_frame_close(&s.f, out);
  return ok;
}

bool hd_emit_row_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                        hd_kernel_launch *out) {
  return emit(shapes, ops, name, false, arena, out);
}

bool hd_emit_limited_row_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                                hd_kernel_launch *out) {
  return emit(shapes, ops, name, true, arena, out);
}
