func.func @quantize() {
  %0 = stablehlo.constant dense<[-1.0, 0.25, 0.75, 4.0, 1000.0, -1000.0]> : tensor<6xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5:3>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<6xi8>
  check.expect_eq_const %2, dense<[1, 3, 5, 11, 127, -128]> : tensor<6xi8>
  %3 = stablehlo.uniform_dequantize %1 : (tensor<6x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<6xf32>
  check.expect_eq_const %3, dense<[-1.0, 0.0, 1.0, 4.0, 62.0, -65.5]> : tensor<6xf32>
  return
}
