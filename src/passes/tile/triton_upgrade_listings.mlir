// SPDX-License-Identifier: Apache-2.0
// What was written of Triton's passes in the older spelling: it reads, and prints in today's.
// RUN: heddle-opt %s --split-input-file --triton-upgrade | FileCheck %s

// Coalescing: before and after.
#blocked = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #triton_gpu.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-LABEL: tt.func @coalesce
// CHECK: tt.load %{{.*}}, %{{.*}} : tensor<1024x!tt.ptr<f32>, #blocked>
// CHECK: %[[P:.*]] = ttg.convert_layout %{{.*}} : tensor<1024x!tt.ptr<f32>, #blocked> -> tensor<1024x!tt.ptr<f32>, #blocked1>
// CHECK: tt.load %[[P]], %{{.*}} : tensor<1024x!tt.ptr<f32>, #blocked1>
tt.func @coalesce(%8: tensor<1024x!tt.ptr<f32>, #blocked>, %6: tensor<1024xi1, #blocked>) {
  %before = tt.load %8, %6 : tensor<1024x!tt.ptr<f32>, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %9 = triton_gpu.convert_layout %8 : tensor<1024x!tt.ptr<f32>, #blocked> -> tensor<1024x!tt.ptr<f32>, #blocked1>
  %10 = triton_gpu.convert_layout %6 : tensor<1024xi1, #blocked> -> tensor<1024xi1, #blocked1>
  %11 = tt.load %9, %10 : tensor<1024x!tt.ptr<f32>, #blocked1>
  %12 = triton_gpu.convert_layout %11 : tensor<1024xf32, #blocked1> -> tensor<1024xf32, #blocked>
  tt.return
}

// -----
// The layout of a reshape before a reduction.
#blocked = #triton_gpu.blocked<{sizePerThread = [1, 16], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>
#blocked1 = #triton_gpu.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [1, 2], order = [1, 0]}>
#blocked2 = #triton_gpu.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [2, 1], order = [0, 1]}>
module attributes {"triton_gpu.num-warps" = 2 : i32, "triton_gpu.compute-capability" = 80 : i32} {
// CHECK: module attributes {"ttg.num-warps" = 2 : i32, ttg.target = "cuda:80"}
// CHECK-LABEL: tt.func @reshape
// CHECK: tt.reshape %{{.*}} allow_reorder : tensor<8x128xf32, #blocked> -> tensor<64x16xf32, #blocked1>
// CHECK: tt.reshape %{{.*}} allow_reorder efficient_layout : tensor<8x128xf32, #blocked> -> tensor<64x16xf32, #blocked2>
tt.func @reshape(%arg0: tensor<8x128xf32, #blocked>) {
  %before = tt.reshape %arg0 allow_reorder : tensor<8x128xf32, #blocked> -> tensor<64x16xf32, #blocked1>
  %0 = tt.reshape %arg0 allow_reorder efficient_layout : tensor<8x128xf32, #blocked> -> tensor<64x16xf32, #blocked2>
  %1 = triton_gpu.convert_layout %0 : tensor<64x16xf32, #blocked2> -> tensor<64x16xf32, #blocked1>
  %2 = "tt.reduce"(%1) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<64x16xf32, #blocked1>) -> tensor<64xf32, #triton_gpu.slice<{dim = 1, parent = #blocked1}>>
  tt.return
}
}

// -----
// The ops of the pipeliner, as they are introduced: memory of the block, a copy into a slice of it, a group, a wait.
#share = #triton_gpu.shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked = #triton_gpu.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-LABEL: tt.func @pipeline
// CHECK: %[[M:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x128x32xf32, #shared, #smem, mutable>
// CHECK: %[[S:.*]] = ttg.memdesc_index %[[M]]
// CHECK: ttg.async_copy_global_to_local %{{.*}}, %[[S]] : tensor<128x32x!tt.ptr<f32>, #blocked> -> <128x32xf32, #shared, #smem, mutable>
// CHECK: ttg.async_commit_group
// CHECK: ttg.async_wait {num = 0 : i32}
tt.func @pipeline(%src: tensor<128x32x!tt.ptr<f32>, #blocked>, %index: i32) {
  %dst = triton_gpu.alloc_tensor : tensor<2x128x32xf32, #share>
  %0 = triton_gpu.insert_slice_async %src, %dst, %index {axis = 0 : i32} : tensor<128x32x!tt.ptr<f32>, #blocked> -> tensor<2x128x32xf32, #share>
  triton_gpu.async_commit_group
  triton_gpu.async_wait {num = 0 : i32}
  tt.return
}

// -----
// A choice and a branch by one condition.
// CHECK-LABEL: tt.func @select_and_if
// CHECK: arith.select
// CHECK: scf.if
tt.func @select_and_if(%cond: i1, %trueVal: tensor<4xf32>, %falseVal: tensor<4xf32>) -> (tensor<4xf32>, i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %select = arith.select %cond, %trueVal, %falseVal : tensor<4xf32>
  %newCond = arith.xori %cond, %true : i1
  %if = scf.if %newCond -> (i32) {
    scf.yield %c1 : i32
  } else {
    scf.yield %c2 : i32
  }
  tt.return %select, %if : tensor<4xf32>, i32
}
