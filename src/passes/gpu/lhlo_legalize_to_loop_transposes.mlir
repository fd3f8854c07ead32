// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --lhlo-legalize-to-loop --cse --split-input-file %s | FileCheck %s

// Tiles of 32 by 32 in shared memory with rows of 33: read along the last dim of the operand, written along that of the
// result. The store to the transposed buffer tells what the root's load is.
// CHECK-LABEL: @tiles
// CHECK: arith.ceildivui %{{.*}}, %c32
// CHECK: arith.ceildivui %{{.*}}, %c32
// CHECK: scf.parallel (%[[P:[^,]*]], %[[Q:[^,]*]], %[[T:[^)]*]]) = (%c0, %c0, %c0) to (%{{[^,]*}}, %{{[^,]*}}, %c512)
// CHECK: memref.alloca() : memref<1056xf32, #gpu.address_space<workgroup>>
// CHECK: %[[X:.*]] = arith.remui %[[T]], %c32
// CHECK: %[[Y:.*]] = arith.divui %[[T]], %c32
// CHECK: scf.if
// CHECK-NEXT: memref.load %[[BUFFER:.*]][%{{.*}}, %{{.*}}] : memref<?x?xf32, #gpu.address_space<global>>
// CHECK-NEXT: memref.store
// CHECK: gpu.barrier
// CHECK: arith.muli %[[X]], %c33
// CHECK: scf.if
// CHECK-NEXT: %[[V:.*]] = memref.load %{{.*}} : memref<1056xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: memref.store %[[V]], %[[BUFFER]]
// CHECK: arith.negf
// CHECK: {hd.kernel_name = "tile_transpose_negate_0", hd.threads = 512 : i64}
func.func @tiles(%a: memref<?x?xf32, #gpu.address_space<global>>) -> memref<?x?xf32, #gpu.address_space<global>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %a, %c0 : memref<?x?xf32, #gpu.address_space<global>>
  %d1 = memref.dim %a, %c1 : memref<?x?xf32, #gpu.address_space<global>>
  %o = memref.alloc(%d1, %d0) : memref<?x?xf32, #gpu.address_space<global>>
  %t = memref.alloc(%d1, %d0) : memref<?x?xf32, #gpu.address_space<global>>
  "lmhlo.fusion"() ({
    "lmhlo.transpose"(%a, %t) <{permutation = array<i64: 1, 0>}> : (memref<?x?xf32, #gpu.address_space<global>>, memref<?x?xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.negate"(%t, %o) : (memref<?x?xf32, #gpu.address_space<global>>, memref<?x?xf32, #gpu.address_space<global>>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.schedule = "transpose", hd.threads = 512 : i64} : () -> ()
  return %o : memref<?x?xf32, #gpu.address_space<global>>
}

// -----

// Without a transpose that moves the last dim there is a loop.
// CHECK-LABEL: @none
// CHECK-NOT: gpu.barrier
// CHECK: {hd.kernel_name = "loop_negate_0"
func.func @none(%a: memref<4x4xf32, #gpu.address_space<global>>, %o: memref<4x4xf32, #gpu.address_space<global>>) -> memref<4x4xf32, #gpu.address_space<global>> {
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%a, %o) : (memref<4x4xf32, #gpu.address_space<global>>, memref<4x4xf32, #gpu.address_space<global>>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.schedule = "transpose"} : () -> ()
  return %o : memref<4x4xf32, #gpu.address_space<global>>
}
