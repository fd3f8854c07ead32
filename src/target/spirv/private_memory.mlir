// SPDX-License-Identifier: Apache-2.0
// Memory of a thread is taken once, at the kernel's start, wherever it is asked for; its size is known.
// RUN: heddle-opt %s --emit-ptx=80 | FileCheck %s --check-prefix=PTX
// RUN: sed 's/%%one x/%%n x/' %s > %t.mlir
// RUN: not heddle-opt %t.mlir --emit-spirv -o %t 2>&1 | FileCheck %s
// RUN: not heddle-opt %t.mlir --emit-ptx=80 -o %t 2>&1 | FileCheck %s
// PTX: .local .align {{.*}}[256];
// PTX-NOT: stack
// CHECK: mlir:{{[0-9]+}}:10: 'llvm.alloca' op takes as much memory as only the run knows, expected a constant number
gpu.module @k {
  llvm.func @k(%p: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.br ^loop(%zero : i32)
  ^loop(%i: i32):
    %a = llvm.alloca %one x !llvm.array<64 x i32> : (i32) -> !llvm.ptr<5>
    %at = llvm.zext %i : i32 to i64
    %e = llvm.getelementptr %a[%at] : (!llvm.ptr<5>, i64) -> !llvm.ptr<5>, i32
    llvm.store volatile %i, %e : i32, !llvm.ptr<5>
    %v = llvm.load volatile %a : !llvm.ptr<5> -> i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    %j = llvm.add %i, %one : i32
    %go = llvm.icmp "slt" %j, %n : i32
    llvm.cond_br %go, ^loop(%j : i32), ^end
  ^end:
    llvm.return
  }
}
