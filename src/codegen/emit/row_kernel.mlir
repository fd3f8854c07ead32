// SPDX-License-Identifier: Apache-2.0
// RUN: heddle run %s --random 0 --reference=eval | FileCheck %s
// A row kernel keeps what is expensive to compute in the row of an output. No other output of its may overwrite that before all that read it are computed.
// CHECK: 1 kernel
func.func @main(%x: tensor<7x37xf32>, %y: tensor<7x37xf32>) -> (tensor<7x37xf32>, tensor<7x37xf32>, tensor<7x37xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<7x37xf32>
  %r = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<7x37xf32>, tensor<f32>) -> tensor<7xf32>
  %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<7xf32>) -> tensor<7x37xf32>
  %0 = stablehlo.subtract %y, %b : tensor<7x37xf32>
  %1 = stablehlo.divide %e, %b : tensor<7x37xf32>
  %2 = stablehlo.multiply %e, %0 : tensor<7x37xf32>
  return %0, %1, %2 : tensor<7x37xf32>, tensor<7x37xf32>, tensor<7x37xf32>
}
