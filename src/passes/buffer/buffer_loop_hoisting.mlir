// RUN: heddle-opt %s --buffer-loop-hoisting --verify-each | FileCheck %s

// Two buffers of one size that are not needed at the same time leave the loop as one; a buffer whose size the loop
// computes stays.
// CHECK-LABEL: @loop
// CHECK: %[[T:.*]] = memref.alloc(%arg1)
// CHECK-NOT: memref.alloc(%arg1)
// CHECK: scf.while
// CHECK: do
// CHECK: "lmhlo.negate"(%arg0, %[[T]])
// CHECK: "lmhlo.abs"(%[[T]], %[[U:[a-z0-9]+]])
// CHECK: "lmhlo.negate"(%[[U]], %[[T]])
// CHECK: memref.load
// CHECK: memref.alloc(
func.func @loop(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<i1>, %arg3: memref<index>, %u: memref<?xf32>) {
  scf.while : () -> () {
    %p = memref.load %arg2[] : memref<i1>
    scf.condition(%p)
  } do {
    %a = memref.alloc(%arg1) : memref<?xf32>
    "lmhlo.negate"(%arg0, %a) : (memref<?xf32>, memref<?xf32>) -> ()
    "lmhlo.abs"(%a, %u) : (memref<?xf32>, memref<?xf32>) -> ()
    %b = memref.alloc(%arg1) : memref<?xf32>
    "lmhlo.negate"(%u, %b) : (memref<?xf32>, memref<?xf32>) -> ()
    "lmhlo.abs"(%b, %u) : (memref<?xf32>, memref<?xf32>) -> ()
    %n = memref.load %arg3[] : memref<index>
    %c = memref.alloc(%n) : memref<?xf32>
    "lmhlo.negate"(%u, %c) : (memref<?xf32>, memref<?xf32>) -> ()
    scf.yield
  }
  return
}
