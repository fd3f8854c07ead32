// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

// What does not fit an older spelling is told as it stands.
func.func @no_case(%a: tensor<2xf32>) -> tensor<2xi1> {
  // expected-error@+1 {{attribute 'comparison_direction' must be #stablehlo<comparison_direction ...> with one of EQ, NE, GE, GT, LE, LT, but got "LESS"}}
  %0 = "mhlo.compare"(%a, %a) {comparison_direction = "LESS"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @unknown_field(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{attribute 'dot_dimension_numbers' must be #stablehlo.dot<...>, but got {lhs_contracting = dense<1> : tensor<1xi64>}}}
  %0 = "mhlo.dot_general"(%a, %b) {dot_dimension_numbers = {lhs_contracting = dense<1> : tensor<1xi64>}} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @missing_field(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{attribute 'channel_handle' must be #stablehlo.channel_handle<...>, but got {handle = 1 : i64}}}
  %0 = "mhlo.collective_permute"(%a) {channel_handle = {handle = 1 : i64}, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @wrong_field(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{attribute 'dot_dimension_numbers' must be #stablehlo.dot<...>, but got {lhs_contracting_dimensions = dense<1> : tensor<1x1xi64>, rhs_contracting_dimensions = "x"}}}
  %0 = "mhlo.dot_general"(%a, %b) {dot_dimension_numbers = {lhs_contracting_dimensions = dense<1> : tensor<1x1xi64>, rhs_contracting_dimensions = "x"}} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
