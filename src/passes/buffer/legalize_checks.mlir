// SPDX-License-Identifier: Apache-2.0
// What the entry cannot check is checked before its op: sizes that data give, and ops that may not run.
// RUN: heddle-opt --disc-hlo-legalize-to-lhlo --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @slice
// CHECK-SAME: hd.messages = ["{{.*}}: stablehlo.real_dynamic_slice: element 0 of operand 1 is {1}, expected at least {0}", "{{.*}}: element 0 of operand 1 is {0}, expected at most element 0 of operand 2, which is {1}", "{{.*}}: element 0 of operand 2 is {0}, expected at most dim 0 of operand 0 (d0), which is {1}"]
// CHECK-COUNT-3: hd.ral_call "ral_check___pvoid_i64_i64_i64_i64___void"
// CHECK: "lmhlo.real_dynamic_slice"
func.func @slice(%x: tensor<?xf32>, %start: tensor<1xi32>, %limit: tensor<1xi32>) -> tensor<?xf32> {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %one : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// The arguments' own dims are checked by the entry.
// CHECK-LABEL: func.func @early
// CHECK-NOT: ral_check
// CHECK: "lmhlo.add"
func.func @early(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @branch
// CHECK-NOT: ral_check
// CHECK: scf.if
// CHECK: hd.ral_call "ral_check___pvoid_i64_i64_i64_i64___void"
// CHECK: "lmhlo.add"
func.func @branch(%p: tensor<i1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.add %x, %y : tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }, {
    stablehlo.return %x : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
