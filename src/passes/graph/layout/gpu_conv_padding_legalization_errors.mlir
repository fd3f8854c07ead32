// RUN: heddle-opt --disc-gpu-conv-padding-legalization --split-input-file --verify-diagnostics %s

// Quantized padding is not 0 but the zero point: hlo-expand has made integers of it before.
func.func @quantized(%x: tensor<1x3x1x!quant.uniform<i8:f32, 0.1:3>>, %w: tensor<2x1x1x!quant.uniform<i8:f32, 0.1>>) -> tensor<1x5x1x!quant.uniform<i32:f32, 0.01>> {
  // expected-error@+1 {{'stablehlo.convolution' op disc-gpu-conv-padding-legalization: expected an input that is not quantized}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1x!quant.uniform<i8:f32, 0.1:3>>, tensor<2x1x1x!quant.uniform<i8:f32, 0.1>>) -> tensor<1x5x1x!quant.uniform<i32:f32, 0.01>>
  return %0 : tensor<1x5x1x!quant.uniform<i32:f32, 0.01>>
}

// -----

// A program of the other form.
func.func @buffers(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{disc-gpu-conv-padding-legalization}}
  "lmhlo.negate"(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
