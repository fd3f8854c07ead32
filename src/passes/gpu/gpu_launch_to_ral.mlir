// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --gpu-launch-to-ral --cse %s | FileCheck %s

// A buffer is its pointer and its unknown sizes; scalars are the bits of words. Both launches use one name and one stream.
// CHECK-LABEL: @host
// CHECK: %[[S:.*]] = hd.ral_call "ral_stream___pvoid___pvoid"()
// CHECK: %[[P:.*]] = memref.extract_aligned_pointer_as_index %arg0
// CHECK: %[[PW:.*]] = arith.index_cast %[[P]] : index to i64
// CHECK: %[[D:.*]] = memref.dim %arg0, %c0
// CHECK: %[[DW:.*]] = arith.index_cast %[[D]] : index to i64
// CHECK: %[[B:.*]] = arith.bitcast %arg2 : f32 to i32
// CHECK: %[[BW:.*]] = arith.extui %[[B]] : i32 to i64
// CHECK: memref.store %[[PW]], %[[W:[a-z_0-9]*]][%c0]
// CHECK: memref.store %[[DW]], %[[W]][%c1]
// CHECK: memref.store %[[BW]], %[[W]][%c2]
// CHECK: hd.ral_call "ral_gpu_launch___pvoid_pvoid_pvoid_i64_i64_i64_i64_i64_i64_i64_pvoid_i64___void"(%[[S]], %[[N:[0-9a-z]*]], %{{.*}}, %c0{{.*}}, %[[W]], %c3{{.*}})
// CHECK: hd.ral_call "ral_gpu_launch{{.*}}"(%[[S]], %[[N]],
// CHECK-NOT: gpu.launch_func
// CHECK: llvm.mlir.global internal constant @hd_kernel_k("k\00")
// CHECK-NOT: llvm.mlir.global
module attributes {gpu.container_module} {
  func.func @host(%m: memref<?x8xf32, #gpu.address_space<global>>, %n: index, %f: f32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@k blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<?x8xf32, #gpu.address_space<global>>, %f : f32)
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<?x8xf32, #gpu.address_space<global>>, %f : f32)
    return
  }
  gpu.module @k {
    gpu.func @k(%m: memref<?x8xf32, #gpu.address_space<global>>, %f: f32) workgroup(%w : memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      gpu.return
    }
  }
}
