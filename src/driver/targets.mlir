// SPDX-License-Identifier: Apache-2.0
// Several devices share kernels in machine form and host code, so one program of the artifact has the images of all, and each runs from
// it. The CPU has a program of its own beside it. PTX comes beside the artifact. A target is given once.
// RUN: heddle compile %s --target=cuda:80,90 --target=simt -o %t.hdl --emit-ptx %t.ptx --no-cache
// RUN: FileCheck %s --check-prefix=PTX --input-file %t.ptx
// RUN: heddle run %t.hdl --target simt --random 1 --dims d0=5 | FileCheck %s --check-prefix=VALUE
// RUN: heddle compile %s --target=cpu --target=simt -o %t.both.hdl --no-cache
// RUN: heddle run %t.both.hdl --random 1 --dims d0=5 | FileCheck %s --check-prefix=CPU
// RUN: heddle run %t.both.hdl --target simt --random 1 --dims d0=5 | FileCheck %s --check-prefix=SIMT
// RUN: not heddle run %t.both.hdl --target cuda --random 1 --dims d0=5 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: heddle devices %t.both.hdl | FileCheck %s --check-prefix=LIST
// RUN: not heddle compile %s --target=simt --target=simt:80 -o %t.hdl 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not heddle compile %s --target=simt --emit-ptx %t.ptx -o %t.hdl 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not heddle compile %s --target=cuda --target=cuda:81 -o %t.hdl 2>&1 | FileCheck %s --check-prefix=TWICE

// PTX: .target sm_80
// PTX: .entry
// VALUE: out0{{ +}}5xf32
// CPU: 1 kernel, x86-64
// CPU: out0{{ +}}5xf32
// SIMT: kernels, simt and x86-64
// SIMT: out0{{ +}}5xf32
// ABSENT: --target: the artifact has no code for 'cuda', expected one of: cpu, simt
// LIST: cpu{{ +}}here, taken unless --target names another
// LIST-NEXT: simt{{ +}}here
// TWICE: is given twice: expected its architectures as in
// NONE: emit-ptx: target 'simt' has no PTX
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
