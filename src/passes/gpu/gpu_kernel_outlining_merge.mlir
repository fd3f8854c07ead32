// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --gpu-kernel-outlining %s | FileCheck %s

// Launches of equal content have one kernel, whatever their buffers, names and places are; another constant, another block
// size or another type makes another kernel.
// CHECK-LABEL: @host
// CHECK: gpu.launch_func @negate::@negate {{.*}} args(%arg0 : memref<?xf32, #gpu.address_space<global>>, %arg2 : index)
// CHECK: gpu.launch_func @negate::@negate {{.*}} args(%arg1 : memref<?xf32, #gpu.address_space<global>>, %arg3 : index)
// CHECK: gpu.launch_func @larger::@larger
// CHECK: gpu.launch_func @later::@later
// CHECK-COUNT-3: gpu.module
// CHECK-NOT: gpu.module
#global = #gpu.address_space<global>
func.func @host(%a: memref<?xf32, #global>, %b: memref<?xf32, #global>, %n: index, %m: index) {
  %s0 = arith.constant 64 : index
  %one0 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one0, %gy = %one0, %gz = %one0) threads(%tx, %ty, %tz) in (%sx = %s0, %sy = %one0, %sz = %one0) {
    %k = arith.constant 0 : index
    %i = arith.addi %tx, %k : index
    %x = memref.load %a[%i] : memref<?xf32, #global>
    %y = arith.negf %x : f32
    memref.store %y, %a[%n] : memref<?xf32, #global>
    gpu.terminator
  } {hd.kernel_name = "negate"}
  %s1 = arith.constant 64 : index
  %one1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one1, %gy = %one1, %gz = %one1) threads(%tx, %ty, %tz) in (%sx = %s1, %sy = %one1, %sz = %one1) {
    %k = arith.constant 0 : index
    %i = arith.addi %tx, %k : index
    %x = memref.load %b[%i] : memref<?xf32, #global>
    %y = arith.negf %x : f32
    memref.store %y, %b[%m] : memref<?xf32, #global>
    gpu.terminator
  } {hd.kernel_name = "negate_again"}
  %s2 = arith.constant 128 : index
  %one2 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one2, %gy = %one2, %gz = %one2) threads(%tx, %ty, %tz) in (%sx = %s2, %sy = %one2, %sz = %one2) {
    %k = arith.constant 0 : index
    %i = arith.addi %tx, %k : index
    %x = memref.load %a[%i] : memref<?xf32, #global>
    %y = arith.negf %x : f32
    memref.store %y, %a[%n] : memref<?xf32, #global>
    gpu.terminator
  } {hd.kernel_name = "larger"}
  %s3 = arith.constant 64 : index
  %one3 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one3, %gy = %one3, %gz = %one3) threads(%tx, %ty, %tz) in (%sx = %s3, %sy = %one3, %sz = %one3) {
    %k = arith.constant 1 : index
    %i = arith.addi %tx, %k : index
    %x = memref.load %a[%i] : memref<?xf32, #global>
    %y = arith.negf %x : f32
    memref.store %y, %a[%n] : memref<?xf32, #global>
    gpu.terminator
  } {hd.kernel_name = "later"}
  return
}
