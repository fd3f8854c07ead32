// SPDX-License-Identifier: Apache-2.0
// RUN: heddle check %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: heddle-opt --disc-rewrite-ral-api %s | FileCheck %s
// RUN: heddle-opt --disc-rewrite-ral-api %s | heddle check - 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: sed s/15.0/16.0/ %s | heddle-opt --disc-rewrite-ral-api - | not heddle check - 2>&1 | FileCheck %s --check-prefix=WRONG
// BOTH-DAG: 3 passed, 0 failed
// WRONG-DAG: 2 * 3 + 3 * 3
// WRONG-DAG: 2 passed, 1 failed
// Calls of the runtime give the same with erased types, which the second round makes of them.

// CHECK-LABEL: @memory
// CHECK: llvm.call @ral_api_call
// CHECK-NOT: hd.ral_call
func.func @memory() attributes {hd.host} {
  %bytes = arith.constant 24 : i64
  %n = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%bytes, %bytes) : (i64, i64) -> !llvm.ptr
  %q = hd.ral_call "ral_host_alloc___pvoid_i64_i64___pvoid"(%bytes, %bytes) : (i64, i64) -> !llvm.ptr
  %m = hd.memref %p[%n] : !llvm.ptr to memref<?x2xf32>
  %h = hd.memref %q[%n] : !llvm.ptr to memref<?x2xf32>
  %stream = hd.ral_call "ral_stream___pvoid___pvoid"() : () -> !llvm.ptr
  %x = arith.constant 7.5 : f32
  %y = arith.constant -2.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %h[%i, %c0] : memref<?x2xf32>
    memref.store %y, %h[%i, %c1] : memref<?x2xf32>
    hd.ral_call "ral_go_on___pvoid___void"() : () -> ()
  }
  // A buffer as its address.
  hd.ral_call "ral_copy___pvoid_pvoid_pvoid_pvoid_i64___void"(%stream, %m, %h, %bytes) : (!llvm.ptr, memref<?x2xf32>, memref<?x2xf32>, i64) -> ()
  %got = memref.load %m[%c2, %c1] : memref<?x2xf32>
  %same = arith.cmpf oeq, %got, %y : f32
  cf.assert %same, "what was copied"
  hd.ral_call "ral_retain___pvoid_pvoid___void"(%p) : (!llvm.ptr) -> ()
  hd.ral_call "ral_free___pvoid_pvoid___void"(%p) : (!llvm.ptr) -> ()
  %again = memref.load %m[%c0, %c0] : memref<?x2xf32>
  %kept = arith.cmpf oeq, %again, %x : f32
  cf.assert %kept, "what is held once more"
  hd.ral_call "ral_free___pvoid_pvoid___void"(%p) : (!llvm.ptr) -> ()
  hd.ral_call "ral_host_free___pvoid_pvoid___void"(%q) : (!llvm.ptr) -> ()
  return
}

// Descriptors and bytes: a product of matrices, one of them transposed.
// CHECK-LABEL: @gemm
// CHECK: llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
func.func @gemm() attributes {hd.host} {
  %a = memref.alloc() : memref<1x2xf32>
  %b = memref.alloc() : memref<1x2xf32>
  %c = memref.alloc() : memref<1x1xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 2.0 : f32
  %y = arith.constant 3.0 : f32
  memref.store %x, %a[%c0, %c0] : memref<1x2xf32>
  memref.store %y, %a[%c0, %c1] : memref<1x2xf32>
  memref.store %y, %b[%c0, %c0] : memref<1x2xf32>
  memref.store %y, %b[%c0, %c1] : memref<1x2xf32>
  %no = arith.constant false
  %yes = arith.constant true
  %stream = llvm.mlir.zero : !llvm.ptr
  hd.ral_call "ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void"(%stream, %a, %b, %c, %no, %yes) : (!llvm.ptr, memref<1x2xf32>, memref<1x2xf32>, memref<1x1xf32>, i1, i1) -> ()
  %got = memref.load %c[%c0, %c0] : memref<1x1xf32>
  %want = arith.constant 15.0 : f32
  %same = arith.cmpf oeq, %got, %want : f32
  cf.assert %same, "2 * 3 + 3 * 3"
  memref.dealloc %a : memref<1x2xf32>
  memref.dealloc %b : memref<1x2xf32>
  memref.dealloc %c : memref<1x1xf32>
  return
}

// A view as an address is that of its first element.
func.func @view() attributes {hd.host} {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = arith.constant 2.0 : f32
  memref.store %x, %a[%c3] : memref<4xf32>
  %from = memref.subview %a[3] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: 3>>
  %to = memref.reinterpret_cast %b to offset: [%c1], sizes: [1], strides: [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>
  %stream = llvm.mlir.zero : !llvm.ptr
  %bytes = arith.constant 4 : i64
  hd.ral_call "ral_copy___pvoid_pvoid_pvoid_pvoid_i64___void"(%stream, %to, %from, %bytes) : (!llvm.ptr, memref<1xf32, strided<[1], offset: ?>>, memref<1xf32, strided<[1], offset: 3>>, i64) -> ()
  %got = memref.load %b[%c1] : memref<4xf32>
  %same = arith.cmpf oeq, %got, %x : f32
  cf.assert %same, "the element at the offset"
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}
