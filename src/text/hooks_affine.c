/* SPDX-License-Identifier: Apache-2.0 */
/* The affine dialect: maps and sets applied to operands, subscripts that are affine expressions, loops. */
#include <inttypes.h>

#include "text/parse_op.h"
#include "text/printer.h"

#define UNUSED_ARGS (void)args, (void)count

/* Operands of one map: dims first, then symbols, each value once per role. */
typedef struct map_operands {
  hd_op_parser *op;
  hd_operand_vec dims, symbols;
} map_operands;

static bool same_ref(const hd_operand_ref *a, const hd_operand_ref *b) {
  return a->number == b->number && hd_str_equal(a->name, b->name);
}

static bool resolve_name(hd_parser *p, void *user, bool symbol, hd_affine *out) {
  map_operands *m = user;
  hd_operand_ref ref;
  if (!hd_parse_operand(p, &ref)) return false;
  hd_operand_vec *list = symbol ? &m->symbols : &m->dims;
  size_t i = 0;
  while (i < list->len && !same_ref(&list->data[i], &ref)) ++i;
  if (i == list->len) {
    if (i >= 64) return hd_parser_error(p, ref.at, "more than 64 operands of an affine map");
    hd_vec_push(&p->scratch, list, ref);
  }
  *out = symbol ? hd_affine_symbol(p->context, (int64_t)i) : hd_affine_dim(p->context, (int64_t)i);
  return true;
}

/* [%i + 1, symbol(%n)], or between other brackets: the map; its operands are appended to |refs|. */
static hd_attr map_of_operands(hd_op_parser *op, hd_token_kind open, hd_token_kind close, hd_operand_vec *refs) {
  hd_parser *p = op->p;
  map_operands m = {.op = op};
  hd_affine_names names = {&m, resolve_name};
  hd_vec(hd_affine) results = {0};
  if (!hd_expect(p, open, open == TOK_LPAREN ? "'('" : "'['")) return NULL;
  for (bool first = true; !hd_at(p, close); first = false) {
    hd_affine e;
    if ((!first && !hd_expect(p, TOK_COMMA, "','")) || !hd_parse_affine_expr(p, &names, &e)) return NULL;
    hd_vec_push(&p->scratch, &results, e);
  }
  hd_advance(p);
  hd_vec_append(&p->scratch, refs, m.dims.data, m.dims.len);
  hd_vec_append(&p->scratch, refs, m.symbols.data, m.symbols.len);
  return hd_attr_affine_map(p->context, (uint32_t)m.dims.len, (uint32_t)m.symbols.len, results.data, results.len);
}

typedef struct expr_printer {
  hd_op *op;
  uint32_t start, dims;
} expr_printer;

/* As print_affine_expr, with operands for dims and symbols. */
static void print_expr(hd_printer *out, const expr_printer *x, hd_affine e, bool strong) {
  uint32_t at = x->start + (uint32_t)e->value + (e->kind == HD_AFFINE_SYMBOL ? x->dims : 0);
  switch (e->kind) {
    case HD_AFFINE_CONST:
      hd_printf(out, "%" PRId64, e->value);
      return;
    case HD_AFFINE_DIM:
    case HD_AFFINE_SYMBOL:
      if (e->kind == HD_AFFINE_SYMBOL) hd_puts(out, "symbol(");
      hd_print_value(out, at < x->op->operand_count ? hd_operand(x->op, at) : NULL);
      if (e->kind == HD_AFFINE_SYMBOL) hd_putc(out, ')');
      return;
    default:
      break;
  }
  bool minus_one = e->rhs->kind == HD_AFFINE_CONST && e->rhs->value == -1;
  if (strong) hd_putc(out, '(');
  if (e->kind == HD_AFFINE_MUL && minus_one) {
    hd_putc(out, '-');
    print_expr(out, x, e->lhs, true);
  } else if (e->kind != HD_AFFINE_ADD) {
    print_expr(out, x, e->lhs, true);
    hd_puts(out, e->kind == HD_AFFINE_MUL        ? " * "
                 : e->kind == HD_AFFINE_MOD      ? " mod "
                 : e->kind == HD_AFFINE_FLOORDIV ? " floordiv "
                                                 : " ceildiv ");
    print_expr(out, x, e->rhs, true);
  } else {
    hd_affine r = e->rhs;
    bool scaled = r->kind == HD_AFFINE_MUL && r->rhs->kind == HD_AFFINE_CONST && r->rhs->value < 0;
    print_expr(out, x, e->lhs, false);
    if (scaled && r->rhs->value == -1) {
      hd_puts(out, " - ");
      print_expr(out, x, r->lhs, r->lhs->kind == HD_AFFINE_ADD);
    } else if (scaled) {
      hd_puts(out, " - ");
      print_expr(out, x, r->lhs, true);
      hd_printf(out, " * %" PRIu64, 0 - (uint64_t)r->rhs->value);
    } else if (r->kind == HD_AFFINE_CONST && r->value < 0) {
      hd_printf(out, " - %" PRIu64, 0 - (uint64_t)r->value);
    } else {
      hd_puts(out, " + ");
      print_expr(out, x, r, false);
    }
  }
  if (strong) hd_putc(out, ')');
}

static void print_results(hd_printer *out, hd_op *op, hd_attr map, uint32_t start, uint32_t first, uint32_t count) {
  expr_printer x = {op, start, map->affine.dims};
  for (uint32_t i = 0; i < count && first + i < map->affine.count; ++i) {
    if (i) hd_puts(out, ", ");
    print_expr(out, &x, map->affine.results[first + i], false);
  }
}

/* (%dims)[%symbols] */
static bool dims_and_symbols(hd_op_parser *op, hd_attr map, hd_operand_vec *refs) {
  hd_parser *p = op->p;
  const char *at = hd_here(p);
  size_t before = refs->len;
  if (!hd_parse_operands_until(p, TOK_LPAREN, TOK_RPAREN, refs)) return false;
  size_t dims = refs->len - before;
  if (hd_at(p, TOK_LSQUARE) && !hd_parse_operands_until(p, TOK_LSQUARE, TOK_RSQUARE, refs)) return false;
  if (dims == map->affine.dims && refs->len - before == map->affine.dims + map->affine.symbols) return true;
  return hd_parser_error(p, at,
                         "operand count and affine map dimension and symbol count must match: got %zu, expected %u",
                         refs->len - before, map->affine.dims + map->affine.symbols);
}

static void print_dims_and_symbols(hd_printer *out, hd_op *op, hd_attr map, uint32_t start) {
  hd_putc(out, '(');
  hd_print_operands(out, op, start, map->affine.dims);
  hd_putc(out, ')');
  if (!map->affine.symbols) return;
  hd_putc(out, '[');
  hd_print_operands(out, op, start + map->affine.dims, map->affine.symbols);
  hd_putc(out, ']');
}

static hd_attr map_attr(hd_op_parser *op, hd_attr_kind kind) {
  const char *at = hd_here(op->p);
  hd_attr map = hd_parse_attr(op->p, NULL);
  if (!map || map->kind == kind) return map;
  hd_parser_error(op->p, at, kind == HD_ATTR_AFFINE_MAP ? "expected an affine map" : "expected an integer set");
  return NULL;
}

/* The map counts exactly the op's operands from |start| on. */
static bool counts_fit(hd_op *op, hd_attr map, uint32_t start) {
  return map && map->affine.dims + map->affine.symbols == op->operand_count - start;
}

/* apply, min, max: #map(%i)[%n] */
static bool parse_map_op(hd_op_parser *op) {
  hd_operand_vec refs = {0};
  hd_attr map = map_attr(op, HD_ATTR_AFFINE_MAP);
  if (!map || !dims_and_symbols(op, map, &refs) || !hd_parse_attr_dict(op)) return false;
  hd_op_parser_attr(op, "map", map);
  hd_vec_push(&op->p->scratch, &op->result_types, hd_type_index(op->p->context));
  op->resolved = true;
  return hd_resolve_into(op, &refs, hd_type_index(op->p->context));
}
static void print_map_op(hd_printer *out, hd_op *op) {
  hd_attr map = hd_op_attr_get(op, "map");
  hd_putc(out, ' ');
  hd_print_attr(out, map, HD_TYPE_NEVER);
  if (counts_fit(op, map, 0)) print_dims_and_symbols(out, op, map, 0);
  hd_print_attr_dict(out, op, (const char *const[]){"map", NULL});
}
#define MAP_OP(name)                                                                           \
  bool hd_parse_hook_##name(struct hd_op_parser *op, const hd_format *args, size_t count) {    \
    UNUSED_ARGS;                                                                               \
    return parse_map_op(op);                                                                   \
  }                                                                                            \
  void hd_print_hook_##name(hd_printer *out, hd_op *op, const hd_format *args, size_t count) { \
    UNUSED_ARGS;                                                                               \
    print_map_op(out, op);                                                                     \
  }
MAP_OP(AffineApply)
MAP_OP(AffineMin)
MAP_OP(AffineMax)

/* load %m[%i + 1] : memref, store %v, %m[...] : memref, with vectors: memref, vector; prefetch %m[...], read, ... */
static bool parse_access(hd_op_parser *op, bool value, bool vector, bool prefetch) {
  hd_parser *p = op->p;
  hd_operand_vec stored = {0}, memref = {0}, indices = {0};
  hd_operand_ref ref;
  if (value) {
    if (!hd_parse_operand(p, &ref) || !hd_expect(p, TOK_COMMA, "','")) return false;
    hd_vec_push(&p->scratch, &stored, ref);
  }
  if (!hd_parse_operand(p, &ref)) return false;
  hd_vec_push(&p->scratch, &memref, ref);
  hd_attr map = map_of_operands(op, TOK_LSQUARE, TOK_RSQUARE, &indices);
  if (!map || (prefetch && !hd_parse_prefetch_words(op)) || !hd_parse_attr_dict(op) || !hd_expect(p, TOK_COLON, "':'"))
    return false;
  hd_op_parser_attr(op, "map", map);
  hd_type type = hd_parse_type(p), element;
  if (!type) return false;
  element = hd_type_element(type);
  if (vector && (!hd_expect(p, TOK_COMMA, "','") || !(element = hd_parse_type(p)))) return false;
  if (!value && !prefetch) hd_vec_push(&p->scratch, &op->result_types, element);
  op->resolved = true;
  return hd_resolve_into(op, &stored, element) && hd_resolve_into(op, &memref, type) &&
         hd_resolve_into(op, &indices, hd_type_index(p->context));
}
static void print_access(hd_printer *out, hd_op *op, bool value, bool vector, bool prefetch) {
  hd_attr map = hd_op_attr_get(op, "map");
  uint32_t at = 0;
  hd_putc(out, ' ');
  if (value) {
    hd_print_value(out, hd_operand(op, at++));
    hd_puts(out, ", ");
  }
  hd_type type = hd_operand_type(op, at);
  hd_print_value(out, hd_operand(op, at++));
  hd_putc(out, '[');
  print_results(out, op, map, at, 0, map->affine.count);
  hd_putc(out, ']');
  if (prefetch) hd_print_prefetch_words(out, op);
  hd_print_attr_dict(out, op,
                     (const char *const[]){"map", prefetch ? "isWrite" : "map", prefetch ? "localityHint" : "map",
                                           prefetch ? "isDataCache" : "map", NULL});
  hd_puts(out, " : ");
  hd_print_type(out, type);
  if (!vector) return;
  hd_puts(out, ", ");
  hd_print_type(out, value ? hd_operand_type(op, 0) : hd_result_type(op, 0));
}
#define ACCESS_OP(name, value, vector, prefetch)                                               \
  bool hd_parse_hook_##name(struct hd_op_parser *op, const hd_format *args, size_t count) {    \
    UNUSED_ARGS;                                                                               \
    return parse_access(op, value, vector, prefetch);                                          \
  }                                                                                            \
  void hd_print_hook_##name(hd_printer *out, hd_op *op, const hd_format *args, size_t count) { \
    UNUSED_ARGS;                                                                               \
    print_access(out, op, value, vector, prefetch);                                            \
  }
ACCESS_OP(AffineLoad, false, false, false)
ACCESS_OP(AffineStore, true, false, false)
ACCESS_OP(AffineVectorLoad, false, true, false)
ACCESS_OP(AffineVectorStore, true, true, false)
ACCESS_OP(AffinePrefetch, false, false, true)

/* if #set(%i)[%n] -> t { ... } else { ... } */
bool hd_parse_hook_AffineIf(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  hd_operand_vec refs = {0};
  hd_attr set = map_attr(op, HD_ATTR_AFFINE_SET);
  if (!set || !dims_and_symbols(op, set, &refs) || !hd_resolve_into(op, &refs, hd_type_index(p->context))) return false;
  hd_op_parser_attr(op, "condition", set);
  op->resolved = true;
  if (!hd_parse_arrow_types(p, &op->result_types) || !hd_op_parser_region(op, 0, NULL, 0)) return false;
  if (hd_accept_word(p, "else") && !hd_op_parser_region(op, 1, NULL, 0)) return false;
  return hd_parse_attr_dict(op);
}
void hd_print_hook_AffineIf(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_attr set = hd_op_attr_get(op, "condition");
  bool yields = op->result_count != 0;
  hd_putc(out, ' ');
  hd_print_attr(out, set, HD_TYPE_NEVER);
  if (counts_fit(op, set, 0)) print_dims_and_symbols(out, op, set, 0);
  hd_print_arrow_types(out, op);
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], true, yields, false);
  if (op->regions[1].first) {
    hd_puts(out, " else ");
    hd_print_region(out, &op->regions[1], true, yields, false);
  }
  hd_print_attr_dict(out, op, (const char *const[]){"condition", NULL});
}

/* A bound: 10, %n, #map(%i)[%n], max/min #map(...) */
static hd_attr parse_bound(hd_op_parser *op, const char *word, hd_operand_vec *refs) {
  hd_parser *p = op->p;
  hd_context *c = p->context;
  bool several = hd_accept_word(p, word);
  const char *at = hd_here(p);
  if (hd_at(p, TOK_PERCENT)) {
    hd_operand_ref ref;
    if (!hd_parse_operand(p, &ref)) return NULL;
    hd_vec_push(&p->scratch, refs, ref);
    hd_affine symbol = hd_affine_symbol(c, 0);
    return hd_attr_affine_map(c, 0, 1, &symbol, 1);
  }
  if (hd_at(p, TOK_INT) || hd_at(p, TOK_MINUS)) {
    int64_t value;
    if (!hd_parse_int(p, &value)) return NULL;
    hd_affine constant = hd_affine_const(c, value);
    return hd_attr_affine_map(c, 0, 0, &constant, 1);
  }
  hd_attr map = map_attr(op, HD_ATTR_AFFINE_MAP);
  if (!map || !dims_and_symbols(op, map, refs)) return NULL;
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
  if (start + map->affine.dims + map->affine.symbols <= op->operand_count) print_dims_and_symbols(out, op, map, start);
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
  print_bound(out, op, hd_op_attr_get(op, "lowerBoundMap"), start[0], "max");
  hd_puts(out, " to ");
  print_bound(out, op, hd_op_attr_get(op, "upperBoundMap"), start[1], "min");
  int64_t step = hd_op_int_attr(op, "step", 1);
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
  map_operands m = {.op = op};
  hd_affine_names names = {&m, resolve_name};
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
  hd_attr map = hd_op_attr_get(op, map_name), groups = hd_op_attr_get(op, groups_name);
  uint32_t first = 0;
  for (size_t i = 0; i < hd_attr_count(groups); ++i) {
    uint32_t size = (uint32_t)hd_attr_int_at(groups, i);
    if (i) hd_puts(out, ", ");
    if (size != 1) hd_printf(out, "%s(", word);
    print_results(out, op, map, start, first, size);
    if (size != 1) hd_putc(out, ')');
    first += size;
  }
}

void hd_print_hook_AffineParallel(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  static const char *const hidden[] = {
      "reductions", "lowerBoundsMap", "lowerBoundsGroups", "upperBoundsMap", "upperBoundsGroups", "steps", NULL};
  hd_block *body = op->regions[0].first;
  hd_attr low = hd_op_attr_get(op, "lowerBoundsMap"), steps = hd_op_attr_get(op, "steps"),
          reductions = hd_op_attr_get(op, "reductions");
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
