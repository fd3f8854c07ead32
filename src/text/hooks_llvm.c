/* SPDX-License-Identifier: Apache-2.0 */
/* The llvm dialect's own syntax: functions, globals, comparisons, addresses. */
#include "text/hooks_llvm.h"

#include <inttypes.h>

#define UNUSED_ARGS (void)args, (void)count

void hd_parse_llvm_case(hd_op_parser *op, int row, const char *name) {
  hd_parser *p = op->p;
  hd_enum_style style = hd_enum_style_of(row);
  int64_t value;
  if (!hd_at(p, TOK_WORD) || !hd_enum_case_value(row, p->tok.text, &value)) return;
  hd_advance(p);
  hd_op_parser_attr(op, name,
                    style.integer ? hd_attr_integer(hd_type_integer(p->context, style.width, HD_SIGNLESS), value)
                                  : hd_attr_enum(p->context, row, value));
}

static void set_default(hd_op_parser *op, const char *name, hd_attr value) {
  if (!hd_op_parser_get(op, name)) hd_op_parser_attr(op, name, value);
}

static int64_t case_of(hd_op *op, const char *name) { return hd_attr_int_or(hd_op_attr_get_named(op, name), 0); }

void hd_print_llvm_case(hd_printer *out, hd_op *op, int row, const char *name) {
  if (!hd_op_attr_get_named(op, name)) return;
  hd_str text = hd_enum_case_name(row, case_of(op, name));
  if (!text.len) return;
  hd_put_str(out, text);
  hd_putc(out, ' ');
}

/* icmp "slt" %a, %b : t */
static bool parse_compare(hd_op_parser *op, int row) {
  hd_parser *p = op->p;
  const char *at = hd_here(p);
  hd_str word;
  int64_t value;
  hd_operand_vec refs = {0};
  if (!hd_parse_string(p, &word)) return false;
  if (!hd_enum_case_value(row, word, &value))
    return hd_parser_error(p, at, "'%.*s' is an incorrect value of the 'predicate' attribute", (int)word.len,
                           word.data);
  hd_op_parser_attr(op, "predicate", hd_attr_i64(p->context, value));
  if (!hd_parse_operand_list(p, &refs) || !hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'")) return false;
  hd_type type = hd_parse_type(p);
  if (!type) return false;
  if (refs.len != 2) return hd_parser_error(p, at, "expected 2 operands, got %zu", refs.len);
  hd_vec_push(&p->scratch, &op->result_types, hd_type_with_element(type, hd_i1(p->context)));
  op->resolved = true;
  return hd_resolve_into(op, &refs, type);
}
static void print_compare(hd_printer *out, hd_op *op, int row) {
  hd_puts(out, " \"");
  hd_put_str(out, hd_enum_case_name(row, case_of(op, "predicate")));
  hd_puts(out, "\" ");
  hd_print_operands(out, op, 0, 2);
  hd_attr flags = hd_op_attr_get(op, HD_NAME_fastmathFlags);
  bool plain = hd_attr_is(flags, HD_ATTR_ENUM) && !flags->enumerant.value;
  hd_print_attr_dict(out, op, (const char *const[]){"predicate", plain ? "fastmathFlags" : NULL, NULL});
  hd_puts(out, " : ");
  hd_print_type(out, hd_operand_type(op, 0));
}
bool hd_parse_hook_LlvmIcmp(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  return parse_compare(op, HD_ENUM_llvm_icmp_predicate);
}
void hd_print_hook_LlvmIcmp(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  print_compare(out, op, HD_ENUM_llvm_icmp_predicate);
}
bool hd_parse_hook_LlvmFcmp(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  return parse_compare(op, HD_ENUM_llvm_fcmp_predicate);
}
void hd_print_hook_LlvmFcmp(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  print_compare(out, op, HD_ENUM_llvm_fcmp_predicate);
}

/* alloca [inalloca] %n x t {alignment = 8} : (i64) -> !llvm.ptr */
bool hd_parse_hook_LlvmAlloca(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec refs = {0};
  hd_type_vec ins = {0};
  if (hd_accept_word(p, "inalloca")) hd_op_parser_attr(op, "inalloca", hd_attr_unit(p->context));
  if (!hd_parse_one_operand(p, &refs) || !hd_expect_word(p, "x")) return false;
  hd_type type = hd_parse_type(p);
  if (!type || !hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'") ||
      !hd_parse_function_type(p, &ins, &op->result_types))
    return false;
  hd_op_parser_attr(op, "elem_type", hd_attr_type(type));
  op->resolved = true;
  return hd_resolve_each(op, &refs, &ins);
}
void hd_print_hook_LlvmAlloca(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_puts(out, hd_op_attr_get(op, HD_NAME_inalloca) ? " inalloca " : " ");
  hd_print_value(out, hd_operand(op, 0));
  hd_puts(out, " x ");
  hd_print_type(out, hd_op_attr_get(op, HD_NAME_elem_type)->type_value);
  hd_print_attr_dict(
      out, op, (const char *const[]){"elem_type", "inalloca", case_of(op, "alignment") ? NULL : "alignment", NULL});
  hd_puts(out, " : ");
  hd_print_functional_type(out, op);
}

/* func [linkage] [visibility] [unnamed_addr] [cc] @f(%a: t, ...) -> t comdat(@c) attributes {...} { ... } */
static bool parse_comdat(hd_op_parser *op) {
  if (!hd_accept_word(op->p, "comdat")) return true;
  hd_attr symbol = hd_expect(op->p, TOK_LPAREN, "'('") ? hd_parse_symbol(op->p) : NULL;
  if (!symbol) return false;
  hd_op_parser_attr(op, "comdat", symbol);
  return hd_expect(op->p, TOK_RPAREN, "')'");
}
static void print_comdat(hd_printer *out, hd_op *op) {
  hd_attr comdat = hd_op_attr_get(op, HD_NAME_comdat);
  if (!comdat) return;
  hd_puts(out, " comdat(");
  hd_print_attr(out, comdat, HD_TYPE_NEVER);
  hd_putc(out, ')');
}

bool hd_parse_hook_LlvmFunc(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_function f = {.allow_variadic = true};
  hd_parse_llvm_case(op, HD_ENUM_llvm_linkage, "linkage");
  if (!hd_op_parser_get(op, "linkage"))
    hd_op_parser_attr(op, "linkage", hd_attr_enum(p->context, HD_ENUM_llvm_linkage, 0));
  hd_parse_llvm_case(op, HD_ENUM_llvm_visibility, "visibility_");
  hd_parse_llvm_case(op, HD_ENUM_llvm_unnamed_addr, "unnamed_addr");
  hd_parse_llvm_case(op, HD_ENUM_llvm_cconv, "CConv");
  const char *at = hd_here(p);
  if (!hd_parse_sym_name(op) || !hd_parse_signature(p, &f)) return false;
  if (f.results.len > 1)
    return hd_parser_error(p, at, "failed to construct function type: expected zero or one function result");
  hd_attr_vec ins = {0};
  for (size_t i = 0; i < f.args.len; ++i) hd_vec_push(&p->scratch, &ins, hd_attr_type(f.args.data[i].type));
  hd_attr params[] = {
      hd_attr_type(f.results.len ? f.results.data[0] : hd_type_dialect(p->context, HD_TYPE_ROW_llvm_void, NULL, 0)),
      hd_attr_array(p->context, ins.data, ins.len), f.is_variadic ? hd_attr_bool(p->context, true) : NULL};
  hd_op_parser_attr(op, "function_type", hd_attr_type(hd_type_dialect(p->context, HD_TYPE_ROW_llvm_func, params, 3)));
  hd_set_signature_attrs(op, &f);
  set_default(op, "unnamed_addr", hd_attr_i64(p->context, 0));
  set_default(op, "visibility_", hd_attr_i64(p->context, 0));
  set_default(op, "CConv", hd_attr_enum(p->context, HD_ENUM_llvm_cconv, 0));
  return parse_comdat(op) && hd_parse_attr_dict_keyword(op) && hd_parse_function_body(op, &f);
}
void hd_print_hook_LlvmFunc(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  const char *hidden[] = {"sym_name", "function_type", "arg_attrs", "res_attrs",    "linkage",
                          "CConv",    "visibility_",   "comdat",    "unnamed_addr", NULL};
  hd_putc(out, ' ');
  if (case_of(op, "linkage")) hd_print_llvm_case(out, op, HD_ENUM_llvm_linkage, "linkage");
  hd_print_llvm_case(out, op, HD_ENUM_llvm_visibility, "visibility_");
  hd_print_llvm_case(out, op, HD_ENUM_llvm_unnamed_addr, "unnamed_addr");
  if (case_of(op, "CConv")) hd_print_llvm_case(out, op, HD_ENUM_llvm_cconv, "CConv");
  hd_print_symbol_name(out->out, hd_op_string_attr(op, HD_NAME_sym_name));
  hd_attr attr = hd_op_attr_get(op, HD_NAME_function_type);
  hd_type type = hd_attr_is(attr, HD_ATTR_TYPE) ? attr->type_value : NULL;
  if (hd_type_is(type, HD_TYPE_DIALECT) && type->dialect.row == HD_TYPE_ROW_llvm_func) {
    hd_type_vec ins = {0};
    hd_attr list = type->dialect.params[1];
    hd_type result = type->dialect.params[0]->type_value;
    bool none = result->kind == HD_TYPE_DIALECT && result->dialect.row == HD_TYPE_ROW_llvm_void;
    for (uint32_t i = 0; i < list->array.count; ++i) hd_vec_push(&out->scratch, &ins, list->array.items[i]->type_value);
    hd_print_signature(out, op, hd_type_function(out->context, ins.data, ins.len, &result, none ? 0 : 1),
                       type->dialect.params[2] != NULL);
  }
  print_comdat(out, op);
  hd_print_attr_dict_keyword(out, op, hidden);
  hd_print_function_body(out, op);
}

/* What globals and aliases begin with. */
static void parse_global_words(hd_op_parser *op) {
  hd_parser *p = op->p;
  hd_parse_llvm_case(op, HD_ENUM_llvm_linkage, "linkage");
  set_default(op, "linkage", hd_attr_enum(p->context, HD_ENUM_llvm_linkage, 0));
  hd_parse_llvm_case(op, HD_ENUM_llvm_visibility, "visibility_");
  if (hd_accept_word(p, "thread_local")) hd_op_parser_attr(op, "thread_local_", hd_attr_unit(p->context));
  hd_parse_llvm_case(op, HD_ENUM_llvm_unnamed_addr, "unnamed_addr");
}
static void print_global_words(hd_printer *out, hd_op *op) {
  hd_putc(out, ' ');
  hd_print_llvm_case(out, op, HD_ENUM_llvm_linkage, "linkage");
  hd_print_llvm_case(out, op, HD_ENUM_llvm_visibility, "visibility_");
  if (hd_op_attr_get(op, HD_NAME_thread_local_)) hd_puts(out, "thread_local ");
  hd_print_llvm_case(out, op, HD_ENUM_llvm_unnamed_addr, "unnamed_addr");
}

/* mlir.global linkage [visibility] [thread_local] [unnamed_addr] [constant] @g(value) {attributes} : t { ... } */
bool hd_parse_hook_LlvmMlirGlobal(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  parse_global_words(op);
  if (hd_accept_word(p, "constant")) hd_op_parser_attr(op, "constant", hd_attr_unit(p->context));
  if (!hd_parse_sym_name(op) || !hd_expect(p, TOK_LPAREN, "'('")) return false;
  hd_attr value = NULL;
  if (!hd_at(p, TOK_RPAREN) && !(value = hd_parse_attr(p, NULL))) return false;
  if (value) hd_op_parser_attr(op, "value", value);
  if (!hd_expect(p, TOK_RPAREN, "')'") || !parse_comdat(op) || !hd_parse_attr_dict(op)) return false;
  hd_type type;
  if (hd_accept(p, TOK_COLON)) {
    if (!(type = hd_parse_type(p))) return false;
  } else if (hd_attr_is(value, HD_ATTR_STRING)) {
    hd_attr params[] = {hd_attr_i64(p->context, value->string->len),
                        hd_attr_type(hd_type_integer(p->context, 8, HD_SIGNLESS))};
    type = hd_type_dialect(p->context, HD_TYPE_ROW_llvm_array, params, 2);
  } else {
    return hd_parser_expected(p, "':' and the type of the global");
  }
  hd_op_parser_attr(op, "global_type", hd_attr_type(type));
  set_default(op, "addr_space", hd_attr_i32(p->context, 0));
  set_default(op, "unnamed_addr", hd_attr_i64(p->context, 0));
  set_default(op, "visibility_", hd_attr_i64(p->context, 0));
  op->resolved = true;
  hd_region *region;
  if (!hd_at(p, TOK_LBRACE)) return true;
  if (!hd_parse_region(op, NULL, 0, true, &region)) return false;
  hd_vec_push(&p->scratch, &op->regions[0], region);
  return true;
}
void hd_print_hook_LlvmMlirGlobal(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  static const char *const hidden[] = {"sym_name",     "global_type",   "constant",    "value",  "linkage",
                                       "unnamed_addr", "thread_local_", "visibility_", "comdat", NULL};
  hd_attr value = hd_op_attr_get(op, HD_NAME_value);
  print_global_words(out, op);
  if (hd_op_attr_get(op, HD_NAME_constant)) hd_puts(out, "constant ");
  hd_print_symbol_name(out->out, hd_op_string_attr(op, HD_NAME_sym_name));
  hd_putc(out, '(');
  if (value) hd_print_attr(out, value, HD_TYPE_NEVER);
  hd_putc(out, ')');
  print_comdat(out, op);
  hd_print_attr_dict(out, op, hidden);
  if (hd_attr_is(value, HD_ATTR_STRING)) return;
  hd_puts(out, " : ");
  hd_print_attr(out, hd_op_attr_get(op, HD_NAME_global_type), HD_TYPE_NEVER);
  hd_print_function_body(out, op);
}

/* mlir.alias linkage [visibility] [thread_local] [unnamed_addr] @a {attributes} : t { ... } */
bool hd_parse_hook_LlvmMlirAlias(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_region *region;
  parse_global_words(op);
  if (!hd_parse_sym_name(op) || !hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'")) return false;
  hd_type type = hd_parse_type(p);
  if (!type) return false;
  hd_op_parser_attr(op, "alias_type", hd_attr_type(type));
  set_default(op, "unnamed_addr", hd_attr_i64(p->context, 0));
  set_default(op, "visibility_", hd_attr_i64(p->context, 0));
  op->resolved = true;
  if (!hd_parse_region(op, NULL, 0, true, &region)) return false;
  hd_vec_push(&p->scratch, &op->regions[0], region);
  return true;
}
void hd_print_hook_LlvmMlirAlias(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  static const char *const hidden[] = {"sym_name",      "alias_type",  "linkage", "unnamed_addr",
                                       "thread_local_", "visibility_", NULL};
  print_global_words(out, op);
  hd_print_symbol_name(out->out, hd_op_string_attr(op, HD_NAME_sym_name));
  hd_print_attr_dict(out, op, hidden);
  hd_puts(out, " : ");
  hd_print_attr(out, hd_op_attr_get(op, HD_NAME_alias_type), HD_TYPE_NEVER);
  hd_print_function_body(out, op);
}

/* %i, 2: constants with INT32_MIN for operands */
bool hd_parse_hook_GEPIndices(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  hd_parser *p = op->p;
  hd_vec(int32_t) raw = {0};
  for (bool first = true; !hd_at(p, TOK_RSQUARE); first = false) {
    int64_t value = INT32_MIN;
    if (!first && !hd_expect(p, TOK_COMMA, "','")) return false;
    if (hd_at(p, TOK_PERCENT)) {
      if (!hd_parse_one_operand(p, &hd_arg_item(op, &args[0])->refs)) return false;
    } else if (!hd_parse_int(p, &value)) {
      return false;
    }
    hd_vec_push(&p->scratch, &raw, (int32_t)value);
  }
  hd_op_parser_attr(op, "rawConstantIndices", hd_attr_i32_array(p->context, raw.data, raw.len));
  return true;
}
void hd_print_hook_GEPIndices(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)count;
  uint32_t start, total;
  hd_arg_range(op, &args[0], &start, &total);
  hd_attr raw = hd_op_attr_get(op, HD_NAME_rawConstantIndices);
  for (size_t i = 0; i < hd_attr_count(raw); ++i) {
    int64_t value = hd_attr_int_at(raw, i);
    if (i) hd_puts(out, ", ");
    if (value != INT32_MIN)
      hd_printf(out, "%" PRId64, value);
    else
      hd_print_value(out, start < op->operand_count ? hd_operand(op, start++) : NULL);
  }
}

/* inbounds, nusw, nuw, joined by '|' */
static const struct {
  const char *word;
  int64_t bits;
} gep_flags[] = {{"inbounds", 3}, {"nusw", 2}, {"nuw", 4}};

bool hd_parse_hook_GEPFlags(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  int64_t bits = 0;
  do {
    size_t i = 0;
    while (i < 3 && !hd_at_word(p, gep_flags[i].word)) ++i;
    if (i == 3) return hd_parser_expected(p, "'inbounds', 'nusw' or 'nuw'");
    hd_advance(p);
    bits |= gep_flags[i].bits;
  } while (hd_accept(p, TOK_BAR));
  hd_op_parser_attr(op, "noWrapFlags", hd_attr_i32(p->context, bits));
  return true;
}
void hd_print_hook_GEPFlags(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  int64_t bits = case_of(op, "noWrapFlags");
  bool any = false;
  for (size_t i = 0; i < 3; ++i) {
    if ((bits & gep_flags[i].bits) != gep_flags[i].bits) continue;
    hd_printf(out, "%s%s", any ? "|" : "", gep_flags[i].word);
    any = true;
    bits &= ~gep_flags[i].bits;
  }
}

/* overflow<nsw, nuw> after the word */
bool hd_parse_hook_OverflowFlags(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  int64_t bits = 0;
  if (!hd_expect(p, TOK_LESS, "'<'")) return false;
  do {
    if (hd_accept_word(p, "nsw"))
      bits |= 1;
    else if (hd_accept_word(p, "nuw"))
      bits |= 2;
    else if (!hd_expect_word(p, "none"))
      return false;
  } while (hd_accept(p, TOK_COMMA));
  hd_op_parser_attr(op, "overflowFlags", hd_attr_i32(p->context, bits));
  return hd_expect(p, TOK_GREATER, "'>'");
}
void hd_print_hook_OverflowFlags(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  int64_t bits = case_of(op, "overflowFlags");
  hd_printf(out, "<%s%s%s>", bits & 1 ? "nsw" : "", bits == 3 ? ", " : "", bits & 2 ? "nuw" : bits ? "" : "none");
}

/* No text: the type inside |container| at |position|. */
bool hd_parse_hook_InsertExtractValueElementType(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  hd_parser *p = op->p;
  hd_op_item *container = hd_arg_item(op, &args[1]), *value = hd_arg_item(op, &args[0]);
  hd_type type = container->types.len ? container->types.data[0] : NULL;
  hd_attr position = hd_op_parser_get(op, "position");
  for (size_t i = 0; type && i < hd_attr_count(position); ++i) {
    int64_t at = hd_attr_int_at(position, i);
    hd_type inner = NULL;
    if (type->kind == HD_TYPE_DIALECT && type->dialect.row == HD_TYPE_ROW_llvm_array && at >= 0 &&
        at < type->dialect.params[0]->integer)
      inner = type->dialect.params[1]->type_value;
    if (type->kind == HD_TYPE_DIALECT && type->dialect.row == HD_TYPE_ROW_llvm_struct && type->dialect.params[2] &&
        at >= 0 && at < type->dialect.params[2]->array.count)
      inner = type->dialect.params[2]->array.items[at]->type_value;
    if (!inner)
      return hd_parser_error(p, op->at, "expected llvm.struct or llvm.array with an element at position %" PRId64, at);
    type = inner;
  }
  value->typed = type != NULL;
  if (type) hd_vec_push(&p->scratch, &value->types, type);
  return true;
}
void hd_print_hook_InsertExtractValueElementType(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)out, (void)op;
  UNUSED_ARGS;
}

/* No text: a vector with as many elements as the mask has. */
bool hd_parse_hook_ShuffleType(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  hd_op_item *vector = hd_arg_item(op, &args[0]), *result = hd_arg_item(op, &args[1]);
  hd_attr mask = hd_op_parser_get(op, "mask");
  if (!vector->types.len || vector->types.data[0]->kind != HD_TYPE_VECTOR || !mask || !hd_attr_count(mask))
    return hd_parser_error(op->p, op->at, "expected an LLVM compatible vector type and a mask");
  int64_t dims[] = {(int64_t)hd_attr_count(mask)};
  bool scalable[] = {vector->types.data[0]->shaped.scalable && vector->types.data[0]->shaped.scalable[0]};
  result->typed = true;
  hd_vec_push(&op->p->scratch, &result->types,
              hd_type_vector(hd_type_element(vector->types.data[0]), dims, 1, scalable));
  return true;
}
void hd_print_hook_ShuffleType(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)out, (void)op;
  UNUSED_ARGS;
}
