/* SPDX-License-Identifier: Apache-2.0 */
/* The folding driver, see fold.h. */
#include "ir/fold.h"

#include <string.h>

#include "ir/builder.h"
#include "ir/eval/eval.h"
#include "ir/number.h"
#include "ir/wide.h"

static bool can_fill(hd_type type) {
  return (type->kind == HD_TYPE_TENSOR || type->kind == HD_TYPE_VECTOR) && hd_type_is_static(type) &&
         hd_type_num_elements(type) >= 0;
}

hd_attr hd_fold_fill_int(hd_type type, int64_t value) {
  hd_type element = hd_type_element(type);
  if (element->kind != HD_TYPE_INTEGER && element->kind != HD_TYPE_INDEX) return NULL;
  if (hd_type_bits(element) > 64) return NULL;
  if (!hd_type_is_shaped(type)) return hd_attr_integer(type, value);
  if (!can_fill(type)) return NULL;
  char bytes[8];
  hd_element_store(element, bytes, value);
  return hd_attr_dense(type, bytes, hd_type_element_bytes(element), true);
}

hd_attr hd_fold_fill_float(hd_type type, double value) {
  hd_type element = hd_type_element(type);
  if (element->kind != HD_TYPE_FLOAT || hd_type_is_wide(element)) return NULL;
  if (!hd_type_is_shaped(type)) return hd_attr_float(type, value);
  if (!can_fill(type)) return NULL;
  char bytes[8];
  hd_element_store(element, bytes, (int64_t)hd_float_encode(element->float_kind, value));
  return hd_attr_dense(type, bytes, hd_type_element_bytes(element), true);
}

hd_attr hd_fold_fill(hd_type type, hd_attr splat) {
  if (!splat || hd_type_element(type) != (splat->type ? hd_type_element(splat->type) : NULL)) return NULL;
  if (splat->wide) {
    if (!hd_type_is_shaped(type)) return splat;
    return can_fill(type) ? hd_attr_dense(type, splat->wide, hd_type_element_bytes(splat->type), true) : NULL;
  }
  if (splat->kind == HD_ATTR_INTEGER) return hd_fold_fill_int(type, splat->integer);
  if (splat->kind == HD_ATTR_FLOAT) {
    if (!hd_type_is_shaped(type)) return splat;
    if (!can_fill(type)) return NULL;
    char bytes[8];
    hd_element_store(splat->type, bytes, (int64_t)splat->floating.bits);
    return hd_attr_dense(type, bytes, hd_type_element_bytes(splat->type), true);
  }
  if (splat->kind != HD_ATTR_DENSE || !splat->dense.splat || !can_fill(type)) return NULL;
  return hd_attr_dense(type, splat->dense.data, splat->dense.size, true);
}

/* What evaluating gives is kept unless it is big and new (rule 4). */
static bool grows(hd_op *op, const hd_attr *operands, const hd_attr *results) {
  int64_t had = 64, has = 0;
  for (uint32_t i = 0; i < op->operand_count; ++i) had += hd_type_num_elements(operands[i]->type);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!(results[i]->kind == HD_ATTR_DENSE && results[i]->dense.splat)) has += hd_type_num_elements(results[i]->type);
  return has > had;
}

static bool evaluate(hd_op *op, const hd_attr *operands, hd_arena *scratch, hd_fold_result *out) {
  if (!op->operand_count) return false; /* iota and its like are better than their elements */
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!operands[i]) return false;
  hd_attr *results = hd_new_array(scratch, hd_attr, op->result_count + 1);
  if (!hd_eval_fold(op, operands, HD_FOLD_MAX_ELEMENTS, results) || grows(op, operands, results)) return false;
  for (uint32_t i = 0; i < op->result_count; ++i) out[i].attr = results[i];
  return true;
}

/* Rule 1. */
static bool types_hold(hd_op *op, const hd_fold_result *out) {
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type type = out[i].value ? out[i].value->type : out[i].attr ? out[i].attr->type : NULL;
    if (type != hd_result_type(op, i) || out[i].value == hd_result(op, i)) return false;
  }
  return true;
}

bool hd_op_fold_with(hd_op *op, const hd_attr *operands, hd_arena *scratch, hd_fold_result *out) {
  if (!op->result_count || hd_op_has_trait(op, HD_TRAIT(CONSTANT_LIKE))) return false;
  memset(out, 0, op->result_count * sizeof *out);
  if (op->info->hooks.fold && op->info->hooks.fold(op, operands, out) && types_hold(op, out)) return true;
  memset(out, 0, op->result_count * sizeof *out);
  return evaluate(op, operands, scratch, out) && types_hold(op, out);
}

bool hd_op_fold(hd_op *op, hd_arena *scratch, hd_fold_result *out) {
  hd_attr *operands = hd_new_array(scratch, hd_attr, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = hd_value_constant(hd_operand(op, i));
  return hd_op_fold_with(op, operands, scratch, out);
}

hd_value *hd_fold_materialise(hd_builder *b, const hd_op *like, uint32_t result, hd_attr attr) {
  static const char *const graph[] = {"stablehlo.", "mhlo.", "chlo.", "func."};
  const char *name = like->name->text;
  for (size_t i = 0; i < sizeof graph / sizeof *graph; ++i)
    if (strncmp(name, graph[i], strlen(graph[i])) == 0 && hd_type_is_tensor(attr->type)) {
      hd_value *constant = hd_build_hlo_constant(b, attr);
      hd_attr placement = hd_op_attr_get(like, HD_NAME_hd_placement);
      if (hd_attr_is(placement, HD_ATTR_ARRAY) && result < placement->array.count)
        hd_op_attr_set(hd_value_op(constant), HD_NAME_hd_placement,
                       hd_attr_array(b->context, &placement->array.items[result], 1));
      return constant;
    }
  return hd_build_constant(b, attr);
}

bool hd_op_fold_replace(hd_op *op, hd_arena *scratch) {
  hd_fold_result *folded = hd_new_array(scratch, hd_fold_result, op->result_count + 1);
  if (!hd_op_fold(op, scratch, folded)) return false;
  hd_value **values = hd_new_array(scratch, hd_value *, op->result_count + 1);
  hd_builder b = hd_builder_before(op);
  for (uint32_t i = 0; i < op->result_count; ++i)
    values[i] = folded[i].value ? folded[i].value : hd_fold_materialise(&b, op, i, folded[i].attr);
  hd_op_replace(op, values);
  return true;
}
