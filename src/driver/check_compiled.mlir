// RUN: not heddle check %s --target=cpu 2>&1 | FileCheck %s
// The check ops judge what compiled code gives.
// CHECK: 'add' passed
// CHECK: 'check.expect_eq' op 2 of 2 elements differ
// CHECK: 'wrong' failed
// CHECK: 1 passed, 1 failed
func.func @add() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = stablehlo.add %a, %a : tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[2.0, 4.0], [6.0, 8.0]]> : tensor<2x2xf32>
  return
}
func.func @wrong() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.exponential %a : tensor<2xf32>
  check.expect_eq %0, %a : tensor<2xf32>
  return
}
