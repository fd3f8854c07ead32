/* SPDX-License-Identifier: Apache-2.0 */
/* The types that a row ties to another item: "= element(x)" and its like (op_info.h). */
#include <string.h>

#include "ir/constraints.h"
#include "ir/tile_types.h"

static hd_type element_of(hd_type type) {
  if (type->kind == HD_TYPE_COMPLEX) return type->shaped.element;
  if (hd_type_is_shaped(type)) return hd_type_element(type);
  if (hd_type_is_row(type, HD_TYPE_ROW_gpu_mma_matrix) && type->dialect.param_count > 1 &&
      hd_attr_is(type->dialect.params[1], HD_ATTR_TYPE))
    return type->dialect.params[1]->type_value;
  return type;
}

hd_type hd_rule_function(hd_str word, hd_type of) {
  hd_type scalar = hd_type_element(of);
  if (hd_str_is(word, "element")) return element_of(of);
  if (hd_str_is(word, "flagged")) return hd_type_flagged(of);
  if (hd_str_is(word, "bool")) return hd_type_with_element(of, hd_i1(of->context));
  if (hd_str_is(word, "index")) return hd_type_with_element(of, hd_type_index(of->context));
  if (hd_str_is(word, "pointee")) return hd_type_pointee(of);
  if (hd_str_is(word, "pointers")) return hd_type_with_element(of, hd_type_pointer(scalar, HD_GLOBAL_MEMORY));
  if (hd_str_is(word, "complex") && (scalar->kind == HD_TYPE_FLOAT || scalar->kind == HD_TYPE_INTEGER))
    return hd_type_with_element(of, hd_type_complex(scalar));
  return NULL;
}

hd_type hd_type_flagged(hd_type type) {
  hd_attr body[] = {hd_attr_type(type), hd_attr_type(hd_i1(type->context))};
  hd_attr params[] = {NULL, NULL, hd_attr_array(type->context, body, 2)};
  return hd_type_dialect(type->context, HD_TYPE_ROW_llvm_struct, params, 3);
}

/* The type of the first value of the item |name| of |op|, or of its attribute; null when there is none. */
static hd_type item_type(const hd_op *op, hd_str name) {
  const hd_signature *signature = hd_signature_of(hd_op_context(op), op->info->opcode);
  uint32_t start, count;
  for (size_t i = 0; i < signature->args.count; ++i) {
    if (!hd_str_equal(hd_ident_str(signature->args.items[i].name), name)) continue;
    hd_op_operand_range(op, i, &start, &count);
    return count ? hd_operand_type(op, start) : NULL;
  }
  for (size_t i = 0; i < signature->results.count; ++i) {
    if (!hd_str_equal(hd_ident_str(signature->results.items[i].name), name)) continue;
    hd_op_result_range(op, i, &start, &count);
    return count ? hd_result_type(op, start) : NULL;
  }
  hd_attr attr = hd_op_attr_get_ident(op, hd_ident_get(hd_op_context(op), name));
  return attr ? attr->type : NULL;
}

/* The type of value |index| of operand item |name|. */
static hd_type nth_type(const hd_op *op, hd_str name, uint32_t index) {
  const hd_signature *signature = hd_signature_of(hd_op_context(op), op->info->opcode);
  uint32_t start, count;
  for (size_t i = 0; i < signature->args.count; ++i) {
    if (!hd_str_equal(hd_ident_str(signature->args.items[i].name), name)) continue;
    hd_op_operand_range(op, i, &start, &count);
    return index < count ? hd_operand_type(op, start + index) : NULL;
  }
  return NULL;
}

hd_type hd_rule_type(const hd_op *op, hd_str rule, uint32_t index) {
  hd_context *context = hd_op_context(op);
  const char *open = memchr(rule.data, '(', rule.len);
  if (!open || rule.data[rule.len - 1] != ')') {
    hd_type type = item_type(op, rule);
    return type ? type : hd_constraint_type(context, rule);
  }
  hd_str word = {rule.data, (size_t)(open - rule.data)};
  hd_type other = item_type(op, (hd_str){open + 1, rule.len - word.len - 2});
  if (!other) return NULL;
  if (hd_str_is(word, "ins"))
    return other->kind == HD_TYPE_FUNCTION && index < other->function.in_count ? other->function.ins[index] : NULL;
  if (hd_str_is(word, "types")) return nth_type(op, (hd_str){open + 1, rule.len - word.len - 2}, index);
  if (hd_str_is(word, "outs"))
    return other->kind == HD_TYPE_FUNCTION && index < other->function.out_count ? other->function.outs[index] : NULL;
  return hd_rule_function(word, other);
}
