/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an op by its row's format, and finds the types that the text leaves out. */
#include "ir/constraints.h"
#include "text/parse_op.h"

static bool parse_elements(hd_op_parser *op, const hd_format *items, size_t count);

hd_op_item *hd_arg_item(hd_op_parser *op, const hd_format *arg) {
  if (arg->kind == HD_FORMAT_TYPE) return hd_arg_item(op, &arg->args[0]);
  if (arg->kind == HD_FORMAT_OPERAND) return &op->args[arg->index];
  if (arg->kind == HD_FORMAT_RESULT) return &op->results[arg->index];
  return NULL;
}

static hd_arity arity_of(const hd_op_parser *op, const hd_format *f) {
  if (f->kind == HD_FORMAT_OPERAND) return op->signature->args.items[f->index].arity;
  if (f->kind == HD_FORMAT_RESULT) return op->signature->results.items[f->index].arity;
  if (f->kind == HD_FORMAT_REGION) return op->signature->regions.items[f->index].arity;
  return HD_VARIADIC;
}

static bool parse_operand_item(hd_op_parser *op, const hd_format *f) {
  hd_operand_vec *refs = &op->args[f->index].refs;
  hd_operand_ref ref;
  switch (arity_of(op, f)) {
    case HD_ONE:
      if (!hd_parse_operand(op->p, &ref)) return false;
      hd_vec_push(&op->p->scratch, refs, ref);
      return true;
    case HD_OPTIONAL:
      if (!hd_at(op->p, TOK_PERCENT)) return true;
      if (!hd_parse_operand(op->p, &ref)) return false;
      hd_vec_push(&op->p->scratch, refs, ref);
      return true;
    default:
      return !hd_at(op->p, TOK_PERCENT) || hd_parse_operand_list(op->p, refs);
  }
}

/* Hands |types|, those of all items of |list| in order, to the items. Operand items know their counts; result items
 * without a fixed count share what is left evenly. */
static bool distribute(hd_op_parser *op, bool results, const hd_type_vec *types, const char *at) {
  const hd_signature_list *list = results ? &op->signature->results : &op->signature->args;
  hd_op_item *items = results ? op->results : op->args;
  size_t next = 0, fixed = list->count - list->variable;
  for (size_t i = 0; i < list->count; ++i) {
    size_t count = 1;
    if (!results)
      count = items[i].refs.len;
    else if (list->items[i].arity != HD_ONE)
      count = types->len >= fixed ? (types->len - fixed) / list->variable : 0;
    if (next + count > types->len) break;
    items[i].typed = true;
    hd_vec_append(&op->p->scratch, &items[i].types, types->data + next, count);
    next += count;
  }
  if (next == types->len) {
    size_t missing = 0;
    for (size_t i = 0; i < list->count; ++i)
      missing += !items[i].typed && (results ? list->items[i].arity == HD_ONE : items[i].refs.len > 0);
    if (!missing) return true;
  }
  size_t wanted = 0;
  for (size_t i = 0; i < list->count; ++i) wanted += results ? 1 : items[i].refs.len;
  return hd_parser_error(op->p, at, "number of %s and types do not match: got %zu types, expected %zu",
                         results ? "results" : "operands", types->len, wanted);
}

static bool parse_types_of(hd_op_parser *op, const hd_format *of) {
  hd_parser *p = op->p;
  const char *at = hd_here(p);
  hd_type_vec types = {0};
  if (of->kind == HD_FORMAT_OPERANDS || of->kind == HD_FORMAT_RESULTS) {
    if (hd_at_type(p) && !hd_parse_type_list(p, &types)) return false;
    return distribute(op, of->kind == HD_FORMAT_RESULTS, &types, at);
  }
  hd_op_item *item = hd_arg_item(op, of);
  if (!item) return hd_parser_error(p, at, "the row's format asks for a type of something that has none");
  item->types.len = 0;
  item->typed = true;
  if (arity_of(op, of) == HD_ONE) {
    bool pointer = hd_at(p, TOK_LESS) && of->kind == HD_FORMAT_OPERAND && /* <3> for !llvm.ptr<3> */
                   hd_str_is(op->signature->args.items[of->index].constraint, "!llvm.ptr");
    hd_type type = pointer ? hd_parse_type_row(p, HD_TYPE_ROW_llvm_ptr) : hd_parse_type(p);
    if (!type) return false;
    hd_vec_push(&p->scratch, &item->types, type);
    return true;
  }
  if (!hd_at_type(p)) return true;
  if (arity_of(op, of) == HD_VARIADIC) return hd_parse_type_list(p, &item->types);
  hd_type type = hd_parse_type(p);
  if (!type) return false;
  hd_vec_push(&p->scratch, &item->types, type);
  return true;
}

static bool parse_attribute(hd_op_parser *op, const hd_format *f) {
  const hd_signature_item *item = &op->signature->attrs.items[f->index];
  hd_attr attr;
  if (f->qualified)
    attr = hd_parse_attr(op->p, NULL);
  else
    attr = hd_parse_by_constraint(op->p, item->constraint, hd_ident_str(item->name));
  if (!attr) return false;
  hd_vec_push(&op->p->scratch, &op->attrs, (hd_op_attr){item->name, attr, true});
  return true;
}

/* The current token may begin attribute |item|: decides whether an optional group is there. */
static bool at_attribute(hd_op_parser *op, const hd_signature_item *item) {
  hd_parser *p = op->p;
  hd_str c = item->constraint;
  if (hd_str_is(c, "symbol") || hd_str_is(c, "symbol_name") || hd_str_is(hd_ident_str(item->name), "sym_name"))
    return hd_at(p, TOK_AT);
  if (hd_str_is(c, "string")) return hd_at(p, TOK_STRING);
  if (hd_str_is(c, "dims") || hd_str_is(c, "i64_array") || hd_str_is(c, "i32_array") || hd_str_is(c, "bool_array") ||
      hd_str_is(c, "array"))
    return hd_at(p, TOK_LSQUARE);
  if (hd_str_is(c, "dict")) return hd_at(p, TOK_LBRACE);
  if (hd_str_is(c, "type")) return hd_at_type(p);
  if (hd_str_is(c, "bool")) return hd_at_word(p, "true") || hd_at_word(p, "false");
  if (hd_constraint_number(p->context, c)) return hd_at(p, TOK_INT) || hd_at(p, TOK_MINUS) || hd_at(p, TOK_FLOAT);
  int row = hd_constraint_row(c);
  if (row >= 0) {
    if (hd_at(p, TOK_HASH)) return true;
    if (!hd_attr_row_info_of(row)->is_enum || hd_enum_style_of(row).angles) return hd_at(p, TOK_LESS);
    int64_t value;
    return hd_at(p, TOK_WORD) && hd_enum_case_value(row, p->tok.text, &value);
  }
  return !hd_at(p, TOK_RBRACE) && !hd_at(p, TOK_RPAREN) && !hd_at(p, TOK_LBRACE) && !hd_at(p, TOK_COLON) &&
         !hd_at(p, TOK_PERCENT) && !hd_at(p, TOK_COMMA);
}

static bool at_element(hd_op_parser *op, const hd_format *f) {
  hd_parser *p = op->p;
  switch (f->kind) {
    case HD_FORMAT_LITERAL:
      if (hd_str_equal(p->tok.text, f->text)) return !hd_at(p, TOK_ERROR) && !hd_at(p, TOK_EOF);
      return p->tok.kind != TOK_WORD && p->tok.text.len < f->text.len && (size_t)(p->end - hd_here(p)) >= f->text.len &&
             memcmp(hd_here(p), f->text.data, f->text.len) == 0;
    case HD_FORMAT_OPERAND:
    case HD_FORMAT_OPERANDS:
      return hd_at(p, TOK_PERCENT);
    case HD_FORMAT_ATTR:
      return at_attribute(op, &op->signature->attrs.items[f->index]);
    case HD_FORMAT_REGION:
    case HD_FORMAT_REGIONS:
      return hd_at(p, TOK_LBRACE);
    case HD_FORMAT_SUCCESSOR:
    case HD_FORMAT_SUCCESSORS:
      return hd_at(p, TOK_CARET);
    case HD_FORMAT_TYPE:
    case HD_FORMAT_FUNCTIONAL_TYPE:
      return hd_at_type(p);
    case HD_FORMAT_ATTR_DICT:
      return hd_at(p, TOK_LBRACE);
    case HD_FORMAT_ATTR_DICT_KEYWORD:
      return hd_at_word(p, "attributes");
    case HD_FORMAT_PROP_DICT:
      return hd_at(p, TOK_LESS);
    case HD_FORMAT_GROUP:
    case HD_FORMAT_OILIST:
      return f->arg_count && at_element(op, &f->args[0]);
    default:
      /* A hook as the first of a group is there when something is that could be its beginning. */
      return !hd_at(p, TOK_COLON) && !hd_at(p, TOK_RBRACE) && !hd_at(p, TOK_EOF) && !hd_at(p, TOK_LBRACE) &&
             !hd_at(p, TOK_PERCENT) && !hd_at_word(p, "loc");
  }
}

static const hd_format *first_element(const hd_format *items, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (items[i].kind != HD_FORMAT_SPACE && items[i].kind != HD_FORMAT_NO_SPACE && items[i].kind != HD_FORMAT_NEWLINE)
      return &items[i];
  return NULL;
}

static bool is_unit(hd_op_parser *op, const hd_format *f) {
  return f->kind == HD_FORMAT_ATTR && hd_str_starts(op->signature->attrs.items[f->index].constraint, "unit");
}

/* Units of a group are there when the group is. */
static void set_units(hd_op_parser *op, const hd_format *anchor) {
  if (!is_unit(op, anchor)) return;
  hd_ident name = op->signature->attrs.items[anchor->index].name;
  if (!hd_op_parser_get(op, name->text)) hd_op_parser_attr(op, name->text, hd_attr_unit(op->p->context));
}

static bool parse_group(hd_op_parser *op, const hd_format *f) {
  const hd_format *first = first_element(f->args, f->arg_count);
  if (first && is_unit(op, first)) { /* ($nuw^)?: the attribute's own name is the word */
    hd_ident name = op->signature->attrs.items[first->index].name;
    if (!hd_at_word(op->p, name->text)) return parse_elements(op, f->otherwise, f->otherwise_count);
    hd_advance(op->p);
    set_units(op, first);
    return parse_elements(op, f->args + 1, f->arg_count - 1);
  }
  if (!first || !at_element(op, first)) return parse_elements(op, f->otherwise, f->otherwise_count);
  for (size_t i = 0; i < f->arg_count; ++i) {
    if (is_unit(op, &f->args[i])) continue;
    if (!parse_elements(op, &f->args[i], 1)) return false;
  }
  set_units(op, &f->args[f->anchor]);
  return true;
}

static bool parse_oilist(hd_op_parser *op, const hd_format *f) {
  bool *seen = hd_new_array(&op->p->scratch, bool, f->arg_count);
  for (bool found = true; found;) {
    found = false;
    for (size_t i = 0; i < f->arg_count && !found; ++i) {
      const hd_format *group = &f->args[i];
      if (!group->arg_count || !at_element(op, &group->args[0])) continue;
      if (seen[i])
        return hd_parser_error(op->p, hd_here(op->p), "'%.*s' clause appears twice", (int)op->p->tok.text.len,
                               hd_here(op->p));
      seen[i] = found = true;
      for (size_t k = 0; k < group->arg_count; ++k) {
        if (is_unit(op, &group->args[k]))
          set_units(op, &group->args[k]);
        else if (!parse_elements(op, &group->args[k], 1))
          return false;
      }
    }
  }
  return true;
}

static bool parse_functional_type(hd_op_parser *op, const hd_format *f) {
  const char *at = hd_here(op->p);
  hd_type_vec sides[2] = {{0}, {0}};
  if (!hd_at(op->p, TOK_LPAREN)) return hd_parser_expected(op->p, "'(' of a function type");
  if (!hd_parse_function_type(op->p, &sides[0], &sides[1])) return false;
  for (int i = 0; i < 2; ++i) {
    const hd_format *of = &f->args[i];
    hd_op_item *item = hd_arg_item(op, of);
    if (!item) {
      if (!distribute(op, of->kind == HD_FORMAT_RESULTS, &sides[i], at)) return false;
      continue;
    }
    item->types = sides[i];
    item->typed = true;
  }
  return true;
}

static bool parse_operands(hd_op_parser *op) {
  hd_operand_vec refs = {0};
  const hd_signature_list *list = &op->signature->args;
  const char *at = hd_here(op->p);
  if (hd_at(op->p, TOK_PERCENT) && !hd_parse_operand_list(op->p, &refs)) return false;
  size_t next = 0, fixed = list->count - list->variable;
  if (refs.len < fixed || (!list->variable && refs.len > fixed))
    return hd_parser_error(op->p, at, "expected %zu operands, got %zu", fixed, refs.len);
  for (size_t i = 0; i < list->count; ++i) {
    size_t count = list->items[i].arity == HD_ONE ? 1 : (refs.len - fixed) / list->variable;
    hd_vec_append(&op->p->scratch, &op->args[i].refs, refs.data + next, count);
    next += count;
  }
  return next == refs.len || hd_parser_error(op->p, at, "%zu operands cannot be shared among the op's lists", refs.len);
}

static bool parse_regions(hd_op_parser *op, const hd_format *f) {
  size_t item = f->kind == HD_FORMAT_REGION ? (size_t)f->index : 0;
  bool many = f->kind == HD_FORMAT_REGIONS || arity_of(op, f) == HD_VARIADIC;
  if (arity_of(op, f) == HD_OPTIONAL && !hd_at(op->p, TOK_LBRACE)) return true;
  do {
    if (many && !hd_at(op->p, TOK_LBRACE)) return true;
    if (!hd_op_parser_region(op, item, NULL, 0)) return false;
  } while (many && hd_accept(op->p, TOK_COMMA));
  return true;
}

static bool parse_successors(hd_op_parser *op, const hd_format *f) {
  hd_block *block = NULL;
  do {
    if (!hd_parse_successor(op->p, &block)) return false;
    hd_vec_push(&op->p->scratch, &op->successors, block);
  } while (f->kind == HD_FORMAT_SUCCESSORS && hd_accept(op->p, TOK_COMMA));
  return true;
}

static bool parse_prop_dict(hd_op_parser *op) {
  if (!hd_accept(op->p, TOK_LESS)) return true;
  return hd_parse_attr_dict(op) && hd_expect(op->p, TOK_GREATER, "'>' to close properties");
}

static bool parse_elements(hd_op_parser *op, const hd_format *items, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const hd_format *f = &items[i];
    bool ok = true;
    switch (f->kind) {
      case HD_FORMAT_LITERAL:
        ok = hd_expect_literal(op->p, f->text);
        break;
      case HD_FORMAT_OPERAND:
        ok = parse_operand_item(op, f);
        break;
      case HD_FORMAT_ATTR:
        ok = parse_attribute(op, f);
        break;
      case HD_FORMAT_REGION:
      case HD_FORMAT_REGIONS:
        ok = parse_regions(op, f);
        break;
      case HD_FORMAT_SUCCESSOR:
      case HD_FORMAT_SUCCESSORS:
        ok = parse_successors(op, f);
        break;
      case HD_FORMAT_TYPE:
        ok = parse_types_of(op, &f->args[0]);
        break;
      case HD_FORMAT_ATTR_DICT:
        ok = hd_parse_attr_dict(op);
        break;
      case HD_FORMAT_ATTR_DICT_KEYWORD:
        ok = hd_parse_attr_dict_keyword(op);
        break;
      case HD_FORMAT_PROP_DICT:
        ok = parse_prop_dict(op);
        break;
      case HD_FORMAT_OPERANDS:
        ok = parse_operands(op);
        break;
      case HD_FORMAT_FUNCTIONAL_TYPE:
        ok = parse_functional_type(op, f);
        break;
      case HD_FORMAT_GROUP:
        ok = parse_group(op, f);
        break;
      case HD_FORMAT_OILIST:
        ok = parse_oilist(op, f);
        break;
      case HD_FORMAT_CUSTOM:
        ok = f->hook->parse(op, f->args, f->arg_count);
        break;
      default:
        break;
    }
    if (!ok) return false;
  }
  return true;
}

bool hd_parse_by_format(hd_op_parser *op, const hd_format_list *format) {
  return parse_elements(op, format->items, format->count);
}

/* Types that the text leaves out. */

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
    if (hd_str_is(function, "element"))
      type = of->kind == HD_TYPE_COMPLEX ? of->shaped.element
             : of->kind == HD_TYPE_DIALECT && of->dialect.row == HD_TYPE_ROW_gpu_mma_matrix
                 ? of->dialect.params[1]->type_value
                 : hd_type_element(of);
    else if (hd_str_is(function, "flagged"))
      type = hd_type_flagged(of);
    else if (hd_str_is(function, "bool"))
      type = hd_type_with_element(of, hd_i1(c));
    else if (hd_str_is(function, "index"))
      type = hd_type_with_element(of, hd_type_index(c));
    else if (hd_str_is(function, "complex") &&
             (hd_type_element(of)->kind == HD_TYPE_FLOAT || hd_type_element(of)->kind == HD_TYPE_INTEGER))
      type = hd_type_with_element(of, hd_type_complex(hd_type_element(of)));
  } else {
    type = hd_str_is(rule, "index") ? hd_type_index(c) : hd_str_is(rule, "i1") ? hd_i1(c) : hd_text_parse_type(c, rule);
  }
  if (!type) return false;
  for (size_t i = 0; i < count; ++i) hd_vec_push(&op->p->scratch, out, type);
  return true;
}

/* The only type that meets the constraint, null when several do. */
static hd_type only_type(hd_context *c, hd_str constraint) {
  if (hd_str_is(constraint, "index")) return hd_type_index(c);
  if (hd_str_is(constraint, "i1")) return hd_i1(c);
  if (hd_str_is(constraint, "i32")) return hd_i32(c);
  if (hd_str_is(constraint, "i64")) return hd_i64(c);
  if (hd_str_is(constraint, "token")) return hd_type_dialect(c, HD_TYPE_ROW_stablehlo_token, NULL, 0);
  if (constraint.len && constraint.data[0] == '!' && !memchr(constraint.data, '|', constraint.len)) {
    const char *dot = memchr(constraint.data, '.', constraint.len);
    size_t left = dot ? (size_t)(dot - constraint.data) - 1 : 0;
    int row =
        dot ? hd_type_row_find((hd_str){constraint.data + 1, left}, (hd_str){dot + 1, constraint.len - left - 2}) : -1;
    if (row >= 0 && !*hd_type_row_info_of(row)->params) return hd_type_dialect(c, row, NULL, 0);
  }
  return NULL;
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
  hd_type type = only_type(op->p->context, sig->constraint);
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
  if (!op->info->hooks.infer)
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
  if (!op->info->hooks.infer(&state, types)) {
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
