/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary of constraints in rows ("int_like", "tensor", "dims"). Thread-safe. */
#ifndef HD_IR_CONSTRAINTS_H_
#define HD_IR_CONSTRAINTS_H_

#include "ir/op.h"

/* True when |type| fits the constraint; "" fits everything, an unknown word fits nothing. */
bool hd_type_satisfies(hd_str constraint, hd_type type);
/* The same for attributes. A word "dialect.name" means that enum or struct row. */
bool hd_attr_satisfies(hd_str constraint, hd_attr attr);
/* Reports "operand #0 must be ..., but got ..." at |op|. */
void hd_constraint_error(hd_op *op, const char *what, uint32_t index, hd_str constraint, hd_type type);
/* Element types that may meet in one op: equal, or quantized types of one expressed and storage type. */
bool hd_elements_compatible(hd_type a, hd_type b);

#endif
