// SPDX-License-Identifier: Apache-2.0
// Loops of exchanges read by exchanging: a plain load would race with what other threads write.
// REQUIRES: spirv-dis
// RUN: heddle-opt %s --emit-spirv -o %t.spv
// RUN: spirv-dis %t.spv | FileCheck %s
// CHECK: OpFunction
// CHECK-NOT: OpLoad
// CHECK: OpAtomicCompareExchange
// CHECK-NOT: OpLoad
// CHECK: OpAtomicCompareExchange
// CHECK-NOT: OpLoad
// CHECK: OpFunctionEnd
gpu.module @k {
  llvm.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %x: f32, %h: i16) attributes {gpu.kernel} {
    %0 = llvm.atomicrmw fadd %p, %x syncscope("device") monotonic : !llvm.ptr<1>, f32
    %1 = llvm.cmpxchg %q, %h, %h syncscope("device") monotonic monotonic : !llvm.ptr<1>, i16
    llvm.return
  }
}
