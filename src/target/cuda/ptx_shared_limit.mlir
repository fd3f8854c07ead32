// SPDX-License-Identifier: Apache-2.0
// A kernel declares at most the shared memory that the assembler takes.
// RUN: not heddle-opt %s --emit-ptx=80 2>&1 | FileCheck %s
// RUN: sed s/12289/12288/ %s | heddle-opt --emit-ptx=80 | FileCheck %s --check-prefix=FITS
// CHECK: error: cuda: {{.*}}:8:3: 'llvm.mlir.global' op has 49156 bytes of shared memory, expected at most 49152
// FITS: .shared .align 4 .b8 s[49152];
gpu.module @k {
  llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<12289 x f32>
  llvm.func @f(%a: !llvm.ptr<1>) attributes {gpu.kernel} {
    %0 = llvm.mlir.addressof @s : !llvm.ptr<3>
    %1 = llvm.load %0 : !llvm.ptr<3> -> f32
    llvm.store %1, %a : f32, !llvm.ptr<1>
    llvm.return
  }
}
