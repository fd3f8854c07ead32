// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --integer-range-optimizations --allow-unregistered-dialect --split-input-file %s | FileCheck %s

// Launch ids lie below the sizes of the launch.
// CHECK-LABEL: gpu.func @ids
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[B:.*]] = gpu.block_id x
// CHECK: %true = arith.constant true
// CHECK: %[[Q:.*]] = arith.divui %[[T]]
// CHECK: %[[R:.*]] = arith.remui %[[T]], %c4
// CHECK: %[[OPEN:.*]] = arith.cmpi slt, %[[B]]
// CHECK: %c128{{.*}} = arith.constant 128
// CHECK: "test.use"(%true, %[[Q]], %[[R]], %[[T]], %[[OPEN]], %c128
gpu.module @kernels {
  gpu.func @ids() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %c1000 = arith.constant 1000 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %in = arith.cmpi slt, %t, %c128 : index
    %q = arith.divsi %t, %c4 : index
    %r = arith.remsi %t, %c4 : index
    %same = arith.remui %t, %c128 : index
    %open = arith.cmpi slt, %b, %c1000 : index
    %n = gpu.block_dim x
    "test.use"(%in, %q, %r, %same, %open, %n) : (i1, index, index, index, i1, index) -> ()
    gpu.return
  }
}

// -----

// Counters of loops, and what is computed of them. What may wrap, or be negative, is left alone.
// CHECK-LABEL: func.func @loops
// CHECK: scf.for
// CHECK: arith.divsi
// CHECK: %true = arith.constant true
// CHECK: %false = arith.constant false
// CHECK: arith.cmpi sle
// CHECK: arith.cmpi slt
// CHECK: arith.select %true
// EVAL: loops arg0=3
func.func @loops(%a: tensor<3xi64>) -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %minus = arith.constant -7 : i64
  %x = tensor.extract %a[%c0] : tensor<3xi64>
  %sum:2 = scf.for %i = %c0 to %c40 step %c4 iter_args(%s = %zero, %t = %zero) -> (i64, i64) {
    %k = arith.index_cast %i : index to i64
    %y = arith.addi %k, %x : i64
    %q = arith.divsi %y, %one : i64
    %small = arith.cmpi ult, %i, %c40 : index
    %large = arith.cmpi uge, %i, %c40 : index
    %last = arith.cmpi sle, %k, %zero : i64
    %below = arith.cmpi slt, %y, %zero : i64
    %u = arith.select %small, %q, %minus : i64
    %v = arith.select %large, %minus, %u : i64
    %w = arith.select %last, %v, %one : i64
    %z = arith.select %below, %w, %v : i64
    %s1 = arith.addi %s, %z : i64
    %t1 = arith.addi %t, %u : i64
    scf.yield %s1, %t1 : i64, i64
  }
  return %sum#0, %sum#1 : i64, i64
}

// -----

// Sizes, minima, shifts, masks and conversions.
// CHECK-LABEL: func.func @arithmetic
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[X:.*]]: i32
// CHECK: %[[N:.*]] = memref.dim
// CHECK: %true = arith.constant true
// CHECK: %[[M:.*]] = arith.andi %[[X]], %c15
// CHECK: %[[E:.*]] = arith.extui %[[M]]
// CHECK: arith.extsi %[[X]]
// CHECK: %[[W:.*]] = arith.cmpi slt, %{{.*}}, %[[X]]
// CHECK: return %true, %[[E]]
func.func @arithmetic(%a: memref<?xf32>, %x: i32) -> (i1, i64, i64, i1, i32) {
  %c0 = arith.constant 0 : index
  %c15 = arith.constant 15 : i32
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : i32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %m = arith.minsi %n, %c8 : index
  %in = arith.cmpi sle, %m, %c8 : index
  %low = arith.andi %x, %c15 : i32
  %e = arith.extsi %low : i32 to i64
  %f = arith.extsi %x : i32 to i64
  %y = arith.addi %x, %c1 : i32
  %wraps = arith.cmpi slt, %y, %x : i32
  %c4 = arith.constant 4 : i32
  %h = arith.shrui %low, %c4 : i32
  return %in, %e, %f, %wraps, %h : i1, i64, i64, i1, i32
}

// -----

// Conditions hold in their branches, not behind them; what loops carry settles, or has the range of its type.
// CHECK-LABEL: func.func @conditions
// CHECK: scf.if
// CHECK: arith.divui
// CHECK: else
// CHECK: arith.divsi
// CHECK: arith.divsi
// CHECK: scf.for
// CHECK: arith.remui
// CHECK: arith.divsi
// EVAL: conditions arg0=3
func.func @conditions(%a: tensor<3xi64>) -> (i64, i64, i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %hundred = arith.constant 100 : i64
  %x = tensor.extract %a[%c0] : tensor<3xi64>
  %low = arith.cmpi sge, %x, %zero : i64
  %high = arith.cmpi slt, %x, %hundred : i64
  %in = arith.andi %low, %high : i1
  %p = scf.if %in -> (i64) {
    %q = arith.divsi %x, %three : i64
    scf.yield %q : i64
  } else {
    %q = arith.divsi %x, %hundred : i64
    scf.yield %q : i64
  }
  %behind = arith.divsi %x, %three : i64
  %r:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %zero, %t = %zero) -> (i64, i64) {
    %u = arith.addi %s, %three : i64
    %v = arith.remsi %u, %hundred : i64
    %w = arith.subi %t, %v : i64
    %y = arith.divsi %w, %three : i64
    scf.yield %v, %y : i64, i64
  }
  return %p, %behind, %r#0, %r#1 : i64, i64, i64, i64
}

// -----

// A size is 0 or more, and what divides by 0 has no meaning: unsigned. By itself it is 1 where it is known not to be 0.
// CHECK-LABEL: func.func @sizes
// CHECK: %[[N:.*]] = memref.dim
// CHECK: %[[Q:.*]] = arith.divui %[[N]], %[[N]]
// CHECK: %[[M:.*]] = arith.maxsi
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[O:.*]] = arith.divsi %[[S:.*]], %[[S]]
// CHECK: return %[[Q]], %{{.*}}, %{{.*}}, %[[O]]
func.func @sizes(%a: memref<?xf32>, %b: tensor<3xi64>) -> (index, index, index, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %q = arith.divsi %n, %n : index
  %m = arith.maxsi %n, %c1 : index
  %one = arith.floordivsi %m, %m : index
  %none = arith.remsi %m, %m : index
  %s = tensor.extract %b[%c0] : tensor<3xi64>
  %open = arith.divsi %s, %s : i64
  return %q, %one, %none, %open : index, index, index, i64
}
