// RUN: heddle-opt %s --buffer-loop-hoisting --verify-each | FileCheck %s

// What a step frees itself is freed once, behind the loop, also where it has become one with another; what only some steps
// free stays.
// CHECK-LABEL: @freed
// CHECK: %[[T:.*]] = memref.alloc(%arg1)
// CHECK-NOT: memref.alloc(%arg1)
// CHECK: scf.while
// CHECK-NOT: memref.dealloc
// CHECK: "lmhlo.negate"(%{{.*}}, %[[T]])
// CHECK: "lmhlo.abs"(%[[T]]
// CHECK: "lmhlo.negate"(%{{.*}}, %[[T]])
// CHECK: %[[C:.*]] = memref.alloc() : memref<4xf32>
// CHECK: scf.if
// CHECK: memref.dealloc %[[C]]
// CHECK: memref.dealloc %[[T]]
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @freed(%arg0: memref<?xf32>, %arg1: index, %arg2: memref<i1>, %u: memref<?xf32>) {
  scf.while : () -> () {
    %p = memref.load %arg2[] : memref<i1>
    scf.condition(%p)
  } do {
    %a = memref.alloc(%arg1) : memref<?xf32>
    "lmhlo.negate"(%arg0, %a) : (memref<?xf32>, memref<?xf32>) -> ()
    "lmhlo.abs"(%a, %u) : (memref<?xf32>, memref<?xf32>) -> ()
    memref.dealloc %a : memref<?xf32>
    %b = memref.alloc(%arg1) : memref<?xf32>
    "lmhlo.negate"(%u, %b) : (memref<?xf32>, memref<?xf32>) -> ()
    "lmhlo.abs"(%b, %u) : (memref<?xf32>, memref<?xf32>) -> ()
    %c = memref.alloc() : memref<4xf32>
    %p = memref.load %arg2[] : memref<i1>
    scf.if %p {
      memref.dealloc %c : memref<4xf32>
    }
    scf.yield
  }
  return
}

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
