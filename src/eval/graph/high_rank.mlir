// SPDX-License-Identifier: Apache-2.0
// RUN: heddle check %s | FileCheck %s
// RUN: heddle check %s --target=cpu | FileCheck %s

// Dims beyond the 32nd are dims of their own: that of a product's sum, of a reduction, of a permutation.
// CHECK: 3 passed, 0 failed
func.func @dot_general() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %1 = stablehlo.constant dense<[10, 1]> : tensor<2xi32>
  %2 = stablehlo.reshape %0 : (tensor<3x2xi32>) -> tensor<1x3x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xi32>
  %3 = stablehlo.dot_general %2, %1, contracting_dims = [33] x [0] : (tensor<1x3x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xi32>, tensor<2xi32>) -> tensor<1x3x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xi32>
  %4 = stablehlo.reshape %3 : (tensor<1x3x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xi32>) -> tensor<3xi32>
  check.expect_eq_const %4, dense<[12, 34, 56]> : tensor<3xi32>
  return
}

func.func @reduce() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %1 = stablehlo.constant dense<0> : tensor<i32>
  %2 = stablehlo.reshape %0 : (tensor<3x2xi32>) -> tensor<1x3x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xi32>
  %3 = stablehlo.reduce(%2 init: %1) applies stablehlo.add across dimensions = [33] : (tensor<1x3x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xi32>, tensor<i32>) -> tensor<1x3x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xi32>
  %4 = stablehlo.reshape %3 : (tensor<1x3x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xi32>) -> tensor<3xi32>
  check.expect_eq_const %4, dense<[3, 7, 11]> : tensor<3xi32>
  return
}

func.func @transpose() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %1 = stablehlo.reshape %0 : (tensor<3x2xi32>) -> tensor<1x3x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xi32>
  %2 = stablehlo.transpose %1, dims = [0, 33, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 1] : (tensor<1x3x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xi32>) -> tensor<1x2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x3xi32>
  %3 = stablehlo.reshape %2 : (tensor<1x2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %3, dense<[[1, 3, 5], [2, 4, 6]]> : tensor<2x3xi32>
  return
}
