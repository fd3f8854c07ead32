/* SPDX-License-Identifier: Apache-2.0 */
/* inline: calls in public functions (with the option `entry`, in that one) are replaced by the callee's body as far as
 * the calls go; composites by the op that they are named after (composites.c), else by their decomposition; custom
 * calls that are handed a computation by the op whose region that is (expand_called.c).
 *
 *   %r = call @f(%x)   ->   the ops of @f on %x, with call-site locations
 *
 * Calls of functions without a body, with several blocks or that are recursive stay: disc-unused-function-removal says
 * so where they matter. Private functions are taken as they are, so the cost is what is written. JAX names dims on
 * arguments of an inner function (jax.global_constant): the name moves to the entry's arguments as hd.dims before that
 * function is gone. */
#include <inttypes.h>
#include <string.h>

#include "analysis/call_graph.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/entry.h"
#include "passes/graph/import/inline_calls.h"
#include "passes/graph/loop/recognize_scans.h"
#include "passes/passes.h"

typedef struct inliner {
  hd_pass *pass;
  hd_call_graph graph;
  hd_vec(hd_op *) calls;
  hd_vec(hd_op *) called; /* custom calls that are handed a function */
  hd_vec(hd_prefix) prefixes;
  hd_loc call; /* the location that copies are called from */
  size_t written;
  bool unlimited; /* the calls are a pass's own, of functions that call no others */
} inliner;

static bool is_call(const hd_op *op) {
  return hd_op_is(op, HD_OP_func_call) || hd_op_is(op, HD_OP_stablehlo_composite);
}

static hd_op *callee_of(hd_op *op) {
  if (hd_op_is(op, HD_OP_func_call)) return hd_symbol_resolve(op, hd_call_like_callee(op));
  if (hd_op_is(op, HD_OP_stablehlo_composite)) return hd_symbol_resolve(op, hd_stablehlo_composite_decomposition(op));
  return NULL;
}

static bool collect(hd_op *op, void *user) {
  inliner *in = user;
  if (is_call(op)) hd_vec_push(&in->pass->arena, &in->calls, op);
  return true;
}

static bool take_copy(hd_op *op, void *user) {
  inliner *in = user;
  op->loc = hd_loc_callsite(op->loc, in->call);
  ++in->written;
  return collect(op, user);
}

static bool inline_call(inliner *in, hd_op *call, hd_op *callee) {
  hd_block *body = hd_op_region(callee, 0)->first;
  hd_map map = {0};
  hd_arena *scratch = &in->pass->arena;
  for (uint32_t i = 0; i < body->arg_count && i < call->operand_count; ++i)
    hd_map_set(scratch, &map, body->args[i], hd_operand(call, i));
  in->call = call->loc;
  hd_for_each_op(op, body) {
    if (in->written > HD_PROGRAM_MOST_OPS && !in->unlimited)
      return hd_op_error(call, "makes a program of more ops than expected, at most %d", HD_PROGRAM_MOST_OPS);
    if (op != body->last) {
      hd_op *copy = hd_op_clone(in->pass->module, op, scratch, &map);
      hd_walk_pre(copy, take_copy, in);
      hd_op_insert_before(copy, call);
      continue;
    }
    hd_value **results = hd_new_array(scratch, hd_value *, op->operand_count);
    for (uint32_t i = 0; i < op->operand_count; ++i) {
      hd_value *mapped = hd_map_get(&map, hd_operand(op, i));
      results[i] = mapped ? mapped : hd_operand(op, i);
    }
    if (op->operand_count != call->result_count)
      return hd_op_error(call, "expects %u results, and '%s' gives %u", call->result_count, hd_symbol_name(callee).data,
                         op->operand_count);
    hd_op_replace(call, results);
  }
  in->pass->changed = true;
  return true;
}

static bool inline_calls(inliner *in, hd_op *func) {
  /* Before anything is copied. */
  if (!in->unlimited && !hd_call_graph_check_size(&in->graph, func, in->written)) return false;
  hd_walk_pre(func, collect, in);
  while (in->calls.len) {
    hd_op *call = hd_vec_pop(&in->calls), *callee = callee_of(call);
    if (hd_op_is(call, HD_OP_stablehlo_composite) && hd_replace_composite(in->pass->module, call)) {
      in->pass->changed = true;
      continue;
    }
    if (!callee || !hd_op_is(callee, HD_OP_func_func))
      return hd_op_error(call, "expects a function of this module as its callee, got none");
    hd_block *body = hd_op_region(callee, 0)->first;
    if (!hd_call_graph_ends(&in->graph, callee) || !body || body->next) continue;
    if (!inline_call(in, call, callee)) return false;
  }
  return true;
}

/* The function that a custom call hands over; null when there is none. */
static hd_op *computation_of(hd_op *op) {
  hd_attr list = hd_op_is(op, HD_OP_stablehlo_custom_call) ? hd_stablehlo_custom_call_called_computations(op) : NULL;
  if (!hd_attr_is(list, HD_ATTR_ARRAY) || !list->array.count || !hd_attr_is(list->array.items[0], HD_ATTR_SYMBOL))
    return NULL;
  hd_op *callee = hd_symbol_resolve(op, list->array.items[0]);
  return callee && hd_op_is(callee, HD_OP_func_func) ? callee : NULL;
}

static bool collect_called(hd_op *op, void *user) {
  inliner *in = user;
  if (computation_of(op)) hd_vec_push(&in->pass->arena, &in->called, op);
  return true;
}

/* Which of the calls are scans: decided for all of them before the first becomes another op. */
static void find_prefixes(inliner *in, hd_op *func) {
  in->prefixes.len = 0;
  hd_shapes *shapes = NULL;
  for (size_t i = 0; i < in->called.len; ++i) {
    hd_prefix prefix = {.call = in->called.data[i]};
    if (!hd_str_is(hd_stablehlo_custom_call_call_target_name(prefix.call), "stablehlo.dynamic_reduce_window")) continue;
    if (!shapes) shapes = hd_shapes_of(func, &in->pass->arena);
    if (hd_is_prefix_window(shapes, prefix.call, &prefix.axis, &prefix.reverse))
      hd_vec_push(&in->pass->arena, &in->prefixes, prefix);
  }
}

/* Once |func| has no calls left. */
static bool expand_called(inliner *in, hd_op *func) {
  in->called.len = 0;
  hd_walk_pre(func, collect_called, in);
  find_prefixes(in, func);
  size_t next_prefix = 0;
  for (size_t i = 0; i < in->called.len; ++i) {
    hd_op *call = in->called.data[i], *callee = computation_of(call);
    const hd_prefix *prefix = NULL;
    if (next_prefix < in->prefixes.len && in->prefixes.data[next_prefix].call == call)
      prefix = &in->prefixes.data[next_prefix++];
    hd_block *body = hd_op_region(callee, 0)->first;
    if (!body || body->next || !hd_call_graph_ends(&in->graph, callee)) continue;
    if (!inline_calls(in, callee)) return false;
    hd_builder b = hd_builder_before(call);
    b.loc = call->loc;
    hd_value **results = hd_new_array(&in->pass->arena, hd_value *, call->result_count + 1);
    if (!hd_expand_called(&b, call, callee, prefix, results)) return false;
    if (!results[0]) continue;
    hd_op_replace(call, results);
    in->pass->changed = true;
  }
  return true;
}

static bool scalar_constant(hd_value *value, int64_t *out) {
  hd_op *op = hd_value_op(value);
  hd_attr attr = hd_op_is(op, HD_OP_stablehlo_constant) ? hd_stablehlo_constant_value(op) : NULL;
  if (!hd_attr_is(attr, HD_ATTR_DENSE) || hd_attr_count(attr) != 1 ||
      hd_type_element(attr->type)->kind != HD_TYPE_INTEGER)
    return false;
  *out = hd_attr_int_at(attr, 0);
  return true;
}

/* The argument and dim that a shape value reads; false when it is anything else. */
static bool reads_dim(hd_value *value, hd_block *entry, uint32_t *out_arg, uint32_t *out_dim) {
  hd_op *op = hd_value_op(value);
  while (op && (hd_op_is(op, HD_OP_stablehlo_reshape) || hd_op_is(op, HD_OP_stablehlo_convert)))
    op = hd_value_op(hd_operand(op, 0));
  if (!hd_op_is(op, HD_OP_stablehlo_get_dimension_size)) return false;
  hd_value *tensor = hd_operand(op, 0);
  if (!tensor->is_block_arg || tensor->owner.block != entry) return false;
  *out_arg = tensor->index;
  *out_dim = (uint32_t)hd_stablehlo_get_dimension_size_dimension(op);
  return *out_dim < hd_type_rank(tensor->type);
}

/* "2*n+1" when |value| is (dim - 1) / 2 of an argument's dim as JAX computes it: call @divmod(dim + offset, divisor)#0,
 * named |name|. Null when it is anything else. */
static hd_attr reads_quotient(hd_pass *pass, hd_value *value, hd_block *entry, hd_attr name, uint32_t *out_arg,
                              uint32_t *out_dim) {
  hd_op *call = hd_value_op(value);
  if (!hd_op_is(call, HD_OP_func_call) || call->operand_count != 2 || value != hd_result(call, 0)) return NULL;
  hd_attr callee = hd_call_like_callee(call);
  hd_str function = hd_attr_is(callee, HD_ATTR_SYMBOL) ? hd_attr_text(hd_call_like_callee(call)) : HD_STR("");
  int64_t offset = 0, divisor;
  if (!hd_str_starts(function, "divmod") || !scalar_constant(hd_operand(call, 1), &divisor) || divisor < 2) return NULL;
  hd_value *sum = hd_operand(call, 0);
  hd_op *add = hd_value_op(sum);
  if (hd_op_is(add, HD_OP_stablehlo_add) && scalar_constant(hd_operand(add, 1), &offset)) sum = hd_operand(add, 0);
  if (!reads_dim(sum, entry, out_arg, out_dim)) return NULL;
  const char *text = hd_arena_printf(&pass->arena, "%" PRId64 "*%s", divisor, name->string->text);
  if (offset) text = hd_arena_printf(&pass->arena, "%s%+" PRId64, text, -offset);
  return hd_attr_cstring(pass->context, text);
}

static void name_dim(hd_pass *pass, hd_op *func, uint32_t arg, uint32_t dim, hd_attr name) {
  hd_context *context = pass->context;
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_attr old = hd_function_like_arg_attrs(func);
  hd_attr *all = hd_new_array(&pass->arena, hd_attr, entry->arg_count);
  for (uint32_t i = 0; i < entry->arg_count; ++i) all[i] = old ? old->array.items[i] : hd_attr_dict(context, NULL, 0);
  uint32_t rank = hd_type_rank(entry->args[arg]->type), count = all[arg]->dict.count;
  hd_attr previous = hd_dict_get(all[arg], HD_NAME_hd_dims);
  hd_attr *names = hd_new_array(&pass->arena, hd_attr, rank);
  for (uint32_t d = 0; d < rank; ++d) names[d] = previous ? previous->array.items[d] : hd_attr_cstring(context, "");
  if (names[dim]->string->len) return;
  names[dim] = name;
  hd_named_attr *items = hd_new_array(&pass->arena, hd_named_attr, count + 1);
  for (uint32_t i = 0; i < count; ++i) items[i] = all[arg]->dict.items[i];
  items[count] = (hd_named_attr){hd_name_ident(context, HD_NAME_hd_dims), hd_attr_array(context, names, rank)};
  all[arg] = hd_attr_dict(context, items, count + 1);
  hd_function_like_set_arg_attrs(func, hd_attr_array(context, all, entry->arg_count));
}

static void name_dims(hd_pass *pass, hd_op *func) {
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_for_each_op(op, entry) {
    hd_op *callee = hd_op_is(op, HD_OP_func_call) ? callee_of(op) : NULL;
    hd_attr attrs = callee ? hd_function_like_arg_attrs(callee) : NULL;
    for (uint32_t i = 0; attrs && i < op->operand_count && i < attrs->array.count; ++i) {
      hd_attr name = hd_dict_get(attrs->array.items[i], HD_NAME_jax_global_constant);
      uint32_t arg, dim;
      if (!hd_attr_is(name, HD_ATTR_STRING)) continue;
      if (reads_dim(hd_operand(op, i), entry, &arg, &dim)) {
        name_dim(pass, func, arg, dim, name);
      } else {
        name = reads_quotient(pass, hd_operand(op, i), entry, name, &arg, &dim);
        if (name) name_dim(pass, func, arg, dim, name);
      }
    }
  }
}

bool hd_pass_inline(hd_pass *pass, hd_op *module) {
  inliner in = {.pass = pass, .unlimited = hd_option_bool(pass, "unlimited")};
  hd_call_graph_init(&in.graph, module, &pass->arena);
  hd_op *entry = hd_option_string(pass, "entry").len ? hd_require_entry(pass) : NULL;
  if (hd_option_string(pass, "entry").len && !entry) return false;
  hd_for_each_op(op, hd_op_region(module, 0)->first) {
    if (!hd_op_is(op, HD_OP_func_func) || hd_symbol_is_private(op) || (entry && op != entry)) continue;
    if (!hd_op_region(op, 0)->first) continue;
    name_dims(pass, op);
    if (!inline_calls(&in, op) || !expand_called(&in, op)) return false;
  }
  return true;
}
