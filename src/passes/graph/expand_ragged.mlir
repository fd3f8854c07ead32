// RUN: heddle-opt --hlo-expand %s | FileCheck %s

// Rows: all products, of which each row keeps that of its group.
// CHECK-LABEL: @rows
// CHECK: %[[ALL:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1], precision = [HIGHEST, DEFAULT] : (tensor<?x4xf32>, tensor<3x4x5xf32>) -> tensor<?x3x5xf32>
// CHECK: %[[IN:.*]] = stablehlo.and %{{.*}}, %{{.*}} : tensor<?x3x5xi1>
// CHECK: %[[KEPT:.*]] = stablehlo.select %[[IN]], %[[ALL]], %{{.*}} : tensor<?x3x5xi1>, tensor<?x3x5xf32>
// CHECK: stablehlo.reduce(%[[KEPT]] init: %{{.*}}) applies stablehlo.add across dimensions = [1]
func.func @rows(%x: tensor<?x4xf32>, %y: tensor<3x4x5xf32>, %sizes: tensor<3xi32>) -> tensor<?x5xf32> {
  %0 = "chlo.ragged_dot"(%x, %y, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>,
    precision_config = [#chlo<precision HIGHEST>, #chlo<precision DEFAULT>]}> : (tensor<?x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// A product per group, of operands that are zero outside of it.
// CHECK-LABEL: @contracting
// CHECK: %[[X:.*]] = stablehlo.select %{{.*}} : tensor<3x6x9xi1>, tensor<3x6x9xf32>
// CHECK: %[[Y:.*]] = stablehlo.select %{{.*}} : tensor<3x9x5xi1>, tensor<3x9x5xf32>
// CHECK: stablehlo.dot_general %[[X]], %[[Y]], batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x6x9xf32>, tensor<3x9x5xf32>) -> tensor<3x6x5xf32>
func.func @contracting(%x: tensor<6x9xf32>, %y: tensor<9x5xf32>, %sizes: tensor<3xi64>) -> tensor<3x6x5xf32> {
  %0 = "chlo.ragged_dot"(%x, %y, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<6x9xf32>, tensor<9x5xf32>, tensor<3xi64>) -> tensor<3x6x5xf32>
  return %0 : tensor<3x6x5xf32>
}
