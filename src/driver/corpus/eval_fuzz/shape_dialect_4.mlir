func.func @values_with_shapes() {
  %x = arith.constant dense<[2, 9]> : tensor<2xindex>
  %s = shape.const_shape [8] : !shape.shape
  %pair = shape.with_shape %x, %s : tensor<2xindex>, !shape.shape
  %value = shape.value_of %pair : tensor<2xindex>
  check.expect_eq %value, %x : tensor<2xindex>
  %shape = shape.shape_of %pair : !shape.value_shape -> !shape.shape
  %e = shape.to_extent_tensor %shape : !shape.shape -> tensor<1xindex>
  check.expect_eq_const %e, dense<8> : tensor<1xindex>
  %as = shape.value_as_shape %pair : !shape.value_shape -> !shape.shape
  %ase = shape.to_extent_tensor %as : !shape.shape -> tensor<2xindex>
  check.expect_eq %ase, %x : tensor<2xindex>
  %from = shape.from_extent_tensor %x : tensor<2xindex>
  %eq = shape.shape_eq %from, %as : !shape.shape, !shape.shape
  cf.assert %eq, "one shape"
  return
}
