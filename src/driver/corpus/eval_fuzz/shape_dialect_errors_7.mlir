func.func @extent() {
  %a = shape.const_shape [4, 2] : tensor<2xindex>
  %i = arith.constant 2 : index
  %e = shape.get_extent %a, %i : tensor<2xindex>, index -> index
  return
}
