// SPDX-License-Identifier: Apache-2.0
// RUN: not heddle-opt %s --emit-ptx=80 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not heddle-opt %s --convert-gpu-to-llvm --emit-ptx=81 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not heddle-opt %s --emit-ptx=fast 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not heddle-opt %examples/gelu.mlir --emit-ptx=80 2>&1 | FileCheck %s --check-prefix=NONE
// FORM: ptx_errors.mlir:[[# @LINE + 5]]:3: error: 'gpu.func' op is not of the machine form
// UNKNOWN: error: cuda: unknown architecture 81, expected 70 to 120, as 80 or 90
// NUMBER: error: --emit-ptx: expected a positive number, at most 999, got 'fast'
// NONE: error: cuda: the program has no gpu.module
gpu.module @k {
  gpu.func @k() kernel {
    gpu.return
  }
}
