/* SPDX-License-Identifier: Apache-2.0 */
/* Types of the IR and the runtime's numbers of them. */
#ifndef HD_IR_ELEMENT_TYPES_H_
#define HD_IR_ELEMENT_TYPES_H_

#include "heddle/element.h"
#include "ir/types.h"

/* Of quantized types that of their storage. HD_ELEMENT_INVALID for what is no element type. */
hd_element_type hd_element_type_of(hd_type type);
/* Null for what is no element type. */
hd_type hd_type_of_element(hd_context *context, hd_element_type element);

#endif
