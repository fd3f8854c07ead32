// What Triton's verifiers hold of barriers, transfers and products of tensor cores.
// RUN: heddle-opt %s --split-input-file --verify-diagnostics
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#other = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#one = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#two = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @barriers(%a: !ttg.memdesc<1xi64, #one, #smem, mutable>, %b: !ttg.memdesc<2xi64, #one, #smem, mutable>, %c: !ttg.memdesc<1xi32, #one, #smem, mutable>, %d: !ttg.memdesc<1x1xi64, #two, #smem, mutable>, %p: i32) {
    ttng.init_barrier %a, 1 : !ttg.memdesc<1xi64, #one, #smem, mutable>
    // expected-error@+1 {{'ttng.init_barrier' op expects a barrier of 1 to 1 i64, got !ttg.memdesc<2xi64}}
    ttng.init_barrier %b, 1 : !ttg.memdesc<2xi64, #one, #smem, mutable>
    // expected-error@+1 {{'ttng.wait_barrier' op expects a barrier of 1 to 1 i64}}
    ttng.wait_barrier %c, %p : !ttg.memdesc<1xi32, #one, #smem, mutable>
    // expected-error@+1 {{'ttng.inval_barrier' op expects a barrier of 1 to 1 i64}}
    ttng.inval_barrier %d : !ttg.memdesc<1x1xi64, #two, #smem, mutable>
    tt.return
  }
  tt.func @transfers(%t: !tt.tensordesc<tensor<64x64xf16, #shared>>, %b: !ttg.memdesc<1xi64, #one, #smem, mutable>, %m: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %n: !ttg.memdesc<64x64xf16, #other, #smem, mutable>, %h: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %f: !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>, %i: i32, %p: i1) {
    ttng.async_tma_copy_global_to_local %t[%i, %i] %m, %b, %p : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #one, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // expected-error@+1 {{'ttng.async_tma_copy_global_to_local' op expects 2 coordinates, one for each dim of the block, got 1}}
    ttng.async_tma_copy_global_to_local %t[%i] %m, %b, %p : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #one, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // expected-error@+1 {{'ttng.async_tma_copy_local_to_global' op expects memory in the layout of the descriptor's block}}
    ttng.async_tma_copy_local_to_global %t[%i, %i] %n : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #other, #smem, mutable>
    // expected-error@+1 {{'ttng.async_tma_copy_local_to_global' op expects memory of as many elements as the descriptor's block}}
    ttng.async_tma_copy_local_to_global %t[%i, %i] %h : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    // expected-error@+1 {{'ttng.async_tma_copy_local_to_global' op expects memory of the descriptor's elements: expected f16, got bf16}}
    ttng.async_tma_copy_local_to_global %t[%i, %i] %f : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    tt.return
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @products(%a: !ttg.memdesc<128x64xbf16, #shared, #smem>, %b: !ttg.memdesc<64x64xbf16, #shared, #smem>, %h: !ttg.memdesc<64x64xf16, #shared, #smem>, %c: tensor<128x64xf32, #mma>, %d: !ttg.memdesc<128x64xi32, #tmem, #ttng.tensor_memory, mutable>, %p: i1) {
    // expected-error@+1 {{'ttng.warp_group_dot' op expects elements that wgmma multiplies, got bf16 and f16}}
    %0 = ttng.warp_group_dot %a, %h, %c : !ttg.memdesc<128x64xbf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    // expected-error@+1 {{'ttng.tc_gen5_mma' op expects memory of elements that sums of the operands' have, got bf16 and i32}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p : !ttg.memdesc<128x64xbf16, #shared, #smem>, !ttg.memdesc<64x64xbf16, #shared, #smem>, !ttg.memdesc<128x64xi32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }
}
// -----
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @blocks(%a: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error@+1 {{'ttg.local_dealloc' op expects a layout of 2 blocks, not 1, got !ttg.memdesc<64x64xf16}}
    ttg.local_dealloc %a : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}
// -----
// expected-error@+1 {{the layout needs 64 or 128 as 'blockM', got 32}}
tt.func private @rows(!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 32, blockN = 64, colStride = 1>, #ttng.tensor_memory>)
// -----
// expected-error@+1 {{the type needs an allocation of 128x64 at least, got 64x64}}
tt.func private @small(!ttg.memdesc<64x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>, #ttng.tensor_memory>)
// -----
// expected-error@+1 {{the type needs elements of at most 32 bits with their stride, got 64}}
tt.func private @wide(!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>, #ttng.tensor_memory>)
// -----
// expected-error@+1 {{the layout needs bases of which none is a sum of others}}
tt.func private @twice(tensor<4x4xf32, #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [0, 1]], warp = [], block = []}>>)
// -----
module {
  tt.func @others(%a: tensor<64xf32>, %b: tensor<32xf32>, %c: tensor<64xi32>, %s: tensor<16x32xf8E4M3FN>, %t: tensor<32x16xf8E4M3FN>, %z: tensor<16x2xi8>, %d: tensor<16x16xf32>) {
    // expected-error@+1 {{'tt.assert' op expects a condition of i1, got tensor<64xi32>}}
    tt.assert %c, "no" : tensor<64xi32>
    // expected-error@+1 {{'tt.extern_elementwise' op expects one shape of all tensors, got tensor<64xf32> and tensor<32xf32>}}
    %0 = tt.extern_elementwise %a {libname = "", libpath = "", pure = true, symbol = "f"} : (tensor<64xf32>) -> tensor<32xf32>
    // expected-error@+1 {{'tt.elementwise_inline_asm' op expects a multiple of 128 elements, those that are packed, got tensor<64xi32>}}
    %1 = tt.elementwise_inline_asm "mov" {constraints = "=r,r", packed_element = 128 : i32, pure = true} %c : tensor<64xi32> -> tensor<64xi32>
    // expected-error@+1 {{'tt.dot_scaled' op expects a scale for each group of elements along k of operand #0}}
    %2 = tt.dot_scaled %s scale %z, %t, %d lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<16x32xf8E4M3FN>, tensor<16x2xi8> * tensor<32x16xf8E4M3FN> -> tensor<16x16xf32>
    tt.return
  }
}
