/* SPDX-License-Identifier: Apache-2.0 */
/* CHLO's own syntax: scan(%x) inits (%i) dimension=0 attributes {...} { ^bb0(...): ... } : (t, t) -> (t, t) */
#include <inttypes.h>

#include "text/parse_op.h"
#include "text/printer.h"

bool hd_parse_hook_ChloScan(struct hd_op_parser *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  hd_parser *p = op->p;
  hd_operand_vec inputs = {0}, inits = {0};
  hd_type_vec types = {0}, taken = {0};
  int64_t dimension;
  if (!hd_parse_operands_until(p, TOK_LPAREN, TOK_RPAREN, &inputs) || !hd_expect_word(p, "inits") ||
      !hd_parse_operands_until(p, TOK_LPAREN, TOK_RPAREN, &inits) || !hd_expect_word(p, "dimension") ||
      !hd_expect(p, TOK_EQUAL, "'='") || !hd_parse_int(p, &dimension))
    return false;
  hd_op_parser_attr(op, "dimension", hd_attr_i64(p->context, dimension));
  if (!hd_parse_attr_dict_keyword(op) || !hd_op_parser_region(op, 0, NULL, 0) || !hd_expect(p, TOK_COLON, "':'"))
    return false;
  const char *at = hd_here(p);
  if (!hd_parse_function_type(p, &types, &op->result_types)) return false;
  if (types.len != inputs.len + inits.len)
    return hd_parser_error(p, at, "expected %zu operand types, one per input and init, got %zu", inputs.len + inits.len,
                           types.len);
  if (op->result_types.len < inits.len)
    return hd_parser_error(p, at, "expected %zu result types or more, one per init, got %zu", inits.len,
                           op->result_types.len);
  for (size_t i = 0; i < inputs.len; ++i) hd_vec_push(&p->scratch, &taken, types.data[i]);
  if (!hd_resolve_each(op, &inputs, &taken)) return false;
  taken.len = 0;
  for (size_t i = inputs.len; i < types.len; ++i) hd_vec_push(&p->scratch, &taken, types.data[i]);
  if (!hd_resolve_each(op, &inits, &taken)) return false;
  int32_t carries = (int32_t)inits.len;
  hd_op_parser_segments(op, "operandSegmentSizes", (int32_t[]){(int32_t)inputs.len, carries}, 2);
  hd_op_parser_segments(op, "resultSegmentSizes", (int32_t[]){(int32_t)op->result_types.len - carries, carries}, 2);
  return op->resolved = true;
}

void hd_print_hook_ChloScan(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  (void)args, (void)count;
  static const char *const before[] = {"(", ") inits ("};
  for (size_t i = 0; i < 2; ++i) {
    uint32_t start, total;
    hd_op_operand_range(op, i, &start, &total);
    hd_puts(out, before[i]);
    hd_print_operands(out, op, start, total);
  }
  hd_printf(out, ") dimension=%" PRId64, hd_op_int_attr(op, HD_NAME_dimension, 0));
  hd_print_attr_dict_keyword(out, op,
                             (const char *const[]){"dimension", "operandSegmentSizes", "resultSegmentSizes", NULL});
  hd_putc(out, ' ');
  hd_print_region(out, &op->regions[0], true, true, true);
  hd_puts(out, " : ");
  hd_print_functional_type(out, op);
}
