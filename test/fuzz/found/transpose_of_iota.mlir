// An op that reads no buffer has its result as first operand.
func.func public @main(%a: tensor<5x67xi32>) -> tensor<67x5xi32> {
  %0 = stablehlo.constant dense<[5, 67]> : tensor<2xi32>
  %1 = stablehlo.dynamic_iota %0, dim = 1 : (tensor<2xi32>) -> tensor<5x67xi32>
  %2 = stablehlo.constant dense<3> : tensor<67xi32>
  %3 = stablehlo.dot_general %1, %2, batching_dims = [1] x [0], contracting_dims = [] x [] : (tensor<5x67xi32>, tensor<67xi32>) -> tensor<67x5xi32>
  return %3 : tensor<67x5xi32>
}
