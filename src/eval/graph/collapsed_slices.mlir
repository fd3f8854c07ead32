// SPDX-License-Identifier: Apache-2.0
// RUN: heddle check %s && heddle check %s --target=cpu
// A collapsed dim whose slices have no elements gives the element at the start of each, inside of the operand.

func.func @gather() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = stablehlo.constant dense<[[-1], [1], [3], [7]]> : tensor<4x1xi32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0>}> : (tensor<3xi32>, tensor<4x1xi32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[1, 2, 3, 3]> : tensor<4xi32>
  return
}

func.func @dynamic_gather() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %s = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<2x2xi32>, tensor<2x1xi32>, tensor<2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[3, 4], [1, 2]]> : tensor<2x2xi32>
  return
}

// Nothing is read for a result of no elements.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xi32>
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0, 0>}> : (tensor<0x2xi32>, tensor<2x1xi32>) -> tensor<2x0xi32>
  check.expect_eq_const %0, dense<> : tensor<2x0xi32>
  return
}
