// RUN: heddle check %s --target=cpu

// Rows of 17 elements that are narrower than the type they are computed in: the last one is stored alone, beside others
// that stay.
func.func @bf16() {
  %zeros = stablehlo.constant dense<7.0> : tensor<2x20xbf16>
  %ones = stablehlo.constant dense<1.0> : tensor<1x17xbf16>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %zeros, %ones, %i, %i : (tensor<2x20xbf16>, tensor<1x17xbf16>, tensor<i32>, tensor<i32>) -> tensor<2x20xbf16>
  %1 = stablehlo.slice %0 [0:1, 15:20] : (tensor<2x20xbf16>) -> tensor<1x5xbf16>
  check.expect_eq_const %1, dense<[[1.0, 1.0, 7.0, 7.0, 7.0]]> : tensor<1x5xbf16>
  return
}
func.func @i64_to_i32() {
  %sevens = stablehlo.constant dense<7> : tensor<2x20xi32>
  %ones = stablehlo.constant dense<1> : tensor<1x17xi64>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %narrow = stablehlo.convert %ones : (tensor<1x17xi64>) -> tensor<1x17xi32>
  %0 = stablehlo.dynamic_update_slice %sevens, %narrow, %i, %i : (tensor<2x20xi32>, tensor<1x17xi32>, tensor<i32>, tensor<i32>) -> tensor<2x20xi32>
  %1 = stablehlo.slice %0 [0:1, 15:20] : (tensor<2x20xi32>) -> tensor<1x5xi32>
  check.expect_eq_const %1, dense<[[1, 1, 7, 7, 7]]> : tensor<1x5xi32>
  return
}
