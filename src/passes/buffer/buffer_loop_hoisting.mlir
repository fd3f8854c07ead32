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

// A size that is in a buffer which the loop only loads from is known before the loop.
// CHECK-LABEL: @loaded_size
// CHECK: %[[S:.*]] = memref.load
// CHECK: %[[N:.*]] = arith.index_cast %[[S]]
// CHECK: memref.alloc(%[[N]])
// CHECK: scf.while
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @loaded_size(%arg0: memref<?xf32>, %arg2: memref<i1>, %arg3: i32, %u: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %s = memref.alloc() : memref<i32>
  memref.store %arg3, %s[] : memref<i32>
  %v = memref.reinterpret_cast %s to offset: [0], sizes: [1], strides: [1] : memref<i32> to memref<1xi32>
  scf.while : () -> () {
    %p = memref.load %arg2[] : memref<i1>
    scf.condition(%p)
  } do {
    %l = memref.load %v[%zero] : memref<1xi32>
    %n = arith.index_cast %l : i32 to index
    %a = memref.alloc(%n) : memref<?xf32>
    "lmhlo.negate"(%arg0, %a) : (memref<?xf32>, memref<?xf32>) -> ()
    "lmhlo.abs"(%a, %u) : (memref<?xf32>, memref<?xf32>) -> ()
    scf.yield
  }
  return
}

// Not one that a step writes, under another name too, that an argument holds, or at a place that may not be there.
// CHECK-LABEL: @changing_sizes
// CHECK: scf.while
// CHECK-COUNT-5: memref.alloc(
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @changing_sizes(%arg0: memref<?xf32>, %arg2: memref<i1>, %arg3: i32, %given: memref<i32>, %at: index, %u: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %s = memref.alloc() : memref<i32>
  %t = memref.alloc() : memref<i32>
  %w = memref.alloc() : memref<2xi32>
  %v = memref.reinterpret_cast %t to offset: [0], sizes: [1], strides: [1] : memref<i32> to memref<1xi32>
  scf.while : () -> () {
    %p = memref.load %arg2[] : memref<i1>
    scf.condition(%p)
  } do {
    %i = memref.load %s[] : memref<i32>
    %n = arith.index_cast %i : i32 to index
    %a = memref.alloc(%n) : memref<?xf32>
    "lmhlo.negate"(%arg0, %a) : (memref<?xf32>, memref<?xf32>) -> ()
    "lmhlo.abs"(%a, %u) : (memref<?xf32>, memref<?xf32>) -> ()
    memref.store %arg3, %s[] : memref<i32>
    %j = memref.load %t[] : memref<i32>
    %m = arith.index_cast %j : i32 to index
    %b = memref.alloc(%m) : memref<?xf32>
    "lmhlo.negate"(%arg0, %b) : (memref<?xf32>, memref<?xf32>) -> ()
    "lmhlo.abs"(%b, %u) : (memref<?xf32>, memref<?xf32>) -> ()
    memref.store %arg3, %v[%zero] : memref<1xi32>
    %k = memref.load %given[] : memref<i32>
    %o = arith.index_cast %k : i32 to index
    %c = memref.alloc(%o) : memref<?xf32>
    "lmhlo.negate"(%arg0, %c) : (memref<?xf32>, memref<?xf32>) -> ()
    "lmhlo.abs"(%c, %u) : (memref<?xf32>, memref<?xf32>) -> ()
    %x = memref.load %w[%at] : memref<2xi32>
    %y = arith.index_cast %x : i32 to index
    %d = memref.alloc(%y) : memref<?xf32>
    "lmhlo.negate"(%arg0, %d) : (memref<?xf32>, memref<?xf32>) -> ()
    "lmhlo.abs"(%d, %u) : (memref<?xf32>, memref<?xf32>) -> ()
    %e = memref.load %w[%two] : memref<2xi32>
    %f = arith.index_cast %e : i32 to index
    %g = memref.alloc(%f) : memref<?xf32>
    "lmhlo.negate"(%arg0, %g) : (memref<?xf32>, memref<?xf32>) -> ()
    "lmhlo.abs"(%g, %u) : (memref<?xf32>, memref<?xf32>) -> ()
    scf.yield
  }
  return
}
