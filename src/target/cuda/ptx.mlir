// SPDX-License-Identifier: Apache-2.0
// PTX of the GPU pipeline's kernels: what it says, and that CUDA's assembler takes it for two architectures without spills.
// REQUIRES: ptxas
// RUN: heddle-opt --disc-pipeline=target=cuda --convert-gpu-to-llvm --emit-ptx=80 %examples/softmax.mlir > %t.softmax.80
// RUN: FileCheck %s --check-prefix=SOFTMAX < %t.softmax.80
// RUN: ptxas -v -arch=sm_80 %t.softmax.80 -o %t.cubin 2> %t.log
// RUN: FileCheck %s --check-prefix=TEN < %t.log
// RUN: heddle-opt --disc-pipeline=target=cuda --convert-gpu-to-llvm --emit-ptx=90 %examples/softmax.mlir > %t.softmax.90
// RUN: ptxas -v -arch=sm_90 %t.softmax.90 -o %t.cubin 2> %t.log
// RUN: FileCheck %s --check-prefix=TEN < %t.log
// RUN: heddle-opt --disc-pipeline=target=cuda --convert-gpu-to-llvm --emit-ptx=80 %examples/gelu_bf16.mlir > %t.gelu.80
// RUN: ptxas -v -arch=sm_80 %t.gelu.80 -o %t.cubin 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: heddle-opt --disc-pipeline=target=cuda --convert-gpu-to-llvm --emit-ptx=90 %examples/bert_layer.mlir > %t.bert.90
// RUN: ptxas -v -arch=sm_90 %t.bert.90 -o %t.cubin 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: heddle-opt %s --emit-ptx=75 | FileCheck %s
// RUN: heddle-opt %s --emit-ptx=75 -o %t.this
// RUN: ptxas -v -arch=sm_75 %t.this -o %t.cubin

// SOFTMAX: .target sm_80
// SOFTMAX: .visible .entry
// SOFTMAX: .reqntid
// SOFTMAX: shfl.sync.bfly
// SOFTMAX: bar.sync

// TEN-COUNT-10: 0 bytes spill stores
// TEN-NOT: bytes spill stores
// KERNEL: 0 bytes spill stores
// KERNEL-NOT: {{[1-9][0-9]*}} bytes spill stores

// Numbers of threads, exchanges of each width and direction, atomic updates within the device, memory of block and thread.
// CHECK: .visible .entry k(
// CHECK: .reqntid 32, 1, 1
// CHECK: .shared .align 16 .b8 k_shared_0[128]
// CHECK: shfl.sync.up.b32
// CHECK-COUNT-2: shfl.sync.down.b32
// CHECK: shfl.sync.idx.b32
// CHECK: bar.sync
// CHECK: atom.global.add.f32
// CHECK: atom.{{.*}}cas.b32
// CHECK: st.global.v4.b32
// CHECK: ret;
gpu.module @k {
  llvm.mlir.global internal @k_shared_0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x f32>
  llvm.func internal @twice(%x: f32) -> f32 {
    %0 = llvm.fadd %x, %x : f32
    llvm.return %0 : f32
  }
  llvm.func @k(%p: !llvm.ptr<1>, %n: i64) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>} {
    %1 = llvm.mlir.constant(1 : i32) : i32
    %32 = llvm.mlir.constant(32 : i32) : i32
    %w = llvm.mlir.addressof @k_shared_0 : !llvm.ptr<3>
    %id = gpu.thread_id x
    %t = arith.index_castui %id : index to i64
    %from = llvm.getelementptr inbounds %p[%t] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %from : !llvm.ptr<1> -> f32
    %up, %valid = gpu.shuffle up %x, %1, %32 : f32
    %wide = llvm.fpext %up : f32 to f64
    %down, %valid2 = gpu.shuffle down %wide, %1, %32 : f64
    %half = llvm.fptrunc %down : f64 to f16
    %first, %valid3 = gpu.shuffle idx %half, %1, %32 : f16
    %y = llvm.fpext %first : f16 to f32
    %to = llvm.getelementptr inbounds %w[%t] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    llvm.store %y, %to : f32, !llvm.ptr<3>
    gpu.barrier
    %z = llvm.load %w : !llvm.ptr<3> -> f32
    %u = llvm.call @twice(%z) : (f32) -> f32
    %old = llvm.atomicrmw fadd %p, %u syncscope("device") monotonic : !llvm.ptr<1>, f32
    %most = llvm.atomicrmw fmaximum %from, %u syncscope("device") monotonic : !llvm.ptr<1>, f32
    %own = llvm.alloca %1 x f32 : (i32) -> !llvm.ptr<5>
    llvm.store %old, %own : f32, !llvm.ptr<5>
    %back = llvm.load %own : !llvm.ptr<5> -> f32
    %v = llvm.mlir.poison : vector<4xf32>
    %0 = llvm.mlir.constant(0 : i64) : i64
    %i1 = llvm.mlir.constant(1 : i64) : i64
    %i2 = llvm.mlir.constant(2 : i64) : i64
    %i3 = llvm.mlir.constant(3 : i64) : i64
    %v0 = llvm.insertelement %back, %v[%0 : i64] : vector<4xf32>
    %v1 = llvm.insertelement %x, %v0[%i1 : i64] : vector<4xf32>
    %v2 = llvm.insertelement %x, %v1[%i2 : i64] : vector<4xf32>
    %v3 = llvm.insertelement %u, %v2[%i3 : i64] : vector<4xf32>
    %at = llvm.getelementptr inbounds %p[%t] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, vector<4xf32>
    llvm.store %v3, %at {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
