/* SPDX-License-Identifier: Apache-2.0 */
/* VHLO's own syntax: shapes, function types, dictionaries, numbers and functions of the portable form. */
#include <string.h>

#include "text/hooks_func.h"
#include "text/rows.h"

#define UNUSED_ARGS (void)row, (void)args, (void)count

static bool type_item(hd_parser *p, void *user) {
  hd_attr_vec *types = user;
  hd_type type = hd_parse_type(p);
  if (type) hd_vec_push(&p->scratch, types, hd_attr_type(type));
  return type != NULL;
}

static void print_types(hd_printer *out, hd_attr types) {
  for (uint32_t i = 0; i < types->array.count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_type(out, types->array.items[i]->type_value);
  }
}

/* tensor_v1<?x4x!vhlo.f32_v1, #encoding> */
bool hd_parse_params_VhloShaped(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                                hd_attr *params) {
  UNUSED_ARGS;
  if (!hd_parse_shaped_params(p, params)) return false;
  if (hd_accept(p, TOK_COMMA) && !(params[2] = hd_parse_attr(p, NULL))) return false;
  return hd_expect(p, TOK_GREATER, "'>'");
}
void hd_print_params_VhloShaped(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                                const hd_attr *params) {
  UNUSED_ARGS;
  hd_print_shaped_params(out, params);
  if (params[2]) {
    hd_puts(out, ", ");
    hd_print_attr(out, params[2], HD_TYPE_NEVER);
  }
  hd_putc(out, '>');
}

/* func_v1<(t, t) -> t> */
bool hd_parse_params_VhloFunction(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                                  hd_attr *params) {
  UNUSED_ARGS;
  hd_attr_vec ins = {0}, outs = {0};
  if (!hd_expect(p, TOK_LESS, "'<'") || !hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, type_item, &ins) ||
      !hd_expect(p, TOK_ARROW, "'->'"))
    return false;
  if (hd_at(p, TOK_LPAREN) ? !hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, type_item, &outs) : !type_item(p, &outs))
    return false;
  params[0] = hd_attr_array(p->context, ins.data, ins.len);
  params[1] = hd_attr_array(p->context, outs.data, outs.len);
  return hd_expect(p, TOK_GREATER, "'>'");
}
void hd_print_params_VhloFunction(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                                  const hd_attr *params) {
  UNUSED_ARGS;
  bool brackets = params[1]->array.count != 1;
  hd_puts(out, "<(");
  print_types(out, params[0]);
  hd_puts(out, brackets ? ") -> (" : ") -> ");
  print_types(out, params[1]);
  hd_puts(out, brackets ? ")>" : ">");
}

/* dict_v1<{key = value, ...}>: both are attributes, kept in one list. */
static bool dict_item(hd_parser *p, void *user) {
  hd_attr_vec *items = user;
  hd_attr key = hd_parse_attr(p, NULL), value = NULL;
  if (!key || !hd_expect(p, TOK_EQUAL, "'='") || !(value = hd_parse_attr(p, NULL))) return false;
  hd_vec_push(&p->scratch, items, key);
  hd_vec_push(&p->scratch, items, value);
  return true;
}
bool hd_parse_params_VhloDict(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                              hd_attr *params) {
  UNUSED_ARGS;
  hd_attr_vec items = {0};
  if (!hd_expect(p, TOK_LESS, "'<'") || !hd_parse_list(p, TOK_LBRACE, TOK_RBRACE, dict_item, &items)) return false;
  params[0] = hd_attr_array(p->context, items.data, items.len);
  return hd_expect(p, TOK_GREATER, "'>'");
}
void hd_print_params_VhloDict(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                              const hd_attr *params) {
  UNUSED_ARGS;
  hd_puts(out, "<{");
  for (uint32_t i = 0; i + 1 < params[0]->array.count; i += 2) {
    if (i) hd_puts(out, ", ");
    hd_print_attr(out, params[0]->array.items[i], HD_TYPE_NEVER);
    hd_puts(out, " = ");
    hd_print_attr(out, params[0]->array.items[i + 1], HD_TYPE_NEVER);
  }
  hd_puts(out, "}>");
}

/* The builtin float that a portable one stands for: f32_v1, f8E4M3FN_v1, ...; tf31_v1 is tf32. */
static hd_type float_of(hd_context *context, hd_type type) {
  const hd_attr_row_info *info = type->kind == HD_TYPE_DIALECT ? hd_type_row_info_of(type->dialect.row) : NULL;
  if (!info || strcmp(info->dialect, "vhlo")) return NULL;
  if (!strcmp(info->name, "tf31_v1")) return hd_type_float(context, HD_TF32);
  hd_float_kind kind = hd_float_kind_of(info->name, strlen(info->name) - strlen("_v1"));
  return kind == HD_FLOAT_KIND_COUNT ? NULL : hd_type_float(context, kind);
}

/* float_v1<2.5 : !vhlo.f32_v1> */
bool hd_parse_params_VhloFloat(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                               hd_attr *params) {
  UNUSED_ARGS;
  if (!hd_expect(p, TOK_LESS, "'<'")) return false;
  const char *number = hd_here(p); /* read once its type is known */
  hd_accept(p, TOK_MINUS);
  if (!hd_at(p, TOK_INT) && !hd_at(p, TOK_FLOAT)) return hd_parser_expected(p, "a number");
  hd_advance(p);
  if (!hd_expect(p, TOK_COLON, "':'")) return false;
  const char *at = hd_here(p);
  hd_type type = hd_parse_type(p), builtin = type ? float_of(p->context, type) : NULL;
  if (!type) return false;
  if (!builtin) return hd_parser_error(p, at, "expected a float type of vhlo");
  const char *end = hd_here(p);
  hd_jump(p, number);
  if (!(params[1] = hd_parse_number(p, builtin))) return false;
  params[0] = hd_attr_type(type);
  hd_jump(p, end);
  return hd_expect(p, TOK_GREATER, "'>'");
}
void hd_print_params_VhloFloat(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                               const hd_attr *params) {
  UNUSED_ARGS;
  hd_putc(out, '<');
  hd_print_attr(out, params[1], HD_TYPE_MUST);
  hd_puts(out, " : ");
  hd_print_type(out, params[0]->type_value);
  hd_putc(out, '>');
}

/* func_v1 @f(%a: t) -> (t) { ... } {arg_attrs = ..., ...} */
static hd_attr string_v1(hd_context *context, hd_str text) {
  return hd_attr_struct(context, HD_STRUCT_vhlo_string_v1, (hd_attr[]){hd_attr_string(context, text)}, 1);
}

bool hd_parse_hook_VhloFunc(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_parser *p = op->p;
  hd_function f = {0};
  hd_str name;
  hd_attr_vec ins = {0}, outs = {0};
  if (!hd_parse_at(p, &name) || !hd_parse_signature(p, &f)) return false;
  for (size_t i = 0; i < f.args.len; ++i) hd_vec_push(&p->scratch, &ins, hd_attr_type(f.args.data[i].type));
  for (size_t i = 0; i < f.results.len; ++i) hd_vec_push(&p->scratch, &outs, hd_attr_type(f.results.data[i]));
  hd_attr lists[] = {hd_attr_array(p->context, ins.data, ins.len), hd_attr_array(p->context, outs.data, outs.len)};
  hd_attr type = hd_attr_type(hd_type_dialect(p->context, HD_TYPE_ROW_vhlo_func_v1, lists, 2));
  hd_op_parser_attr(op, "function_type", hd_attr_struct(p->context, HD_STRUCT_vhlo_type_v1, &type, 1));
  hd_op_parser_attr(op, "sym_name", string_v1(p->context, name));
  return hd_parse_function_body(op, &f) && hd_parse_attr_dict(op);
}
void hd_print_hook_VhloFunc(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_attr name = hd_struct_get(hd_op_attr_get(op, HD_NAME_sym_name), HD_NAME_value),
          type = hd_struct_get(hd_op_attr_get(op, HD_NAME_function_type), HD_NAME_value);
  hd_putc(out, ' ');
  hd_print_symbol_name(out->out, hd_attr_is(name, HD_ATTR_STRING) ? hd_ident_str(name->string) : HD_STR(""));
  hd_block *entry = op->regions[0].first;
  hd_putc(out, '(');
  for (uint32_t i = 0; entry && i < entry->arg_count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_block_arg(out, entry->args[i]);
  }
  hd_puts(out, ") -> (");
  if (hd_attr_is(type, HD_ATTR_TYPE) && hd_type_is(type->type_value, HD_TYPE_DIALECT) &&
      type->type_value->dialect.row == HD_TYPE_ROW_vhlo_func_v1)
    print_types(out, type->type_value->dialect.params[1]);
  hd_putc(out, ')');
  hd_print_function_body(out, op);
  hd_print_attr_dict(out, op, (const char *const[]){"sym_name", "function_type", NULL});
}
