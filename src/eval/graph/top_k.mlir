// RUN: heddle check %s | FileCheck %s
// RUN: heddle check %s --target=cpu | FileCheck %s
// Floats go in the total order, as the composite's decomposition says it: a NaN by its sign, -0 below +0.
// CHECK: 3 passed, 0 failed
func.func @largest() {
  %x = stablehlo.constant dense<[0x7F800000, 0x7FC00000, 0xFFC00000, 0xFF800000, 3.0]> : tensor<5xf32>
  %v, %i = chlo.top_k(%x, k = 5) : tensor<5xf32> -> (tensor<5xf32>, tensor<5xi32>)
  check.expect_eq_const %i, dense<[1, 0, 4, 3, 2]> : tensor<5xi32>
  %b = stablehlo.bitcast_convert %v : (tensor<5xf32>) -> tensor<5xi32>
  check.expect_eq_const %b, dense<[0x7FC00000, 0x7F800000, 0x40400000, 0xFF800000, 0xFFC00000]> : tensor<5xi32>
  return
}
func.func @narrow() {
  %x = stablehlo.constant dense<[-0.0, 0.0, 0xFFC0, 0.0, 0x7FC0, -0.0]> : tensor<6xbf16>
  %v, %i = chlo.top_k(%x, k = 4) : tensor<6xbf16> -> (tensor<4xbf16>, tensor<4xi32>)
  check.expect_eq_const %i, dense<[4, 1, 3, 0]> : tensor<4xi32>
  return
}
func.func @smallest() {
  %x = stablehlo.constant dense<[0x7FC00000, 1.0, 0xFFC00000]> : tensor<3xf32>
  %v, %i = "mhlo.topk"(%x) <{k = 2 : i64, largest = false}> : (tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  check.expect_eq_const %i, dense<[2, 1]> : tensor<2xi32>
  return
}
