// RUN: heddle-opt %s --hlo-expand | FileCheck %s

// Ops whose computation no kernel can hold (here a sort) become loops over elements; so does what is in them.

// EVAL: sort_of_sorts arg0=3x5
// CHECK-LABEL: @sort_of_sorts
// CHECK: stablehlo.while
// CHECK: stablehlo.while
// CHECK: "stablehlo.if"
// CHECK: "stablehlo.sort"
// CHECK: "stablehlo.gather"
func.func @sort_of_sorts(%arg0: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.sort"(%arg0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.reshape %a : (tensor<f32>) -> tensor<1xf32>
    %2 = "stablehlo.sort"(%1) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %5 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<1xf32>) -> tensor<1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
    %4 = stablehlo.compare GT, %3, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// The larger of two by a sort: a window, a scatter, a pool.
// EVAL: windows arg0=6
// CHECK-LABEL: @windows
// CHECK: stablehlo.concatenate
// CHECK: stablehlo.while
// CHECK-NOT: reduce_window
// CHECK: return
func.func @windows(%arg0: tensor<6xf32>) -> tensor<3xf32> {
  %0 = stablehlo.constant dense<0.5> : tensor<f32>
  %1 = "stablehlo.reduce_window"(%arg0, %0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.reshape %a : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.reshape %b : (tensor<f32>) -> tensor<1xf32>
    %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %5 = "stablehlo.sort"(%4) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %7 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
    %6 = stablehlo.slice %5 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %8 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>, window_strides = array<i64: 2>} : (tensor<6xf32>, tensor<f32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// EVAL: updates arg0=4 arg1=5x1 arg2=5
// CHECK-LABEL: @updates
// CHECK: stablehlo.while
// CHECK: "stablehlo.if"
// CHECK-NOT: scatter
// CHECK: return
func.func @updates(%arg0: tensor<4xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.reshape %a : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.reshape %b : (tensor<f32>) -> tensor<1xf32>
    %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %5 = "stablehlo.sort"(%4) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %7 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
    %6 = stablehlo.slice %5 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %8 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// EVAL: pool arg0=6 arg1=3
// CHECK-LABEL: @pool
// CHECK: stablehlo.while
// CHECK: stablehlo.while
// CHECK-NOT: select_and_scatter
// CHECK: return
func.func @pool(%arg0: tensor<6xf32>, %arg1: tensor<3xf32>, %arg2: tensor<f32>) -> tensor<6xf32> {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.reshape %a : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.reshape %b : (tensor<f32>) -> tensor<1xf32>
    %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %5 = "stablehlo.sort"(%4) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %7 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
    %6 = stablehlo.slice %5 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %8 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// What a kernel can hold stays, CHLO's ops included.
// EVAL: kernel_holds arg0=5
// CHECK-LABEL: @kernel_holds
// CHECK-NOT: stablehlo.while
// CHECK: "stablehlo.map"
func.func @kernel_holds(%arg0: tensor<5xf32>) -> tensor<5xf32> {
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%a: tensor<f32>):
    %1 = "chlo.constant_like"(%a) {value = 2.5 : f32} : (tensor<f32>) -> tensor<f32>
    %2 = chlo.erf %a : tensor<f32> -> tensor<f32>
    %3 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %4 = stablehlo.convert %a : (tensor<f32>) -> tensor<i32>
    %5 = stablehlo.dynamic_slice %3, %4, sizes = [1] : (tensor<3xf32>, tensor<i32>) -> tensor<1xf32>
    %6 = stablehlo.reshape %5 : (tensor<1xf32>) -> tensor<f32>
    %7 = stablehlo.clamp %1, %6, %2 : tensor<f32>
    stablehlo.return %7 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
