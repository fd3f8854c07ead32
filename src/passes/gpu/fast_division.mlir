// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-fast-division --cse --split-input-file %s | FileCheck %s

// The quotient and the remainder by one size of the run: the host computes its numbers once, before the launch.
// CHECK-LABEL: @both
// CHECK: %[[D:.*]] = arith.index_cast %arg1 : index to i64
// CHECK: %[[M:.*]] = arith.maxui %[[D]], %c1_i64
// CHECK: %[[B:.*]] = arith.subi %[[M]], %c1_i64
// CHECK: %[[Z:.*]] = math.ctlz %[[B]] : i64
// CHECK: %[[S:.*]] = arith.subi %c64_i64, %[[Z]]
// CHECK: %[[E:.*]] = arith.addi %[[S]], %c31_i64
// CHECK: %[[P:.*]] = arith.shli %c1_i64, %[[E]]
// CHECK: %[[N:.*]] = arith.ceildivui %[[P]], %[[M]]
// CHECK: %[[MAGIC:.*]] = arith.trunci %[[N]] : i64 to i32
// CHECK: %[[SHIFT:.*]] = arith.trunci %[[S]] : i64 to i32
// CHECK-NOT: math.ctlz
// CHECK: gpu.launch blocks(%[[X:[^,]*]],
// CHECK: %[[X32:.*]] = arith.index_cast %[[X]] : index to i32
// CHECK: %[[TWICE:.*]] = arith.shli %[[X32]], %c1_i32
// CHECK: %{{.*}}, %[[HIGH:.*]] = arith.mului_extended %[[TWICE]], %[[MAGIC]] : i32
// CHECK: %[[Q32:.*]] = arith.shrui %[[HIGH]], %[[SHIFT]]
// CHECK: %[[Q:.*]] = arith.index_castui %[[Q32]] : i32 to index
// CHECK: %[[T:.*]] = arith.muli %[[Q]], %arg1
// CHECK: %[[R:.*]] = arith.subi %[[X]], %[[T]]
// CHECK: memref.load %arg0[%[[Q]], %[[R]]]
// CHECK-NOT: arith.divui
// CHECK-NOT: arith.remui
// A known divisor is the code generator's, one that the kernel computes has no number of the host.
// CHECK: arith.divui %[[X]], %c7
// CHECK: %[[OWN:.*]] = arith.addi %[[X]], %c7
// CHECK: arith.divui %[[X]], %[[OWN]]
func.func @both(%m: memref<?x?xf32>, %d: index, %n: index) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %q = arith.divui %bx, %d : index
    %r = arith.remui %bx, %d : index
    %v = memref.load %m[%q, %r] : memref<?x?xf32>
    %k = arith.divui %bx, %c7 : index
    memref.store %v, %m[%k, %q] : memref<?x?xf32>
    %own = arith.addi %bx, %c7 : index
    %o = arith.divui %bx, %own : index
    memref.store %v, %m[%o, %q] : memref<?x?xf32>
    gpu.terminator
  } {hd.index_bits = 32 : i64}
  return
}

// -----

// Indices of 64 bits have no such number.
// CHECK-LABEL: @wide
// CHECK-NOT: math.ctlz
// CHECK: arith.divui %{{.*}}, %arg1
func.func @wide(%m: memref<?xf32>, %d: index, %n: index, %x: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %q = arith.divui %bx, %d : index
    memref.store %x, %m[%q] : memref<?xf32>
    gpu.terminator
  }
  return
}
