func.func @elements() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant 9 : i32
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %e = tensor.extract %x[%c1, %c2] : tensor<2x3xi32>
  %y = tensor.insert %v into %x[%c0, %c1] : tensor<2x3xi32>
  check.expect_eq_const %y, dense<[[1, 9, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %s = tensor.splat %e[%c2] : tensor<?xi32>
  %ss = tensor.cast %s : tensor<?xi32> to tensor<2xi32>
  check.expect_eq_const %ss, dense<6> : tensor<2xi32>
  %g = tensor.generate %c2 {
  ^bb0(%i: index, %j: index):
    %k = arith.muli %i, %c2 : index
    %l = arith.addi %k, %j : index
    tensor.yield %l : index
  } : tensor<?x2xindex>
  %gs = tensor.cast %g : tensor<?x2xindex> to tensor<2x2xindex>
  check.expect_eq_const %gs, dense<[[0, 1], [2, 3]]> : tensor<2x2xindex>
  %p = tensor.pad %x low[0, %c1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : i32
  } : tensor<2x3xi32> to tensor<3x?xi32>
  %ps = tensor.cast %p : tensor<3x?xi32> to tensor<3x4xi32>
  check.expect_eq_const %ps, dense<[[9, 1, 2, 3], [9, 4, 5, 6], [9, 9, 9, 9]]> : tensor<3x4xi32>
  %n = tensor.empty(%c0) : tensor<?x4xi32>
  %d = tensor.dim %n, %c0 : tensor<?x4xi32>
  %ds = tensor.from_elements %d : tensor<1xindex>
  check.expect_eq_const %ds, dense<0> : tensor<1xindex>
  return
}
