// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

// What promotes is taken: i8 in i64, of either signedness, f16 in bf16, complex in wider complex.
func.func @promotes(%a: tensor<4xi8>, %i: tensor<i8>, %b: tensor<4xf16>, %j: tensor<f16>) -> (tensor<ui64>, tensor<bf16>) {
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<ui64>, %y: tensor<ui64>):
    %s = stablehlo.add %x, %y : tensor<ui64>
    stablehlo.return %s : tensor<ui64>
  }) : (tensor<4xi8>, tensor<i8>) -> tensor<ui64>
  %1 = "stablehlo.reduce"(%b, %j) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
    %s = stablehlo.add %x, %y : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<4xf16>, tensor<f16>) -> tensor<bf16>
  return %0, %1 : tensor<ui64>, tensor<bf16>
}

// -----

func.func @complex(%a: tensor<4xf32>, %i: tensor<f32>) -> tensor<complex<f32>> {
  // expected-error@+1 {{expects operand #0 of the element type of its computation, or of one that promotes to it: expected complex<f32>, got f32}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<complex<f32>>, %y: tensor<complex<f32>>):
    %s = stablehlo.add %x, %y : tensor<complex<f32>>
    stablehlo.return %s : tensor<complex<f32>>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// -----

func.func @bool(%a: tensor<4xi1>, %i: tensor<i1>) -> tensor<i32> {
  // expected-error@+1 {{expects operand #0 of the element type of its computation, or of one that promotes to it: expected i32, got i1}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi1>, tensor<i1>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @init(%a: tensor<4xf32>, %i: tensor<f64>) -> tensor<f64> {
  // expected-error@+1 {{expects operand #1 of the element type of operand #0: expected f32, got f64}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %s = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4xf32>, tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func @window(%a: tensor<4xi16>, %i: tensor<i16>) -> tensor<3xi8> {
  // expected-error@+1 {{expects operand #0 of the element type of its computation, or of one that promotes to it: expected i8, got i16}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<i8>, %y: tensor<i8>):
    %s = stablehlo.add %x, %y : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }) : (tensor<4xi16>, tensor<i16>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}

// -----

func.func @region(%a: tensor<4xi16>, %i: tensor<i16>) -> tensor<i32> {
  // expected-error@+1 {{expects the reducer to take and give value #0 in one type: expected tensor<i32>, got tensor<i16>}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i16>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<4xi16>, tensor<i16>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @result(%a: tensor<4xi16>, %i: tensor<i16>) -> tensor<i64> {
  // expected-error@+1 {{expects result #0 of the element type of its computation: expected i32, got i64}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<4xi16>, tensor<i16>) -> tensor<i64>
  return %0 : tensor<i64>
}

// -----

func.func @scatter(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x1xf32>) -> tensor<5x4xf16> {
  // expected-error@+1 {{expects operand #0 of the element type of its computation, or of one that promotes to it: expected f16, got f32}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    stablehlo.return %b : tensor<f16>
  }) : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x1xf32>) -> tensor<5x4xf16>
  return %0 : tensor<5x4xf16>
}

// -----

func.func @updates(%x: tensor<5xf32>, %i: tensor<3x1xi64>, %u: tensor<3xf16>) -> tensor<5xf32> {
  // expected-error@+1 {{expects operand #2 of the element type of operand #0: expected f32, got f16}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi64>, tensor<3xf16>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @select(%x: tensor<4xf32>, %s: tensor<2xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects argument #1 of region #0 of the element type of operand #0: expected f32, got f64}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %v) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f64>):
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @all_reduce(%a: tensor<4xi32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects operand #0 of the element type of its computation, or of one that promotes to it: expected f32, got i32}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @dot_complex(%x: tensor<1xf32>, %y: tensor<2xf32>) -> tensor<1x2xcomplex<f32>> {
  // expected-error@+1 {{expects a result whose element type the sides' promote to, or floats of integers, got complex<f32>}}
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<1xf32>, tensor<2xf32>) -> tensor<1x2xcomplex<f32>>
  return %0 : tensor<1x2xcomplex<f32>>
}

// -----

// The sum of floats may be rounded to any.
func.func @dot_rounded(%x: tensor<1xf64>, %y: tensor<2xf64>) -> tensor<1x2xf16> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<1xf64>, tensor<2xf64>) -> tensor<1x2xf16>
  return %0 : tensor<1x2xf16>
}

// -----

func.func @dot_narrow(%x: tensor<1xi32>, %y: tensor<2xi32>) -> tensor<1x2xi8> {
  // expected-error@+1 {{expects a result whose element type the sides' promote to, or floats of integers, got i8}}
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<1xi32>, tensor<2xi32>) -> tensor<1x2xi8>
  return %0 : tensor<1x2xi8>
}

// -----

func.func @dot_sides(%x: tensor<1xi32>, %y: tensor<2xf32>) -> tensor<1x2xf32> {
  // expected-error@+1 {{expects lhs and rhs of one element type, both floats, or integers of one signedness, got i32 and f32}}
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<1xi32>, tensor<2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

func.func @einsum(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<i32> {
  // expected-error@+1 {{expects a result whose element type the sides' promote to, or floats of integers, got i32}}
  %0 = stablehlo.einsum %x, %y, config = "a,a->" : (tensor<2xf32>, tensor<2xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @unary_einsum(%x: tensor<2xf32>) -> tensor<i32> {
  // expected-error@+1 {{expects a result of the element type of the operand: expected f32, got i32}}
  %0 = stablehlo.unary_einsum %x, config = "a->" : (tensor<2xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}
