/* SPDX-License-Identifier: Apache-2.0 */
/* Where the memory of a memref is, as #gpu.address_space, #spirv.storage_class or a number says. Pure. */
#ifndef HD_IR_ADDRESS_SPACE_H_
#define HD_IR_ADDRESS_SPACE_H_

#include "ir/ops/enums.h"
#include "ir/types.h"

/* Is |type| a memref in |space|? 1, 3 and 5 are LLVM's numbers of global, workgroup and
 * private; one without a space, or with another attribute for it, is in none. */
bool hd_is_in_address_space(hd_type type, hd_enum_gpu_address_space space);

#endif
