// RUN: heddle-opt %s --disc-lower-to-buffer-alias --split-input-file --verify-each | FileCheck %s

// A copy's source that dies and its target that is new are one buffer.
// CHECK-LABEL: @copy
// CHECK: %[[A:.*]] = memref.alloc
// CHECK-NEXT: "lmhlo.negate"(%arg0, %[[A]])
// CHECK-NEXT: return %[[A]]
func.func @copy(%arg0: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%arg0, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  "lmhlo.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  return %b : memref<4xf32>
}

// -----

// Not when the source is read later, and never an argument.
// CHECK-LABEL: @copy_stays
// CHECK: "lmhlo.copy"(%{{.*}}, %{{.*}})
// CHECK: "lmhlo.copy"(%arg0, %{{.*}})
func.func @copy_stays(%arg0: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%arg0, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  "lmhlo.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  %c = memref.alloc() : memref<4xf32>
  "lmhlo.copy"(%arg0, %c) : (memref<4xf32>, memref<4xf32>) -> ()
  return %a, %b, %c : memref<4xf32>, memref<4xf32>, memref<4xf32>
}

// -----

// An update of a buffer that nobody reads any more is made in place.
// CHECK-LABEL: @update
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: "lmhlo.dynamic_update_slice"(%[[A]], %arg1, %arg2, %[[A]])
// CHECK: return %[[A]]
func.func @update(%arg0: memref<4xf32>, %arg1: memref<1xf32>, %arg2: memref<i32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%arg0, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  "lmhlo.dynamic_update_slice"(%a, %arg1, %arg2, %b) : (memref<4xf32>, memref<1xf32>, memref<i32>, memref<4xf32>) -> ()
  return %b : memref<4xf32>
}

// -----

// The old value is read later; the operand is an argument; the update is made of the operand itself.
// CHECK-LABEL: @update_stays
// CHECK: "lmhlo.dynamic_update_slice"(%[[A:.*]], %arg1, %arg2, %[[B:[a-z_0-9]+]])
// CHECK: "lmhlo.negate"(%[[A]],
// CHECK: "lmhlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %{{[a-z_0-9]+}})
// CHECK: "lmhlo.slice"(%[[D:.*]], %
// CHECK-NOT: "lmhlo.dynamic_update_slice"(%[[D]], %{{.*}}, %arg2, %[[D]])
func.func @update_stays(%arg0: memref<4xf32>, %arg1: memref<1xf32>, %arg2: memref<i32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%arg0, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  "lmhlo.dynamic_update_slice"(%a, %arg1, %arg2, %b) : (memref<4xf32>, memref<1xf32>, memref<i32>, memref<4xf32>) -> ()
  %c = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%a, %c) : (memref<4xf32>, memref<4xf32>) -> ()
  %e = memref.alloc() : memref<4xf32>
  "lmhlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %e) : (memref<4xf32>, memref<1xf32>, memref<i32>, memref<4xf32>) -> ()
  %d = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%arg0, %d) : (memref<4xf32>, memref<4xf32>) -> ()
  %u = memref.alloc() : memref<1xf32>
  %g = memref.alloc() : memref<4xf32>
  "lmhlo.fusion"() ({
    "lmhlo.slice"(%d, %u) <{start_indices = array<i64: 1>, limit_indices = array<i64: 2>, strides = array<i64: 1>}> {hd.inline} : (memref<4xf32>, memref<1xf32>) -> ()
    "lmhlo.dynamic_update_slice"(%d, %u, %arg2, %g) : (memref<4xf32>, memref<1xf32>, memref<i32>, memref<4xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %b, %c, %e, %g : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>
}

// -----

// In a loop the carried buffer is updated in place, and its spare one is not needed.
// CHECK-LABEL: @loop
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (memref<4xf32>) -> memref<4xf32>
// CHECK: ^bb0(%[[A:.*]]: memref<4xf32>)
// CHECK: "lmhlo.dynamic_update_slice"(%[[A]], %arg1, %arg2, %[[A]])
// CHECK: scf.yield %[[A]] : memref<4xf32>
func.func @loop(%arg0: memref<4xf32>, %arg1: memref<1xf32>, %arg2: memref<i32>, %arg3: memref<i1>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  "lmhlo.copy"(%arg0, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %s = memref.alloc() : memref<4xf32>
  %r:2 = scf.while (%x = %a, %y = %s) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    %p = memref.load %arg3[] : memref<i1>
    scf.condition(%p) %x, %y : memref<4xf32>, memref<4xf32>
  } do {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    "lmhlo.dynamic_update_slice"(%x, %arg1, %arg2, %y) : (memref<4xf32>, memref<1xf32>, memref<i32>, memref<4xf32>) -> ()
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  } attributes {hd.spares = 1 : i64}
  return %r#0 : memref<4xf32>
}

// -----

// A branch writes its result where the op around it wants it.
// CHECK-LABEL: @branch
// CHECK: %[[OUT:.*]] = memref.alloc
// CHECK: scf.if
// CHECK-NEXT: "lmhlo.negate"(%arg0, %[[OUT]])
// CHECK-NEXT: } else {
// CHECK-NEXT: "lmhlo.copy"(%arg0, %[[OUT]])
func.func @branch(%arg0: memref<4xf32>, %arg1: i1) -> memref<4xf32> {
  %out = memref.alloc() : memref<4xf32>
  scf.if %arg1 {
    %a = memref.alloc() : memref<4xf32>
    "lmhlo.negate"(%arg0, %a) : (memref<4xf32>, memref<4xf32>) -> ()
    "lmhlo.copy"(%a, %out) : (memref<4xf32>, memref<4xf32>) -> ()
  } else {
    "lmhlo.copy"(%arg0, %out) : (memref<4xf32>, memref<4xf32>) -> ()
  }
  return %out : memref<4xf32>
}

// -----

// A reshape that is needed in memory is another name of it, an argument's too.
// CHECK-LABEL: @reshape
// CHECK: %[[A:.*]] = memref.alloc(%arg1) : memref<?x8xf32>
// CHECK: %[[V:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%arg1, 2, 4], strides: [8, 4, 1]
// CHECK: %[[W:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%arg1, 2, 4], strides: [8, 4, 1]
// CHECK: return %[[V]], %[[W]]
func.func @reshape(%arg0: memref<?x8xf32>, %arg1: index) -> (memref<?x2x4xf32>, memref<?x2x4xf32>) {
  %a = memref.alloc(%arg1) : memref<?x8xf32>
  "lmhlo.negate"(%arg0, %a) : (memref<?x8xf32>, memref<?x8xf32>) -> ()
  %b = memref.alloc(%arg1) : memref<?x2x4xf32>
  "lmhlo.dynamic_reshape"(%a, %b) : (memref<?x8xf32>, memref<?x2x4xf32>) -> ()
  %c = memref.alloc(%arg1) : memref<?x2x4xf32>
  "lmhlo.dynamic_reshape"(%arg0, %c) : (memref<?x8xf32>, memref<?x2x4xf32>) -> ()
  return %b, %c : memref<?x2x4xf32>, memref<?x2x4xf32>
}

// -----

// So is a broadcast that only puts dims of 1 in between, not one that repeats, changes the order or may repeat.
// CHECK-LABEL: @broadcast
// CHECK: %[[A:.*]] = memref.alloc(%arg1) : memref<?x8xf32>
// CHECK: memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%arg1, 1, 8, 1]
// CHECK-NOT: reinterpret_cast
// CHECK-COUNT-3: broadcast_in_dim
func.func @broadcast(%arg0: memref<?x8xf32>, %arg1: index, %arg2: index) -> (memref<?x1x8x1xf32>, memref<?x2x8xf32>, memref<8x?xf32>, memref<?x8x1xf32>) {
  %a = memref.alloc(%arg1) : memref<?x8xf32>
  "lmhlo.negate"(%arg0, %a) : (memref<?x8xf32>, memref<?x8xf32>) -> ()
  %b = memref.alloc(%arg1) : memref<?x1x8x1xf32>
  "lmhlo.dynamic_broadcast_in_dim"(%a, %b) <{broadcast_dimensions = array<i64: 0, 2>}> : (memref<?x8xf32>, memref<?x1x8x1xf32>) -> ()
  %c = memref.alloc(%arg1) : memref<?x2x8xf32>
  "lmhlo.dynamic_broadcast_in_dim"(%a, %c) <{broadcast_dimensions = array<i64: 0, 2>}> : (memref<?x8xf32>, memref<?x2x8xf32>) -> ()
  %d = memref.alloc(%arg1) : memref<8x?xf32>
  "lmhlo.dynamic_broadcast_in_dim"(%a, %d) <{broadcast_dimensions = array<i64: 1, 0>}> : (memref<?x8xf32>, memref<8x?xf32>) -> ()
  %e = memref.alloc(%arg2) : memref<?x8x1xf32>
  "lmhlo.dynamic_broadcast_in_dim"(%a, %e) <{broadcast_dimensions = array<i64: 0, 1>}> : (memref<?x8xf32>, memref<?x8x1xf32>) -> ()
  return %b, %c, %d, %e : memref<?x1x8x1xf32>, memref<?x2x8xf32>, memref<8x?xf32>, memref<?x8x1xf32>
}

// -----

// Memory of an argument that the caller may donate: for what is written when the argument is read for the last time.
// CHECK-LABEL: @donated
// CHECK: memref.alloc(%arg2) {hd.donor = 0 : i64} : memref<?xf32>
func.func @donated(%arg0: memref<?xf32> {tf.aliasing_output = 0 : i32}, %arg1: memref<1xf32>, %arg2: index, %arg3: memref<i32>) -> memref<?xf32> {
  %a = memref.alloc(%arg2) : memref<?xf32>
  "lmhlo.dynamic_update_slice"(%arg0, %arg1, %arg3, %a) : (memref<?xf32>, memref<1xf32>, memref<i32>, memref<?xf32>) -> ()
  return %a : memref<?xf32>
}

// -----

// Not where the argument is read again, given back, or not to be donated.
// CHECK-LABEL: @kept
// CHECK-NOT: hd.donor
// CHECK: return
func.func @kept(%arg0: memref<4xf32> {jax.buffer_donor = true}, %arg1: memref<1xf32>, %arg2: memref<i32>) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "lmhlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %a) : (memref<4xf32>, memref<1xf32>, memref<i32>, memref<4xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  "lmhlo.reverse"(%arg0, %b) <{dimensions = array<i64: 0>}> : (memref<4xf32>, memref<4xf32>) -> ()
  return %a, %b : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: @given_back
// CHECK-NOT: hd.donor
// CHECK: return
func.func @given_back(%arg1: memref<1xf32>, %arg2: memref<i32>, %arg3: memref<4xf32> {jax.buffer_donor = true}, %arg4: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %c = memref.alloc() : memref<4xf32>
  "lmhlo.dynamic_update_slice"(%arg3, %arg1, %arg2, %c) : (memref<4xf32>, memref<1xf32>, memref<i32>, memref<4xf32>) -> ()
  %d = memref.alloc() : memref<4xf32>
  "lmhlo.dynamic_update_slice"(%arg4, %arg1, %arg2, %d) : (memref<4xf32>, memref<1xf32>, memref<i32>, memref<4xf32>) -> ()
  return %c, %d, %arg3 : memref<4xf32>, memref<4xf32>, memref<4xf32>
}

// -----

// A kernel's result takes the memory of what the kernel reads last and at the same index alone: a step of training.
// CHECK-LABEL: @step
// CHECK: %[[M:.*]] = memref.alloc(%arg2) {hd.donor = 1 : i64} : memref<?x8xf32>
// CHECK: %[[P:.*]] = memref.alloc(%arg2) {hd.donor = 0 : i64} : memref<?x8xf32>
// CHECK: return %[[P]], %[[M]]
func.func @step(%arg0: memref<?x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: memref<?x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: index, %arg3: memref<?x8xf32>) -> (memref<?x8xf32>, memref<?x8xf32>) {
  %m = memref.alloc(%arg2) : memref<?x8xf32>
  %p = memref.alloc(%arg2) : memref<?x8xf32>
  "lmhlo.fusion"() ({
    "lmhlo.add"(%arg1, %arg3, %m) : (memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>) -> ()
    "lmhlo.subtract"(%arg0, %m, %p) : (memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %p, %m : memref<?x8xf32>, memref<?x8xf32>
}

// -----

// The epilogue of a product reads where it writes, its factors elsewhere.
// CHECK-LABEL: @gradient
// CHECK: memref.alloc() : memref<8x8xf32>
// CHECK: memref.alloc() {hd.donor = 0 : i64} : memref<8x8xf32>
// CHECK: memref.alloc() : memref<8x8xf32>
// CHECK: memref.alloc() : memref<8x8xf32>
func.func @gradient(%arg0: memref<8x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: memref<8x8xf32> {tf.aliasing_output = 1 : i32}) -> (memref<8x8xf32>, memref<8x8xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  "lmhlo.fusion"() ({
    "lmhlo.dot_general"(%arg1, %arg1, %a) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>) -> ()
    "lmhlo.subtract"(%arg0, %a, %b) : (memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "gemm", hd.outputs = 0 : i64} : () -> ()
  %c = memref.alloc() : memref<8x8xf32>
  %d = memref.alloc() : memref<8x8xf32>
  "lmhlo.fusion"() ({
    "lmhlo.dot_general"(%arg1, %b, %c) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>) -> ()
    "lmhlo.subtract"(%arg1, %c, %d) : (memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "gemm", hd.outputs = 0 : i64} : () -> ()
  return %b, %d : memref<8x8xf32>, memref<8x8xf32>
}

// -----

// What was read before is free for any kernel; what a kernel reads transposed is not.
// CHECK-LABEL: @elsewhere
// CHECK: memref.alloc() : memref<4x4xf32>
// CHECK: memref.alloc() : memref<4x4xf32>
// CHECK: memref.alloc() {hd.donor = 0 : i64} : memref<4x4xf32>
// CHECK: return
func.func @elsewhere(%arg0: memref<4x4xf32> {jax.buffer_donor = true}, %arg1: memref<4x4xf32>) -> (memref<4x4xf32>, memref<4x4xf32>) {
  %t = memref.alloc() : memref<4x4xf32>
  %a = memref.alloc() : memref<4x4xf32>
  "lmhlo.fusion"() ({
    "lmhlo.transpose"(%arg0, %t) <{permutation = array<i64: 1, 0>}> {hd.inline} : (memref<4x4xf32>, memref<4x4xf32>) -> ()
    "lmhlo.add"(%arg0, %t, %a) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  %b = memref.alloc() : memref<4x4xf32>
  "lmhlo.transpose"(%arg1, %b) <{permutation = array<i64: 1, 0>}> : (memref<4x4xf32>, memref<4x4xf32>) -> ()
  return %a, %b : memref<4x4xf32>, memref<4x4xf32>
}

// -----

// A row kernel reduces a row and writes over it where that was computed from its elements; not where none of the
// argument's are in the result, or those of other rows are read (%arg2: its result takes the memory that was read before).
// CHECK-LABEL: @rows
// CHECK: memref.alloc() : memref<4xf32>
// CHECK: memref.alloc() : memref<4x4xf32>
// CHECK: memref.alloc() {hd.donor = 0 : i64} : memref<4x4xf32>
// CHECK: memref.alloc() : memref<4xf32>
// CHECK: memref.alloc() : memref<4x4xf32>
// CHECK: memref.alloc() : memref<4xf32>
// CHECK: memref.alloc() : memref<4x4xf32>
// CHECK: memref.alloc() {hd.donor = 1 : i64} : memref<4x4xf32>
// CHECK: return
func.func @rows(%arg0: memref<4x4xf32> {jax.buffer_donor = true}, %arg1: memref<4x4xf32> {jax.buffer_donor = true}, %arg2: memref<4x4xf32> {jax.buffer_donor = true}, %zero: memref<f32>) -> (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) {
  %s = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<4x4xf32>
  %a = memref.alloc() : memref<4x4xf32>
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%arg0, %zero, %s) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (memref<4x4xf32>, memref<f32>, memref<4xf32>) -> ()
    "lmhlo.broadcast_in_dim"(%s, %t) <{broadcast_dimensions = array<i64: 0>}> : (memref<4xf32>, memref<4x4xf32>) -> ()
    "lmhlo.divide"(%arg0, %t, %a) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  %s1 = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%arg1, %zero, %s1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (memref<4x4xf32>, memref<f32>, memref<4xf32>) -> ()
    "lmhlo.broadcast_in_dim"(%s1, %b) <{broadcast_dimensions = array<i64: 0>}> : (memref<4xf32>, memref<4x4xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  %s2 = memref.alloc() : memref<4xf32>
  %t2 = memref.alloc() : memref<4x4xf32>
  %c = memref.alloc() : memref<4x4xf32>
  "lmhlo.fusion"() ({
    "lmhlo.transpose"(%arg2, %t2) <{permutation = array<i64: 1, 0>}> {hd.inline} : (memref<4x4xf32>, memref<4x4xf32>) -> ()
    "lmhlo.add"(%arg2, %t2, %c) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
    "lmhlo.reduce"(%c, %zero, %s2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (memref<4x4xf32>, memref<f32>, memref<4xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  return %a, %b, %c : memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>
}

// -----

// On a device many threads have a row.
// CHECK-LABEL: @rows_on_a_device
// CHECK-NOT: hd.donor
func.func @rows_on_a_device(%arg0: memref<4x4xf32, #gpu.address_space<global>> {jax.buffer_donor = true}, %zero: memref<f32, #gpu.address_space<global>>) -> memref<4x4xf32, #gpu.address_space<global>> {
  %s = memref.alloc() : memref<4xf32, #gpu.address_space<global>>
  %t = memref.alloc() : memref<4x4xf32, #gpu.address_space<global>>
  %a = memref.alloc() : memref<4x4xf32, #gpu.address_space<global>>
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%arg0, %zero, %s) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %r = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (memref<4x4xf32, #gpu.address_space<global>>, memref<f32, #gpu.address_space<global>>, memref<4xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.broadcast_in_dim"(%s, %t) <{broadcast_dimensions = array<i64: 0>}> : (memref<4xf32, #gpu.address_space<global>>, memref<4x4xf32, #gpu.address_space<global>>) -> ()
    "lmhlo.divide"(%arg0, %t, %a) : (memref<4x4xf32, #gpu.address_space<global>>, memref<4x4xf32, #gpu.address_space<global>>, memref<4x4xf32, #gpu.address_space<global>>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  return %a : memref<4x4xf32, #gpu.address_space<global>>
}

// -----

// What is written behind a reshape is another buffer than its result.
// CHECK-LABEL: @written_after_a_reshape
// CHECK: "lmhlo.reshape"
// CHECK: "lmhlo.subtract"
// CHECK-LABEL: @result_written_after_a_reshape
// CHECK: "lmhlo.reshape"
// EVAL: written_after_a_reshape arg0=4
func.func @written_after_a_reshape(%arg0: memref<4xf32>) -> memref<2x2xf32> {
  %a = memref.alloc() : memref<4xf32>
  "lmhlo.tanh"(%arg0, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %b = memref.alloc() : memref<2x2xf32>
  "lmhlo.reshape"(%a, %b) : (memref<4xf32>, memref<2x2xf32>) -> ()
  "lmhlo.subtract"(%arg0, %arg0, %a) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return %b : memref<2x2xf32>
}
// EVAL: result_written_after_a_reshape arg0=4
func.func @result_written_after_a_reshape(%arg0: memref<4xf32>) -> (memref<2x2xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  "lmhlo.tanh"(%arg0, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %b = memref.alloc() : memref<2x2xf32>
  "lmhlo.reshape"(%a, %b) : (memref<4xf32>, memref<2x2xf32>) -> ()
  "lmhlo.negate"(%b, %b) : (memref<2x2xf32>, memref<2x2xf32>) -> ()
  %c = memref.alloc() : memref<4xf32>
  "lmhlo.abs"(%a, %c) : (memref<4xf32>, memref<4xf32>) -> ()
  return %b, %c : memref<2x2xf32>, memref<4xf32>
}

// -----

// An argument is read where it is, and leaves from there; one that may be donated is left to the result that takes its memory.
// CHECK-LABEL: @reshape_of_arguments
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %arg0
// CHECK: "lmhlo.transpose"(%[[VIEW]],
// CHECK: "lmhlo.reshape"(%arg1, %{{.*}}) :
func.func @reshape_of_arguments(%arg0: memref<6xf32>, %arg1: memref<6xf32> {jax.buffer_donor = true}) -> (memref<3x2xf32>, memref<2x3xf32>, memref<3x2xf32>) {
  %a = memref.alloc() : memref<2x3xf32>
  "lmhlo.reshape"(%arg0, %a) : (memref<6xf32>, memref<2x3xf32>) -> ()
  %b = memref.alloc() : memref<3x2xf32>
  "lmhlo.transpose"(%a, %b) <{permutation = array<i64: 1, 0>}> : (memref<2x3xf32>, memref<3x2xf32>) -> ()
  %c = memref.alloc() : memref<2x3xf32>
  "lmhlo.reshape"(%arg0, %c) : (memref<6xf32>, memref<2x3xf32>) -> ()
  %d = memref.alloc() : memref<2x3xf32>
  "lmhlo.reshape"(%arg1, %d) : (memref<6xf32>, memref<2x3xf32>) -> ()
  %e = memref.alloc() : memref<3x2xf32>
  "lmhlo.transpose"(%d, %e) <{permutation = array<i64: 1, 0>}> : (memref<2x3xf32>, memref<3x2xf32>) -> ()
  return %b, %c, %e : memref<3x2xf32>, memref<2x3xf32>, memref<3x2xf32>
}

// -----

// What leaves by another name alone is a copy of the runtime's, or the memory itself where the caller donates it.
// CHECK-LABEL: @arguments_that_leave
// CHECK: %[[A:.*]] = memref.reinterpret_cast %arg0
// CHECK: %[[B:.*]] = memref.reinterpret_cast %arg1
// CHECK-NOT: lmhlo
// CHECK: return %[[A]], %[[B]]
func.func @arguments_that_leave(%arg0: memref<6xf32> {tf.aliasing_output = 0 : i32}, %arg1: memref<6xf32>) -> (memref<3x2xf32>, memref<2x3xf32>) {
  %a = memref.alloc() : memref<3x2xf32>
  "lmhlo.reshape"(%arg0, %a) : (memref<6xf32>, memref<3x2xf32>) -> ()
  %b = memref.alloc() : memref<2x3xf32>
  "lmhlo.reshape"(%arg1, %b) : (memref<6xf32>, memref<2x3xf32>) -> ()
  return %a, %b : memref<3x2xf32>, memref<2x3xf32>
}

// -----

// The caller of a private function owns what it gets.
// CHECK-LABEL: @of_a_call
// CHECK: "lmhlo.reshape"(%arg0,
func.func private @of_a_call(%arg0: memref<6xf32>) -> memref<3x2xf32> {
  %a = memref.alloc() : memref<3x2xf32>
  "lmhlo.reshape"(%arg0, %a) : (memref<6xf32>, memref<3x2xf32>) -> ()
  return %a : memref<3x2xf32>
}
