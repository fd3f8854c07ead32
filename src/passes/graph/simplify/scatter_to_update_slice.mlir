// RUN: heddle-opt --scatter-to-update-slice %s | FileCheck %s

// The inner part of unknown dims, as JAX writes x.at[1:-1, 1:-1].set(u).
// CHECK-LABEL: @inner
// CHECK-NOT: scatter
// CHECK: stablehlo.dynamic_update_slice %arg0, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x6xf32>, tensor<?x4xf32>, tensor<i32>, tensor<i32>) -> tensor<?x6xf32>
func.func @inner(%x: tensor<?x6xf32>, %y: tensor<f32>) -> tensor<?x6xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %rest = stablehlo.subtract %n, %two : tensor<i32>
  %rows = stablehlo.reshape %rest : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.constant dense<4> : tensor<1xi32>
  %sizes = stablehlo.concatenate %rows, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %u = stablehlo.dynamic_broadcast_in_dim %y, %sizes, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %at = stablehlo.constant dense<1> : tensor<2xi32>
  %0 = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<?x6xf32>, tensor<2xi32>, tensor<?x4xf32>) -> tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}

// A column is added to; the order of the operands stays.
// CHECK-LABEL: @column
// CHECK-NOT: scatter
// CHECK: %[[U:.*]] = stablehlo.reshape %arg1 : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK: %[[OLD:.*]] = stablehlo.slice %arg0 [0:4, 2:3]
// CHECK: %[[NEW:.*]] = stablehlo.subtract %[[OLD]], %[[U]] : tensor<4x1xf32>
// CHECK: stablehlo.dynamic_update_slice %arg0, %[[NEW]]
func.func @column(%x: tensor<4x3xf32>, %u: tensor<4xf32>) -> tensor<4x3xf32> {
  %at = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.subtract %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<1xi32>, tensor<4xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// A window that is not inside is left out by a scatter; rows of unknown many may be one; of several windows each has a
// place; the run tells one.
// CHECK-LABEL: @others
// CHECK-COUNT-5: "stablehlo.scatter"
func.func @others(%x: tensor<4x3xf32>, %y: tensor<?x3xf32>, %u: tensor<3xf32>, %v: tensor<2x3xf32>, %run: tensor<1xi32>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<?x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) {
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %four, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<4x3xf32>
  %below = stablehlo.constant dense<-1> : tensor<1xi32>
  %1 = "stablehlo.scatter"(%x, %below, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<4x3xf32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %2 = "stablehlo.scatter"(%y, %one, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<?x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<?x3xf32>
  %pair = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi32>
  %3 = "stablehlo.scatter"(%x, %pair, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %4 = "stablehlo.scatter"(%x, %run, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<4x3xf32>
  return %0, %1, %2, %3, %4 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<?x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>
}

// A computation of several ops, or one that keeps what was there, stays, and nothing is put beside it.
// CHECK-LABEL: @computations
// CHECK-NEXT: %[[AT:.*]] = stablehlo.constant
// CHECK-NEXT: "stablehlo.scatter"(%arg0, %[[AT]], %arg1)
// CHECK: }) :
// CHECK-NEXT: "stablehlo.scatter"(%arg0, %[[AT]], %arg1)
func.func @computations(%x: tensor<4x3xf32>, %u: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %at = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %old : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<4x3xf32>
  %1 = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %2 = stablehlo.negate %new : tensor<f32>
    %3 = stablehlo.add %old, %2 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<4x3xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<4x3xf32>
}
