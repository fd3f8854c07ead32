func.func @per_axis() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25}>>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5:1, 0.25}>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5:1, 0.25}>>) -> tensor<2x2xi8>
  check.expect_eq_const %3, dense<[[3, 7], [8, -16]]> : tensor<2x2xi8>
  return
}
