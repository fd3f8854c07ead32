/* SPDX-License-Identifier: Apache-2.0 */
/* Modules and functions. */
#include "text/hooks_func.h"

#include "text/parse_op.h"
#include "text/printer.h"

bool hd_parse_hook_Module(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_parser *p = op->p;
  hd_str name;
  if (hd_at(p, TOK_AT)) {
    if (!hd_parse_at(p, &name)) return false;
    hd_op_parser_attr(op, "sym_name", hd_attr_string(p->context, name));
  }
  hd_region *region;
  if (!hd_parse_attr_dict_keyword(op) || !hd_parse_region(op, NULL, 0, true, &region)) return false;
  if (!region->first) hd_region_append(region, hd_block_create(p->module));
  hd_vec_push(&p->scratch, &op->regions[0], region);
  return op->resolved = true;
}

void hd_print_hook_Module(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_str name = hd_op_string_attr(op, HD_NAME_sym_name);
  if (name.len) {
    hd_putc(out, ' ');
    hd_print_symbol_name(out->out, name);
  }
  hd_print_attr_dict_keyword(out, op, (const char *const[]){"sym_name", NULL});
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], false, true, false);
}

static bool optional_dict(hd_parser *p, hd_attr *out) {
  hd_named_attr_vec items = {0};
  if (hd_at(p, TOK_LBRACE) && !hd_parse_dict(p, &items)) return false;
  *out = hd_attr_dict(p->context, items.data, items.len);
  return true;
}

static bool arg_item(hd_parser *p, void *user) {
  hd_function *f = user;
  hd_region_arg arg = {0};
  hd_attr attrs;
  if (f->is_variadic)
    return hd_parser_error(p, hd_here(p), "variadic arguments must be in the end of the argument list");
  if (f->allow_variadic && hd_accept(p, TOK_ELLIPSIS)) return f->is_variadic = true;
  if (hd_at(p, TOK_PERCENT)) {
    if (f->args.len && !f->args.data[0].name.name.len) return hd_parser_expected(p, "type instead of SSA identifier");
    if (!hd_parse_operand(p, &arg.name) || !hd_expect(p, TOK_COLON, "':'")) return false;
  } else if (f->args.len && f->args.data[0].name.name.len) {
    return hd_parser_expected(p, "SSA identifier");
  }
  if (!(arg.type = hd_parse_type(p)) || !optional_dict(p, &attrs)) return false;
  if (hd_at_word(p, "loc") && !(arg.loc = hd_parse_loc(p))) return false;
  hd_vec_push(&p->scratch, &f->args, arg);
  hd_vec_push(&p->scratch, &f->arg_attrs, attrs);
  return true;
}

static bool result_item(hd_parser *p, void *user) {
  hd_function *f = user;
  hd_attr attrs;
  hd_type type = hd_parse_type(p);
  if (!type || !optional_dict(p, &attrs)) return false;
  hd_vec_push(&p->scratch, &f->results, type);
  hd_vec_push(&p->scratch, &f->result_attrs, attrs);
  return true;
}

bool hd_parse_signature(hd_parser *p, hd_function *f) {
  if (!hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, arg_item, f)) return false;
  if (!hd_accept(p, TOK_ARROW)) return true;
  if (hd_at(p, TOK_LPAREN)) return hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, result_item, f);
  hd_type type = hd_parse_type(p);
  if (!type) return false;
  hd_vec_push(&p->scratch, &f->results, type);
  hd_vec_push(&p->scratch, &f->result_attrs, hd_attr_dict(p->context, NULL, 0));
  return true;
}

static bool any_set(const hd_attr_vec *attrs) {
  for (size_t i = 0; i < attrs->len; ++i)
    if (attrs->data[i]->dict.count) return true;
  return false;
}

void hd_set_signature_attrs(hd_op_parser *op, const hd_function *f) {
  if (any_set(&f->arg_attrs))
    hd_op_parser_attr(op, "arg_attrs", hd_attr_array(op->p->context, f->arg_attrs.data, f->arg_attrs.len));
  if (any_set(&f->result_attrs))
    hd_op_parser_attr(op, "res_attrs", hd_attr_array(op->p->context, f->result_attrs.data, f->result_attrs.len));
}

hd_type hd_signature_type(hd_parser *p, const hd_function *f) {
  hd_type_vec ins = {0};
  for (size_t i = 0; i < f->args.len; ++i) hd_vec_push(&p->scratch, &ins, f->args.data[i].type);
  return hd_type_function(p->context, ins.data, ins.len, f->results.data, f->results.len);
}

bool hd_parse_visibility(hd_op_parser *op) {
  hd_parser *p = op->p;
  static const char *const words[] = {"public", "private", "nested"};
  for (int i = 0; i < 3; ++i)
    if (hd_accept_word(p, words[i])) {
      hd_op_parser_attr(op, "sym_visibility", hd_attr_cstring(p->context, words[i]));
      break;
    }
  return true;
}

bool hd_parse_sym_name(hd_op_parser *op) {
  hd_str name;
  if (!hd_parse_at(op->p, &name)) return false;
  hd_op_parser_attr(op, "sym_name", hd_attr_string(op->p->context, name));
  return true;
}

bool hd_parse_function_body(hd_op_parser *op, const hd_function *f) {
  hd_parser *p = op->p;
  hd_region *region = hd_empty_region(p);
  if (hd_at(p, TOK_LBRACE)) {
    const char *at = hd_here(p);
    if (f->args.len && !f->args.data[0].name.name.len)
      return hd_parser_error(p, at, "a function with a body names its arguments");
    if (!hd_parse_region(op, f->args.data, f->args.len, true, &region)) return false;
    if (!region->first || (!region->first->first && region->first == region->last))
      return hd_parser_error(p, at, "expected non-empty function body");
  }
  hd_vec_push(&p->scratch, &op->regions[0], region);
  return op->resolved = true;
}

bool hd_parse_hook_Function(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_function f = {0};
  if (!hd_parse_visibility(op) || !hd_parse_sym_name(op) || !hd_parse_signature(op->p, &f)) return false;
  hd_op_parser_attr(op, "function_type", hd_attr_type(hd_signature_type(op->p, &f)));
  hd_set_signature_attrs(op, &f);
  return hd_parse_attr_dict_keyword(op) && hd_parse_function_body(op, &f);
}

static void print_arg_attrs(hd_printer *out, hd_attr attrs, uint32_t i) {
  if (!hd_attr_is(attrs, HD_ATTR_ARRAY) || i >= attrs->array.count ||
      !hd_attr_is(attrs->array.items[i], HD_ATTR_DICT) || !attrs->array.items[i]->dict.count)
    return;
  hd_putc(out, ' ');
  hd_print_dict_body(out, attrs->array.items[i]);
}

static bool has_attrs(hd_attr attrs, uint32_t i) {
  return hd_attr_is(attrs, HD_ATTR_ARRAY) && i < attrs->array.count &&
         hd_attr_is(attrs->array.items[i], HD_ATTR_DICT) && attrs->array.items[i]->dict.count;
}

void hd_print_signature(hd_printer *out, hd_op *op, hd_type type, bool variadic) {
  hd_attr arg_attrs = hd_op_attr_get(op, HD_NAME_arg_attrs), res_attrs = hd_op_attr_get(op, HD_NAME_res_attrs);
  hd_block *entry = op->region_count ? op->regions[0].first : NULL;
  hd_putc(out, '(');
  for (uint32_t i = 0; i < type->function.in_count; ++i) {
    if (i) hd_puts(out, ", ");
    bool named = entry && i < entry->arg_count;
    if (named) {
      hd_print_value(out, entry->args[i]);
      hd_puts(out, ": ");
    }
    hd_print_type(out, type->function.ins[i]);
    print_arg_attrs(out, arg_attrs, i);
    if (named) hd_print_arg_loc(out, entry->args[i]);
  }
  if (variadic) hd_puts(out, type->function.in_count ? ", ..." : "...");
  hd_putc(out, ')');
  uint32_t count = type->function.out_count;
  if (!count) return;
  hd_puts(out, " -> ");
  bool brackets = count > 1 || type->function.outs[0]->kind == HD_TYPE_FUNCTION || has_attrs(res_attrs, 0);
  if (brackets) hd_putc(out, '(');
  for (uint32_t i = 0; i < count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_type(out, type->function.outs[i]);
    print_arg_attrs(out, res_attrs, i);
  }
  if (brackets) hd_putc(out, ')');
}

void hd_print_function_head(hd_printer *out, hd_op *op) {
  hd_str visibility = hd_op_string_attr(op, HD_NAME_sym_visibility);
  hd_putc(out, ' ');
  if (visibility.len) {
    hd_put_str(out, visibility);
    hd_putc(out, ' ');
  }
  hd_print_symbol_name(out->out, hd_op_string_attr(op, HD_NAME_sym_name));
}

void hd_print_function_body(hd_printer *out, hd_op *op) {
  if (!op->regions[0].first) return;
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], false, true, false);
}

void hd_print_hook_Function(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  static const char *const hidden[] = {"sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs", NULL};
  hd_attr type = hd_op_attr_get(op, HD_NAME_function_type);
  hd_print_function_head(out, op);
  if (hd_attr_is(type, HD_ATTR_TYPE) && type->type_value->kind == HD_TYPE_FUNCTION)
    hd_print_signature(out, op, type->type_value, false);
  hd_print_attr_dict_keyword(out, op, hidden);
  hd_print_function_body(out, op);
}
