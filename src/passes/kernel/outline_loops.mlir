// RUN: heddle-opt %s --split-input-file --outline-loops | FileCheck %s

// Two small buffers that change places: both are slots of the kernel, the carried one is loaded before and stored after.
// The kernel of the body is part of it, its one item no loop; the spare is not the host's any more.
// EVAL: small arg0=3
// CHECK-LABEL: func.func @small
// CHECK-SAME: %[[X:.*]]: memref<3xf32>
// CHECK: %[[A:.*]] = memref.alloc() : memref<3xf32>
// CHECK-NOT: memref.alloc() : memref<3xf32>
// CHECK: %[[AGAIN:.*]] = memref.alloc() : memref<i1>
// CHECK: scf.while : () -> () {
// CHECK: hd.launch @while_0 extent(%{{.*}}) grain(%{{.*}}) args(%[[AGAIN]], %{{.*}}, %[[A]] :
// CHECK: %[[MORE:.*]] = memref.load %[[AGAIN]][]
// CHECK: scf.condition(%[[MORE]])
// CHECK: return %[[A]]
// CHECK-NOT: @next
// CHECK-LABEL: func.func private @while_0
// CHECK-SAME: %[[FLAG:.*]]: memref<?xi1>, %{{.*}}: memref<?xi32>, %[[GIVEN:.*]]: memref<?xf32>, %{{.*}}: index, %{{.*}}: index
// CHECK: memref.alloca() : memref<3xf32>
// CHECK: memref.load %[[GIVEN]]
// CHECK: scf.while
// CHECK: arith.andi
// CHECK: scf.condition
// CHECK-NOT: scf.for
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: memref.store %{{.*}}, %[[FLAG]]
// CHECK: memref.store %{{.*}}, %[[GIVEN]]
func.func @small(%arg0: memref<3xf32>) -> memref<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2048 = arith.constant 2048 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %i = memref.alloc() : memref<i32>
  memref.store %zero, %i[] : memref<i32>
  %a = memref.alloc() : memref<3xf32>
  hd.launch @twice extent(%c1) grain(%c2048) args(%arg0, %a : memref<3xf32>, memref<3xf32>)
  %j = memref.alloc() : memref<i32>
  %s = memref.alloc() : memref<3xf32>
  %r:4 = scf.while (%k = %i, %x = %a, %kt = %j, %t = %s) : (memref<i32>, memref<3xf32>, memref<i32>, memref<3xf32>) -> (memref<i32>, memref<3xf32>, memref<i32>, memref<3xf32>) {
    %n = memref.load %k[] : memref<i32>
    %c = arith.cmpi slt, %n, %ten : i32
    scf.condition(%c) %k, %x, %kt, %t : memref<i32>, memref<3xf32>, memref<i32>, memref<3xf32>
  } do {
  ^bb0(%k: memref<i32>, %x: memref<3xf32>, %kt: memref<i32>, %t: memref<3xf32>):
    hd.launch @next extent(%c1) grain(%c2048) args(%x, %t : memref<3xf32>, memref<3xf32>)
    %n = memref.load %k[] : memref<i32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %kt[] : memref<i32>
    scf.yield %kt, %t, %k, %x : memref<i32>, memref<3xf32>, memref<i32>, memref<3xf32>
  } attributes {hd.ends, hd.spares = 2 : i64}
  return %r#1 : memref<3xf32>
}
func.func private @twice(%x: memref<?xf32>, %y: memref<?xf32>, %from: index, %to: index) attributes {hd.kernel} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  scf.for %i = %from to %to step %c1 {
    scf.for %e = %c0 to %c3 step %c1 {
      %v = memref.load %x[%e] : memref<?xf32>
      memref.store %v, %y[%e] : memref<?xf32>
    }
  }
  return
}
func.func private @next(%x: memref<?xf32>, %y: memref<?xf32>, %from: index, %to: index) attributes {hd.kernel} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %from to %to step %c1 {
    %u = memref.load %x[%c0] : memref<?xf32>
    %v = memref.load %x[%c1] : memref<?xf32>
    %w = memref.load %x[%c2] : memref<?xf32>
    %p = arith.addf %u, %v : f32
    %q = arith.addf %v, %w : f32
    memref.store %p, %y[%c0] : memref<?xf32>
    memref.store %q, %y[%c1] : memref<?xf32>
    memref.store %u, %y[%c2] : memref<?xf32>
  }
  return
}

// -----

// How much a step does is known at run time: the kernel runs where it is little, before the loop, which is over then.
// Large buffers stay where they are; what is in the spare is moved after each step.
// EVAL: unknown arg0=5
// EVAL: unknown arg0=9000
// CHECK-LABEL: func.func @unknown
// CHECK: %[[SMALL:.*]] = arith.cmpi sle
// CHECK: scf.if %[[SMALL]]
// CHECK: hd.launch @while_0
// CHECK: scf.while (%
// CHECK: hd.launch @half
// CHECK-LABEL: func.func private @half
// CHECK-LABEL: func.func private @while_0
// CHECK: scf.while
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
// CHECK: scf.for
// CHECK: memref.load
// CHECK: memref.store
func.func @unknown(%arg0: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2047 = arith.constant 2047 : index
  %c2048 = arith.constant 2048 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %size = memref.dim %arg0, %c0 : memref<?xf32>
  %sum = arith.addi %size, %c2047 : index
  %blocks = arith.divui %sum, %c2048 : index
  %i = memref.alloc() : memref<i32>
  memref.store %zero, %i[] : memref<i32>
  %a = memref.alloc(%size) : memref<?xf32>
  hd.launch @half extent(%blocks) grain(%c1) args(%arg0, %a, %size : memref<?xf32>, memref<?xf32>, index)
  %s = memref.alloc(%size) : memref<?xf32>
  %r:3 = scf.while (%k = %i, %x = %a, %t = %s) : (memref<i32>, memref<?xf32>, memref<?xf32>) -> (memref<i32>, memref<?xf32>, memref<?xf32>) {
    %n = memref.load %k[] : memref<i32>
    %c = arith.cmpi slt, %n, %three : i32
    scf.condition(%c) %k, %x, %t : memref<i32>, memref<?xf32>, memref<?xf32>
  } do {
  ^bb0(%k: memref<i32>, %x: memref<?xf32>, %t: memref<?xf32>):
    %more = arith.addi %size, %c2047 : index
    %again = arith.divui %more, %c2048 : index
    hd.launch @half extent(%again) grain(%c1) args(%x, %t, %size : memref<?xf32>, memref<?xf32>, index)
    %n = memref.load %k[] : memref<i32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %k[] : memref<i32>
    scf.yield %k, %t, %x : memref<i32>, memref<?xf32>, memref<?xf32>
  } attributes {hd.ends, hd.spares = 1 : i64}
  return %r#1 : memref<?xf32>
}
func.func private @half(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %from: index, %to: index) attributes {hd.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c2048 = arith.constant 2048 : index
  %half = arith.constant dense<0.5> : vector<8xf32>
  scf.for %i = %from to %to step %c1 {
    %lower = arith.muli %i, %c2048 : index
    %end = arith.addi %lower, %c2048 : index
    %upper = arith.minsi %end, %n : index
    scf.for %e = %lower to %upper step %c8 {
      %left = arith.subi %upper, %e : index
      %mask = vector.create_mask %left : vector<8xi1>
      %none = arith.constant dense<0.0> : vector<8xf32>
      %v = vector.maskedload %x[%e], %mask, %none : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
      %w = arith.mulf %v, %half : vector<8xf32>
      vector.maskedstore %y[%e], %mask, %w : memref<?xf32>, vector<8xi1>, vector<8xf32>
    }
  }
  return
}

// -----

// A step's checks are made before the loop, of a size that a buffer holds too: products hold for small sizes.
// CHECK-LABEL: func.func @checks
// CHECK: %[[SIZE:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK: arith.addi %[[SIZE]], %{{.*}} : i64
// CHECK: arith.cmpi ule
// CHECK: arith.cmpi sle
// CHECK: scf.if
// CHECK: hd.launch @while_0
// CHECK: scf.while (%
// CHECK: hd.ral_call "ral_check
func.func @checks(%size: i32, %limit: i64) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %at_most = arith.constant 1 : i64
  %product = arith.constant 3 : i64
  %note = arith.constant 0 : i64
  %s = memref.alloc() : memref<i32>
  memref.store %size, %s[] : memref<i32>
  %i = memref.alloc() : memref<i32>
  memref.store %zero, %i[] : memref<i32>
  %r = scf.while (%k = %i) : (memref<i32>) -> memref<i32> {
    %n = memref.load %k[] : memref<i32>
    %c = arith.cmpi slt, %n, %ten : i32
    scf.condition(%c) %k : memref<i32>
  } do {
  ^bb0(%k: memref<i32>):
    %l = memref.load %s[] : memref<i32>
    %m = arith.index_cast %l : i32 to index
    %x = arith.index_cast %m : index to i64
    hd.ral_call "ral_check___pvoid_i64_i64_i64_i64___void"(%product, %x, %limit, %note) : (i64, i64, i64, i64) -> ()
    hd.ral_call "ral_check___pvoid_i64_i64_i64_i64___void"(%at_most, %x, %limit, %note) : (i64, i64, i64, i64) -> ()
    %n = memref.load %k[] : memref<i32>
    %more = arith.addi %n, %one : i32
    memref.store %more, %k[] : memref<i32>
    scf.yield %k : memref<i32>
  } attributes {hd.spares = 0 : i64}
  return
}

// -----

// Not for a kernel: a launch with work for several threads, a call of the runtime, a loop without a counter in a loop.
// CHECK-LABEL: func.func @large
// CHECK-NOT: while_
// CHECK: hd.launch @k
// CHECK-LABEL: func.func @calls
// CHECK-NOT: while_
// CHECK: hd.ral_call "ral_unknown
// CHECK-LABEL: func.func @inner
// CHECK: hd.launch @while_0
// CHECK-NOT: hd.launch @while
// CHECK: scf.condition
// CHECK: scf.condition
func.func @large(%i: memref<i32>) {
  %c100 = arith.constant 100 : index
  %c1 = arith.constant 1 : index
  %ten = arith.constant 10 : i32
  %r = scf.while (%k = %i) : (memref<i32>) -> memref<i32> {
    %n = memref.load %k[] : memref<i32>
    %c = arith.cmpi slt, %n, %ten : i32
    scf.condition(%c) %k : memref<i32>
  } do {
  ^bb0(%k: memref<i32>):
    hd.launch @k extent(%c100) grain(%c1) args(%k : memref<i32>)
    scf.yield %k : memref<i32>
  } attributes {hd.spares = 0 : i64}
  return
}
func.func @calls(%i: memref<i32>) {
  %ten = arith.constant 10 : i32
  %r = scf.while (%k = %i) : (memref<i32>) -> memref<i32> {
    %n = memref.load %k[] : memref<i32>
    %c = arith.cmpi slt, %n, %ten : i32
    scf.condition(%c) %k : memref<i32>
  } do {
  ^bb0(%k: memref<i32>):
    hd.ral_call "ral_unknown___pvoid_pvoid___void"(%k) : (memref<i32>) -> ()
    scf.yield %k : memref<i32>
  } attributes {hd.spares = 0 : i64}
  return
}
func.func @inner(%i: memref<i32>, %j: memref<i32>) {
  %ten = arith.constant 10 : i32
  %r = scf.while (%k = %i) : (memref<i32>) -> memref<i32> {
    %n = memref.load %k[] : memref<i32>
    %c = arith.cmpi slt, %n, %ten : i32
    scf.condition(%c) %k : memref<i32>
  } do {
  ^bb0(%k: memref<i32>):
    %q = scf.while (%l = %j) : (memref<i32>) -> memref<i32> {
      %n = memref.load %l[] : memref<i32>
      %c = arith.cmpi slt, %n, %ten : i32
      scf.condition(%c) %l : memref<i32>
    } do {
    ^bb0(%l: memref<i32>):
      memref.store %ten, %l[] : memref<i32>
      scf.yield %l : memref<i32>
    } attributes {hd.spares = 0 : i64}
    memref.store %ten, %k[] : memref<i32>
    scf.yield %k : memref<i32>
  } attributes {hd.spares = 0 : i64}
  return
}
func.func private @k(%x: memref<?xi32>, %from: index, %to: index) attributes {hd.kernel} {
  return
}
