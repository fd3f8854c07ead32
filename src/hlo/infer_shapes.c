/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions whose shape is left out, `add(p, q)`: it follows from operands and attributes, as XLA has it for most
 * opcodes. A computation with such is imported once as soon as it is read, so that all else knows the shapes; what it
 * calls is before it. */
#include "hlo/import.h"
#include "ir/infer.h"

static hd_hlo_inst *inst_of(hd_hlo_import *s, const hd_hlo_inst *inst) {
  return &s->computation->insts.data[inst - s->computation->insts.data];
}

static const hd_hlo_shape *operand_shape(hd_hlo_import *s, const hd_hlo_inst *inst, uint32_t i) {
  return &s->computation->insts.data[inst->operands[i]].shape;
}

static hd_hlo_shape tuple_of(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_hlo_shape *elements = hd_new_array(&s->r->scratch, hd_hlo_shape, inst->operand_count + 1);
  hd_hlo_shape tuple = {.count = inst->operand_count, .elements = elements};
  for (uint32_t i = 0; i < inst->operand_count; ++i) {
    elements[i] = *operand_shape(s, inst, i);
    tuple.leaves += elements[i].leaves;
  }
  return tuple;
}

static bool is_one_of(hd_str opcode, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (hd_str_is(opcode, names[i])) return true;
  return false;
}

static bool element_of(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_shape *out) {
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, hd_hlo_find_attr(inst, "index"));
  int64_t index;
  if (!c.at) return hd_hlo_fail(s->r, inst->at, "expected 'index=', got none");
  if (!hd_hlo_check_operands(s, inst, 1) || !hd_hlo_int(&c, &index)) return false;
  const hd_hlo_shape *tuple = operand_shape(s, inst, 0);
  if (tuple->type || index < 0 || index >= tuple->count)
    return hd_hlo_fail(s->r, inst->at, "expected an index below %u, the elements of the operand, got %lld",
                       tuple->type ? 0 : tuple->count, (long long)index);
  *out = tuple->elements[index];
  return true;
}

/* What a call gives is what its computation gives, which was read before. */
static bool root_of(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_shape *out) {
  const char *name = hd_str_is(inst->opcode, "fusion") ? "calls" : "to_apply";
  hd_hlo_computation *called;
  if (hd_str_is(inst->opcode, "conditional")) {
    hd_hlo_cursor c = hd_hlo_cursor_of(s->r, hd_hlo_find_attr(inst, "branch_computations"));
    called = c.at ? (hd_hlo_expect(&c, '{') ? hd_hlo_computation_named(s->r, &c) : NULL)
                  : hd_hlo_find_computation(s, inst, "true_computation");
  } else {
    called = hd_hlo_find_computation(s, inst, name);
  }
  if (!called) return false;
  *out = called->insts.data[called->root].shape;
  return !called->insts.data[called->root].shapeless ||
         hd_hlo_fail(s->r, inst->at, "expected a shape for a call of '%.*s' inside of itself, got none",
                     (int)called->name.len, called->name.data);
}

/* Shapes that are those of other instructions. Others follow when the op is made. */
bool hd_hlo_infer_shape(hd_hlo_import *s, const hd_hlo_inst *inst) {
  static const char *const same[] = {"copy", "opt-barrier", "while", "domain", "add-dependency"};
  static const char *const calls[] = {"call", "fusion", "conditional"};
  hd_hlo_inst *to = inst_of(s, inst);
  if (hd_str_is(inst->opcode, "tuple")) {
    to->shape = tuple_of(s, inst);
  } else if (hd_str_is(inst->opcode, "get-tuple-element")) {
    if (!element_of(s, inst, &to->shape)) return false;
  } else if (is_one_of(inst->opcode, calls, 3)) {
    if (!root_of(s, inst, &to->shape)) return false;
  } else if (is_one_of(inst->opcode, same, 5) && inst->operand_count) {
    to->shape = *operand_shape(s, inst, 0);
  } else {
    bool follows = inst->row && hd_opcode_infers(inst->row->opcode) && !hd_str_is(inst->opcode, "constant");
    return follows || hd_hlo_fail(s->r, inst->at, "expected a shape, which does not follow for '%.*s', got none",
                                  (int)inst->opcode.len, inst->opcode.data);
  }
  to->shapeless = false;
  return true;
}

/* As many as the row has; of those that are variadic one for each operand of a variadic group, whose groups are equally
 * long. */
static uint32_t results_of(hd_context *context, hd_opcode opcode, uint32_t operands) {
  const hd_signature *row = hd_signature_of(context, opcode);
  size_t groups = row->args.variable, fixed = row->args.count - groups;
  if (!row->results.variable) return (uint32_t)row->results.count;
  return groups && operands > fixed ? (uint32_t)((operands - fixed) / groups) : 0;
}

bool hd_hlo_infer_results(hd_hlo_import *s, const hd_hlo_inst *inst, hd_opcode opcode, hd_value *const *operands,
                          uint32_t count, const hd_hlo_attr_args *attrs) {
  uint32_t results = results_of(s->b.context, opcode, count);
  hd_type *types = hd_new_array(&s->r->scratch, hd_type, results + 1);
  hd_op_attr named[sizeof attrs->data / sizeof *attrs->data];
  size_t named_count = 0;
  for (size_t i = 0; attrs && i < attrs->len; ++i)
    if (attrs->data[i].value)
      named[named_count++] = (hd_op_attr){hd_name_ident(s->b.context, attrs->data[i].name), attrs->data[i].value, true};
  hd_op_state state = {.context = s->b.context,
                       .loc = hd_hlo_loc(s->r, inst),
                       .opcode = opcode,
                       .operands = operands,
                       .operand_count = count,
                       .result_count = results,
                       .attrs = named,
                       .attr_count = named_count};
  size_t errors = s->b.context->error_count;
  bool known = hd_check_operands(&state) && results && hd_infer_types(&state, types);
  if (s->b.context->error_count > errors) return !(s->r->failed = true);
  if (!known)
    return hd_hlo_fail(s->r, inst->at, "expected a shape, which does not follow from these operands, got none");
  hd_hlo_inst *to = inst_of(s, inst);
  hd_hlo_shape *elements = hd_new_array(&s->r->scratch, hd_hlo_shape, results);
  for (uint32_t i = 0; i < results; ++i) elements[i] = (hd_hlo_shape){.type = types[i], .leaves = 1};
  to->shape = results == 1 ? elements[0] : (hd_hlo_shape){.count = results, .leaves = results, .elements = elements};
  to->shapeless = false;
  return true;
}

static void forget_calls(hd_hlo_reader *r) {
  for (size_t i = 0; i < r->called.len; ++i) r->called.data[i]->func = NULL;
  r->called.len = 0;
  hd_block *body = hd_module_body(r->module);
  while (body->last) hd_op_erase(body->last);
}

bool hd_hlo_infer_shapes(hd_hlo_reader *r, hd_hlo_computation *computation) {
  hd_vec(hd_type) ins = {0};
  for (size_t i = 0; i < computation->params.len; ++i) {
    uint32_t count;
    hd_type *types = hd_hlo_leaf_types(r, &computation->insts.data[computation->params.data[i]].shape, &count);
    hd_vec_append(&r->scratch, &ins, types, count);
  }
  hd_builder b = hd_builder_at_end(r->module, hd_module_body(r->module));
  b.loc = hd_hlo_loc(r, &computation->insts.data[computation->root]);
  hd_type type = hd_type_function(r->context, ins.data, ins.len, NULL, 0);
  hd_block *body = hd_op_region(hd_build_func(&b, computation->name, type, true), 0)->first;
  hd_hlo_import s = {.r = r, .computation = computation, .b = hd_builder_at_end(r->module, body), .args = body->args};
  hd_hlo_values root;
  if (!hd_hlo_import_body(&s, &root)) return false;
  for (size_t i = 0; i < computation->said.len; ++i) {
    const hd_hlo_said *said = &computation->said.data[i];
    if (!hd_hlo_check_shape(r, said->at, &computation->insts.data[said->inst], &said->shape)) return false;
  }
  forget_calls(r); /* |r->imported| stays: what is imported on the way is bounded with all else */
  return true;
}
