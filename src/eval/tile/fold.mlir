// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --canonicalize | FileCheck %s
// Constants fold by what the ops mean; addresses, and what a program knows of its grid, stay.

// CHECK-LABEL: tt.func @f
// CHECK-DAG: arith.constant dense<{{\[\[}}1, 3], [2, 4]]> : tensor<2x2xi32>
// CHECK-DAG: tt.int_to_ptr
// CHECK-DAG: tt.get_program_id x
// CHECK-NOT: tt.trans
tt.func @f() -> (tensor<2x!tt.ptr<f32>>, tensor<2x2xi32>, i32) {
  %x = arith.constant dense<[16, 32]> : tensor<2xi64>
  %0 = tt.int_to_ptr %x : tensor<2xi64> -> tensor<2x!tt.ptr<f32>>
  %y = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %1 = tt.trans %y {order = array<i32: 1, 0>} : tensor<2x2xi32> -> tensor<2x2xi32>
  %2 = tt.get_program_id x : i32
  tt.return %0, %1, %2 : tensor<2x!tt.ptr<f32>>, tensor<2x2xi32>, i32
}
