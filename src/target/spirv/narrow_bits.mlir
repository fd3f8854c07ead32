// SPDX-License-Identifier: Apache-2.0
// Integers of less than a byte are bytes each, so a vector of them is no number of all its bits.
// RUN: not heddle-opt %s --emit-spirv -o %t 2>&1 | FileCheck %s
// CHECK: narrow_bits.mlir:[[# @LINE + 4]]:10: 'llvm.bitcast' op has no code on integers of less than a byte
gpu.module @k {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel} {
    %v = llvm.load %p : !llvm.ptr<1> -> vector<8xi4>
    %w = llvm.bitcast %v : vector<8xi4> to i32
    llvm.store %w, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
