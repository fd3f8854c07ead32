// SPDX-License-Identifier: Apache-2.0
// What the rows accept and print in generic form is what MLIR has: there and back through both, nothing changes.
// REQUIRES: mlir-opt
// RUN: mlir-opt --mlir-print-op-generic %s -o %t.ref
// RUN: heddle-opt --mlir-print-op-generic %t.ref -o %t.heddle
// RUN: mlir-opt --mlir-print-op-generic %t.heddle -o %t.back
// RUN: diff %t.ref %t.back
module attributes {gpu.container_module} {
  gpu.module @mod {
    gpu.func @k(%m: memref<?xf32>, %n: index) kernel {
      %0 = gpu.thread_id x
      %1 = gpu.block_id y
      %2 = gpu.block_dim z
      %3 = gpu.grid_dim x
      %4 = gpu.global_id x
      %5 = gpu.lane_id
      %6 = gpu.subgroup_id : index
      %7 = gpu.num_subgroups : index
      %8 = gpu.subgroup_size : index
      gpu.barrier
      %x = memref.load %m[%0] : memref<?xf32>
      %c = arith.constant 1 : i32
      %w = arith.constant 32 : i32
      %s, %v = gpu.shuffle xor %x, %c, %w : f32
      %r = gpu.all_reduce add %x {} : (f32) -> f32
      %q = gpu.subgroup_reduce add %x : (f32) -> f32
      gpu.printf "hi %f", %x : f32
      gpu.return
    }
    gpu.func @sh(%m: memref<?xf32>) workgroup(%w: memref<32xf32, #gpu.address_space<workgroup>>) private(%p: memref<1xf32, #gpu.address_space<private>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      gpu.return
    }
  }
  func.func @host(%m: memref<?xf32>, %n: index, %sz: i32) {
    gpu.launch_func @mod::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%m : memref<?xf32>, %n : index)
    gpu.launch_func @mod::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) dynamic_shared_memory_size %sz args(%m : memref<?xf32>, %n : index)
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] (%n) : memref<?xf32>
    %t2 = gpu.memcpy async [%t1] %d, %m : memref<?xf32>, memref<?xf32>
    %t3 = gpu.dealloc async [%t2] %d : memref<?xf32>
    gpu.wait [%t3]
    %h = gpu.alloc host_shared (%n) : memref<?xf32>
    gpu.dealloc %h : memref<?xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %szz = %n) {
      gpu.terminator
    }
    return
  }
}
