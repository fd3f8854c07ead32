// RUN: heddle-opt --gather-to-slice %s | FileCheck %s

// One column, as JAX writes x[:, 2] of unknown rows.
// CHECK-LABEL: @column
// CHECK-NOT: gather
// CHECK: stablehlo.real_dynamic_slice %arg0
// CHECK-SAME: -> tensor<?x1xf32>
// CHECK: stablehlo.dynamic_reshape
// CHECK-SAME: -> tensor<?xf32>
func.func @column(%x: tensor<?x3xf32>, %sizes: tensor<2xi32>) -> tensor<?xf32> {
  %i = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>}> : (tensor<?x3xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Known dims, two indices, of which one is clamped.
// CHECK-LABEL: @element
// CHECK: stablehlo.slice %arg0 [1:2, 4:5, 0:2]
// CHECK: stablehlo.reshape {{.*}} -> tensor<2xf32>
func.func @element(%x: tensor<3x5x4xf32>) -> tensor<2xf32> {
  %i = stablehlo.constant dense<[7, 1]> : tensor<2xi64>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0, 1], start_index_map = [1, 0]>, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<3x5x4xf32>, tensor<2xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Several slices, a place that the run tells, and one in a dim that it tells, stay.
// CHECK-LABEL: @others
// CHECK-COUNT-3: "stablehlo.{{(dynamic_)?}}gather"
func.func @others(%x: tensor<?x3xf32>, %y: tensor<4x3xf32>, %at: tensor<1xi32>, %sizes: tensor<2xi32>) -> (tensor<2x4xf32>, tensor<?xf32>, tensor<3xf32>) {
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %0 = "stablehlo.gather"(%y, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  %1 = "stablehlo.dynamic_gather"(%x, %at, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>}> : (tensor<?x3xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?xf32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %2 = "stablehlo.gather"(%x, %one) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 3>}> : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<3xf32>
  return %0, %1, %2 : tensor<2x4xf32>, tensor<?xf32>, tensor<3xf32>
}
