// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

tt.func @memory(%p: tensor<4x!tt.ptr<f32>>, %m: tensor<4xi1>, %v: tensor<4xf32>, %i: tensor<4xi32>) {
  // expected-error@+1 {{expects a cache modifier or an eviction policy, got 'cg' and 'evict_first'}}
  %0 = tt.load %p cacheModifier = cg evictionPolicy = evict_first : tensor<4x!tt.ptr<f32>>
  // expected-error@+1 {{expects a cache modifier or an eviction policy, got 'wb' and 'evict_first'}}
  tt.store %p, %v cacheModifier = wb evictionPolicy = evict_first : tensor<4x!tt.ptr<f32>>
  // expected-error@+1 {{operand #1 must be what the pointers point to: expected tensor<4xf32>, got tensor<4xi32>}}
  %1 = tt.atomic_rmw add, acq_rel, gpu, %p, %i : (tensor<4x!tt.ptr<f32>>, tensor<4xi32>) -> tensor<4xi32>
  // expected-error@+1 {{expects integers for this kind}}
  %2 = tt.atomic_rmw add, acq_rel, gpu, %p, %v : (tensor<4x!tt.ptr<f32>>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{expects 'rounding' where numbers become narrower}}
  %3 = tt.fp_to_fp %v : tensor<4xf32> -> tensor<4xf8E5M2>
  // expected-error@+1 {{expects types of one width}}
  %4 = tt.bitcast %v : tensor<4xf32> -> tensor<4xf16>
  tt.return
}

// -----
tt.func @mask(%p: tensor<4x!tt.ptr<f32>>, %m: tensor<8xi1>) {
  // expected-error@+1 {{expects different type than prior uses}}
  %0 = tt.load %p, %m : tensor<4x!tt.ptr<f32>>
  tt.return
}

// -----
tt.func @shapes(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x4xf32>, %s: f32) {
  // expected-error@+1 {{expects start below end, got 4 and 4}}
  %0 = tt.make_range {end = 4 : i32, start = 4 : i32} : tensor<4xi32>
  // expected-error@+1 {{expects a tensor of 4 elements, got tensor<8xi32>}}
  %1 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<8xi32>
  // expected-error@+1 {{expects an element of the result: expected f16, got f32}}
  %2 = tt.splat %s : f32 -> tensor<4xf16>
  // expected-error@+1 {{expects an axis between 0 and 2, got 3}}
  %3 = tt.expand_dims %a {axis = 3 : i32} : tensor<4x8xf32> -> tensor<4x8x1xf32>
  // expected-error@+1 {{expects one to have the other's dims but dim 0}}
  %4 = tt.expand_dims %a {axis = 0 : i32} : tensor<4x8xf32> -> tensor<4x1x8xf32>
  // expected-error@+1 {{expects one shape but where the operand's dim is 1}}
  %5 = tt.broadcast %a : tensor<4x8xf32> -> tensor<8x8xf32>
  // expected-error@+1 {{expects one number of elements}}
  %6 = tt.reshape %a : tensor<4x8xf32> -> tensor<64xf32>
  // expected-error@+1 {{expects 'order' to permute the operand's dims}}
  %7 = tt.trans %a {order = array<i32: 1, 1>} : tensor<4x8xf32> -> tensor<8x4xf32>
  // expected-error@+1 {{expects operands whose product has the result's shape}}
  %8 = tt.dot %a, %b, %c : tensor<4x8xf32> * tensor<4x8xf32> -> tensor<4x4xf32>
  // expected-error@+1 {{expects an axis between 0 and 1, got 2}}
  %9 = "tt.reduce"(%a) <{axis = 2 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.reduce.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  // expected-error@+1 {{expects a region of 2 arguments, got 1}}
  %10 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32):
    tt.scan.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
tt.func @slice(%a: tensor<8xf32, #ttg.slice<{dim = 1, parent = #b}>>, %x: tensor<8x8xf32, #b>) {
  // expected-error@+1 {{expects the layout of one to be slice 0 of the other's}}
  %0 = tt.expand_dims %a {axis = 0 : i32} : tensor<8xf32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<1x8xf32, #b>
  tt.return
}

// -----
func.func @ret() {
  // expected-error@+1 {{expects parent op 'tt.func', got 'func.func'}}
  tt.return
}

// -----
tt.func @pointers(%p: !tt.ptr<f32>) {
  // expected-error@+1 {{expects pointers on both sides or none}}
  %0 = tt.bitcast %p : !tt.ptr<f32> -> i64
  tt.return
}

// -----
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a2 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b4 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
tt.func @dot(%x: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #mma>, %a: tensor<32x32xf16, #a2>, %w: tensor<32x32xf16, #b4>) {
  // expected-error@+1 {{operand #0 must have the layout of this operand of the result}}
  %0 = tt.dot %x, %x, %c : tensor<32x32xf16, #b> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
  // expected-error@+1 {{expects one 'kWidth', got 2 and 4}}
  %1 = tt.dot %a, %w, %c : tensor<32x32xf16, #a2> * tensor<32x32xf16, #b4> -> tensor<32x32xf32, #mma>
  // expected-error@+1 {{expects the result's layout to be the operand's, its dims permuted}}
  %2 = tt.trans %x {order = array<i32: 1, 0>} : tensor<32x32xf16, #b> -> tensor<32x32xf16, #b>
  tt.return
}
// -----
tt.func @axis_of_none(%a: tensor<f32>, %i: tensor<i32>) {
  // expected-error@+1 {{'tt.gather' op expects a tensor of 1 dim or more for an axis, got one of 0}}
  %0 = tt.gather %a[%i] {axis = 0 : i32} : (tensor<f32>, tensor<i32>) -> tensor<f32>
  tt.return
}
