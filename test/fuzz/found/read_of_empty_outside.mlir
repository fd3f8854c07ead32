// As pad_of_broadcast_reads_outside: an index below an empty dim, whose stride is 0.
func.func public @main(%c6_0: tensor<4x0x3xbf16>) -> (tensor<5x3x3xbf16>) {
  %v40 = "stablehlo.transpose"(%c6_0) <{permutation = array<i64: 2, 1, 0>}> : (tensor<4x0x3xbf16>) -> tensor<3x0x4xbf16>
  %v47 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %v48 = "stablehlo.reduce_window"(%v40, %v47) <{window_dimensions = array<i64: 1, 1, 1>, window_strides = array<i64: 1, 1, 2>, base_dilations = array<i64: 2, 1, 1>, window_dilations = array<i64: 1, 2, 1>, padding = dense<[[0, 0], [1, 2], [1, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
    %z = stablehlo.add %x, %y : tensor<bf16>
    stablehlo.return %z : tensor<bf16>
  }) : (tensor<3x0x4xbf16>, tensor<bf16>) -> tensor<5x3x3xbf16>
  return %v48 : tensor<5x3x3xbf16>
}
