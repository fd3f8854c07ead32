// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --lhlo-legalize-to-loop=deterministic --cse %s | FileCheck %s

// Without atomics a thread sums up a column, and needs no initialiser.
// CHECK-NOT: atomic
// CHECK: scf.parallel
// CHECK-NOT: scf.parallel
// CHECK: %[[S:.*]] = scf.for
// CHECK: memref.store %[[S]], %arg2
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
