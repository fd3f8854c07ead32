/* SPDX-License-Identifier: Apache-2.0 */
/* Types at the end of StableHLO ops: one type where all agree, a function type where they do not. */
#include "text/parse_op.h"
#include "text/printer.h"

/* Gives |type| to |item|, once per operand of a list. */
static void set_type(hd_op_parser *op, hd_op_item *item, hd_type type, bool operand) {
  size_t count = operand ? item->refs.len : 1;
  item->types.len = 0;
  item->typed = true;
  for (size_t i = 0; i < count; ++i) hd_vec_push(&op->p->scratch, &item->types, type);
}

static bool is_operand(const hd_format *arg) {
  return arg->args[0].kind == HD_FORMAT_OPERAND || arg->args[0].kind == HD_FORMAT_OPERANDS;
}

/* A function type's inputs to the operands of |args| in order, its result to the last. */
static bool assign_function(hd_op_parser *op, const char *at, hd_type type, const hd_format *args, size_t count) {
  hd_parser *p = op->p;
  size_t next = 0;
  for (size_t i = 0; i + 1 < count; ++i) {
    hd_op_item *item = hd_arg_item(op, &args[i]);
    size_t wanted = item->refs.len;
    if (next + wanted > type->function.in_count)
      return hd_parser_error(p, at, "%zu operands present, but expected %u", next + wanted, type->function.in_count);
    item->types.len = 0;
    item->typed = true;
    hd_vec_append(&p->scratch, &item->types, type->function.ins + next, wanted);
    next += wanted;
  }
  if (next != type->function.in_count)
    return hd_parser_error(p, at, "%zu operands present, but expected %u", next, type->function.in_count);
  if (type->function.out_count != 1) return hd_parser_error(p, at, "expected single output");
  set_type(op, hd_arg_item(op, &args[count - 1]), type->function.outs[0], false);
  return true;
}

static bool parse_same(hd_op_parser *op, const hd_format *args, size_t count) {
  const char *at = hd_here(op->p);
  hd_type type = hd_parse_type(op->p);
  if (!type) return false;
  if (type->kind == HD_TYPE_FUNCTION) return assign_function(op, at, type, args, count);
  for (size_t i = 0; i < count; ++i) set_type(op, hd_arg_item(op, &args[i]), type, is_operand(&args[i]));
  return true;
}

static bool all_same(hd_op *op) {
  hd_type type = op->result_count ? hd_result_type(op, 0) : NULL;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_operand_type(op, i) != type) return false;
  return type && type->kind != HD_TYPE_FUNCTION;
}

static void print_same(hd_printer *out, hd_op *op) {
  if (all_same(op))
    hd_print_type(out, hd_result_type(op, 0));
  else
    hd_print_functional_type(out, op);
}

bool hd_parse_hook_SameOperandsAndResultType(struct hd_op_parser *op, const hd_format *args, size_t count) {
  return parse_same(op, args, count);
}
void hd_print_hook_SameOperandsAndResultType(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  print_same(out, op);
}

bool hd_parse_hook_VariadicSameOperandsAndResultType(struct hd_op_parser *op, const hd_format *args, size_t count) {
  /* The first argument only looks at the operands. */
  return parse_same(op, args + 1, count - 1);
}
void hd_print_hook_VariadicSameOperandsAndResultType(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  print_same(out, op);
}

/* pred type, value type */
bool hd_parse_hook_SelectOpType(struct hd_op_parser *op, const hd_format *args, size_t count) {
  const char *at = hd_here(op->p);
  hd_type type = hd_parse_type(op->p), value;
  if (!type) return false;
  if (type->kind == HD_TYPE_FUNCTION) return assign_function(op, at, type, args, count);
  if (!hd_accept(op->p, TOK_COMMA)) return hd_parser_error(op->p, at, "expected functional type or list of two types");
  if (!(value = hd_parse_type(op->p))) return false;
  set_type(op, hd_arg_item(op, &args[0]), type, true);
  for (size_t i = 1; i < count; ++i) set_type(op, hd_arg_item(op, &args[i]), value, is_operand(&args[i]));
  return true;
}
void hd_print_hook_SelectOpType(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_type type = hd_result_type(op, 0);
  if (hd_operand_type(op, 1) != type || hd_operand_type(op, 2) != type) {
    hd_print_functional_type(out, op);
    return;
  }
  hd_print_type(out, hd_operand_type(op, 0));
  hd_puts(out, ", ");
  hd_print_type(out, type);
}

static hd_type real_of(hd_type type) {
  hd_type element = hd_type_element(type);
  return element->kind == HD_TYPE_COMPLEX ? hd_type_with_element(type, element->shaped.element) : NULL;
}

bool hd_parse_hook_ComplexOpType(struct hd_op_parser *op, const hd_format *args, size_t count) {
  const char *at = hd_here(op->p);
  hd_type type = hd_parse_type(op->p);
  if (!type) return false;
  if (type->kind == HD_TYPE_FUNCTION) return assign_function(op, at, type, args, count);
  hd_type real = real_of(type);
  if (!real) return hd_parser_error(op->p, at, "expected tensor with complex element type");
  set_type(op, hd_arg_item(op, &args[0]), real, true);
  set_type(op, hd_arg_item(op, &args[1]), real, true);
  set_type(op, hd_arg_item(op, &args[2]), type, false);
  return true;
}
void hd_print_hook_ComplexOpType(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_type real = real_of(hd_result_type(op, 0));
  if (real && hd_operand_type(op, 0) == real && hd_operand_type(op, 1) == real)
    hd_print_type(out, hd_result_type(op, 0));
  else
    hd_print_functional_type(out, op);
}

bool hd_parse_hook_TupleOpType(struct hd_op_parser *op, const hd_format *args, size_t count) {
  const char *at = hd_here(op->p);
  hd_type type = hd_parse_type(op->p);
  if (!type) return false;
  if (type->kind == HD_TYPE_FUNCTION) return assign_function(op, at, type, args, count);
  if (type->kind != HD_TYPE_TUPLE) return hd_parser_error(op->p, at, "expected tuple type");
  hd_op_item *item = hd_arg_item(op, &args[0]);
  item->typed = true;
  hd_vec_append(&op->p->scratch, &item->types, type->function.ins, type->function.in_count);
  set_type(op, hd_arg_item(op, &args[1]), type, false);
  return true;
}
void hd_print_hook_TupleOpType(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_type type = hd_result_type(op, 0);
  bool same = type->kind == HD_TYPE_TUPLE && type->function.in_count == op->operand_count;
  for (uint32_t i = 0; same && i < op->operand_count; ++i) same = hd_operand_type(op, i) == type->function.ins[i];
  if (same)
    hd_print_type(out, type);
  else
    hd_print_functional_type(out, op);
}

/* The same list of types for operands and results. */
bool hd_parse_hook_PairwiseOpType(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  hd_op_item *in = hd_arg_item(op, &args[0]), *out = hd_arg_item(op, &args[1]);
  if (!hd_parse_type_list(op->p, &in->types)) return false;
  in->typed = out->typed = true;
  hd_vec_append(&op->p->scratch, &out->types, in->types.data, in->types.len);
  return true;
}
void hd_print_hook_PairwiseOpType(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_print_operand_types(out, op, 0, op->operand_count);
}
