/* SPDX-License-Identifier: Apache-2.0 */
/* What the hooks of the affine dialect share: maps applied to operands. Functions that parse report errors. */
#ifndef HD_TEXT_HOOKS_AFFINE_H_
#define HD_TEXT_HOOKS_AFFINE_H_

#include "text/parse_op.h"
#include "text/printer.h"

/* Operands of one map: dims first, then symbols, each value once per role. */
typedef struct hd_affine_operands {
  hd_op_parser *op;
  hd_operand_vec dims, symbols;
} hd_affine_operands;

/* hd_affine_names.resolve for |user|, an hd_affine_operands. */
bool hd_resolve_affine_name(hd_parser *p, void *user, bool symbol, hd_affine *out);

/* Results |first| to first + count of |map|, with the operands of |op| from |start| on in place of dims and symbols. */
void hd_print_affine_results(hd_printer *out, hd_op *op, hd_attr map, uint32_t start, uint32_t first, uint32_t count);
/* An affine map or integer set; null on error. */
hd_attr hd_parse_affine_attr(hd_op_parser *op, hd_attr_kind kind);
/* (%dims)[%symbols], as many as |map| has, appended to |refs|. */
bool hd_parse_affine_operands(hd_op_parser *op, hd_attr map, hd_operand_vec *refs);
void hd_print_affine_operands(hd_printer *out, hd_op *op, hd_attr map, uint32_t start);

#endif
