// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-hlo-legalize-to-lhlo "--disc-fusion=target=cuda columns products-alone explain" --split-input-file %s | FileCheck %s --check-prefix=GPU
// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo "--disc-fusion=explain" --split-input-file %s | FileCheck %s --check-prefix=WHY

// Two reductions of the rows of an argument, one of its squares: one kernel that reads it once.
// CHECK-LABEL: @rows
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK: "lmhlo.reduce"
// CHECK: "lmhlo.multiply"
// CHECK: "lmhlo.reduce"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: hd.kind = "row"
// CHECK: return
func.func @rows(%a: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %q = stablehlo.multiply %a, %a : tensor<?x?xf32>
  %t = stablehlo.reduce(%q init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %s, %t : tensor<?xf32>, tensor<?xf32>
}

// -----

// Columns share a walk; what is made of them comes after, whichever place it had.
// CHECK-LABEL: @columns
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.reduce"
// CHECK: "lmhlo.reduce"
// CHECK: hd.kind = "column"
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.negate"
// CHECK: hd.kind = "loop"
// CHECK: return
// GPU-LABEL: @columns
// GPU: hd.kind = "column"
// GPU: return
func.func @columns(%a: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %g = stablehlo.negate %s : tensor<?xf32>
  %t = stablehlo.reduce(%a init: %n) applies stablehlo.maximum across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %g, %t : tensor<?xf32>, tensor<?xf32>
}

// -----

// Rows and columns of an argument: on a GPU the columns are done beside the rows.
// GPU-LABEL: @rows_and_columns
// GPU-COUNT-1: "lmhlo.fusion"
// GPU: "lmhlo.reduce"{{.*}}dimensions = array<i64: 0>
// GPU: "lmhlo.reduce"{{.*}}dimensions = array<i64: 1>
// GPU-NOT: "lmhlo.fusion"
// GPU: hd.kind = "row"
// GPU: return
// WHY-LABEL: @rows_and_columns
// WHY: both read the same elements, but one works on whole rows, the other on blocks of columns
func.func @rows_and_columns(%a: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %t = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %s, %t : tensor<?xf32>, tensor<?xf32>
}

// -----

// Elementwise ops of one shape.
// CHECK-LABEL: @elements
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK: "lmhlo.tanh"
// CHECK: "lmhlo.add"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
func.func @elements(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %s = stablehlo.tanh %a : tensor<?x?xf32>
  %t = stablehlo.add %a, %b : tensor<?x?xf32>
  return %s, %t : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// A dot must run between the two: that would be a cycle.
// GPU-LABEL: @cycle
// GPU-COUNT-3: "lmhlo.fusion"
// GPU-NOT: both read the same elements
// GPU: return
func.func @cycle(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %t = stablehlo.tanh %a : tensor<8x8xf32>
  %d = stablehlo.dot %t, %t : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %u = stablehlo.add %a, %d : tensor<8x8xf32>
  return %u : tensor<8x8xf32>
}

// -----

// What the first reads dies there: waiting for the second would keep it.
// GPU-LABEL: @memory
// GPU-COUNT-4: "lmhlo.fusion"
// GPU: both read the same elements, but more memory would be live while the first waits for the second
// GPU: return
func.func @memory(%a: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.dot %a, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %m = stablehlo.multiply %a, %x : tensor<?x8xf32>
  %s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  %y = stablehlo.dot %a, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  %n = stablehlo.add %a, %y : tensor<?x8xf32>
  %t = stablehlo.reduce(%n init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  return %s, %t : tensor<?xf32>, tensor<?xf32>
}

// -----

// Rows of two lengths, and rows beside single elements, stay apart.
// WHY-LABEL: @other_dims
// WHY: both read the same elements, but they reduce other dims
// WHY: return
func.func @other_dims(%a: tensor<?x?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %t = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1, 2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %s, %t : tensor<?x?xf32>, tensor<?xf32>
}

// -----

// WHY-LABEL: @rows_and_elements
// WHY: both read the same elements, but one has rows and the other has none
// WHY: return
func.func @rows_and_elements(%a: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %t = stablehlo.tanh %a : tensor<?x?xf32>
  return %s, %t : tensor<?xf32>, tensor<?x?xf32>
}

// -----

// What is made of the first reduction, through a broadcast, comes after both.
// CHECK-LABEL: @spread
// CHECK-COUNT-2: "lmhlo.fusion"
// CHECK: return
func.func @spread(%a: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x8xf32>, tensor<f32>) -> tensor<8xf32>
  %t = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<?x8xf32>, tensor<f32>) -> tensor<8xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %x = stablehlo.multiply %b, %w : tensor<8x8xf32>
  return %t, %x : tensor<8xf32>, tensor<8x8xf32>
}
