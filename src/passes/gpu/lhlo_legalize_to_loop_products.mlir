// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-lower-to-library-calls=target=cuda --target=cuda --disc-specialize-fusion-with-speculation --disc-lhlo-legalize-to-loop --cse --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-lower-to-library-calls --split-input-file %s | FileCheck %s --check-prefix=LIBRARY

// Both operands lie along the sum: a warp writes 16 terms of two rows at once, and a pitch of 66 has them in 32 banks. 150 is no
// multiple of the depth, 128 of the tile: terms beyond the sum are zeros, no row needs a check.
// CHECK-LABEL: @known
// CHECK: %[[OUT:.*]] = memref.alloc()
// CHECK: scf.parallel (%[[M:.*]], %[[N:.*]], %[[T:.*]]) = ({{.*}}) to (%c2, %c2, %c256)
// CHECK: %[[A:.*]] = memref.alloca() : memref<1056xf32, #gpu.address_space<workgroup>>
// CHECK: %[[B:.*]] = memref.alloca() : memref<1056xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for %{{.*}} = %c0 to %c150 step %c16 iter_args
// CHECK: memref.load %arg0
// CHECK: memref.load %arg1
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: memref.store %{{.*}}, %[[B]]
// CHECK: gpu.barrier
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args
// CHECK: memref.load %[[A]]
// CHECK: memref.load %[[B]]
// CHECK-COUNT-16: math.fma
// CHECK: gpu.barrier
// CHECK-NOT: scf.if
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK: hd.kernel_name = "product_dot_general_0", hd.threads = 256
// LIBRARY-LABEL: @known
// LIBRARY: ral_gemm
#global = #gpu.address_space<global>
func.func @known(%x: memref<128x150xf32, #global>, %y: memref<128x150xf32, #global>) -> memref<128x128xf32, #global> {
  %out = memref.alloc() : memref<128x128xf32, #global>
  "lmhlo.dot_general"(%x, %y, %out) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (memref<128x150xf32, #global>, memref<128x150xf32, #global>, memref<128x128xf32, #global>) -> ()
  return %out : memref<128x128xf32, #global>
}

// -----

// The host chooses by the size of the result: few rows, enough for large tiles, others.
// CHECK-LABEL: @unknown
// CHECK: scf.if
// CHECK: hd.threads = 256
// CHECK: } else {
// CHECK: scf.if
#global = #gpu.address_space<global>
func.func @unknown(%x: memref<?x?xf32, #global>, %y: memref<?x?xf32, #global>) -> memref<?x?xf32, #global> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32, #global>
  %n = memref.dim %y, %c1 : memref<?x?xf32, #global>
  %out = memref.alloc(%m, %n) : memref<?x?xf32, #global>
  "lmhlo.dot_general"(%x, %y, %out) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (memref<?x?xf32, #global>, memref<?x?xf32, #global>, memref<?x?xf32, #global>) -> ()
  return %out : memref<?x?xf32, #global>
}

// -----

// Sums of bytes are sums of i32, whose lower bits they are.
// CHECK-LABEL: @bytes
// CHECK: memref.alloca() : memref<{{.*}}xi32, #gpu.address_space<workgroup>>
// CHECK: arith.muli {{.*}} : i32
// CHECK: arith.trunci {{.*}} : i32 to i8
#global = #gpu.address_space<global>
func.func @bytes(%x: memref<64x64xi8, #global>, %y: memref<64x64xi8, #global>) -> memref<64x64xi8, #global> {
  %out = memref.alloc() : memref<64x64xi8, #global>
  "lmhlo.dot_general"(%x, %y, %out) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (memref<64x64xi8, #global>, memref<64x64xi8, #global>, memref<64x64xi8, #global>) -> ()
  return %out : memref<64x64xi8, #global>
}

// -----

// A few features in each of many groups: a thread for each result.
// CHECK-LABEL: @depthwise
// CHECK-NOT: gpu.barrier
// CHECK: hd.kernel_name = "loop_convolution_0"
#global = #gpu.address_space<global>
func.func @depthwise(%x: memref<1x8x8x16xf32, #global>, %w: memref<3x3x1x16xf32, #global>) -> memref<1x6x6x16xf32, #global> {
  %out = memref.alloc() : memref<1x6x6x16xf32, #global>
  "lmhlo.convolution"(%x, %w, %out) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 16 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1, 1>} : (memref<1x8x8x16xf32, #global>, memref<3x3x1x16xf32, #global>, memref<1x6x6x16xf32, #global>) -> ()
  return %out : memref<1x6x6x16xf32, #global>
}
