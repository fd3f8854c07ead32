// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-vectorize-loops --cse --split-input-file %s | FileCheck %s

// Four neighbours at once: a quarter of the threads, one load and one store of 16 bytes each.
// CHECK-LABEL: @all
// CHECK: %[[N:.*]] = arith.divui %arg2, %c4
// CHECK: scf.parallel (%[[T:.*]]) = (%c0) to (%[[N]]) step (%c1) {
// CHECK: %[[K:.*]] = arith.muli %[[T]], %c4
// CHECK: %[[V:.*]] = vector.load %arg0[%[[K]]] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK: %[[W:.*]] = arith.mulf %[[V]], %[[V]] : vector<4xf32>
// CHECK: vector.store %[[W]], %arg1[%[[K]]] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK-NOT: hd.vector
func.func @all(%a: memref<?xf32>, %o: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%k] : memref<?xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %o[%k] : memref<?xf32>
    scf.reduce
  } {hd.vector = 4 : i64, hd.vector_of = "all"}
  return
}

// -----

// Rows of a multiple of four: the column's four lie together too, the row and what is read for it are one. Wider elements
// take several accesses.
// CHECK-LABEL: @rows
// CHECK: %[[K:.*]] = arith.muli %{{.*}}, %c4
// CHECK: %[[K2:.*]] = arith.addi %[[K]], %c2
// CHECK: %[[J:.*]] = arith.remui %[[K]], %arg4
// CHECK: %[[I:.*]] = arith.divui %[[K]], %arg4
// CHECK: vector.load %arg1[%[[J]]] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK: memref.load %arg0[%[[I]]]
// CHECK-NOT: memref.load
// CHECK: vector.store %{{.*}}, %arg2[%[[K]]] {alignment = 16 : i64} : memref<?xf64>, vector<2xf64>
// CHECK: vector.store %{{.*}}, %arg2[%[[K2]]] {alignment = 16 : i64} : memref<?xf64>, vector<2xf64>
func.func @rows(%row: memref<?xf32>, %column: memref<?xf32>, %o: memref<?xf64>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {
    %j = arith.remui %k, %d : index
    %i = arith.divui %k, %d : index
    %x = memref.load %column[%j] : memref<?xf32>
    %y = memref.load %row[%i] : memref<?xf32>
    %s = arith.addf %x, %y : f32
    %w = arith.extf %s : f32 to f64
    memref.store %w, %o[%k] : memref<?xf64>
    scf.reduce
  } {hd.vector = 4 : i64, hd.vector_of = "rows"}
  return
}

// -----

// The whole is a multiple of four, rows need not be: four neighbours may lie in two of them. Other places and elements
// of less than a byte are loaded one by one.
// CHECK-LABEL: @apart
// CHECK-NOT: vector.load
// CHECK-COUNT-4: memref.load %arg0
// CHECK-NOT: vector.load
// CHECK-COUNT-4: memref.load %arg1
// CHECK-COUNT-4: memref.store
func.func @apart(%a: memref<?xf32>, %p: memref<?xi1>, %o: memref<?xf32>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {
    %j = arith.remui %k, %d : index
    %x = memref.load %a[%j] : memref<?xf32>
    %c = memref.load %p[%k] : memref<?xi1>
    %m = arith.subi %n, %k : index
    %l = arith.subi %m, %c1 : index
    scf.if %c {
      memref.store %x, %o[%l] : memref<?xf32>
    }
    scf.reduce
  } {hd.vector = 4 : i64, hd.vector_of = "all"}
  return
}

// -----

// A row in the threads of a warp: each has four neighbours, which it adds up one after the other.
// CHECK-LABEL: @along
// CHECK: %[[FIRST:.*]] = arith.muli %arg3, %c4
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %arg4 step %c128 iter_args(%[[S:.*]] = %{{.*}})
// CHECK: %[[P:.*]] = arith.muli %arg2, %arg4
// CHECK: %[[K:.*]] = arith.addi %[[P]], %[[I]]
// CHECK: %[[V:.*]] = vector.load %arg0[%[[K]]] {alignment = 8 : i64} : memref<?xbf16>, vector<4xbf16>
// CHECK: %[[S0:.*]] = arith.addf %[[S]], %
// CHECK: %[[S1:.*]] = arith.addf %[[S0]], %
// CHECK: %[[S2:.*]] = arith.addf %[[S1]], %
// CHECK: %[[S3:.*]] = arith.addf %[[S2]], %
// CHECK: scf.yield %[[S3]]
func.func @along(%a: memref<?xbf16>, %o: memref<f32>, %row: index, %t: index, %n: index) {
  %c32 = arith.constant 32 : index
  %z = arith.constant 0.0 : f32
  %s = scf.for %i = %t to %n step %c32 iter_args(%acc = %z) -> (f32) {
    %p = arith.muli %row, %n : index
    %k = arith.addi %p, %i : index
    %x = memref.load %a[%k] : memref<?xbf16>
    %y = arith.extf %x : bf16 to f32
    %q = arith.addf %acc, %y : f32
    scf.yield %q : f32
  } {hd.vector = 4 : i64, hd.vector_of = "rows"}
  memref.store %s, %o[] : memref<f32>
  return
}

// -----

// No mark, no vectors.
// CHECK-LABEL: @unmarked
// CHECK-NOT: vector
func.func @unmarked(%a: memref<8xf32>, %o: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%k) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %a[%k] : memref<8xf32>
    memref.store %x, %o[%k] : memref<8xf32>
    scf.reduce
  }
  return
}

// -----

// Numbers are vectors from load to store, constants too; what has branches is done once each.
// CHECK-LABEL: @numbers
// CHECK: %[[V:.*]] = vector.load %arg0{{.*}} vector<8xbf16>
// CHECK: %[[X:.*]] = arith.extf %[[V]] : vector<8xbf16> to vector<8xf32>
// CHECK: %[[C:.*]] = arith.constant dense<5.000000e-01> : vector<8xf32>
// CHECK: %[[M:.*]] = arith.mulf %[[X]], %[[C]] : vector<8xf32>
// CHECK: %[[T:.*]] = math.tanh %[[M]] {hd.rounds = "bf16"} : vector<8xf32>
// CHECK-COUNT-8: math.sin {{.*}} : f32
// CHECK: %[[S:.*]] = vector.from_elements
// CHECK: %[[A:.*]] = arith.addf %[[T]], %[[S]] : vector<8xf32>
// CHECK: %[[R:.*]] = arith.truncf %[[A]] : vector<8xf32> to vector<8xbf16>
// CHECK: vector.store %[[R]], %arg1
func.func @numbers(%a: memref<?xbf16>, %o: memref<?xbf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 5.000000e-01 : f32
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%k] : memref<?xbf16>
    %w = arith.extf %x : bf16 to f32
    %m = arith.mulf %w, %half : f32
    %t = math.tanh %m {hd.rounds = "bf16"} : f32
    %s = math.sin %m : f32
    %y = arith.addf %t, %s : f32
    %r = arith.truncf %y : f32 to bf16
    memref.store %r, %o[%k] : memref<?xbf16>
    scf.reduce
  } {hd.vector = 8 : i64, hd.vector_of = "all"}
  return
}
