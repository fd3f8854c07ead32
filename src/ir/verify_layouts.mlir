// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{the layout has 1 entries in 'threadsPerWarp' for 2 dims}}
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [32], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----
// expected-error@+1 {{the layout needs powers of two in 'sizePerThread', got 3}}
#b = #ttg.blocked<{sizePerThread = [3], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// -----
// expected-error@+1 {{the layout needs powers of two in 'warpsPerCTA', got 0}}
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [0], order = [0]}>

// -----
// expected-error@+1 {{the layout needs powers of two in 'sizePerThread', got -1}}
#b = #ttg.blocked<{sizePerThread = [-1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>

// -----
// expected-error@+1 {{the layout has more than 1048576 in 'threadsPerWarp'}}
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1048576, 1048576], warpsPerCTA = [1, 1], order = [0, 1]}>

// -----
// expected-error@+1 {{integer value too large}}
#b = #ttg.blocked<{sizePerThread = [4294967296], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>

// -----
// expected-error@+1 {{the layout needs a permutation of its 2 dims as 'order'}}
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 1]}>

// -----
// expected-error@+1 {{the layout needs 1 to 8 entries in 'order', got 0}}
#b = #ttg.blocked<{sizePerThread = [], threadsPerWarp = [], warpsPerCTA = [], order = []}>

// -----
// expected-error@+1 {{expected parameter 'order'}}
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1]}>

// -----
// expected-error@+1 {{unknown struct parameter name: swizzle}}
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0], swizzle = [0]}>

// -----
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
// expected-error@+1 {{the layout needs a parent of two dims or more, got 1}}
#s = #ttg.slice<{dim = 0, parent = #b}>

// -----
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
// expected-error@+1 {{the layout needs a 'dim' between 0 and 1, got 2}}
#s = #ttg.slice<{dim = 2, parent = #b}>

// -----
// expected-error@+1 {{the layout needs a layout of tensors as 'parent'}}
#s = #ttg.slice<{dim = 0, parent = #ttg.shared_memory}>

// -----
#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
// expected-error@+1 {{the layout needs a power of two up to 64 as 'kWidth' with an mma parent, got 0}}
#d = #ttg.dot_op<{opIdx = 0, parent = #m}>

// -----
#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
// expected-error@+1 {{the layout needs 0 or 1 as 'opIdx', got 2}}
#d = #ttg.dot_op<{opIdx = 2, parent = #m, kWidth = 2}>

// -----
// expected-error@+1 {{the layout needs 3 entries in 'instrShape' of version 3, got 2}}
#m = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>

// -----
// expected-error@+1 {{the layout has a base of 1 coordinates in 'lane' for 2 dims}}
#l = #ttg.linear<{register = [[0, 1]], lane = [[1]], warp = [], block = []}>

// -----
// expected-error@+1 {{the layout needs a base, which tells its rank}}
#l = #ttg.linear<{register = [], lane = [], warp = [], block = []}>

// -----
// expected-error@+1 {{the layout needs a list of lists as 'register'}}
#l = #ttg.linear<{register = [1, 2], lane = [], warp = [], block = []}>

// -----
// expected-error@+1 {{the layout needs a list of up to 30 bases as 'register'}}
#l = #ttg.linear<{register = 3 : i32, lane = [], warp = [], block = []}>

// -----
// expected-error@+1 {{the layout needs 0, 32, 64 or 128 as 'swizzlingByteWidth', got 16}}
#n = #ttg.nvmma_shared<{swizzlingByteWidth = 16, transposed = true, elementBitWidth = 16}>

// -----
// expected-error@+1 {{the layout needs a power of two up to 1048576 as 'maxPhase', got 3}}
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 3, order = [1, 0]}>

// -----
// expected-error@+1 {{the layout has an interval twice}}
#p = #ttg.padded_shared<[64:+4, 64:+8] {order = [1, 0], shape = [128, 128]}>

// -----
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// expected-error@+1 {{the type has a layout of 1 dims for a shape of 2}}
tt.func private @f(tensor<4x4xf32, #b>)

// -----
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// expected-error@+1 {{the type has a layout of tensors}}
tt.func private @f(!ttg.memdesc<4xf32, #b, #ttg.shared_memory>)

// -----
// expected-error@+1 {{the type needs a ranked tensor as its block}}
tt.func private @f(!tt.tensordesc<f32>)

// -----
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#c = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @mixed(%a: tensor<128xf16, #b>, %p: tensor<128x!tt.ptr<f32>, #b>, %o: tensor<128xi32, #c>) {
  // expected-error@+1 {{requires one layout for all operands and results}}
  %0 = arith.extf %a : tensor<128xf16, #b> to tensor<128xf32, #c>
  // expected-error@+1 {{requires one layout for all operands and results}}
  %1 = tt.addptr %p, %o : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #c>
  tt.return
}

// -----
// expected-error@+1 {{the type needs powers of two as its dims but the first, got 24}}
tt.func private @f(!ttg.memdesc<3x24xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>, #ttg.shared_memory>)

// -----
// expected-error@+1 {{the type needs dim 0 within the 32 of its allocation, got 64}}
tt.func private @f(!ttg.memdesc<64xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, mutable, 32>)

// -----
// expected-error@+1 {{the type needs #ttg.shared_memory as the space of its layout}}
tt.func private @f(!ttg.memdesc<64xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttng.tensor_memory>)

// -----
// expected-error@+1 {{the type needs #ttng.tensor_memory as the space of its layout}}
tt.func private @f(!ttg.memdesc<128x32xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>, #ttg.shared_memory>)

// -----
// expected-error@+1 {{the type needs 64 elements along dim 0 for 128 bytes to be swizzled, got 8}}
tt.func private @f(!ttg.memdesc<8x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>, #ttg.shared_memory>)

// -----
// expected-error@+1 {{the type needs 4 elements along dim 1 as its layout, got 8}}
tt.func private @f(!ttg.memdesc<4x8xf16, #ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 0]]}, alignment = 16>, #ttg.shared_memory>)

// -----
// expected-error@+1 {{the type needs 32 elements along dim 1 as its layout, got 16}}
tt.func private @f(!ttg.memdesc<8x16xf32, #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [8, 32]}>, #ttg.shared_memory>)
