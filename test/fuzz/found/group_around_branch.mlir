// A branch writes a buffer that the group reads.
func.func public @main(%c3_1: tensor<f32>) -> (tensor<f32>) {
  %v1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %v8 = "stablehlo.minimum"(%v1, %v1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %v17 = stablehlo.constant dense<false> : tensor<i1>
  %v18 = "stablehlo.if"(%v17) ({
    %v19 = stablehlo.negate %v8 : tensor<f32>
    stablehlo.return %v19 : tensor<f32>
  }, {
    stablehlo.return %c3_1 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %v21 = "stablehlo.subtract"(%v18, %v8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %v21 : tensor<f32>
}
