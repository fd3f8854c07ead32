// RUN: heddle check %s | FileCheck %s
// RUN: heddle check %s --target=cpu | FileCheck %s
// Towards zero, or one further where the fraction of all random numbers is above this one.
// CHECK: 4 passed, 0 failed
func.func @f32() {
  %x = stablehlo.constant dense<[1.25, 1.25, -1.25, -1.25, 3.0, -0.75, 127.5, -127.5, 1.0e9, -1.0e9, 0x7FC00000, 0xFF800000]> : tensor<12xf32>
  %r = stablehlo.constant dense<[1073741823, 1073741824, 1073741823, 1073741824, 0, 3221225471, 0, 0, 5, 5, 0, 0]> : tensor<12xui32>
  %0 = "mhlo.stochastic_convert"(%x, %r) : (tensor<12xf32>, tensor<12xui32>) -> tensor<12xi8>
  check.expect_eq_const %0, dense<[2, 1, -2, -1, 3, -1, 127, -128, 127, -128, 0, -128]> : tensor<12xi8>
  return
}
func.func @bf16() {
  %x = stablehlo.constant dense<[0.5, 0.5, 100.5, -100.5]> : tensor<4xbf16>
  %r = stablehlo.constant dense<[32767, 32768, 0, 65535]> : tensor<4xui16>
  %0 = "mhlo.stochastic_convert"(%x, %r) : (tensor<4xbf16>, tensor<4xui16>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[1, 0, 101, -100]> : tensor<4xi32>
  return
}
func.func @f64() {
  %x = stablehlo.constant dense<[9007199254740993.0, -2251799813685248.5, 1.0e300, -9223372036854775808.0, 4611686018427387904.0]> : tensor<5xf64>
  %r = stablehlo.constant dense<[0, 9223372036854775807, 0, 0, 0]> : tensor<5xui64>
  %0 = "mhlo.stochastic_convert"(%x, %r) : (tensor<5xf64>, tensor<5xui64>) -> tensor<5xi64>
  check.expect_eq_const %0, dense<[9007199254740992, -2251799813685249, 9223372036854775807, -9223372036854775808, 4611686018427387904]> : tensor<5xi64>
  return
}
func.func @f16() {
  %x = stablehlo.constant dense<[0x7C00, 65504.0, 0.99951171875]> : tensor<3xf16>
  %r = stablehlo.constant dense<[0, 0, 65503]> : tensor<3xui16>
  %0 = "mhlo.stochastic_convert"(%x, %r) : (tensor<3xf16>, tensor<3xui16>) -> tensor<3xi16>
  check.expect_eq_const %0, dense<[32767, 32767, 1]> : tensor<3xi16>
  return
}
