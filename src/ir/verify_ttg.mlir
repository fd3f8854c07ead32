// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @memory(%t: tensor<8x8xf32, #b>, %m: !ttg.memdesc<2x8x8xf32, #s, #smem>, %w: !ttg.memdesc<8x4xf32, #s, #smem, mutable>, %i: i32) {
  // expected-error@+1 {{expects the dims but the first}}
  %0 = ttg.memdesc_index %m[%i] : !ttg.memdesc<2x8x8xf32, #s, #smem> -> !ttg.memdesc<8x4xf32, #s, #smem>
  // expected-error@+1 {{expects a tensor and memory of one shape and element type}}
  ttg.local_store %t, %w : tensor<8x8xf32, #b> -> !ttg.memdesc<8x4xf32, #s, #smem, mutable>
  // expected-error@+1 {{expects dim 1 within 4, got 4 elements from 2 on}}
  %1 = ttg.memdesc_subslice %w[0, 2] : !ttg.memdesc<8x4xf32, #s, #smem, mutable> -> !ttg.memdesc<8x4xf32, #s, #smem, mutable>
  // expected-error@+1 {{expects memory that is mutable}}
  %2 = ttg.local_alloc : () -> !ttg.memdesc<8x4xf32, #s, #smem>
  // expected-error@+1 {{expects 'order' to permute the dims}}
  %3 = ttg.memdesc_trans %w {order = array<i32: 1, 0>} : !ttg.memdesc<8x4xf32, #s, #smem, mutable> -> !ttg.memdesc<8x4xf32, #s, #smem, mutable>
  tt.return
}

// -----
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @parts(%m: !ttg.memdesc<16x32xf16, #s, #smem>, %n: !ttg.memdesc<2x16x32xf16, #s, #smem>, %i: i32) {
  // expected-error@+1 {{expects dim 1 to begin at a multiple of 16, got 8}}
  %0 = ttg.memdesc_subslice %m[0, 8] : !ttg.memdesc<16x32xf16, #s, #smem> -> !ttg.memdesc<16x16xf16, #s, #smem, 16x32>
  // expected-error@+1 {{expects memory that is no part}}
  %1 = ttg.memdesc_index %n[%i] : !ttg.memdesc<2x16x32xf16, #s, #smem> -> !ttg.memdesc<16x32xf16, #s, #smem, 16x64>
  // expected-error@+1 {{expects the result's layout to be the operand's, its dims permuted}}
  %2 = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<16x32xf16, #s, #smem> -> !ttg.memdesc<32x16xf16, #s, #smem>
  // expected-error@+1 {{expects memory of the shape that is allocated}}
  %3 = ttg.local_alloc : () -> !ttg.memdesc<16x16xf16, #s, #smem, mutable, 16x32>
  tt.return
}

// -----
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
tt.func @wgmma(%a: !ttg.memdesc<64x64xf16, #s, #smem>, %h: !ttg.memdesc<32x64xf16, #s, #smem>, %c: tensor<64x64xf32, #b>, %d: tensor<32x64xf32, #mma>) {
  // expected-error@+1 {{expects a result with an mma layout of version 3}}
  %0 = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xf16, #s, #smem> * !ttg.memdesc<64x64xf16, #s, #smem> -> tensor<64x64xf32, #b>
  // expected-error@+1 {{expects a multiple of 64 rows}}
  %1 = ttng.warp_group_dot %h, %a, %d : !ttg.memdesc<32x64xf16, #s, #smem> * !ttg.memdesc<64x64xf16, #s, #smem> -> tensor<32x64xf32, #mma>
  tt.return
}
