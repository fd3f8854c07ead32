/* SPDX-License-Identifier: Apache-2.0 */
/* What the format language has no words for in Triton's types, layouts and ops. */
#include <inttypes.h>

#include "text/parse_op.h"
#include "text/printer.h"

#define UNUSED_ARGS (void)row, (void)args, (void)count

enum { SHAPE, ELEMENT, LAYOUT_OF, SPACE, MUTABLE, ALLOCATED }; /* of !ttg.memdesc */

/* 128x32, without an x after it: works on characters, since "x32" is a word. */
static bool parse_shape(hd_parser *p, hd_attr *out) {
  hd_int_vec dims = {0};
  const char *at = hd_here(p);
  do {
    int64_t dim = 0;
    const char *digits = at;
    for (; at < p->end && *at >= '0' && *at <= '9'; ++at)
      if (__builtin_mul_overflow(dim, 10, &dim) || __builtin_add_overflow(dim, *at - '0', &dim))
        return hd_parser_error(p, digits, "integer dimension is too large");
    if (at == digits) {
      hd_jump(p, at);
      return hd_parser_expected(p, "a dimension");
    }
    hd_vec_push(&p->scratch, &dims, dim);
  } while (at < p->end && *at == 'x' && at++);
  hd_jump(p, at);
  *out = hd_attr_i64_array(p->context, dims.data, dims.len);
  return true;
}

/* <3x64xf32, #layout, #space, mutable, 3x128> */
bool hd_parse_params_MemDesc(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                             hd_attr *params) {
  UNUSED_ARGS;
  if (!hd_parse_shaped_params(p, params) || !hd_expect(p, TOK_COMMA, "','") ||
      !(params[LAYOUT_OF] = hd_parse_attr(p, NULL)) || !hd_expect(p, TOK_COMMA, "','") ||
      !(params[SPACE] = hd_parse_attr(p, NULL)))
    return false;
  bool more = hd_accept(p, TOK_COMMA);
  if (more && hd_accept_word(p, "mutable")) {
    params[MUTABLE] = hd_attr_bool(p->context, true);
    more = hd_accept(p, TOK_COMMA);
  }
  if (more && !parse_shape(p, &params[ALLOCATED])) return false;
  if (params[ALLOCATED] == params[SHAPE]) params[ALLOCATED] = NULL;
  return hd_expect(p, TOK_GREATER, "'>'");
}

void hd_print_params_MemDesc(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                             const hd_attr *params) {
  UNUSED_ARGS;
  hd_print_shaped_params(out, params);
  hd_puts(out, ", ");
  hd_print_attr(out, params[LAYOUT_OF], HD_TYPE_NEVER);
  hd_puts(out, ", ");
  hd_print_attr(out, params[SPACE], HD_TYPE_NEVER);
  if (params[MUTABLE]) hd_puts(out, ", mutable");
  for (size_t i = 0; params[ALLOCATED] && i < hd_attr_count(params[ALLOCATED]); ++i)
    hd_printf(out, "%s%" PRId64, i ? "x" : ", ", hd_attr_int_at(params[ALLOCATED], i));
  hd_putc(out, '>');
}

typedef hd_vec(int32_t) size_vec;
typedef struct paddings {
  size_vec intervals, paddings;
} paddings;

static bool parse_size(hd_parser *p, size_vec *out) {
  const char *at = hd_here(p);
  uint32_t value;
  if (!hd_parse_u32(p, &value)) return false;
  if (value > INT32_MAX) return hd_parser_error(p, at, "integer value too large");
  hd_vec_push(&p->scratch, out, (int32_t)value);
  return true;
}

static bool padding_item(hd_parser *p, void *user) {
  paddings *all = user;
  return parse_size(p, &all->intervals) && hd_expect(p, TOK_COLON, "':'") && hd_expect(p, TOK_PLUS, "'+'") &&
         parse_size(p, &all->paddings);
}

/* [64:+4, 128:+8] */
bool hd_parse_params_Paddings(struct hd_parser *p, const hd_row_format *row, const hd_format *args, size_t count,
                              hd_attr *params) {
  (void)row, (void)count;
  paddings all = {0};
  if (!hd_parse_list(p, TOK_LSQUARE, TOK_RSQUARE, padding_item, &all)) return false;
  params[args[0].index] = hd_attr_i32_array(p->context, all.intervals.data, all.intervals.len);
  params[args[1].index] = hd_attr_i32_array(p->context, all.paddings.data, all.paddings.len);
  return true;
}

void hd_print_params_Paddings(struct hd_printer *out, const hd_row_format *row, const hd_format *args, size_t count,
                              const hd_attr *params) {
  (void)row, (void)count;
  hd_attr intervals = params[args[0].index], amounts = params[args[1].index];
  for (size_t i = 0; i < hd_attr_count(intervals); ++i)
    hd_printf(out, "%s%" PRId64 ":+%" PRId64, i ? ", " : "[", hd_attr_int_at(intervals, i), hd_attr_int_at(amounts, i));
  hd_putc(out, ']');
}

/* [%dependency], or [] where there is only the result. */
bool hd_parse_hook_Token(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  hd_parser *p = op->p;
  hd_op_item *dependency = hd_arg_item(op, &args[0]), *result = hd_arg_item(op, &args[1]);
  result->typed = true;
  if (!hd_accept(p, TOK_LSQUARE)) return true;
  if (hd_at(p, TOK_PERCENT)) {
    if (!hd_parse_one_operand(p, &dependency->refs)) return false;
  }
  hd_vec_push(&p->scratch, &result->types, hd_type_dialect(p->context, HD_TYPE_ROW_ttg_async_token, NULL, 0));
  return hd_expect(p, TOK_RSQUARE, "']'");
}

void hd_print_hook_Token(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)count;
  uint32_t start, dependencies, token, results;
  hd_arg_range(op, &args[0], &start, &dependencies);
  hd_arg_range(op, &args[1], &token, &results);
  if (!results) return;
  hd_putc(out, '[');
  hd_print_operands(out, op, start, dependencies);
  hd_putc(out, ']');
}

/* , %barrier[%predicate], %barrier[%predicate] */
bool hd_parse_hook_BarriersAndPreds(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)count;
  hd_parser *p = op->p;
  hd_op_item *barriers = hd_arg_item(op, &args[0]), *predicates = hd_arg_item(op, &args[1]);
  while (hd_accept(p, TOK_COMMA)) {
    hd_operand_ref barrier, predicate;
    if (!hd_parse_operand(p, &barrier) || !hd_expect(p, TOK_LSQUARE, "'['") || !hd_parse_operand(p, &predicate) ||
        !hd_expect(p, TOK_RSQUARE, "']'"))
      return false;
    hd_vec_push(&p->scratch, &barriers->refs, barrier);
    hd_vec_push(&p->scratch, &predicates->refs, predicate);
  }
  return true;
}

void hd_print_hook_BarriersAndPreds(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)count;
  uint32_t start, barriers, first, predicates;
  hd_arg_range(op, &args[0], &start, &barriers);
  hd_arg_range(op, &args[1], &first, &predicates);
  for (uint32_t i = 0; i < barriers && i < predicates; ++i) {
    hd_puts(out, ", ");
    hd_print_value(out, hd_operand(op, start + i));
    hd_putc(out, '[');
    hd_print_value(out, hd_operand(op, first + i));
    hd_putc(out, ']');
  }
}
