// SPDX-License-Identifier: Apache-2.0
// What an ill-typed op got stands beside what was expected.
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

func.func @operand(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{'stablehlo.add' op requires compatible types for all operands and results: expected tensor<3xf32>, got tensor<4xf32>}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @result(%a: tensor<3xf32>) -> tensor<3xi32> {
  // expected-error@+1 {{requires compatible types for all operands and results: expected tensor<3xf32>, got tensor<3xi32>}}
  %0 = "stablehlo.add"(%a, %a) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @shape(%a: tensor<3xf32>) -> tensor<4xf64> {
  // expected-error@+1 {{requires the same shape for all operands and results: expected tensor<3xf32>, got tensor<4xf64>}}
  %0 = stablehlo.convert %a : (tensor<3xf32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @alternatives(%a: tensor<3xi32>) -> tensor<3xi32> {
  // expected-error@+2 {{operand #0 must be a tensor of floating-point numbers or an unranked tensor, but got tensor<3xi32>}}
  // expected-error@+1 {{result #0 must be a tensor of floating-point numbers or an unranked tensor, but got tensor<3xi32>}}
  %0 = "chlo.erf"(%a) : (tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @rule() -> i64 {
  // expected-error@+1 {{'arith.constant' op result #0 must have the type of value: expected i32, got i64}}
  %0 = "arith.constant"() <{value = 3 : i32}> : () -> i64
  return %0 : i64
}

// -----

func.func @returned(%a: tensor<3xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{type of return operand #0 differs from the function result type: expected tensor<4xf32>, got tensor<3xf32>}}
  return %a : tensor<3xf32>
}

// -----

func.func private @f(f32) -> i32

func.func @called(%a: f64) -> i32 {
  // expected-error@+1 {{operand #0 type mismatch with the callee: expected f32, got f64}}
  %0 = call @f(%a) : (f64) -> i32
  return %0 : i32
}

// -----

func.func @loop(%a: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'stablehlo.while' op expects cond to give a tensor<i1>, got tensor<f32>}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }, {
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @element(%a: memref<4xf32>) -> memref<?xf64> {
  // expected-error@+1 {{'memref.cast' op expects operand and result of one element type, got f32 and f64}}
  %0 = memref.cast %a : memref<4xf32> to memref<?xf64>
  return %0 : memref<?xf64>
}

// -----

func.func @case(%a: tensor<3xf32>) -> tensor<3xi1> {
  // expected-error@+1 {{attribute 'comparison_direction' must be #stablehlo<comparison_direction ...> with one of EQ, NE, GE, GT, LE, LT, but got 3 : i32}}
  %0 = "stablehlo.compare"(%a, %a) <{comparison_direction = 3 : i32}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

func.func @stored_case(%a: i32) -> i1 {
  // expected-error@+1 {{attribute 'predicate' must be an i64 for one of eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge, but got 99 : i64}}
  %0 = "arith.cmpi"(%a, %a) <{predicate = 99 : i64}> : (i32, i32) -> i1
  return %0 : i1
}

// -----

func.func @kind(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error@+1 {{attribute 'lower' must be true or false, but got 7 : i64}}
  %0 = "stablehlo.cholesky"(%a) <{lower = 7 : i64}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

func.func @groups(%a: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{attribute 'replica_groups' must be elements of a tensor or vector or #stablehlo.replica_group_mesh_axes<...>, but got "x"}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = "x"}> : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
