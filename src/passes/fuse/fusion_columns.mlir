// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-hlo-legalize-to-lhlo "--disc-fusion=target=cuda columns products-alone" --split-input-file %s | FileCheck %s

// The seed's second kInput drawing: two column reductions over an elementwise op, which another reader uses too; what
// follows the reductions is a kernel of its own.
// CHECK-LABEL: @columns
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.multiply"
// CHECK: "lmhlo.reduce"
// CHECK: "lmhlo.reduce"
// CHECK: hd.kind = "column"
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.add"
// CHECK: hd.kind = "loop"
func.func @columns(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> (tensor<8xf32>, tensor<?x8xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.multiply %a, %b : tensor<?x8xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x8xf32>, tensor<f32>) -> tensor<8xf32>
  %t = stablehlo.reduce(%m init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<?x8xf32>, tensor<f32>) -> tensor<8xf32>
  %r = stablehlo.add %s, %t : tensor<8xf32>
  return %r, %m : tensor<8xf32>, tensor<?x8xf32>
}

// -----

// The seed's kInput drawing with reductions of both kinds: one kernel, in which rows lead and columns are added up beside
// them, whichever comes first.
// CHECK-LABEL: @rows_and_columns
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK: "lmhlo.exponential"
// CHECK: "lmhlo.reduce"{{.*}}dimensions = array<i64: 0>
// CHECK: "lmhlo.reduce"{{.*}}dimensions = array<i64: 1>
// CHECK-NOT: "lmhlo.fusion"
// CHECK: hd.kind = "row"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
func.func @rows_and_columns(%a: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %a : tensor<8x8xf32>
  %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %t = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %s, %t : tensor<8xf32>, tensor<8xf32>
}

// -----

// Columns of what rows made; who reads them is another kernel, though 8 columns could be 8 rows by their shape.
// CHECK-LABEL: @columns_after_rows
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK: "lmhlo.reduce"{{.*}}dimensions = array<i64: 1>
// CHECK: "lmhlo.subtract"
// CHECK: "lmhlo.reduce"{{.*}}dimensions = array<i64: 0>
// CHECK: hd.kind = "row"
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.add"
// CHECK: hd.kind = "loop"
// CHECK: return
func.func @columns_after_rows(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %a : tensor<8x8xf32>
  %r = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %x = stablehlo.subtract %e, %b : tensor<8x8xf32>
  %c = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %s = stablehlo.add %r, %c : tensor<8xf32>
  return %x, %s : tensor<8x8xf32>, tensor<8xf32>
}

// -----

// A product stays alone.
// CHECK-LABEL: @product
// CHECK: "lmhlo.dot"
// CHECK-NEXT: lmhlo.terminator
// CHECK-NEXT: hd.kind = "gemm"
// CHECK: "lmhlo.tanh"
// CHECK: hd.kind = "loop"
func.func @product(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %d = stablehlo.dot %a, %a : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = stablehlo.tanh %d : tensor<8x8xf32>
  return %t : tensor<8x8xf32>
}
