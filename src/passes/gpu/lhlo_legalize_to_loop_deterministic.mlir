// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --lhlo-legalize-to-loop=deterministic --cse --split-input-file %s | FileCheck %s

// Without atomics a second kernel brings parts together, and adds the initial value.
// CHECK-NOT: atomic
// CHECK: %[[PARTS:.*]] = memref.alloc
// CHECK: memref.store %{{.*}}, %[[PARTS]]
// CHECK: hd.kernel_name = "column_reduce_0_parts"
// CHECK: memref.load %[[PARTS]]
// CHECK: memref.load %arg1[]
// CHECK: memref.store %{{.*}}, %arg2
// CHECK: hd.kernel_name = "column_reduce_0",
// CHECK-NOT: atomic
func.func @column(%a: memref<?x?xf32>, %init: memref<f32>, %r: memref<?xf32>) -> memref<?xf32> {
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%a, %init, %r) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x?xf32>, memref<f32>, memref<?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %r : memref<?xf32>
}

// -----

// What the columns are made of lives on: it is stored on the way.
// CHECK-LABEL: @column_and_elements
// CHECK-NOT: atomic
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK: memref.store %{{.*}}, %arg3[%[[I]], %[[J:.*]]]
// CHECK: hd.kernel_name = "column_negate_reduce_0_parts"
// CHECK: memref.store %{{.*}}, %arg2[%
// CHECK: hd.kernel_name = "column_negate_reduce_0",
func.func @column_and_elements(%a: memref<?x?xf32>, %init: memref<f32>, %r: memref<?xf32>, %n: memref<?x?xf32>) -> (memref<?xf32>, memref<?x?xf32>) {
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%a, %n) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
    "lmhlo.reduce"(%n, %init, %r) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x?xf32>, memref<f32>, memref<?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "column", hd.outputs = 0 : i64} : () -> ()
  return %r, %n : memref<?xf32>, memref<?x?xf32>
}

// -----

// Columns beside rows are a kernel behind theirs; what they read of the rows' insides is written for them.
// CHECK-LABEL: @row_and_column
// CHECK-NOT: atomic
// CHECK: memref.store %{{.*}}, %arg4[
// CHECK: hd.kernel_name = "row_negate_reduce_0"
// CHECK: scf.for
// CHECK: memref.load %arg4[
// CHECK: hd.kernel_name = "column_reduce_1_parts"
// CHECK: memref.store %{{.*}}, %arg3[
// CHECK: hd.kernel_name = "column_reduce_1",
// CHECK-NOT: atomic
func.func @row_and_column(%a: memref<?x?xf32>, %init: memref<f32>, %r: memref<?xf32>, %c: memref<?xf32>, %t: memref<?x?xf32>) -> (memref<?xf32>, memref<?xf32>) {
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%a, %t) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
    "lmhlo.reduce"(%t, %init, %r) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x?xf32>, memref<f32>, memref<?xf32>) -> ()
    "lmhlo.reduce"(%t, %init, %c) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x?xf32>, memref<f32>, memref<?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  return %r, %c : memref<?xf32>, memref<?xf32>
}

// -----

// What both compute where they read it, as the initial value of both, each kernel computes for itself: nobody writes it.
// CHECK-LABEL: @row_and_column_of_one_constant
// CHECK: lmhlo.fusion
// CHECK: "lmhlo.constant"(%[[INIT:.*]]) <{value
// CHECK: memref.load %[[INIT]][]
// CHECK: hd.kernel_name = "row_reduce_0"
// CHECK: lmhlo.fusion
// CHECK: "lmhlo.constant"(%[[INIT]]) <{value
// CHECK: memref.load %[[INIT]][]
func.func @row_and_column_of_one_constant(%a: memref<?x?xf32>, %r: memref<?xf32>, %c: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
  %init = memref.alloc() : memref<f32>
  "lmhlo.fusion"() ({
    "lmhlo.constant"(%init) <{value = dense<0.0> : tensor<f32>}> {hd.inline} : (memref<f32>) -> ()
    "lmhlo.reduce"(%a, %init, %r) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x?xf32>, memref<f32>, memref<?xf32>) -> ()
    "lmhlo.reduce"(%a, %init, %c) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x?xf32>, memref<f32>, memref<?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  return %r, %c : memref<?xf32>, memref<?xf32>
}
