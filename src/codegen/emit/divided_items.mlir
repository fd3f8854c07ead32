// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-pipeline=target=cpu %s --split-input-file | FileCheck %s
// What a launch says about its work: items of less than a microsecond are several to a grain; longer ones are several parts each, the last one part, so that
// sleeping threads are woken for a few long rows, and not for one.

// CHECK-LABEL: @long_rows
// CHECK: hd.launch @{{.*}} extent(%c73) grain(%c1{{[_0-9]*}})
func.func @long_rows(%x: tensor<4x200000xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x200000xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @one_row
// CHECK: hd.launch @{{.*}} extent(%c1{{[_0-9]*}}) grain(%c1{{[_0-9]*}})
func.func @one_row(%x: tensor<1x2x200000xf32>) -> tensor<1x1xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x2x200000xf32>, tensor<f32>) -> tensor<1xf32>
  %s = stablehlo.reshape %r : (tensor<1xf32>) -> tensor<1x1xf32>
  return %s : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @short_rows
// CHECK: hd.launch @{{.*}} extent(%c3000) grain(%c82)
func.func @short_rows(%x: tensor<3000x100xf32>) -> tensor<3000xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3000x100xf32>, tensor<f32>) -> tensor<3000xf32>
  return %r : tensor<3000xf32>
}

// -----

// Functions take longer than sums.
// CHECK-LABEL: @functions
// CHECK: hd.launch @{{.*}} extent(%c3000) grain(%c28)
func.func @functions(%x: tensor<3000x100xf32>) -> tensor<3000xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<3000x100xf32>
  %r = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3000x100xf32>, tensor<f32>) -> tensor<3000xf32>
  return %r : tensor<3000xf32>
}

// -----

// Functions of one number a row take no longer for long rows: 86 rows of two ops each.
// CHECK-LABEL: @functions_of_sums
// CHECK: hd.launch @{{.*}} extent(%c3000) grain(%c86)
func.func @functions_of_sums(%w: tensor<3000x64xf32>, %h: tensor<3000x64xf32>) -> tensor<3000xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.multiply %w, %h : tensor<3000x64xf32>
  %r = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3000x64xf32>, tensor<f32>) -> tensor<3000xf32>
  %t = stablehlo.tanh %r : tensor<3000xf32>
  %e = stablehlo.exponential %t : tensor<3000xf32>
  return %e : tensor<3000xf32>
}

// -----

// 61 blocks of two parts.
// CHECK-LABEL: @blocks
// CHECK: hd.launch @{{.*}} extent(%c121) grain(%c1{{[_0-9]*}})
func.func @blocks(%x: tensor<1000100xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1000100xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// A result of a window is of all its elements: items of short rows and grains of others are of fewer results.
// CHECK-LABEL: @windows
// CHECK: hd.launch @{{.*}} extent(%c512{{[_0-9]*}}) grain(%c1{{[_0-9]*}})
func.func @windows(%x: tensor<512x56x56xf32>) -> tensor<512x8x8xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 7, 7>, window_strides = array<i64: 1, 7, 7>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<512x56x56xf32>, tensor<f32>) -> tensor<512x8x8xf32>
  return %r : tensor<512x8x8xf32>
}

// -----

// CHECK-LABEL: @wide_windows
// CHECK: hd.launch @{{.*}} extent(%c128{{[_0-9]*}}) grain(%c1{{[_0-9]*}})
func.func @wide_windows(%x: tensor<64x56x56xf32>) -> tensor<64x28x28xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 3, 3>, window_strides = array<i64: 1, 2, 2>, padding = dense<[[0, 0], [1, 1], [1, 1]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x56x56xf32>, tensor<f32>) -> tensor<64x28x28xf32>
  return %r : tensor<64x28x28xf32>
}
