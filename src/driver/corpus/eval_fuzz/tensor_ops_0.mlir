func.func @types_and_sizes() {
  %c1 = arith.constant 1 : index
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %open = tensor.cast %x : tensor<2x3xi32> to tensor<?x?xi32>
  %d = tensor.dim %open, %c1 : tensor<?x?xi32>
  %r = tensor.rank %open : tensor<?x?xi32>
  %sizes = tensor.from_elements %d, %r : tensor<2xindex>
  check.expect_eq_const %sizes, dense<[3, 2]> : tensor<2xindex>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %t = tensor.reshape %open(%shape) : (tensor<?x?xi32>, tensor<2xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %t, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xi32> into tensor<6xi32>
  check.expect_eq_const %flat, dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %wide = tensor.cast %flat : tensor<6xi32> to tensor<?xi32>
  %split = tensor.expand_shape %wide [[0, 1]] output_shape [%d, 2] : tensor<?xi32> into tensor<?x2xi32>
  %known = tensor.cast %split : tensor<?x2xi32> to tensor<3x2xi32>
  check.expect_eq %known, %t : tensor<3x2xi32>
  %bits = tensor.bitcast %flat : tensor<6xi32> to tensor<6xf32>
  %back = tensor.bitcast %bits : tensor<6xf32> to tensor<6xi32>
  check.expect_eq %back, %flat : tensor<6xi32>
  return
}
