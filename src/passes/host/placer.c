/* SPDX-License-Identifier: Apache-2.0 */
/* disc-placer: what only computes shapes is and runs on the host, all else on the device; copies go between.
 *
 *   %d = get_dimension_size %x, dim = 0          %d = get_dimension_size %x {hd.placement = ["host"]}
 *   %s = concatenate %d, %c                 ->   %s = concatenate %d, %c {hd.placement = ["host"]}
 *   %y = dynamic_reshape %x, %s                  %y = dynamic_reshape %x, %s {hd.placement = ["device"]}
 *
 * Rule 1: from shape operands, predicates and indices of branches backwards, as long as ops work on a few integers
 * alone (`max-elements` at most, of known number), or on floats that follow from sizes and constants; reductions and
 * sorts of such too, with what their regions use; through carried values and results of control flow, which then are on
 * the host in all their places. An op that makes such integers from large tensors stays on the device and its result is
 * copied. What is read off types, get_dimension_size, is always the host's.
 * Rule 2 (`i32`): every op with i32 results goes to the host. Off by default, since token ids are i32 too.
 *
 * Arguments and results of the function are where arg_attrs and res_attrs say, on the device else. Constants that both
 * sides read are made twice. The result keeps the promise hd.placed = "graph" of ir/placement.h. Requires one block per
 * region, and a program without calls. */
#include "analysis/captures.h"
#include "base/vec.h"
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"
#include "passes/host/copies.h"
#include "passes/host/host_work.h"
#include "passes/passes.h"

typedef struct placer {
  hd_pass *pass;
  int64_t max_elements;
  bool i32;
  hd_map host;     /* values that are on the host */
  hd_map of_sizes; /* values that follow from sizes and constants */
  hd_vec(hd_value *) work;
} placer;

/* Is |value| one of few numbers that follow from sizes and constants alone? */
static bool is_of_sizes(placer *p, hd_value *value) { return hd_map_get(&p->of_sizes, value) != NULL; }

/* What follows from sizes and constants, in the order of the program: there floats go along, as in a size times 1.5
 * rounded up. Floats that data give stay on the device, and the integers made of them are copied. */
static void find_of_sizes(placer *p, hd_block *block) {
  hd_arena *arena = &p->pass->arena;
  hd_for_each_op(op, block) {
    for (uint32_t r = 0; hd_placement_enters(op) && r < op->region_count; ++r)
      if (hd_op_region(op, r)->first) find_of_sizes(p, hd_op_region(op, r)->first);
    if (!hd_host_may_compute(op, p->max_elements, true, arena)) continue;
    hd_captures read = {0};
    if (op->region_count) hd_captures_find(op, arena, &read);
    for (uint32_t i = 0; i < op->operand_count && !hd_reads_types_only(op); ++i)
      hd_vec_push(arena, &read, hd_operand(op, i));
    bool all = true;
    for (size_t i = 0; i < read.len; ++i) all &= is_of_sizes(p, read.data[i]);
    for (uint32_t i = 0; all && i < op->result_count; ++i)
      hd_map_set(arena, &p->of_sizes, hd_result(op, i), hd_result(op, i));
  }
}

/* May the host compute |op|? */
static bool host_can(placer *p, hd_op *op) {
  return op->result_count &&
         hd_host_may_compute(op, p->max_elements, is_of_sizes(p, hd_result(op, 0)), &p->pass->arena);
}

static bool on_host(placer *p, hd_value *value) { return hd_map_get(&p->host, value) != NULL; }

static void put_on_host(placer *p, hd_value *value) {
  if (on_host(p, value)) return;
  hd_map_set(&p->pass->arena, &p->host, value, value);
  hd_vec_push(&p->pass->arena, &p->work, value);
}

static hd_value *yielded(hd_op *op, uint32_t r, uint32_t i) {
  hd_block *block = hd_op_region(op, r)->first;
  return block && block->last && i < block->last->operand_count ? hd_operand(block->last, i) : NULL;
}

/* |value| is wanted on the host: it goes there when the host can make it. */
static void want(placer *p, hd_value *value) {
  hd_op *op = hd_value_op(value);
  if (!value || on_host(p, value)) return;
  if (!op) { /* a carried value; arguments of the function are where they are declared */
    hd_op *loop = hd_block_parent_op(hd_value_block(value));
    if (!hd_op_is(loop, HD_OP_stablehlo_while)) return;
    op = loop;
    value = hd_result(loop, value->index);
  }
  bool flow = hd_placement_enters(op);
  if (flow ? hd_host_may_hold(value->type, p->max_elements, false) : host_can(p, op)) put_on_host(p, value);
}

/* What follows from |value| being on the host. */
static void follow(placer *p, hd_value *value) {
  hd_op *op = hd_value_op(value);
  if (!op) return;
  uint32_t i = value->index;
  if (hd_op_is(op, HD_OP_stablehlo_while)) {
    for (uint32_t r = 0; r < 2; ++r) {
      hd_block *block = hd_op_region(op, r)->first;
      if (block && i < block->arg_count) put_on_host(p, block->args[i]);
    }
    want(p, hd_operand(op, i));
    if (yielded(op, 1, i)) want(p, yielded(op, 1, i));
  } else if (hd_placement_enters(op)) {
    for (uint32_t r = 0; r < op->region_count; ++r)
      if (yielded(op, r, i)) want(p, yielded(op, r, i));
  } else if (!hd_reads_types_only(op)) {
    hd_captures used = {0};
    if (op->region_count) hd_captures_find(op, &p->pass->arena, &used);
    for (size_t k = 0; k < used.len; ++k) want(p, used.data[k]);
    for (uint32_t k = 0; k < op->operand_count; ++k) want(p, hd_operand(op, k));
    for (uint32_t k = 0; k < op->result_count; ++k) put_on_host(p, hd_result(op, k));
  }
}

static void seed_block(placer *p, hd_block *block) {
  hd_for_each_op(op, block) {
    for (uint32_t i = 0; i < op->operand_count; ++i)
      if (hd_placement_is_host_operand(op, i)) want(p, hd_operand(op, i));
    bool all_i32 = p->i32 && op->result_count && !hd_placement_enters(op);
    for (uint32_t i = 0; i < op->result_count; ++i) {
      if (hd_reads_types_only(op)) put_on_host(p, hd_result(op, i));
      all_i32 &= hd_type_is_integer(hd_type_element(hd_result_type(op, i)), 32);
    }
    if (all_i32)
      for (uint32_t i = 0; i < op->result_count; ++i) put_on_host(p, hd_result(op, i));
    if (!hd_placement_enters(op)) continue;
    for (uint32_t r = 0; r < op->region_count; ++r)
      if (hd_op_region(op, r)->first) seed_block(p, hd_op_region(op, r)->first);
  }
}

/* Writing --------------------------------------------------------------------------------------------------------- */

/* What |value| is where get_tuple_element takes it out of a tuple made here, of several levels too; else itself. */
static hd_value *element_source(hd_value *value) {
  hd_op *op = hd_value_op(value);
  if (!hd_op_is(op, HD_OP_stablehlo_get_tuple_element)) return value;
  hd_op *tuple = hd_value_op(element_source(hd_operand(op, 0)));
  return hd_op_is(tuple, HD_OP_stablehlo_tuple) ? hd_operand(tuple, (uint32_t)hd_stablehlo_get_tuple_element_index(op))
                                                : value;
}

static hd_attr entry_of(placer *p, hd_value *value) {
  hd_context *context = p->pass->context;
  value = element_source(value);
  if (!hd_type_is(value->type, HD_TYPE_TUPLE))
    return hd_placement_attr(context, on_host(p, value) ? HD_PLACEMENT_HOST : HD_PLACEMENT_DEVICE);
  hd_op *op = hd_value_op(value);
  if (!hd_op_is(op, HD_OP_stablehlo_tuple))
    return hd_placement_attr_of_type(value->type, HD_PLACEMENT_DEVICE, context, &p->pass->arena);
  hd_attr *entries = hd_new_array(&p->pass->arena, hd_attr, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) entries[i] = entry_of(p, hd_operand(op, i));
  return hd_attr_array(context, entries, op->operand_count);
}

static void write_block(placer *p, hd_block *block) {
  hd_for_each_op(op, block) {
    if (op->result_count && !hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) {
      hd_attr *entries = hd_new_array(&p->pass->arena, hd_attr, op->result_count);
      for (uint32_t i = 0; i < op->result_count; ++i) {
        hd_value *result = hd_result(op, i);
        if (on_host(p, element_source(result))) hd_map_set(&p->pass->arena, &p->host, result, result);
        entries[i] = entry_of(p, result);
      }
      hd_placement_set_entries(op, hd_attr_array(p->pass->context, entries, op->result_count));
    }
    if (!hd_placement_enters(op)) continue;
    for (uint32_t r = 0; r < op->region_count; ++r)
      if (hd_op_region(op, r)->first) write_block(p, hd_op_region(op, r)->first);
  }
}

static bool no_calls(hd_op *op, void *user) {
  (void)user;
  if (!hd_op_has_trait(op, HD_TRAIT(CALL_LIKE)) && !hd_op_is(op, HD_OP_stablehlo_composite)) return true;
  return hd_op_error(op, "disc-placer: expected a program without calls: run inline first");
}

bool hd_pass_placer(hd_pass *pass, hd_op *func) {
  placer p = {.pass = pass, .max_elements = hd_option_int(pass, "max-elements"), .i32 = hd_option_bool(pass, "i32")};
  hd_block *entry = hd_op_region(func, 0)->first;
  if (entry->next) return hd_op_error(func, "disc-placer: expected one block: structured control flow");
  if (!hd_walk_pre(func, no_calls, NULL)) return false;
  for (uint32_t i = 0; i < entry->arg_count; ++i)
    if (hd_placement_of(entry->args[i]) == HD_PLACEMENT_HOST) put_on_host(&p, entry->args[i]);
  find_of_sizes(&p, entry);
  seed_block(&p, entry);
  while (p.work.len) follow(&p, hd_vec_pop(&p.work));
  write_block(&p, entry);
  hd_insert_copies(pass, func);
  hd_discardable_set_placed(func, HD_PLACED_GRAPH);
  pass->changed = true;
  return true;
}
