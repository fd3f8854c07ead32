func.func @add() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.1>>
  %2 = stablehlo.add %1, %1 : tensor<2x!quant.uniform<i8:f32, 0.1>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<2x!quant.uniform<i8:f32, 0.1>>) -> tensor<2xf32>
  check.expect_almost_eq_const %3, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}
