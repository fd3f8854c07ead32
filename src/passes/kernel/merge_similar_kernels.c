/* SPDX-License-Identifier: Apache-2.0 */
/* merge-similar-kernels: compact kernels that differ in constants alone become one, and the constants its arguments.
 *
 *   hd.launch @a extent(..) args(%x)                        hd.launch @a extent(..) args(%x, %c5)
 *   hd.launch @b extent(..) args(%y)                  ->    hd.launch @a extent(..) args(%y, %c9)
 *   func.func @a(%x, ..) {hd.compact} { .. 5 .. }           func.func @a(%x, %c: index, ..) { .. %c .. }
 *   func.func @b(%x, ..) {hd.compact} { .. 9 .. }
 *
 * A program of thousands of kernels often has the same few at other offsets, of other sizes, with other factors; the
 * code generator takes about a millisecond for each, a word of a launch is a store. Kernels that are not compact are
 * left alone, since their constants are part of their speed, and so are constants that any code is better with:
 * divisors, steps of loops, masks of bits, places in the frame.
 *
 * Requires kernels that hd.launch alone names; others stay. Bits are the same: a float that arithmetic may be folded
 * with (0, 1, -1, infinities, NaN) stays a constant. Comes before outline-math, which counts what is left. */
#include "base/map.h"
#include "ir/content_hash.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "passes/passes.h"

enum { MOST_ARGUMENTS = 16 /* that a kernel gets */ };

typedef struct kernel {
  hd_op *func;
  hd_vec(hd_op *) launches;
  bool is_named;        /* by another op than a launch */
  hd_op_list constants; /* that may be arguments */
  hd_attr *values;      /* of each, as one element */
} kernel;

typedef struct group {
  hd_vec(kernel *) kernels;
} group;

/* A new argument and the constants of the first kernel that it takes the place of. */
typedef struct parameter {
  size_t constant; /* the first of them */
  hd_value *argument;
} parameter;

typedef struct merger {
  hd_pass *pass;
  hd_symbol_table symbols;
  hd_map kernels; /* func.func -> kernel */
} merger;

/* ---- which constants ---- */

/* The operands of an op that an argument serves as well as a constant. */
enum { NONE, ALL, FIRST, LAST, BOUNDS };
static const uint8_t takes_argument[HD_OPCODE_COUNT] = {
    [HD_OP_arith_addi] = ALL,          [HD_OP_arith_subi] = ALL,       [HD_OP_arith_muli] = ALL,
    [HD_OP_arith_cmpi] = ALL,          [HD_OP_arith_minsi] = ALL,      [HD_OP_arith_maxsi] = ALL,
    [HD_OP_arith_minui] = ALL,         [HD_OP_arith_maxui] = ALL,      [HD_OP_arith_addf] = ALL,
    [HD_OP_arith_subf] = ALL,          [HD_OP_arith_mulf] = ALL,       [HD_OP_arith_divf] = ALL,
    [HD_OP_arith_maximumf] = ALL,      [HD_OP_arith_minimumf] = ALL,   [HD_OP_arith_cmpf] = ALL,
    [HD_OP_arith_select] = ALL,        [HD_OP_vector_broadcast] = ALL, [HD_OP_vector_create_mask] = ALL,
    [HD_OP_memref_store] = FIRST,      [HD_OP_vector_store] = FIRST, /* what is stored */
    [HD_OP_vector_maskedstore] = LAST, [HD_OP_scf_for] = BOUNDS,
};

static bool is_replaceable(const hd_use *use) {
  switch (takes_argument[hd_opcode_get(use->owner)]) {
    case ALL:
      return true;
    case FIRST:
      return use->index == 0;
    case LAST:
      return use->index + 1 == use->owner->operand_count;
    case BOUNDS:
      return use->index < 2;
    default:
      return false;
  }
}

/* Is it one that no arithmetic is folded with? */
static bool is_plain_float(hd_attr value) {
  double number;
  return hd_attr_splat_float(value, &number) && number - number == 0 && number != 0 && number != 1 && number != -1;
}

static bool may_be_argument(const hd_op *op) {
  if (!hd_op_is(op, HD_OP_arith_constant)) return false;
  hd_type type = hd_result_type(op, 0), element = hd_type_element(type);
  hd_attr value = hd_arith_constant_value(op);
  bool is_float = element->kind == HD_TYPE_FLOAT && (element->float_kind == HD_F32 || element->float_kind == HD_F64);
  if (is_float ? !is_plain_float(value) || (type != element && type->kind != HD_TYPE_VECTOR)
               : type->kind != HD_TYPE_INDEX)
    return false;
  hd_for_each_use(use, hd_result(op, 0)) {
    if (!is_replaceable(use)) return false;
  }
  return true;
}

static void find_constants(kernel *k, hd_arena *arena) {
  k->constants = hd_ops_where(k->func, may_be_argument, arena);
  k->values = hd_new_array(arena, hd_attr, k->constants.len + 1);
  for (size_t i = 0; i < k->constants.len; ++i) {
    const hd_op *op = k->constants.data[i];
    double number;
    k->values[i] = hd_arith_constant_value(op);
    if (hd_attr_splat_float(k->values[i], &number))
      k->values[i] = hd_attr_float(hd_type_element(hd_result_type(op, 0)), number);
  }
}

/* ---- which kernels ---- */

static void note_name(hd_op *op, hd_attr symbol, void *user) {
  merger *m = user;
  hd_op *named = hd_symbol_table_lookup(&m->symbols, hd_attr_text(symbol));
  kernel *k = named ? hd_map_get(&m->kernels, named) : NULL;
  if (!k) return;
  if (hd_op_is(op, HD_OP_hd_launch))
    hd_vec_push(&m->pass->arena, &k->launches, op);
  else
    k->is_named = true;
}

static bool note_names(hd_op *op, void *user) {
  hd_op_each_symbol(op, note_name, user);
  return true;
}

/* The kernels that may be merged, with their launches; false when there is nothing to do. */
static bool find_kernels(merger *m, hd_block *functions) {
  hd_arena *arena = &m->pass->arena;
  hd_for_each_op(func, functions) {
    if (!hd_discardable_kernel(func) || !hd_discardable_compact(func) || !hd_symbol_is_private(func)) continue;
    kernel *k = hd_new(arena, kernel);
    *k = (kernel){.func = func};
    hd_map_set(arena, &m->kernels, func, k);
  }
  if (!m->kernels.len) return false;
  hd_symbol_table_init(&m->symbols, arena, m->pass->module->op);
  hd_for_each_op(func, functions)
    if (!hd_discardable_kernel(func)) hd_walk_pre(func, note_names, m);
  return true;
}

/* ---- one for a group ---- */

static bool is_same_everywhere(const group *g, size_t i) {
  for (size_t k = 1; k < g->kernels.len; ++k)
    if (g->kernels.data[k]->values[i] != g->kernels.data[0]->values[i]) return false;
  return true;
}

static bool are_equal(const group *g, size_t i, size_t j) {
  for (size_t k = 0; k < g->kernels.len; ++k)
    if (g->kernels.data[k]->values[i] != g->kernels.data[k]->values[j]) return false;
  return true;
}

/* Numbers the arguments that the constants need, from 1; 0 is none. Returns how many there are, MOST_ARGUMENTS + 1 for
 * more. */
static size_t choose_arguments(const group *g, uint32_t *numbers, parameter *parameters) {
  size_t count = 0;
  for (size_t i = 0; i < g->kernels.data[0]->constants.len; ++i) {
    if (is_same_everywhere(g, i)) continue;
    for (uint32_t p = 0; p < count && !numbers[i]; ++p)
      if (are_equal(g, parameters[p].constant, i)) numbers[i] = p + 1;
    if (numbers[i]) continue;
    if (count == MOST_ARGUMENTS) return MOST_ARGUMENTS + 1;
    parameters[count++].constant = i;
    numbers[i] = (uint32_t)count;
  }
  return count;
}

/* The function's type and attributes follow its block, whose last two arguments are the range. */
static void close_function(merger *m, hd_op *func, size_t added) {
  hd_arena *arena = &m->pass->arena;
  hd_context *context = m->pass->context;
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_attr old = hd_function_like_arg_attrs(func);
  hd_type *types = hd_new_array(arena, hd_type, entry->arg_count);
  hd_attr *attrs = hd_new_array(arena, hd_attr, entry->arg_count);
  uint32_t first = entry->arg_count - 2 - (uint32_t)added;
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    bool is_new = i >= first && i + 2 < entry->arg_count;
    types[i] = entry->args[i]->type;
    attrs[i] = old && !is_new ? old->array.items[i < first ? i : i - added] : hd_attr_dict(context, NULL, 0);
  }
  hd_function_like_set_function_type(func, hd_attr_type(hd_type_function(context, types, entry->arg_count, NULL, 0)));
  if (old) hd_function_like_set_arg_attrs(func, hd_attr_array(context, attrs, entry->arg_count));
}

/* Arguments in place of the constants that have a number. */
static void rewrite_kernel(merger *m, const kernel *k, const uint32_t *numbers, parameter *parameters, size_t count) {
  hd_block *entry = hd_op_region(k->func, 0)->first;
  for (size_t p = 0; p < count; ++p) {
    hd_type type = hd_type_element(hd_result_type(k->constants.data[parameters[p].constant], 0));
    parameters[p].argument = hd_block_insert_arg(m->pass->module, entry, entry->arg_count - 2, type);
  }
  hd_builder b = hd_builder_at_start(m->pass->module, entry);
  for (size_t i = 0; i < k->constants.len; ++i) {
    if (!numbers[i]) continue;
    hd_op *op = k->constants.data[i];
    hd_value *value = parameters[numbers[i] - 1].argument;
    b.loc = op->loc;
    if (value->type != hd_result_type(op, 0))
      value = hd_build(&b, HD_OP_vector_broadcast, hd_result_type(op, 0), value);
    hd_op_replace(op, &value);
  }
  close_function(m, k->func, count);
}

static void rewrite_launch(merger *m, const kernel *k, hd_op *launch, hd_op *func, const parameter *parameters,
                           size_t count) {
  size_t total = launch->operand_count + count;
  hd_value **operands = hd_new_array(&m->pass->arena, hd_value *, total);
  hd_builder b = hd_builder_before(launch);
  b.loc = launch->loc;
  for (uint32_t i = 0; i < launch->operand_count; ++i) operands[i] = hd_operand(launch, i);
  for (size_t p = 0; p < count; ++p)
    operands[launch->operand_count + p] = hd_build_constant(&b, k->values[parameters[p].constant]);
  hd_op_set_operands(launch, operands, total);
  hd_hd_launch_set_kernel(launch, hd_attr_symbol(m->pass->context, hd_symbol_name(func), NULL, 0));
}

static void merge(merger *m, const group *g) {
  kernel *first = g->kernels.data[0];
  uint32_t *numbers = hd_arena_calloc(&m->pass->arena, first->constants.len + 1, sizeof *numbers);
  parameter parameters[MOST_ARGUMENTS];
  size_t count = g->kernels.len > 1 ? choose_arguments(g, numbers, parameters) : MOST_ARGUMENTS + 1;
  if (count > MOST_ARGUMENTS) return;
  for (size_t i = 0; i < g->kernels.len; ++i) {
    kernel *k = g->kernels.data[i];
    for (size_t l = 0; l < k->launches.len; ++l)
      rewrite_launch(m, k, k->launches.data[l], first->func, parameters, count);
    if (i) hd_op_erase(k->func);
  }
  rewrite_kernel(m, first, numbers, parameters, count);
  m->pass->changed = true;
}

bool hd_pass_merge_similar_kernels(hd_pass *pass, hd_op *module) {
  merger m = {.pass = pass};
  if (!find_kernels(&m, hd_op_region(module, 0)->first)) return true;
  hd_map groups = {0}; /* content but for constants -> group */
  hd_vec(group *) all = {0};
  hd_for_each_op(func, hd_op_region(module, 0)->first) {
    kernel *k = hd_map_get(&m.kernels, func);
    if (!k || k->is_named) continue;
    find_constants(k, &pass->arena);
    hd_hash128 hash = hd_content_hash_without(func, may_be_argument);
    bool is_new;
    hd_map_entry *entry = hd_map_insert_bytes(&pass->arena, &groups, hash.bytes, sizeof hash.bytes, &is_new);
    if (is_new) {
      entry->value.ptr = hd_arena_calloc(&pass->arena, 1, sizeof(group));
      hd_vec_push(&pass->arena, &all, (group *)entry->value.ptr);
    }
    hd_vec_push(&pass->arena, &((group *)entry->value.ptr)->kernels, k);
  }
  for (size_t i = 0; i < all.len; ++i) merge(&m, all.data[i]);
  return true;
}
