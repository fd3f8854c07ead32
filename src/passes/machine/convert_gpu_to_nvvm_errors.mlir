// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --convert-gpu-to-nvvm --split-input-file --verify-diagnostics
// What nvvm has no op for. A kernel need not be in a gpu.module, and what is none has no gpu ops.
func.func @host(%x: f32) -> f32 {
  return %x : f32
}
llvm.func @outside() {
  gpu.barrier
  llvm.return
}

// -----
gpu.module @k {
  llvm.func @k(%x: f32) attributes {gpu.kernel} {
    // expected-error@+1 {{has no form in nvvm, expected one of i32 by all lanes of a warp}}
    %0 = gpu.subgroup_reduce add %x uniform : (f32) -> f32
    llvm.return
  }
}

// -----
gpu.module @k {
  llvm.func @k(%x: f32) attributes {gpu.kernel} {
    // expected-error@+1 {{has no form in nvvm}}
    %0, %1 = gpu.rotate %x, 1, 32 : f32
    llvm.return
  }
}
