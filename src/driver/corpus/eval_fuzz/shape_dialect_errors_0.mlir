func.func @broadcast() {
  %a = shape.const_shape [4, 2] : tensor<2xindex>
  %b = shape.const_shape [3] : tensor<1xindex>
  %c = shape.broadcast %a, %b : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
  return
}
