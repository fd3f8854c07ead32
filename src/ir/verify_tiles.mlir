// SPDX-License-Identifier: Apache-2.0
// Tensors of Triton's ops: how many elements they have, and whose threads their layouts are.
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

tt.func @sizes(%s: f32, %p: tensor<96x!tt.ptr<f32>>, %v: tensor<96xf32>) {
  // expected-error@+1 {{expects a number of elements that is a power of two, got tensor<96xf32>}}
  %0 = tt.splat %s : f32 -> tensor<96xf32>
  // expected-error@+1 {{expects a number of elements that is a power of two, got tensor<96x!tt.ptr<f32>>}}
  tt.store %p, %v : tensor<96x!tt.ptr<f32>>
  // expected-error@+1 {{expects at most 1048576 elements, got tensor<2097152xf32>}}
  %1 = tt.splat %s : f32 -> tensor<2097152xf32>
  %2 = tt.splat %s : f32 -> tensor<1048576xf32>
  %3 = arith.addf %v, %v : tensor<96xf32>
  tt.return
}

// -----
#l16 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#w8 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#w4 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 8]}>
#bases = #ttg.linear<{register = [], lane = [[1], [2], [4], [8]], warp = [[16], [32]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @threads(%s: f32, %x: tensor<128xf32, #w4>) {
    // expected-error@+1 {{expects a layout of 32 threads a warp, not 16, got tensor<128xf32, #ttg.blocked<}}
    %0 = tt.splat %s : f32 -> tensor<128xf32, #l16>
    // expected-error@+1 {{expects a layout of 4 warps, not 8}}
    %1 = tt.splat %s : f32 -> tensor<128xf32, #w8>
    // expected-error@+1 {{expects a layout of 1 blocks, not 2}}
    %2 = tt.splat %s : f32 -> tensor<128xf32, #two>
    // expected-error@+1 {{expects a layout of 4 warps, not 8}}
    %3 = tt.splat %s : f32 -> tensor<32x32xf32, #mma>
    // expected-error@+1 {{expects a layout of 4 warps, not 8}}
    %4 = tt.splat %s : f32 -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    // expected-error@+1 {{expects a layout of 32 threads a warp, not 16}}
    %5 = tt.splat %s : f32 -> tensor<64xf32, #bases>
    // expected-error@+1 {{expects a layout of 4 warps, not 8}}
    %6 = ttg.convert_layout %x : tensor<128xf32, #w4> -> tensor<128xf32, #w8>
    tt.return
  }
  // The nearest number counts: a function's, a partition's.
  tt.func @own(%s: f32) attributes {"ttg.num-warps" = 8 : i32} {
    %0 = tt.splat %s : f32 -> tensor<128xf32, #w8>
    // expected-error@+1 {{expects a layout of 8 warps, not 4}}
    %1 = tt.splat %s : f32 -> tensor<128xf32, #w4>
    tt.return
  }
  tt.func @partitions(%s: f32) {
    ttg.warp_specialize(%s)
    default {
      %0 = tt.splat %s : f32 -> tensor<128xf32, #w4>
      ttg.warp_yield
    }
    partition0(%a: f32) num_warps(8) {
      %1 = tt.splat %a : f32 -> tensor<128xf32, #w8>
      // expected-error@+1 {{expects a layout of 8 warps, not 4}}
      %2 = tt.splat %a : f32 -> tensor<128xf32, #w4>
      ttg.warp_return
    } : (f32) -> ()
    tt.return
  }
}

// -----
// What a module does not say is as Triton has it: 32 threads, one block.
#l16 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @threads(%s: f32) {
    // expected-error@+1 {{expects a layout of 32 threads a warp, not 16}}
    %0 = tt.splat %s : f32 -> tensor<128xf32, #l16>
    tt.return
  }
}

// -----
#l16 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func @threads(%s: f32) {
    %0 = tt.splat %s : f32 -> tensor<128xf32, #l16>
    tt.return
  }
}
