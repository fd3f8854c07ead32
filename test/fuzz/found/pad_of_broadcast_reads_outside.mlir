// After disc-lower-to-kernels the kernel loads a scalar outside of its operand (index 3 of 2) and masks the value away: pad of a broadcast.
// run: --shape arg2=2x19
func.func public @main(%a0: tensor<f8E4M3>, %c10_0: tensor<2xf8E4M3>, %c0_0: tensor<2x?xf8E4M3>) -> (tensor<4x?xf8E4M3>) {
  %v10 = stablehlo.constant dense<2> : tensor<i32>
  %v11 = stablehlo.reshape %v10 : (tensor<i32>) -> tensor<1xi32>
  %v12 = "stablehlo.get_dimension_size"(%c0_0) <{dimension = 1 : i64}> : (tensor<2x?xf8E4M3>) -> tensor<i32>
  %v13 = stablehlo.reshape %v12 : (tensor<i32>) -> tensor<1xi32>
  %v14 = "stablehlo.concatenate"(%v11, %v13) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %v37 = "stablehlo.dynamic_broadcast_in_dim"(%c10_0, %v14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf8E4M3>, tensor<2xi32>) -> tensor<2x?xf8E4M3>
  %v60 = "stablehlo.pad"(%v37, %a0) <{edge_padding_low = array<i64: -1, 0>, edge_padding_high = array<i64: 3, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<2x?xf8E4M3>, tensor<f8E4M3>) -> tensor<4x?xf8E4M3>
  return %v60 : tensor<4x?xf8E4M3>
}
