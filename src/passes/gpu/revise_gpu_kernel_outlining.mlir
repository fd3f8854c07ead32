// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --revise-gpu-kernel-outlining --cse %s | FileCheck %s
// RUN: heddle-opt --revise-gpu-kernel-outlining --cse %s | mlir-opt | FileCheck %s
// REQUIRES: mlir-opt

// The seed's example: %arg2, a shape in host memory, becomes its two elements.
module attributes {gpu.container_module} {
  // CHECK-LABEL: @host
  // CHECK-DAG: %[[A:.*]] = memref.load %arg1[%c0] : memref<2xi32>
  // CHECK-DAG: %[[B:.*]] = memref.load %arg1[%c1] : memref<2xi32>
  // CHECK: gpu.launch_func @k::@k blocks in (%arg3, {{.*}} args(%arg3 : index, %arg0 : memref<f32, #gpu.address_space<global>>, %[[A]] : i32, %[[B]] : i32, %arg2 : memref<?xf32, #gpu.address_space<global>>)
  // CHECK: gpu.launch_func @k::@k blocks in (%c1, {{.*}} args(%arg3 : index, %arg0 : memref<f32, #gpu.address_space<global>>, %{{.*}} : i32, %{{.*}} : i32, %arg2
  func.func @host(%x: memref<f32, #gpu.address_space<global>>, %shape: memref<2xi32>, %out: memref<?xf32, #gpu.address_space<global>>, %n: index) {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    gpu.launch_func @k::@k blocks in (%n, %c1, %c1) threads in (%c256, %c1, %c1) args(%n : index, %x : memref<f32, #gpu.address_space<global>>, %shape : memref<2xi32>, %out : memref<?xf32, #gpu.address_space<global>>)
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%n : index, %x : memref<f32, #gpu.address_space<global>>, %shape : memref<2xi32>, %out : memref<?xf32, #gpu.address_space<global>>)
    return
  }
  // A constant index takes its element, another one selects; sizes are constants.
  // CHECK: gpu.func @k(%{{.*}}: index, %{{.*}}: memref<f32, #gpu.address_space<global>>, %[[P:.*]]: i32, %[[Q:.*]]: i32, %{{.*}}: memref<?xf32, #gpu.address_space<global>>) kernel
  // CHECK-NOT: memref.dim
  // CHECK: %[[E:.*]] = arith.cmpi eq, %{{.*}}, %c1
  // CHECK: %[[S:.*]] = arith.select %[[E]], %[[Q]], %[[P]] : i32
  // CHECK: arith.addi %[[Q]], %[[S]]
  gpu.module @k {
    gpu.func @k(%n: index, %x: memref<f32, #gpu.address_space<global>>, %shape: memref<2xi32>, %out: memref<?xf32, #gpu.address_space<global>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %t = gpu.thread_id x
      %d = memref.dim %shape, %c0 : memref<2xi32>
      %a = memref.load %shape[%c1] : memref<2xi32>
      %b = memref.load %shape[%t] : memref<2xi32>
      %s = arith.addi %a, %b : i32
      %f = arith.sitofp %s : i32 to f32
      memref.store %f, %out[%d] : memref<?xf32, #gpu.address_space<global>>
      gpu.return
    }
  }
}
