/* SPDX-License-Identifier: Apache-2.0 */
/* What the hooks of the llvm dialect share. */
#ifndef HD_TEXT_HOOKS_LLVM_H_
#define HD_TEXT_HOOKS_LLVM_H_

#include "text/hooks_func.h"

/* Optional keyword of enum |row| at the current token, kept as attribute |name|. */
void hd_parse_llvm_case(hd_op_parser *op, int row, const char *name);
/* The keyword and a blank; nothing when the attribute is missing. */
void hd_print_llvm_case(hd_printer *out, hd_op *op, int row, const char *name);

#endif
