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

// In blocks: on the way out of each path that uses it no more, in a block of its own where ways meet.
// CHECK-LABEL: @paths
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[B:.*]] = memref.alloc
// CHECK-NOT: dealloc
// CHECK: cf.switch
// CHECK: default: ^[[D:.*]],
// CHECK-NEXT: 1: ^[[ONE:.*]],
// CHECK-NEXT: 2: ^[[TWO:.*]](%[[A]]
// CHECK: ^[[ONE]]:
// CHECK-NEXT: memref.dealloc %[[B]]
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: cf.br ^[[END:.*]]
// CHECK: ^[[D]]:
// CHECK-NEXT: memref.dealloc %[[B]]
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: cf.br ^[[END]]
// CHECK: ^[[TWO]](%[[Z:.*]]: memref<4xf32>):
// CHECK-NEXT: "lmhlo.negate"(%[[Z]], %[[B]])
// CHECK-NEXT: memref.dealloc %[[Z]]
// CHECK-NEXT: memref.dealloc %[[B]]
// CHECK: ^[[END]]:
// CHECK-NOT: dealloc
func.func @paths(%i: i32, %x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  cf.switch %i : i32, [
    default: ^end,
    1: ^end,
    2: ^use(%a : memref<4xf32>)
  ]
^use(%z: memref<4xf32>):
  "lmhlo.negate"(%z, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  cf.br ^end
^end:
  %r = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%x, %r) : (memref<4xf32>, memref<4xf32>) -> ()
  return %r : memref<4xf32>
}

// Buffers that change places in a loop of blocks: the loop hands them on, and the one that is not returned is freed.
// CHECK-LABEL: @loop_of_blocks
// CHECK: ^bb1(%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>):
// CHECK-NOT: dealloc
// CHECK: ^bb3:
// CHECK-NEXT: memref.dealloc %[[Y]]
// CHECK-NEXT: return %[[X]]
func.func @loop_of_blocks(%p: memref<i1>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  cf.br ^head(%a, %b : memref<4xf32>, memref<4xf32>)
^head(%x: memref<4xf32>, %y: memref<4xf32>):
  %q = memref.load %p[] : memref<i1>
  cf.cond_br %q, ^body, ^after
^body:
  "lmhlo.negate"(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  cf.br ^head(%y, %x : memref<4xf32>, memref<4xf32>)
^after:
  return %x : memref<4xf32>
}

// Read on after it was handed over: the argument is another name.
// CHECK-LABEL: @name
// CHECK-NOT: dealloc
// CHECK: "lmhlo.add"(%[[A:.*]], %[[Z:.*]], %[[R:.*]]) :
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: return %[[R]]
func.func @name(%x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  cf.br ^next(%a : memref<4xf32>)
^next(%z: memref<4xf32>):
  %r = memref.alloc() : memref<4xf32>
  "lmhlo.add"(%a, %z, %r) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return %r : memref<4xf32>
}

// What a step makes is handed on, what it was given is freed in it, and what the last one gives behind the loop.
// CHECK-LABEL: @varying
// CHECK: %[[R:.*]] = scf.while
// CHECK: ^bb0(%[[X:.*]]: memref<?xf32>):
// CHECK: "lmhlo.concatenate"(%[[X]], %[[X]], %[[NEXT:[a-z_0-9]+]])
// CHECK-NEXT: memref.dealloc %[[X]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: "lmhlo.negate"(%[[R]], %arg2)
// CHECK-NEXT: memref.dealloc %[[R]]
func.func @varying(%n: index, %p: memref<i1>, %out: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %c0 = arith.constant 0 : index
  %r = scf.while (%x = %a) : (memref<?xf32>) -> memref<?xf32> {
    %q = memref.load %p[] : memref<i1>
    scf.condition(%q) %x : memref<?xf32>
  } do {
  ^bb0(%x: memref<?xf32>):
    %d = memref.dim %x, %c0 : memref<?xf32>
    %two = arith.addi %d, %d : index
    %next = memref.alloc(%two) : memref<?xf32>
    "lmhlo.concatenate"(%x, %x, %next) {dimension = 0 : i64} : (memref<?xf32>, memref<?xf32>, memref<?xf32>) -> ()
    scf.yield %next : memref<?xf32>
  }
  "lmhlo.negate"(%r, %out) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}

// Each arm of a branch gives what it has made: the branch's result is freed.
// CHECK-LABEL: @arms
// CHECK: %[[R:.*]] = scf.if
// CHECK-NOT: dealloc
// CHECK: "lmhlo.negate"(%[[R]], %arg2)
// CHECK-NEXT: memref.dealloc %[[R]]
func.func @arms(%p: i1, %x: memref<4xf32>, %out: memref<4xf32>) {
  %r = scf.if %p -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    "lmhlo.negate"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %a : memref<4xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    "lmhlo.abs"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %a : memref<4xf32>
  }
  "lmhlo.negate"(%r, %out) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
