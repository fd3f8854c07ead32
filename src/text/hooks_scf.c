/* SPDX-License-Identifier: Apache-2.0 */
/* Loops, conditionals and switches of scf and cf. */
#include <inttypes.h>

#include "text/parse_op.h"
#include "text/printer.h"

#define UNUSED_ARGS (void)args, (void)count

static bool is_index(hd_type type) { return type->kind == HD_TYPE_INDEX; }

/* for %i = %lb to %ub step %s iter_args(%a = %x) -> (t) : i32 { ... } */
bool hd_parse_hook_For(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_region_arg_vec names = {0};
  hd_operand_vec bounds = {0}, inits = {0};
  hd_region_arg induction;
  if (hd_accept_word(p, "unsigned")) hd_op_parser_attr(op, "unsignedCmp", hd_attr_unit(p->context));
  if (!hd_parse_region_arg(p, false, &induction) || !hd_expect(p, TOK_EQUAL, "'='")) return false;
  static const char *const words[] = {NULL, "to", "step"};
  for (int i = 0; i < 3; ++i) {
    if ((words[i] && !hd_expect_word(p, words[i])) || !hd_parse_one_operand(p, &bounds)) return false;
  }
  hd_vec_push(&p->scratch, &names, induction);
  const char *at = hd_here(p);
  if (hd_accept_word(p, "iter_args") &&
      (!hd_parse_assignments(p, &names, &inits) || !hd_parse_arrow_types(p, &op->result_types)))
    return false;
  if (inits.len != op->result_types.len)
    return hd_parser_error(p, at, "mismatch in number of loop-carried values and defined values: %zu and %zu",
                           inits.len, op->result_types.len);
  hd_type type = hd_type_index(p->context);
  if (hd_accept(p, TOK_COLON) && !(type = hd_parse_type(p))) return false;
  if (!hd_resolve_into(op, &bounds, type) || !hd_resolve_each(op, &inits, &op->result_types)) return false;
  names.data[0].type = type;
  for (size_t i = 0; i < inits.len; ++i) names.data[i + 1].type = op->result_types.data[i];
  op->resolved = true;
  return hd_op_parser_region(op, 0, names.data, names.len) && hd_parse_attr_dict(op);
}

void hd_print_hook_For(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_block *body = op->regions[0].first;
  uint32_t inits = op->operand_count - 3;
  if (hd_op_attr_get(op, HD_NAME_unsignedCmp)) hd_puts(out, " unsigned");
  hd_putc(out, ' ');
  hd_print_block_args(out, body, 0, 1);
  hd_puts(out, " = ");
  hd_print_value(out, hd_operand(op, 0));
  hd_puts(out, " to ");
  hd_print_value(out, hd_operand(op, 1));
  hd_puts(out, " step ");
  hd_print_value(out, hd_operand(op, 2));
  hd_print_assignments(out, " iter_args", body, 1, op, 3, inits);
  if (inits) {
    hd_puts(out, " -> (");
    hd_print_operand_types(out, op, 3, inits);
    hd_putc(out, ')');
  }
  hd_putc(out, ' ');
  if (!is_index(hd_operand_type(op, 0))) {
    hd_puts(out, " : ");
    hd_print_type(out, hd_operand_type(op, 0));
    hd_putc(out, ' ');
  }
  hd_print_region(out, &op->regions[0], false, inits != 0, false);
  hd_print_attr_dict(out, op, (const char *const[]){"unsignedCmp", NULL});
}

bool hd_parse_hook_If(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec refs = {0};
  if (!hd_parse_one_operand(p, &refs)) return false;
  op->resolved = true;
  if (!hd_resolve_into(op, &refs, hd_i1(p->context)) || !hd_parse_arrow_types(p, &op->result_types)) return false;
  if (!hd_op_parser_region(op, 0, NULL, 0)) return false;
  if (hd_accept_word(p, "else") && !hd_op_parser_region(op, 1, NULL, 0)) return false;
  return hd_parse_attr_dict(op);
}

void hd_print_hook_If(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  bool yields = op->result_count != 0;
  hd_putc(out, ' ');
  hd_print_value(out, hd_operand(op, 0));
  hd_print_region_results(out, op);
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], false, yields, false);
  if (op->regions[1].first) {
    hd_puts(out, " else ");
    hd_print_region(out, &op->regions[1], false, yields, false);
  }
  hd_print_attr_dict(out, op, NULL);
}

/* while (%a = %x) : (t) -> t { ... } do { ^bb0(%b: t): ... } attributes {...} */
bool hd_parse_hook_ScfWhile(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_region_arg_vec names = {0};
  hd_operand_vec inits = {0};
  hd_type_vec types = {0};
  if (hd_at(p, TOK_LPAREN) && !hd_parse_assignments(p, &names, &inits)) return false;
  if (!hd_expect(p, TOK_COLON, "':'") || !hd_parse_function_type(p, &types, &op->result_types) ||
      !hd_resolve_each(op, &inits, &types))
    return false;
  for (size_t i = 0; i < names.len; ++i) names.data[i].type = types.data[i];
  op->resolved = true;
  return hd_op_parser_region(op, 0, names.data, names.len) && hd_expect_word(p, "do") &&
         hd_op_parser_region(op, 1, NULL, 0) && hd_parse_attr_dict_keyword(op);
}

void hd_print_hook_ScfWhile(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_print_assignments(out, " ", op->regions[0].first, 0, op, 0, op->operand_count);
  hd_puts(out, " : ");
  hd_print_functional_type(out, op);
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], false, true, false);
  hd_puts(out, " do ");
  hd_print_region(out, &op->regions[1], true, true, false);
  hd_print_attr_dict_keyword(out, op, NULL);
}

static bool induction_names(hd_parser *p, hd_region_arg_vec *names) {
  if (!hd_expect(p, TOK_LPAREN, "'('")) return false;
  for (bool first = true; !hd_at(p, TOK_RPAREN); first = false) {
    hd_region_arg name;
    if (!first && !hd_expect(p, TOK_COMMA, "','")) return false;
    if (!hd_parse_region_arg(p, false, &name)) return false;
    name.type = hd_type_index(p->context);
    hd_vec_push(&p->scratch, names, name);
  }
  hd_advance(p);
  return true;
}

/* parallel (%i, %j) = (%a, %b) to (%c, %d) step (%e, %f) init (%x) -> t { ... } */
bool hd_parse_hook_ScfParallel(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_region_arg_vec names = {0};
  hd_operand_vec lists[4] = {{0}, {0}, {0}, {0}};
  static const char *const words[] = {NULL, "to", "step"};
  const char *at = hd_here(p);
  if (!induction_names(p, &names) || !hd_expect(p, TOK_EQUAL, "'='")) return false;
  for (int i = 0; i < 3; ++i)
    if ((words[i] && !hd_expect_word(p, words[i])) || !hd_parse_operands_until(p, TOK_LPAREN, TOK_RPAREN, &lists[i]))
      return false;
  if (hd_accept_word(p, "init") && !hd_parse_operands_until(p, TOK_LPAREN, TOK_RPAREN, &lists[3])) return false;
  if (!hd_parse_arrow_types(p, &op->result_types)) return false;
  for (int i = 0; i < 3; ++i)
    if (lists[i].len != names.len)
      return hd_parser_error(p, at, "expected %zu operands per bound, got %zu", names.len, lists[i].len);
  int32_t sizes[4];
  for (int i = 0; i < 4; ++i) {
    sizes[i] = (int32_t)lists[i].len;
    if (i < 3 ? !hd_resolve_into(op, &lists[i], hd_type_index(p->context))
              : !hd_resolve_each(op, &lists[i], &op->result_types))
      return false;
  }
  hd_op_parser_segments(op, "operandSegmentSizes", sizes, 4);
  op->resolved = true;
  return hd_op_parser_region(op, 0, names.data, names.len) && hd_parse_attr_dict(op);
}

void hd_print_hook_ScfParallel(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_block *body = op->regions[0].first;
  static const char *const words[] = {") = (", ") to (", ") step (", ") init ("};
  hd_puts(out, " (");
  hd_print_block_args(out, body, 0, body ? body->arg_count : 0);
  for (size_t i = 0; i < 4; ++i) {
    uint32_t start, total;
    hd_op_operand_range(op, i, &start, &total);
    if (i == 3 && !total) break;
    hd_puts(out, words[i]);
    hd_print_operands(out, op, start, total);
  }
  hd_putc(out, ')');
  hd_print_arrow_types(out, op);
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], false, true, false);
  hd_print_attr_dict(out, op, (const char *const[]){"operandSegmentSizes", NULL});
}

static hd_attr constants(hd_parser *p, int64_t value, size_t count) {
  hd_int_vec values = {0};
  for (size_t i = 0; i < count; ++i) hd_vec_push(&p->scratch, &values, value);
  return hd_attr_i64_array(p->context, values.data, values.len);
}

/* forall (%i) in (8) shared_outs(%a = %x) -> (t) { ... }, or = (0) to (8) step (1) */
bool hd_parse_hook_ScfForall(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_region_arg_vec names = {0};
  hd_operand_vec bounds[3] = {{0}, {0}, {0}}, outputs = {0};
  hd_attr fixed[3];
  if (!induction_names(p, &names)) return false;
  size_t rank = names.len;
  fixed[0] = constants(p, 0, rank);
  fixed[2] = constants(p, 1, rank);
  if (hd_accept_word(p, "in")) {
    if (!(fixed[1] = hd_parse_index_list(p, TOK_LPAREN, TOK_RPAREN, &bounds[1]))) return false;
  } else {
    static const char *const words[] = {NULL, "to", "step"};
    if (!hd_expect(p, TOK_EQUAL, "'in' or '='")) return false;
    for (int i = 0; i < 3; ++i)
      if ((words[i] && !hd_expect_word(p, words[i])) ||
          !(fixed[i] = hd_parse_index_list(p, TOK_LPAREN, TOK_RPAREN, &bounds[i])))
        return false;
  }
  if (hd_accept_word(p, "shared_outs") &&
      (!hd_parse_assignments(p, &names, &outputs) || !hd_parse_arrow_types(p, &op->result_types)))
    return false;
  static const char *const attrs[] = {"staticLowerBound", "staticUpperBound", "staticStep"};
  int32_t sizes[4];
  for (int i = 0; i < 3; ++i) {
    sizes[i] = (int32_t)bounds[i].len;
    hd_op_parser_attr(op, attrs[i], fixed[i]);
    if (!hd_resolve_into(op, &bounds[i], hd_type_index(p->context))) return false;
  }
  sizes[3] = (int32_t)outputs.len;
  hd_op_parser_segments(op, "operandSegmentSizes", sizes, 4);
  if (!hd_resolve_each(op, &outputs, &op->result_types)) return false;
  for (size_t i = 0; i < outputs.len; ++i) names.data[rank + i].type = op->result_types.data[i];
  op->resolved = true;
  return hd_op_parser_region(op, 0, names.data, names.len) && hd_parse_attr_dict(op);
}

static bool all_are(hd_attr list, int64_t value) {
  for (size_t i = 0; i < hd_attr_count(list); ++i)
    if (hd_attr_int_at(list, i) != value) return false;
  return true;
}

void hd_print_hook_ScfForall(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  static const char *const attrs[] = {"staticLowerBound", "staticUpperBound", "staticStep"};
  hd_block *body = op->regions[0].first;
  hd_attr fixed[3];
  uint32_t start[4], total[4];
  for (size_t i = 0; i < 3; ++i) fixed[i] = hd_op_attr_get_named(op, attrs[i]);
  for (size_t i = 0; i < 4; ++i) hd_op_operand_range(op, i, &start[i], &total[i]);
  uint32_t rank = (uint32_t)hd_attr_count(fixed[1]);
  hd_puts(out, " (");
  hd_print_block_args(out, body, 0, rank);
  if (all_are(fixed[0], 0) && all_are(fixed[2], 1)) {
    hd_puts(out, ") in ");
    hd_print_index_list(out, op, start[1], fixed[1], "(", ")");
  } else {
    static const char *const words[] = {") = ", " to ", " step "};
    for (int i = 0; i < 3; ++i) {
      hd_puts(out, words[i]);
      hd_print_index_list(out, op, start[i], fixed[i], "(", ")");
    }
  }
  hd_print_assignments(out, " shared_outs", body, rank, op, start[3], total[3]);
  hd_putc(out, ' ');
  if (total[3]) {
    hd_puts(out, "-> (");
    hd_print_result_types(out, op, 0, op->result_count);
    hd_puts(out, ") ");
  }
  hd_print_region(out, &op->regions[0], false, op->result_count != 0, false);
  hd_print_attr_dict(out, op, (const char *const[]){"operandSegmentSizes", attrs[0], attrs[1], attrs[2], NULL});
}

bool hd_parse_hook_ScfForallInParallel(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_region *region;
  if (!hd_parse_region(op, NULL, 0, false, &region)) return false;
  if (!region->first) hd_region_append(region, hd_block_create(op->p->module));
  hd_vec_push(&op->p->scratch, &op->regions[0], region);
  op->resolved = true;
  return hd_parse_attr_dict(op);
}
void hd_print_hook_ScfForallInParallel(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], false, true, false);
  hd_print_attr_dict(out, op, NULL);
}

bool hd_parse_hook_ScfExecuteRegion(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  op->resolved = true;
  if (!hd_parse_arrow_types(op->p, &op->result_types)) return false;
  if (hd_accept_word(op->p, "no_inline")) hd_op_parser_attr(op, "no_inline", hd_attr_unit(op->p->context));
  return hd_op_parser_region(op, 0, NULL, 0) && hd_parse_attr_dict(op);
}
void hd_print_hook_ScfExecuteRegion(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_print_arrow_types(out, op);
  hd_putc(out, ' ');
  if (hd_op_attr_get(op, HD_NAME_no_inline)) hd_puts(out, "no_inline ");
  hd_print_region(out, &op->regions[0], false, true, false);
  hd_print_attr_dict(out, op, (const char *const[]){"no_inline", NULL});
}

/* case 2 { ... }, each on its line */
bool hd_parse_hook_SwitchCases(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  hd_parser *p = op->p;
  hd_int_vec cases = {0};
  while (hd_accept_word(p, "case")) {
    int64_t value;
    if (!hd_parse_int(p, &value) || !hd_op_parser_region(op, (size_t)args[1].index, NULL, 0)) return false;
    hd_vec_push(&p->scratch, &cases, value);
  }
  hd_op_parser_attr(op, "cases", hd_attr_i64_array(p->context, cases.data, cases.len));
  return true;
}
void hd_print_hook_SwitchCases(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_attr cases = hd_op_attr_get(op, HD_NAME_cases);
  for (uint32_t i = 0; i + 1 < op->region_count && i < hd_attr_count(cases); ++i) {
    hd_print_newline(out);
    hd_printf(out, "case %" PRId64 " ", hd_attr_int_at(cases, i));
    hd_print_region(out, &op->regions[i + 1], false, true, false);
  }
}

/* cf: default: ^bb1, 42: ^bb2(%a : t); llvm: [ 42: ^bb2 ] with the default before it. The flag's type comes first. */
static bool is_llvm(const hd_op_info *info) { return strncmp(info->name, "llvm", 4) == 0; }

static hd_type flag_type(hd_op_parser *op, const hd_format *arg) {
  hd_op_item *item = hd_arg_item(op, arg);
  return item && item->types.len ? item->types.data[0] : hd_i32(op->p->context);
}

bool hd_parse_hook_SwitchOpCases(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  hd_parser *p = op->p;
  bool llvm = is_llvm(op->info);
  hd_op_item *defaults = &op->args[1], *cases = &op->args[2];
  hd_int_vec values = {0};
  hd_vec(int32_t) segments = {0};
  hd_type type = flag_type(op, &args[0]);
  bool more = true;
  if (llvm) {
    if (!hd_expect(p, TOK_LSQUARE, "'['")) return false;
    more = !hd_accept(p, TOK_RSQUARE);
  } else {
    if (!hd_expect_word(p, "default") || !hd_expect(p, TOK_COLON, "':'") ||
        !hd_parse_successor_and_operands(op, &defaults->refs, &defaults->types))
      return false;
    more = hd_accept(p, TOK_COMMA);
  }
  while (more) {
    int64_t value;
    size_t before = cases->refs.len;
    if (!hd_parse_int(p, &value) || !hd_expect(p, TOK_COLON, "':'") ||
        !hd_parse_successor_and_operands(op, &cases->refs, &cases->types))
      return false;
    hd_vec_push(&p->scratch, &values, value);
    hd_vec_push(&p->scratch, &segments, (int32_t)(cases->refs.len - before));
    more = hd_accept(p, TOK_COMMA);
    if (llvm && !more && !hd_expect(p, TOK_RSQUARE, "']'")) return false;
  }
  defaults->typed = cases->typed = true;
  hd_op_parser_attr(op, "case_operand_segments", hd_attr_i32_array(p->context, segments.data, segments.len));
  if (!values.len || (type->kind != HD_TYPE_INTEGER && type->kind != HD_TYPE_INDEX) || hd_type_bits(type) > 64)
    return true;
  size_t each = hd_type_element_bytes(type);
  char *data = hd_arena_calloc(&p->scratch, values.len, each);
  for (size_t i = 0; i < values.len; ++i) {
    int64_t wrapped = hd_attr_integer(type, values.data[i])->integer;
    memcpy(data + i * each, &wrapped, each);
  }
  int64_t dims[] = {(int64_t)values.len};
  hd_op_parser_attr(op, "case_values",
                    hd_attr_dense(hd_type_vector(type, dims, 1, NULL), data, values.len * each, false));
  return true;
}

void hd_print_hook_SwitchOpCases(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  bool llvm = is_llvm(op->info);
  uint32_t start, total;
  hd_attr values = hd_op_attr_get(op, HD_NAME_case_values),
          segments = hd_op_attr_get(op, HD_NAME_case_operand_segments);
  if (!llvm) {
    hd_op_operand_range(op, 1, &start, &total);
    hd_puts(out, "  default: ");
    hd_print_successor(out, op, 0, start, total);
  }
  hd_op_operand_range(op, 2, &start, &total);
  size_t cases = values ? hd_attr_count(values) : 0;
  if (llvm) hd_putc(out, '[');
  for (size_t i = 0; i < cases && i + 1 < op->successor_count; ++i) {
    if (!llvm || i) hd_putc(out, ',');
    hd_print_newline(out);
    uint32_t size = i < hd_attr_count(segments) ? (uint32_t)hd_attr_int_at(segments, i) : 0;
    if (size > total) size = total;
    uint64_t value = (uint64_t)hd_attr_int_at(values, i); /* written without sign, whatever its type */
    uint32_t width = hd_type_bits(hd_type_element(values->type));
    if (width < 64) value &= (1ull << width) - 1;
    if (llvm)
      hd_printf(out, "  %" PRId64 ": ", hd_attr_int_at(values, i));
    else
      hd_printf(out, "  %" PRIu64 ": ", value);
    hd_print_successor(out, op, (uint32_t)i + 1, start, size);
    start += size;
    total -= size;
  }
  if (!llvm || cases) hd_print_newline(out);
  if (llvm) hd_putc(out, ']');
}

/* select %c, %a, %b : t, or : condition type, t when the condition is no i1 */
bool hd_parse_hook_ArithSelect(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec refs = {0}, first = {0};
  const char *at = hd_here(p);
  if (!hd_parse_operand_list(p, &refs)) return false;
  if (refs.len != 3) return hd_parser_error(p, at, "expected 3 operands, got %zu", refs.len);
  if (!hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'")) return false;
  hd_type condition = hd_i1(p->context), type = hd_parse_type(p);
  if (!type) return false;
  if (hd_accept(p, TOK_COMMA)) {
    condition = type;
    if (!(type = hd_parse_type(p))) return false;
  }
  hd_vec_push(&p->scratch, &first, refs.data[0]);
  hd_operand_vec rest = {refs.data + 1, 2, 2};
  hd_vec_push(&p->scratch, &op->result_types, type);
  op->resolved = true;
  return hd_resolve_into(op, &first, condition) && hd_resolve_into(op, &rest, type);
}
void hd_print_hook_ArithSelect(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_putc(out, ' ');
  hd_print_operands(out, op, 0, 3);
  hd_print_attr_dict(out, op, NULL);
  hd_puts(out, " : ");
  if (hd_type_is_shaped(hd_operand_type(op, 0))) {
    hd_print_type(out, hd_operand_type(op, 0));
    hd_puts(out, ", ");
  }
  hd_print_type(out, hd_result_type(op, 0));
}
