// SPDX-License-Identifier: Apache-2.0
// What lanes say to each other is one op of machine form. test/e2e/test_launches.py runs it on devices.
// RUN: heddle-opt --convert-gpu-to-llvm --verify-machine-form --split-input-file %s | FileCheck %s
// RUN: heddle-opt --convert-gpu-to-llvm --verify-machine-form --subgroups-to-shared --verify-machine-form --split-input-file %s | FileCheck %s --check-prefix=SHARED
// EVAL: lanes
// CHECK-LABEL: llvm.func @k(
// CHECK: %[[X:.+]] = gpu.block_dim x
// CHECK: %[[SUM:.+]] = llvm.add %{{.+}}, %{{.+}} : i64
// CHECK-NEXT: llvm.mlir.constant(32 : i64)
// CHECK-NEXT: llvm.udiv %[[SUM]]
// CHECK: %[[LANE:.+]] = gpu.lane_id
// CHECK: %[[FROM:.+]] = llvm.urem %{{.+}}, %{{.+}} : i32
// CHECK: %[[WIDTH:.+]] = llvm.mlir.constant(16 : i32)
// CHECK: gpu.shuffle idx %{{.+}}, %[[FROM]], %[[WIDTH]] : i32
// CHECK: gpu.shuffle idx
// CHECK: gpu.shuffle idx
// CHECK-NOT: gpu.rotate
// CHECK-NOT: gpu.subgroup_broadcast
// SHARED-NOT: gpu.shuffle
module attributes {gpu.container_module} {
  func.func @lanes(%a: memref<48xi32, #gpu.address_space<global>>) -> (memref<48xi32, #gpu.address_space<global>>, memref<48xi32, #gpu.address_space<global>>, memref<48xi32, #gpu.address_space<global>>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    %m = memref.alloc() : memref<48xi32, #gpu.address_space<global>>
    %n = memref.alloc() : memref<48xi32, #gpu.address_space<global>>
    %o = memref.alloc() : memref<48xi32, #gpu.address_space<global>>
    gpu.launch_func @l::@k blocks in (%c1, %c1, %c1) threads in (%c12, %c4, %c1) args(%a : memref<48xi32, #gpu.address_space<global>>, %m : memref<48xi32, #gpu.address_space<global>>, %n : memref<48xi32, #gpu.address_space<global>>, %o : memref<48xi32, #gpu.address_space<global>>)
    return %m, %n, %o : memref<48xi32, #gpu.address_space<global>>, memref<48xi32, #gpu.address_space<global>>, memref<48xi32, #gpu.address_space<global>>
  }
  gpu.module @l {
    gpu.func @k(%a: memref<48xi32, #gpu.address_space<global>>, %m: memref<48xi32, #gpu.address_space<global>>, %n: memref<48xi32, #gpu.address_space<global>>, %o: memref<48xi32, #gpu.address_space<global>>) kernel attributes {known_block_size = array<i32: 12, 4, 1>} {
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %c12 = arith.constant 12 : index
      %row = arith.muli %ty, %c12 : index
      %t = arith.addi %row, %tx : index
      %x = memref.load %a[%t] : memref<48xi32, #gpu.address_space<global>>
      %s = gpu.num_subgroups : index
      %si = arith.index_cast %s : index to i32
      %sum = arith.addi %x, %si : i32
      memref.store %sum, %m[%t] : memref<48xi32, #gpu.address_space<global>>
      %r, %ok = gpu.rotate %x, 3, 16 : i32
      %minus = arith.constant -1 : i32
      %shown = arith.select %ok, %r, %minus : i32
      memref.store %shown, %n[%t] : memref<48xi32, #gpu.address_space<global>>
      %c5 = arith.constant 5 : i32
      %b = gpu.subgroup_broadcast %x, specific_lane %c5 : i32
      %f = gpu.subgroup_broadcast %b, first_active_lane : i32
      %g = gpu.subgroup_broadcast %x, first_active_lane : i32
      %fg = arith.subi %f, %g : i32
      memref.store %fg, %o[%t] : memref<48xi32, #gpu.address_space<global>>
      gpu.return
    }
  }
}
