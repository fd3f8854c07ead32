// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --pass-pipeline=entry-layouts | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<4x2x3xf32> {hd.layout = "{1,0,2}"}, %arg1: tensor<2x3x4xf32> {mhlo.layout_mode = "{2,1,0}"}) -> (tensor<3x4x2xf32> {hd.layout = "{0,2,1}"}, tensor<2x3x4xf32> {mhlo.layout_mode = "default"})
// CHECK-NEXT: %[[X:.*]] = stablehlo.transpose %arg0, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[X]], %arg1
// CHECK-NEXT: %[[R:.*]] = stablehlo.transpose %[[S]], dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT: return %[[R]], %[[S]]
func.func @main(%x: tensor<2x3x4xf32> {mhlo.layout_mode = "{1,0,2}"}, %y: tensor<2x3x4xf32> {mhlo.layout_mode = "{2,1,0}"}) -> (tensor<2x3x4xf32> {mhlo.layout_mode = "{0,2,1}"}, tensor<2x3x4xf32> {mhlo.layout_mode = "default"}) {
  %0 = stablehlo.add %x, %y : tensor<2x3x4xf32>
  return %0, %0 : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// -----

// What may lie in any way lies as it was made: a transpose as what was transposed, a constrained value as that says.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<3x4xf32> {mhlo.layout_mode = "auto"}) -> (tensor<3x4xf32> {hd.layout = "{0,1}"}, tensor<4x3xf32> {mhlo.layout_mode = "auto"}, tensor<3x4xf32> {hd.layout = "{0,1}"}, tensor<3x4xf32> {mhlo.layout_mode = "auto"})
// CHECK: %[[T:.*]] = stablehlo.transpose %arg0, dims = [1, 0]
// CHECK: %[[C:.*]] = stablehlo.custom_call @LayoutConstraint(%[[T]])
// CHECK: %[[D:.*]] = stablehlo.custom_call @LayoutConstraint(%[[T]])
// CHECK: %[[E:.*]] = stablehlo.transpose %[[D]], dims = [1, 0]
// CHECK: return %arg0, %[[C]], %[[E]], %arg0
func.func @main(%x: tensor<3x4xf32> {mhlo.layout_mode = "auto"}) -> (tensor<4x3xf32> {mhlo.layout_mode = "auto"}, tensor<4x3xf32> {mhlo.layout_mode = "auto"}, tensor<4x3xf32> {mhlo.layout_mode = "auto"}, tensor<3x4xf32> {mhlo.layout_mode = "auto"}) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.custom_call @LayoutConstraint(%0) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.custom_call @LayoutConstraint(%0) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0, %1, %2, %x : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<3x4xf32>
}

// -----

// What comes in an order and goes in it stays.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<4x3xf32> {hd.layout = "{0,1}"}) -> (tensor<4x3xf32> {hd.layout = "{0,1}"})
// CHECK: return %arg0
func.func @main(%x: tensor<3x4xf32> {mhlo.layout_mode = "{0,1}"}) -> (tensor<3x4xf32> {mhlo.layout_mode = "{0,1}"}) {
  return %x : tensor<3x4xf32>
}
