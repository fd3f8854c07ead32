/* SPDX-License-Identifier: Apache-2.0 */
/* The ops that take from operands what others have in types and attributes (ops/dynamic_forms.def). Thread-safe. */
#ifndef HD_IR_DYNAMIC_FORM_H_
#define HD_IR_DYNAMIC_FORM_H_

#include "ir/op_info.h"

/* stablehlo.slice -> stablehlo.real_dynamic_slice; 0 where there is none. */
hd_opcode hd_opcode_dynamic_form(hd_opcode opcode);
/* The attributes whose integers are sizes, by name, closed by HD_NAME_COUNT; null for ops without any. */
const hd_name *hd_opcode_size_attrs(hd_opcode opcode);

#endif
