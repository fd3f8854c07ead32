// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-pipeline=target=cpu %s | FileCheck %s

// An expensive value of a row kernel that a return alone uses: no op of the kernel asks for it again.
// CHECK: @main
// CHECK: @row_
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %c = stablehlo.dynamic_broadcast_in_dim %b, %s, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %x = stablehlo.add %a, %c : tensor<?x?xf32>
  %t = stablehlo.tanh %x : tensor<?x?xf32>
  %r = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r, %x, %t : tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
