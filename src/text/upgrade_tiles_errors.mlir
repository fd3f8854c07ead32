// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'CTAsPerCGA' of older programs is read where it says one block}}
#A = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CTAsPerCGA = [2], CTASplitNum = [1], CTAOrder = [0]}>

// -----
// expected-error@+1 {{'hasLeadingOffset' of older programs is read where it says one block or no offset}}
#S = #triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = true}>

// -----
tt.func @f() {
  // expected-error@+1 {{custom op 'triton_gpu.alloc_tensor' is unknown}}
  %0 = triton_gpu.alloc_tensor : tensor<2x16x64xf16>
  tt.return
}
