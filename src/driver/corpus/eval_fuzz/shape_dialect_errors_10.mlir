func.func @count() {
  %a = shape.const_shape [4000000000, 4000000000] : tensor<2xindex>
  %n = shape.num_elements %a : tensor<2xindex> -> index
  return
}
