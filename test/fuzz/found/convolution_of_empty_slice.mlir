// The operand is empty and its view begins behind the buffer.
func.func public @main(%c11_0: tensor<1x1x9x2xf64>, %c8_0: tensor<1x17x3x3xf64>) -> (tensor<0x9x1x2xf64>) {
  %v104 = "stablehlo.slice"(%c8_0) <{start_indices = array<i64: 1, 8, 2, 0>, limit_indices = array<i64: 1, 14, 3, 2>, strides = array<i64: 1, 2, 3, 1>}> : (tensor<1x17x3x3xf64>) -> tensor<0x3x1x2xf64>
  %v107 = "stablehlo.convolution"(%v104, %c11_0) <{dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[i, 0, o, 1]->[b, f, 0, 1]>, window_strides = array<i64: 1, 1>, lhs_dilation = array<i64: 1, 2>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, batch_group_count = 1 : i64, feature_group_count = 3 : i64, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> : (tensor<0x3x1x2xf64>, tensor<1x1x9x2xf64>) -> tensor<0x9x1x2xf64>
  return %v107 : tensor<0x9x1x2xf64>
}
