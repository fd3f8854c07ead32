// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-hlo-legalize-to-lhlo "--disc-fusion=target=cuda columns products-alone" --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-hlo-legalize-to-lhlo "--disc-fusion=target=cuda columns products-alone" --disc-lower-to-buffer-alias --split-input-file %s | FileCheck %s --check-prefix=VIEW

// Heads of attention: the product writes the transpose of its result, and the next one reads it as rows, through no reshape.
// CHECK-LABEL: @heads
// CHECK: "lmhlo.fusion"
// CHECK-NEXT: "lmhlo.dot_general"(%arg0, %arg1, %[[R:[a-z_0-9]+]])
// CHECK-NEXT: "lmhlo.transpose"(%[[R]], %[[T:[a-z_0-9]+]])
// CHECK-NEXT: lmhlo.terminator
// CHECK: hd.kind = "gemm"
// CHECK: "lmhlo.dynamic_reshape"(%[[T]], %[[V:[a-z_0-9]+]])
// CHECK: "lmhlo.fusion"
// CHECK-NEXT: "lmhlo.dot_general"(%[[V]], %arg2
// CHECK-NEXT: lmhlo.terminator
// VIEW-LABEL: @heads
// VIEW: "lmhlo.transpose"(%{{.*}}, %[[T:[a-z_0-9]+]])
// VIEW: %[[V:[a-z_0-9]+]] = memref.reinterpret_cast %[[T]]
// VIEW-NOT: dynamic_reshape
// VIEW: "lmhlo.dot_general"(%[[V]], %arg2
// EVAL: heads arg0=2x3x5x4 arg1=2x3x4x8 arg2=24x7 ~1e-5
func.func @heads(%p: tensor<?x3x?x?xf32>, %v: tensor<?x3x?x8xf32>, %w: tensor<24x7xf32>) -> tensor<?x?x7xf32> {
  %0 = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x3x?x?xf32>, tensor<?x3x?x8xf32>) -> tensor<?x3x?x8xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3] : (tensor<?x3x?x8xf32>) -> tensor<?x?x3x8xf32>
  %b = stablehlo.get_dimension_size %p, dim = 0 : (tensor<?x3x?x?xf32>) -> tensor<i32>
  %s = stablehlo.get_dimension_size %p, dim = 2 : (tensor<?x3x?x?xf32>) -> tensor<i32>
  %n = stablehlo.constant dense<24> : tensor<1xi32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s1 = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %b1, %s1, %n, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %2 = stablehlo.dynamic_reshape %1, %shape : (tensor<?x?x3x8xf32>, tensor<3xi32>) -> tensor<?x?x24xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [2] x [0] : (tensor<?x?x24xf32>, tensor<24x7xf32>) -> tensor<?x?x7xf32>
  return %3 : tensor<?x?x7xf32>
}

// -----

// What others read stays as it is, and a transpose that moves the last dim is not the product's: it goes through shared memory.
// CHECK-LABEL: @read_twice
// CHECK: "lmhlo.dot_general"(%arg0, %arg1, %[[R:[a-z_0-9]+]])
// CHECK-NEXT: lmhlo.terminator
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.transpose"(%[[R]]
// CHECK: "lmhlo.add"
// EVAL: read_twice arg0=3x5x4 arg1=3x4x2 ~1e-5
func.func @read_twice(%p: tensor<3x5x4xf32>, %v: tensor<3x4x2xf32>) -> (tensor<5x3x2xf32>, tensor<3x5x2xf32>) {
  %0 = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x5x4xf32>, tensor<3x4x2xf32>) -> tensor<3x5x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<3x5x2xf32>) -> tensor<5x3x2xf32>
  %2 = stablehlo.add %1, %1 : tensor<5x3x2xf32>
  return %2, %0 : tensor<5x3x2xf32>, tensor<3x5x2xf32>
}

// -----

// CHECK-LABEL: @moves_last
// CHECK: "lmhlo.dot_general"(%arg0, %arg1, %[[R:[a-z_0-9]+]])
// CHECK-NEXT: lmhlo.terminator
// CHECK: "lmhlo.transpose"(%[[R]]
// EVAL: moves_last arg0=5x4 arg1=4x6 ~1e-5
func.func @moves_last(%p: tensor<5x4xf32>, %v: tensor<4x6xf32>) -> tensor<6x5xf32> {
  %0 = stablehlo.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
  return %1 : tensor<6x5xf32>
}

// -----

// A reshape that others read through too, or that gives a result, is read through by each.
// CHECK-LABEL: @reshape_for_others
// CHECK: "lmhlo.exponential"(%arg0, %[[E:[a-z_0-9]+]])
// CHECK: "lmhlo.fusion"
// CHECK-NEXT: "lmhlo.reshape"(%[[E]], %[[V:[a-z_0-9]+]])
// CHECK-NEXT: "lmhlo.dot_general"(%[[V]], %arg1
// EVAL: reshape_for_others arg0=2x3x4 arg1=4x5 ~1e-5
func.func @reshape_for_others(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>) -> (tensor<6x5xf32>, tensor<6x4xf32>) {
  %0 = stablehlo.exponential %x : tensor<2x3x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<6x4xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  %3 = stablehlo.negate %1 : tensor<6x4xf32>
  return %2, %3 : tensor<6x5xf32>, tensor<6x4xf32>
}
