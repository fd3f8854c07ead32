// SPDX-License-Identifier: Apache-2.0
// Triton's functions, with layouts and without: printed as they were read.
// RUN: sed -e '/^\/\//d' %s > %t.in
// RUN: heddle-opt %t.in -o %t.out
// RUN: diff %t.in %t.out
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 16], [0, 32]], lane = [[8, 0], [16, 0], [32, 0], [0, 0], [0, 1]], warp = [[0, 2], [0, 4]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[1, 0]], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8, fp4Padded = true, CGALayout = [[1, 0]]}>
#shared3 = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 0]]}, alignment = 16>
#shared4 = #ttg.padded_shared<[64:+4, 128:+8] {order = [1, 0], shape = [128, 128]}>
#shared5 = #ttg.padded_shared<[4:+4] {offset = [[0, 1], [0, 2], [1, 0], [2, 0]], block = []}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @add(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %1 = tt.get_num_programs y : i32
    %2 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %2 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %5 = tt.splat %arg1 : i32 -> tensor<1024xi32, #blocked>
    %6 = arith.cmpi slt, %2, %5 : tensor<1024xi32, #blocked>
    %cst = arith.constant dense<0xFF800000> : tensor<1024xf32, #blocked>
    %7 = tt.load %4, %6, %cst evictionPolicy = evict_last {tt.latency = 2 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>
    %8 = tt.load %4 cacheModifier = cg {isVolatile = true} : tensor<1024x!tt.ptr<f32>, #blocked>
    %9 = arith.addf %7, %8 : tensor<1024xf32, #blocked>
    tt.store %4, %9, %6 evictionPolicy = evict_first : tensor<1024x!tt.ptr<f32>, #blocked>
    %10 = tt.atomic_rmw fadd, relaxed, gpu, %4, %9, %6 : (tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xf32, #blocked>, tensor<1024xi1, #blocked>) -> tensor<1024xf32, #blocked>
    %11 = tt.call @other__Pfp32_c1.0(%arg0) : (!tt.ptr<f32>) -> i32
    %12 = scf.for %arg2 = %0 to %1 step %arg1 iter_args(%arg3 = %9) -> (tensor<1024xf32, #blocked>)  : i32 {
      scf.yield %arg3 : tensor<1024xf32, #blocked>
    } {tt.num_stages = 3 : i32}
    %13 = tt.load %arg0 : !tt.ptr<f32>
    %14 = ub.poison : i32
    tt.return
  }
  tt.func private @other__Pfp32_c1.0(%arg0: !tt.ptr<f32>) -> i32 attributes {noinline = true} {
    %c1_i32 = arith.constant 1 : i32
    tt.return %c1_i32 : i32
  }
  tt.func @shapes(%arg0: tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>, %arg1: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg2: tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %arg3: tensor<64x64xf32, #mma>, %arg4: tensor<64x64xf32, #blocked1>) {
    %0 = tt.expand_dims %arg0 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %1 = tt.broadcast %0 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %2 = tt.dot %arg1, %arg2, %arg3, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
    %3 = "tt.reduce"(%arg4) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %6 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %6 : f32
    }) : (tensor<64x64xf32, #blocked1>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = "tt.scan"(%arg4) <{axis = 1 : i32, reverse = true}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %6 = arith.addf %arg5, %arg6 : f32
      tt.scan.return %6 : f32
    }) : (tensor<64x64xf32, #blocked1>) -> tensor<64x64xf32, #blocked1>
    %5 = tt.trans %arg4 {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #linear>
    tt.return
  }
  tt.func @types(%arg0: !tt.tensordesc<tensor<128x64xbf16, #shared>>, %arg1: !ttg.memdesc<3x64x64xbf16, #shared1, #smem, mutable>, %arg2: !ttg.memdesc<128x16xf16, #shared1, #smem, 128x32>, %arg3: !ttg.async.token, %arg4: !tt.ptr<f8E5M2, 3>, %arg5: !ttg.memdesc<64x64xi8, #shared2, #smem, mutable, 2x64x64>, %arg6: !ttg.memdesc<4x4xf16, #shared3, #smem>, %arg7: !ttg.memdesc<128x128xf16, #shared4, #smem>, %arg8: !ttg.memdesc<4x4xf16, #shared5, #smem>, %arg9: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, %arg10: tensor<64x64xf32, #mma1>) {
    tt.return
  }
}

