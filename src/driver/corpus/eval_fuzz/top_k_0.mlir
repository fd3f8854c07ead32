func.func @largest() {
  %x = stablehlo.constant dense<[0x7F800000, 0x7FC00000, 0xFFC00000, 0xFF800000, 3.0]> : tensor<5xf32>
  %v, %i = chlo.top_k(%x, k = 5) : tensor<5xf32> -> (tensor<5xf32>, tensor<5xi32>)
  check.expect_eq_const %i, dense<[1, 0, 4, 3, 2]> : tensor<5xi32>
  %b = stablehlo.bitcast_convert %v : (tensor<5xf32>) -> tensor<5xi32>
  check.expect_eq_const %b, dense<[0x7FC00000, 0x7F800000, 0x40400000, 0xFF800000, 0xFFC00000]> : tensor<5xi32>
  return
}
