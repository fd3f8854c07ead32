// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --lhlo-legalize-to-loop --cse --input-inline-fusion --dead-temp-buffer-removal --disc-remove-dead-buffer --cse --split-input-file %s | FileCheck %s

// A chain of diamonds: each of ten steps reads the one before twice, and there are ten multiplications, not 2^10.
// CHECK-LABEL: @diamonds
// CHECK-NOT: lmhlo
// CHECK: scf.parallel
// CHECK: memref.load %arg0
// CHECK-NOT: memref.load
// CHECK-COUNT-10: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK: memref.store %{{.*}}, %arg1
func.func @diamonds(%a: memref<8xf32>, %o: memref<8xf32>) -> memref<8xf32> {
  %0 = memref.alloc() : memref<8xf32>
  %1 = memref.alloc() : memref<8xf32>
  %2 = memref.alloc() : memref<8xf32>
  %3 = memref.alloc() : memref<8xf32>
  %4 = memref.alloc() : memref<8xf32>
  %5 = memref.alloc() : memref<8xf32>
  %6 = memref.alloc() : memref<8xf32>
  %7 = memref.alloc() : memref<8xf32>
  %8 = memref.alloc() : memref<8xf32>
  "lmhlo.fusion"() ({
    "lmhlo.multiply"(%a, %a, %0) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
    "lmhlo.multiply"(%0, %0, %1) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
    "lmhlo.multiply"(%1, %1, %2) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
    "lmhlo.multiply"(%2, %2, %3) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
    "lmhlo.multiply"(%3, %3, %4) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
    "lmhlo.multiply"(%4, %4, %5) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
    "lmhlo.multiply"(%5, %5, %6) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
    "lmhlo.multiply"(%6, %6, %7) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
    "lmhlo.multiply"(%7, %7, %8) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
    "lmhlo.multiply"(%8, %8, %o) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %o : memref<8xf32>
}

// -----

// Loads of equal indices merge also where two ways compute them; other indices are other loads.
// CHECK-LABEL: @indices
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %arg0 {{\[\[}}0, 1]]
// CHECK: %[[X:.*]] = memref.load %arg0[%[[J]], %[[I]]]
// CHECK: %[[N:.*]] = arith.negf %[[X]]
// CHECK-NOT: memref.load %arg0[%[[J]], %[[I]]]
// What is read where the loop stands has the position that is written.
// CHECK: %[[P:.*]] = arith.muli %[[I]], %c8
// CHECK: %[[K:.*]] = arith.addi %[[P]], %[[J]]
// CHECK: %[[Y:.*]] = memref.load %[[FLAT]][%[[K]]]
// CHECK-NOT: memref.load
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[K]]]
func.func @indices(%a: memref<8x8xf32>, %o: memref<8x8xf32>) -> memref<8x8xf32> {
  %n = memref.alloc() : memref<8x8xf32>
  %t = memref.alloc() : memref<8x8xf32>
  %u = memref.alloc() : memref<8x8xf32>
  %s = memref.alloc() : memref<8x8xf32>
  "lmhlo.fusion"() ({
    "lmhlo.transpose"(%a, %t) <{permutation = array<i64: 1, 0>}> {hd.inline} : (memref<8x8xf32>, memref<8x8xf32>) -> ()
    "lmhlo.transpose"(%a, %u) <{permutation = array<i64: 1, 0>}> {hd.inline} : (memref<8x8xf32>, memref<8x8xf32>) -> ()
    "lmhlo.negate"(%t, %n) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
    "lmhlo.add"(%n, %u, %s) : (memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>) -> ()
    "lmhlo.subtract"(%s, %a, %o) : (memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %o : memref<8x8xf32>
}

// -----

// A root's value, two steps on, is used again by another root; the exponential is computed once.
// CHECK-LABEL: @root_again
// CHECK: %[[E:.*]] = math.exp
// CHECK-NOT: memref.load
// CHECK-NOT: math.exp
// CHECK: %[[N:.*]] = arith.negf %[[E]]
// CHECK: %[[M:.*]] = arith.mulf %[[N]], %[[N]]
// CHECK: memref.store %[[E]], %arg1
// CHECK: memref.store %[[M]], %arg2
func.func @root_again(%a: memref<8xf32>, %o: memref<8xf32>, %p: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %n = memref.alloc() : memref<8xf32>
  "lmhlo.fusion"() ({
    "lmhlo.exponential"(%a, %o) : (memref<8xf32>, memref<8xf32>) -> ()
    "lmhlo.negate"(%o, %n) : (memref<8xf32>, memref<8xf32>) -> ()
    "lmhlo.multiply"(%n, %n, %p) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %o, %p : memref<8xf32>, memref<8xf32>
}

// -----

// A reduction's result is taken from the shuffles, not from memory, and is not stored when only its kernel needs it.
// CHECK-LABEL: @stitched
// CHECK-NOT: lmhlo
// CHECK-COUNT-5: gpu.shuffle
// CHECK-NOT: memref.store
// CHECK: scf.for %[[J:.*]] =
// CHECK: %[[P:.*]] = arith.muli %{{.*}}, %c64
// CHECK: %[[K:.*]] = arith.addi %[[P]], %[[J]]
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[K]]] : memref<?xf32>
// CHECK: %[[S:.*]] = arith.subf %[[X]], %{{.*}} fastmath<contract> : f32
// CHECK: memref.store %[[S]], %{{.*}}[%[[K]]] : memref<?xf32>
func.func @stitched(%a: memref<?x64xf32>) -> memref<?x64xf32> {
  %c0 = arith.constant 0 : index
  %d = memref.dim %a, %c0 : memref<?x64xf32>
  %o = memref.alloc(%d) : memref<?x64xf32>
  %i = memref.alloc() : memref<f32>
  %r = memref.alloc(%d) : memref<?xf32>
  %b = memref.alloc(%d) : memref<?x64xf32>
  "lmhlo.fusion"() ({
    "lmhlo.constant"(%i) <{value = dense<0xFF800000> : tensor<f32>}> {hd.inline} : (memref<f32>) -> ()
    "lmhlo.reduce"(%a, %i, %r) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.maximum %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x64xf32>, memref<f32>, memref<?xf32>) -> ()
    "lmhlo.dynamic_broadcast_in_dim"(%r, %b) <{broadcast_dimensions = array<i64: 0>}> {hd.inline} : (memref<?xf32>, memref<?x64xf32>) -> ()
    "lmhlo.subtract"(%a, %b, %o) : (memref<?x64xf32>, memref<?x64xf32>, memref<?x64xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  return %o : memref<?x64xf32>
}

// -----

// Narrow floats stay wide between the ops of a kernel and are rounded where they are stored.
// CHECK-LABEL: @bf16
// CHECK: arith.extf
// CHECK: arith.mulf
// CHECK-NOT: arith.truncf
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: memref.store
func.func @bf16(%a: memref<8xbf16>, %o: memref<8xbf16>) -> memref<8xbf16> {
  %t = memref.alloc() : memref<8xbf16>
  "lmhlo.fusion"() ({
    "lmhlo.multiply"(%a, %a, %t) : (memref<8xbf16>, memref<8xbf16>, memref<8xbf16>) -> ()
    "lmhlo.add"(%t, %a, %o) : (memref<8xbf16>, memref<8xbf16>, memref<8xbf16>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %o : memref<8xbf16>
}

// -----

// A narrow root's value is used again as it was computed: not rounded, widened and computed once more.
// CHECK-LABEL: @bf16_root
// CHECK: %[[M:.*]] = arith.mulf
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[M]], %[[M]]
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]]
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[M]]
// CHECK-NEXT: memref.store %[[R]], %arg1
func.func @bf16_root(%a: memref<8xbf16>, %o: memref<8xbf16>, %p: memref<8xbf16>) -> (memref<8xbf16>, memref<8xbf16>) {
  %n = memref.alloc() : memref<8xbf16>
  "lmhlo.fusion"() ({
    "lmhlo.multiply"(%a, %a, %o) : (memref<8xbf16>, memref<8xbf16>, memref<8xbf16>) -> ()
    "lmhlo.add"(%o, %o, %n) : (memref<8xbf16>, memref<8xbf16>, memref<8xbf16>) -> ()
    "lmhlo.negate"(%n, %p) : (memref<8xbf16>, memref<8xbf16>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %o, %p : memref<8xbf16>, memref<8xbf16>
}
