// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --lower-to-library-calls --cse --split-input-file %s | FileCheck %s

// The seed's example: a product of matrices, with what a transpose does to its operand as a flag.
// CHECK-LABEL: @gemm
// CHECK: %[[S:.*]] = hd.ral_call "ral_stream___pvoid___pvoid"()
// CHECK: hd.ral_call "ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void"(%[[S]], %arg0, %arg1, %arg2, %false, %false)
// CHECK: hd.ral_call "ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void"(%[[S]], %arg0, %arg3, %arg2, %false, %true)
// CHECK-NOT: lmhlo
#global = #gpu.address_space<global>
func.func @gemm(%a: memref<4x8xf32, #global>, %b: memref<8x2xf32, #global>, %c: memref<4x2xf32, #global>, %d: memref<2x8xf32, #global>) -> memref<4x2xf32, #global> {
  %t = memref.alloc() : memref<8x2xf32, #global>
  "lmhlo.dot"(%a, %b, %c) : (memref<4x8xf32, #global>, memref<8x2xf32, #global>, memref<4x2xf32, #global>) -> ()
  "lmhlo.fusion"() ({
    "lmhlo.transpose"(%d, %t) <{permutation = array<i64: 1, 0>}> {hd.inline} : (memref<2x8xf32, #global>, memref<8x2xf32, #global>) -> ()
    "lmhlo.dot_general"(%a, %t, %c) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (memref<4x8xf32, #global>, memref<8x2xf32, #global>, memref<4x2xf32, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "gemm", hd.outputs = 0 : i64} : () -> ()
  return %c : memref<4x2xf32, #global>
}

// -----

// Batches and strides go through the same call as on the CPU.
// CHECK-LABEL: @batch
// CHECK: hd.ral_call "ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%{{.*}}, %arg0, %arg1, %arg2,
#global = #gpu.address_space<global>
func.func @batch(%a: memref<?x4x8xf32, #global>, %b: memref<?x8x2xf32, #global>, %c: memref<?x4x2xf32, #global>) -> memref<?x4x2xf32, #global> {
  "lmhlo.dot_general"(%a, %b, %c) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (memref<?x4x8xf32, #global>, memref<?x8x2xf32, #global>, memref<?x4x2xf32, #global>) -> ()
  return %c : memref<?x4x2xf32, #global>
}

// -----

// A copy is named by where it goes from and to; one element on the host is no call.
// CHECK-LABEL: @copies
// CHECK: hd.ral_call "ral_copy___pvoid_pvoid_pvoid_pvoid_i64___void"(%{{.*}}, %arg1, %arg0, %{{.*}})
// CHECK: hd.ral_call "ral_d2h___pvoid_pvoid_pvoid_pvoid_i64___void"(%{{.*}}, %arg2, %arg0, %{{.*}})
// CHECK: hd.ral_call "ral_h2d___pvoid_pvoid_pvoid_pvoid_i64___void"(%{{.*}}, %arg0, %arg2, %{{.*}})
// CHECK: %[[X:.*]] = memref.load %arg3[]
// CHECK: memref.store %[[X]], %arg4[]
#global = #gpu.address_space<global>
func.func @copies(%a: memref<4xf32, #global>, %b: memref<4xf32, #global>, %h: memref<4xf32>, %i: memref<i32>, %j: memref<i32>) {
  "lmhlo.copy"(%a, %b) : (memref<4xf32, #global>, memref<4xf32, #global>) -> ()
  "lmhlo.copy"(%a, %h) : (memref<4xf32, #global>, memref<4xf32>) -> ()
  "lmhlo.copy"(%h, %a) : (memref<4xf32>, memref<4xf32, #global>) -> ()
  "lmhlo.copy"(%i, %j) : (memref<i32>, memref<i32>) -> ()
  return
}

// -----

// What no library multiplies is left to the schedules.
// CHECK-LABEL: @complex
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.dot"
// CHECK: hd.kind = "loop"
#global = #gpu.address_space<global>
func.func @complex(%a: memref<4x8xcomplex<f32>, #global>, %b: memref<8x2xcomplex<f32>, #global>, %c: memref<4x2xcomplex<f32>, #global>) -> memref<4x2xcomplex<f32>, #global> {
  "lmhlo.fusion"() ({
    "lmhlo.dot"(%a, %b, %c) : (memref<4x8xcomplex<f32>, #global>, memref<8x2xcomplex<f32>, #global>, memref<4x2xcomplex<f32>, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "gemm", hd.outputs = 0 : i64} : () -> ()
  return %c : memref<4x2xcomplex<f32>, #global>
}

// -----

// An operand that cannot be seen in place is written before.
// CHECK-LABEL: @pad
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.convert"(%arg0, %[[T:[a-z0-9_]*]]) :
// CHECK: hd.kind = "loop"
// CHECK: hd.ral_call "ral_gemm{{.*}}"(%{{.*}}, %[[T]], %arg1, %arg2,
#global = #gpu.address_space<global>
func.func @pad(%a: memref<4x8xi32, #global>, %b: memref<8x2xf32, #global>, %c: memref<4x2xf32, #global>) -> memref<4x2xf32, #global> {
  %t = memref.alloc() : memref<4x8xf32, #global>
  "lmhlo.fusion"() ({
    "lmhlo.convert"(%a, %t) {hd.inline} : (memref<4x8xi32, #global>, memref<4x8xf32, #global>) -> ()
    "lmhlo.dot"(%t, %b, %c) : (memref<4x8xf32, #global>, memref<8x2xf32, #global>, memref<4x2xf32, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "gemm", hd.outputs = 0 : i64} : () -> ()
  return %c : memref<4x2xf32, #global>
}
