// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --gpu-kernel-outlining %s | FileCheck %s
// RUN: heddle-opt --target=cuda --gpu-kernel-outlining %s | mlir-opt | FileCheck %s
// REQUIRES: mlir-opt

// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: @host
// CHECK: gpu.launch_func @negate::@negate blocks in (%[[N:.*]], %[[ONE:.*]], %[[ONE]]) threads in (%[[B:.*]], %[[ONE]], %[[ONE]]) args(%arg1 : index, %arg0 : memref<?xf32, #gpu.address_space<global>>)
// CHECK: gpu.launch_func @negate_0::@negate_0
// CHECK: gpu.launch_func @kernel::@kernel
func.func @host(%m: memref<?xf32, #gpu.address_space<global>>, %n: index) {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) workgroup(%w : memref<8xf32, #gpu.address_space<workgroup>>) {
    %0 = arith.muli %bx, %c256 : index
    %1 = arith.addi %0, %tx : index
    %2 = arith.cmpi ult, %1, %n : index
    scf.if %2 {
      %3 = memref.load %m[%1] : memref<?xf32, #gpu.address_space<global>>
      memref.store %3, %w[%tx] : memref<8xf32, #gpu.address_space<workgroup>>
      memref.store %3, %m[%1] : memref<?xf32, #gpu.address_space<global>>
    }
    gpu.terminator
  } {hd.kernel_name = "negate"}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %0 = arith.addi %gx, %sy : index
    %x = memref.load %m[%0] : memref<?xf32, #gpu.address_space<global>>
    memref.store %x, %m[%bz] : memref<?xf32, #gpu.address_space<global>>
    gpu.terminator
  } {hd.kernel_name = "negate"}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}
// Constants are made inside.
// CHECK: gpu.module @negate {
// CHECK: gpu.func @negate(%[[A0:.*]]: index, %[[A1:.*]]: memref<?xf32, #gpu.address_space<global>>) workgroup(%[[W:.*]] : memref<8xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>}
// CHECK-DAG: %[[C:.*]] = arith.constant 256
// CHECK-DAG: %[[BX:.*]] = gpu.block_id x
// CHECK-DAG: %[[TX:.*]] = gpu.thread_id x
// CHECK: arith.muli %[[BX]], %[[C]]
// CHECK: arith.cmpi ult, %{{.*}}, %[[A0]]
// CHECK: memref.load %[[A1]]
// CHECK: memref.store %{{.*}}, %[[W]][%[[TX]]]
// CHECK: gpu.return
// CHECK: gpu.func @negate_0(%{{.*}}: memref<?xf32, #gpu.address_space<global>>) kernel {
// CHECK-DAG: gpu.grid_dim x
// CHECK-DAG: gpu.block_dim y
// CHECK-DAG: gpu.block_id z
// CHECK: gpu.func @kernel() kernel
