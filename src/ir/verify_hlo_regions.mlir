// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

func.func @reduce(%a: tensor<4x8xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects region #0 to take 2 arguments, got 1}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @reduce_result(%a: tensor<4x8xf32>, %i: tensor<f32>) -> tensor<8xf32> {
  // expected-error@+1 {{expects result #0 of type tensor<4xf32>, got tensor<8xf32>}}
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @reduce_dim(%a: tensor<4x8xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects dimensions in [0, 2), got 2}}
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [2] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @sort(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects region #0 to give a tensor<i1>}}
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @while(%a: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  // expected-error@+1 {{expects cond to give a tensor<i1>}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    stablehlo.return %x : tensor<4xf32>
  }, {
  ^bb0(%x: tensor<4xf32>):
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @case(%i: tensor<i32>) -> tensor<f32> {
  // expected-error@+1 {{expects at least one branch}}
  %0 = "stablehlo.case"(%i) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @if(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects all branches to give value #0 of compatible types}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<4xf32>
  }, {
    stablehlo.return %b : tensor<5xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @composite(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'none' does not reference a valid function}}
  %0 = stablehlo.composite "x.y" %a {decomposition = @none} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @fusion_argument(%a: tensor<4xf64>) -> tensor<4xi32> {
  // expected-error@+1 {{expects argument #0 of the body in the type of operand #0}}
  %0 = "mhlo.fusion"(%a) <{fusion_kind = #mhlo<fusion_kind kLoop>}> ({
  ^bb0(%t: tensor<4xi32>):
    stablehlo.return %t : tensor<4xi32>
  }) : (tensor<4xf64>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @fusion_result(%a: tensor<4xf32>) -> tensor<9xf32> {
  // expected-error@+1 {{expects the body to give value #0 in the type of result #0}}
  %0 = "mhlo.fusion"(%a) <{fusion_kind = #mhlo<fusion_kind kLoop>}> ({
  ^bb0(%t: tensor<4xf32>):
    stablehlo.return %t : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

func.func @fusion_count(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects the body to take 1 arguments, got 2}}
  %0 = "mhlo.fusion"(%a) ({
  ^bb0(%t: tensor<4xf32>, %u: tensor<4xf32>):
    stablehlo.return %t : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
