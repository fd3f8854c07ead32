func.func @requantize() {
  %0 = stablehlo.constant() {value = dense<[1, 2, 3]> : tensor<3xi8>} : () -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  %1 = stablehlo.uniform_quantize %0 : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x!quant.uniform<i8:f32, 0.25:1>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3x!quant.uniform<i8:f32, 0.25:1>>) -> tensor<3xi8>
  check.expect_eq_const %2, dense<[3, 5, 7]> : tensor<3xi8>
  return
}
