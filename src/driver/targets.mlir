// SPDX-License-Identifier: Apache-2.0
// Several devices share kernels in machine form and host code: one artifact has the images of all, and each runs from it. PTX comes
// beside it. What does not share says so.
// RUN: heddle compile %s --target=cuda:80,90 --target=simt -o %t.hdl --emit-ptx %t.ptx --no-cache
// RUN: FileCheck %s --check-prefix=PTX --input-file %t.ptx
// RUN: heddle run %t.hdl --target simt --random 1 --dims d0=5 | FileCheck %s --check-prefix=VALUE
// RUN: not heddle compile %s --target=cpu --target=simt -o %t.hdl 2>&1 | FileCheck %s --check-prefix=APART
// RUN: not heddle compile %s --target=simt --target=simt:80 -o %t.hdl 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not heddle compile %s --target=simt --emit-ptx %t.ptx -o %t.hdl 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not heddle compile %s --target=cuda --target=cuda:81 -o %t.hdl 2>&1 | FileCheck %s --check-prefix=TWICE

// PTX: .target sm_80
// PTX: .entry
// VALUE: out0{{ +}}5xf32
// APART: 'cpu' and 'simt' differ in more than images: expected an artifact for each
// TWICE: is given twice: expected its architectures as in
// NONE: emit-ptx: target 'simt' has no PTX
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
