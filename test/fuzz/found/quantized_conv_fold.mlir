// Folding a quantized convolution of constants ran on the stored integers and overran the heap.
func.func @main(%y: tensor<2x3x6xf32>) -> tensor<2x3x6xf32> {
  %x = stablehlo.constant dense<0.5> : tensor<2x3x10xf32>
  %w = stablehlo.constant dense<0.25> : tensor<3x3x5xf32>
  %0 = stablehlo.uniform_quantize %w : (tensor<3x3x5xf32>) -> tensor<3x3x5x!quant.uniform<i8:f32, 0.004:-128>>
  %1 = stablehlo.uniform_quantize %x : (tensor<2x3x10xf32>) -> tensor<2x3x10x!quant.uniform<i8:f32, 0.004:-128>>
  %2 = stablehlo.convolution(%1, %0) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x10x!quant.uniform<i8:f32, 0.004:-128>>, tensor<3x3x5x!quant.uniform<i8:f32, 0.004:-128>>) -> tensor<2x3x6x!quant.uniform<i32:f32, 1.6E-5>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<2x3x6x!quant.uniform<i32:f32, 1.6E-5>>) -> tensor<2x3x6xf32>
  %4 = stablehlo.add %3, %y : tensor<2x3x6xf32>
  return %4 : tensor<2x3x6xf32>
}
