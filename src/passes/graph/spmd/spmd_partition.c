/* SPDX-License-Identifier: Apache-2.0 */
/* spmd-partition: the entry function of a program with shardings becomes the program of one device.
 *
 *   sdy.mesh @mesh = <["x"=2]>
 *   func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4xf32> {
 *     %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
 *   ->
 *   func.func @main(%a: tensor<4x4xf32>) -> tensor<4xf32> {
 *     %p = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
 *     %s = "stablehlo.all_reduce"(%p) ({ add }) <{replica_groups = dense<[[0, 1]]>, ...}>
 *
 * How the work is divided follows from how the operands are, op by op (spmd_rules.c); bodies of manual_computation are
 * programs of one device already and go in as they are. Requires inlined calls and no function beside the entry.
 * Guarantees that nothing of sdy is left, and says in mhlo.spmd_parameters_shardings and mhlo.spmd_output_sharding, as
 * XLA does, how arguments and results are. Programs without sdy are left alone. */
#include <string.h>

#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/sdy.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/entry.h"
#include "passes/graph/expand/expand_hlo.h"
#include "passes/graph/spmd/spmd.h"
#include "passes/passes.h"

/* ---- emitting -------------------------------------------------------------------------------------------------- */

typedef struct captures {
  hd_spmd *s;
  hd_op *inside;
} captures;

/* Values from outside are whole for what regions compute with them. */
static bool fix_capture(hd_op *op, void *user) {
  captures *c = user;
  for (uint32_t i = 0; op != c->inside && i < op->operand_count; ++i) {
    hd_value *old = hd_operand(op, i);
    if (hd_spmd_get(c->s, old)) hd_op_set_operand(op, i, hd_spmd_as(c->s, old, hd_layout_whole(c->s, old->type)));
  }
  return true;
}

static void strip(hd_op *op) {
  for (uint32_t i = op->attr_count; i-- > 0;) {
    hd_str name = hd_ident_str(op->attrs[i].name);
    if (hd_str_starts(name, "sdy.") || op->attrs[i].name == hd_name_ident(hd_op_context(op), HD_NAME_mhlo_sharding))
      hd_op_attr_set_ident(op, op->attrs[i].name, NULL);
  }
}

hd_op *hd_spmd_emit(hd_spmd *s, hd_op *op, const hd_layout *operands, const hd_layout *results) {
  hd_value **values = hd_new_array(s->arena, hd_value *, op->operand_count + 1u);
  for (uint32_t i = 0; i < op->operand_count; ++i) values[i] = hd_spmd_as(s, hd_operand(op, i), operands[i]);
  hd_map map = {0};
  hd_op *made = hd_op_clone(s->pass->module, op, s->arena, &map);
  for (uint32_t i = 0; i < op->operand_count; ++i) hd_op_set_operand(made, i, values[i]);
  captures c = {s, made};
  if (made->region_count) hd_walk_pre(made, fix_capture, &c);
  strip(made);
  hd_op_append(made, s->b.block);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_result(made, i)->type = hd_layout_type(s, hd_result_type(op, i), results[i]);
    hd_spmd_set(s, hd_result(op, i), hd_result(made, i), results[i]);
  }
  return made;
}

hd_plan hd_plan_of(hd_spmd *s, hd_op *op) {
  hd_plan p = {hd_new_array(s->arena, hd_layout, op->operand_count + 1u),
               hd_new_array(s->arena, hd_layout, op->result_count + 1u)};
  for (uint32_t i = 0; i < op->operand_count; ++i) p.operands[i] = hd_layout_whole(s, hd_operand_type(op, i));
  for (uint32_t i = 0; i < op->result_count; ++i) p.results[i] = hd_layout_whole(s, hd_result_type(op, i));
  return p;
}

bool hd_plan_emit(hd_spmd *s, hd_op *op, hd_plan p) {
  hd_spmd_emit(s, op, p.operands, p.results);
  return true;
}

bool hd_spmd_replicated(hd_spmd *s, hd_op *op) { return hd_plan_emit(s, op, hd_plan_of(s, op)); }

/* ---- manual computations --------------------------------------------------------------------------------------- */

/* The mesh of the first of the shardings that has axes; null where none has. */
static hd_attr mesh_of(hd_op *op) {
  static const hd_name names[] = {HD_NAME_in_shardings, HD_NAME_out_shardings};
  for (int k = 0; k < 2; ++k) {
    hd_attr list = hd_attr_sdy_sharding_per_value_shardings(hd_op_attr_get(op, names[k]));
    for (uint32_t i = 0; i < list->array.count; ++i) {
      hd_op *where;
      hd_attr mesh = hd_sharding_mesh(op, list->array.items[i], &where);
      if (mesh && hd_attr_sdy_mesh_axes(mesh)->array.count) return mesh;
    }
  }
  return NULL;
}

/* A computation of nothing has no shardings that name its mesh; axes that no mesh of the program has divide nothing. */
static bool manual_axes(hd_spmd *s, hd_op *op, uint32_t *out) {
  hd_attr names = hd_attr_sdy_manual_axes_axes(hd_sdy_manual_computation_manual_axes(op)), mesh = mesh_of(op);
  *out = 0;
  for (uint32_t i = 0; i < names->array.count; ++i) {
    hd_split axis;
    hd_str name = hd_ident_str(names->array.items[i]->string);
    bool found = hd_mesh_find_axis(s, mesh, name, &axis);
    if (!found && (op->operand_count || op->result_count)) return hd_mesh_axis(s, op, mesh, name, &axis);
    for (uint8_t k = 0; k < axis.count; ++k) *out |= 1u << axis.axes[k];
  }
  return true;
}

/* The layouts of the operands or results: |inside| is what is left of one for the body, where the manual axes are the
 * device's own. |*sums|: axes along which the devices have addends. */
static bool boundary(hd_spmd *s, hd_op *op, hd_name name, uint32_t i, hd_type type, uint32_t manual, hd_layout *out,
                     hd_layout *inside, hd_split *sums) {
  *sums = (hd_split){0};
  hd_attr list = hd_attr_sdy_sharding_per_value_shardings(hd_op_attr_get(op, name));
  if (i >= list->array.count) return hd_op_error(op, "has %u %s, expected more", list->array.count, hd_name_text(name));
  if (!hd_type_has_rank(type)) {
    *out = *inside = hd_layout_whole(s, type);
    return true;
  }
  if (!hd_layout_read(s, op, list->array.items[i], type, true, out, NULL) ||
      !hd_sharding_unreduced(s, op, list->array.items[i], sums))
    return false;
  *inside = hd_layout_whole(s, type);
  for (uint32_t d = 0; d < out->rank; ++d)
    for (uint8_t k = 0; k < out->dims[d].count; ++k) {
      uint8_t axis = out->dims[d].axes[k];
      if (manual >> axis & 1) continue;
      inside->dims[d].axes[inside->dims[d].count++] = axis;
    }
  return true;
}

static bool manual_computation(hd_spmd *s, hd_op *op) {
  hd_block *body = hd_op_region(op, 0)->first;
  uint32_t manual;
  if (!manual_axes(s, op, &manual)) return false;
  if (!body || !body->last || body->arg_count != op->operand_count || body->last->operand_count != op->result_count)
    return hd_op_error(op, "expects a body with an argument per operand and a value per result");
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_layout layout, inside;
    hd_value *x = hd_operand(op, i);
    hd_split sums;
    if (!boundary(s, op, HD_NAME_in_shardings, i, x->type, manual, &layout, &inside, &sums)) return false;
    hd_value *value = hd_spmd_addend_as(s, x, layout, sums);
    if (value->type != hd_layout_type(s, body->args[i]->type, inside))
      return hd_op_error(op, "expects the type that its shardings give for argument #%u of its body, got another one",
                         i);
    hd_spmd_set(s, body->args[i], value, inside);
  }
  uint32_t before = s->manual;
  s->manual |= manual;
  if (!hd_spmd_block(s, body)) return false;
  s->manual = before;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_layout layout, inside;
    hd_type type = hd_result_type(op, i);
    hd_split sums;
    if (!boundary(s, op, HD_NAME_out_shardings, i, type, manual, &layout, &inside, &sums)) return false;
    hd_placed *placed = hd_spmd_get(s, hd_operand(body->last, i));
    if (!hd_type_has_rank(type)) {
      hd_spmd_set(s, hd_result(op, i), placed->value, placed->layout);
      continue;
    }
    layout = hd_layout_outside(s, layout, placed->layout, manual);
    if (layout.rank != hd_type_rank(type) || placed->value->type != hd_layout_type(s, type, layout))
      return hd_op_error(op, "expects the type that its body and shardings give for result #%u, got another one", i);
    hd_spmd_set(s, hd_result(op, i), sums.count ? hd_spmd_all_sum(s, placed->value, sums) : placed->value, layout);
  }
  return true;
}

/* ---- blocks ---------------------------------------------------------------------------------------------------- */

/* Ops that hold programs or say how tensors are, which must not go in as they are. */
static bool has_rule(const hd_op *op) { return hd_is_control_flow(op) || !strncmp(op->name->text, "sdy.", 4); }

bool hd_spmd_block(hd_spmd *s, hd_block *from) {
  uint32_t all = 0;
  for (uint32_t a = 0; a < s->axis_count; ++a) all |= s->axis_sizes[a] > 1 ? 1u << a : 0;
  for (hd_op *op = from->first; op && op != from->last; op = op->next) {
    s->b.loc = op->loc;
    bool good = true;
    if (hd_op_is(op, HD_OP_sdy_manual_computation)) {
      good = manual_computation(s, op);
    } else if ((s->manual & all) == all && !has_rule(op)) { /* all of it a device's own */
      good = hd_spmd_replicated(s, op);
    } else {
      good = hd_spmd_op(s, op);
    }
    if (!good) return false;
  }
  if (from->last) s->b.loc = from->last->loc;
  return true;
}

/* ---- the function ---------------------------------------------------------------------------------------------- */

static hd_attr sharding_of(hd_attr attrs, uint32_t i) {
  if (!hd_attr_is(attrs, HD_ATTR_ARRAY) || i >= attrs->array.count) return NULL;
  return hd_dict_get(attrs->array.items[i], HD_NAME_sdy_sharding);
}

/* |attrs| without what says how values are. */
static void strip_list(hd_spmd *s, hd_op *func, hd_name name) {
  hd_attr list = hd_op_attr_get(func, name);
  if (!hd_attr_is(list, HD_ATTR_ARRAY)) return;
  hd_attr *items = hd_new_array(s->arena, hd_attr, list->array.count + 1u);
  for (uint32_t i = 0; i < list->array.count; ++i) {
    hd_attr dict = list->array.items[i];
    hd_named_attr *kept = hd_new_array(s->arena, hd_named_attr, dict->dict.count + 1u);
    size_t count = 0;
    for (uint32_t k = 0; k < dict->dict.count; ++k) {
      hd_str key = hd_ident_str(dict->dict.items[k].name);
      if (!hd_str_starts(key, "sdy.") &&
          dict->dict.items[k].name != hd_name_ident(s->pass->context, HD_NAME_mhlo_sharding))
        kept[count++] = dict->dict.items[k];
    }
    items[i] = hd_attr_dict(s->pass->context, kept, count);
  }
  hd_op_attr_set(func, name, hd_attr_array(s->pass->context, items, list->array.count));
}

/* One result's own, or a tuple's; that of no results has one part in the form that frameworks read. */
static const char *output_sharding(hd_arena *arena, const char *parts, uint32_t results) {
  return results == 1 ? parts : hd_arena_printf(arena, "{%s}", results ? parts : "{replicated}");
}

/* A result is as it is said, else as it came out, as far as axes of a mesh that the caller knows can say that. */
static bool result_layout(hd_spmd *s, hd_op *func, hd_value *old, hd_attr sharding, hd_layout *out, hd_split *sums) {
  hd_layout have = hd_layout_copy(s, hd_spmd_get(s, old)->layout);
  for (uint32_t d = 0; d < have.rank; ++d) hd_mesh_trim(s, &have.dims[d]);
  *out = have;
  *sums = (hd_split){0};
  if (!sharding || !hd_type_has_rank(old->type)) return true;
  if (!hd_sharding_unreduced(s, func, sharding, sums)) return false;
  bool *open = hd_new_array(s->arena, bool, hd_type_rank(old->type) + 1u);
  if (!hd_layout_read(s, func, sharding, old->type, true, out, open)) return false;
  for (uint32_t d = 0; d < out->rank; ++d) {
    if (!open[d]) have.dims[d] = (hd_split){0};
    for (uint8_t k = 0; k < have.dims[d].count; ++k)
      if (hd_split_has(*sums, have.dims[d].axes[k])) have.dims[d].count = k; /* an axis of addends splits nothing */
  }
  hd_layout_merge(s, out, have, old->type);
  return true;
}

static bool partition(hd_spmd *s, hd_op *func) {
  hd_context *context = s->pass->context;
  hd_region *region = hd_op_region(func, 0);
  hd_block *old = region->first, *block = hd_block_create(s->pass->module);
  if (old->next) return hd_op_error(func, "expects one block, got several, which are not partitioned");
  hd_op *end = old->last;
  hd_attr *parameters = hd_new_array(s->arena, hd_attr, old->arg_count + 1u);
  hd_type *ins = hd_new_array(s->arena, hd_type, old->arg_count + 1u),
          *outs = hd_new_array(s->arena, hd_type, end->operand_count + 1u);
  hd_region_append(region, block);
  for (uint32_t i = 0; i < old->arg_count; ++i) {
    hd_attr sharding = sharding_of(hd_function_like_arg_attrs(func), i);
    hd_type type = old->args[i]->type;
    hd_layout layout = hd_layout_whole(s, type);
    hd_split sums = {0};
    if (sharding && hd_type_has_rank(type) &&
        (!hd_layout_read(s, func, sharding, type, true, &layout, NULL) ||
         !hd_sharding_unreduced(s, func, sharding, &sums)))
      return false;
    hd_value *arg = hd_block_add_arg(s->pass->module, block, ins[i] = hd_layout_type(s, type, layout));
    arg->loc = old->args[i]->loc;
    hd_builder b = s->b;
    s->b = hd_builder_at_end(s->pass->module, block);
    hd_spmd_set(s, old->args[i], sums.count ? hd_spmd_all_sum(s, arg, sums) : arg, layout);
    s->b = b;
    parameters[i] = hd_attr_cstring(context, hd_layout_text(s, layout, sums));
  }
  s->b = hd_builder_at_end(s->pass->module, block);
  if (!hd_spmd_block(s, old)) return false;
  hd_value **values = hd_new_array(s->arena, hd_value *, end->operand_count + 1u);
  hd_strbuf text;
  hd_strbuf_init(&text, s->arena);
  for (uint32_t i = 0; i < end->operand_count; ++i) {
    hd_layout layout;
    hd_split sums;
    if (!result_layout(s, func, hd_operand(end, i), sharding_of(hd_function_like_res_attrs(func), i), &layout, &sums))
      return false;
    values[i] = hd_spmd_addend_as(s, hd_operand(end, i), layout, sums);
    outs[i] = values[i]->type;
    hd_strbuf_printf(&text, "%s%s", i ? ", " : "", hd_layout_text(s, layout, sums));
  }
  hd_build_op(&s->b, HD_OP_func_return, values, end->operand_count, NULL, 0, NULL, 0, 0);
  const char *output = output_sharding(s->arena, hd_strbuf_text(&text), end->operand_count);
  hd_function_like_set_function_type(
      func, hd_attr_type(hd_type_function(context, ins, old->arg_count, outs, end->operand_count)));
  hd_discardable_set_mhlo_spmd_parameters_shardings(s->pass->module->op,
                                                    hd_attr_array(context, parameters, old->arg_count));
  hd_discardable_set_mhlo_spmd_output_sharding(s->pass->module->op, hd_attr_cstring(context, output));
  hd_block_erase(old);
  strip_list(s, func, HD_NAME_arg_attrs);
  strip_list(s, func, HD_NAME_res_attrs);
  return true;
}

/* ---- the pass -------------------------------------------------------------------------------------------------- */

typedef struct search {
  bool sdy, older;
} search;

static bool says(hd_attr list, hd_name name) {
  for (uint32_t i = 0; hd_attr_is(list, HD_ATTR_ARRAY) && i < list->array.count; ++i)
    if (hd_dict_get(list->array.items[i], name)) return true;
  return false;
}

static bool look(hd_op *op, void *user) {
  search *found = user;
  hd_str target =
      hd_op_is(op, HD_OP_stablehlo_custom_call) ? hd_stablehlo_custom_call_call_target_name(op) : HD_STR("");
  hd_attr arguments = hd_op_attr_get(op, HD_NAME_arg_attrs), results = hd_op_attr_get(op, HD_NAME_res_attrs);
  found->sdy |= !strncmp(op->name->text, "sdy.", 4) || says(arguments, HD_NAME_sdy_sharding) ||
                says(results, HD_NAME_sdy_sharding);
  found->older |= hd_str_is(target, "Sharding") || hd_str_is(target, "SPMDFullToShardShape") ||
                  says(arguments, HD_NAME_mhlo_sharding) || says(results, HD_NAME_mhlo_sharding);
  return true;
}

/* Reducers and comparators have scalars, which are nowhere. */
static bool forget_scalars(hd_op *op, void *user) {
  (void)user;
  hd_op *parent = hd_op_parent(op);
  bool program = hd_holds_program(parent) || hd_op_is(parent, HD_OP_sdy_manual_computation);
  if (!program && hd_op_is(op, HD_OP_sdy_sharding_constraint)) {
    hd_value *value = hd_operand(op, 0);
    hd_op_replace(op, &value);
  }
  return true;
}

/* A program for several devices that names no mesh: all of them do all of it. It says so, for who asks how its
 * arguments and results are. */
static void say_whole(hd_pass *pass, hd_op *module, hd_op *func) {
  static const char text[] = "{replicated}";
  hd_block *entry = hd_op_region(func, 0)->first;
  uint32_t results = entry->last ? entry->last->operand_count : 0;
  hd_attr *parameters = hd_new_array(&pass->arena, hd_attr, entry->arg_count + 1u);
  for (uint32_t i = 0; i < entry->arg_count; ++i) parameters[i] = hd_attr_cstring(pass->context, text);
  hd_strbuf output;
  hd_strbuf_init(&output, &pass->arena);
  for (uint32_t i = 0; i < results; ++i) hd_strbuf_printf(&output, "%s%s", i ? ", " : "", text);
  const char *all = output_sharding(&pass->arena, hd_strbuf_text(&output), results);
  hd_discardable_set_mhlo_spmd_parameters_shardings(module, hd_attr_array(pass->context, parameters, entry->arg_count));
  hd_discardable_set_mhlo_spmd_output_sharding(module, hd_attr_cstring(pass->context, all));
  pass->changed = true;
}

bool hd_pass_spmd_partition(hd_pass *pass, hd_op *module) {
  search found = {0};
  hd_walk_pre(module, look, &found);
  int64_t devices = hd_attr_int_or(hd_discardable_mhlo_num_partitions(module), 1),
          replicas = hd_attr_int_or(hd_discardable_mhlo_num_replicas(module), 1);
  if (!found.sdy && devices <= 1) return true;
  hd_op *func = hd_require_entry(pass);
  if (!func) return false;
  if (!found.sdy && !found.older) {
    say_whole(pass, module, func);
    return true;
  }
  if (devices < 1 || devices > 4096 || replicas < 1 || replicas > 4096)
    return hd_op_error(module, "has %lld partitions and %lld replicas, expected 1 to 4096", (long long)devices,
                       (long long)replicas);
  hd_spmd s = {.pass = pass, .arena = &pass->arena, .devices = devices, .replicas = replicas};
  if (found.older && !hd_spmd_modernise(&s, func)) return false;
  hd_walk_post(func, forget_scalars, NULL);
  s.position = hd_new_array(s.arena, int64_t, (size_t)devices);
  for (int64_t d = 0; d < devices; ++d) s.position[d] = d;
  if (!hd_mesh_read(&s, func) || !partition(&s, func)) return false;
  hd_for_each_op_safe(op, hd_module_body(pass->module)) {
    if (hd_op_is(op, HD_OP_sdy_mesh)) hd_op_erase(op);
  }
  for (size_t i = 0; i < s.undone.len; ++i) {
    hd_op *sum = s.undone.data[i];
    bool again = false;
    for (size_t k = 0; k < i; ++k) again |= s.undone.data[k] == sum;
    if (!again && !hd_value_has_uses(hd_result(sum, 0))) hd_op_erase(sum);
  }
  hd_block_erase_dead(hd_op_region(func, 0)->first); /* what was made whole, and then used in parts alone */
  pass->changed = true;
  return true;
}
