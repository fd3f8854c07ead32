// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --expand-math --split-input-file %s | FileCheck %s --check-prefixes=ALL,CUDA
// RUN: heddle-opt --target=spirv --expand-math --split-input-file %s | FileCheck %s --check-prefixes=ALL,SPIRV
// RUN: heddle-opt --target=cuda --expand-math=math=exact --split-input-file %s | FileCheck %s --check-prefix=EXACT
// RUN: heddle-opt --target=cpu --expand-math --split-input-file %s | FileCheck %s --check-prefix=EXACT
// RUN: heddle-opt --expand-math --split-input-file %s | FileCheck %s --check-prefix=EXACT

// What the program has in bf16 takes a form of fast.def: the device's instruction, or a quotient of polynomials.
// ALL-LABEL: @said
// ALL: call @math.tanh.f32.bf16
// ALL: func.func private @math.tanh.f32.bf16
// CUDA-NEXT: math.tanh %arg0 fastmath<{{.*}}afn{{.*}}> : f32
// SPIRV-COUNT-4: math.fma
// SPIRV-NOT: math.fma
// SPIRV: arith.divf
// EXACT-LABEL: @said
// EXACT: call @math.tanh.f32(
// EXACT-NOT: afn
func.func @said(%n: index, %x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %c1, %f = %c1) threads(%g, %h, %i) in (%j = %n, %k = %c1, %l = %c1) {
    %v = memref.load %x[%g] : memref<?xf32>
    %w = math.tanh %v {hd.rounds = "bf16"} : f32
    memref.store %w, %x[%g] : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

// So does what all uses round to f16; a use in f32 asks for its digits.
// ALL-LABEL: @uses
// ALL: call @math.exp.f32.f16
// ALL: call @math.exp.f32(
// EXACT-LABEL: @uses
// EXACT-COUNT-2: call @math.exp.f32(
func.func @uses(%n: index, %x: memref<?xf32>, %y: memref<?xf16>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %c1, %f = %c1) threads(%g, %h, %i) in (%j = %n, %k = %c1, %l = %c1) {
    %v = memref.load %x[%g] : memref<?xf32>
    %w = math.exp %v : f32
    %r = arith.truncf %w : f32 to f16
    memref.store %r, %y[%g] : memref<?xf16>
    %m = arith.negf %v : f32
    %z = math.exp %m : f32
    %s = arith.truncf %z : f32 to f16
    memref.store %s, %y[%n] : memref<?xf16>
    memref.store %z, %x[%g] : memref<?xf32>
    gpu.terminator
  }
  return
}
