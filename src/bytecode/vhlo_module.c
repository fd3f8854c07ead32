/* SPDX-License-Identifier: Apache-2.0 */
/* Whole modules to vhlo and back, op by op:
 *
 *   func.func @f(%a: tensor<4xf32>)  <->  "vhlo.func_v1"() <{sym_name = #vhlo.string_v1<"f">, ...}> ({
 *     stablehlo.abs %a                <->    "vhlo.abs_v1"(%a) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> ...
 *     return                          <->    "vhlo.return_v1"()
 *
 * Each op is made anew with its regions moved over; types of block arguments change in place. */
#include "bytecode/vhlo_wrap.h"

typedef struct legalize {
  hd_module *module;
  hd_context *context;
  hd_arena *scratch;
  uint32_t version;
} legalize;

static bool is_held(hd_op *op, void *user) {
  hd_vhlo_row row;
  (void)user;
  if (hd_op_is(op, HD_OP_builtin_module) || hd_op_is(op, HD_OP_func_return)) return true;
  return op->info->opcode && hd_str_starts(hd_ident_str(op->name), "mhlo.") == false &&
         hd_vhlo_row_for(hd_op_context(op), op->info->opcode, HD_VHLO_CURRENT, &row);
}

bool hd_vhlo_can_hold(hd_module *module) { return hd_walk_pre(module->op, is_held, NULL); }

static bool convert_types(legalize *l, hd_op *op, hd_type (*convert)(legalize *, hd_type), hd_type *out_results) {
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!(out_results[i] = convert(l, hd_result_type(op, i))))
      return hd_op_error(op, "result #%u is of a type that VHLO does not have", i);
  for (uint32_t k = 0; k < op->region_count; ++k)
    hd_for_each_block(block, &op->regions[k])
      for (uint32_t i = 0; i < block->arg_count; ++i) {
        hd_type made = convert(l, block->args[i]->type);
        if (!made) return hd_op_error(op, "a block argument is of a type that VHLO does not have");
        block->args[i]->type = made;
      }
  return true;
}

static void replace(legalize *l, hd_op *op, hd_opcode opcode, const hd_type *types, const hd_vhlo_attrs *attrs) {
  hd_value **operands = hd_new_array(l->scratch, hd_value *, op->operand_count);
  hd_region **regions = hd_new_array(l->scratch, hd_region *, op->region_count);
  hd_value **results = hd_new_array(l->scratch, hd_value *, op->result_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = hd_operand(op, i);
  for (uint32_t i = 0; i < op->region_count; ++i) regions[i] = &op->regions[i];
  hd_op_state state = {.context = l->context,
                       .loc = op->loc,
                       .opcode = opcode,
                       .operands = operands,
                       .operand_count = op->operand_count,
                       .result_types = types,
                       .result_count = op->result_count,
                       .attrs = attrs->data,
                       .attr_count = attrs->len,
                       .region_count = op->region_count,
                       .regions = regions};
  hd_op *made = hd_op_create(l->module, &state);
  hd_op_insert_before(made, op);
  for (uint32_t i = 0; i < op->result_count; ++i) results[i] = hd_result(made, i);
  hd_op_replace(op, results);
}

static hd_type wrapped(legalize *l, hd_type type) {
  return hd_vhlo_wrap_type(l->context, l->scratch, type, l->version);
}
static hd_type unwrapped(legalize *l, hd_type type) { return hd_vhlo_unwrap_type(l->context, l->scratch, type); }

/* What the rows cannot say: forms of an op that older versions did not take. */
static bool check_version(legalize *l, hd_op *op, const hd_vhlo_row *row) {
  bool single = row->opcode == HD_OP_vhlo_all_gather_v1 || row->opcode == HD_OP_vhlo_all_reduce_v1 ||
                row->opcode == HD_OP_vhlo_all_to_all_v1 || row->opcode == HD_OP_vhlo_collective_broadcast_v1;
  if (single && op->operand_count != 1)
    return hd_op_error(op, "expects one operand in the target version, got %u", op->operand_count);
  if (hd_op_is(op, HD_OP_stablehlo_custom_call) && l->version < HD_VHLO_VERSION(1, 3, 0) &&
      (hd_attr_is(hd_op_attr_get(op, HD_NAME_backend_config), HD_ATTR_DICT) ||
       hd_op_int_attr(op, HD_NAME_api_version, 1) == 4))
    return hd_op_error(op, "has a typed backend_config: expected a target version of 1.3.0 or later, got an older one");
  return true;
}

static bool to_vhlo(legalize *l, hd_op *op) {
  hd_vhlo_row row;
  hd_opcode from = hd_op_is(op, HD_OP_func_return) ? HD_OP_stablehlo_return : op->info->opcode;
  if (hd_vhlo_row_of(l->context, from, &row)) return true;
  if (!from || !hd_vhlo_row_for(l->context, from, l->version, &row))
    return hd_op_error(op, "has no portable form in version %u.%u.%u", l->version >> 20, l->version >> 10 & 1023,
                       l->version & 1023);
  hd_vhlo_attrs attrs = {0};
  hd_strbuf problem;
  hd_strbuf_init(&problem, l->scratch);
  if (!check_version(l, op, &row)) return false;
  if (!hd_vhlo_export(op, l->scratch, &row, &attrs, &problem))
    return hd_op_error(op, "has no portable form: %s", hd_strbuf_text(&problem));
  for (size_t i = 0; i < attrs.len; ++i) {
    hd_vhlo_kind kind = hd_str_is(hd_ident_str(attrs.data[i].name), "api_version") ? HD_VHLO_api_version : HD_VHLO_SAME;
    hd_attr made = hd_vhlo_wrap_attr(l->context, l->scratch, attrs.data[i].value, kind, l->version);
    if (!made)
      return hd_op_error(op, "has no portable form: attribute '%s' is not known in the target version",
                         attrs.data[i].name->text);
    attrs.data[i].value = made;
  }
  hd_type *types = hd_new_array(l->scratch, hd_type, op->result_count);
  if (!convert_types(l, op, wrapped, types)) return false;
  replace(l, op, row.opcode, types, &attrs);
  return true;
}

static bool from_vhlo(legalize *l, hd_op *op) {
  hd_vhlo_row row;
  if (!hd_vhlo_row_of(l->context, op->info->opcode, &row)) return true;
  hd_opcode target = row.target;
  if (!target) return hd_op_error(op, "is %s in this version, which is not supported", row.target_name);
  hd_op *parent = hd_op_parent(op);
  if (row.opcode == HD_OP_vhlo_return_v1 && (hd_op_is(parent, HD_OP_vhlo_func_v1) || hd_op_is(parent, HD_OP_func_func)))
    target = HD_OP_func_return;
  hd_op_attr_list attrs = hd_op_all_attrs(op, l->scratch);
  for (size_t i = 0; i < attrs.len; ++i) {
    attrs.data[i].value = hd_vhlo_unwrap_attr(l->context, l->scratch, attrs.data[i].value);
    if (!attrs.data[i].value)
      return hd_op_error(op, "attribute '%s' is malformed: expected the encoding of its type in VHLO",
                         attrs.data[i].name->text);
  }
  hd_vhlo_attrs made = {0};
  hd_strbuf problem;
  hd_strbuf_init(&problem, l->scratch);
  if (!hd_vhlo_import(l->context, l->scratch, &row, attrs.data, attrs.len, &made, &problem))
    return hd_op_error(op, "%s", hd_strbuf_text(&problem));
  hd_type *types = hd_new_array(l->scratch, hd_type, op->result_count);
  if (!convert_types(l, op, unwrapped, types)) return false;
  replace(l, op, target, types, &made);
  return true;
}

static bool run(hd_module *module, hd_arena *scratch, uint32_t version, bool (*step)(legalize *, hd_op *)) {
  legalize l = {.module = module, .context = module->context, .scratch = scratch, .version = version};
  hd_op_list ops = hd_ops_inner_first(module->op, NULL, scratch);
  for (size_t i = 0; i + 1 < ops.len; ++i) /* the last one is the module */
    if (!step(&l, ops.data[i])) return false;
  return true;
}

bool hd_vhlo_from_stablehlo(hd_module *module, hd_arena *scratch, uint32_t version) {
  return run(module, scratch, version, to_vhlo);
}
bool hd_vhlo_to_stablehlo(hd_module *module, hd_arena *scratch) { return run(module, scratch, 0, from_vhlo); }
