// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

func.func @for(%i: index, %x: f32) {
  "scf.for"(%i, %i, %i, %x) ({
  ^bb0(%k: index, %acc: f32):
    // expected-error@+1 {{gives 0 values, but 'scf.for' has 1 results}}
    "scf.yield"() : () -> ()
  }) : (index, index, index, f32) -> f32
  return
}

// -----

func.func @branch(%x: i32) {
  // expected-error@+1 {{branch has 0 operands for successor #0, but target block has 1}}
  "cf.br"()[^bb1] : () -> ()
^bb1(%y: i32):
  return
}

// -----

func.func @load(%m: memref<?x8xf32>, %i: index) -> f32 {
  // expected-error@+1 {{expects 2 indices, one per dim, got 1}}
  %0 = "memref.load"(%m, %i) : (memref<?x8xf32>, index) -> f32
  return %0 : f32
}

// -----

func.func @alloc(%i: index) {
  // expected-error@+1 {{expects 2 sizes, one per unknown dim, got 1}}
  %0 = "memref.alloc"(%i) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?x?xf32>
  return
}

// -----

func.func @widen(%x: i32) -> i16 {
  // expected-error@+1 {{expects a result wider than the operand, got 16 bits from 32}}
  %0 = arith.extsi %x : i32 to i16
  return %0 : i16
}

// -----

func.func @mask(%m: memref<?xf32>, %i: index, %k: vector<4xi1>, %v: vector<8xf32>) -> vector<8xf32> {
  // expected-error@+1 {{expects a mask in the shape of the vector}}
  %0 = vector.maskedload %m[%i], %k, %v : memref<?xf32>, vector<4xi1>, vector<8xf32> into vector<8xf32>
  return %0 : vector<8xf32>
}
