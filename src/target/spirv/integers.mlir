// SPDX-License-Identifier: Apache-2.0
// Integers that OpenCL has no type for are refused: in wider ones what lies above would be lost sight of. Less than a byte is an i8 (translate_machine_narrow.c).
// RUN: not heddle-opt %s --emit-spirv -o %t 2>&1 | FileCheck %s
// CHECK: integers.mlir:[[# @LINE + 4]]:10: 'llvm.load' op has a type without a form on a device
gpu.module @k {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel} {
    %n = llvm.load %p : !llvm.ptr<1> -> i4
    %x = llvm.load %p : !llvm.ptr<1> -> i13
    %y = llvm.add %x, %x : i13
    llvm.store %y, %p : i13, !llvm.ptr<1>
    llvm.return
  }
}
