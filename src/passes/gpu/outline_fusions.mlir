// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --disc-outline-fusions --split-input-file | FileCheck %s
// RUN: heddle-opt %s --disc-outline-fusions --inline --symbol-dce --split-input-file | FileCheck %s --check-prefix=BACK --implicit-check-not='func.func private'
// RUN: heddle-opt %s --disc-outline-fusions --disc-specialize-fusion-with-speculation=target=simt --disc-lhlo-legalize-to-loop=target=simt --split-input-file | FileCheck %s --check-prefix=LOOPS

// Equal fusions are calls of one function, which has the buffer that only they read; the third adds, and stays.
// CHECK-LABEL: func.func private @fusion(
// CHECK-SAME: %[[X:arg0]]: memref<?xf32, #gpu.address_space<global>> {hd.dims = ["[[N:.*]]"]}, %[[Y:arg1]]: memref<?xf32, #gpu.address_space<global>> {hd.dims = ["size_0"]})
// CHECK-SAME: hd.constraint = ["size_0 == [[N]]"]
// CHECK: %[[S:.*]] = memref.dim %[[X]], %c0
// CHECK: %[[T:.*]] = memref.alloc(%[[S]])
// CHECK: lmhlo.exponential"(%[[X]], %[[T]])
// CHECK: lmhlo.negate"(%[[T]], %[[Y]])
// CHECK: return
// CHECK-LABEL: func.func @equal
// CHECK: call @fusion(%arg0, %[[A:.*]]) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
// CHECK-NEXT: call @fusion(%[[A]], %[[B:.*]]) :
// CHECK-NEXT: lmhlo.fusion
// CHECK: lmhlo.add
// CHECK-NOT: func.func
// BACK-LABEL: func.func @equal
// BACK-NOT: {{ call }}
// BACK-COUNT-2: lmhlo.exponential
// BACK: return
// LOOPS-LABEL: func.func private @fusion
// LOOPS: scf.parallel
// LOOPS-LABEL: func.func @equal
// LOOPS-COUNT-2: scf.parallel
// LOOPS-NOT: scf.parallel
// LOOPS: return
// EVAL: equal arg0=7
// EVAL: equal arg0=0
func.func @equal(%x: memref<?xf32, #gpu.address_space<global>> {hd.dims = ["n"]}) -> memref<?xf32, #gpu.address_space<global>> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32, #gpu.address_space<global>>
  %t = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %a = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %u = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %b = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %v = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %c = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  "lmhlo.fusion"() ({
    "lmhlo.exponential"(%x, %t) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.negate"(%t, %a) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.exponential"(%a, %u) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.negate"(%u, %b) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.add"(%a, %b, %v) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.negate"(%v, %c) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %c : memref<?xf32, #gpu.address_space<global>>
}

// -----

// What is read elsewhere too is an argument: the second fusion writes one more buffer, so the two are not equal.
// CHECK-LABEL: func.func @unequal
// CHECK-COUNT-2: lmhlo.fusion
// CHECK-NOT: func.func
// EVAL: unequal arg0=5
func.func @unequal(%x: memref<?xf32, #gpu.address_space<global>>) -> (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32, #gpu.address_space<global>>
  %t = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %a = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %u = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %b = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  "lmhlo.fusion"() ({
    "lmhlo.exponential"(%x, %t) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.negate"(%t, %a) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.exponential"(%a, %u) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.negate"(%u, %b) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %u, %b : memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>
}

// -----

// A dim that is a product of others is said to be it, so that what is written as two dims is read as one.
// CHECK-LABEL: func.func private @fusion(
// CHECK-SAME: {hd.dims = ["size_0", "s"]}
// CHECK-SAME: {hd.dims = ["size_1"]}
// CHECK-SAME: hd.constraint = ["s >= 2", "size_1 == size_0*s"]
// CHECK-LABEL: func.func @product
// CHECK-COUNT-2: call @fusion
// The program's own names are not given twice.
// EVAL: product arg0=3x5
func.func @product(%x: memref<?x?xf32, #gpu.address_space<global>> {hd.dims = ["size_0", "s"]}) -> (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) attributes {hd.constraint = ["s >= 2"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.dim %x, %c0 : memref<?x?xf32, #gpu.address_space<global>>
  %s = memref.dim %x, %c1 : memref<?x?xf32, #gpu.address_space<global>>
  %n = arith.muli %b, %s : index
  %t = memref.alloc(%b, %s) : memref<?x?xf32, #gpu.address_space<global>>
  %p = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %u = memref.alloc(%b, %s) : memref<?x?xf32, #gpu.address_space<global>>
  %q = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  "lmhlo.fusion"() ({
    "lmhlo.exponential"(%x, %t) : (memref<?x?xf32, #gpu.address_space<global>>, memref<?x?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.reshape"(%t, %p) : (memref<?x?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.exponential"(%x, %u) : (memref<?x?xf32, #gpu.address_space<global>>, memref<?x?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.reshape"(%u, %q) : (memref<?x?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %p, %q : memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>
}

// -----

// A size that only the run of this function tells (no argument has it): the fusions stay.
// CHECK-LABEL: func.func @alone
// CHECK-COUNT-2: lmhlo.fusion
// CHECK-NOT: func.func
func.func @alone(%x: memref<?xf32, #gpu.address_space<global>> {hd.dims = ["m"]}, %n: index, %a: memref<f32, #gpu.address_space<global>>, %o: memref<f32, #gpu.address_space<global>>) {
  %t = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %u = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %z = memref.alloc() : memref<f32, #gpu.address_space<global>>
  "lmhlo.fusion"() ({
    "lmhlo.broadcast_in_dim"(%a, %t) {broadcast_dimensions = array<i64>} : (memref<f32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.constant"(%z) {value = dense<0.0> : tensor<f32>} : (memref<f32, #gpu.address_space<global>>) -> ()
    "lmhlo.reduce"(%t, %z, %o) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) {dimensions = array<i64: 0>} : (memref<?xf32, #gpu.address_space<global>>, memref<f32, #gpu.address_space<global>>, memref<f32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.broadcast_in_dim"(%a, %u) {broadcast_dimensions = array<i64>} : (memref<f32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.constant"(%z) {value = dense<0.0> : tensor<f32>} : (memref<f32, #gpu.address_space<global>>) -> ()
    "lmhlo.reduce"(%u, %z, %o) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) {dimensions = array<i64: 0>} : (memref<?xf32, #gpu.address_space<global>>, memref<f32, #gpu.address_space<global>>, memref<f32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  return
}

// -----

// That a dim is divisible goes with it, so that vectors need no test of their own; of a dim that no argument has, nothing.
// CHECK-LABEL: func.func private @fusion(
// CHECK-SAME: hd.constraint = ["size_0 == [[N:.*]]", "[[N]] % 8 == 0"]
// CHECK-LABEL: func.func @divisible
// LOOPS-LABEL: func.func @alone
// LOOPS-LABEL: func.func private @fusion
// LOOPS-NOT: scf.if
// LOOPS-LABEL: func.func @divisible
// EVAL: divisible arg0=16 arg1=4
func.func @divisible(%x: memref<?xf32, #gpu.address_space<global>> {hd.dims = ["n"]}, %other: memref<?xf32, #gpu.address_space<global>> {hd.dims = ["m"]}) -> memref<?xf32, #gpu.address_space<global>> attributes {hd.constraint = ["n % 8 == 0", "m % 4 == 0"]} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32, #gpu.address_space<global>>
  %a = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %b = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  "lmhlo.fusion"() ({
    "lmhlo.exponential"(%x, %a) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.exponential"(%a, %b) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %b : memref<?xf32, #gpu.address_space<global>>
}

// -----

// The numbers that a fusion uses go with it.
// CHECK-LABEL: func.func private @fusion(
// CHECK: %[[START:.*]] = arith.constant 3 : index
// CHECK: "lmhlo.real_dynamic_slice"(%arg0, %{{.*}}, %[[START]], %{{.*}})
// CHECK-LABEL: func.func @numbers
// CHECK-COUNT-2: call @fusion
// EVAL: numbers arg0=9
func.func @numbers(%x: memref<?xf32, #gpu.address_space<global>>) -> (memref<4xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = memref.alloc() : memref<4xf32, #gpu.address_space<global>>
  %a = memref.alloc() : memref<4xf32, #gpu.address_space<global>>
  %u = memref.alloc() : memref<4xf32, #gpu.address_space<global>>
  %b = memref.alloc() : memref<4xf32, #gpu.address_space<global>>
  "lmhlo.fusion"() ({
    "lmhlo.real_dynamic_slice"(%x, %t, %c3, %c1) : (memref<?xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>, index, index) -> ()
    "lmhlo.exponential"(%t, %a) : (memref<4xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.real_dynamic_slice"(%x, %u, %c3, %c1) : (memref<?xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>, index, index) -> ()
    "lmhlo.exponential"(%u, %b) : (memref<4xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %a, %b : memref<4xf32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>
}

// -----

// Products that differ in static sizes alone share a function that leaves those open which fill tiles, and says so; what is static
// altogether stays, and a size that tiles do not divide is known.
// CHECK: func.func private @[[F:[a-z_0-9]+]](%[[X:arg0]]: memref<?x?xf32, #gpu.address_space<global>> {hd.dims = ["[[N:[a-z_0-9]+]]", "[[K:[a-z_0-9]+]]"]}, %[[W:arg1]]: memref<?x?xf32, #gpu.address_space<global>> {hd.dims = ["[[K2:[a-z_0-9]+]]", "[[M:[a-z_0-9]+]]"]}
// CHECK-SAME: "[[K]] >= 128", "[[K]] % 128 == 0", "[[K2]] == [[K]]", "[[M]] >= 128", "[[M]] % 128 == 0"
// CHECK: lmhlo.dot_general"(%[[X]], %[[W]], %arg2)
// CHECK: func.func @open
// CHECK: %[[CX:.*]] = memref.cast %arg0 : memref<?x256xf32, #gpu.address_space<global>> to memref<?x?xf32, #gpu.address_space<global>>
// CHECK: %[[CW:.*]] = memref.cast %arg1 : memref<256x384xf32, #gpu.address_space<global>> to memref<?x?xf32, #gpu.address_space<global>>
// CHECK: call @[[F]](%[[CX]], %[[CW]],
// CHECK: call @[[F]](
// CHECK: lmhlo.dot_general
// CHECK: lmhlo.dot_general
// CHECK: lmhlo.dot_general
// EVAL: open arg0=3x256 arg1=256x384 arg2=384x128 arg3=128x100 ~1e-5
func.func @open(%x: memref<?x256xf32, #gpu.address_space<global>> {hd.dims = ["n", ""]}, %w: memref<256x384xf32, #gpu.address_space<global>>, %v: memref<384x128xf32, #gpu.address_space<global>>, %u: memref<128x100xf32, #gpu.address_space<global>>) -> (memref<?x100xf32, #gpu.address_space<global>>, memref<256x128xf32, #gpu.address_space<global>>, memref<256x100xf32, #gpu.address_space<global>>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x256xf32, #gpu.address_space<global>>
  %a = memref.alloc(%n) : memref<?x384xf32, #gpu.address_space<global>>
  %b = memref.alloc(%n) : memref<?x128xf32, #gpu.address_space<global>>
  %c = memref.alloc(%n) : memref<?x100xf32, #gpu.address_space<global>>
  %d = memref.alloc() : memref<256x128xf32, #gpu.address_space<global>>
  %e = memref.alloc() : memref<256x100xf32, #gpu.address_space<global>>
  "lmhlo.fusion"() ({
    "lmhlo.dot_general"(%x, %w, %a) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (memref<?x256xf32, #gpu.address_space<global>>, memref<256x384xf32, #gpu.address_space<global>>, memref<?x384xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "product", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.dot_general"(%a, %v, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (memref<?x384xf32, #gpu.address_space<global>>, memref<384x128xf32, #gpu.address_space<global>>, memref<?x128xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "product", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.dot_general"(%b, %u, %c) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (memref<?x128xf32, #gpu.address_space<global>>, memref<128x100xf32, #gpu.address_space<global>>, memref<?x100xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "product", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.dot_general"(%w, %v, %d) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (memref<256x384xf32, #gpu.address_space<global>>, memref<384x128xf32, #gpu.address_space<global>>, memref<256x128xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "product", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.dot_general"(%d, %u, %e) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (memref<256x128xf32, #gpu.address_space<global>>, memref<128x100xf32, #gpu.address_space<global>>, memref<256x100xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {hd.kind = "product", hd.outputs = 0 : i64} : () -> ()
  return %c, %d, %e : memref<?x100xf32, #gpu.address_space<global>>, memref<256x128xf32, #gpu.address_space<global>>, memref<256x100xf32, #gpu.address_space<global>>
}
