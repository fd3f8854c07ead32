// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-lower-to-library-calls="target=cuda library-products" --cse --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-lower-to-library-calls="target=cuda" --cse --split-input-file %s | FileCheck %s --check-prefix=KERNEL

// A product that a library may take and the program has a kernel for: the run tells.
// CHECK-LABEL: @either
// CHECK: %[[READY:.*]] = hd.ral_call "ral_product_ready___pvoid_i64_pvoid_i64___i1"
// CHECK: scf.if %[[READY]] {
// CHECK-NEXT: hd.ral_call "ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void"
// CHECK-NEXT: } else {
// CHECK-NEXT: "lmhlo.fusion"
// CHECK-NEXT: "lmhlo.dot"
// CHECK: hd.kind = "product"
// KERNEL-LABEL: @either
// KERNEL-NOT: hd.ral_call
#global = #gpu.address_space<global>
func.func @either(%a: memref<?x?xf32, #global>, %b: memref<?x?xf32, #global>, %c: memref<?x?xf32, #global>) {
  "lmhlo.dot"(%a, %b, %c) : (memref<?x?xf32, #global>, memref<?x?xf32, #global>, memref<?x?xf32, #global>) -> ()
  return
}

// -----

// What a library cannot see in place is written for it alone, into memory of its own; the kernel computes it where it reads it.
// CHECK-LABEL: @written
// CHECK: %[[SCRATCH:.*]] = memref.alloc({{.*}}) {{.*}}: memref<?x?xf32, #gpu.address_space<global>>
// CHECK: scf.if
// CHECK-NEXT: "lmhlo.fusion"
// CHECK-NEXT: "lmhlo.exponential"(%arg0, %[[SCRATCH]])
// CHECK: hd.ral_call "ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void"(%{{.*}}, %[[SCRATCH]],
// CHECK-NEXT: } else {
// CHECK-NEXT: "lmhlo.fusion"
// CHECK-NEXT: "lmhlo.exponential"(%arg0, %arg3)
// CHECK: hd.kind = "product"
// CHECK: memref.dealloc %[[SCRATCH]]
#global = #gpu.address_space<global>
func.func @written(%a: memref<?x?xf32, #global>, %b: memref<?x?xf32, #global>, %c: memref<?x?xf32, #global>, %e: memref<?x?xf32, #global>) -> memref<?x?xf32, #global> {
  "lmhlo.fusion"() ({
    "lmhlo.exponential"(%a, %e) {hd.inline} : (memref<?x?xf32, #global>, memref<?x?xf32, #global>) -> ()
    "lmhlo.dot"(%e, %b, %c) : (memref<?x?xf32, #global>, memref<?x?xf32, #global>, memref<?x?xf32, #global>) -> ()
    lmhlo.terminator
  }) {hd.kind = "gemm", hd.outputs = 0 : i64} : () -> ()
  return %c : memref<?x?xf32, #global>
}

// -----

// A convolution asks by a name of its own.
// CHECK-LABEL: @convolution
// CHECK: hd.ral_call "ral_convolution_ready___pvoid_i64_pvoid_i64___i1"
#global = #gpu.address_space<global>
func.func @convolution(%a: memref<?x8x8x6xf32, #global>, %b: memref<3x3x6x7xf32, #global>, %c: memref<?x6x6x7xf32, #global>) -> memref<?x6x6x7xf32, #global> {
  "lmhlo.convolution"(%a, %b, %c) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1, 1>}> : (memref<?x8x8x6xf32, #global>, memref<3x3x6x7xf32, #global>, memref<?x6x6x7xf32, #global>) -> ()
  return %c : memref<?x6x6x7xf32, #global>
}
