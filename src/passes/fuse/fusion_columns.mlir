// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-hlo-legalize-to-lhlo "--disc-fusion=columns products-alone" --split-input-file %s | FileCheck %s

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

// Rows and columns are kernels apart.
// CHECK-LABEL: @rows_and_columns
// CHECK-DAG: hd.kind = "row"
// CHECK-DAG: hd.kind = "column"
func.func @rows_and_columns(%a: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %a : tensor<8x8xf32>
  %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %t = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %s, %t : tensor<8xf32>, tensor<8xf32>
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
