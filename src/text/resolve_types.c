/* SPDX-License-Identifier: Apache-2.0 */
/* The types that an op's text leaves out, from its row: of operands, results and regions. */
#include "ir/constraints.h"
#include "ir/infer.h"
#include "text/parse_op.h"

static int find_item(const hd_signature_list *list, hd_str name) {
  for (size_t i = 0; i < list->count; ++i)
    if (hd_str_equal(hd_ident_str(list->items[i].name), name)) return (int)i;
  return -1;
}

/* The type of what a rule names: operand, result or typed attribute; null while it is not known. */
static hd_type type_of_name(hd_op_parser *op, hd_str name) {
  int index = find_item(&op->signature->args, name);
  if (index >= 0) {
    hd_op_item *item = &op->args[index];
    if (item->types.len) return item->types.data[0];
    return item->refs.len ? hd_known_type(op->p, &item->refs.data[0]) : NULL;
  }
  if ((index = find_item(&op->signature->results, name)) >= 0)
    return op->results[index].types.len ? op->results[index].types.data[0] : NULL;
  for (size_t i = 0; i < op->attrs.len; ++i)
    if (hd_str_equal(hd_ident_str(op->attrs.data[i].name), name)) {
      hd_attr attr = op->attrs.data[i].value;
      return attr->kind == HD_ATTR_TYPE ? attr->type_value : attr->type;
    }
  return NULL;
}

static bool is_name(const hd_op_parser *op, hd_str name) {
  return find_item(&op->signature->args, name) >= 0 || find_item(&op->signature->results, name) >= 0 ||
         find_item(&op->signature->attrs, name) >= 0;
}

static bool apply_rule(hd_op_parser *op, hd_str rule, size_t count, hd_type_vec *out) {
  hd_context *c = op->p->context;
  hd_type type = NULL;
  const char *open = memchr(rule.data, '(', rule.len);
  hd_str inner = {0};
  if (open && rule.data[rule.len - 1] == ')') inner = (hd_str){open + 1, rule.len - (size_t)(open - rule.data) - 2};
  if (is_name(op, rule)) {
    type = type_of_name(op, rule);
  } else if (inner.data && is_name(op, inner)) {
    hd_str function = {rule.data, (size_t)(open - rule.data)};
    hd_type of = type_of_name(op, inner);
    if (!of) return false;
    bool ins = hd_str_is(function, "ins"), outs = hd_str_is(function, "outs");
    if (ins || outs) {
      if (of->kind != HD_TYPE_FUNCTION) return false;
      hd_vec_append(&op->p->scratch, out, ins ? of->function.ins : of->function.outs,
                    ins ? of->function.in_count : of->function.out_count);
      return true;
    }
    type = hd_rule_function(function, of);
  } else {
    type = hd_str_is(rule, "index") ? hd_type_index(c) : hd_str_is(rule, "i1") ? hd_i1(c) : hd_text_parse_type(c, rule);
  }
  if (!type) return false;
  for (size_t i = 0; i < count; ++i) hd_vec_push(&op->p->scratch, out, type);
  return true;
}

static bool infer_item(hd_op_parser *op, bool result, size_t index) {
  const hd_signature_item *sig = result ? &op->signature->results.items[index] : &op->signature->args.items[index];
  hd_op_item *item = result ? &op->results[index] : &op->args[index];
  size_t count = result ? (sig->arity == HD_ONE ? 1 : 0) : item->refs.len;
  if (item->typed || (!result && !count)) return false;
  if (result && sig->arity == HD_VARIADIC &&
      hd_str_starts(sig->default_text, "element(")) { /* one for each element of a vector */
    hd_str name = {sig->default_text.data + 8, sig->default_text.len - 9};
    hd_type of = type_of_name(op, name);
    int64_t elements = of ? hd_type_num_elements(of) : -1;
    if (elements < 0 || elements > 1 << 16) return false;
    for (int64_t i = 0; i < elements; ++i) hd_vec_push(&op->p->scratch, &item->types, hd_type_element(of));
    return item->typed = true;
  }
  if (result && sig->arity == HD_VARIADIC &&
      hd_str_starts(sig->default_text, "types(")) { /* those of an operand item */
    hd_str name = {sig->default_text.data + 6, sig->default_text.len - 7};
    for (size_t i = 0; i < op->signature->args.count; ++i) {
      if (!hd_str_equal(hd_ident_str(op->signature->args.items[i].name), name) || !op->args[i].typed) continue;
      hd_vec_append(&op->p->scratch, &item->types, op->args[i].types.data, op->args[i].types.len);
      return item->typed = true;
    }
    return false;
  }
  if (sig->default_text.len && (count || !result || strncmp(sig->default_text.data, "outs(", 5) == 0) &&
      apply_rule(op, sig->default_text, count, &item->types))
    return item->typed = true;
  if (result && sig->arity != HD_ONE) return false;
  hd_type type = hd_constraint_type(op->p->context, sig->constraint);
  if (!type && result && op->info->traits & HD_TRAIT(CONSTANT_LIKE)) type = type_of_name(op, HD_STR("value"));
  uint64_t same = HD_TRAIT(SAME_TYPE) | (result ? 0 : HD_TRAIT(SAME_OPERANDS));
  if (!type && op->info->traits & same) {
    for (size_t i = 0; !type && i < op->signature->args.count; ++i)
      if (op->args[i].types.len) type = op->args[i].types.data[0];
    for (size_t i = 0; !type && op->info->traits & HD_TRAIT(SAME_TYPE) && i < op->signature->results.count; ++i)
      if (op->results[i].types.len) type = op->results[i].types.data[0];
  }
  if (!type) return false;
  for (size_t i = 0; i < count; ++i) hd_vec_push(&op->p->scratch, &item->types, type);
  return item->typed = true;
}

static void infer_all(hd_op_parser *op) {
  for (bool progress = true; progress;) {
    progress = false;
    for (size_t i = 0; i < op->signature->args.count; ++i) progress |= infer_item(op, false, i);
    for (size_t i = 0; i < op->signature->results.count; ++i) progress |= infer_item(op, true, i);
  }
}

static bool resolve_operands(hd_op_parser *op) {
  const hd_signature_list *list = &op->signature->args;
  int32_t *sizes = hd_new_array(&op->p->scratch, int32_t, list->count + 1);
  for (size_t i = 0; i < list->count; ++i) {
    hd_op_item *item = &op->args[i];
    sizes[i] = (int32_t)item->refs.len;
    if (!item->typed) /* what is known of the values themselves */
      for (size_t k = 0; k < item->refs.len; ++k) {
        hd_type type = hd_known_type(op->p, &item->refs.data[k]);
        if (!type)
          return hd_parser_error(op->p, item->refs.data[k].at, "the type of operand '%s' is not known here",
                                 list->items[i].name->text);
        hd_vec_push(&op->p->scratch, &item->types, type);
      }
    item->typed = true;
    /* One type for all values of a list, where the row says so. */
    if (!hd_resolve_each(op, &item->refs, &item->types)) return false;
  }
  if (op->info->traits & HD_TRAIT(SEGMENTED_OPERANDS) && !hd_op_parser_get(op, "operandSegmentSizes"))
    hd_op_parser_segments(op, "operandSegmentSizes", sizes, list->count);
  return true;
}

static hd_region **flat_regions(hd_op_parser *op, size_t *out_count) {
  hd_region_vec all = {0};
  for (size_t i = 0; i < op->signature->regions.count; ++i)
    hd_vec_append(&op->p->scratch, &all, op->regions[i].data, op->regions[i].len);
  *out_count = all.len;
  return all.data;
}

static bool infer_results(hd_op_parser *op, size_t missing) {
  const hd_signature_list *list = &op->signature->results;
  if (!hd_opcode_infers(op->info->opcode))
    return hd_parser_error(op->p, op->at,
                           "the type of result '%s' is not written and does not follow from the operands",
                           list->items[missing].name->text);
  hd_type types[16] = {0};
  hd_op_state state = {.context = op->p->context,
                       .loc = op->loc,
                       .opcode = op->opcode,
                       .name = op->name,
                       .operands = op->operands.data,
                       .operand_count = op->operands.len,
                       .attrs = op->attrs.data,
                       .attr_count = op->attrs.len};
  state.regions = flat_regions(op, &state.region_count);
  if (list->variable || list->count > 16) return hd_parser_error(op->p, op->at, "result types must be written");
  size_t errors = op->p->context->error_count;
  if (!hd_infer_types(&state, types)) {
    if (op->p->context->error_count > errors) op->p->failed = true;
    return hd_parser_error(op->p, op->at, "the result type does not follow from the operands");
  }
  for (size_t i = 0; i < list->count; ++i) {
    if (op->results[i].typed) continue;
    op->results[i].typed = true;
    hd_vec_push(&op->p->scratch, &op->results[i].types, types[i]);
  }
  return true;
}

bool hd_resolve_types(hd_op_parser *op) {
  infer_all(op);
  if (!resolve_operands(op)) return false;
  infer_all(op);
  const hd_signature_list *list = &op->signature->results;
  for (size_t i = 0; i < list->count; ++i)
    if (!op->results[i].typed && list->items[i].arity == HD_ONE) {
      if (!infer_results(op, i)) return false;
      break;
    }
  int32_t *sizes = hd_new_array(&op->p->scratch, int32_t, list->count + 1);
  for (size_t i = 0; i < list->count; ++i) {
    sizes[i] = (int32_t)op->results[i].types.len;
    if (list->items[i].arity == HD_ONE && sizes[i] != 1)
      return hd_parser_error(op->p, op->at, "expected one type for result '%s', got %d", list->items[i].name->text,
                             sizes[i]);
    hd_vec_append(&op->p->scratch, &op->result_types, op->results[i].types.data, op->results[i].types.len);
  }
  if (op->info->traits & HD_TRAIT(SEGMENTED_RESULTS) && !hd_op_parser_get(op, "resultSegmentSizes"))
    hd_op_parser_segments(op, "resultSegmentSizes", sizes, list->count);
  return true;
}
