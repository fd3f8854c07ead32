// RUN: heddle-opt %s --disc-remove-dead-buffer --verify-each | FileCheck %s

// CHECK-LABEL: @main
// CHECK-NEXT: %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: "lmhlo.negate"(%arg0, %[[A]])
// CHECK-NEXT: return %[[A]]
func.func @main(%arg0: memref<4xf32>) -> memref<4xf32> {
  %dead = memref.alloc() : memref<4xf32>
  %freed = memref.alloc() : memref<8xf32>
  memref.dealloc %freed : memref<8xf32>
  %a = memref.alloc() : memref<4xf32>
  "lmhlo.negate"(%arg0, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  return %a : memref<4xf32>
}

// Sizes whose products nobody else checks are checked where the allocation was, those in an operand too.
// CHECK-LABEL: @products
// CHECK: %[[AB:.*]] = arith.muli %arg0, %arg1
// CHECK: %[[KIND:.*]] = arith.constant 3 : i64
// CHECK: %[[A:.*]] = arith.index_cast %arg0
// CHECK: %[[B:.*]] = arith.index_cast %arg1
// CHECK: hd.ral_call "ral_check___pvoid_i64_i64_i64_i64___void"(%[[KIND]], %[[A]], %[[B]], %{{.*}})
// CHECK: %[[PRODUCT:.*]] = arith.index_cast %[[AB]]
// CHECK: %[[C:.*]] = arith.index_cast %arg2
// CHECK: hd.ral_call "ral_check___pvoid_i64_i64_i64_i64___void"(%{{.*}}, %[[PRODUCT]], %[[C]], %{{.*}})
// CHECK-NOT: ral_check
// CHECK: return
func.func @products(%a: index, %b: index, %c: index) {
  %ab = arith.muli %a, %b : index
  %dead = memref.alloc(%ab, %c) : memref<?x?xf32>
  %again = memref.alloc(%c, %ab) : memref<?x?xi8>
  return
}

// One size can be too large alone, also that of an argument without elements.
// CHECK-LABEL: @one
// CHECK: ral_check
// CHECK-NOT: ral_check
// CHECK: return
func.func @one(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %dead = memref.alloc(%m) : memref<?xf32>
  return
}

// A buffer of the same sizes that is left refuses them itself, and so does an argument.
// CHECK-LABEL: @same
// CHECK-NOT: ral_check
func.func @same(%a: index, %b: index, %x: memref<?x?xf32>) -> memref<?x8x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %dead = memref.alloc(%b, %a) : memref<?x?xf32>
  %like_argument = memref.alloc(%n, %m) : memref<?x?xf32>
  %empty = memref.alloc(%m, %b) : memref<?x0x?xf32>
  %r = memref.alloc(%a, %b) : memref<?x8x?xf32>
  return %r : memref<?x8x?xf32>
}

// One that is allocated in a branch only refuses nothing outside of it.
// CHECK-LABEL: @branch
// CHECK: ral_check
// CHECK: scf.if
func.func @branch(%a: index, %b: index, %p: i1) {
  %dead = memref.alloc(%a, %b) : memref<?x?xf32>
  scf.if %p {
    %t = memref.alloc(%b, %a) : memref<?x?xf32>
    %x = memref.alloc() : memref<f32>
    "lmhlo.reduce"(%t, %x, %x) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%q: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %q, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x?xf32>, memref<f32>, memref<f32>) -> ()
  }
  return
}
