// SPDX-License-Identifier: Apache-2.0
// A pass of level kernel is run on functions of any op, in a gpu.module or not; one of level function on each func.func of the module.
// RUN: heddle-opt %s --expand-math | FileCheck %s
// RUN: heddle-opt %s '--pass-pipeline=builtin.module(gpu.module(gpu.func(expand-math)))' | FileCheck %s
// RUN: heddle-opt %s --mlir-print-ir-after=expand-math,disc-shape-analysis --expand-math --disc-shape-analysis -o %t 2>&1 | FileCheck %s --check-prefix=RUNS

// CHECK-NOT: math.exp

// RUNS-COUNT-3: IR Dump After expand-math
// RUNS-NOT: expand-math
// RUNS-COUNT-1: IR Dump After disc-shape-analysis
// RUNS-NOT: disc-shape-analysis
func.func @host(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}
gpu.module @k {
  gpu.func @k(%m: memref<1xf32, #gpu.address_space<global>>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.load %m[%c0] : memref<1xf32, #gpu.address_space<global>>
    %y = math.exp2 %x : f32
    memref.store %y, %m[%c0] : memref<1xf32, #gpu.address_space<global>>
    gpu.return
  }
  func.func private @called(%x: f32) -> f32 {
    %0 = math.exp %x : f32
    return %0 : f32
  }
}
