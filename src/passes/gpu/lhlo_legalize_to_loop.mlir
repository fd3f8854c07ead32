// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --lhlo-legalize-to-loop --cse --split-input-file %s | FileCheck %s
// RUN: heddle-opt --target=cuda --lhlo-legalize-to-loop --lhlo-legalize-to-loop --cse --split-input-file %s | FileCheck %s
// RUN: not heddle-opt --lhlo-legalize-to-loop=target=abacus %s 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: option 'target': expected one of: cuda, simt, spirv, got 'abacus'

// Loop: only roots are expanded; a root that another root reads directly is the value at hand.
// CHECK-LABEL: @loop
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.multiply"(%arg0, %arg1, %[[T:.*]]) :
// CHECK-NOT: lmhlo.
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0, %c0) to (%{{.*}}, %{{.*}}) step (%c1, %c1)
// CHECK: %[[L:.*]] = memref.load %[[T]][%[[I]], %[[J]]]
// CHECK: %[[A:.*]] = arith.addf %[[L]], %{{.*}} : f32
// CHECK: %[[N:.*]] = arith.negf %[[A]]
// CHECK: memref.store %[[A]], %arg2[%[[I]], %[[J]]]
// CHECK: memref.store %[[N]], %arg3[%[[I]], %[[J]]]
// CHECK: {hd.kernel_name = "loop_multiply_add_negate_0", hd.threads = 256 : i64}
func.func @loop(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %o: memref<?x?xf32>, %p: memref<?x?xf32>) -> (memref<?x?xf32>, memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %a, %c0 : memref<?x?xf32>
  %d1 = memref.dim %a, %c1 : memref<?x?xf32>
  %t = memref.alloc(%d0, %d1) : memref<?x?xf32>
  "lmhlo.fusion"() ({
    "lmhlo.multiply"(%a, %b, %t) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
    "lmhlo.add"(%t, %b, %o) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
    "lmhlo.negate"(%o, %p) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %o, %p : memref<?x?xf32>, memref<?x?xf32>
}

// -----

// A short row: one warp, one round, no shared memory.
// CHECK-LABEL: @one_round
// CHECK: scf.parallel (%{{.*}}, %[[T:.*]]) = (%c0, %c0) to (%dim, %c32)
// CHECK: scf.for %{{.*}} = %[[T]] to %c100{{.*}} step %c32 iter_args
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.barrier
// CHECK-NOT: gpu.shuffle
func.func @one_round(%a: memref<?x100xf32>, %init: memref<f32>, %r: memref<?xf32>) -> memref<?xf32> {
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%a, %init, %r) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x100xf32>, memref<f32>, memref<?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  return %r : memref<?xf32>
}

// -----

// A row of unknown size: a block, two rounds. Integers shorter than a word travel as i32.
// CHECK-LABEL: @two_rounds
// CHECK: scf.parallel (%[[ROW:.*]], %[[T:.*]]) = (%c0, %c0) to (%{{.*}}, %c256)
// CHECK: scf.for %[[K:.*]] = %[[T]] to %{{.*}} step %c256
// CHECK: %[[D:.*]] = arith.remui %[[K]]
// CHECK: %[[E:.*]] = arith.divui %[[K]]
// CHECK: memref.load %arg0[%[[ROW]], %[[E]], %[[D]]] : memref<?x?x?xi8>
// CHECK: arith.extui %{{.*}} : i8 to i32
// CHECK: gpu.shuffle xor
// CHECK: arith.trunci %{{.*}} : i32 to i8
// CHECK: %[[S:.*]] = memref.alloca() : memref<8xi8, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: memref.load %[[S]]
// CHECK-COUNT-3: gpu.shuffle xor
// CHECK: scf.if
// CHECK-NEXT: memref.store %{{.*}}, %arg2[%[[ROW]]]
func.func @two_rounds(%a: memref<?x?x?xi8>, %init: memref<i8>, %r: memref<?xi8>) -> memref<?xi8> {
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%a, %init, %r) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%x: tensor<i8>, %y: tensor<i8>):
      %s = stablehlo.maximum %x, %y : tensor<i8>
      stablehlo.return %s : tensor<i8>
    }) : (memref<?x?x?xi8>, memref<i8>, memref<?xi8>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  return %r : memref<?xi8>
}

// -----

// The fusion's hint decides over what the size says.
// CHECK-LABEL: @hint
// CHECK: scf.parallel {{.*}} to (%{{.*}}, %c512)
// CHECK: gpu.barrier
// CHECK: hd.threads = 512
func.func @hint(%a: memref<?x100xf32>, %init: memref<f32>, %r: memref<?xf32>) -> memref<?xf32> {
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%a, %init, %r) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x100xf32>, memref<f32>, memref<?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64, hd.schedule = "row-two-rounds", hd.threads = 512 : i64} : () -> ()
  return %r : memref<?xf32>
}

// -----

// Columns: the initialiser is a loop of its own; eight groups of a block add up a part of 32 columns, which goes in by
// atomics.
// CHECK-LABEL: @column
// CHECK: scf.parallel (%[[I:.*]]) = (%c0) to (%{{.*}}) step
// CHECK: %[[INIT:.*]] = memref.load %arg1[]
// CHECK: memref.store %[[INIT]], %arg2[%[[I]]]
// CHECK: hd.kernel_name = "column_reduce_0_init"
// CHECK: scf.parallel (%[[T:.*]], %[[P:.*]], %[[ID:.*]]) = (%c0, %c0, %c0) to (%{{.*}}, %{{.*}}, %c256) step
// CHECK: %[[TILE:.*]] = arith.muli %[[T]], %c32
// CHECK: %[[C:.*]] = arith.addi %[[TILE]], %{{.*}}
// CHECK: %[[SUM:.*]] = scf.for %[[R:.*]] = %{{.*}} to %{{.*}} step %c1{{.*}} iter_args
// CHECK: memref.load %arg0[%[[R]], %[[C]]]
// CHECK-COUNT-3: gpu.barrier
// CHECK: memref.atomic_rmw addf %{{.*}}, %arg2[%[[C]]] : (f32, memref<?xf32>) -> f32
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

// No hardware multiplies atomically, and bf16 would lose its bits on the way: parts go to a scratch buffer, in f32, which a
// second kernel brings together.
// CHECK-LABEL: @no_atomics
// CHECK-NOT: atomic
// CHECK: hd.kernel_name = "column_reduce_0_parts"
// CHECK: hd.kernel_name = "column_reduce_0"
// CHECK-NOT: atomic
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: memref.load %arg3[{{.*}} : memref<?x?xbf16>
// CHECK: hd.kernel_name = "column_reduce_1_parts"
// CHECK: memref.load %{{.*}} : memref<?xf32>
// CHECK: hd.kernel_name = "column_reduce_1"
func.func @no_atomics(%a: memref<?x?xf32>, %i: memref<f32>, %r: memref<?xf32>, %b: memref<?x?xbf16>, %j: memref<bf16>, %s: memref<?xbf16>) -> (memref<?xf32>, memref<?xbf16>) {
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%a, %i, %r) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %p = stablehlo.multiply %x, %y : tensor<f32>
      stablehlo.return %p : tensor<f32>
    }) : (memref<?x?xf32>, memref<f32>, memref<?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%b, %j, %s) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
      %p = stablehlo.add %x, %y : tensor<bf16>
      stablehlo.return %p : tensor<bf16>
    }) : (memref<?x?xbf16>, memref<bf16>, memref<?xbf16>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %r, %s : memref<?xf32>, memref<?xbf16>
}

// -----

// Rows and columns: the schedule is the row's, the columns are added up by atomics in it, after their initialiser.
// CHECK-LABEL: @row_and_column
// CHECK: hd.kernel_name = "row_reduce_0_init"
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK: memref.atomic_rmw addf %{{.*}}, %arg3
// CHECK: hd.kernel_name = "row_reduce_0", hd.threads
func.func @row_and_column(%a: memref<?x?xf32>, %init: memref<f32>, %r: memref<?xf32>, %c: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
  "lmhlo.fusion"() ({
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

// -----

// One element is one thread.
// CHECK-LABEL: @scalar
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%c1)
// CHECK: memref.store %{{.*}}, %arg1[]
func.func @scalar(%a: memref<f32>, %r: memref<f32>) -> memref<f32> {
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%a, %r) : (memref<f32>, memref<f32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %r : memref<f32>
}

// -----

// A reduction by any function, here of pairs, goes in the order of the elements: neighbours first, the left one on the
// left, and the initial value once.
// CHECK-LABEL: @ordered
// CHECK: scf.parallel (%{{.*}}, %[[LANE:.*]]) = (%c0, %c0) to (%{{.*}}, %c32)
// CHECK: scf.for %[[TILE:.*]] = %c0 to %c100{{.*}} step %c32 iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: %[[AT:.*]] = arith.addi %[[TILE]], %[[LANE]]
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %c100
// CHECK: scf.if %[[IN]] -> (f32)
// CHECK: gpu.shuffle xor %{{.*}}, %c1_i32
// CHECK: gpu.shuffle xor %{{.*}}, %c1_i32
// CHECK: gpu.shuffle xor %{{.*}}, %c2_i32
// CHECK: gpu.shuffle xor %{{.*}}, %c16_i32
// CHECK: arith.mulf %[[A]], %
// CHECK-NOT: gpu.barrier
// CHECK: memref.store %{{.*}}, %arg4
// CHECK: memref.store %{{.*}}, %arg5
// CHECK: hd.kernel_name = "row_reduce_0"
func.func @ordered(%a: memref<?x100xf32>, %b: memref<?x100xf32>, %i: memref<f32>, %j: memref<f32>, %r: memref<?xf32>, %q: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%a, %b, %i, %j, %r, %q) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>, %v: tensor<f32>, %w: tensor<f32>):
      %m = stablehlo.multiply %x, %v : tensor<f32>
      %n = stablehlo.multiply %x, %w : tensor<f32>
      %s = stablehlo.add %n, %y : tensor<f32>
      stablehlo.return %m, %s : tensor<f32>, tensor<f32>
    }) {hd.outputs = 2 : i64} : (memref<?x100xf32>, memref<?x100xf32>, memref<f32>, memref<f32>, memref<?xf32>, memref<?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %r, %q : memref<?xf32>, memref<?xf32>
}

// -----

// A column reduction that nobody reads, beside a row one: the rows have the loop, and nothing is refused.
// CHECK-LABEL: @dead_column
// CHECK: scf.parallel
// CHECK: hd.kernel_name = "row_reduce_0"
// CHECK-NOT: scf.parallel
func.func @dead_column(%a: memref<8x?xf32>, %init: memref<f32>, %r: memref<8xf32>) -> memref<8xf32> {
  %c1 = arith.constant 1 : index
  %d1 = memref.dim %a, %c1 : memref<8x?xf32>
  %dead = memref.alloc(%d1) : memref<?xf32>
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%a, %init, %dead) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.minimum %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<8x?xf32>, memref<f32>, memref<?xf32>) -> ()
    "lmhlo.reduce"(%a, %init, %r) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.minimum %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<8x?xf32>, memref<f32>, memref<8xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  memref.dealloc %dead : memref<?xf32>
  return %r : memref<8xf32>
}

// -----

// A copy of a buffer to itself is nothing.
// CHECK-LABEL: @copy_to_itself
// CHECK-NEXT: return
func.func @copy_to_itself(%a: memref<4xf32>) -> memref<4xf32> {
  "lmhlo.copy"(%a, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  return %a : memref<4xf32>
}
