// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --transpose-of-concatenate %s | FileCheck %s

// CHECK-LABEL: @columns
// CHECK-SAME: (%[[X:.*]]: tensor<1x?xf32>, %[[Y:.*]]: tensor<1x?xf32>)
func.func @columns(%x: tensor<1x?xf32>, %y: tensor<1x?xf32>) -> tensor<?x2xf32> {
  // CHECK-NEXT: %[[U:.*]] = stablehlo.transpose %[[X]], dims = [1, 0] : (tensor<1x?xf32>) -> tensor<?x1xf32>
  // CHECK-NEXT: %[[V:.*]] = stablehlo.transpose %[[Y]], dims = [1, 0] : (tensor<1x?xf32>) -> tensor<?x1xf32>
  // CHECK-NEXT: %[[T:.*]] = stablehlo.concatenate %[[U]], %[[V]], dim = 1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  // CHECK-NEXT: return %[[T]]
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<2x?xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x?xf32>) -> tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}

// A stack in the middle goes to the end; dims of several elements keep their order.
// CHECK-LABEL: @middle
func.func @middle(%x: tensor<?x1x7xf32>, %y: tensor<?x1x7xf32>) -> tensor<?x7x2xf32> {
  // CHECK-COUNT-2: stablehlo.transpose {{.*}}, dims = [0, 2, 1] : (tensor<?x1x7xf32>) -> tensor<?x7x1xf32>
  // CHECK-NEXT: stablehlo.concatenate {{.*}}, dim = 2
  %0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<?x1x7xf32>, tensor<?x1x7xf32>) -> tensor<?x2x7xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<?x2x7xf32>) -> tensor<?x7x2xf32>
  return %1 : tensor<?x7x2xf32>
}

// What a transpose moves in memory, dims that may have more than one element, and what others read too, are left.
// CHECK-LABEL: @left
// CHECK: stablehlo.concatenate %arg0, %arg0, dim = 0
// CHECK: stablehlo.concatenate %arg1, %arg0, dim = 0
// CHECK: stablehlo.concatenate %arg2, %arg2, dim = 0
func.func @left(%x: tensor<3x?xf32>, %y: tensor<?x?xf32>, %z: tensor<1x?xf32>) -> (tensor<?x6xf32>, tensor<?x?xf32>, tensor<2x?xf32>, tensor<?x2xf32>) {
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<3x?xf32>, tensor<3x?xf32>) -> tensor<6x?xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<6x?xf32>) -> tensor<?x6xf32>
  %2 = stablehlo.concatenate %y, %x, dim = 0 : (tensor<?x?xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = stablehlo.concatenate %z, %z, dim = 0 : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<2x?xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<2x?xf32>) -> tensor<?x2xf32>
  return %1, %3, %4, %5 : tensor<?x6xf32>, tensor<?x?xf32>, tensor<2x?xf32>, tensor<?x2xf32>
}
