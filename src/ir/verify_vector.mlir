// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

func.func @extract_strided_slice(%v: vector<8xf32>) -> vector<4xf32> {
  // expected-error@+1 {{expects a box inside of dim 0 of size 8, got 4 elements from 6 on}}
  %0 = vector.extract_strided_slice %v {offsets = [6], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @extract_strided_slice_overflow(%v: vector<8xf32>) -> vector<5xf32> {
  // expected-error@+1 {{expects a box inside of dim 0 of size 8, got 5 elements from 0 on}}
  %0 = vector.extract_strided_slice %v {offsets = [0], sizes = [5], strides = [4611686018427387904]} : vector<8xf32> to vector<5xf32>
  return %0 : vector<5xf32>
}

// -----

func.func @extract_strided_slice_result(%v: vector<8xf32>) -> vector<5xf32> {
  // expected-error@+1 {{expects result dim 0 of size 4, got 5}}
  %0 = vector.extract_strided_slice %v {offsets = [0], sizes = [4], strides = [1]} : vector<8xf32> to vector<5xf32>
  return %0 : vector<5xf32>
}

// -----

func.func @insert_strided_slice(%v: vector<4xf32>, %w: vector<8xf32>) -> vector<8xf32> {
  // expected-error@+1 {{expects a box inside of dim 0 of size 8, got 4 elements from 3000000 on}}
  %0 = vector.insert_strided_slice %v, %w {offsets = [3000000], strides = [1]} : vector<4xf32> into vector<8xf32>
  return %0 : vector<8xf32>
}

// -----

func.func @insert_strided_slice_rank(%v: vector<4x4xf32>, %w: vector<8xf32>) -> vector<8xf32> {
  // expected-error@+1 {{expects a box of rank 1 at most, got rank 2}}
  %0 = vector.insert_strided_slice %v, %w {offsets = [0], strides = [1, 1]} : vector<4x4xf32> into vector<8xf32>
  return %0 : vector<8xf32>
}

// -----

func.func @interleave(%v: vector<8xf32>) -> vector<8xf32> {
  // expected-error@+1 {{expects one vector of twice the lanes in its last dim}}
  %0 = vector.interleave %v, %v : vector<8xf32> -> vector<8xf32>
  return %0 : vector<8xf32>
}

// -----

func.func @deinterleave(%v: vector<8xf64>) -> vector<4xf32> {
  // expected-error@+1 {{expects operands and result of one element type}}
  %0, %1 = vector.deinterleave %v : vector<8xf64> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

func.func @contract(%a: vector<4x8xf32>, %b: vector<7x4xf32>, %c: vector<4x4xf32>) -> vector<4x4xf32> {
  // expected-error@+1 {{expects dim 2 of one size, got 8 and 7}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<7x4xf32> into vector<4x4xf32>
  return %0 : vector<4x4xf32>
}

// -----

func.func @outerproduct(%a: vector<4xf32>, %b: vector<8xf32>) {
  // expected-error@+1 {{expects a result of the operands' lanes as rows and columns}}
  %0 = "vector.outerproduct"(%a, %b) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<8xf32>) -> vector<4x4xf32>
  return
}

// -----

func.func @transfer_read(%m: memref<4x4xf32>, %i: index, %x: f32) {
  // expected-error@+1 {{expects 2 indices, one per dim, got 1}}
  %0 = "vector.transfer_read"(%m, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<4x4xf32>, index, f32) -> vector<4xf32>
  return
}

// -----

func.func @transfer_padding(%m: memref<4xf32>, %i: index, %x: f64) {
  // expected-error@+1 {{expects padding of the element type}}
  %0 = "vector.transfer_read"(%m, %i, %x) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<4xf32>, index, f64) -> vector<4xf32>
  return
}

// -----

func.func @type_cast(%m: memref<4xf32>) {
  // expected-error@+1 {{expects a memref of one vector as result}}
  %0 = "vector.type_cast"(%m) : (memref<4xf32>) -> memref<2xvector<2xf32>>
  return
}

// -----

func.func @from_elements(%x: i1) -> vector<2xf64> {
  // expected-error@+1 {{expects operand #0 of the element type}}
  %0 = "vector.from_elements"(%x, %x) : (i1, i1) -> vector<2xf64>
  return %0 : vector<2xf64>
}

// -----

func.func @expandload(%m: memref<f32>, %k: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{expects a memref of rank 1 or more}}
  %0 = "vector.expandload"(%m, %k, %v) : (memref<f32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @compressstore(%m: memref<4xf32>, %i: index, %k: vector<2xi1>, %v: vector<4xf32>) {
  // expected-error@+1 {{expects a mask in the shape of the vector}}
  vector.compressstore %m[%i], %k, %v : memref<4xf32>, vector<2xi1>, vector<4xf32>
  return
}

// -----

func.func @mask(%k: vector<4xi1>, %p: vector<4xf32>) {
  // expected-error@+1 {{expects one result beside a pass-through value, got 0}}
  "vector.mask"(%k, %p) ({
    "vector.yield"() : () -> ()
  }) : (vector<4xi1>, vector<4xf32>) -> ()
  return
}

// -----

func.func @metadata(%m: memref<4xf32>) {
  // expected-error@+1 {{expects 4 results, got 2}}
  %0:2 = "memref.extract_strided_metadata"(%m) : (memref<4xf32>) -> (memref<f32>, index)
  return
}

// -----

func.func @atomic(%m: memref<4xf32>, %i: index, %x: vector<4000xf64>) {
  %0 = "memref.generic_atomic_rmw"(%m, %i) ({
  ^bb0(%old: f32):
    // expected-error@+1 {{expects a value of the element type}}
    "memref.atomic_yield"(%x) : (vector<4000xf64>) -> ()
  }) : (memref<4xf32>, index) -> f32
  return
}

// -----

func.func @dot_of_pairs(%s: vector<8xf32>, %a: vector<32xbf16>) -> vector<8xf32> {
  // expected-error@+1 {{expects 4, 8 or 16 sums of f32 and twice as many elements of bf16}}
  %0 = "x86vector.avx512.dot"(%s, %a, %a) : (vector<8xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<8xf32>
  return %0 : vector<8xf32>
}
