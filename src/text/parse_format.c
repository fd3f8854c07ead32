/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an op by its row's format, and finds the types that the text leaves out. */
#include "ir/constraints.h"
#include "text/parse_op.h"
#include "text/upgrade.h"

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
  switch (arity_of(op, f)) {
    case HD_ONE:
      if (!hd_parse_one_operand(op->p, refs)) return false;
      return true;
    case HD_OPTIONAL:
      if (!hd_at(op->p, TOK_PERCENT)) return true;
      if (!hd_parse_one_operand(op->p, refs)) return false;
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
  if (!item) return hd_parser_error(p, at, "the row's format has a type of something that has none");
  item->types.len = 0;
  item->typed = true;
  if (arity_of(op, of) == HD_ONE) {
    const hd_signature_list *list = of->kind == HD_FORMAT_RESULT ? &op->signature->results : &op->signature->args;
    bool bracket = hd_upgrade_has_brackets(op) && hd_accept(p, TOK_LPAREN);
    int row = hd_at(p, TOK_LESS) ? hd_stripped_row(list->items[of->index].constraint) : -1;
    hd_type type = row >= 0 ? hd_parse_type_row(p, row) : hd_parse_type(p);
    if (!type || (bracket && !hd_expect(p, TOK_RPAREN, "')'"))) return false;
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

static bool is_enum(hd_str constraint) {
  int row = hd_constraint_row(constraint);
  return row >= 0 && hd_attr_row_info_of(row)->is_enum;
}

static bool parse_attribute(hd_op_parser *op, const hd_format *f) {
  const hd_signature_item *item = &op->signature->attrs.items[f->index];
  hd_attr attr;
  if (is_enum(item->constraint) && hd_at(op->p, TOK_LBRACE)) return true; /* older programs: among the attributes */
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
  if (row >= 0)
    return hd_at(p, TOK_HASH) || (hd_attr_row_info_of(row)->is_enum ? hd_at_enum_case(p, row) : hd_at(p, TOK_LESS));
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
