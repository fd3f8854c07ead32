func.func @narrow() {
  %x = stablehlo.constant dense<[-0.0, 0.0, 0xFFC0, 0.0, 0x7FC0, -0.0]> : tensor<6xbf16>
  %v, %i = chlo.top_k(%x, k = 4) : tensor<6xbf16> -> (tensor<4xbf16>, tensor<4xi32>)
  check.expect_eq_const %i, dense<[4, 1, 3, 0]> : tensor<4xi32>
  return
}
