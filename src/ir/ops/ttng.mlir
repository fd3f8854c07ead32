// SPDX-License-Identifier: Apache-2.0
// Tensor memory, its products, and warps with different work, as Triton prints them.
// RUN: heddle-opt %s --verify-roundtrip | FileCheck %s
// RUN: heddle-opt %s --mlir-print-op-generic | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --emit-bytecode | heddle-opt | FileCheck %s
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#tmem1 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: tt.func @memory
  tt.func @memory(%x: tensor<128x128xf32, #linear>, %bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %p: i1, %a: !ttg.memdesc<128x128xf32, #shared1, #smem, mutable>) {
    // CHECK: %[[M:.*]], %[[T:.*]] = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %m, %t = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    // CHECK: ttng.tmem_alloc %{{.*}} : (tensor<128x128xf32, #linear>) -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory>
    %filled = ttng.tmem_alloc %x : (tensor<128x128xf32, #linear>) -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory>
    // CHECK: %[[S:.*]] = ttng.tmem_store %{{.*}}, %[[M]][%[[T]]], %{{.*}} : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %s = ttng.tmem_store %x, %m[%t], %p : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tmem_store %{{.*}}, %[[M]], %{{.*}} : tensor
    ttng.tmem_store %x, %m, %p : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tmem_load %[[M]][] : !ttg.memdesc
    %l, %lt = ttng.tmem_load %m[] : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
    // CHECK: ttng.tmem_load %[[M]] : !ttg.memdesc
    %k = ttng.tmem_load %m : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
    // CHECK: ttng.tmem_subslice %[[M]] {N = 64 : i32}
    %half = ttng.tmem_subslice %m {N = 64 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable, 128x128>
    // CHECK: ttng.tmem_copy %{{.*}}, %[[M]], %{{.*}} : !ttg.memdesc
    ttng.tmem_copy %a, %m, %bar : !ttg.memdesc<128x128xf32, #shared1, #smem, mutable>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[M]], %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}] {is_async} : {{.*}}!ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.tc_gen5_mma %a, %a, %m, %p, %p, %bar[%p], %bar[%p] {is_async} : !ttg.memdesc<128x128xf32, #shared1, #smem, mutable>, !ttg.memdesc<128x128xf32, #shared1, #smem, mutable>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: = ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[M]][%[[S]]], %{{.*}}, %{{.*}} : !ttg.memdesc
    %d = ttng.tc_gen5_mma %a, %a, %m[%s], %p, %p : !ttg.memdesc<128x128xf32, #shared1, #smem, mutable>, !ttg.memdesc<128x128xf32, #shared1, #smem, mutable>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    // CHECK: ttng.tc_gen5_commit %{{.*}}, %{{.*}} : !ttg.memdesc
    ttng.tc_gen5_commit %bar, %p : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }
  // CHECK-LABEL: tt.func @warps
  tt.func @warps(%x: i32, %y: !tt.ptr<f32>) -> i32 {
    // CHECK:      %[[R:.*]] = ttg.warp_specialize(%{{.*}}, %{{.*}}) attributes {requestedRegisters = array<i32: 24, 24>}
    // CHECK-NEXT: default {
    // CHECK-NEXT:   ttg.warp_yield %{{.*}} : i32
    // CHECK-NEXT: }
    // CHECK-NEXT: partition0(%{{.*}}: i32, %{{.*}}: !tt.ptr<f32>) num_warps(4) {
    // CHECK-NEXT:   ttg.warp_return
    // CHECK-NEXT: }
    // CHECK-NEXT: partition1(%{{.*}}: i32, %{{.*}}: !tt.ptr<f32>) num_warps(1) {
    // CHECK-NEXT:   ttg.warp_return
    // CHECK-NEXT: } : (i32, !tt.ptr<f32>) -> i32
    %r = ttg.warp_specialize(%x, %y) attributes {requestedRegisters = array<i32: 24, 24>}
    default {
      ttg.warp_yield %x : i32
    }
    partition0(%a: i32, %b: !tt.ptr<f32>) num_warps(4) {
      ttg.warp_return
    }
    partition1(%a: i32, %b: !tt.ptr<f32>) num_warps(1) {
      ttg.warp_return
    } : (i32, !tt.ptr<f32>) -> i32
    tt.return %r : i32
  }
}
