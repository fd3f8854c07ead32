// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-hlo-legalize-to-lhlo --disc-fusion=target=cpu --split-input-file %s | FileCheck %s
// A conversion of memory to a wider type is computed again by each kernel that reads it: its result would be more memory than it reads.

// CHECK-LABEL: @batch_norm
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.convert"(%arg0, %[[WIDE:[a-z_0-9]*]]) {hd.inline}
// CHECK: "lmhlo.reduce"(%[[WIDE]],
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.convert"(%arg0, %[[WIDE]]) {hd.inline}
// CHECK: "lmhlo.subtract"(%[[WIDE]],
// CHECK-NOT: lmhlo.fusion
// CHECK: return
func.func @batch_norm(%x: tensor<16x8x640xbf16>) -> tensor<16x8x640xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %w = stablehlo.convert %x : (tensor<16x8x640xbf16>) -> tensor<16x8x640xf32>
  %s = stablehlo.reduce(%w init: %z) applies stablehlo.add across dimensions = [0, 2] : (tensor<16x8x640xf32>, tensor<f32>) -> tensor<8xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<8xf32>) -> tensor<16x8x640xf32>
  %r = stablehlo.subtract %w, %b : tensor<16x8x640xf32>
  return %r : tensor<16x8x640xf32>
}

// -----

// What is a result is in memory anyway, and is read there.
// CHECK-LABEL: @result
// CHECK: "lmhlo.convert"
// CHECK-NOT: "lmhlo.convert"
// CHECK: return
func.func @result(%x: tensor<16x8x640xbf16>) -> (tensor<8xf32>, tensor<16x8x640xf32>, tensor<16x8x640xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %w = stablehlo.convert %x : (tensor<16x8x640xbf16>) -> tensor<16x8x640xf32>
  %s = stablehlo.reduce(%w init: %z) applies stablehlo.add across dimensions = [0, 2] : (tensor<16x8x640xf32>, tensor<f32>) -> tensor<8xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<8xf32>) -> tensor<16x8x640xf32>
  %r = stablehlo.subtract %w, %b : tensor<16x8x640xf32>
  return %s, %w, %r : tensor<8xf32>, tensor<16x8x640xf32>, tensor<16x8x640xf32>
}

// -----

// A member of a group, which the next group computes again.
// CHECK-LABEL: @two_stages
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.convert"(%arg0, %[[WIDE:[a-z_0-9]*]]) :
// CHECK: hd.kind = "column"
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.convert"(%arg0, %[[WIDE]]) {hd.inline}
// CHECK: "lmhlo.subtract"(%[[WIDE]],
func.func @two_stages(%x: tensor<640x80xbf16>) -> (tensor<80xf32>, tensor<640x80xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %w = stablehlo.convert %x : (tensor<640x80xbf16>) -> tensor<640x80xf32>
  %m = stablehlo.multiply %w, %w : tensor<640x80xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [0] : (tensor<640x80xf32>, tensor<f32>) -> tensor<80xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<80xf32>) -> tensor<640x80xf32>
  %r = stablehlo.subtract %w, %b : tensor<640x80xf32>
  return %s, %r : tensor<80xf32>, tensor<640x80xf32>
}

// -----

// A product reads memory.
// CHECK-LABEL: @product
// CHECK-NOT: hd.inline} : (memref<640x80xbf16>
// CHECK: return
func.func @product(%x: tensor<640x80xbf16>, %y: tensor<80x16xf32>) -> (tensor<80xf32>, tensor<640x16xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %w = stablehlo.convert %x : (tensor<640x80xbf16>) -> tensor<640x80xf32>
  %s = stablehlo.reduce(%w init: %z) applies stablehlo.add across dimensions = [0] : (tensor<640x80xf32>, tensor<f32>) -> tensor<80xf32>
  %p = stablehlo.dot_general %w, %y, contracting_dims = [1] x [0] : (tensor<640x80xf32>, tensor<80x16xf32>) -> tensor<640x16xf32>
  return %s, %p : tensor<80xf32>, tensor<640x16xf32>
}
