/* SPDX-License-Identifier: Apache-2.0 */
/* StableHLO's own syntax for constants, reductions, loops, calls, dots and slices. */
#include <inttypes.h>

#include "text/parse_op.h"
#include "text/printer.h"

/* constant {attributes} dense<...> : type */
bool hd_parse_hook_HloConstant(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_parser *p = op->p;
  hd_type_vec none = {0};
  if (hd_accept(p, TOK_LPAREN)) { /* () <{value = ...}> : () -> type */
    if (!hd_expect(p, TOK_RPAREN, "')'")) return false;
    bool properties = hd_accept(p, TOK_LESS);
    if (!hd_parse_attr_dict(op) || (properties && !hd_expect(p, TOK_GREATER, "'>'"))) return false;
    op->resolved = true;
    return hd_expect(p, TOK_COLON, "':'") && hd_parse_function_type(p, &none, &op->result_types);
  }
  if (!hd_parse_attr_dict(op)) return false;
  const char *at = hd_here(p);
  hd_attr value = hd_parse_attr(p, NULL);
  if (!value) return false;
  if (!value->type) return hd_parser_error(p, at, "expected an elements attribute");
  hd_op_parser_attr(op, "value", value);
  hd_vec_push(&p->scratch, &op->result_types, value->type);
  return op->resolved = true;
}

void hd_print_hook_HloConstant(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_attr value = hd_op_attr_get(op, HD_NAME_value);
  if (value->type != hd_result_type(op, 0)) {
    hd_puts(out, "() ");
    hd_puts(out, "<{value = ");
    hd_print_attr(out, value, HD_TYPE_NEVER);
    hd_puts(out, "}>");
    hd_print_attr_dict(out, op, (const char *const[]){"value", NULL});
    hd_puts(out, " : ");
    hd_print_functional_type(out, op);
    return;
  }
  hd_print_attr_dict(out, op, (const char *const[]){"value", NULL});
  hd_putc(out, ' ');
  hd_print_attr(out, value, HD_TYPE_NEVER);
}

/* reduce(%a init: %i), (%b init: %j) across dimensions = [0] : types
 *  reducer(%x: t, %y: t) (...) { ... }
 * reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : types */

static bool reduce_operands(hd_op_parser *op) {
  hd_parser *p = op->p;
  do {
    if (!hd_expect(p, TOK_LPAREN, "'('") || !hd_parse_one_operand(p, &op->args[0].refs)) return false;
    if (!hd_expect_word(p, "init") || !hd_expect(p, TOK_COLON, "':'") || !hd_parse_one_operand(p, &op->args[1].refs))
      return false;
    if (!hd_expect(p, TOK_RPAREN, "')'")) return false;
  } while (hd_accept(p, TOK_COMMA));
  return true;
}

static bool across_dimensions(hd_op_parser *op) {
  hd_parser *p = op->p;
  if (!hd_expect_word(p, "across") || !hd_expect_word(p, "dimensions") || !hd_expect(p, TOK_EQUAL, "'='")) return false;
  hd_attr dims = hd_parse_int_list(p, hd_i64(p->context), TOK_LSQUARE, TOK_RSQUARE);
  if (!dims) return false;
  hd_op_parser_attr(op, "dimensions", dims);
  return true;
}

/* : (types) -> types, and the operands. */
static bool reduce_types(hd_op_parser *op) {
  hd_parser *p = op->p;
  hd_type_vec ins = {0};
  hd_operand_vec all = {0};
  const char *at = hd_here(p);
  if (!hd_expect(p, TOK_COLON, "':'") || !hd_parse_function_type(p, &ins, &op->result_types)) return false;
  hd_vec_append(&p->scratch, &all, op->args[0].refs.data, op->args[0].refs.len);
  hd_vec_append(&p->scratch, &all, op->args[1].refs.data, op->args[1].refs.len);
  if (ins.len != all.len) return hd_parser_error(p, at, "expected %zu operand types, got %zu", all.len, ins.len);
  op->resolved = true;
  return hd_resolve_each(op, &all, &ins);
}

/* The region that `applies` stands for. */
static bool make_reducer(hd_op_parser *op, hd_str word, const char *at) {
  hd_parser *p = op->p;
  hd_opcode inner = hd_opcode_of(p->context, word);
  hd_str name = hd_ident_str(op->name);
  char *prefix = hd_arena_copy(&p->scratch, name.data, name.len);
  prefix[strcspn(prefix, ".")] = 0;
  if (!inner || word.len <= strlen(prefix) || memcmp(word.data, prefix, strlen(prefix)) != 0 ||
      word.data[strlen(prefix)] != '.')
    return hd_parser_error(p, at, "expected the inner-op to be a registered op of '%s', got '%.*s'", prefix,
                           (int)word.len, word.data);
  const hd_signature *signature = hd_signature_of(p->context, inner);
  if (signature->args.count != 2 || signature->args.variable || signature->results.count != 1 ||
      signature->regions.count)
    return hd_parser_error(p, at, "expected the inner-op to have two operands and one result");
  if (op->operands.len != 2) return hd_parser_error(p, at, "`applies` needs one input");
  hd_type element = hd_type_element(op->operands.data[0]->type);
  hd_type type = hd_type_tensor(element, NULL, 0, NULL);
  hd_region *region = hd_empty_region(p);
  hd_block *block = hd_block_create(p->module);
  hd_region_append(region, block);
  hd_value *values[2] = {hd_block_add_arg(p->module, block, type), hd_block_add_arg(p->module, block, type)};
  hd_op_state state = {.context = p->context,
                       .loc = op->loc,
                       .opcode = inner,
                       .name = hd_ident_get(p->context, word),
                       .operands = values,
                       .operand_count = 2,
                       .result_types = &type,
                       .result_count = 1};
  hd_op *made = hd_op_create(p->module, &state);
  hd_op_append(made, block);
  hd_value *result = hd_result(made, 0);
  hd_op_state end = {.context = p->context,
                     .loc = op->loc,
                     .opcode = HD_OP_stablehlo_return,
                     .name = hd_ident_cstr(p->context, hd_arena_printf(&p->scratch, "%s.return", prefix)),
                     .operands = &result,
                     .operand_count = 1};
  hd_op_append(hd_op_create(p->module, &end), block);
  hd_vec_push(&p->scratch, &op->regions[0], region);
  return true;
}

bool hd_parse_hook_HloReduce(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_parser *p = op->p;
  op->loc = hd_parser_loc(p, hd_here(p)); /* StableHLO's place of the op: after its name */
  if (!reduce_operands(op)) return false;
  if (hd_accept_word(p, "applies")) {
    const char *at = hd_here(p);
    hd_str word;
    if (!hd_parse_word(p, "the name of an op", &word) || !across_dimensions(op) || !hd_parse_attr_dict(op) ||
        !reduce_types(op))
      return false;
    if (!(op->loc = hd_parse_optional_loc(p, op->loc))) return false;
    return make_reducer(op, word, at);
  }
  if (!across_dimensions(op) || !hd_parse_attr_dict(op) || !reduce_types(op)) return false;
  if (!hd_expect_word(p, "reducer")) return false;
  hd_region_arg_vec first = {0}, second = {0};
  while (hd_accept(p, TOK_LPAREN)) {
    hd_region_arg a, b;
    if (!hd_parse_region_arg(p, true, &a) || !hd_expect(p, TOK_COMMA, "','") || !hd_parse_region_arg(p, true, &b) ||
        !hd_expect(p, TOK_RPAREN, "')'"))
      return false;
    hd_vec_push(&p->scratch, &first, a);
    hd_vec_push(&p->scratch, &second, b);
  }
  hd_vec_append(&p->scratch, &first, second.data, second.len);
  if (!(op->loc = hd_parse_optional_loc(p, op->loc))) return false;
  hd_region *region;
  if (!hd_parse_region(op, first.data, first.len, false, &region)) return false;
  hd_vec_push(&p->scratch, &op->regions[0], region);
  return true;
}

/* The op that `applies` names; null when the region is more than that. */
static hd_op *applied_op(hd_op *op) {
  hd_block *block = op->regions[0].first;
  if (!block || block->next || block->arg_count != 2 || !block->first || block->first->next != block->last ||
      op->operand_count != 2)
    return NULL;
  hd_op *inner = block->first, *end = block->last;
  if (!hd_op_is(end, HD_OP_stablehlo_return) || end->operand_count != 1 || inner->result_count != 1 ||
      hd_operand(end, 0) != hd_result(inner, 0))
    return NULL;
  size_t dialect = strcspn(op->name->text, ".") + 1;
  if (strncmp(op->name->text, inner->name->text, dialect) != 0 ||
      strncmp(op->name->text, end->name->text, dialect) != 0)
    return NULL;
  if (inner->operand_count != 2 || inner->region_count || inner->attr_count || end->attr_count ||
      !hd_op_has_trait(inner, HD_TRAIT(COMMUTATIVE)))
    return NULL;
  bool straight = hd_operand(inner, 0) == block->args[0] && hd_operand(inner, 1) == block->args[1];
  if (!straight) return NULL;
  hd_type type = hd_type_tensor(hd_type_element(hd_operand_type(op, 0)), NULL, 0, NULL);
  return block->args[0]->type == type && block->args[1]->type == type && hd_result_type(inner, 0) == type ? inner
                                                                                                          : NULL;
}

void hd_print_hook_HloReduce(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  uint32_t pairs = op->operand_count / 2;
  for (uint32_t i = 0; i < pairs; ++i) {
    hd_puts(out, i ? ", (" : "(");
    hd_print_value(out, hd_operand(op, i));
    hd_puts(out, " init: ");
    hd_print_value(out, hd_operand(op, i + pairs));
    hd_putc(out, ')');
  }
  hd_op *inner = applied_op(op);
  if (inner) hd_printf(out, " applies %s", inner->name->text);
  hd_puts(out, " across dimensions = ");
  hd_print_int_list(out, hd_op_attr_get(op, HD_NAME_dimensions), "[", "]");
  hd_print_attr_dict(out, op, (const char *const[]){"dimensions", NULL});
  hd_puts(out, " : ");
  hd_print_functional_type(out, op);
  if (inner) return;
  hd_print_newline(out);
  hd_puts(out, " reducer");
  hd_block *block = op->regions[0].first;
  for (uint32_t i = 0; block && i + pairs < block->arg_count && i < pairs; ++i) {
    hd_putc(out, '(');
    hd_print_block_arg(out, block->args[i]);
    hd_puts(out, ", ");
    hd_print_block_arg(out, block->args[i + pairs]);
    hd_puts(out, ") ");
  }
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], false, true, false);
}

/* while(%x = %a, ...) : types attributes {...} cond { ... } do { ... } */
bool hd_parse_hook_HloWhile(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_parser *p = op->p;
  hd_region_arg_vec names = {0};
  hd_operand_vec refs = {0};
  if (!hd_expect(p, TOK_LPAREN, "'('")) return false;
  while (!hd_at(p, TOK_RPAREN)) {
    hd_region_arg name;
    hd_operand_ref ref;
    if (names.len && !hd_expect(p, TOK_COMMA, "','")) return false;
    if (!hd_parse_region_arg(p, false, &name) || !hd_expect(p, TOK_EQUAL, "'='") || !hd_parse_operand(p, &ref))
      return false;
    hd_vec_push(&p->scratch, &names, name);
    hd_vec_push(&p->scratch, &refs, ref);
  }
  hd_advance(p);
  hd_type_vec types = {0};
  if (names.len && (!hd_expect(p, TOK_COLON, "':'") || !hd_parse_type_list(p, &types))) return false;
  if (!hd_resolve_each(op, &refs, &types)) return false;
  for (size_t i = 0; i < names.len; ++i) names.data[i].type = types.data[i];
  op->result_types = types;
  op->resolved = true;
  if (!hd_parse_attr_dict_keyword(op)) return false;
  static const char *const words[] = {"cond", "do"};
  for (int i = 0; i < 2; ++i) {
    hd_region *region;
    if (!hd_expect_word(p, words[i]) || !hd_parse_region(op, names.data, names.len, false, &region)) return false;
    hd_vec_push(&p->scratch, &op->regions[i], region);
  }
  return true;
}

void hd_print_hook_HloWhile(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_block *cond = op->regions[0].first;
  hd_putc(out, '(');
  for (uint32_t i = 0; cond && i < op->operand_count && i < cond->arg_count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_value(out, cond->args[i]);
    hd_puts(out, " = ");
    hd_print_value(out, hd_operand(op, i));
  }
  hd_putc(out, ')');
  if (op->operand_count) {
    hd_puts(out, " : ");
    hd_print_operand_types(out, op, 0, op->operand_count);
  }
  hd_print_attr_dict_keyword(out, op, NULL);
  hd_print_newline(out);
  hd_puts(out, "cond ");
  hd_print_region(out, &op->regions[0], false, true, false);
  hd_puts(out, " do ");
  hd_print_region(out, &op->regions[1], false, true, false);
}

/* @target, kept as a string. */
bool hd_parse_hook_CustomCallTarget(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  hd_str name;
  if (!hd_parse_at(op->p, &name)) return false;
  hd_op_parser_attr(op, op->signature->attrs.items[args[0].index].name->text, hd_attr_string(op->p->context, name));
  return true;
}
void hd_print_hook_CustomCallTarget(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_print_symbol_name(out->out, hd_op_string_attr(op, HD_NAME_call_target_name));
}

/* %a, %b, and a comma before what follows. */
bool hd_parse_hook_VariadicOperandWithAttribute(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  while (hd_at(op->p, TOK_PERCENT)) {
    if (!hd_parse_one_operand(op->p, &hd_arg_item(op, &args[0])->refs) || !hd_expect(op->p, TOK_COMMA, "','"))
      return false;
  }
  return true;
}
void hd_print_hook_VariadicOperandWithAttribute(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)count;
  uint32_t start, total;
  hd_arg_range(op, &args[0], &start, &total);
  hd_print_operands(out, op, start, total);
  if (total) hd_putc(out, ',');
}

/* , precision = [DEFAULT, HIGHEST] */
static int precision_row(hd_op_parser *op) {
  return strncmp(op->name->text, "chlo", 4) == 0 ? HD_ENUM_chlo_precision : HD_ENUM_stablehlo_precision;
}

static bool parse_precision(hd_op_parser *op, const char *name) {
  hd_parser *p = op->p;
  hd_attr_vec items = {0};
  if (!hd_expect(p, TOK_EQUAL, "'='") || !hd_expect(p, TOK_LSQUARE, "'['")) return false;
  while (!hd_at(p, TOK_RSQUARE)) {
    if (items.len && !hd_expect(p, TOK_COMMA, "','")) return false;
    hd_attr item = hd_parse_enum_case(p, precision_row(op));
    if (!item) return false;
    hd_vec_push(&p->scratch, &items, item);
  }
  hd_advance(p);
  hd_op_parser_attr(op, name, hd_attr_array(p->context, items.data, items.len));
  return true;
}

static bool parse_precision_and_algorithm(hd_op_parser *op) {
  hd_parser *p = op->p;
  while (hd_accept(p, TOK_COMMA)) {
    if (hd_accept_word(p, "precision")) {
      if (!parse_precision(op, "precision_config")) return false;
    } else if (hd_accept_word(p, "algorithm")) {
      if (!hd_expect(p, TOK_EQUAL, "'='")) return false;
      hd_attr algorithm = hd_parse_attr_row(p, HD_STRUCT_stablehlo_dot_algorithm);
      if (!algorithm) return false;
      hd_op_parser_attr(op, "algorithm", algorithm);
    } else {
      return hd_parser_expected(p, "'precision' or 'algorithm'");
    }
  }
  return true;
}

static void print_precision(hd_printer *out, hd_op *op) {
  hd_attr precision = hd_op_attr_get(op, HD_NAME_precision_config);
  if (!hd_attr_is(precision, HD_ATTR_ARRAY) || !precision->array.count) return;
  hd_puts(out, ", precision = [");
  for (uint32_t i = 0; i < precision->array.count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_attr item = precision->array.items[i];
    if (hd_attr_is(item, HD_ATTR_ENUM))
      hd_print_enum_case(out, item->enumerant.row, item->enumerant.value);
    else
      hd_print_attr(out, item, HD_TYPE_NEVER);
  }
  hd_putc(out, ']');
}

bool hd_parse_hook_PrecisionConfig(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  if (!hd_accept(op->p, TOK_COMMA)) return true;
  return hd_expect_word(op->p, "precision") && parse_precision(op, "precision_config");
}
void hd_print_hook_PrecisionConfig(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  print_precision(out, op);
}

bool hd_parse_hook_PrecisionConfigAndAlgorithm(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  return parse_precision_and_algorithm(op);
}
void hd_print_hook_PrecisionConfigAndAlgorithm(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  print_precision(out, op);
  hd_attr algorithm = hd_op_attr_get(op, HD_NAME_algorithm);
  if (!hd_attr_is(algorithm, HD_ATTR_STRUCT)) return;
  hd_puts(out, ", algorithm = ");
  hd_print_row_params(out, hd_attr_row_format(out->context, algorithm->structure.row), algorithm->structure.params,
                      (hd_spacing){false, true});
}

/* batching_dims = [0] x [0], contracting_dims = [2] x [1] */
static bool dims_pair(hd_parser *p, hd_attr *lhs, hd_attr *rhs) {
  hd_type i64 = hd_i64(p->context);
  if (!hd_expect(p, TOK_EQUAL, "'='") || !(*lhs = hd_parse_int_list(p, i64, TOK_LSQUARE, TOK_RSQUARE))) return false;
  return hd_expect_word(p, "x") && (*rhs = hd_parse_int_list(p, i64, TOK_LSQUARE, TOK_RSQUARE)) != NULL;
}

bool hd_parse_hook_DotDimensionNumbers(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_parser *p = op->p;
  hd_attr params[4], none = hd_attr_i64_array(p->context, NULL, 0);
  for (int i = 0; i < 4; ++i) params[i] = none;
  if (hd_accept_word(p, "batching_dims") && (!dims_pair(p, &params[0], &params[1]) || !hd_expect(p, TOK_COMMA, "','")))
    return false;
  if (!hd_expect_word(p, "contracting_dims") || !dims_pair(p, &params[2], &params[3])) return false;
  for (int i = 0; i < 4; ++i)
    if (params[i] == none) params[i] = NULL;
  hd_op_parser_attr(op, "dot_dimension_numbers", hd_attr_struct(p->context, HD_STRUCT_stablehlo_dot, params, 4));
  return true;
}

static void print_pair(hd_printer *out, hd_attr lhs, hd_attr rhs) {
  hd_print_int_list(out, lhs, "[", "]");
  hd_puts(out, " x ");
  hd_print_int_list(out, rhs, "[", "]");
}

void hd_print_hook_DotDimensionNumbers(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_attr dims = hd_op_attr_get(op, HD_NAME_dot_dimension_numbers), none = hd_attr_i64_array(out->context, NULL, 0);
  const hd_attr *params = dims->structure.params;
  hd_attr list[4];
  for (int i = 0; i < 4; ++i) list[i] = params[i] ? params[i] : none;
  if (hd_attr_count(list[0]) || hd_attr_count(list[1])) {
    hd_puts(out, "batching_dims = ");
    print_pair(out, list[0], list[1]);
    hd_puts(out, ", ");
  }
  hd_puts(out, "contracting_dims = ");
  print_pair(out, list[2], list[3]);
}

/* [0:2, 1:9:2] */
bool hd_parse_hook_SliceRanges(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_parser *p = op->p;
  hd_int_vec lists[3] = {{0}, {0}, {0}};
  if (!hd_expect(p, TOK_LSQUARE, "'['")) return false;
  while (!hd_at(p, TOK_RSQUARE)) {
    if (lists[0].len && !hd_expect(p, TOK_COMMA, "','")) return false;
    int64_t start, limit, stride = 1;
    if (!hd_parse_int(p, &start) || !hd_expect(p, TOK_COLON, "':'") || !hd_parse_int(p, &limit)) return false;
    if (hd_accept(p, TOK_COLON) && !hd_parse_int(p, &stride)) return false;
    hd_vec_push(&p->scratch, &lists[0], start);
    hd_vec_push(&p->scratch, &lists[1], limit);
    hd_vec_push(&p->scratch, &lists[2], stride);
  }
  hd_advance(p);
  static const char *const names[] = {"start_indices", "limit_indices", "strides"};
  for (int i = 0; i < 3; ++i)
    hd_op_parser_attr(op, names[i], hd_attr_i64_array(p->context, lists[i].data, lists[i].len));
  return true;
}

void hd_print_hook_SliceRanges(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_attr start = hd_op_attr_get(op, HD_NAME_start_indices), limit = hd_op_attr_get(op, HD_NAME_limit_indices),
          strides = hd_op_attr_get(op, HD_NAME_strides);
  size_t rank = hd_attr_count(start);
  hd_putc(out, '[');
  for (size_t i = 0; i < rank && i < hd_attr_count(limit) && i < hd_attr_count(strides); ++i) {
    hd_printf(out, "%s%" PRId64 ":%" PRId64, i ? ", " : "", hd_attr_int_at(start, i), hd_attr_int_at(limit, i));
    if (hd_attr_int_at(strides, i) != 1) hd_printf(out, ":%" PRId64, hd_attr_int_at(strides, i));
  }
  hd_putc(out, ']');
}

/* e5m10 */
bool hd_parse_hook_ExponentMantissa(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_parser *p = op->p;
  const char *at = hd_here(p);
  hd_str word;
  if (!hd_parse_word(p, "a format such as e5m10", &word)) return false;
  const char *m = memchr(word.data, 'm', word.len);
  uint64_t exponent, mantissa;
  bool ok = word.data[0] == 'e' && m && m > word.data + 1 && word.data + word.len > m + 1;
  for (size_t i = 1; ok && i < word.len; ++i) ok = word.data + i == m || (word.data[i] >= '0' && word.data[i] <= '9');
  if (!ok || !hd_int_literal((hd_str){word.data + 1, (size_t)(m - word.data) - 1}, &exponent) ||
      !hd_int_literal((hd_str){m + 1, word.len - (size_t)(m - word.data) - 1}, &mantissa) || exponent > INT32_MAX ||
      mantissa > INT32_MAX)
    return hd_parser_error(p, at, "expected exponent mantissa in format e#m#, saw %.*s", (int)word.len, word.data);
  hd_op_parser_attr(op, "exponent_bits", hd_attr_i32(p->context, (int64_t)exponent));
  hd_op_parser_attr(op, "mantissa_bits", hd_attr_i32(p->context, (int64_t)mantissa));
  return true;
}
void hd_print_hook_ExponentMantissa(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_printf(out, "e%" PRId64 "m%" PRId64, hd_op_int_attr(op, HD_NAME_exponent_bits, 0),
            hd_op_int_attr(op, HD_NAME_mantissa_bits, 0));
}
