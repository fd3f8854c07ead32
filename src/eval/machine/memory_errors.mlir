// SPDX-License-Identifier: Apache-2.0
// RUN: not heddle check %s 2>&1 | FileCheck %s
// Places that are not in their buffer, and those whose arithmetic wraps around.

func.func @subview_wraps() {
  %m = memref.alloc() : memref<4xi32>
  // CHECK-DAG: [[@LINE+1]]:8: error: 'memref.subview' op the view reaches outside of dim 0 of size 4
  %s = memref.subview %m[0] [5] [4611686018427387904] : memref<4xi32> to memref<5xi32, strided<[4611686018427387904]>>
  return
}

func.func @subview_backwards() {
  %m = memref.alloc() : memref<4xi32>
  // CHECK-DAG: [[@LINE+1]]:8: error: 'memref.subview' op the view reaches outside of dim 0 of size 4
  %s = memref.subview %m[1] [3] [-1] : memref<4xi32> to memref<3xi32, strided<[-1], offset: 1>>
  return
}

func.func @view() {
  %m = memref.alloc() : memref<4xi8>
  %n = arith.constant 9223372036854775804 : index
  // CHECK-DAG: [[@LINE+1]]:8: error: 'memref.view' op accesses memory outside of its buffer of 4 bytes
  %s = memref.view %m[%n][] : memref<4xi8> to memref<1xi32>
  return
}

func.func @strides() {
  %m = memref.alloc() : memref<4xi32>
  %i = arith.constant 4 : index
  %s = memref.reinterpret_cast %m to offset: [0], sizes: [5], strides: [4611686018427387904] : memref<4xi32> to memref<5xi32, strided<[4611686018427387904]>>
  // CHECK-DAG: [[@LINE+1]]:8: error: 'memref.load' op accesses memory outside of its buffer of 16 bytes
  %x = memref.load %s[%i] : memref<5xi32, strided<[4611686018427387904]>>
  return
}

func.func @copy() {
  %m = memref.alloc() : memref<4xi32>
  %t = memref.alloc() : memref<5xi32>
  %s = memref.reinterpret_cast %m to offset: [0], sizes: [5], strides: [4611686018427387904] : memref<4xi32> to memref<5xi32, strided<[4611686018427387904]>>
  // CHECK-DAG: [[@LINE+1]]:3: error: 'memref.copy' op accesses memory outside of its buffer of 16 bytes
  memref.copy %s, %t : memref<5xi32, strided<[4611686018427387904]>> to memref<5xi32>
  return
}

func.func @affine_store() {
  %m = memref.alloc() : memref<1xf32>
  %v = arith.constant dense<1.0> : vector<4000xf64>
  %i = arith.constant 0 : index
  // CHECK-DAG: [[@LINE+1]]:3: error: 'affine.store' op expects a value of the memory's element type
  "affine.store"(%v, %m, %i) <{map = affine_map<(d0) -> (d0)>}> : (vector<4000xf64>, memref<1xf32>, index) -> ()
  return
}

func.func @affine_load() {
  %m = memref.alloc() : memref<1x1xf32>
  // CHECK-DAG: [[@LINE+1]]:8: error: 'affine.load' op expects a map of 2 results, one per dim, got 1
  %v = "affine.load"(%m) <{map = affine_map<() -> (0)>}> : (memref<1x1xf32>) -> f32
  return
}

func.func @cast_of_number() {
  %i = arith.constant 4096 : i64
  // CHECK-DAG: [[@LINE+1]]:8: error: 'builtin.unrealized_conversion_cast' op makes a memref of what is no memref of its rank
  %m = builtin.unrealized_conversion_cast %i : i64 to memref<4xf32>
  return
}

func.func @memref_in_memory() {
  // CHECK-DAG: [[@LINE+1]]:8: error: 'memref.alloc' op the evaluator has no memory for elements of this type
  %m = memref.alloc() : memref<1xmemref<1xf32>>
  return
}

func.func @overflow_lanes() {
  %v = arith.constant dense<1> : vector<4000xi32>
  // CHECK-DAG: [[@LINE+1]]:12: error: 'arith.addui_extended' op expects values of 4000 lanes, got 1
  %s, %o = "arith.addui_extended"(%v, %v) : (vector<4000xi32>, vector<4000xi32>) -> (vector<4000xi32>, vector<1xi1>)
  return
}

// CHECK: 0 passed, 10 failed
