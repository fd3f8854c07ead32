func.func private @filled(%n: index, %m: index) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %shape = tensor.from_elements %n, %m : tensor<2xindex>
  %t = stablehlo.dynamic_broadcast_in_dim %zero, %shape, dims = [] : (tensor<f32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %t : tensor<?x?xf32>
}
func.func @of_values() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %x = func.call @filled(%c3, %c5) : (index, index) -> tensor<?x?xf32>
  %e = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %s = shape.shape_of %x : tensor<?x?xf32> -> !shape.shape
  %back = shape.to_extent_tensor %s : !shape.shape -> tensor<2xindex>
  check.expect_eq_const %back, dense<[3, 5]> : tensor<2xindex>
  check.expect_eq %e, %back : tensor<2xindex>
  %d = shape.dim %x, %c1 : tensor<?x?xf32>, index -> index
  %g = shape.get_extent %s, %c1 : !shape.shape, index -> !shape.size
  %gi = shape.size_to_index %g : !shape.size
  %r = shape.rank %s : !shape.shape -> !shape.size
  %ri = shape.size_to_index %r : !shape.size
  %n = shape.num_elements %e : tensor<2xindex> -> index
  %ns = shape.num_elements %s : !shape.shape -> !shape.size
  %nsi = shape.size_to_index %ns : !shape.size
  %all = tensor.from_elements %d, %gi, %ri, %n, %nsi : tensor<5xindex>
  check.expect_eq_const %all, dense<[5, 5, 2, 15, 15]> : tensor<5xindex>
  %zero = arith.constant dense<7.0> : tensor<f32>
  %none = shape.shape_of %zero : tensor<f32> -> tensor<0xindex>
  %one = shape.num_elements %none : tensor<0xindex> -> index
  %ones = tensor.from_elements %one : tensor<1xindex>
  check.expect_eq_const %ones, dense<1> : tensor<1xindex>
  return
}
