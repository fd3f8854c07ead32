/* SPDX-License-Identifier: Apache-2.0 */
/* The shape dialect's own syntax. */
#include <inttypes.h>

#include "text/hooks_func.h"

#define UNUSED_ARGS (void)args, (void)count

/* assuming %w -> (t) { ... } */
bool hd_parse_hook_ShapeAssuming(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec refs = {0};
  if (!hd_parse_one_operand(p, &refs)) return false;
  op->resolved = true;
  return hd_resolve_into(op, &refs, hd_type_dialect(p->context, HD_TYPE_ROW_shape_witness, NULL, 0)) &&
         hd_parse_arrow_types(p, &op->result_types) && hd_op_parser_region(op, 0, NULL, 0) && hd_parse_attr_dict(op);
}
void hd_print_hook_ShapeAssuming(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_putc(out, ' ');
  hd_print_value(out, hd_operand(op, 0));
  hd_print_region_op_end(out, op);
}

/* const_shape [1, 2] : type */
bool hd_parse_hook_ShapeConstShape(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  if (!hd_parse_attr_dict(op)) return false;
  hd_attr list = hd_parse_int_list(p, hd_i64(p->context), TOK_LSQUARE, TOK_RSQUARE);
  if (!list || !hd_expect(p, TOK_COLON, "':'")) return false;
  hd_type type = hd_parse_type(p);
  if (!type) return false;
  int64_t dims[] = {(int64_t)hd_attr_count(list)};
  hd_type shaped = hd_type_tensor(hd_type_index(p->context), dims, 1, NULL);
  hd_op_parser_attr(op, "shape", hd_attr_dense(shaped, dims[0] ? list->dense.data : "", (size_t)dims[0] * 8, false));
  hd_vec_push(&p->scratch, &op->result_types, type);
  return op->resolved = true;
}
void hd_print_hook_ShapeConstShape(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_print_attr_dict(out, op, (const char *const[]){"shape", NULL});
  hd_putc(out, ' ');
  hd_print_int_list(out, hd_op_attr_get(op, HD_NAME_shape), "[", "]");
  hd_puts(out, " : ");
  hd_print_type(out, hd_result_type(op, 0));
}

/* func and function_library */
bool hd_parse_hook_ShapeFunc(struct hd_op_parser *op, const hd_format *args, size_t count) {
  return hd_parse_hook_Function(op, args, count);
}
void hd_print_hook_ShapeFunc(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  hd_print_hook_Function(out, op, args, count);
}

bool hd_parse_hook_ShapeFunctionLibrary(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_region *region;
  if (!hd_parse_visibility(op) || !hd_parse_sym_name(op) || !hd_parse_attr_dict_keyword(op) ||
      !hd_parse_region(op, NULL, 0, true, &region))
    return false;
  if (!region->first) hd_region_append(region, hd_block_create(p->module));
  hd_vec_push(&p->scratch, &op->regions[0], region);
  hd_named_attr_vec items = {0};
  if (!hd_expect_word(p, "mapping") || !hd_parse_dict(p, &items)) return false;
  hd_op_parser_attr(op, "mapping", hd_attr_dict(p->context, items.data, items.len));
  return op->resolved = true;
}
void hd_print_hook_ShapeFunctionLibrary(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_print_function_head(out, op);
  hd_print_attr_dict_keyword(out, op, (const char *const[]){"sym_name", "sym_visibility", "mapping", NULL});
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], false, true, false);
  hd_puts(out, " mapping ");
  hd_print_dict_body(out, hd_op_attr_get(op, HD_NAME_mapping));
}

/* reduce(%shape, %init) : !shape.shape -> t { ^bb0(...): ... } */
bool hd_parse_hook_ShapeReduce(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec refs = {0};
  const char *at = hd_here(p);
  if (!hd_parse_operands_until(p, TOK_LPAREN, TOK_RPAREN, &refs) || !hd_expect(p, TOK_COLON, "':'")) return false;
  hd_type shape = hd_parse_type(p);
  if (!shape || !hd_parse_arrow_types(p, &op->result_types)) return false;
  if (!refs.len || refs.len - 1 != op->result_types.len)
    return hd_parser_error(p, at, "expected %zu operands, got %zu", op->result_types.len + 1, refs.len);
  hd_type_vec types = {0};
  hd_vec_push(&p->scratch, &types, shape);
  hd_vec_append(&p->scratch, &types, op->result_types.data, op->result_types.len);
  op->resolved = true;
  return hd_resolve_each(op, &refs, &types) && hd_op_parser_region(op, 0, NULL, 0) && hd_parse_attr_dict(op);
}
void hd_print_hook_ShapeReduce(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_putc(out, '(');
  hd_print_operands(out, op, 0, op->operand_count);
  hd_puts(out, ") : ");
  hd_print_type(out, hd_operand_type(op, 0));
  hd_print_arrow_types(out, op);
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], true, true, false);
  hd_print_attr_dict(out, op, NULL);
}
