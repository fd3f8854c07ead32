// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --cse %s | FileCheck %s

// Sums of rows of eight: eight vectors hold sixteen rows, and three rounds of shuffles make columns of them, which are added up in order.
// CHECK-LABEL: func.func private @loop_reduce_0
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-8: vector.load
// CHECK-NOT: vector.load
// CHECK-COUNT-24: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK-NOT: scf.for
// CHECK: vector.store
// CHECK: vector.gather
func.func @sums(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
