// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --hlo-expand %s | FileCheck %s
// RUN: heddle bisect %s --random 1 --shape arg0=3x5
// RUN: heddle bisect %s --random 1 --shape arg0=3x5 --target cuda

// mhlo.bitcast becomes reshape and bitcast_convert. Unknown dims are the operand's.
// CHECK-LABEL: @main
// CHECK-NOT: mhlo.bitcast
// CHECK: stablehlo.bitcast_convert %arg0 : (tensor<?x?xf32>) -> tensor<?x?xi32>
// CHECK: %[[R:.*]] = stablehlo.reshape %arg1 : (tensor<4x6xf32>) -> tensor<3x8xf32>
// CHECK: stablehlo.bitcast_convert %[[R]] : (tensor<3x8xf32>) -> tensor<3x8xui32>
// CHECK: return
func.func @main(%x: tensor<?x?xf32>, %y: tensor<4x6xf32>) -> (tensor<?x?xi32>, tensor<3x8xui32>, tensor<4x6x2xui16>, tensor<?x?xf32>) {
  %0 = "mhlo.bitcast"(%x) : (tensor<?x?xf32>) -> tensor<?x?xi32>
  %1 = "mhlo.bitcast"(%y) : (tensor<4x6xf32>) -> tensor<3x8xui32>
  %2 = "mhlo.bitcast"(%y) : (tensor<4x6xf32>) -> tensor<4x6x2xui16>
  %3 = "mhlo.bitcast"(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1, %2, %3 : tensor<?x?xi32>, tensor<3x8xui32>, tensor<4x6x2xui16>, tensor<?x?xf32>
}
