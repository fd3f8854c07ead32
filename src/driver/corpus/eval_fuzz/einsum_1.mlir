func.func @one() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = stablehlo.unary_einsum %a, config = "ab->ba" : (tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[1, 3], [2, 4]]> : tensor<2x2xi32>
  %1 = stablehlo.unary_einsum %a, config = "aa->" : (tensor<2x2xi32>) -> tensor<i32>
  check.expect_eq_const %1, dense<5> : tensor<i32>
  return
}
