// SPDX-License-Identifier: Apache-2.0
// What LLVM ends the process on is refused at the op.
// RUN: sed 's/KIND/nand/' %s > %t.mlir
// RUN: not heddle-opt %t.mlir --emit-spirv -o %t 2>&1 | FileCheck %s
// RUN: sed 's/KIND/uinc_wrap/' %s > %t.mlir
// RUN: not heddle-opt %t.mlir --emit-spirv -o %t 2>&1 | FileCheck %s
// RUN: sed 's/KIND/usub_sat/' %s > %t.mlir
// RUN: not heddle-opt %t.mlir --emit-spirv -o %t 2>&1 | FileCheck %s
// RUN: sed 's/KIND/umin/' %s > %t.mlir
// RUN: heddle-opt %t.mlir --emit-spirv -o %t
// CHECK: mlir:[[# @LINE + 3]]:10: 'llvm.atomicrmw' op is of a kind that OpenCL does not have
gpu.module @k {
  llvm.func @k(%p: !llvm.ptr<1>, %w: i32) attributes {gpu.kernel} {
    %0 = llvm.atomicrmw KIND %p, %w monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}
