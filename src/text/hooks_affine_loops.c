/* SPDX-License-Identifier: Apache-2.0 */
/* affine.for and affine.parallel, whose bounds are maps. */
#include <inttypes.h>

#include "text/hooks_affine.h"

#define UNUSED_ARGS (void)args, (void)count

/* A bound: 10, %n, #map(%i)[%n], max/min #map(...) */
static hd_attr parse_bound(hd_op_parser *op, const char *word, hd_operand_vec *refs) {
  hd_parser *p = op->p;
  hd_context *c = p->context;
  bool several = hd_accept_word(p, word);
  const char *at = hd_here(p);
  if (hd_at(p, TOK_PERCENT)) {
    if (!hd_parse_one_operand(p, refs)) return NULL;
    hd_affine symbol = hd_affine_symbol(c, 0);
    return hd_attr_affine_map(c, 0, 1, &symbol, 1);
  }
  if (hd_at(p, TOK_INT) || hd_at(p, TOK_MINUS)) {
    int64_t value;
    if (!hd_parse_int(p, &value)) return NULL;
    hd_affine constant = hd_affine_const(c, value);
    return hd_attr_affine_map(c, 0, 0, &constant, 1);
  }
  hd_attr map = hd_parse_affine_attr(op, HD_ATTR_AFFINE_MAP);
  if (!map || !hd_parse_affine_operands(op, map, refs)) return NULL;
  if (!several && map->affine.count != 1) {
    hd_parser_error(p, at, "loop bound affine map with multiple results requires '%s' prefix", word);
    return NULL;
  }
  return map;
}

static void print_bound(hd_printer *out, hd_op *op, hd_attr map, uint32_t start, const char *word) {
  if (map->affine.count == 1) {
    hd_affine e = map->affine.results[0];
    if (!map->affine.dims && !map->affine.symbols && e->kind == HD_AFFINE_CONST) {
      hd_printf(out, "%" PRId64, e->value);
      return;
    }
    if (!map->affine.dims && map->affine.symbols == 1 && e->kind == HD_AFFINE_SYMBOL) {
      hd_print_value(out, start < op->operand_count ? hd_operand(op, start) : NULL);
      return;
    }
  } else {
    hd_printf(out, "%s ", word);
  }
  hd_print_attr(out, map, HD_TYPE_NEVER);
  if (start + map->affine.dims + map->affine.symbols <= op->operand_count)
    hd_print_affine_operands(out, op, map, start);
}

/* for %i = 0 to %n step 2 iter_args(%a = %x) -> (t) { ... } */
bool hd_parse_hook_AffineFor(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_type index = hd_type_index(p->context);
  hd_region_arg induction;
  hd_region_arg_vec names = {0};
  hd_operand_vec lower = {0}, upper = {0}, inits = {0};
  hd_attr low, high;
  int64_t step = 1;
  if (!hd_parse_region_arg(p, false, &induction) || !hd_expect(p, TOK_EQUAL, "'='")) return false;
  induction.type = index;
  hd_vec_push(&p->scratch, &names, induction);
  if (!(low = parse_bound(op, "max", &lower)) || !hd_expect_word(p, "to") || !(high = parse_bound(op, "min", &upper)))
    return false;
  const char *at = hd_here(p);
  if (hd_accept_word(p, "step") && !hd_parse_int(p, &step)) return false;
  if (step < 1) return hd_parser_error(p, at, "expected step to be representable as a positive signed integer");
  if (hd_accept_word(p, "iter_args") &&
      (!hd_parse_assignments(p, &names, &inits) || !hd_parse_arrow_types(p, &op->result_types)))
    return false;
  if (inits.len != op->result_types.len)
    return hd_parser_error(p, at, "mismatch between the number of loop-carried values and results");
  hd_op_parser_attr(op, "lowerBoundMap", low);
  hd_op_parser_attr(op, "upperBoundMap", high);
  hd_op_parser_attr(op, "step", hd_attr_index(p->context, step));
  int32_t sizes[] = {(int32_t)lower.len, (int32_t)upper.len, (int32_t)inits.len};
  hd_op_parser_segments(op, "operandSegmentSizes", sizes, 3);
  if (!hd_resolve_into(op, &lower, index) || !hd_resolve_into(op, &upper, index) ||
      !hd_resolve_each(op, &inits, &op->result_types))
    return false;
  for (size_t i = 0; i < inits.len; ++i) names.data[i + 1].type = op->result_types.data[i];
  op->resolved = true;
  return hd_op_parser_region(op, 0, names.data, names.len) && hd_parse_attr_dict(op);
}
void hd_print_hook_AffineFor(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  static const char *const hidden[] = {"lowerBoundMap", "upperBoundMap", "step", "operandSegmentSizes", NULL};
  uint32_t start[3], total[3];
  for (size_t i = 0; i < 3; ++i) hd_op_operand_range(op, i, &start[i], &total[i]);
  hd_putc(out, ' ');
  hd_block *body = op->regions[0].first;
  hd_print_block_args(out, body, 0, 1);
  if (body && body->arg_count) hd_print_arg_loc(out, body->args[0]);
  hd_puts(out, " = ");
  print_bound(out, op, hd_op_attr_get(op, HD_NAME_lowerBoundMap), start[0], "max");
  hd_puts(out, " to ");
  print_bound(out, op, hd_op_attr_get(op, HD_NAME_upperBoundMap), start[1], "min");
  int64_t step = hd_op_int_attr(op, HD_NAME_step, 1);
  if (step != 1) hd_printf(out, " step %" PRId64, step);
  if (total[2]) {
    hd_print_assignments(out, " iter_args", op->regions[0].first, 1, op, start[2], total[2]);
    hd_puts(out, " -> (");
    hd_print_operand_types(out, op, start[2], total[2]);
    hd_putc(out, ')');
  }
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], false, op->result_count != 0, false);
  hd_print_attr_dict(out, op, hidden);
}

/* parallel (%i, %j) = (0, max(%a, %b)) to (10, %n) step (2, 2) reduce ("addf") -> (t) { ... } */

/* Bounds in brackets, max(...) or min(...) for several at once; |groups| counts the results of each. */
static hd_attr parse_bounds(hd_op_parser *op, const char *word, hd_operand_vec *refs, hd_attr *groups) {
  hd_parser *p = op->p;
  hd_affine_operands m = {.op = op};
  hd_affine_names names = {&m, hd_resolve_affine_name};
  hd_vec(hd_affine) results = {0};
  hd_vec(int32_t) sizes = {0};
  if (!hd_expect(p, TOK_LPAREN, "'('")) return NULL;
  for (bool first = true; !hd_at(p, TOK_RPAREN); first = false) {
    hd_affine e;
    size_t before = results.len;
    if (!first && !hd_expect(p, TOK_COMMA, "','")) return NULL;
    bool several = hd_accept_word(p, word);
    if (several && !hd_expect(p, TOK_LPAREN, "'('")) return NULL;
    do {
      if (!hd_parse_affine_expr(p, &names, &e)) return NULL;
      hd_vec_push(&p->scratch, &results, e);
    } while (several && hd_accept(p, TOK_COMMA));
    if (several && !hd_expect(p, TOK_RPAREN, "')'")) return NULL;
    hd_vec_push(&p->scratch, &sizes, (int32_t)(results.len - before));
  }
  hd_advance(p);
  hd_vec_append(&p->scratch, refs, m.dims.data, m.dims.len);
  hd_vec_append(&p->scratch, refs, m.symbols.data, m.symbols.len);
  int64_t dims[] = {(int64_t)sizes.len};
  *groups = hd_attr_dense(hd_type_tensor(hd_i32(p->context), dims, 1, NULL), sizes.len ? (const void *)sizes.data : "",
                          sizes.len * 4, false);
  return hd_attr_affine_map(p->context, (uint32_t)m.dims.len, (uint32_t)m.symbols.len, results.data, results.len);
}

bool hd_parse_hook_AffineParallel(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_type index = hd_type_index(p->context);
  hd_region_arg_vec names = {0};
  hd_operand_vec refs = {0};
  hd_attr_vec steps = {0}, reductions = {0};
  hd_attr low, high, low_groups, high_groups;
  if (!hd_expect(p, TOK_LPAREN, "'('")) return false;
  while (!hd_at(p, TOK_RPAREN)) {
    hd_region_arg name;
    if ((names.len && !hd_expect(p, TOK_COMMA, "','")) || !hd_parse_region_arg(p, false, &name)) return false;
    name.type = index;
    hd_vec_push(&p->scratch, &names, name);
  }
  hd_advance(p);
  const char *at = hd_here(p);
  if (!hd_expect(p, TOK_EQUAL, "'='") || !(low = parse_bounds(op, "max", &refs, &low_groups)) ||
      !hd_expect_word(p, "to") || !(high = parse_bounds(op, "min", &refs, &high_groups)))
    return false;
  if (hd_accept_word(p, "step")) {
    if (!hd_expect(p, TOK_LPAREN, "'('")) return false;
    while (!hd_at(p, TOK_RPAREN)) {
      int64_t step;
      if ((steps.len && !hd_expect(p, TOK_COMMA, "','")) || !hd_parse_int(p, &step)) return false;
      hd_vec_push(&p->scratch, &steps, hd_attr_i64(p->context, step));
    }
    hd_advance(p);
  } else {
    for (size_t i = 0; i < names.len; ++i) hd_vec_push(&p->scratch, &steps, hd_attr_i64(p->context, 1));
  }
  if (hd_accept_word(p, "reduce")) {
    if (!hd_expect(p, TOK_LPAREN, "'('")) return false;
    while (!hd_at(p, TOK_RPAREN)) {
      hd_str word;
      int64_t value;
      const char *word_at = hd_here(p);
      if ((reductions.len && !hd_expect(p, TOK_COMMA, "','")) || !hd_parse_string(p, &word)) return false;
      if (!hd_enum_case_value(HD_ENUM_arith_atomic_rmw_kind, word, &value))
        return hd_parser_error(p, word_at, "invalid reduction value: \"%.*s\"", (int)word.len, word.data);
      hd_vec_push(&p->scratch, &reductions, hd_attr_i64(p->context, value));
    }
    hd_advance(p);
  }
  if (hd_attr_count(low_groups) != names.len || hd_attr_count(high_groups) != names.len || steps.len != names.len)
    return hd_parser_error(p, at, "expected %zu bounds and steps", names.len);
  hd_op_parser_attr(op, "lowerBoundsMap", low);
  hd_op_parser_attr(op, "lowerBoundsGroups", low_groups);
  hd_op_parser_attr(op, "upperBoundsMap", high);
  hd_op_parser_attr(op, "upperBoundsGroups", high_groups);
  hd_op_parser_attr(op, "steps", hd_attr_array(p->context, steps.data, steps.len));
  hd_op_parser_attr(op, "reductions", hd_attr_array(p->context, reductions.data, reductions.len));
  op->resolved = true;
  return hd_parse_arrow_types(p, &op->result_types) && hd_resolve_into(op, &refs, index) &&
         hd_op_parser_region(op, 0, names.data, names.len) && hd_parse_attr_dict(op);
}

static void print_bounds(hd_printer *out, hd_op *op, const char *map_name, const char *groups_name, uint32_t start,
                         const char *word) {
  hd_attr map = hd_op_attr_get_named(op, map_name), groups = hd_op_attr_get_named(op, groups_name);
  uint32_t first = 0;
  for (size_t i = 0; i < hd_attr_count(groups); ++i) {
    uint32_t size = (uint32_t)hd_attr_int_at(groups, i);
    if (i) hd_puts(out, ", ");
    if (size != 1) hd_printf(out, "%s(", word);
    hd_print_affine_results(out, op, map, start, first, size);
    if (size != 1) hd_putc(out, ')');
    first += size;
  }
}

void hd_print_hook_AffineParallel(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  static const char *const hidden[] = {
      "reductions", "lowerBoundsMap", "lowerBoundsGroups", "upperBoundsMap", "upperBoundsGroups", "steps", NULL};
  hd_block *body = op->regions[0].first;
  hd_attr low = hd_op_attr_get(op, HD_NAME_lowerBoundsMap), steps = hd_op_attr_get(op, HD_NAME_steps),
          reductions = hd_op_attr_get(op, HD_NAME_reductions);
  hd_puts(out, " (");
  hd_print_block_args(out, body, 0, body ? body->arg_count : 0);
  hd_puts(out, ") = (");
  print_bounds(out, op, "lowerBoundsMap", "lowerBoundsGroups", 0, "max");
  hd_puts(out, ") to (");
  print_bounds(out, op, "upperBoundsMap", "upperBoundsGroups", low->affine.dims + low->affine.symbols, "min");
  hd_putc(out, ')');
  bool ones = true;
  for (size_t i = 0; i < hd_attr_count(steps); ++i) ones &= hd_attr_int_at(steps, i) == 1;
  if (!ones) hd_print_int_list(out, steps, " step (", ")");
  if (reductions->array.count) {
    hd_puts(out, " reduce (");
    for (uint32_t i = 0; i < reductions->array.count; ++i) {
      if (i) hd_puts(out, ", ");
      hd_print_escaped(out->out, hd_enum_case_name(HD_ENUM_arith_atomic_rmw_kind, hd_attr_int_at(reductions, i)));
    }
    hd_puts(out, ") -> (");
    hd_print_result_types(out, op, 0, op->result_count);
    hd_putc(out, ')');
  }
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], false, op->result_count != 0, false);
  hd_print_attr_dict(out, op, hidden);
}
