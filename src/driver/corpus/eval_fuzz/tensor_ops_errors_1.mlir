func.func @cast() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = tensor.cast %x : tensor<2xi32> to tensor<?xi32>
  %z = tensor.cast %y : tensor<?xi32> to tensor<3xi32>
  return
}
