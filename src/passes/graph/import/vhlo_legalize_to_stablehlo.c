/* SPDX-License-Identifier: Apache-2.0 */
/* Ops of vhlo, the portable form, of whatever version become func and stablehlo ops; types and attributes become
 * builtin ones:
 *
 *   %0 = "vhlo.add_v1"(%a, %b) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>, !vhlo.tensor_v1<4x!vhlo.f32_v1>)
 *            -> !vhlo.tensor_v1<4x!vhlo.f32_v1>
 *   ->
 *   %0 = stablehlo.add %a, %b : tensor<4xf32>
 *
 * Attributes that say what is so by default are left out. Guarantees that no vhlo op is left. Mirrors StableHLO's pass
 * of the same name. */
#include "bytecode/vhlo_wrap.h"
#include "passes/passes.h"

bool hd_pass_vhlo_legalize_to_stablehlo(hd_pass *pass, hd_op *op) {
  (void)op;
  pass->changed = true;
  return hd_vhlo_to_stablehlo(pass->module, &pass->arena);
}
