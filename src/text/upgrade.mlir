// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file | FileCheck %s
// RUN: heddle-opt %s --split-input-file | heddle-opt --split-input-file | FileCheck %s

// Programs of before 2022: enums as strings, dimension numbers as dictionaries, lists as dense tensors.
// CHECK-LABEL: @enums
// CHECK: mhlo.compare LT, %arg0, %arg1, FLOAT
// CHECK: mhlo.compare NE, %arg0, %arg1 :
// CHECK: mhlo.fft %arg2, type = RFFT, length = [8]
// CHECK: "mhlo.triangular_solve"{{.*}}transpose_a = #stablehlo<transpose NO_TRANSPOSE>
// CHECK: mhlo.rng_bit_generator {{.*}}algorithm = THREE_FRY
// CHECK: chlo.broadcast_compare {{.*}}comparison_direction = #chlo<comparison_direction GE>
// CHECK: mhlo.rng_bit_generator {{.*}}algorithm = PHILOX
// CHECK: mhlo.compare GT, %arg0, %arg1, FLOAT
func.func @enums(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %f: tensor<3x8xf32>, %m: tensor<4x4xf32>, %s: tensor<2xui64>) {
  %0 = "mhlo.compare"(%a, %b) {comparison_direction = "LT", compare_type = "FLOAT"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %1 = "mhlo.compare"(%a, %b) {comparison_direction = "NE"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %2 = "mhlo.fft"(%f) {fft_length = dense<8> : tensor<1xi64>, fft_type = "RFFT"} : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  %3 = "mhlo.triangular_solve"(%m, %m) {left_side = true, lower = true, transpose_a = "NO_TRANSPOSE", unit_diagonal = true} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %4:2 = "mhlo.rng_bit_generator"(%s) {rng_algorithm = "THREE_FRY"} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %5 = "chlo.broadcast_compare"(%a, %b) {comparison_direction = "GE"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %6:2 = "mhlo.rng_bit_generator"(%s) {rng_algorithm = #mhlo.rng_algorithm<PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %7 = "mhlo.compare"(%a, %b) {comparison_direction = #mhlo.comparison_direction<GT>, compare_type = #mhlo.comparison_type<FLOAT>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  return
}

// -----

// CHECK-LABEL: @products
// CHECK: mhlo.dot %arg0, %arg1, precision = [DEFAULT, HIGHEST]
// CHECK: mhlo.dot_general{{.*}}%arg2, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT]
// CHECK: mhlo.convolution(%arg4, %arg5)
// CHECK-SAME: dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
// CHECK-SAME: stride = [2, 1], pad = {{\[\[}}1, 1], [0, 2]]
func.func @products(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<5x2x3xf32>, %d: tensor<5x3x4xf32>, %x: tensor<1x9x9x3xf32>, %w: tensor<3x3x3x8xf32>) {
  %0 = "mhlo.dot"(%a, %b) {precision_config = ["DEFAULT", "HIGHEST"]} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "mhlo.dot_general"(%c, %d) {dot_dimension_numbers = {lhs_batching_dimensions = dense<0> : tensor<1xi64>, lhs_contracting_dimensions = dense<2> : tensor<1xi64>, rhs_batching_dimensions = dense<0> : tensor<1xi64>, rhs_contracting_dimensions = dense<1> : tensor<1xi64>}, precision_config = ["DEFAULT", "DEFAULT"]} : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  %2 = "mhlo.convolution"(%x, %w) {batch_group_count = 1 : i64, dimension_numbers = {input_batch_dimension = 0 : i64, input_feature_dimension = 3 : i64, input_spatial_dimensions = dense<[1, 2]> : tensor<2xi64>, kernel_input_feature_dimension = 2 : i64, kernel_output_feature_dimension = 3 : i64, kernel_spatial_dimensions = dense<[0, 1]> : tensor<2xi64>, output_batch_dimension = 0 : i64, output_feature_dimension = 3 : i64, output_spatial_dimensions = dense<[1, 2]> : tensor<2xi64>}, feature_group_count = 1 : i64, lhs_dilation = dense<1> : tensor<2xi64>, padding = dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = dense<1> : tensor<2xi64>, window_strides = dense<[2, 1]> : tensor<2xi64>} : (tensor<1x9x9x3xf32>, tensor<3x3x3x8xf32>) -> tensor<1x5x9x8xf32>
  return
}

// -----

// An empty list and a default say what their absence says, as in the struct's own form.
// CHECK-LABEL: @indices
// CHECK: "mhlo.gather"{{.*}}dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
// CHECK: "mhlo.gather"{{.*}}dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>
// CHECK: "mhlo.scatter"
// CHECK: scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
// CHECK: channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>
func.func @indices(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %j: tensor<1xi32>, %u: tensor<2x3xf32>) {
  %0 = "mhlo.gather"(%x, %i) {dimension_numbers = {collapsed_slice_dims = dense<0> : tensor<1xi64>, index_vector_dim = 1 : i64, offset_dims = dense<1> : tensor<1xi64>, start_index_map = dense<0> : tensor<1xi64>}, indices_are_sorted = false, slice_sizes = dense<[1, 3]> : tensor<2xi64>} : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  %1 = "mhlo.gather"(%x, %j) {dimension_numbers = {collapsed_slice_dims = dense<> : tensor<0xi64>, index_vector_dim = 0 : i64, offset_dims = dense<[0, 1]> : tensor<2xi64>, start_index_map = dense<0> : tensor<1xi64>}, slice_sizes = dense<[1, 3]> : tensor<2xi64>} : (tensor<4x3xf32>, tensor<1xi32>) -> tensor<1x3xf32>
  %2 = "mhlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = mhlo.add %a, %b : tensor<f32>
    "mhlo.return"(%s) : (tensor<f32>) -> ()
  }) {indices_are_sorted = false, scatter_dimension_numbers = {index_vector_dim = 1 : i64, inserted_window_dims = dense<0> : tensor<1xi64>, scatter_dims_to_operand_dims = dense<0> : tensor<1xi64>, update_window_dims = dense<1> : tensor<1xi64>}, unique_indices = false} : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %3 = "mhlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = mhlo.add %a, %b : tensor<f32>
    "mhlo.return"(%s) : (tensor<f32>) -> ()
  }) {channel_handle = {handle = 5 : i64, type = 1 : i64}, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// Ops that have another name now.
// CHECK-LABEL: @names
// CHECK: mhlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [1, 2]
// CHECK: mhlo.dynamic_update_slice %arg0, %{{.*}}, %arg1, %arg1
// CHECK: mhlo.rng{{.*}}distribution = UNIFORM
// CHECK: mhlo.rng{{.*}}distribution = NORMAL
func.func @names(%x: tensor<4x3xf32>, %i: tensor<i32>, %a: tensor<f32>, %n: tensor<2xi64>) {
  %0 = "mhlo.dynamic-slice"(%x, %i, %i) {slice_sizes = dense<[1, 2]> : tensor<2xi64>} : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %1 = "mhlo.dynamic-update-slice"(%x, %0, %i, %i) : (tensor<4x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  %2 = "mhlo.rng_uniform"(%a, %a, %n) : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %3 = "mhlo.rng_normal"(%a, %a, %n) : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}
