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

// Rows of many groups: tiles of 32 rows, each times the matrix of its group, written one after the other.
// CHECK-LABEL: @tiles
// CHECK: %[[X:.*]] = stablehlo.pad %arg0, %{{.*}}, low = [0, 0], high = [32, 0], interior = [0, 0] : (tensor<?x4xbf16>, tensor<bf16>) -> tensor<?x4xbf16>
// CHECK: stablehlo.while
// CHECK: stablehlo.compare LT
// CHECK: %[[M:.*]] = stablehlo.dynamic_slice %arg1, %{{.*}}, sizes = [1, 5, 4]
// CHECK: %[[W:.*]] = stablehlo.reshape %[[M]] : (tensor<1x5x4xbf16>) -> tensor<5x4xbf16>
// CHECK: %[[T:.*]] = stablehlo.dynamic_slice %[[X]], %{{.*}}, sizes = [32, 4]
// CHECK: %[[Y:.*]] = stablehlo.dot_general %[[T]], %[[W]], contracting_dims = [1] x [1]{{.*}} -> tensor<32x5xf32>
// CHECK: stablehlo.dynamic_update_slice %{{.*}}, %[[Y]]
// CHECK: stablehlo.select %{{.*}} : tensor<?x5xi1>, tensor<?x5xf32>
func.func @tiles(%x: tensor<?x4xbf16>, %y: tensor<9x5x4xbf16>, %sizes: tensor<9xi32>) -> tensor<?x5xf32> {
  %0 = "chlo.ragged_dot"(%x, %y, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<?x4xbf16>, tensor<9x5x4xbf16>, tensor<9xi32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// Rows beyond numbers of 32 bits are not taken in tiles.
// CHECK-LABEL: @endless
// CHECK-NOT: stablehlo.while
// CHECK: stablehlo.dot_general %arg0, %arg1
func.func @endless(%x: tensor<9223372036854775800x3xf32>, %w: tensor<5x3x2xf32>, %g: tensor<5xi64>) -> tensor<9223372036854775800x2xf32> {
  %0 = "chlo.ragged_dot"(%x, %w, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<9223372036854775800x3xf32>, tensor<5x3x2xf32>, tensor<5xi64>) -> tensor<9223372036854775800x2xf32>
  return %0 : tensor<9223372036854775800x2xf32>
}
