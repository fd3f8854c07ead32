// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --hlo-expand --verify-diagnostics %s

func.func @unknown(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{expects a result of known dims, or the operand's dims and width of elements}}
  %0 = "mhlo.bitcast"(%x) : (tensor<?x?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
