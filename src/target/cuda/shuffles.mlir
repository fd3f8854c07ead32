// SPDX-License-Identifier: Apache-2.0
// The clamp and the mask of an exchange among the first eight lanes, by its own name and by nvvm's: up ends at lane 0, others at lane 7.
// REQUIRES: ptxas
// RUN: heddle-opt %s --emit-ptx=75 -o %t.gpu
// RUN: heddle-opt %s --convert-gpu-to-nvvm --emit-ptx=75 -o %t.nvvm
// RUN: FileCheck %s < %t.gpu
// RUN: FileCheck %s < %t.nvvm
// RUN: ptxas -arch=sm_75 %t.gpu -o %t.cubin

// CHECK: shfl.sync.bfly.b32 {{.*}}, 1, 7, 255;
// CHECK: shfl.sync.up.b32 {{.*}}, 1, 0, 255;
// CHECK: shfl.sync.down.b32 {{.*}}, 1, 7, 255;
// CHECK: shfl.sync.idx.b32 {{.*}}, 1, 7, 255;
gpu.module @k {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel, gpu.known_block_size = array<i32: 8, 1, 1>} {
    %1 = llvm.mlir.constant(1 : i32) : i32
    %w = llvm.mlir.constant(8 : i32) : i32
    %id = gpu.thread_id x
    %t = arith.index_castui %id : index to i32
    %r_xor, %valid_xor = gpu.shuffle xor %t, %1, %w : i32
    llvm.store volatile %r_xor, %p : i32, !llvm.ptr<1>
    %r_up, %valid_up = gpu.shuffle up %t, %1, %w : i32
    llvm.store volatile %r_up, %p : i32, !llvm.ptr<1>
    %r_down, %valid_down = gpu.shuffle down %t, %1, %w : i32
    llvm.store volatile %r_down, %p : i32, !llvm.ptr<1>
    %r_idx, %valid_idx = gpu.shuffle idx %t, %1, %w : i32
    llvm.store volatile %r_idx, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
