// SPDX-License-Identifier: Apache-2.0
// RUN: not heddle run %s --random 1 --dims d0=9 --no-cache 2>&1 | FileCheck %s
// RUN: not heddle eval %s --random 1 --dims d0=9 2>&1 | FileCheck %s --check-prefix=EVAL
// RUN: heddle run %s --random 1 --dims d0=8 --no-cache --reference=eval | FileCheck %s --check-prefix=GOOD
// An argument's dims are at most what its type says.

// CHECK: a dim is beyond the bound of its type (argument 0: dim 0 is 9; expected at most 8)
// EVAL: argument 0: dim 0 is 9, expected at most 8
// GOOD: 1 launch, 0 library calls
func.func @main(%x: tensor<?x4xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<8, ?>> {
  %0 = stablehlo.negate %x : tensor<?x4xf32, #stablehlo.bounds<8, ?>>
  return %0 : tensor<?x4xf32, #stablehlo.bounds<8, ?>>
}
