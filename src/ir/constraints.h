/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary of constraints in rows ("int_like", "tensor", "dims"). Thread-safe. */
#ifndef HD_IR_CONSTRAINTS_H_
#define HD_IR_CONSTRAINTS_H_

#include "ir/op.h"

/* True when |type| fits the constraint; "" fits everything, an unknown word fits nothing. A word is one of the table in
 * constraints.c, "!dialect.name" (that type row), or alternatives "a|b". */
bool hd_type_satisfies(hd_str constraint, hd_type type);
/* The one type that fits the constraint ("index", "i1", "!shape.size"), null when there are several. */
hd_type hd_constraint_type(hd_context *context, hd_str constraint);
/* The type that the rule of an item ("= element(memref)", see op_info.h) gives for its value number |index|, from the
 * types that |op| has; null when it gives none. */
hd_type hd_rule_type(const hd_op *op, hd_str rule, uint32_t index);
/* What the function |word| of a rule ("element", "bool", "pointee", ...) makes of one type; null when it is none of
 * those or |of| has none. */
hd_type hd_rule_function(hd_str word, hd_type of);
/* !llvm.struct<(type, i1)>: what an operation gives that may not succeed. */
hd_type hd_type_flagged(hd_type type);
/* True when the word (or each alternative of it) is in the vocabulary; for the test of the rows. */
bool hd_type_constraint_is_known(hd_str constraint);
bool hd_attr_constraint_is_known(hd_str constraint);
/* The same for attributes. A word "dialect.name" means that enum or struct row. */
bool hd_attr_satisfies(hd_str constraint, hd_attr attr);
/* "a ranked tensor, but got !stablehlo.token"; lives as long as the context. */
const char *hd_constraint_text(hd_context *context, hd_str constraint, hd_type type);
/* Reports "operand #0 must be ..., but got ..." at |op|. */
void hd_constraint_error(hd_op *op, const char *what, uint32_t index, hd_str constraint, hd_type type);
/* Reports "attribute 'name' must be ..., but got ..." at |op|. */
void hd_attr_constraint_error(hd_op *op, const char *name, hd_str constraint, hd_attr attr);
/* Element types that may meet in one op: equal, or quantized types of one expressed and storage type. */
bool hd_elements_compatible(hd_type a, hd_type b);

#endif
