func.func @main(%a: tensor<?x8xi32>) -> tensor<?xi32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x8xi32>, tensor<i32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
