/* SPDX-License-Identifier: Apache-2.0 */
/* Which function of a program runs: the one rule of compiler, evaluator and every tool. */
#ifndef HD_IR_PROGRAM_ENTRY_H_
#define HD_IR_PROGRAM_ENTRY_H_

#include "base/strbuf.h"
#include "ir/op.h"

/* The function |name|; for an empty name `main`, else `tao_main` (the name that BladeDISC's importers give it), else
 * the only public function, with a body or without one; kernels do not count. Null when there is none; |*out_public|
 * (may be null) is the number of public functions then. Reports nothing. */
hd_op *hd_program_entry(hd_module *module, hd_str name, size_t *out_public);

/* For messages: the names of the public functions of |module| that have a body, "'a', 'b'", the first of many; "none"
 * when there is none. */
void hd_program_put_public(hd_module *module, hd_strbuf *out);

#endif
