/* SPDX-License-Identifier: Apache-2.0 */
/* What only the writer of a portable artifact needed: casts vanish, with the shardings of a program for one device. */
#include "bytecode/reader.h"
#include "ir/ops/discardable.h"

typedef struct tidy {
  hd_bc_reader *r;
  bool one_device;
  hd_vec(hd_op *) vanishing;
} tidy;

/* Without the entries that are sdy's. */
static hd_attr without_shardings(hd_bc_reader *r, hd_attr dict) {
  if (dict->kind != HD_ATTR_DICT) return dict;
  hd_named_attr *items = hd_new_array(&r->scratch, hd_named_attr, dict->dict.count);
  size_t kept = 0;
  for (uint32_t i = 0; i < dict->dict.count; ++i)
    if (!hd_str_starts(hd_ident_str(dict->dict.items[i].name), "sdy.")) items[kept++] = dict->dict.items[i];
  return kept == dict->dict.count ? dict : hd_attr_dict(r->context, items, kept);
}

static void strip_shardings(hd_bc_reader *r, hd_op *op) {
  for (uint32_t i = op->attr_count; i-- > 0;)
    if (hd_str_starts(hd_ident_str(op->attrs[i].name), "sdy.")) hd_op_attr_set_named(op, op->attrs[i].name->text, NULL);
  static const hd_name lists[] = {HD_NAME_arg_attrs, HD_NAME_res_attrs};
  for (int k = 0; k < 2; ++k) {
    hd_attr list = hd_op_attr_get(op, lists[k]);
    if (!hd_attr_is(list, HD_ATTR_ARRAY)) continue;
    hd_attr *items = hd_new_array(&r->scratch, hd_attr, list->array.count);
    for (uint32_t i = 0; i < list->array.count; ++i) items[i] = without_shardings(r, list->array.items[i]);
    hd_op_attr_set(op, lists[k], hd_attr_array(r->context, items, list->array.count));
  }
}

static bool collect(hd_op *op, void *user) {
  tidy *t = user;
  bool cast = hd_op_is(op, HD_OP_builtin_unrealized_conversion_cast) && op->operand_count == 1 &&
              op->result_count == 1 && hd_operand_type(op, 0) == hd_result_type(op, 0);
  bool sharding = hd_op_is(op, HD_OP_sdy_mesh) || hd_op_is(op, HD_OP_sdy_sharding_constraint) ||
                  hd_op_is(op, HD_OP_sdy_reshard) || hd_op_is(op, HD_OP_sdy_sharding_group) ||
                  hd_op_is(op, HD_OP_sdy_propagation_barrier);
  if (cast || (sharding && t->one_device)) hd_vec_push(&t->r->scratch, &t->vanishing, op);
  if (t->one_device) strip_shardings(t->r, op);
  return true;
}

static bool erase_identity(hd_bc_reader *r, hd_op *op) {
  if (op->result_count) {
    if (op->operand_count != 1 || op->result_count != 1 || hd_operand(op, 0) == hd_result(op, 0) ||
        hd_operand_type(op, 0) != hd_result_type(op, 0))
      return hd_bc_fail(r, NULL, "'%s' must have one operand and a result of its type", op->name->text);
    hd_value_replace_uses(hd_result(op, 0), hd_operand(op, 0));
  }
  hd_op_erase(op);
  return true;
}

static bool is_artifact(const hd_bc_reader *r) {
  for (size_t i = 0; i < r->dialect_count; ++i)
    if (hd_str_is(r->dialects[i].name, "vhlo")) return true;
  return false;
}

bool hd_bc_tidy(hd_bc_reader *r) {
  if (!is_artifact(r)) return true;
  int64_t partitions = hd_attr_int_or(hd_discardable_mhlo_num_partitions(r->module->op), 1);
  tidy t = {.r = r, .one_device = partitions <= 1};
  hd_walk_pre(r->module->op, collect, &t);
  for (size_t i = 0; i < t.vanishing.len; ++i)
    if (!erase_identity(r, t.vanishing.data[i])) return false;
  return true;
}
