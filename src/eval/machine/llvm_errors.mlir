// SPDX-License-Identifier: Apache-2.0
// RUN: not heddle check %s --split-input-file 2>&1 | FileCheck %s
// What a kernel in machine form may not do.

// CHECK: 'llvm.load' op reaches 8 bytes into a buffer of 4
module @beyond attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  gpu.module @k {
    llvm.mlir.global internal @w() {addr_space = 3 : i32} : i32
    llvm.func @k() attributes {gpu.kernel} {
      %w = llvm.mlir.addressof @w : !llvm.ptr<3>
      %0 = llvm.load %w : !llvm.ptr<3> -> vector<2xi32>
      llvm.return
    }
  }
}

// -----
// CHECK: 'llvm.load' op accesses an address that is no multiple of its alignment of 16
module @misaligned attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  gpu.module @k {
    llvm.mlir.global internal @w() {addr_space = 3 : i32} : !llvm.array<8 x i32>
    llvm.func @k() attributes {gpu.kernel} {
      %w = llvm.mlir.addressof @w : !llvm.ptr<3>
      %at = llvm.getelementptr %w[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      %0 = llvm.load %at {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
      llvm.return
    }
  }
}

// -----
// CHECK: 'llvm.unreachable' op is reached
module @unreachable attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  gpu.module @k {
    llvm.func @k() attributes {gpu.kernel} {
      llvm.unreachable
    }
  }
}

// -----
// CHECK: 'gpu.barrier' op is reached by 2 of the 4 threads of its block
module @divergent attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
    return
  }
  gpu.module @k {
    llvm.func @k() attributes {gpu.kernel} {
      %2 = llvm.mlir.constant(2 : i32) : i32
      %id = gpu.thread_id x
      %t = arith.index_castui %id : index to i32
      %first = llvm.icmp "ult" %t, %2 : i32
      llvm.cond_br %first, ^wait, ^end
    ^wait:
      gpu.barrier
      llvm.br ^end
    ^end:
      llvm.return
    }
  }
}
