// REQUIRES: mlir-opt
// RUN: heddle-opt %s --verify-roundtrip > %t.heddle
// RUN: mlir-opt %s > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: heddle-opt %s --mlir-print-op-generic > %t.heddle
// RUN: mlir-opt %s --mlir-print-op-generic > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: mlir-opt %t.heddle | heddle-opt > %t.again
// RUN: heddle-opt %s > %t.heddle
// RUN: diff %t.heddle %t.again
llvm.mlir.global internal constant @str("hello\00") {addr_space = 0 : i32}
gpu.binary @code [#gpu.object<#nvvm.target, "\00\01">]
gpu.binary @picked <#gpu.select_object<0>> [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = "ptx">]
func.func @mma(%m: memref<32x32xf16, 3>, %i: index, %x: f16) {
  %0 = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
  %1 = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index, transpose} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "BOp">
  %2 = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf16, "COp">
  %3 = gpu.subgroup_mma_compute %0, %1, %2 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  %4 = gpu.subgroup_mma_compute %0, %1, %3 {a_transpose, b_transpose} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  %5 = gpu.subgroup_mma_elementwise addf %3, %4 : (!gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
  %6 = gpu.subgroup_mma_extract_thread_local %5[%i] : !gpu.mma_matrix<16x16xf16, "COp"> -> f16
  %7 = gpu.subgroup_mma_insert_thread_local %6, %5[%i] : f16, !gpu.mma_matrix<16x16xf16, "COp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  gpu.subgroup_mma_store_matrix %7, %m[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<32x32xf16, 3>
  return
}
func.func @lane(%lane: index, %v: vector<1xf32>) -> vector<1xf32> {
  gpu.warp_execute_on_lane_0(%lane)[32] {
    gpu.yield
  }
  %0 = gpu.warp_execute_on_lane_0(%lane)[32] args(%v : vector<1xf32>) -> (vector<1xf32>) {
  ^bb0(%all: vector<32xf32>):
    gpu.yield %all : vector<32xf32>
  }
  return %0 : vector<1xf32>
}
