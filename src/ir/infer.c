/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers of type inference, see infer.h. */
#include "ir/infer.h"

#include <stdarg.h>
#include <stdio.h>

#include "ir/constraints.h"
#include "ir/shapes/shape_function.h"

bool hd_infer_error(const hd_op_state *state, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const char *name = state->name ? state->name->text : hd_op_info_of(state->opcode)->name;
  hd_error(state->context, state->loc, "'%s' op %s", name, text);
  return false;
}

hd_op_state hd_op_as_state(hd_op *op, hd_value **operands, hd_type *results, hd_region **regions) {
  for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = hd_operand(op, i);
  for (uint32_t i = 0; i < op->result_count; ++i) results[i] = hd_result_type(op, i);
  for (uint32_t i = 0; i < op->region_count; ++i) regions[i] = hd_op_region(op, i);
  return (hd_op_state){.context = hd_op_context(op),
                       .loc = op->loc,
                       .opcode = hd_opcode_get(op),
                       .name = op->name,
                       .operands = operands,
                       .operand_count = op->operand_count,
                       .result_types = results,
                       .result_count = op->result_count,
                       .properties = op->properties,
                       .attrs = op->attrs,
                       .attr_count = op->attr_count,
                       .region_count = op->region_count,
                       .regions = regions};
}

bool hd_opcode_infers(hd_opcode opcode) {
  const hd_op_hooks *hooks = &hd_op_info_of(opcode)->hooks;
  return hooks->infer || hooks->shape;
}

bool hd_infer_types(const hd_op_state *state, hd_type *out) {
  const hd_op_hooks *hooks = &hd_op_info_of(state->opcode)->hooks;
  return hooks->shape ? hd_shape_function_types(state, out) : hooks->infer && hooks->infer(state, out);
}

bool hd_op_infer(hd_op *op, hd_arena *scratch, hd_type *out) {
  if (!hd_opcode_infers(op->info->opcode)) return false;
  hd_value **operands = hd_new_array(scratch, hd_value *, op->operand_count + 1);
  hd_type *results = hd_new_array(scratch, hd_type, op->result_count + 1);
  hd_region **regions = hd_new_array(scratch, hd_region *, op->region_count + 1);
  hd_op_state state = hd_op_as_state(op, operands, results, regions);
  return hd_infer_types(&state, out);
}

hd_attr hd_state_attr(const hd_op_state *state, hd_name name) {
  const hd_name_list *list = hd_row_names(state->opcode);
  for (uint32_t i = 0; state->properties && i < list->count; ++i)
    if (list->names[i] == name && state->properties[i]) return state->properties[i];
  hd_ident ident = hd_name_ident(state->context, name);
  for (size_t i = 0; i < state->attr_count; ++i)
    if (state->attrs[i].name == ident) return state->attrs[i].value;
  return NULL;
}

int64_t hd_state_int(const hd_op_state *state, hd_name name, int64_t otherwise) {
  hd_attr attr = hd_state_attr(state, name);
  return hd_attr_is(attr, HD_ATTR_INTEGER) ? attr->integer : otherwise;
}

bool hd_state_ints(const hd_op_state *state, hd_name name, size_t count, int64_t otherwise, int64_t *out) {
  hd_attr attr = hd_state_attr(state, name);
  if (attr && hd_attr_count(attr) != count)
    return hd_infer_error(state, "expects %zu entries in '%s', got %zu", count, hd_name_text(name),
                          hd_attr_count(attr));
  for (size_t i = 0; i < count; ++i) out[i] = attr ? hd_attr_int_at(attr, i) : otherwise;
  return true;
}

bool hd_state_list(const hd_op_state *state, hd_name name, int64_t *out, uint32_t *out_count) {
  hd_attr attr = hd_state_attr(state, name);
  size_t count = hd_attr_count(attr);
  *out_count = 0;
  if (count > HD_MAX_RANK)
    return hd_infer_error(state, "expects at most %d entries in '%s', got %zu", HD_MAX_RANK, hd_name_text(name), count);
  for (size_t i = 0; i < count; ++i) out[i] = hd_attr_int_at(attr, i);
  *out_count = (uint32_t)count;
  return true;
}

/* The item of operand |i|; null where only sizes of segments tell it. */
static const hd_signature_item *item_of(const hd_signature_list *list, size_t i, size_t count) {
  size_t first = 0; /* the first item that has no or several operands */
  while (first < list->count && list->items[first].arity == HD_ONE) ++first;
  if (i < first) return &list->items[i];
  if (list->variable != 1) return NULL;
  size_t behind = list->count - first - 1;
  return &list->items[i >= count - behind ? list->count - (count - i) : first];
}

bool hd_check_operands(const hd_op_state *state) {
  const hd_signature_list *list = &hd_signature_of(state->context, state->opcode)->args;
  size_t fixed = list->count - list->variable, count = state->operand_count;
  if (count < fixed || (!list->variable && count > fixed))
    return hd_infer_error(state, "expects %s%zu operand%s, got %zu", list->variable ? "at least " : "", fixed,
                          fixed == 1 ? "" : "s", count);
  for (size_t i = 0; i < count; ++i) {
    const hd_signature_item *item = item_of(list, i, count);
    hd_type type = hd_state_type(state, i);
    if (item && !hd_type_satisfies(item->constraint, type))
      return hd_infer_error(state, "operand #%zu must be %s", i,
                            hd_constraint_text(state->context, item->constraint, type));
  }
  return true;
}

bool hd_check_result_count(const hd_op_state *state, size_t count) {
  if (hd_state_results(state, count) == count) return true;
  return hd_infer_error(state, "expects %zu results, got %zu", count, state->result_count);
}

hd_attr hd_type_bounds(hd_type type) {
  hd_attr encoding = type->shaped.encoding;
  if (!hd_attr_is(encoding, HD_ATTR_STRUCT)) return NULL;
  if (encoding->structure.row != HD_STRUCT_stablehlo_bounds &&
      encoding->structure.row != HD_STRUCT_stablehlo_type_extensions)
    return NULL;
  return hd_struct_get(encoding, HD_NAME_bounds);
}

hd_type hd_type_bounded(hd_type element, const int64_t *dims, const int64_t *bounds, uint32_t rank, int row) {
  bool bounded = false;
  int64_t of_unknown[HD_MAX_RANK];
  for (uint32_t i = 0; i < rank; ++i) {
    of_unknown[i] = dims[i] == HD_DYNAMIC && bounds[i] >= 0 ? bounds[i] : HD_DYNAMIC;
    bounded |= of_unknown[i] != HD_DYNAMIC;
  }
  if (!bounded) return hd_type_tensor(element, dims, rank, NULL);
  hd_attr list = hd_attr_i64_array(element->context, of_unknown, rank);
  return hd_type_tensor(element, dims, rank,
                        hd_attr_struct(element->context, row ? row : HD_STRUCT_stablehlo_bounds, &list, 1));
}

bool hd_check_dims(const hd_op_state *state, const char *what, const int64_t *dims, uint32_t count, int64_t limit) {
  for (uint32_t i = 0; i < count; ++i) {
    if (dims[i] < 0 || dims[i] >= limit)
      return hd_infer_error(state, "expects %s in [0, %lld), got %lld", what, (long long)limit, (long long)dims[i]);
    for (uint32_t k = 0; k < i; ++k)
      if (dims[k] == dims[i])
        return hd_infer_error(state, "expects %s to be unique, got %lld twice", what, (long long)dims[i]);
  }
  return true;
}

hd_type hd_state_yielded(const hd_op_state *state, size_t region, uint32_t i) {
  if (!state->regions || region >= state->region_count || !state->regions[region]) return NULL;
  hd_block *block = state->regions[region]->first;
  hd_op *last = block ? hd_block_terminator(block) : NULL;
  return last && i < last->operand_count ? hd_operand_type(last, i) : NULL;
}

bool hd_types_compatible(hd_type inferred, hd_type actual) {
  if (inferred == actual || !inferred) return true;
  if (inferred->kind == HD_TYPE_TUPLE && actual->kind == HD_TYPE_TUPLE) {
    if (inferred->function.in_count != actual->function.in_count) return false;
    for (uint32_t i = 0; i < inferred->function.in_count; ++i)
      if (!hd_types_compatible(inferred->function.ins[i], actual->function.ins[i])) return false;
    return true;
  }
  if (!hd_type_is_tensor(inferred) || !hd_type_is_tensor(actual)) return false;
  if (!hd_elements_compatible(inferred->shaped.element, actual->shaped.element)) return false;
  if (!hd_is_ranked(inferred) || !hd_is_ranked(actual)) return true;
  if (inferred->shaped.rank != actual->shaped.rank) return false;
  hd_attr bounds = hd_type_bounds(inferred);
  for (uint32_t i = 0; i < inferred->shaped.rank; ++i) {
    int64_t a = inferred->shaped.dims[i], b = actual->shaped.dims[i];
    if (b == HD_DYNAMIC) continue;
    if (a != HD_DYNAMIC && a != b) return false;
    if (a == HD_DYNAMIC && bounds && i < hd_attr_count(bounds)) {
      int64_t bound = hd_attr_int_at(bounds, i);
      if (bound != HD_DYNAMIC && b > bound) return false;
    }
  }
  return true;
}
