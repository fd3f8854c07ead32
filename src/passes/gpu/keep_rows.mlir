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

// Rows may be longer than the room: what is beyond is read again.
// CHECK-LABEL: func.func @part
// CHECK: %[[ROOM:.*]] = memref.alloca() {hd.part} : memref<1x1024xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[X:.*]] = memref.load %arg0
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[I]], %c1024
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: memref.store %[[X]], %[[ROOM]][%{{.*}}, %[[I]]]
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK: %[[KEPT:.*]] = arith.cmpi ult, %[[J]], %c1024
// CHECK: scf.if %[[KEPT]] -> (f32) {
// CHECK-NEXT: memref.load %[[ROOM]][%{{.*}}, %[[J]]]
// CHECK: } else {
// CHECK-NEXT: memref.load %arg0[%{{.*}}, %[[J]]]
func.func @part(%x: memref<?x?xf32, #gpu.address_space<global>>, %y: memref<?x?xf32, #gpu.address_space<global>>, %rows: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  scf.parallel (%row, %t) = (%c0, %c0) to (%rows, %c256) step (%c1, %c1) {
    %zero = arith.constant 0.0 : f32
    %room = memref.alloca() {hd.part} : memref<1x1024xf32, #gpu.address_space<workgroup>>
    %sum = scf.for %i = %t to %n step %c256 iter_args(%s = %zero) -> (f32) {
      %a = memref.load %x[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
      %b = arith.addf %s, %a : f32
      scf.yield %b : f32
    }
    scf.for %i = %t to %n step %c256 {
      %a = memref.load %x[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
      %b = arith.addf %a, %sum : f32
      memref.store %b, %y[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
    }
    scf.reduce
  } {hd.threads = 256 : i64}
  return
}

// Rows of which a warp may have several, by a word of the launch, lie side by side where they are shorter than it.
// CHECK-LABEL: func.func @several
// CHECK: %[[SLOT:.*]] = arith.remui %[[ROW:.*]], %c8
// CHECK: %[[SHORT:.*]] = arith.cmpi ult, %arg3, %c32
// CHECK: %[[PAST:.*]] = arith.muli %[[ROW]], %arg3
// CHECK: %[[FIRST:.*]] = arith.remui %[[PAST]], %c256
// CHECK: %[[S:.*]] = arith.select %[[SHORT]], %c0{{.*}}, %[[SLOT]]
// CHECK: %[[F:.*]] = arith.select %[[SHORT]], %[[FIRST]], %c0
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[P:.*]] = arith.addi %[[F]], %[[I]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[S]], %[[P]]]
// CHECK: scf.for %[[J:[a-z0-9]+]] =
// CHECK: %[[Q:.*]] = arith.addi %[[F]], %[[J]]
// CHECK: memref.load %{{.*}}[%[[S]], %[[Q]]]
func.func @several(%x: memref<?x?xf32, #gpu.address_space<global>>, %y: memref<?x?xf32, #gpu.address_space<global>>, %rows: index, %lanes: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%row, %t) = (%c0, %c0) to (%rows, %lanes) step (%c1, %c1) {
    %zero = arith.constant 0.0 : f32
    %room = memref.alloca() : memref<8x1024xf32, #gpu.address_space<workgroup>>
    %sum = scf.for %i = %t to %n step %lanes iter_args(%s = %zero) -> (f32) {
      %a = memref.load %x[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
      %b = arith.addf %s, %a : f32
      scf.yield %b : f32
    }
    scf.for %i = %t to %n step %lanes {
      %a = memref.load %x[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
      %b = arith.addf %a, %sum : f32
      memref.store %b, %y[%row, %i] : memref<?x?xf32, #gpu.address_space<global>>
    }
    scf.reduce
  } {hd.threads = 256 : i64}
  return
}
