/* SPDX-License-Identifier: Apache-2.0 */
/* func and stablehlo ops become ops of vhlo, the portable form, with its own types and attributes:
 *
 *   %0 = stablehlo.add %a, %b : tensor<4xf32>
 *   ->
 *   %0 = "vhlo.add_v1"(%a, %b) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>, !vhlo.tensor_v1<4x!vhlo.f32_v1>)
 *            -> !vhlo.tensor_v1<4x!vhlo.f32_v1>
 *
 * Defaults are written out. The option target is the version of vhlo, by default the current one; what it cannot
 * express is an error at the op. Guarantees that no func or stablehlo op is left. Mirrors StableHLO's pass of the same
 * name. */
#include "bytecode/vhlo_wrap.h"
#include "passes/passes.h"

bool hd_pass_stablehlo_legalize_to_vhlo(hd_pass *pass, hd_op *op) {
  uint32_t version = HD_VHLO_CURRENT;
  hd_str target = hd_option_string(pass, "target");
  if (target.len && (!hd_vhlo_version_parse(hd_arena_copy(&pass->arena, target.data, target.len), &version) ||
                     version < HD_VHLO_OLDEST || version > HD_VHLO_CURRENT))
    return hd_op_error(op, "target must be a version from 0.9.0 to 1.20.0, got '%.*s'", (int)target.len, target.data);
  pass->changed = true;
  return hd_vhlo_from_stablehlo(pass->module, &pass->arena, version & ~1023u);
}
