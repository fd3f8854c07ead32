func.func @smallest() {
  %x = stablehlo.constant dense<[0x7FC00000, 1.0, 0xFFC00000]> : tensor<3xf32>
  %v, %i = "mhlo.topk"(%x) <{k = 2 : i64, largest = false}> : (tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  check.expect_eq_const %i, dense<[2, 1]> : tensor<2xi32>
  return
}
