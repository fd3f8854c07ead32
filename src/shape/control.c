/* SPDX-License-Identifier: Apache-2.0 */
/* Loops, branches, and what regions use from outside.
 *
 * A carried dim is what it is at the start when the body provably gives it back; else it is a symbol of its own for
 * each place where the value is seen (in the condition, in the body, after the loop), since it has another value at
 * each. So is a dim that two branches do not provably give alike. Nothing that a region computes names a dim outside of
 * it. */
#include "ir/ops/discardable.h"
#include "shape/infer.h"

enum { MAX_ROUNDS = 3, MAX_DEPTH = 4 };

static void set_arg_shape(hd_shapes *s, hd_value *arg, hd_value *from) {
  hd_value_shape *shape = hd_shapes_entry(s, arg);
  const hd_value_shape *source = hd_shapes_get(s, from);
  for (uint32_t i = 0; i < shape->rank && i < source->rank; ++i)
    if (!shape->dims[i]) shape->dims[i] = source->dims[i];
}

typedef struct inside {
  const hd_op *op;
  bool found;
} inside;

static void find_inside(void *user, const hd_symbol_origin *origin) {
  inside *in = user;
  in->found |= hd_op_is_ancestor(in->op, hd_block_parent_op(hd_value_block(origin->value)));
}

/* Does |dim| mention what the regions of |op| compute or carry? */
static bool is_inside(const hd_op *op, hd_dim dim) {
  inside in = {op, false};
  if (dim && dim->data_dependent) hd_dim_visit_symbols(dim, find_inside, &in);
  return in.found;
}

/* The dims of |value| are those of |from|, as far as they are known where |value| is. */
static void set_outer_shape(hd_shapes *s, hd_op *op, hd_value *value, hd_value *from) {
  hd_value_shape *shape = hd_shapes_entry(s, value);
  uint32_t rank = hd_shapes_get(s, from)->rank;
  for (uint32_t i = 0; i < shape->rank && i < rank; ++i) {
    hd_dim dim = hd_shapes_dim(s, from, i);
    if (!shape->dims[i] && !is_inside(op, dim)) shape->dims[i] = dim;
  }
  hd_shapes_get(s, value);
}

/* Carried integers are symbols of their own: what is computed from them is followed inside an iteration. */
static void set_arg_elements(hd_shapes *s, hd_value *arg) {
  hd_value_shape *shape = hd_shapes_entry(s, arg);
  for (uint32_t e = 0; e < shape->element_count; ++e) shape->elements[e] = hd_shapes_new_element(s, arg, e);
}

/* Forgets what is known of the values of a block, for another look at it. */
static void forget_block(hd_shapes *s, hd_block *block) {
  hd_for_each_op(op, block) {
    for (uint32_t i = 0; i < op->result_count; ++i) hd_map_set(s->arena, &s->values, hd_result(op, i), NULL);
    for (uint32_t r = 0; r < op->region_count; ++r)
      hd_for_each_block(inner, hd_op_region(op, r)) {
        for (uint32_t i = 0; i < inner->arg_count; ++i) hd_map_set(s->arena, &s->values, inner->args[i], NULL);
        forget_block(s, inner);
      }
  }
}

/* What a region gives must have the dims that are said to come out of it. */
static void demand_yield(hd_shapes *s, hd_op *yield, uint32_t i, uint32_t d, hd_dim expected) {
  hd_shapes_constrain(s, yield, HD_SHAPE_EQUAL, hd_shapes_dim(s, hd_operand(yield, i), d), hd_place_operand(i, d),
                      expected, hd_place_number());
}

/* The parts of a loop: of stablehlo.while and of scf.while, whose first region hands on what the second one takes. */
typedef struct loop {
  hd_op *op, *yield, *condition;
  hd_block *before, *body;
  uint32_t count;  /* of what is carried */
  bool **varies;   /* per carried value and dim */
  bool on_tensors; /* demands are made */
} loop;

/* The dims of |arg|: those at the start, symbols of its own for what varies. */
static void start_with(hd_shapes *s, const loop *l, hd_value *arg, uint32_t i, hd_value *start) {
  hd_map_set(s->arena, &s->values, arg, NULL);
  hd_value_shape *shape = hd_shapes_entry(s, arg);
  for (uint32_t d = 0; d < shape->rank; ++d)
    if (!shape->dims[d] && l->varies[i][d]) shape->dims[d] = hd_shapes_new_symbol(s, HD_SYMBOL_DIM, arg, d, NULL, 0);
  set_arg_shape(s, arg, start);
}

static void walk(hd_shapes *s, const loop *l) {
  for (uint32_t i = 0; i < l->count; ++i) {
    hd_value *start = hd_operand(l->op, i);
    start_with(s, l, l->before->args[i], i, start);
    if (l->on_tensors) set_arg_elements(s, l->before->args[i]);
  }
  hd_shapes_analyse_block(s, l->before);
  for (uint32_t i = 0; i < l->body->arg_count; ++i) {
    if (l->on_tensors) {
      start_with(s, l, l->body->args[i], i, hd_operand(l->op, i));
      set_arg_elements(s, l->body->args[i]);
    } else {
      hd_map_set(s->arena, &s->values, l->body->args[i], NULL);
      if (i + 1 < l->condition->operand_count)
        set_outer_shape(s, l->op, l->body->args[i], hd_operand(l->condition, i + 1));
    }
  }
  hd_shapes_analyse_block(s, l->body);
}

/* Marks the dims that a step may change; false: there are none that are not marked. */
static bool find_varying(hd_shapes *s, const loop *l, bool all) {
  bool found = false;
  for (uint32_t i = 0; i < l->count; ++i) {
    hd_value *arg = l->before->args[i], *next = hd_operand(l->yield, i);
    uint32_t rank = hd_shapes_get(s, arg)->rank;
    for (uint32_t d = 0; d < rank; ++d) {
      if (hd_type_dim(arg->type, d) != HD_DYNAMIC || l->varies[i][d]) continue;
      bool same = !all && hd_dim_equal(&s->table, hd_shapes_dim(s, arg, d), hd_shapes_dim(s, next, d));
      if (same) continue;
      l->varies[i][d] = found = true;
    }
  }
  return found;
}

/* How many loops hold |op|? */
static uint32_t depth_of(const hd_op *op) {
  uint32_t depth = 0;
  while ((op = hd_op_parent(op))) depth += hd_op_is(op, HD_OP_stablehlo_while) || hd_op_is(op, HD_OP_scf_while);
  return depth;
}

void hd_shapes_analyse_loop(hd_shapes *s, hd_op *op) {
  loop l = {.op = op, .count = op->operand_count, .on_tensors = hd_op_is(op, HD_OP_stablehlo_while)};
  l.before = op->region_count ? hd_op_region(op, 0)->first : NULL;
  l.body = op->region_count > 1 ? hd_op_region(op, 1)->first : NULL;
  l.condition = l.before ? l.before->last : NULL;
  l.yield = l.body ? l.body->last : NULL;
  if (!l.condition || !l.yield) return;
  if (l.before->arg_count < l.count) l.count = l.before->arg_count;
  if (l.yield->operand_count < l.count) l.count = l.yield->operand_count;
  if (l.on_tensors && l.body->arg_count != l.count) return;
  l.varies = hd_new_array(s->arena, bool *, l.count + 1);
  bool deep = depth_of(op) >= MAX_DEPTH;
  for (uint32_t i = 0; i < l.count; ++i) {
    hd_value *result = i < op->result_count && l.on_tensors ? hd_result(op, i) : NULL;
    hd_type type = l.before->args[i]->type;
    uint32_t rank = hd_type_has_rank(type) ? hd_type_rank(type) : 0;
    l.varies[i] = hd_new_array(s->arena, bool, rank + 1);
    /* Loops in loops are looked at again each time: far inside, what may vary is taken to do so at once. */
    for (uint32_t d = 0; d < rank && deep; ++d) l.varies[i][d] = hd_type_dim(type, d) == HD_DYNAMIC;
    if (!result) continue; /* declared dims are demanded of what comes in */
    hd_value_shape *declared = hd_shapes_entry(s, result);
    for (uint32_t d = 0; d < declared->rank; ++d)
      if (declared->dims[d])
        hd_shapes_constrain(s, op, HD_SHAPE_EQUAL, hd_shapes_dim(s, hd_operand(op, i), d), hd_place_operand(i, d),
                            declared->dims[d], hd_place_number());
  }
  size_t guards = s->guards.len;
  s->conditional += l.on_tensors;
  for (uint32_t round = 0;; ++round) {
    walk(s, &l);
    if (!find_varying(s, &l, round >= MAX_ROUNDS)) break;
    s->guards.len = guards; /* they are about other dims */
    forget_block(s, l.before);
    forget_block(s, l.body);
  }
  for (uint32_t i = 0; i < op->result_count && i < l.body->arg_count; ++i)
    set_outer_shape(s, op, hd_result(op, i), l.body->args[i]);
  for (uint32_t i = 0; i < l.count && l.on_tensors; ++i)
    for (uint32_t d = 0; d < hd_shapes_get(s, l.body->args[i])->rank; ++d)
      if (!l.varies[i][d]) demand_yield(s, l.yield, i, d, hd_shapes_dim(s, l.body->args[i], d));
  s->conditional -= l.on_tensors;
}

/* A dim is known after the arms when they provably agree; a declared one is demanded of them. Nothing checks that on
 * the level of buffers. */
void hd_shapes_analyse_branches(hd_shapes *s, hd_op *op) {
  bool checked = hd_op_is(op, HD_OP_stablehlo_if) || hd_op_is(op, HD_OP_stablehlo_case);
  ++s->conditional;
  for (uint32_t r = 0; r < op->region_count; ++r)
    if (hd_op_region(op, r)->first) hd_shapes_analyse_block(s, hd_op_region(op, r)->first);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value_shape *shape = hd_shapes_entry(s, hd_result(op, i));
    for (uint32_t d = 0; d < shape->rank; ++d) {
      hd_dim common = NULL;
      bool agree = true;
      for (uint32_t r = 0; r < op->region_count; ++r) {
        hd_block *block = hd_op_region(op, r)->first;
        hd_op *yield = block ? block->last : NULL;
        if (!yield || i >= yield->operand_count || d >= hd_shapes_get(s, hd_operand(yield, i))->rank) continue;
        if (shape->dims[d] && checked) demand_yield(s, yield, i, d, shape->dims[d]);
        hd_dim dim = hd_shapes_dim(s, hd_operand(yield, i), d);
        agree &= !common || hd_dim_equal(&s->table, common, dim);
        common = dim;
      }
      if (!shape->dims[d] && agree && !is_inside(op, common)) shape->dims[d] = common;
    }
    hd_shapes_get(s, hd_result(op, i));
  }
  --s->conditional;
}

bool hd_shapes_is_of_control_flow(hd_shapes *s, const hd_value *value) {
  if (value->is_block_arg) return hd_value_block(value) != hd_op_region(s->func, 0)->first;
  return hd_op_has_any_trait(hd_value_op(value), HD_TRAIT(WHILE) | HD_TRAIT(BRANCHES));
}

bool hd_shapes_varies(hd_shapes *s, hd_value *value, uint32_t i) {
  hd_dim dim = hd_shapes_dim(s, value, i);
  if (dim->term_count != 1 || dim->constant || dim->terms[0].coefficient != 1 || dim->terms[0].atom_count != 1)
    return false;
  const hd_atom *atom = dim->terms[0].atoms[0];
  const hd_symbol_origin *origin = atom->kind == HD_ATOM_SYMBOL ? atom->origin : NULL;
  return origin && origin->kind == HD_SYMBOL_DIM && origin->value == value && origin->index == i;
}

/* What the regions of a buffer op use from outside are its last inputs and their last arguments. */
void hd_shapes_share_captures(hd_shapes *s, hd_op *op) {
  uint32_t captures = op->info->derived_from ? (uint32_t)hd_discardable_captures(op) : 0;
  uint32_t outputs = (uint32_t)hd_discardable_outputs(op), buffers = 0;
  if (!captures) return;
  while (buffers < op->operand_count && hd_type_is(hd_operand_type(op, buffers), HD_TYPE_MEMREF)) ++buffers;
  for (uint32_t r = 0; r < op->region_count; ++r) {
    hd_block *block = hd_op_region(op, r)->first;
    for (uint32_t c = 1; block && c <= captures && c <= block->arg_count && c + outputs <= buffers; ++c)
      set_arg_shape(s, block->args[block->arg_count - c], hd_operand(op, buffers - outputs - c));
  }
}
