// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --gpu-kernel-outlining --symbol-dce %s | FileCheck %s
// RUN: heddle-opt --target=cuda --gpu-kernel-outlining --symbol-dce %s | heddle eval - | FileCheck %s --check-prefix=VALUE

// What a kernel calls stands beside it, once, and so does what that calls; the host keeps what it calls itself.
// CHECK-LABEL: @main
// CHECK: gpu.launch_func @square::@square
// CHECK: gpu.launch_func @twice::@twice
// CHECK-NOT: func.func private @half
// CHECK: func.func private @times
// CHECK-NOT: func.func private @half
// CHECK: gpu.module @square {
// CHECK: func.func private @times(
// CHECK-NOT: func.func
// CHECK: gpu.func @square(
// CHECK: call @times(
// CHECK: call @times(
// CHECK: gpu.module @twice {
// CHECK: func.func private @times(
// CHECK: func.func private @half(
// CHECK: call @times(
// CHECK: gpu.func @twice(
// CHECK: call @half(
// VALUE: [32]
func.func @main() -> memref<1xf32> {
  %a = arith.constant 2.0 : f32
  %b = arith.constant 4.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<1xf32>
  %s = call @times(%a, %b) : (f32, f32) -> f32
  memref.store %s, %m[%c0] : memref<1xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %0 = memref.load %m[%tx] : memref<1xf32>
    %1 = func.call @times(%0, %0) : (f32, f32) -> f32
    %2 = func.call @times(%1, %1) : (f32, f32) -> f32
    memref.store %2, %m[%tx] : memref<1xf32>
    gpu.terminator
  } {hd.kernel_name = "square"}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %0 = memref.load %m[%tx] : memref<1xf32>
    %1 = func.call @half(%0) : (f32) -> f32
    memref.store %1, %m[%tx] : memref<1xf32>
    gpu.terminator
  } {hd.kernel_name = "twice"}
  return %m : memref<1xf32>
}
func.func private @times(%x: f32, %y: f32) -> f32 {
  %0 = arith.mulf %x, %y : f32
  return %0 : f32
}
func.func private @half(%x: f32) -> f32 {
  %c = arith.constant 0.0078125 : f32
  %0 = call @times(%x, %c) : (f32, f32) -> f32
  return %0 : f32
}
