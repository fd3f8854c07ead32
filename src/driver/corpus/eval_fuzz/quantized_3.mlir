func.func @dot() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %2 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<i32:f32, 0.25>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<2x2x!quant.uniform<i32:f32, 0.25>>) -> tensor<2x2xf32>
  check.expect_eq_const %3, dense<[[7.0, -6.0], [-9.0, 22.0]]> : tensor<2x2xf32>
  %4 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2xf32>
  check.expect_eq_const %4, dense<[[7.0, -6.0], [-9.0, 22.0]]> : tensor<2x2xf32>
  return
}
