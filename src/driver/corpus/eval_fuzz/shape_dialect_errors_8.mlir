func.func @split() {
  %a = shape.const_shape [4, 2] : tensor<2xindex>
  %i = arith.constant -3 : index
  %head, %tail = "shape.split_at"(%a, %i) : (tensor<2xindex>, index) -> (!shape.shape, !shape.shape)
  return
}
