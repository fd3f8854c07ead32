// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --promote-elements | FileCheck %s

// EVAL: reduce arg0=3x5
// CHECK-LABEL: func.func @reduce
func.func @reduce(%x: tensor<?x?xi8>, %v: tensor<i8>) -> tensor<?xi64> {
  // CHECK-DAG: %[[x:.*]] = stablehlo.convert %arg0 : (tensor<?x?xi8>) -> tensor<?x?xi64>
  // CHECK-DAG: %[[v:.*]] = stablehlo.convert %arg1 : (tensor<i8>) -> tensor<i64>
  // CHECK: stablehlo.reduce(%[[x]] init: %[[v]]) applies stablehlo.add across dimensions = [1] : (tensor<?x?xi64>, tensor<i64>) -> tensor<?xi64>
  %0 = "stablehlo.reduce"(%x, %v) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %r = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %r : tensor<i64>
  }) : (tensor<?x?xi8>, tensor<i8>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

// Of two operands, one is promoted.
// EVAL: two arg0=5 arg1=5
// CHECK-LABEL: func.func @two
func.func @two(%x: tensor<?xf32>, %y: tensor<?xi16>, %v: tensor<f32>, %w: tensor<i16>) -> (tensor<f32>, tensor<ui16>) {
  // CHECK-NOT: convert %arg0
  // CHECK: stablehlo.convert %arg1 : (tensor<?xi16>) -> tensor<?xui16>
  %0:2 = "stablehlo.reduce"(%x, %y, %v, %w) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<ui16>, %c: tensor<f32>, %d: tensor<ui16>):
    %r = stablehlo.maximum %a, %c : tensor<f32>
    %s = stablehlo.maximum %b, %d : tensor<ui16>
    "stablehlo.return"(%r, %s) : (tensor<f32>, tensor<ui16>) -> ()
  }) : (tensor<?xf32>, tensor<?xi16>, tensor<f32>, tensor<i16>) -> (tensor<f32>, tensor<ui16>)
  return %0#0, %0#1 : tensor<f32>, tensor<ui16>
}

// Indices stay.
// EVAL: scatter arg0=7x5
// CHECK-LABEL: func.func @scatter
func.func @scatter(%x: tensor<?x5xi8>, %i: tensor<3x1xi8>, %u: tensor<3x5xi8>) -> tensor<?x5xi64> {
  // CHECK: "stablehlo.scatter"(%{{.*}}, %arg1, %{{.*}})
  // CHECK: (tensor<?x5xi64>, tensor<3x1xi8>, tensor<3x5xi64>) -> tensor<?x5xi64>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %r = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %r : tensor<i64>
  }) : (tensor<?x5xi8>, tensor<3x1xi8>, tensor<3x5xi8>) -> tensor<?x5xi64>
  return %0 : tensor<?x5xi64>
}

// The selection compares f16, the sum is of bf16: in f32, which holds both.
// EVAL: select_and_scatter
// CHECK-LABEL: func.func @select_and_scatter
func.func @select_and_scatter(%x: tensor<4xf16>, %s: tensor<2xf16>, %v: tensor<f16>) -> tensor<4xbf16> {
  // CHECK: stablehlo.convert %arg1 : (tensor<2xf16>) -> tensor<2xbf16>
  // CHECK: "stablehlo.select_and_scatter"
  // CHECK: (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %v) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %p = stablehlo.compare GE, %a, %b : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %r = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %r : tensor<bf16>
  }) : (tensor<4xf16>, tensor<2xf16>, tensor<f16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// EVAL: sides arg0=3x5 arg1=5x4
// CHECK-LABEL: func.func @sides
func.func @sides(%x: tensor<?x?xbf16>, %y: tensor<?x4xf16>) -> tensor<?x4xf16> {
  // CHECK: stablehlo.dot_general {{.*}} : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK: stablehlo.convert {{.*}} : (tensor<?x4xf32>) -> tensor<?x4xf16>
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<?x?xbf16>, tensor<?x4xf16>) -> tensor<?x4xf16>
  return %0 : tensor<?x4xf16>
}

// EVAL: floats_of_integers
// CHECK-LABEL: func.func @floats_of_integers
func.func @floats_of_integers(%x: tensor<3x5xi8>, %y: tensor<5x4xi8>) -> tensor<3x4xf32> {
  // CHECK: stablehlo.dot_general {{.*}} : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x5xi8>, tensor<5x4xi8>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// EVAL: rounded
// CHECK-LABEL: func.func @rounded
func.func @rounded(%x: tensor<3x5xf64>, %y: tensor<5x4xf64>) -> tensor<3x4xf16> {
  // CHECK: stablehlo.dot_general {{.*}} : (tensor<3x5xf64>, tensor<5x4xf64>) -> tensor<3x4xf64>
  // CHECK: stablehlo.convert {{.*}} : (tensor<3x4xf64>) -> tensor<3x4xf16>
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x5xf64>, tensor<5x4xf64>) -> tensor<3x4xf16>
  return %0 : tensor<3x4xf16>
}

// A result that the sides add up in as they are.
// CHECK-LABEL: func.func @stays
func.func @stays(%x: tensor<3x5xi8>, %y: tensor<5x4xi8>) -> tensor<3x4xi32> {
  // CHECK-NOT: convert
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x5xi8>, tensor<5x4xi8>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}
