// SPDX-License-Identifier: Apache-2.0
// OpenCL's atomics are of 32 and 64 bits.
// RUN: not heddle-opt %s --emit-spirv -o %t 2>&1 | FileCheck %s
// CHECK: narrow_atomics.mlir:[[# @LINE + 4]]:10: 'llvm.atomicrmw' op is on fewer bits than OpenCL exchanges, expected 32 or 64
gpu.module @k {
  llvm.func @k(%p: !llvm.ptr<1>, %x: i16, %w: i32) attributes {gpu.kernel} {
    %0 = llvm.atomicrmw add %p, %w monotonic : !llvm.ptr<1>, i32
    %1 = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr<1>, i16
    llvm.return
  }
}
