// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

func.func @broadcast(%a: tensor<4x8xf32>) -> tensor<2x4x7xf32> {
  // expected-error@+1 {{dim 1 of operand 0 is 8, expected 1 or dim 2 of the result, which is 7}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<2x4x7xf32>
  return %0 : tensor<2x4x7xf32>
}

// -----

func.func @broadcast_twice(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{expects broadcast dimensions to be unique, got 0 twice}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @reshape(%a: tensor<4x8xf32>) -> tensor<31xf32> {
  // expected-error@+1 {{the elements of operand 0 is 32, expected the elements of the result, which is 31}}
  %0 = stablehlo.reshape %a : (tensor<4x8xf32>) -> tensor<31xf32>
  return %0 : tensor<31xf32>
}

// -----

func.func @dot(%a: tensor<?x128xf32>, %b: tensor<64x?xf32>) -> tensor<?x?xf32> {
  // expected-error@+1 {{dim 1 of operand 0 is 128, expected dim 0 of operand 1, which is 64}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x128xf32>, tensor<64x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dot_result(%a: tensor<?x128xf32>, %b: tensor<128x64xf32>) -> tensor<?x63xf32> {
  // expected-error@+1 {{expects result #0 of type tensor<?x64xf32>, got tensor<?x63xf32>}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x128xf32>, tensor<128x64xf32>) -> tensor<?x63xf32>
  return %0 : tensor<?x63xf32>
}

// -----

func.func @concatenate(%a: tensor<4x8xf32>, %b: tensor<4x7xf32>) -> tensor<8x8xf32> {
  // expected-error@+1 {{dim 1 of operand 0 is 8, expected dim 1 of operand 1, which is 7}}
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @transpose(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
  // expected-error@+1 {{expects permutation entries in [0, 2), got 2}}
  %0 = stablehlo.transpose %a, dims = [2, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @slice(%a: tensor<4x8xf32>) -> tensor<4x9xf32> {
  // expected-error@+1 {{limit 1 of operand 0 is 9, expected at most dim 1 of operand 0, which is 8}}
  %0 = stablehlo.slice %a [0:4, 0:9] : (tensor<4x8xf32>) -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}

// -----

func.func @dynamic_slice(%a: tensor<4x8xf32>, %i: tensor<i32>) -> tensor<1x8xf32> {
  // expected-error@+1 {{expects 2 start indices, got 1}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// -----

func.func @pad(%a: tensor<4xf32>, %v: tensor<f32>) -> tensor<6xf32> {
  // expected-error@+1 {{expects result #0 of type tensor<7xf32>, got tensor<6xf32>}}
  %0 = stablehlo.pad %a, %v, low = [1], high = [2], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @iota() -> tensor<4x8xi32> {
  // expected-error@+1 {{expects 'iota_dimension' in [0, 2), got 2}}
  %0 = stablehlo.iota dim = 2 : tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

func.func @select(%p: tensor<3xi1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{dim 0 of operand 1 is 4, expected dim 0 of operand 0, which is 3}}
  %0 = stablehlo.select %p, %a, %a : tensor<3xi1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @gather(%a: tensor<4x8xf32>, %i: tensor<2x1xi32>) -> tensor<2x8xf32> {
  // expected-error@+1 {{slice size 1 of operand 0 is 9, expected at most dim 1 of operand 0, which is 8}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 9>}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

func.func @gather_map(%a: tensor<4x8xf32>, %i: tensor<2x2xi32>) -> tensor<2x8xf32> {
  // expected-error@+1 {{dim 1 of operand 1 is 2, expected 1}}
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x2xi32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

func.func @convolution(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32> {
  // expected-error@+1 {{dim 3 of operand 0 is 3, expected dim 2 of operand 1, which is 4}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return %0 : tensor<1x6x6x16xf32>
}

// -----

func.func @fft(%x: tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>> {
  // expected-error@+1 {{dim 1 of operand 0 is 8, expected 7}}
  %0 = stablehlo.fft %x, type = FFT, length = [7] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return %0 : tensor<4x8xcomplex<f32>>
}

// -----

func.func @cholesky(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{dim 0 of operand 0 is 4, expected dim 1 of operand 0, which is 8}}
  %0 = stablehlo.cholesky %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @bitcast(%x: tensor<4xf32>) -> tensor<4x2xi8> {
  // expected-error@+1 {{expects result #0 of type tensor<4x4xi8>, got tensor<4x2xi8>}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x2xi8>
  return %0 : tensor<4x2xi8>
}

// -----

func.func @size(%x: tensor<4x?xf32>) -> tensor<i32> {
  // expected-error@+1 {{expects a dimension in [0, 2), got 5}}
  %0 = stablehlo.get_dimension_size %x, dim = 5 : (tensor<4x?xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @broadcast_add(%a: tensor<4x8xf32>, %b: tensor<3xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{dim 0 of operand 1 is 3, expected dim 1 of operand 0, which is 8}}
  %0 = chlo.broadcast_add %a, %b : (tensor<4x8xf32>, tensor<3xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @top_k(%a: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error@+1 {{dim 0 of operand 0 is 4, expected at least 5}}
  %0:2 = chlo.top_k(%a, k = 5) : tensor<4xf32> -> (tensor<5xf32>, tensor<5xi32>)
  return %0#0 : tensor<5xf32>
}

// -----

func.func @add(%a: tensor<4x?xf32>, %b: tensor<?x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.add %a, %b : (tensor<4x?xf32>, tensor<?x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @send(%a: tensor<4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
  // expected-error@+1 {{expects targets to be unique, got 1 twice}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @recv(%t: !stablehlo.token) -> !stablehlo.token {
  // expected-error@+1 {{expects 'source_target_pairs' of integers of shape Nx2}}
  %0, %1 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[0, 1]> : tensor<2xi64>}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %1 : !stablehlo.token
}

// -----

func.func @short_row(%a: tensor<3xf32>) -> tensor<6xf32> {
  // expected-error@+1 {{expects groups of one size, which its result follows from, got a row with -1}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>}> : (tensor<3xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @short_row_of_parts(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects groups of one size, which its result follows from, got a row with -1}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @wrong_id(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects replica ids of -1 or more, got -2}}
  %0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @order_of_one_dim_twice(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-error@+1 {{expects 'hd.operand_dims' #0 to have each dim of a tensor of rank 2 once}}
  %0 = stablehlo.custom_call @f(%a) {hd.operand_dims = [array<i64: 1, 1>]} : (tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

func.func @order_of_no_dims(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-error@+1 {{expects 'hd.result_dims' with an order of dims for each of 1 tensors}}
  %0 = stablehlo.custom_call @f(%a) {hd.result_dims = []} : (tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

func.func @as_many(%a: tensor<2xi32>) {
  // expected-error@+1 {{'chlo.minimum_broadcast_shapes' op expects as many results as operands, got 2 and 1}}
  %0:2 = chlo.minimum_broadcast_shapes %a : tensor<2xi32> -> tensor<?xi32>, tensor<?xi32>
  return
}

// -----

func.func @gather_of_nothing(%x: tensor<0xi32>, %i: tensor<4x1xi32>) -> tensor<4xi32> {
  // expected-error@+1 {{dim 0 of operand 0 is 0, expected at least 1}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0>}> : (tensor<0xi32>, tensor<4x1xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @random_bits(%x: tensor<4xf32>, %r: tensor<4xui16>, %s: tensor<4xi32>) {
  // expected-error@+1 {{operand #1 must be unsigned integers of 32 bits, got tensor<4xui16>}}
  %0 = "mhlo.stochastic_convert"(%x, %r) : (tensor<4xf32>, tensor<4xui16>) -> tensor<4xi8>
  // expected-error@+1 {{operand #1 must be unsigned integers of 32 bits, got tensor<4xi32>}}
  %1 = "mhlo.stochastic_convert"(%x, %s) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi8>
  return
}
