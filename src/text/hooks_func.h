/* SPDX-License-Identifier: Apache-2.0 */
/* What function-like ops of several dialects share. */
#ifndef HD_TEXT_HOOKS_FUNC_H_
#define HD_TEXT_HOOKS_FUNC_H_

#include "text/parse_op.h"
#include "text/printer.h"

typedef struct hd_function {
  hd_region_arg_vec args;
  hd_attr_vec arg_attrs, result_attrs; /* a dictionary each */
  hd_type_vec results;
  bool allow_variadic, is_variadic; /* a trailing ... */
} hd_function;

/* (%a: t {attrs}, ...) -> (t {attrs}, ...) */
bool hd_parse_signature(hd_parser *p, hd_function *out);
hd_type hd_signature_type(hd_parser *p, const hd_function *function);
void hd_set_signature_attrs(hd_op_parser *op, const hd_function *function);
bool hd_parse_visibility(hd_op_parser *op); /* optional public, private or nested */
bool hd_parse_sym_name(hd_op_parser *op);
/* The optional body as region 0; the op is then resolved. */
bool hd_parse_function_body(hd_op_parser *op, const hd_function *function);

void hd_print_function_head(hd_printer *out, hd_op *op); /* " private @name" */
void hd_print_signature(hd_printer *out, hd_op *op, hd_type type, bool variadic);
void hd_print_function_body(hd_printer *out, hd_op *op);

#endif
