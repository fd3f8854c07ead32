// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
tt.func @product(%a: !ttg.memdesc<128x64xf32, #shared, #smem>, %d: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, %p: i1) {
  // expected-error@+1 {{expects operands whose product has the shape of the memory that it is added to}}
  ttng.tc_gen5_mma %a, %a, %d, %p, %p : !ttg.memdesc<128x64xf32, #shared, #smem>, !ttg.memdesc<128x64xf32, #shared, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}

// -----
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
tt.func @store(%x: tensor<128x64xf32>, %d: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, %p: i1) {
  // expected-error@+1 {{expects a tensor and memory of one shape and element type}}
  ttng.tmem_store %x, %d, %p : tensor<128x64xf32> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}

// -----
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
tt.func @columns(%d: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>) {
  // expected-error@+1 {{expects columns within 128, got 64 from 96 on}}
  %0 = ttng.tmem_subslice %d {N = 96 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable, 128x128>
  tt.return
}

// -----
tt.func @captures(%x: i32) {
  // expected-error@+1 {{expects 1 arguments of partition 0, one per captured value, got 0}}
  ttg.warp_specialize(%x)
  default {
    ttg.warp_yield
  }
  partition0() num_warps(4) {
    ttg.warp_return
  } : (i32) -> ()
  tt.return
}

// -----
tt.func @warps() {
  // expected-error@+1 {{expects a power of two as the number of warps of partition 0, got 3}}
  ttg.warp_specialize()
  default {
    ttg.warp_yield
  }
  partition0() num_warps(3) {
    ttg.warp_return
  } : () -> ()
  tt.return
}

// -----
tt.func @yields(%x: f32) {
  // expected-error@+1 {{yields another type as result 0}}
  %0 = ttg.warp_specialize()
  default {
    ttg.warp_yield %x : f32
  }
  partition0() num_warps(1) {
    ttg.warp_return
  } : () -> i32
  tt.return
}
