// SPDX-License-Identifier: Apache-2.0
// Memory that a block shares, and what is asynchronous: printed as they were read.
// RUN: sed -e '/^\/\//d' %s > %t.in
// RUN: heddle-opt %t.in -o %t.out
// RUN: diff %t.in %t.out
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f(%arg0: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x64xi1, #blocked>, %arg2: !tt.tensordesc<tensor<64x64xbf16, #shared>>, %arg3: i32, %arg4: i1, %arg5: tensor<64x64xf32, #mma>, %arg6: !tt.ptr<bf16>, %arg7: i64) {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable>
    %1 = ttg.memdesc_index %0[%arg3] : !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xbf16, #blocked>
    %2 = ttg.async_copy_global_to_local %arg0, %1 mask %arg1 other %cst cacheModifier = cg {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<bf16>, #blocked> -> <64x64xbf16, #shared, #smem, mutable>
    %3 = ttg.async_commit_group tokens %2
    %4 = ttg.async_wait %3 {num = 2 : i32}
    %5 = ttg.async_wait {num = 0 : i32}
    %6 = ttg.local_load %1 token %4 : !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> -> tensor<64x64xbf16, #blocked>
    %7 = ttg.convert_layout %arg5 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    ttg.local_store %6, %1 : tensor<64x64xbf16, #blocked> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    %8 = ttg.local_alloc %6 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    %9 = ttg.memdesc_subslice %8[0, 16] : !ttg.memdesc<64x64xbf16, #shared, #smem> -> !ttg.memdesc<64x16xbf16, #shared, #smem, 64x64>
    %10 = ttg.memdesc_trans %8 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xbf16, #shared, #smem> -> !ttg.memdesc<64x64xbf16, #shared1, #smem>
    %11 = ttng.warp_group_dot %8, %10, %arg5, %arg4 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xbf16, #shared, #smem> * !ttg.memdesc<64x64xbf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
    %12:2 = ttng.warp_group_dot_wait %11, %8 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xbf16, #shared, #smem>
    %13 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %13, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.barrier_expect %13, 8192, %arg4 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg2[%arg3, %arg3] %1, %13, %arg4 : !tt.tensordesc<tensor<64x64xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    ttng.wait_barrier %13, %arg3, %arg4 deps %1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>, !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    ttng.arrive_barrier %13, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %13 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %arg2[%arg3, %arg3] %1 : !tt.tensordesc<tensor<64x64xbf16, #shared>>, !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ttg.local_dealloc %0 : !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable>
    ttg.barrier all
    %14 = ttg.warp_id {omitUniformHint}
    %15 = tt.make_tensor_descriptor %arg6, [%arg3, %arg3], [%arg7, %arg7] : <bf16>, <tensor<64x64xbf16, #shared>>
    tt.return
  }
}

