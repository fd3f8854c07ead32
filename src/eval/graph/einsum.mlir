// RUN: heddle check %s | FileCheck %s
// CHECK: 2 passed, 0 failed
func.func @product() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[19.0, 22.0], [43.0, 50.0]]> : tensor<2x2xf32>
  %1 = stablehlo.einsum %a, %b, config = "ab,ab->" : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<f32>
  check.expect_eq_const %1, dense<70.0> : tensor<f32>
  return
}
func.func @one() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = stablehlo.unary_einsum %a, config = "ab->ba" : (tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[1, 3], [2, 4]]> : tensor<2x2xi32>
  %1 = stablehlo.unary_einsum %a, config = "aa->" : (tensor<2x2xi32>) -> tensor<i32>
  check.expect_eq_const %1, dense<5> : tensor<i32>
  return
}
