// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'CTAsPerCGA' of older programs is read where it says one block}}
#A = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CTAsPerCGA = [2], CTASplitNum = [1], CTAOrder = [0]}>

// -----
// expected-error@+1 {{a leading offset is read with vectors of 16 bytes in two dims and 8 lines of phases, got vec = 8, perPhase = 1, maxPhase = 4}}
#S = #triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0], hasLeadingOffset = true}>

// -----
tt.func @f(%a: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error@+1 {{has both 'allowTF32' and 'inputPrecision'}}
  %0 = tt.dot %a, %a, %c, inputPrecision = tf32 {allowTF32 = true} : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----
tt.func @f() {
  // expected-error@+1 {{custom op 'triton_gpu.mbarrier_wait' is unknown}}
  %0 = triton_gpu.mbarrier_wait : tensor<2x16x64xf16>
  tt.return
}

// -----
tt.func @f(%x: i1) {
  // expected-error@+1 {{expected ')', got '->'}}
  %0 = tt.splat %x : (i1 -> tensor<4xi1>
  tt.return
}
