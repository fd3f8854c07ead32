/* SPDX-License-Identifier: Apache-2.0 */
/* The affine dialect: maps and sets applied to operands, subscripts that are affine expressions. Loops are in
 * hooks_affine_loops.c. */
#include "text/hooks_affine.h"

#include <inttypes.h>

#define UNUSED_ARGS (void)args, (void)count

static bool same_ref(const hd_operand_ref *a, const hd_operand_ref *b) {
  return a->number == b->number && hd_str_equal(a->name, b->name);
}

bool hd_resolve_affine_name(hd_parser *p, void *user, bool symbol, hd_affine *out) {
  hd_affine_operands *m = user;
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

/* [%i + 1, symbol(%n)], or between other brackets: the map; its operands are appended to |refs|. Null on error. */
static hd_attr parse_subscripts(hd_op_parser *op, hd_token_kind open, hd_token_kind close, hd_operand_vec *refs) {
  hd_parser *p = op->p;
  hd_affine_operands m = {.op = op};
  hd_affine_names names = {&m, hd_resolve_affine_name};
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

void hd_print_affine_results(hd_printer *out, hd_op *op, hd_attr map, uint32_t start, uint32_t first, uint32_t count) {
  expr_printer x = {op, start, map->affine.dims};
  for (uint32_t i = 0; i < count && first + i < map->affine.count; ++i) {
    if (i) hd_puts(out, ", ");
    print_expr(out, &x, map->affine.results[first + i], false);
  }
}

bool hd_parse_affine_operands(hd_op_parser *op, hd_attr map, hd_operand_vec *refs) {
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

void hd_print_affine_operands(hd_printer *out, hd_op *op, hd_attr map, uint32_t start) {
  hd_putc(out, '(');
  hd_print_operands(out, op, start, map->affine.dims);
  hd_putc(out, ')');
  if (!map->affine.symbols) return;
  hd_putc(out, '[');
  hd_print_operands(out, op, start + map->affine.dims, map->affine.symbols);
  hd_putc(out, ']');
}

hd_attr hd_parse_affine_attr(hd_op_parser *op, hd_attr_kind kind) {
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
  hd_attr map = hd_parse_affine_attr(op, HD_ATTR_AFFINE_MAP);
  if (!map || !hd_parse_affine_operands(op, map, &refs) || !hd_parse_attr_dict(op)) return false;
  hd_op_parser_attr(op, "map", map);
  hd_vec_push(&op->p->scratch, &op->result_types, hd_type_index(op->p->context));
  op->resolved = true;
  return hd_resolve_into(op, &refs, hd_type_index(op->p->context));
}
static void print_map_op(hd_printer *out, hd_op *op) {
  hd_attr map = hd_op_attr_get(op, HD_NAME_map);
  hd_putc(out, ' ');
  hd_print_attr(out, map, HD_TYPE_NEVER);
  if (counts_fit(op, map, 0)) hd_print_affine_operands(out, op, map, 0);
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
  if (value) {
    if (!hd_parse_one_operand(p, &stored) || !hd_expect(p, TOK_COMMA, "','")) return false;
  }
  if (!hd_parse_one_operand(p, &memref)) return false;
  hd_attr map = parse_subscripts(op, TOK_LSQUARE, TOK_RSQUARE, &indices);
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
  hd_attr map = hd_op_attr_get(op, HD_NAME_map);
  uint32_t at = 0;
  hd_putc(out, ' ');
  if (value) {
    hd_print_value(out, hd_operand(op, at++));
    hd_puts(out, ", ");
  }
  hd_type type = hd_operand_type(op, at);
  hd_print_value(out, hd_operand(op, at++));
  hd_putc(out, '[');
  hd_print_affine_results(out, op, map, at, 0, map->affine.count);
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
  hd_attr set = hd_parse_affine_attr(op, HD_ATTR_AFFINE_SET);
  if (!set || !hd_parse_affine_operands(op, set, &refs) || !hd_resolve_into(op, &refs, hd_type_index(p->context)))
    return false;
  hd_op_parser_attr(op, "condition", set);
  op->resolved = true;
  if (!hd_parse_arrow_types(p, &op->result_types) || !hd_op_parser_region(op, 0, NULL, 0)) return false;
  if (hd_accept_word(p, "else") && !hd_op_parser_region(op, 1, NULL, 0)) return false;
  return hd_parse_attr_dict(op);
}
void hd_print_hook_AffineIf(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_attr set = hd_op_attr_get(op, HD_NAME_condition);
  bool yields = op->result_count != 0;
  hd_putc(out, ' ');
  hd_print_attr(out, set, HD_TYPE_NEVER);
  if (counts_fit(op, set, 0)) hd_print_affine_operands(out, op, set, 0);
  hd_print_arrow_types(out, op);
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], true, yields, false);
  if (op->regions[1].first) {
    hd_puts(out, " else ");
    hd_print_region(out, &op->regions[1], true, yields, false);
  }
  hd_print_attr_dict(out, op, (const char *const[]){"condition", NULL});
}
