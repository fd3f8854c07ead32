// SPDX-License-Identifier: Apache-2.0
// The block of a kernel under both names that MLIR has had for it.
// RUN: heddle-opt %s --convert-gpu-to-llvm --verify-machine-form | FileCheck %s

// CHECK: llvm.func @now({{.*}} attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>}
// CHECK: llvm.func @before({{.*}} attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>}
gpu.module @k {
  gpu.func @now(%x: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    gpu.return
  }
  gpu.func @before(%x: f32) kernel attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}
