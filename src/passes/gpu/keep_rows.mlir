// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --disc-keep-rows | FileCheck %s
// What the first walk over a row reads goes into the room that the schedule left, and later walks take it from there.

// CHECK-LABEL: func.func @rows
// CHECK: %[[ROOM:.*]] = memref.alloca() : memref<8x1024xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: memref.alloca
// CHECK: %[[SLOT:.*]] = arith.remui %{{.*}}, %{{.*}} : index
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[X:.*]] = memref.load %arg0
// CHECK: memref.store %[[X]], %[[ROOM]][%[[SLOT]], %[[I]]]
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK-NOT: memref.load %arg0
// CHECK: memref.load %[[ROOM]][%[[SLOT]], %[[J]]]
// CHECK: return
func.func @rows(%x: memref<?x?xf32, #gpu.address_space<global>>, %y: memref<?x?xf32, #gpu.address_space<global>>, %rows: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.parallel (%row, %t) = (%c0, %c0) to (%rows, %c32) step (%c1, %c1) {
    %zero = arith.constant 0.0 : f32
    %room = memref.alloca() : memref<8x1024xf32, #gpu.address_space<workgroup>>
    %other = memref.alloca() : memref<8x1024xf32, #gpu.address_space<workgroup>>
    %sum = scf.for %i = %t to %n step %c32 iter_args(%s = %zero) -> (f32) {
      %a = memref.load %x[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
      %b = arith.addf %s, %a : f32
      scf.yield %b : f32
    }
    scf.for %i = %t to %n step %c32 {
      %a = memref.load %x[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
      %b = arith.addf %a, %sum : f32
      memref.store %b, %y[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
    }
    scf.reduce
  }
  return
}

// What the kernel writes is not kept, nor what lies elsewhere in each walk; a room for another type is no use.
// CHECK-LABEL: func.func @not_kept
// CHECK-NOT: workgroup
// CHECK: return
func.func @not_kept(%x: memref<?x?xf32, #gpu.address_space<global>>, %y: memref<?x?xf32, #gpu.address_space<global>>, %z: memref<?x?xf16, #gpu.address_space<global>>, %rows: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.parallel (%row, %t) = (%c0, %c0) to (%rows, %c32) step (%c1, %c1) {
    %zero = arith.constant 0.0 : f32
    %room = memref.alloca() : memref<8x1024xf32, #gpu.address_space<workgroup>>
    %sum = scf.for %i = %t to %n step %c32 iter_args(%s = %zero) -> (f32) {
      %a = memref.load %y[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
      %h = memref.load %z[%row, %i] : memref<?x?xf16, #gpu.address_space<global>>
      %c = memref.load %x[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
      %w = arith.extf %h : f16 to f32
      %d = arith.addf %a, %w : f32
      %e = arith.addf %d, %c : f32
      %b = arith.addf %s, %e : f32
      scf.yield %b : f32
    }
    scf.for %i = %t to %n step %c32 {
      %next = arith.addi %i, %c1 : index
      %a = memref.load %y[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
      %h = memref.load %z[%row, %i] : memref<?x?xf16, #gpu.address_space<global>>
      %c = memref.load %x[%row, %next] : memref<?x?xf32, #gpu.address_space<global>>
      %w = arith.extf %h : f16 to f32
      %d = arith.addf %a, %w : f32
      %e = arith.addf %d, %c : f32
      %b = arith.addf %e, %sum : f32
      memref.store %b, %y[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
    }
    scf.reduce
  }
  return
}
