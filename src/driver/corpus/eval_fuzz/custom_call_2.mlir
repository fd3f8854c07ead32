func.func @dynamic_top_k() {
  %x = stablehlo.constant dense<[1, 5, 2]> : tensor<3xi32>
  %k = stablehlo.constant dense<2> : tensor<i32>
  %v, %i = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<3xi32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %v, dense<[5, 2]> : tensor<2xi32>
  check.expect_eq_const %i, dense<[1, 2]> : tensor<2xi32>
  return
}
