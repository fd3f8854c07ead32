/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes as formats write them: by the constraint of the row's column. */
#ifndef HD_TEXT_ROWS_H_
#define HD_TEXT_ROWS_H_

#include "text/hooks.h"
#include "text/parser.h"

struct hd_printer;

/* Reads attribute |name| of constraint |constraint| as a format writes it, without what the constraint says. */
hd_attr hd_parse_by_constraint(hd_parser *p, hd_str constraint, hd_str name);
/* [1, 2] as array<element: ...>; older spellings (array<>, dense<>) too when |open| is '['. */
hd_attr hd_parse_int_list(hd_parser *p, hd_type element, hd_token_kind open, hd_token_kind close);
/* What follows "!quant.": |name| has been read. */
hd_type hd_parse_quant(hd_parser *p, hd_str name);
/* "<4x?xf32" of a dialect's shaped type: dims and element type are the first two of |params|. */
bool hd_parse_shaped_params(hd_parser *p, hd_attr *params);
void hd_print_shaped_params(struct hd_printer *out, const hd_attr *params);

#endif
