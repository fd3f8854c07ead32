// SPDX-License-Identifier: Apache-2.0
// Integers are printed exactly, however large.
// RUN: heddle eval %s | FileCheck %s
// CHECK: out0: tensor<2xui64> [18446744073709551615, 9223372036854775809]
// CHECK: out1: tensor<i64> -9007199254740993
// CHECK: out2: tensor<i32> 123456789
// CHECK: out3: tensor<100xi64> min 9007199254740993, max 9007199254741092, mean 9.007199e+15
// CHECK: out4: tensor<2xf32> [0.1, 1.234568e+08]
// CHECK: out5: tensor<i1> 1
// RUN: heddle run %s --no-cache | FileCheck %s --check-prefix=TABLE
// TABLE: out0 2xui64 9223372036854775809 18446744073709551615 1.3835e+19
// TABLE: out3 100xi64 9007199254740993 9007199254741092
func.func @main() -> (tensor<2xui64>, tensor<i64>, tensor<i32>, tensor<100xi64>, tensor<2xf32>, tensor<i1>) {
  %0 = stablehlo.constant dense<[18446744073709551615, 9223372036854775809]> : tensor<2xui64>
  %1 = stablehlo.constant dense<-9007199254740993> : tensor<i64>
  %2 = stablehlo.constant dense<123456789> : tensor<i32>
  %i = stablehlo.iota dim = 0 : tensor<100xi64>
  %c = stablehlo.constant dense<9007199254740993> : tensor<100xi64>
  %3 = stablehlo.add %i, %c : tensor<100xi64>
  %4 = stablehlo.constant dense<[0.1, 123456789.0]> : tensor<2xf32>
  %5 = stablehlo.constant dense<true> : tensor<i1>
  return %0, %1, %2, %3, %4, %5 : tensor<2xui64>, tensor<i64>, tensor<i32>, tensor<100xi64>, tensor<2xf32>, tensor<i1>
}
