// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-assign-memory-space --split-input-file %s | FileCheck %s

// Buffers are the device's; the counter that the host reads is the host's, in all its places.
// CHECK-LABEL: @main
// CHECK-SAME: (%arg0: memref<?xf32, #gpu.address_space<global>>) -> memref<?xf32, #gpu.address_space<global>>
// CHECK: memref.alloc() {hd.host} : memref<i32>
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32, #gpu.address_space<global>>
// CHECK: scf.while
// CHECK-SAME: (memref<i32>, memref<?xf32, #gpu.address_space<global>>)
// CHECK: memref.load %{{.*}}[] : memref<i32>
// CHECK: "lmhlo.negate"({{.*}}) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
func.func @main(%x: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %i = memref.alloc() : memref<i32>
  memref.store %one, %i[] : memref<i32>
  %t = memref.alloc(%n) : memref<?xf32>
  %r:2 = scf.while (%a = %i, %b = %t) : (memref<i32>, memref<?xf32>) -> (memref<i32>, memref<?xf32>) {
    %v = memref.load %a[] : memref<i32>
    %c = arith.cmpi slt, %v, %one : i32
    scf.condition(%c) %a, %b : memref<i32>, memref<?xf32>
  } do {
  ^bb0(%a: memref<i32>, %b: memref<?xf32>):
    "lmhlo.negate"(%x, %b) : (memref<?xf32>, memref<?xf32>) -> ()
    scf.yield %a, %b : memref<i32>, memref<?xf32>
  }
  return %r#1 : memref<?xf32>
}

// -----

// Placements decide where there are some; a space that is there stays.
// CHECK-LABEL: @placed
// CHECK-SAME: %arg1: memref<4xi32, 5>
// CHECK: memref.alloc() {hd.host} : memref<2xi32>
// CHECK: "lmhlo.copy"({{.*}}) {{.*}} : (memref<2xi32, #gpu.address_space<global>>, memref<2xi32>) -> ()
func.func @placed(%x: memref<2xi32>, %y: memref<4xi32, 5>) {
  %h = memref.alloc() : memref<2xi32>
  "lmhlo.copy"(%x, %h) {hd.placement = ["host"]} : (memref<2xi32>, memref<2xi32>) -> ()
  return
}
