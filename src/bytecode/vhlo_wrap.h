/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes and types as vhlo's own (#vhlo.bool_v1<true>, !vhlo.tensor_v1<4x!vhlo.f32_v1>) and back, and whole
 * modules. Thread-compatible. */
#ifndef HD_BYTECODE_VHLO_WRAP_H_
#define HD_BYTECODE_VHLO_WRAP_H_

#include "bytecode/vhlo.h"

/* Null when vhlo of |version| has no such type; attributes that it does not know stay as they are. */
hd_type hd_vhlo_wrap_type(hd_context *context, hd_arena *scratch, hd_type type, uint32_t version);
hd_attr hd_vhlo_wrap_attr(hd_context *context, hd_arena *scratch, hd_attr attr, hd_vhlo_kind kind, uint32_t version);
/* What a type or attribute of vhlo stands for; any other is itself. Null when it is malformed. */
hd_type hd_vhlo_unwrap_type(hd_context *context, hd_arena *scratch, hd_type type);
hd_attr hd_vhlo_unwrap_attr(hd_context *context, hd_arena *scratch, hd_attr attr);

/* True when every op is of func or stablehlo, so that a portable artifact can hold the module. */
bool hd_vhlo_can_hold(hd_module *module);
/* Every func and stablehlo op becomes one of vhlo |version|; and back. False after an error at the op that has no such
 * form. */
bool hd_vhlo_from_stablehlo(hd_module *module, hd_arena *scratch, uint32_t version);
bool hd_vhlo_to_stablehlo(hd_module *module, hd_arena *scratch);

#endif
