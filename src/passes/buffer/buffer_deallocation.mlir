// RUN: heddle-opt %s --disc-buffer-deallocation --verify-each | FileCheck %s

// Freed after the last use, of the buffer or of what sees its memory; what is returned is not.
// CHECK-LABEL: @straight
// CHECK: "lmhlo.negate"(%arg0, %[[A:[a-z_0-9]+]])
// CHECK: %[[V:.*]] = memref.reinterpret_cast %[[A]]
// CHECK: "lmhlo.abs"(%[[V]], %[[B:[a-z_0-9]+]])
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: return %[[B]]
func.func @straight(%arg0: memref<4xf32>) -> memref<2x2xf32> {
  %a = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%arg0, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<4xf32> to memref<2x2xf32>
  %b = memref.alloc() : memref<2x2xf32>
  "lmhlo.abs"(%v, %b) : (memref<2x2xf32>, memref<2x2xf32>) -> ()
  return %b : memref<2x2xf32>
}

// A loop takes over what it starts with: its results are freed, or taken over by the next loop.
// CHECK-LABEL: @loops
// CHECK: %[[R:.*]]:2 = scf.while
// CHECK-NOT: dealloc
// CHECK: %[[S:.*]]:2 = scf.while
// CHECK-DAG: memref.dealloc %[[S]]#1
// CHECK-NOT: dealloc
// CHECK: return %[[S]]#0
func.func @loops(%p: memref<i1>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.while (%x = %a, %y = %b) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    %q = memref.load %p[] : memref<i1>
    scf.condition(%q) %x, %y : memref<4xf32>, memref<4xf32>
  } do {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  %s:2 = scf.while (%x = %r#1, %y = %r#0) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    %q = memref.load %p[] : memref<i1>
    scf.condition(%q) %x, %y : memref<4xf32>, memref<4xf32>
  } do {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  return %s#0 : memref<4xf32>
}
