func.func @parts() {
  %c1 = arith.constant 1 : index
  %x = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %s = tensor.extract_slice %x[0, %c1] [2, 2] [1, 2] : tensor<2x4xi32> to tensor<2x2xi32>
  check.expect_eq_const %s, dense<[[2, 4], [6, 8]]> : tensor<2x2xi32>
  %row = tensor.extract_slice %x[%c1, 0] [1, 4] [1, 1] : tensor<2x4xi32> to tensor<4xi32>
  check.expect_eq_const %row, dense<[5, 6, 7, 8]> : tensor<4xi32>
  %y = tensor.insert_slice %row into %x[0, 0] [1, 4] [1, 1] : tensor<4xi32> into tensor<2x4xi32>
  check.expect_eq_const %y, dense<[[5, 6, 7, 8], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %wide = tensor.concat dim(1) %s, %x : (tensor<2x2xi32>, tensor<2x4xi32>) -> tensor<2x6xi32>
  check.expect_eq_const %wide, dense<[[2, 4, 1, 2, 3, 4], [6, 8, 5, 6, 7, 8]]> : tensor<2x6xi32>
  return
}
