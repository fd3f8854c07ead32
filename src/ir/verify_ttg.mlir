// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --verify-diagnostics
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
