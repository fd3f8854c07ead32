// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --loop-coalescing --split-input-file %s | FileCheck %s

// CHECK-LABEL: @two
// CHECK: %[[N:.*]] = arith.muli %arg1, %arg2
// CHECK: scf.parallel (%[[K:.*]]) = (%{{.*}}) to (%[[N]]) step (%{{.*}}) {
// CHECK: %[[J:.*]] = arith.remui %[[K]], %arg2
// CHECK: %[[I:.*]] = arith.divui %[[K]], %arg2
// CHECK: memref.load %arg0[%[[I]], %[[J]]]
// CHECK: {hd.threads = 128 : i64}
func.func @two(%m: memref<?x?xf32>, %d0: index, %d1: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%d0, %d1) step (%c1, %c1) {
    %x = memref.load %m[%i, %j] : memref<?x?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %m[%i, %j] : memref<?x?xf32>
    scf.reduce
  } {hd.threads = 128 : i64}
  return
}

// -----

// Dims of one iteration cost nothing; lower bounds and steps become 0 and 1.
// CHECK-LABEL: @bounds
// CHECK: %[[SPAN:.*]] = arith.subi %arg2, %arg1
// CHECK: %[[SOME:.*]] = arith.maxsi %[[SPAN]]
// CHECK: %[[N:.*]] = arith.ceildivsi %[[SOME]], %c3
// CHECK: scf.parallel (%[[K:.*]]) = (%{{.*}}) to (%[[N]])
// CHECK-NOT: remui
// CHECK: %[[S:.*]] = arith.muli %[[K]], %c3
// CHECK: %[[I:.*]] = arith.addi %[[S]], %arg1
// CHECK: memref.load %arg0[%[[I]], %{{.*}}]
func.func @bounds(%m: memref<?x1xf32>, %low: index, %high: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i, %j) = (%low, %c0) to (%high, %c1) step (%c3, %c1) {
    %x = memref.load %m[%i, %j] : memref<?x1xf32>
    %y = arith.negf %x : f32
    memref.store %y, %m[%i, %j] : memref<?x1xf32>
    scf.reduce
  }
  return
}

// -----

// A flat loop stays as it is.
// CHECK-LABEL: @flat
// CHECK-NOT: arith.muli
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%arg0) step (%c1)
func.func @flat(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.reduce
  }
  return
}

// -----

// A loop that is all of another one's body makes a nest with it.
// CHECK-LABEL: @nested
// CHECK: %[[N:.*]] = arith.muli %arg1, %arg2
// CHECK: scf.parallel (%[[K:.*]]) = (%{{.*}}) to (%[[N]])
// CHECK: %[[J:.*]] = arith.remui %[[K]], %arg2
// CHECK: %[[I:.*]] = arith.divui %[[K]], %arg2
// CHECK: memref.load %arg0[%[[I]], %[[J]]]
// CHECK-NOT: scf.parallel
func.func @nested(%m: memref<?x?xf32>, %a: index, %b: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%a) step (%c1) {
    %c2 = arith.constant 2.0 : f32
    scf.parallel (%j) = (%c0) to (%b) step (%c1) {
      %x = memref.load %m[%i, %j] : memref<?x?xf32>
      %y = arith.mulf %x, %c2 : f32
      memref.store %y, %m[%i, %j] : memref<?x?xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}

// -----

// Not when the inner bounds follow from the outer index, nor with a store between: these are no nests.
// CHECK-LABEL: @triangle
// CHECK-COUNT-2: scf.parallel
// CHECK-LABEL: @between
// CHECK: scf.parallel
// CHECK: memref.store
// CHECK: scf.parallel
func.func @triangle(%m: memref<?x?xf32>, %a: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%a) step (%c1) {
    scf.parallel (%j) = (%c0) to (%i) step (%c1) {
      %x = memref.load %m[%i, %j] : memref<?x?xf32>
      memref.store %x, %m[%j, %i] : memref<?x?xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
func.func @between(%m: memref<?x?xf32>, %a: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%a) step (%c1) {
    memref.store %x, %m[%i, %i] : memref<?x?xf32>
    scf.parallel (%j) = (%c0) to (%a) step (%c1) {
      memref.store %x, %m[%j, %i] : memref<?x?xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}

// -----

// What is read at the position of the whole needs neither quotient nor remainder.
// CHECK-LABEL: @position
// CHECK: scf.parallel (%[[K:.*]]) =
// CHECK-NEXT: memref.load %arg0[%[[K]]]
// CHECK-NEXT: memref.store %{{.*}}, %arg1[%[[K]]]
// CHECK-NEXT: scf.reduce
func.func @position(%a: memref<?xf32>, %o: memref<?xf32>, %d0: index, %d1: index, %d2: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%d0, %d1, %d2) step (%c1, %c1, %c1) {
    %0 = arith.muli %i, %d1 : index
    %1 = arith.addi %0, %j : index
    %2 = arith.muli %1, %d2 : index
    %3 = arith.addi %2, %k : index
    %x = memref.load %a[%3] : memref<?xf32>
    memref.store %x, %o[%3] : memref<?xf32>
    scf.reduce
  }
  return
}
