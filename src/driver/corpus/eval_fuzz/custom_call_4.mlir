func.func @by_name() {
  %x = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %r = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %r, dense<[0.0, 0.842700779]> : tensor<2xf32>
  %y = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi32>
  %v, %i = stablehlo.custom_call @mhlo.topk(%y) {mhlo.attributes = {k = 2 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<3xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %v, dense<[1, 2]> : tensor<2xi32>
  return
}
