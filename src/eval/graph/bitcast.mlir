// SPDX-License-Identifier: Apache-2.0
// RUN: heddle check %s | FileCheck %s
// RUN: heddle check %s --target=cpu | FileCheck %s
// RUN: heddle-opt --hlo-expand %s | FileCheck %s --check-prefix=EXPAND
// RUN: heddle-opt --hlo-expand %s > %t && heddle check %t | FileCheck %s

// mhlo.bitcast: the same bytes in another shape, also with elements of another width, the first in the low bits.
// CHECK: 5 passed, 0 failed
// EXPAND-NOT: mhlo.bitcast
func.func @shape() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = "mhlo.bitcast"(%x) : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %0, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  return
}

func.func @element() {
  %x = stablehlo.constant dense<[1.0, -2.0, 0x7FC00000, 0.0]> : tensor<4xf32>
  %0 = "mhlo.bitcast"(%x) : (tensor<4xf32>) -> tensor<2x2xui32>
  check.expect_eq_const %0, dense<[[1065353216, 3221225472], [2143289344, 0]]> : tensor<2x2xui32>
  return
}

func.func @narrower() {
  %x = stablehlo.constant dense<[[16909060, 84281096]]> : tensor<1x2xi32>
  %0 = "mhlo.bitcast"(%x) : (tensor<1x2xi32>) -> tensor<2x4xui8>
  check.expect_eq_const %0, dense<[[4, 3, 2, 1], [8, 7, 6, 5]]> : tensor<2x4xui8>
  return
}

func.func @wider() {
  %x = stablehlo.constant dense<[[4, 3, 2, 1, 8, 7, 6, 5]]> : tensor<1x8xui8>
  %0 = "mhlo.bitcast"(%x) : (tensor<1x8xui8>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[16909060, 84281096]> : tensor<2xi32>
  return
}

func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x3xi16>
  %0 = "mhlo.bitcast"(%x) : (tensor<0x3xi16>) -> tensor<0xf32>
  check.expect_eq_const %0, dense<> : tensor<0xf32>
  return
}
