// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --disc-specialize-fusion-with-speculation --cse --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-specialize-fusion-with-speculation=target=cpu --cse --split-input-file %s | FileCheck %s --check-prefix=CPU
// RUN: not heddle-opt --disc-specialize-fusion-with-speculation=target=abacus --split-input-file %s 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: option 'target': expected one of: cpu, cuda, simt, spirv, got 'abacus'

// The CPU has no versions by the size of rows or by divisibility.
// CPU-LABEL: @rows
// CPU-NOT: scf.if
// CPU: return

// The seed's second example: versions of a reduction by the size of a row, where four elements divide it and where they
// do not. The versions' temporary buffers are apart.
// CHECK-LABEL: @rows
// CHECK: %[[N:.*]] = memref.dim %arg0, %c1
// CHECK: %[[R:.*]] = arith.remui %[[N]], %c4
// CHECK: %[[E:.*]] = arith.cmpi eq, %[[R]], %c0
// CHECK: %[[L:.*]] = arith.cmpi uge, %[[N]], %c128
// CHECK: %[[V:.*]] = arith.andi %[[E]], %[[L]] : i1
// CHECK: scf.if %[[V]] {
// CHECK: hd.schedule = "row-one-round", hd.threads = 256 : i64, hd.vector = 4 : i64, hd.vector_of = "rows"}
// CHECK: %[[LARGE:.*]] = arith.cmpi uge, %[[N]], %c8192
// CHECK: scf.if %[[LARGE]] {
// CHECK: hd.schedule = "row-two-rounds", hd.threads = 1024 : i64, hd.vector = 4 : i64, hd.vector_of = "rows"}
// CHECK: } else {
// CHECK: hd.schedule = "row-two-rounds", hd.threads = 256 : i64, hd.vector = 4 : i64, hd.vector_of = "rows"}
// CHECK: } else {
// CHECK-NOT: hd.vector
// CHECK: %[[SMALL:.*]] = arith.cmpi ult, %[[N]], %c1024
// CHECK: scf.if %[[SMALL]] {
// CHECK: "lmhlo.negate"(%arg0, %[[T0:.*]]) :
// CHECK: hd.schedule = "row-one-round", hd.threads = 256
// CHECK: } else {
// CHECK-NOT: "lmhlo.negate"(%arg0, %[[T0]]) :
// CHECK: hd.schedule = "row-two-rounds", hd.threads = 1024
func.func @rows(%a: memref<?x?xf32>, %init: memref<f32>, %r: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %a, %c0 : memref<?x?xf32>
  %d1 = memref.dim %a, %c1 : memref<?x?xf32>
  %t = memref.alloc(%d0, %d1) : memref<?x?xf32>
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%a, %t) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
    "lmhlo.reduce"(%t, %init, %r) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x?xf32>, memref<f32>, memref<?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  return %r : memref<?xf32>
}

// -----

// A row of known size is no question.
// CHECK-LABEL: @known_row
// CHECK-NOT: scf.if
// CHECK: hd.schedule = "row-two-rounds", hd.threads = 1024
func.func @known_row(%a: memref<?x10000xf32>, %init: memref<f32>, %r: memref<?xf32>) -> memref<?xf32> {
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%a, %init, %r) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x10000xf32>, memref<f32>, memref<?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  return %r : memref<?xf32>
}

// -----

// Four f32 at once where 4 divides their number: by a version, or without question. All ops read where they write, so rows
// may have any length; the widest access that divides what is known is taken.
// CHECK-LABEL: @vector
// CHECK: %[[R:.*]] = arith.remui %{{.*}}, %c4
// CHECK: %[[E:.*]] = arith.cmpi eq, %[[R]], %c0
// CHECK: scf.if %[[E]] {
// CHECK: hd.vector = 4
// CHECK: } else {
// CHECK-NOT: hd.vector
// CHECK: }
// CHECK: "lmhlo.negate"(%arg2, %arg3)
// CHECK: hd.vector = 4 : i64, hd.vector_of = "all"}
// CHECK: "lmhlo.negate"(%arg4, %arg5)
// CHECK: hd.vector = 2 : i64, hd.vector_of = "all"}
// CHECK: "lmhlo.negate"(%arg6, %arg7)
// CHECK: hd.vector = 8 : i64, hd.vector_of = "all"}
#global = #gpu.address_space<global>
func.func @vector(%a: memref<?xf32, #global>, %o: memref<?xf32, #global>, %b: memref<?x8xf32, #global>, %p: memref<?x8xf32, #global>,
                  %c: memref<2x7xf32, #global>, %q: memref<2x7xf32, #global>, %d: memref<?x8x3xbf16, #global>, %r: memref<?x8x3xbf16, #global>)
    -> (memref<?xf32, #global>, memref<?x8xf32, #global>, memref<2x7xf32, #global>, memref<?x8x3xbf16, #global>) {
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%a, %o) : (memref<?xf32, #global>, memref<?xf32, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%b, %p) : (memref<?x8xf32, #global>, memref<?x8xf32, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%c, %q) : (memref<2x7xf32, #global>, memref<2x7xf32, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%d, %r) : (memref<?x8x3xbf16, #global>, memref<?x8x3xbf16, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %o, %p, %q, %r : memref<?xf32, #global>, memref<?x8xf32, #global>, memref<2x7xf32, #global>, memref<?x8x3xbf16, #global>
}

// -----

// Beside a broadcast the last dim must be a multiple; roots of other shapes have loops of their own, without vectors.
// CHECK-LABEL: @beside_broadcasts
// CHECK: %[[R:.*]] = arith.remui %[[N:.*]], %c4
// CHECK: hd.vector = 4 : i64, hd.vector_of = "rows"}
// CHECK: } else {
// CHECK-NOT: hd.vector
#global = #gpu.address_space<global>
func.func @beside_broadcasts(%a: memref<8x?xf32, #global>, %b: memref<8xf32, #global>, %n: index) -> (memref<8x?xf32, #global>, memref<8x?xf32, #global>, memref<8xf32, #global>) {
  %x = memref.alloc(%n) : memref<8x?xf32, #global>
  %y = memref.alloc(%n) : memref<8x?xf32, #global>
  %z = memref.alloc(%n) : memref<8x?xf32, #global>
  %w = memref.alloc() : memref<8xf32, #global>
  "lmhlo.fusion"() ({
    "lmhlo.dynamic_broadcast_in_dim"(%b, %x) <{broadcast_dimensions = array<i64: 0>}> {hd.inline} : (memref<8xf32, #global>, memref<8x?xf32, #global>) -> ()
    "lmhlo.add"(%x, %x, %y) : (memref<8x?xf32, #global>, memref<8x?xf32, #global>, memref<8x?xf32, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%b, %w) : (memref<8xf32, #global>, memref<8xf32, #global>) -> ()
    "lmhlo.negate"(%y, %z) : (memref<8x?xf32, #global>, memref<8x?xf32, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %y, %z, %w : memref<8x?xf32, #global>, memref<8x?xf32, #global>, memref<8xf32, #global>
}

// -----

// The seed's first example: a version in which no broadcast does anything, when the dims agree; the other broadcast changes
// the rank and stays in both: a GPU need not ask in this version whether its dim is 1. On every target.
// CHECK-LABEL: @broadcasts
// CHECK: %[[A:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// CHECK: %[[B:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// CHECK: %[[AB:.*]] = arith.andi %[[A]], %[[B]]
// CHECK: %[[C:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// CHECK: %[[ALL:.*]] = arith.andi %[[AB]], %[[C]]
// CHECK: scf.if %[[ALL]] {
// CHECK: "lmhlo.fusion"
// CHECK-NOT: "lmhlo.dynamic_broadcast_in_dim"(%arg0
// CHECK: "lmhlo.dynamic_broadcast_in_dim"(%arg1, %[[T:[^)]*]]) {{.*}}hd.agrees
// CHECK-NEXT: "lmhlo.add"(%arg0, %[[T]], %{{.*}})
// CHECK: } else {
// CHECK: "lmhlo.dynamic_broadcast_in_dim"(%arg0
// CHECK: "lmhlo.dynamic_broadcast_in_dim"(%arg1
// CHECK: "lmhlo.add"
// CPU-LABEL: @broadcasts
// CPU: scf.if
// CPU-NOT: hd.agrees
// CPU: "lmhlo.add"(%arg0
func.func @broadcasts(%a: memref<?x?xf32>, %b: memref<?xf32>, %m: index, %n: index) -> memref<?x?xf32> {
  %x = memref.alloc(%m, %n) : memref<?x?xf32>
  %y = memref.alloc(%m, %n) : memref<?x?xf32>
  %z = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.fusion"() ({
    "lmhlo.dynamic_broadcast_in_dim"(%a, %x) <{broadcast_dimensions = array<i64: 0, 1>}> {hd.inline} : (memref<?x?xf32>, memref<?x?xf32>) -> ()
    "lmhlo.dynamic_broadcast_in_dim"(%b, %y) <{broadcast_dimensions = array<i64: 1>}> {hd.inline} : (memref<?xf32>, memref<?x?xf32>) -> ()
    "lmhlo.add"(%x, %y, %z) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %z : memref<?x?xf32>
}

// -----

// A broadcast whose result lives on is written in every version.
// CHECK-LABEL: @broadcast_root
// CHECK: scf.if
// CHECK: "lmhlo.dynamic_broadcast_in_dim"(%arg0, %[[O:[^)]*]]) {{.*}}hd.agrees
// CHECK: "lmhlo.negate"(%[[O]]
// CPU-LABEL: @broadcast_root
// CPU-NOT: scf.if
// CPU: return
func.func @broadcast_root(%a: memref<?x?xf32>, %m: index, %n: index) -> (memref<?x?xf32>, memref<?x?xf32>) {
  %x = memref.alloc(%m, %n) : memref<?x?xf32>
  %y = memref.alloc(%m, %n) : memref<?x?xf32>
  "lmhlo.fusion"() ({
    "lmhlo.dynamic_broadcast_in_dim"(%a, %x) <{broadcast_dimensions = array<i64: 0, 1>}> : (memref<?x?xf32>, memref<?x?xf32>) -> ()
    "lmhlo.negate"(%x, %y) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %x, %y : memref<?x?xf32>, memref<?x?xf32>
}

// -----

// Rows that are reduced by any function have one version more: a thread a row, where rows are shorter than a warp.
// CHECK-LABEL: @ordered
// CHECK: %[[N:.*]] = memref.dim %arg0, %c1
// CHECK: arith.cmpi ult, %[[N]], %c32
// CHECK: hd.schedule = "loop", hd.threads = 256
// CHECK: arith.cmpi ult, %[[N]], %c1024
// CHECK: hd.schedule = "row-one-round", hd.threads = 256
// CHECK: arith.cmpi uge, %[[N]], %c8192
// CHECK: hd.schedule = "row-two-rounds", hd.threads = 1024
// CHECK: hd.schedule = "row-two-rounds", hd.threads = 256
// CPU-LABEL: @ordered
// CPU-NOT: scf.if
// CPU: return
func.func @ordered(%a: memref<?x?xcomplex<f32>>, %init: memref<complex<f32>>, %r: memref<?xcomplex<f32>>) -> memref<?xcomplex<f32>> {
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%a, %init, %r) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<complex<f32>>, %y: tensor<complex<f32>>):
      %s = stablehlo.add %x, %y : tensor<complex<f32>>
      stablehlo.return %s : tensor<complex<f32>>
    }) : (memref<?x?xcomplex<f32>>, memref<complex<f32>>, memref<?xcomplex<f32>>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %r : memref<?xcomplex<f32>>
}

// -----

// A broadcast of one element, whatever its rank, is read nowhere in particular: all elements are one range.
// CHECK-LABEL: @beside_one_element
// CHECK: hd.vector = 4 : i64, hd.vector_of = "all"}
#global = #gpu.address_space<global>
func.func @beside_one_element(%a: memref<8x?xf32, #global>, %b: memref<1x1xf32, #global>, %n: index) -> memref<8x?xf32, #global> {
  %x = memref.alloc(%n) : memref<8x?xf32, #global>
  %y = memref.alloc(%n) : memref<8x?xf32, #global>
  "lmhlo.fusion"() ({
    "lmhlo.dynamic_broadcast_in_dim"(%b, %x) <{broadcast_dimensions = array<i64: 0, 1>}> {hd.inline} : (memref<1x1xf32, #global>, memref<8x?xf32, #global>) -> ()
    "lmhlo.add"(%a, %x, %y) : (memref<8x?xf32, #global>, memref<8x?xf32, #global>, memref<8x?xf32, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %y : memref<8x?xf32, #global>
}

// -----

// Tiles of products: 8000 matrices of 16 by 17 are many elements, of which none fills half a large tile.
// CHECK-LABEL: @small_matrices
// CHECK-NOT: scf.if
// CHECK: hd.schedule = "tile-small"
func.func @small_matrices(%x: memref<8000x16x4xf32>, %y: memref<8000x4x17xf32>, %r: memref<8000x16x17xf32>) {
  "lmhlo.fusion"() ({
    "lmhlo.dot_general"(%x, %y, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (memref<8000x16x4xf32>, memref<8000x4x17xf32>, memref<8000x16x17xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "product", hd.outputs = 0 : i64} : () -> ()
  return
}

// -----

// Tiles are counted in all matrices: 32 of 2 by 2.
// CHECK-LABEL: @large_matrices
// CHECK-NOT: scf.if
// CHECK: hd.schedule = "tile-large"
func.func @large_matrices(%x: memref<32x129x4xf32>, %y: memref<32x4x256xf32>, %r: memref<32x129x256xf32>) {
  "lmhlo.fusion"() ({
    "lmhlo.dot_general"(%x, %y, %r) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (memref<32x129x4xf32>, memref<32x4x256xf32>, memref<32x129x256xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "product", hd.outputs = 0 : i64} : () -> ()
  return
}
