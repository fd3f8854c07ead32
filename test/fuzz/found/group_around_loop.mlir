// A use of a loop's buffer lies between two ops of one group.
// run: --shape arg0=5
func.func public @main(%a0: tensor<?xi32>, %c5_0: tensor<i32>) -> (tensor<i32>) {
  %v1 = stablehlo.dot_general %a0, %a0, contracting_dims = [0] x [0] : (tensor<?xi32>, tensor<?xi32>) -> tensor<i32>
  %v2 = stablehlo.constant dense<0> : tensor<i32>
  %v3:2 = stablehlo.while(%w2_0 = %v2, %w2_1 = %v1) : tensor<i32>, tensor<i32>
   cond {
    %v7 = stablehlo.constant dense<1> : tensor<i32>
    %v9 = stablehlo.compare LT, %w2_0, %v7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %v9 : tensor<i1>
  } do {
    %v8 = stablehlo.constant dense<1> : tensor<i32>
    %v6 = stablehlo.add %w2_0, %v8 : tensor<i32>
    %v5 = stablehlo.multiply %w2_1, %w2_1 : tensor<i32>
    stablehlo.return %v6, %v5 : tensor<i32>, tensor<i32>
  }
  %v10 = "stablehlo.or"(%v1, %v1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %v21 = "stablehlo.clamp"(%v3#1, %c5_0, %v10) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
  return %v21 : tensor<i32>
}
