// SPDX-License-Identifier: Apache-2.0
// Of i1 LLVM makes a truth value, on which it ends the process where that has to be a number: refused at the op.
// RUN: sed '/counted/d' %s > %t.mlir
// RUN: not heddle-opt %t.mlir --emit-spirv -o %t 2>&1 | FileCheck %s --check-prefix=ROUNDS
// RUN: sed '/rounded/d' %s > %t.mlir
// RUN: not heddle-opt %t.mlir --emit-spirv -o %t 2>&1 | FileCheck %s --check-prefix=COUNTS
// ROUNDS: 'llvm.fptoui' op has no code on i1
// COUNTS: 'llvm.intr.cttz' op has no code on i1
gpu.module @k {
  llvm.func @k(%p: !llvm.ptr<1>, %f: f32, %i: i32) attributes {gpu.kernel} {
    %0 = llvm.trunc %i : i32 to i1
    %rounded = llvm.fptoui %f : f32 to i1
    llvm.store %rounded, %p : i1, !llvm.ptr<1>
    %counted = "llvm.intr.cttz"(%0) {is_zero_poison = false} : (i1) -> i1
    llvm.store %counted, %p : i1, !llvm.ptr<1>
    llvm.return
  }
}
