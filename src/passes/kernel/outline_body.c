/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of a loop.
 *
 *   scf.while (%x = %a, %t = %s) {            %f = alloca, holding %a's elements        %g = alloca
 *     %c = load %x ...                        scf.while {
 *     scf.condition(%c) %x, %t                  %c = load %f ...
 *   } do {                              ->      scf.condition(%c and steps are left)
 *     hd.launch @k args(%x, %t)               } do {
 *     scf.yield %t, %x                          the body of @k on %f, %g, over its whole range
 *   }                                           move the elements of %g to %f
 *                                             }
 *                                             store the elements of %f to %a, %c to %again
 *
 * A carried buffer has one place for all steps, so that small ones, whose every access is at a known place, become
 * registers. Large ones stay the host's. Spares hold nothing between steps and are not moved. */
#include "codegen/emit/kernels.h"
#include "codegen/widen.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "passes/kernel/outline.h"

enum { MAX_STEPS = 1 << 14 /* between two looks of the runtime at its clock */ };

typedef hd_outline_area area;

static hd_type flat_type(hd_type element) { return hd_type_memref(element, (int64_t[]){HD_DYNAMIC}, 1, NULL, NULL); }

static hd_value *add_word(hd_outline *o, hd_type type, hd_value *operand) {
  hd_block *entry = hd_op_region(o->kernel, 0)->first;
  hd_vec_push(&o->pass->arena, &o->operands, operand);
  return hd_block_insert_arg(o->pass->module, entry, entry->arg_count - 2, type);
}

/* memref<?xT> of |count| elements in the kernel's frame. */
static hd_value *slot(hd_outline *o, hd_type element, int64_t count) {
  hd_builder *b = &o->head;
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(b->context, (int32_t[]){0, 0}, 2)};
  hd_type type = hd_type_memref(element, (int64_t[]){count > 0 ? count : 1}, 1, NULL, NULL);
  hd_value *memory = hd_build_one_(b, HD_OP_memref_alloca, type, NULL, 0, &segments, 1);
  return hd_build(b, HD_OP_memref_cast, flat_type(element), memory);
}

static hd_value *load_at(hd_builder *b, hd_value *memory, hd_value *at) {
  return hd_build(b, HD_OP_memref_load, hd_type_element(memory->type), memory, at);
}

/* for (i = begin; i < end; i += step) to[i : i + step] = from[i : i + step] */
static void copy_range(hd_builder *b, hd_value *from, hd_value *to, hd_value *begin, hd_value *end, int64_t step) {
  hd_op *loop = hd_build_for(b, begin, end, hd_build_index(b, step), NULL, 0);
  hd_builder in = hd_builder_at_end(b->module, hd_op_region(loop, 0)->first);
  in.loc = b->loc;
  hd_value *at = in.block->args[0];
  if (step > 1) {
    hd_type type = hd_lanes_type(hd_type_element(from->type), (uint32_t)step);
    hd_build0(&in, HD_OP_vector_store, hd_build(&in, HD_OP_vector_load, type, from, at), to, at);
  } else {
    hd_build0(&in, HD_OP_memref_store, load_at(&in, from, at), to, at);
  }
  hd_build_yield(&in, NULL, 0);
}

/* to[0 : count] = from[0 : count], which do not overlap: whole vectors, then what is left. */
static void copy_elements(hd_builder *b, hd_value *from, hd_value *to, hd_value *count) {
  hd_type element = hd_type_element(from->type);
  hd_value *begin = hd_build_index(b, 0);
  bool number = element->kind == HD_TYPE_FLOAT || element->kind == HD_TYPE_INTEGER;
  if (number && hd_type_bits(element) >= 8) {
    hd_value *whole = hd_build_binary(b, HD_OP_arith_andi, count, hd_build_index(b, -HD_LANES));
    copy_range(b, from, to, begin, whole, HD_LANES);
    begin = whole;
  }
  copy_range(b, from, to, begin, count, 1);
}

/* The same for a count that is known, without a loop where it is small: what is in registers has no address. */
static void copy_known(hd_builder *b, hd_value *from, hd_value *to, int64_t count) {
  if (count > HD_OUTLINE_MOVED) {
    copy_elements(b, from, to, hd_build_index(b, count));
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    hd_value *at = hd_build_index(b, i);
    hd_build0(b, HD_OP_memref_store, load_at(b, from, at), to, at);
  }
}

/* Is |buffer| an allocation of the host that nothing but the loop uses, and in which nothing stays from step to step?
 */
static bool is_scratch(const hd_outline *o, hd_value *buffer) {
  hd_op *alloc = hd_value_op(buffer);
  if (!hd_op_is(alloc, HD_OP_memref_alloc)) return false;
  uint32_t values = o->loop->operand_count - (uint32_t)hd_discardable_spares(o->loop);
  hd_for_each_use(use, buffer) {
    if (use->owner == o->loop && use->index < values) return false;
    if (!hd_op_is_ancestor(o->loop, use->owner)) return false;
  }
  return true;
}

/* Do other values see the memory of |buffer|? */
static bool is_seen_elsewhere(hd_value *buffer) {
  hd_op *op = hd_value_op(buffer);
  return op && (!hd_op_is(op, HD_OP_memref_alloc) || hd_discardable_donor(op) >= 0);
}

static area *area_of(hd_outline *o, hd_value *buffer) {
  area *found = hd_map_get(&o->areas, buffer);
  if (found) return found;
  hd_type element = hd_outline_element(buffer->type);
  area *a = hd_new(&o->pass->arena, area);
  a->count = hd_outline_count(buffer->type);
  hd_map_set(&o->pass->arena, &o->areas, buffer, a);
  bool small = a->count >= 0 && a->count <= HD_OUTLINE_ELEMENTS;
  bool inside = hd_op_is_ancestor(o->loop, hd_block_parent_op(hd_value_block(buffer)));
  if (small && (inside || is_scratch(o, buffer))) {
    a->flat = slot(o, element, a->count);
    return a;
  }
  hd_value *given = add_word(o, flat_type(element), buffer);
  if (!small || is_seen_elsewhere(buffer)) {
    a->flat = given;
    return a;
  }
  a->outer = given;
  a->flat = slot(o, element, a->count);
  copy_known(&o->head, given, a->flat, a->count);
  if (hd_value_op(buffer)) hd_vec_push(&o->pass->arena, &o->returned, a);
  return a;
}

/* A scalar of the host in the kernel. */
static hd_value *value_of(hd_outline *o, hd_value *value) {
  hd_value *known = hd_map_get(&o->values, value);
  if (known) return known;
  hd_attr constant = hd_value_constant(value);
  known = constant ? hd_build_constant(&o->head, constant) : add_word(o, value->type, value);
  hd_map_set(&o->pass->arena, &o->values, value, known);
  return known;
}

/* ---- kernels in the kernel ---- */

static hd_value *mapped(const hd_map *map, hd_value *value) {
  hd_value *to = hd_map_get(map, value);
  return to ? to : value;
}

/* Does |loop| run exactly once? */
static bool runs_once(hd_op *loop, const hd_map *map) {
  int64_t range[3], after;
  for (uint32_t i = 0; i < 3; ++i)
    if (!hd_value_constant_int(mapped(map, hd_operand(loop, i)), &range[i])) return false;
  return range[0] < range[1] && !__builtin_add_overflow(range[0], range[2], &after) && after >= range[1];
}

/* The ops of |from| but for its terminator; loops over what is one item are not loops. */
static void inline_ops(hd_outline *o, hd_block *from, hd_builder *b, hd_map *map) {
  hd_arena *arena = &o->pass->arena;
  hd_for_each_op(op, from) {
    if (op == from->last && hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) return;
    if (!hd_op_is(op, HD_OP_scf_for) || !runs_once(op, map)) {
      hd_op_append(hd_op_clone(o->pass->module, op, arena, map), b->block);
      continue;
    }
    hd_block *body = hd_op_region(op, 0)->first;
    hd_map_set(arena, map, body->args[0], mapped(map, hd_operand(op, 0)));
    for (uint32_t i = 1; i < body->arg_count; ++i)
      hd_map_set(arena, map, body->args[i], mapped(map, hd_operand(op, 2 + i)));
    inline_ops(o, body, b, map);
    for (uint32_t i = 0; i < op->result_count; ++i)
      hd_map_set(arena, map, hd_result(op, i), mapped(map, hd_operand(body->last, i)));
  }
}

static void write_launch(hd_outline *o, hd_op *op, hd_builder *b) {
  hd_op *kernel = hd_symbol_resolve(op, hd_launch_like_kernel(op));
  hd_block *entry = hd_op_region(kernel, 0)->first;
  hd_map map = {0};
  uint32_t words = op->operand_count - 2;
  for (uint32_t i = 0; i < words; ++i) {
    hd_value *operand = hd_operand(op, 2 + i);
    bool memory = hd_type_is(operand->type, HD_TYPE_MEMREF);
    hd_map_set(&o->pass->arena, &map, entry->args[i], memory ? area_of(o, operand)->flat : value_of(o, operand));
  }
  hd_map_set(&o->pass->arena, &map, entry->args[words], hd_build_index(b, 0));
  int64_t extent;
  bool known = hd_value_constant_int(hd_operand(op, 0), &extent);
  hd_map_set(&o->pass->arena, &map, entry->args[words + 1],
             known ? hd_build_index(b, extent) : value_of(o, hd_operand(op, 0)));
  inline_ops(o, entry, b, &map);
}

/* ---- the host's ops ---- */

static void write_block(hd_outline *o, hd_block *block, hd_builder *b);

static hd_value *single_index(hd_outline *o, hd_op *op, uint32_t first, hd_builder *b) {
  bool line = op->operand_count == first + 1;
  return line ? value_of(o, hd_operand(op, first)) : hd_build_index(b, 0);
}

static hd_value *as_type(hd_builder *b, hd_value *value, hd_type type) {
  return value->type == type ? value : hd_build(b, HD_OP_builtin_unrealized_conversion_cast, type, value);
}

static void write_load(hd_outline *o, hd_op *op, hd_builder *b) {
  hd_value *value = load_at(b, area_of(o, hd_operand(op, 0))->flat, single_index(o, op, 1, b));
  hd_map_set(&o->pass->arena, &o->values, hd_result(op, 0), as_type(b, value, hd_result_type(op, 0)));
}

static void write_store(hd_outline *o, hd_op *op, hd_builder *b) {
  hd_value *memory = area_of(o, hd_operand(op, 1))->flat;
  hd_value *value = as_type(b, value_of(o, hd_operand(op, 0)), hd_type_element(memory->type));
  hd_build0(b, HD_OP_memref_store, value, memory, single_index(o, op, 2, b));
}

/* A copy; a check has been made by the host. */
static void write_call(hd_outline *o, hd_op *op, hd_builder *b) {
  if (op->operand_count != 4 || !hd_type_is(hd_operand_type(op, 1), HD_TYPE_MEMREF)) return;
  area *to = area_of(o, hd_operand(op, 1)), *from = area_of(o, hd_operand(op, 2));
  int64_t size = (int64_t)hd_type_element_bytes(hd_type_element(to->flat->type));
  if (to->count >= 0) {
    copy_known(b, from->flat, to->flat, to->count);
    return;
  }
  hd_value *bytes = hd_build(b, HD_OP_arith_index_cast, hd_type_index(b->context), value_of(o, hd_operand(op, 3)));
  copy_elements(b, from->flat, to->flat, hd_build_binary(b, HD_OP_arith_divui, bytes, hd_build_index(b, size)));
}

static void write_dim(hd_outline *o, hd_op *op) {
  hd_builder host = hd_builder_before(o->loop);
  hd_value *of = hd_outline_outer(o, hd_operand(op, 0));
  hd_value *dim = hd_build_constant(&host, hd_value_constant(hd_operand(op, 1)));
  hd_value *size = hd_build(&host, HD_OP_memref_dim, hd_result_type(op, 0), of, dim);
  hd_map_set(&o->pass->arena, &o->values, hd_result(op, 0), add_word(o, size->type, size));
}

/* How many elements |buffer| has. */
static hd_value *count_of(hd_outline *o, hd_value *buffer, hd_builder *b) {
  int64_t known = hd_outline_count(buffer->type);
  if (known >= 0) return hd_build_index(b, known);
  hd_builder host = hd_builder_before(o->loop);
  hd_value *of = hd_outline_outer(o, buffer);
  hd_type index = hd_type_index(b->context);
  hd_value *count = hd_build_index(&host, hd_type_element(of->type)->kind == HD_TYPE_COMPLEX ? 2 : 1);
  for (uint32_t d = 0; d < hd_type_rank(of->type); ++d)
    count = hd_build_binary(&host, HD_OP_arith_muli, count,
                            hd_build(&host, HD_OP_memref_dim, index, of, hd_build_index(&host, d)));
  return value_of(o, count);
}

/* Is what moves to carried buffer |i| read whole before any buffer is written? It must be where it comes from another
 * carried one (can_loop has seen that it is small), and is where it may stay in registers. */
static bool moves_at_once(hd_outline *o, hd_op *loop, uint32_t i) {
  hd_value *next = hd_operand(hd_op_region(loop, 1)->first->last, i);
  uint32_t values = loop->operand_count - (uint32_t)hd_discardable_spares(loop);
  int64_t count = area_of(o, next)->count;
  return count >= 0 && count <= (next->index < values ? HD_OUTLINE_ELEMENTS : HD_OUTLINE_MOVED);
}

/* What the step gives goes to where the next one looks for it: what moves at once is read, then spares that nobody else
 * reads are copied, then the first is written. */
static void write_moves(hd_outline *o, hd_op *loop, hd_builder *b) {
  hd_arena *arena = &o->pass->arena;
  hd_block *body = hd_op_region(loop, 1)->first;
  uint32_t values = loop->operand_count - (uint32_t)hd_discardable_spares(loop);
  hd_vec(hd_value *) read = {0};
  for (uint32_t pass = 0; pass < 2; ++pass) {
    size_t next = 0;
    for (uint32_t i = 0; i < values; ++i) {
      area *to = area_of(o, body->args[i]), *from = area_of(o, hd_operand(body->last, i));
      if (to == from || !moves_at_once(o, loop, i)) continue;
      for (int64_t e = 0; e < to->count; ++e) {
        hd_value *at = hd_build_index(b, e);
        if (!pass)
          hd_vec_push(arena, &read, load_at(b, from->flat, at));
        else
          hd_build0(b, HD_OP_memref_store, read.data[next++], to->flat, at);
      }
    }
    for (uint32_t i = 0; i < values && !pass; ++i) {
      area *to = area_of(o, body->args[i]), *from = area_of(o, hd_operand(body->last, i));
      if (to != from && !moves_at_once(o, loop, i))
        copy_elements(b, from->flat, to->flat, count_of(o, body->args[i], b));
    }
  }
}

static void carry(hd_outline *o, hd_op *loop) {
  for (uint32_t i = 0; i < loop->operand_count; ++i) {
    area *a = area_of(o, hd_operand(loop, i));
    hd_map_set(&o->pass->arena, &o->areas, hd_op_region(loop, 0)->first->args[i], a);
    hd_map_set(&o->pass->arena, &o->areas, hd_op_region(loop, 1)->first->args[i], a);
    hd_map_set(&o->pass->arena, &o->areas, hd_result(loop, i), a);
  }
}

static hd_builder block_in(hd_outline *o, hd_op *op, uint32_t region) {
  hd_block *block = hd_block_create(o->pass->module);
  hd_region_append(hd_op_region(op, region), block);
  hd_builder b = hd_builder_at_end(o->pass->module, block);
  b.loc = op->loc;
  return b;
}

/* |copy|, an empty scf.while, becomes |loop|. Of the loop that is the kernel, |again| gets the condition. */
static void write_loop(hd_outline *o, hd_op *loop, hd_op *copy, hd_value *again) {
  hd_type i64 = hd_i64(o->pass->context);
  hd_block *test = hd_op_region(loop, 0)->first, *body = hd_op_region(loop, 1)->first;
  carry(o, loop);
  hd_builder before = block_in(o, copy, 0), after = block_in(o, copy, 1);
  write_block(o, test, &before);
  hd_value *condition = value_of(o, hd_operand(test->last, 0));
  if (again) {
    hd_value *zero = hd_build_index(&before, 0), *done = load_at(&before, o->steps, zero);
    hd_build0(&before, HD_OP_memref_store, condition, again, zero);
    hd_value *more = hd_arith_cmpi(&before, HD_ARITH_CMPI_SLT, done, hd_build_int(&before, i64, MAX_STEPS));
    condition = hd_build_binary(&before, HD_OP_arith_andi, condition, more);
  }
  hd_build_op(&before, HD_OP_scf_condition, &condition, 1, NULL, 0, NULL, 0, 0);
  write_block(o, body, &after);
  write_moves(o, loop, &after);
  hd_value *zero = hd_build_index(&after, 0), *done = load_at(&after, o->steps, zero);
  hd_value *next = hd_build_binary(&after, HD_OP_arith_addi, done, hd_build_int(&after, i64, 1));
  hd_build0(&after, HD_OP_memref_store, next, o->steps, zero);
  hd_build_yield(&after, NULL, 0);
}

/* An op whose regions hold ops of the host, or none. */
static void write_other(hd_outline *o, hd_op *op, hd_builder *b) {
  hd_arena *arena = &o->pass->arena;
  hd_value **operands = hd_new_array(arena, hd_value *, op->operand_count + 1);
  hd_type *types = hd_new_array(arena, hd_type, op->result_count + 1);
  hd_vec(hd_op_attr) attrs = {0};
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = value_of(o, hd_operand(op, i));
  for (uint32_t i = 0; i < op->result_count; ++i) types[i] = hd_result_type(op, i);
  hd_for_each_attr(attr, op) hd_vec_push(arena, &attrs, (hd_op_attr){attr.name, attr.value, attr.inherent});
  hd_op *copy = hd_build_state(b, &(hd_op_state){.opcode = hd_opcode_get(op),
                                                 .loc = op->loc,
                                                 .operands = operands,
                                                 .operand_count = op->operand_count,
                                                 .result_types = types,
                                                 .result_count = op->result_count,
                                                 .attrs = attrs.data,
                                                 .attr_count = attrs.len,
                                                 .region_count = op->region_count});
  for (uint32_t r = 0; r < op->region_count; ++r) {
    hd_block *from = hd_op_region(op, r)->first;
    if (!from) continue;
    hd_builder in = block_in(o, copy, r);
    for (uint32_t i = 0; i < from->arg_count; ++i)
      hd_map_set(arena, &o->values, from->args[i], hd_block_add_arg(o->pass->module, in.block, from->args[i]->type));
    write_block(o, from, &in);
    uint32_t given = from->last && hd_op_is(from->last, HD_OP_scf_yield) ? from->last->operand_count : 0;
    hd_value **values = hd_new_array(arena, hd_value *, given + 1);
    for (uint32_t i = 0; i < given; ++i) values[i] = value_of(o, hd_operand(from->last, i));
    hd_build_yield(&in, values, given);
  }
  for (uint32_t i = 0; i < op->result_count; ++i) hd_map_set(arena, &o->values, hd_result(op, i), hd_result(copy, i));
}

static void write_op(hd_outline *o, hd_op *op, hd_builder *b) {
  b->loc = op->loc;
  switch (hd_opcode_get(op)) {
#define OUTLINE(opcode, check, write) \
  case HD_OP_##opcode:                \
    write;                            \
    return;
#include "passes/kernel/outline.def"
    default:
      write_other(o, op, b);
  }
}

static void write_block(hd_outline *o, hd_block *block, hd_builder *b) {
  hd_for_each_op(op, block) write_op(o, op, b);
}

/* The function's type and the attributes of its arguments, which may overlap, are those of its block. */
static void close_function(hd_outline *o) {
  hd_block *entry = hd_op_region(o->kernel, 0)->first;
  hd_type *types = hd_new_array(&o->pass->arena, hd_type, entry->arg_count);
  hd_attr *attrs = hd_new_array(&o->pass->arena, hd_attr, entry->arg_count);
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    types[i] = entry->args[i]->type;
    attrs[i] = hd_attr_dict(o->pass->context, NULL, 0);
  }
  hd_type type = hd_type_function(o->pass->context, types, entry->arg_count, NULL, 0);
  hd_function_like_set_function_type(o->kernel, hd_attr_type(type));
  hd_function_like_set_arg_attrs(o->kernel, hd_attr_array(o->pass->context, attrs, entry->arg_count));
}

void hd_outline_write(hd_outline *o, hd_str name, hd_value *again) {
  hd_module *module = o->pass->module;
  hd_context *context = o->pass->context;
  hd_builder at = hd_builder_at_end(module, o->func->block);
  at.loc = o->loop->loc;
  hd_type index = hd_type_index(context), range[2] = {index, index};
  o->kernel = hd_build_func(&at, name, hd_type_function(context, range, 2, NULL, 0), true);
  hd_discardable_set_kernel(o->kernel, true);
  hd_discardable_set_source(o->kernel, "while");
  hd_builder end = hd_builder_at_end(module, hd_op_region(o->kernel, 0)->first);
  end.loc = at.loc;
  hd_op *copy = hd_build_op(&end, HD_OP_scf_while, NULL, 0, NULL, 0, NULL, 0, 2);
  o->head = hd_builder_before(copy);
  o->head.loc = at.loc;
  hd_value *flag = add_word(o, flat_type(hd_i1(context)), again), *kept = slot(o, hd_i1(context), 1);
  o->steps = slot(o, hd_i64(context), 1);
  hd_build0(&o->head, HD_OP_memref_store, hd_build_int(&o->head, hd_i64(context), 0), o->steps,
            hd_build_index(&o->head, 0));
  write_loop(o, o->loop, copy, kept);
  hd_value *zero = hd_build_index(&end, 0);
  hd_build0(&end, HD_OP_memref_store, load_at(&end, kept, zero), flag, zero);
  for (size_t i = 0; i < o->returned.len; ++i)
    copy_known(&end, o->returned.data[i]->flat, o->returned.data[i]->outer, o->returned.data[i]->count);
  hd_build_op(&end, HD_OP_func_return, NULL, 0, NULL, 0, NULL, 0, 0);
  close_function(o);
}
