// RUN: heddle-opt %s --dead-temp-buffer-removal --verify-each | FileCheck %s

// Written, and read for nothing: gone with its stores. What is read, returned or seen by another name stays.
// CHECK-LABEL: @main
// CHECK-NOT: memref<3xf32>
// CHECK: memref.alloc() : memref<4xf32>
// CHECK: memref.store
// CHECK: memref.load
// CHECK: memref.alloc() : memref<5xf32>
// CHECK: memref.store
// CHECK: memref.cast
func.func @main(%x: f32, %i: index) -> (f32, memref<?xf32>) {
  %t = memref.alloc() : memref<3xf32>
  memref.store %x, %t[%i] : memref<3xf32>
  %unused = memref.load %t[%i] : memref<3xf32>
  memref.dealloc %t : memref<3xf32>
  %u = memref.alloc() : memref<4xf32>
  memref.store %x, %u[%i] : memref<4xf32>
  %y = memref.load %u[%i] : memref<4xf32>
  memref.dealloc %u : memref<4xf32>
  %v = memref.alloc() : memref<5xf32>
  memref.store %x, %v[%i] : memref<5xf32>
  %w = memref.cast %v : memref<5xf32> to memref<?xf32>
  return %y, %w : f32, memref<?xf32>
}

// Buffer ops too, one after the other, inside of a fusion and out of it; what writes a needed buffer as well stays.
// CHECK-LABEL: @chain
// CHECK-NEXT: %[[O:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: %[[I:.*]] = memref.alloc() : memref<4xi32>
// CHECK-NEXT: "lmhlo.fusion"
// CHECK-NEXT: "lmhlo.copy"(%arg0, %[[O]])
// CHECK-NEXT: lmhlo.terminator
// CHECK: "lmhlo.sort"(%[[O]], %arg1, %arg2, %[[I]])
// CHECK: return %[[O]]
func.func @chain(%x: memref<4xf32>, %i: memref<4xi32>, %s: memref<4xf32>) -> memref<4xf32> {
  %t = memref.alloc() : memref<4xf32>
  %u = memref.alloc() : memref<4xf32>
  %o = memref.alloc() : memref<4xf32>
  %j = memref.alloc() : memref<4xi32>
  "lmhlo.negate"(%x, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  "lmhlo.abs"(%t, %u) : (memref<4xf32>, memref<4xf32>) -> ()
  "lmhlo.fusion"() ({
    "lmhlo.exponential"(%x, %u) : (memref<4xf32>, memref<4xf32>) -> ()
    "lmhlo.copy"(%x, %o) : (memref<4xf32>, memref<4xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  "lmhlo.sort"(%o, %i, %s, %j) <{dimension = 0 : i64, hd.outputs = 2 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (memref<4xf32>, memref<4xi32>, memref<4xf32>, memref<4xi32>) -> ()
  memref.dealloc %j : memref<4xi32>
  memref.dealloc %u : memref<4xf32>
  return %o : memref<4xf32>
}

// Read only for its own next value, by a loop, a branch or an atomic update: gone with all of them.
// CHECK-LABEL: @own_next
// CHECK-NEXT: return
func.func @own_next(%x: f32, %n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %t[%i] : memref<?xf32>
    %w = arith.addf %v, %x : f32
    memref.store %w, %t[%i] : memref<?xf32>
  }
  %s = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %y = scf.if %p -> f32 {
      %v = memref.load %t[%i] : memref<?xf32>
      scf.yield %v : f32
    } else {
      scf.yield %x : f32
    }
    memref.store %y, %s[%i] : memref<?xf32>
    %old = memref.atomic_rmw addf %x, %s[%i] : (f32, memref<?xf32>) -> f32
    scf.reduce
  }
  memref.dealloc %s : memref<?xf32>
  return
}

// What an effect, a call or an address in words sees stays.
// CHECK-LABEL: @seen
// CHECK: "lmhlo.negate"(%arg0, %[[T:.*]]) :
// CHECK: "lmhlo.custom_call"(%arg0, %{{.*}})
// CHECK: memref.extract_aligned_pointer_as_index %[[T]]
// CHECK: memref.store
// CHECK: hd.ral_call
func.func @seen(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<4xf32>
  %u = memref.alloc() : memref<4xf32>
  %w = memref.alloca() : memref<1xi64>
  "lmhlo.negate"(%x, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  "lmhlo.custom_call"(%x, %u) <{call_target_name = "print", has_side_effect = true}> : (memref<4xf32>, memref<4xf32>) -> ()
  %p = memref.extract_aligned_pointer_as_index %t : memref<4xf32> -> index
  %q = arith.index_cast %p : index to i64
  memref.store %q, %w[%c0] : memref<1xi64>
  hd.ral_call "ral_x___pvoid_m1di64___void"(%w) : (memref<1xi64>) -> ()
  return
}
