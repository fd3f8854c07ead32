/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops outline-loops takes: every op has a form in kernels, and no launch has work for several threads. */
#include "analysis/hoist.h"
#include "ir/ops/discardable.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "passes/kernel/outline.h"
#include "runtime/abi.h"

enum { MAX_OPS = 4000, MAX_GRAINS = 2 /* of a launch: on several threads it would take half a microsecond less */ };

hd_type hd_outline_element(hd_type type) {
  hd_type element = hd_type_element(type);
  if (element->kind == HD_TYPE_COMPLEX) return element->shaped.element;
  if (element->kind != HD_TYPE_INTEGER) return element;
  bool byte = element->integer.width < 8 && element->integer.signedness == HD_UNSIGNED;
  return hd_type_integer(element->context, byte ? 8 : element->integer.width, HD_SIGNLESS);
}

int64_t hd_outline_count(hd_type type) {
  int64_t count = hd_type_num_elements(type);
  return count > 0 && hd_type_element(type)->kind == HD_TYPE_COMPLEX ? 2 * count : count;
}

hd_value *hd_outline_outer(const hd_outline *o, hd_value *buffer) {
  for (;;) {
    hd_op *op = hd_value_op(buffer);
    if (!hd_op_is_ancestor(o->loop, hd_block_parent_op(hd_value_block(buffer))) && op != o->loop) return buffer;
    hd_op *loop = op ? op : hd_block_parent_op(hd_value_block(buffer));
    if (!hd_op_is(loop, HD_OP_scf_while)) return NULL;
    buffer = hd_operand(loop, buffer->index);
  }
}

static bool is_inside(const hd_outline *o, hd_value *value) {
  return hd_op_is_ancestor(o->loop, hd_block_parent_op(hd_value_block(value)));
}

/* A dense buffer of the host that the kernel can address: of the outside, carried by a loop, or made in a step. */
static bool is_area(const hd_outline *o, hd_value *value) {
  if (!hd_type_is(value->type, HD_TYPE_MEMREF) || value->type->shaped.layout || value->type->shaped.space) return false;
  hd_op *op = hd_value_op(value);
  return !op || !is_inside(o, value) || hd_op_is(op, HD_OP_memref_alloc) || hd_op_is(op, HD_OP_scf_while);
}

static bool is_scalar(hd_type type) {
  return type->kind == HD_TYPE_INDEX || type->kind == HD_TYPE_FLOAT ||
         (type->kind == HD_TYPE_INTEGER && type->integer.width <= 64);
}

/* A scalar that the kernel gets as a word where it comes from outside. */
static bool is_word(const hd_outline *o, hd_value *value) {
  if (!is_scalar(value->type)) return false;
  return is_inside(o, value) || hd_value_constant(value) || value->type->kind == HD_TYPE_INDEX ||
         hd_type_bits(value->type) >= 8;
}

/* A single element, or one of a line, whose type is the same in kernels but for its sign. */
static bool can_access(const hd_outline *o, hd_op *op, uint32_t memref) {
  hd_value *buffer = hd_operand(op, memref);
  hd_type element = hd_type_element(buffer->type);
  if (!is_area(o, buffer) || hd_type_bits(element) != hd_type_bits(hd_outline_element(buffer->type)) ||
      element->kind == HD_TYPE_COMPLEX)
    return false;
  for (uint32_t i = memref + 1; i < op->operand_count; ++i)
    if (!is_word(o, hd_operand(op, i))) return false;
  return hd_type_rank(buffer->type) <= 1 || hd_type_num_elements(buffer->type) == 1;
}

/* The function of a launch, whose arguments are its operands and the range. */
static hd_op *kernel_of(hd_op *launch) {
  hd_op *kernel = hd_symbol_resolve(launch, hd_launch_like_kernel(launch));
  if (!hd_op_is(kernel, HD_OP_func_func) || !hd_discardable_kernel(kernel)) return NULL;
  hd_block *entry = hd_op_region(kernel, 0)->first;
  bool fits = entry && !entry->next && entry->arg_count == launch->operand_count;
  for (uint32_t i = 2; i < launch->operand_count && fits; ++i) {
    hd_type type = entry->args[i - 2]->type;
    if (type->kind != HD_TYPE_MEMREF) continue;
    fits = hd_type_is(hd_operand_type(launch, i), HD_TYPE_MEMREF) && hd_type_rank(type) == 1 &&
           hd_type_element(type) == hd_outline_element(hd_operand_type(launch, i));
  }
  return fits ? kernel : NULL;
}

static bool count_op(hd_op *op, void *user) {
  ++*(uint32_t *)user;
  return !hd_op_is(op, HD_OP_func_call) && !hd_op_is(op, HD_OP_cf_br) && !hd_op_is(op, HD_OP_cf_cond_br);
}

static bool can_launch(hd_outline *o, hd_op *op) {
  hd_op *kernel = kernel_of(op);
  if (!kernel) return false;
  for (uint32_t i = 2; i < op->operand_count; ++i) {
    hd_value *word = hd_operand(op, i);
    if (hd_type_is(word->type, HD_TYPE_MEMREF) ? !is_area(o, word) : !is_word(o, word)) return false;
  }
  hd_for_each_op(inner, hd_op_region(kernel, 0)->first)
    if (!hd_walk_pre(inner, count_op, &o->ops)) return false;
  int64_t extent, grain;
  if (hd_value_constant_int(hd_operand(op, 0), &extent) && hd_value_constant_int(hd_operand(op, 1), &grain))
    return extent <= MAX_GRAINS * grain;
  if (!hd_can_hoist(hd_operand(op, 0), o->loop) || !hd_can_hoist(hd_operand(op, 1), o->loop)) return false;
  hd_vec_push(&o->pass->arena, &o->launches, op);
  return true;
}

/* A check of sizes, which the host can make before the loop. What does not hold is the loop's to report. */
static bool can_check(hd_outline *o, hd_op *op) {
  int64_t kind;
  bool known = hd_value_constant_int(hd_operand(op, 0), &kind) && kind != HD_CHECK_SPREADS;
  for (uint32_t i = 1; i < 3 && known; ++i) known = hd_can_hoist(hd_operand(op, i), o->loop);
  if (known) hd_vec_push(&o->pass->arena, &o->checks, op);
  return known;
}

static bool can_copy(const hd_outline *o, hd_op *op) {
  return is_area(o, hd_operand(op, 1)) && is_area(o, hd_operand(op, 2)) && is_word(o, hd_operand(op, 3)) &&
         hd_outline_element(hd_operand_type(op, 1)) == hd_outline_element(hd_operand_type(op, 2));
}

static bool can_call(hd_outline *o, hd_op *op) {
  hd_str api = hd_hd_ral_call_api(op);
  if (hd_str_is(api, "ral_check___pvoid_i64_i64_i64_i64___void")) return can_check(o, op);
  return hd_str_is(api, "ral_copy___pvoid_pvoid_pvoid_pvoid_i64___void") && can_copy(o, op);
}

static bool is_small(hd_type type) {
  int64_t count = hd_outline_count(type);
  return count >= 0 && count <= HD_OUTLINE_ELEMENTS;
}

static bool can_take_block(hd_outline *o, hd_block *block, uint32_t loops);

static bool can_take_regions(hd_outline *o, hd_op *op, uint32_t loops) {
  for (uint32_t r = 0; r < op->region_count; ++r) {
    hd_block *block = hd_op_region(op, r)->first;
    if (block && (block->next || !can_take_block(o, block, loops))) return false;
  }
  return true;
}

/* Buffers only, each started with one of its own; what a step gives is a buffer of the loop, and moving it to where the
 * next one looks for it takes no more than an order: of two large ones that change places one would have to be kept. */
static bool can_loop(hd_outline *o, hd_op *op, uint32_t loops) {
  hd_block *before = hd_op_region(op, 0)->first, *body = hd_op_region(op, 1)->first;
  hd_op *condition = before ? before->last : NULL, *yield = body ? body->last : NULL;
  uint32_t n = op->operand_count, values = n - (uint32_t)hd_discardable_spares(op);
  if (!condition || !hd_op_is(yield, HD_OP_scf_yield) || condition->operand_count != n + 1 ||
      yield->operand_count != n || op->result_count != n)
    return false;
  if (loops > 1 || (loops && !hd_discardable_ends(op))) return false; /* steps are counted between those of o->loop */
  for (uint32_t i = 0; i < n; ++i) {
    hd_value *init = hd_operand(op, i), *next = hd_operand(yield, i);
    if (!is_area(o, init) || hd_operand(condition, i + 1) != before->args[i]) return false;
    for (uint32_t k = 0; k < i; ++k)
      if (hd_operand(op, k) == init) return false;
    if (hd_value_op(next) || hd_value_block(next) != body || next->type != init->type) return false;
    bool moves = i < values && next->index != i;
    if (moves && !is_small(init->type) && next->index < values) return false;
  }
  return can_take_regions(o, op, loops + 1);
}

static bool is_of_words(const hd_outline *o, hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!is_word(o, hd_operand(op, i))) return false;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!is_scalar(hd_result_type(op, i))) return false;
  return true;
}

static bool can_take(hd_outline *o, hd_op *op, uint32_t loops) {
  if (++o->ops > MAX_OPS) return false;
  switch (hd_opcode_get(op)) {
#define OUTLINE(opcode, check, write) \
  case HD_OP_##opcode:                \
    return check;
#include "passes/kernel/outline.def"
    default:
      return !op->region_count && hd_op_is_pure(op) && is_of_words(o, op);
  }
}

static bool can_take_block(hd_outline *o, hd_block *block, uint32_t loops) {
  hd_for_each_op(op, block)
    if (!can_take(o, op, loops)) return false;
  return true;
}

bool hd_outline_check(hd_outline *o) { return can_loop(o, o->loop, 0); }
