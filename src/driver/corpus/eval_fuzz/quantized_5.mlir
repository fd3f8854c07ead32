func.func @unsigned() {
  %0 = stablehlo.constant dense<[0.0, 100.0, 300.0]> : tensor<3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<3xf32>) -> tensor<3x!quant.uniform<u8:f32, 1.0:10>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<3x!quant.uniform<u8:f32, 1.0:10>>) -> tensor<3xf32>
  check.expect_eq_const %2, dense<[0.0, 100.0, 245.0]> : tensor<3xf32>
  return
}
