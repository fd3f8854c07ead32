// SPDX-License-Identifier: Apache-2.0
// Names and layouts of Triton's older programs.
// RUN: heddle-opt %s | FileCheck %s
#A = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CTAsPerCGA = [1], CTASplitNum = [1], CTAOrder = [0]}>
#B = #triton_gpu.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#C = #triton_gpu.mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1]}>
#S = #triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = false}>
// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK: #mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
// CHECK: #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// CHECK: module attributes {"ttg.num-warps" = 4 : i32}
module attributes {"triton_gpu.num-warps" = 4 : i32} {
  // CHECK: tt.func @coalesce
  tt.func @coalesce(%p: tensor<1024x!tt.ptr<f32>, #A>, %c: tensor<64x64xf32, #C>, %m: !triton_gpu.memdesc<64x64xf16, #S, #triton_gpu.shared_memory>) {
    // CHECK: ttg.convert_layout %{{.*}} : tensor<1024x!tt.ptr<f32>, #blocked> -> tensor<1024x!tt.ptr<f32>, #blocked1>
    %0 = triton_gpu.convert_layout %p : tensor<1024x!tt.ptr<f32>, #A> -> tensor<1024x!tt.ptr<f32>, #B>
    %1 = tt.load %0 : tensor<1024x!tt.ptr<f32>, #B>
    // CHECK: ttg.async_wait {num = 0 : i32}
    %2 = triton_gpu.async_wait {num = 0 : i32}
    tt.return
  }
}
