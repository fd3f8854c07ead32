// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// What Triton prints between its tiles and LLVM.

// CHECK-LABEL: llvm.func @product
llvm.func @product(%a: i64, %b: i64, %use: i1, %c: !llvm.struct<(f32, f32)>) -> i32 {
  // CHECK: %[[R:.*]] = nvg.wgmma %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {eltTypeA = 5 : i32, eltTypeB = 5 : i32, eltTypeC = 7 : i32, k = 16 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 64 : i32} : (i64, i64, i1, !llvm.struct<(f32, f32)>) -> !llvm.struct<(f32, f32)>
  %0 = nvg.wgmma %a, %b, %use, %c {eltTypeA = 5 : i32, eltTypeB = 5 : i32, eltTypeC = 7 : i32, k = 16 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 64 : i32} : (i64, i64, i1, !llvm.struct<(f32, f32)>) -> !llvm.struct<(f32, f32)>
  // CHECK: nvg.wgmma %{{.*}}, %{{.*}}, %{{.*}} {{{.*}}} : (i64, i64, i1) -> !llvm.struct<(f32, f32)>
  %1 = nvg.wgmma %a, %b, %use {eltTypeA = 5 : i32, eltTypeB = 5 : i32, eltTypeC = 7 : i32, k = 16 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 64 : i32} : (i64, i64, i1) -> !llvm.struct<(f32, f32)>
  // CHECK: nvg.wgmma_wait_group %[[R]] {pendings = 0 : i32} : !llvm.struct<(f32, f32)>
  %2 = nvg.wgmma_wait_group %0 {pendings = 0 : i32} : !llvm.struct<(f32, f32)>
  // CHECK: nvg.cluster_id
  %3 = nvg.cluster_id
  // CHECK: %[[BASE:.*]] = nvg.tensor_memory_base
  // CHECK-NEXT: llvm.ptrtoint %[[BASE]] : !llvm.ptr<6> to i32
  %4 = nvg.tensor_memory_base
  %5 = llvm.ptrtoint %4 : !llvm.ptr<6> to i32
  %6 = llvm.add %3, %5 : i32
  llvm.return %6 : i32
}
