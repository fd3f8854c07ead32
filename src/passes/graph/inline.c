/* SPDX-License-Identifier: Apache-2.0 */
/* inline: every call in the functions that the entry reaches is replaced by the callee's body; composites by their
 * decomposition.
 *
 *   %r = call @f(%x)   ->   the ops of @f on %x, with call-site locations
 *
 * Callees have one block. Recursion is an error that names the cycle's function. JAX names dims on arguments of an
 * inner function (jax.global_constant): the name moves to the entry's arguments as hd.dims before that function is
 * gone. */
#include <inttypes.h>
#include <string.h>

#include "passes/graph/entry.h"
#include "passes/passes.h"

typedef struct inliner {
  hd_pass *pass;
  hd_map active, done;
} inliner;

static hd_op *callee_of(hd_op *op) {
  if (hd_op_is(op, HD_OP_func_call)) return hd_symbol_resolve(op, hd_op_attr_get(op, "callee"));
  if (hd_op_is(op, HD_OP_stablehlo_composite)) return hd_symbol_resolve(op, hd_op_attr_get(op, "decomposition"));
  return NULL;
}

static bool inline_calls(inliner *in, hd_op *func);

static bool relocate(hd_op *op, void *user) {
  hd_loc call = user;
  op->loc = hd_loc_callsite(op->loc, call);
  return true;
}

static bool inline_call(inliner *in, hd_op *call, hd_op *callee) {
  hd_region *body = hd_op_region(callee, 0);
  if (!body->first) return hd_op_error(call, "calls '%s', which has no body", hd_symbol_name(callee).data);
  if (body->first->next)
    return hd_op_error(call, "calls '%s', which has more than one block", hd_symbol_name(callee).data);
  if (!inline_calls(in, callee)) return false;
  hd_map map = {0};
  hd_arena *scratch = &in->pass->arena;
  for (uint32_t i = 0; i < body->first->arg_count && i < call->operand_count; ++i)
    hd_map_set(scratch, &map, body->first->args[i], hd_operand(call, i));
  hd_for_each_op(op, body->first) {
    if (op != body->first->last) {
      hd_op *copy = hd_op_clone(in->pass->module, op, scratch, &map);
      hd_walk_pre(copy, relocate, (void *)call->loc);
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

typedef struct collected {
  hd_arena *arena;
  hd_vec(hd_op *) calls;
} collected;

static bool collect(hd_op *op, void *user) {
  collected *c = user;
  if (hd_op_is(op, HD_OP_func_call) || hd_op_is(op, HD_OP_stablehlo_composite)) hd_vec_push(c->arena, &c->calls, op);
  return true;
}

static bool inline_calls(inliner *in, hd_op *func) {
  if (hd_map_get(&in->done, func)) return true;
  if (hd_map_get(&in->active, func)) {
    hd_str name = hd_symbol_name(func);
    return hd_op_error(func, "'%.*s' is recursive: it cannot be inlined", (int)name.len, name.data);
  }
  hd_map_set(&in->pass->arena, &in->active, func, func);
  collected c = {.arena = &in->pass->arena};
  hd_walk_pre(func, collect, &c);
  for (size_t i = 0; i < c.calls.len; ++i) {
    hd_op *callee = callee_of(c.calls.data[i]);
    if (!callee) return hd_op_error(c.calls.data[i], "does not name a function of this module");
    if (!inline_call(in, c.calls.data[i], callee)) return false;
  }
  hd_map_remove(&in->active, func);
  hd_map_set(&in->pass->arena, &in->done, func, func);
  return true;
}

static bool scalar_constant(hd_value *value, int64_t *out) {
  hd_op *op = hd_value_op(value);
  hd_attr attr = hd_op_is(op, HD_OP_stablehlo_constant) ? hd_op_attr_get(op, "value") : NULL;
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
  *out_dim = (uint32_t)hd_op_int_attr(op, "dimension", 0);
  return *out_dim < hd_type_rank(tensor->type);
}

/* "2*n+1" when |value| is (dim - 1) / 2 of an argument's dim as JAX computes it: call @divmod(dim + offset, divisor)#0,
 * named |name|. Null when it is anything else. */
static hd_attr reads_quotient(hd_pass *pass, hd_value *value, hd_block *entry, hd_attr name, uint32_t *out_arg,
                              uint32_t *out_dim) {
  hd_op *call = hd_value_op(value);
  if (!hd_op_is(call, HD_OP_func_call) || call->operand_count != 2 || value != hd_result(call, 0)) return NULL;
  hd_attr callee = hd_op_attr_get(call, "callee");
  hd_str function = hd_attr_is(callee, HD_ATTR_SYMBOL) ? hd_op_string_attr(call, "callee") : HD_STR("");
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
  hd_attr old = hd_op_attr_get(func, "arg_attrs");
  hd_attr *all = hd_new_array(&pass->arena, hd_attr, entry->arg_count);
  for (uint32_t i = 0; i < entry->arg_count; ++i) all[i] = old ? old->array.items[i] : hd_attr_dict(context, NULL, 0);
  uint32_t rank = hd_type_rank(entry->args[arg]->type), count = all[arg]->dict.count;
  hd_attr previous = hd_dict_get(all[arg], "hd.dims");
  hd_attr *names = hd_new_array(&pass->arena, hd_attr, rank);
  for (uint32_t d = 0; d < rank; ++d) names[d] = previous ? previous->array.items[d] : hd_attr_cstring(context, "");
  if (names[dim]->string->len) return;
  names[dim] = name;
  hd_named_attr *items = hd_new_array(&pass->arena, hd_named_attr, count + 1);
  for (uint32_t i = 0; i < count; ++i) items[i] = all[arg]->dict.items[i];
  items[count] = (hd_named_attr){hd_ident_cstr(context, "hd.dims"), hd_attr_array(context, names, rank)};
  all[arg] = hd_attr_dict(context, items, count + 1);
  hd_op_attr_set(func, "arg_attrs", hd_attr_array(context, all, entry->arg_count));
}

static void name_dims(hd_pass *pass, hd_op *func) {
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_for_each_op(op, entry) {
    hd_op *callee = hd_op_is(op, HD_OP_func_call) ? callee_of(op) : NULL;
    hd_attr attrs = callee ? hd_op_attr_get(callee, "arg_attrs") : NULL;
    for (uint32_t i = 0; attrs && i < op->operand_count && i < attrs->array.count; ++i) {
      hd_attr name = hd_dict_get(attrs->array.items[i], "jax.global_constant");
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
  inliner in = {.pass = pass};
  (void)module;
  hd_op *entry = hd_require_entry(pass);
  if (!entry) return false;
  name_dims(pass, entry);
  return inline_calls(&in, entry);
}
