/* SPDX-License-Identifier: Apache-2.0 */
/* Ops: operands, attributes, and the generic form. A custom form is read by its row's format
 * (parse_format.c), regions and blocks by parse_region.c. */
#include "text/scopes.h"
#include "text/upgrade.h"

/* Operands. */

bool hd_parse_operand(hd_parser *p, hd_operand_ref *out) {
  if (!hd_at(p, TOK_PERCENT)) return hd_parser_expected(p, "SSA operand");
  *out = (hd_operand_ref){p->tok.text, 0, hd_here(p)};
  hd_advance(p);
  if (!hd_at(p, TOK_HASH) || p->last_end != hd_here(p)) return true;
  uint64_t number;
  hd_str digits = {hd_here(p) + 1, p->tok.text.len - 1};
  for (size_t i = 0; i < digits.len; ++i)
    if (digits.data[i] < '0' || digits.data[i] > '9')
      return hd_parser_error(p, hd_here(p), "invalid SSA value result number");
  if (!hd_int_literal(digits, &number) || number > UINT32_MAX)
    return hd_parser_error(p, hd_here(p), "invalid SSA value result number");
  out->number = (uint32_t)number;
  hd_advance(p);
  return true;
}

bool hd_parse_one_operand(hd_parser *p, hd_operand_vec *out) {
  hd_operand_ref ref;
  if (!hd_parse_operand(p, &ref)) return false;
  hd_vec_push(&p->scratch, out, ref);
  return true;
}
static bool operand_item(hd_parser *p, void *user) { return hd_parse_one_operand(p, user); }

bool hd_parse_operand_list(hd_parser *p, hd_operand_vec *out) {
  return hd_parse_list(p, TOK_EOF, TOK_EOF, operand_item, out);
}
bool hd_parse_operands_until(hd_parser *p, hd_token_kind open, hd_token_kind close, hd_operand_vec *out) {
  return hd_parse_list(p, open, close, operand_item, out);
}

bool hd_resolve_into(hd_op_parser *op, const hd_operand_vec *refs, hd_type type) {
  for (size_t i = 0; i < refs->len; ++i) {
    hd_value *value = hd_resolve_operand(op->p, &refs->data[i], type);
    if (!value) return false;
    hd_vec_push(&op->p->scratch, &op->operands, value);
  }
  return true;
}

bool hd_resolve_each(hd_op_parser *op, const hd_operand_vec *refs, const hd_type_vec *types) {
  if (refs->len != types->len)
    return hd_parser_error(op->p, op->at, "number of operands and types do not match: got %zu operands and %zu types",
                           refs->len, types->len);
  for (size_t i = 0; i < refs->len; ++i) {
    hd_value *value = hd_resolve_operand(op->p, &refs->data[i], types->data[i]);
    if (!value) return false;
    hd_vec_push(&op->p->scratch, &op->operands, value);
  }
  return true;
}

/* Attributes. */

void hd_op_parser_attr(hd_op_parser *op, const char *name, hd_attr value) {
  hd_vec_push(&op->p->scratch, &op->attrs, (hd_op_attr){hd_ident_cstr(op->p->context, name), value, false});
}

hd_attr hd_op_parser_get(const hd_op_parser *op, const char *name) {
  for (size_t i = 0; i < op->attrs.len; ++i)
    if (strcmp(op->attrs.data[i].name->text, name) == 0) return op->attrs.data[i].value;
  return NULL;
}

/* Of an op without a row, a property and an attribute may have the same name. */
static bool add_dict(hd_op_parser *op, bool properties) {
  hd_named_attr_vec items = {0};
  const char *at = hd_here(op->p);
  size_t before = op->attrs.len;
  if (!hd_parse_dict(op->p, &items)) return false;
  for (size_t i = 0; i < items.len; ++i) {
    for (size_t k = 0; k < before && op->opcode; ++k)
      if (op->attrs.data[k].name == items.data[i].name)
        return hd_parser_error(op->p, at, "attribute '%s' occurs more than once in the attribute list",
                               items.data[i].name->text);
    hd_vec_push(&op->p->scratch, &op->attrs, (hd_op_attr){items.data[i].name, items.data[i].value, properties});
  }
  return true;
}

bool hd_parse_attr_dict(hd_op_parser *op) { return !hd_at(op->p, TOK_LBRACE) || add_dict(op, false); }
bool hd_parse_attr_dict_keyword(hd_op_parser *op) {
  if (!hd_accept_word(op->p, "attributes")) return true;
  return add_dict(op, false);
}

void hd_op_parser_segments(hd_op_parser *op, const char *name, const int32_t *sizes, size_t count) {
  hd_op_parser_attr(op, name, hd_attr_i32_array(op->p->context, sizes, count));
}

/* Regions. */

static bool arrow_item(hd_parser *p, void *user) {
  hd_type_vec *out = user;
  hd_type type = hd_parse_type(p);
  if (!type) return false;
  hd_vec_push(&p->scratch, out, type);
  return true;
}

bool hd_parse_arrow_types(hd_parser *p, hd_type_vec *out) {
  if (!hd_accept(p, TOK_ARROW)) return true;
  return hd_at(p, TOK_LPAREN) ? hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, arrow_item, out) : arrow_item(p, out);
}

bool hd_parse_successor_and_operands(hd_op_parser *op, hd_operand_vec *refs, hd_type_vec *types) {
  hd_parser *p = op->p;
  hd_block *block = NULL;
  if (!hd_parse_successor(p, &block)) return false;
  hd_vec_push(&p->scratch, &op->successors, block);
  if (!hd_accept(p, TOK_LPAREN)) return true;
  return hd_parse_operand_list(p, refs) && hd_expect(p, TOK_COLON, "':'") && hd_parse_type_list(p, types) &&
         hd_expect(p, TOK_RPAREN, "')'");
}

/* Ops. */

static hd_op *make_op(hd_op_parser *op) {
  hd_parser *p = op->p;
  if (!hd_upgrade_attrs(op)) return NULL;
  if (op->opcode)
    for (size_t i = 0; i < op->attrs.len; ++i)
      for (size_t k = 0; k < op->signature->attrs.count; ++k)
        if (op->signature->attrs.items[k].name == op->attrs.data[i].name)
          op->attrs.data[i].value = hd_upgrade_attr(p, op->attrs.data[i].name, op->signature->attrs.items[k].constraint,
                                                    op->attrs.data[i].value);
  hd_region_vec regions = {0};
  size_t items = op->signature->regions.count;
  for (size_t i = 0; i < items; ++i) {
    if (!op->regions[i].len && op->signature->regions.items[i].arity != HD_VARIADIC)
      hd_vec_push(&p->scratch, &op->regions[i], hd_empty_region(p));
    hd_vec_append(&p->scratch, &regions, op->regions[i].data, op->regions[i].len);
  }
  hd_op_state state = {
      .context = p->context,
      .loc = op->loc,
      .opcode = op->opcode,
      .name = op->name,
      .operands = op->operands.data,
      .operand_count = op->operands.len,
      .result_types = op->result_types.data,
      .result_count = op->result_types.len,
      .attrs = op->attrs.data,
      .attr_count = op->attrs.len,
      .successors = op->successors.data,
      .successor_count = op->successors.len,
      .region_count = regions.len,
      .regions = regions.data,
  };
  return hd_op_create(p->module, &state);
}

static void begin(hd_op_parser *op, hd_parser *p, hd_str name, const char *at) {
  *op = (hd_op_parser){.p = p, .at = at};
  op->opcode = hd_opcode_of(p->context, name);
  op->info = hd_op_info_of(op->opcode);
  op->signature = hd_signature_of(p->context, op->opcode);
  op->name = hd_ident_get(p->context, name);
  op->loc = hd_parser_loc(p, at);
  op->args = hd_new_array(&p->scratch, hd_op_item, op->signature->args.count + 1);
  op->results = hd_new_array(&p->scratch, hd_op_item, op->signature->results.count + 1);
  op->regions = hd_new_array(&p->scratch, hd_region_vec, op->signature->regions.count + 1);
}

static bool check_known(hd_op_parser *op) {
  hd_parser *p = op->p;
  if (op->opcode || p->context->allow_unregistered) return true;
  hd_str name = hd_ident_str(op->name);
  const char *dot = memchr(name.data, '.', name.len);
  if (dot && hd_dialect_is_known((hd_str){name.data, (size_t)(dot - name.data)}))
    return hd_parser_error(p, op->at, "unknown op '%s': its dialect has no op of this name", name.data);
  return hd_parser_error(p, op->at,
                         "'%s': the op's dialect is not known (`heddle-opt --allow-unregistered-dialect` accepts it)",
                         name.data);
}

static bool region_item(hd_parser *p, void *user) {
  hd_op_parser *op = user;
  hd_region *region;
  (void)p;
  if (!hd_parse_region(op, NULL, 0, hd_is_isolated(op->info), &region)) return false;
  /* The generic form counts regions as they come. */
  hd_vec_push(&op->p->scratch, &op->regions[0], region);
  return true;
}

static bool successor_item(hd_parser *p, void *user) {
  hd_op_parser *op = user;
  hd_block *block = NULL;
  if (!hd_parse_successor(p, &block)) return false;
  hd_vec_push(&p->scratch, &op->successors, block);
  return true;
}

/* "name"(operands)[successors] <{properties}> (regions) {attributes} : (types) -> types */
static hd_op *parse_generic(hd_parser *p) {
  hd_op_parser op;
  const char *at = hd_here(p);
  hd_str name;
  if (!hd_parse_string(p, &name)) return NULL;
  if (!name.len || memchr(name.data, 0, name.len)) {
    hd_parser_error(p, at, "empty operation name is invalid");
    return NULL;
  }
  const char *added;
  hd_attr value;
  const char *today = hd_upgrade_op(p->context, name, &added, &value);
  begin(&op, p, today ? hd_str_of(today) : hd_upgrade_name(&p->scratch, name), at);
  if (added) hd_op_parser_attr(&op, added, value);
  if (!check_known(&op)) return NULL;
  hd_operand_vec refs = {0};
  if (!hd_parse_operands_until(p, TOK_LPAREN, TOK_RPAREN, &refs)) return NULL;
  if (hd_at(p, TOK_LSQUARE) && !hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, successor_item, &op)) return NULL;
  if (hd_accept(p, TOK_LESS)) {
    if (!hd_at(p, TOK_LBRACE)) {
      hd_parser_expected(p, "'{' of properties");
      return NULL;
    }
    if (!add_dict(&op, true) || !hd_expect(p, TOK_GREATER, "'>' to close properties")) return NULL;
  }
  hd_op_parser regions = op;
  regions.regions = hd_new_array(&p->scratch, hd_region_vec, 1);
  if (hd_at(p, TOK_LPAREN) && !hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, region_item, &regions)) return NULL;
  if (!hd_parse_attr_dict(&op)) return NULL;
  if (!hd_expect(p, TOK_COLON, "':' followed by operation type")) return NULL;
  const char *type_at = hd_here(p);
  hd_type_vec ins = {0};
  if (!hd_at(p, TOK_LPAREN)) {
    hd_parser_expected(p, "a function type");
    return NULL;
  }
  if (!hd_parse_function_type(p, &ins, &op.result_types)) return NULL;
  if (ins.len != refs.len) {
    hd_parser_error(p, type_at, "expected %zu operand type%s but had %zu", refs.len, refs.len == 1 ? "" : "s", ins.len);
    return NULL;
  }
  if (!hd_resolve_each(&op, &refs, &ins)) return NULL;
  if (!(op.loc = hd_parse_optional_loc(p, op.loc))) return NULL;
  /* The row may have fewer or more region items than the text has regions: verifying tells. */
  static const hd_signature_item any = {.arity = HD_VARIADIC};
  hd_signature signature = *op.signature;
  signature.regions = (hd_signature_list){1, &any, 1};
  op.signature = &signature;
  op.regions = regions.regions;
  return make_op(&op);
}

/* The full name of an op written as |word|; the word itself when nothing fits. */
static hd_str full_name(hd_parser *p, hd_str word) {
  if (memchr(word.data, '.', word.len)) return hd_upgrade_name(&p->scratch, word);
  hd_str dialects[] = {p->default_dialect, HD_STR("builtin"), HD_STR("func")};
  for (int i = 0; i < 3; ++i) {
    if (!dialects[i].len) continue;
    char *text =
        hd_arena_printf(&p->scratch, "%.*s.%.*s", (int)dialects[i].len, dialects[i].data, (int)word.len, word.data);
    if (hd_opcode_of(p->context, hd_str_of(text))) return hd_str_of(text);
  }
  return word;
}

static hd_op *parse_custom(hd_parser *p, uint32_t bound_results) {
  const char *at = hd_here(p);
  hd_op_parser op;
  hd_str word = p->tok.text;
  const char *added;
  hd_attr value;
  const char *today = hd_upgrade_op(p->context, word, &added, &value);
  begin(&op, p, today ? hd_str_of(today) : full_name(p, word), at);
  if (added) hd_op_parser_attr(&op, added, value);
  op.bound_results = bound_results;
  if (!op.opcode) {
    hd_parser_error(p, at, "custom op '%.*s' is unknown", (int)word.len, word.data);
    return NULL;
  }
  const hd_format_list *format = hd_op_format(p->context, op.opcode);
  if (!format || format->problem) {
    hd_parser_error(p, at, "op '%s' has no custom form; write it in quotes", op.name->text);
    return NULL;
  }
  hd_advance(p);
  if (!hd_parse_by_format(&op, format)) return NULL;
  if (!hd_upgrade_types(&op) || (!op.resolved && !hd_resolve_types(&op))) return NULL;
  if (!(op.loc = hd_parse_optional_loc(p, op.loc))) return NULL;
  return make_op(&op);
}

typedef struct result_name {
  hd_str name;
  const char *at;
  uint32_t count;
} result_name;
typedef hd_vec(result_name) result_name_vec;

static bool result_item(hd_parser *p, void *user) {
  result_name_vec *out = user;
  if (!hd_at(p, TOK_PERCENT)) return hd_parser_expected(p, "valid ssa identifier");
  result_name name = {p->tok.text, hd_here(p), 1};
  hd_advance(p);
  if (hd_accept(p, TOK_COLON)) {
    const char *at = hd_here(p);
    if (!hd_parse_u32(p, &name.count)) return false;
    if (name.count < 1) return hd_parser_error(p, at, "expected named operation to have at least 1 result");
  }
  hd_vec_push(&p->scratch, out, name);
  return true;
}

bool hd_parse_op_into(hd_parser *p, hd_block *block) {
  result_name_vec names = {0};
  const char *at = hd_here(p);
  uint64_t bound = 0;
  if (hd_at(p, TOK_PERCENT)) {
    if (!hd_parse_list(p, TOK_EOF, TOK_EOF, result_item, &names) || !hd_expect(p, TOK_EQUAL, "'=' after SSA name"))
      return false;
    for (size_t i = 0; i < names.len; ++i) bound += names.data[i].count;
  }
  hd_op *op;
  if (hd_at(p, TOK_STRING))
    op = parse_generic(p);
  else if (hd_at(p, TOK_WORD))
    op = parse_custom(p, bound > UINT32_MAX ? UINT32_MAX : (uint32_t)bound);
  else
    return hd_parser_expected(p, "operation name in quotes");
  if (!op) return false;
  hd_op_append(op, block);
  if (!names.len) return true;
  if (!op->result_count) return hd_parser_error(p, at, "cannot name an operation with no results");
  if (bound != op->result_count)
    return hd_parser_error(p, at, "operation defines %u results but was provided %llu to bind", op->result_count,
                           (unsigned long long)bound);
  uint32_t next = 0;
  for (size_t i = 0; i < names.len; ++i) {
    hd_value **values = hd_new_array(&p->scratch, hd_value *, names.data[i].count);
    for (uint32_t k = 0; k < names.data[i].count; ++k) values[k] = &op->results[next++];
    if (!hd_define_values(p, names.data[i].name, names.data[i].at, values, names.data[i].count)) return false;
  }
  return true;
}
