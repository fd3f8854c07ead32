// RUN: heddle-opt --gather-to-slice %s | FileCheck %s

// One column, as JAX writes x[:, 2] of unknown rows.
// CHECK-LABEL: @column
// CHECK-NOT: gather
// CHECK: stablehlo.real_dynamic_slice %arg0
// CHECK-SAME: -> tensor<?x1xf32>
// CHECK: stablehlo.dynamic_reshape
// CHECK-SAME: -> tensor<?xf32>
func.func @column(%x: tensor<?x3xf32>, %sizes: tensor<2xi32>) -> tensor<?xf32> {
  %i = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>}> : (tensor<?x3xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Known dims, two indices, of which one is clamped.
// CHECK-LABEL: @element
// CHECK: stablehlo.slice %arg0 [1:2, 4:5, 0:2]
// CHECK: stablehlo.reshape {{.*}} -> tensor<2xf32>
func.func @element(%x: tensor<3x5x4xf32>) -> tensor<2xf32> {
  %i = stablehlo.constant dense<[7, 1]> : tensor<2xi64>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0, 1], start_index_map = [1, 0]>, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<3x5x4xf32>, tensor<2xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Several slices, and a place that the run tells, stay.
// CHECK-LABEL: @others
// CHECK-COUNT-2: "stablehlo.{{(dynamic_)?}}gather"
func.func @others(%x: tensor<?x3xf32>, %y: tensor<4x3xf32>, %at: tensor<1xi32>, %sizes: tensor<2xi32>) -> (tensor<2x4xf32>, tensor<?xf32>) {
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %0 = "stablehlo.gather"(%y, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>}> : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  %1 = "stablehlo.dynamic_gather"(%x, %at, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>}> : (tensor<?x3xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<?xf32>
}

// Row 1 of unknown many: the run clamps it.
// CHECK-LABEL: @row
// CHECK-DAG: %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<1xi32>
// CHECK: %[[ROOM:.*]] = stablehlo.subtract %{{.*}}, %{{.*}} : tensor<1xi32>
// CHECK: %[[LOW:.*]] = stablehlo.minimum %{{.*}}, %[[ROOM]]
// CHECK: %[[START:.*]] = stablehlo.maximum %[[LOW]], %{{.*}} : tensor<1xi32>
// CHECK: %[[BEGIN:.*]] = stablehlo.concatenate %[[START]], %{{.*}}
// CHECK: stablehlo.real_dynamic_slice %arg0, %[[BEGIN]], {{.*}} -> tensor<1x3xf32>
func.func @row(%x: tensor<?x3xf32>) -> tensor<3xf32> {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = "stablehlo.gather"(%x, %one) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 3>}> : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// All but the first two rows and the ends of each: there is room for the one start, and 1 of the other is clamped to 0.
// CHECK-LABEL: @inner
// CHECK-NOT: gather
// CHECK-NOT: minimum
// CHECK-DAG: %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<1xi32>
// CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<1xi32>
// CHECK: %[[BEGIN:.*]] = stablehlo.concatenate %[[TWO]], %[[ZERO]]
// CHECK: stablehlo.real_dynamic_slice %arg0, %[[BEGIN]], {{.*}} -> tensor<?x6xf32>
func.func @inner(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %at = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %rest = stablehlo.subtract %n, %two : tensor<i32>
  %rows = stablehlo.reshape %rest : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.constant dense<6> : tensor<1xi32>
  %sizes = stablehlo.concatenate %rows, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %at, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1]>}> : (tensor<?x6xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}

// Places a step apart: every second, as JAX writes x[:, 1::2].
// CHECK-LABEL: @step
// CHECK-NOT: gather
// CHECK: stablehlo.real_dynamic_slice %arg0
// CHECK-SAME: -> tensor<?x32xf32>
func.func @step(%x: tensor<?x64xf32>) -> tensor<?x32xf32> {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x64xf32>) -> tensor<i32>
  %whole = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %single = stablehlo.constant dense<1> : tensor<1xi32>
  %sizes = stablehlo.concatenate %whole, %single, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<32xi32>
  %0 = stablehlo.iota dim = 0 : tensor<32xi32>
  %1 = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<i32>) -> tensor<32xi32>
  %2 = stablehlo.multiply %1, %0 : tensor<32xi32>
  %3 = stablehlo.add %one, %2 : tensor<32xi32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<32xi32>) -> tensor<32x1xi32>
  %5 = "stablehlo.dynamic_gather"(%x, %4, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>}> : (tensor<?x64xf32>, tensor<32x1xi32>, tensor<2xi32>) -> tensor<?x32xf32>
  return %5 : tensor<?x32xf32>
}

// Back from the last one on; the same, reversed; a known dim.
// CHECK-LABEL: @back
// CHECK-NOT: gather
// CHECK: stablehlo.reverse %arg0, dims = [0]
// CHECK: stablehlo.slice %arg1 [1:6:2]
// CHECK: stablehlo.reverse {{.*}}, dims = [0] : tensor<3xf32>
func.func @back(%x: tensor<?xf32>, %y: tensor<7xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<3xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<1xi32>
  %last = stablehlo.subtract %n, %one : tensor<i32>
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %1 = stablehlo.dynamic_broadcast_in_dim %last, %s, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %2 = stablehlo.subtract %1, %0 : tensor<?xi32>
  %3 = "stablehlo.dynamic_gather"(%x, %2, %ones) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?xf32>, tensor<?xi32>, tensor<1xi32>) -> tensor<?xf32>
  %4 = stablehlo.reverse %2, dims = [0] : tensor<?xi32>
  %5 = "stablehlo.dynamic_gather"(%x, %4, %ones) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?xf32>, tensor<?xi32>, tensor<1xi32>) -> tensor<?xf32>
  %i = stablehlo.constant dense<[5, 3, 1]> : tensor<3xi32>
  %6 = "stablehlo.gather"(%y, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<7xf32>, tensor<3xi32>) -> tensor<3xf32>
  return %3, %5, %6 : tensor<?xf32>, tensor<?xf32>, tensor<3xf32>
}

// A vector of indices for each of two dims, and whole dims between.
// CHECK-LABEL: @two_dims
// CHECK: %[[S:.*]] = stablehlo.slice %arg0 [0:9, 0:5, 1:6:2] : (tensor<9x5x7xf32>) -> tensor<9x5x3xf32>
// CHECK: stablehlo.reverse %[[S]], dims = [0] : tensor<9x5x3xf32>
// EVAL: two_dims
func.func @two_dims(%x: tensor<9x5x7xf32>) -> tensor<9x5x3xf32> {
  %i = stablehlo.constant dense<[8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<9xi32>
  %j = stablehlo.constant dense<[1, 3, 5]> : tensor<3xi32>
  %0 = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<9xi32>) -> tensor<9x3x1xi32>
  %1 = stablehlo.broadcast_in_dim %j, dims = [1] : (tensor<3xi32>) -> tensor<9x3x1xi32>
  %2 = stablehlo.concatenate %0, %1, dim = 2 : (tensor<9x3x1xi32>, tensor<9x3x1xi32>) -> tensor<9x3x2xi32>
  %3 = "stablehlo.gather"(%x, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 5, 1>}> : (tensor<9x5x7xf32>, tensor<9x3x2xi32>) -> tensor<9x5x3xf32>
  return %3 : tensor<9x5x3xf32>
}

// Vectors that are exchanged, one vector for both dims, and components in the other order, which is the same.
// CHECK-LABEL: @two_dims_otherwise
// CHECK-COUNT-2: "stablehlo.gather"
// CHECK: %[[S:.*]] = stablehlo.slice %arg0 [2:5, 0:5]
// CHECK: stablehlo.slice %[[S]] [0:3, 0:3]
// EVAL: two_dims_otherwise
func.func @two_dims_otherwise(%x: tensor<5x5xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) {
  %i = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
  %j = stablehlo.constant dense<[2, 3, 4]> : tensor<3xi32>
  %0 = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<3xi32>) -> tensor<3x3x1xi32>
  %1 = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<3xi32>) -> tensor<3x3x1xi32>
  %2 = stablehlo.broadcast_in_dim %j, dims = [0] : (tensor<3xi32>) -> tensor<3x3x1xi32>
  %3 = stablehlo.concatenate %1, %2, dim = 2 : (tensor<3x3x1xi32>, tensor<3x3x1xi32>) -> tensor<3x3x2xi32>
  %4 = "stablehlo.gather"(%x, %3) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x5xf32>, tensor<3x3x2xi32>) -> tensor<3x3xf32>
  %5 = stablehlo.concatenate %0, %2, dim = 2 : (tensor<3x3x1xi32>, tensor<3x3x1xi32>) -> tensor<3x3x2xi32>
  %6 = "stablehlo.gather"(%x, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x5xf32>, tensor<3x3x2xi32>) -> tensor<3x3xf32>
  %7 = "stablehlo.gather"(%x, %3) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x5xf32>, tensor<3x3x2xi32>) -> tensor<3x3xf32>
  return %4, %6, %7 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
}

// No progression, one that is not proven to end inside, one place again and again, and several elements at each stay.
// CHECK-LABEL: @no_step
// CHECK-COUNT-4: "stablehlo.gather"
func.func @no_step(%x: tensor<9xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>) {
  %i = stablehlo.constant dense<[1, 2, 4]> : tensor<3xi32>
  %j = stablehlo.constant dense<[5, 7, 9]> : tensor<3xi32>
  %k = stablehlo.constant dense<4> : tensor<3xi32>
  %l = stablehlo.constant dense<[0, 2, 4]> : tensor<3xi32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<9xf32>, tensor<3xi32>) -> tensor<3xf32>
  %1 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<9xf32>, tensor<3xi32>) -> tensor<3xf32>
  %2 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<9xf32>, tensor<3xi32>) -> tensor<3xf32>
  %3 = "stablehlo.gather"(%x, %l) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>}> : (tensor<9xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>
}

// No indices at all: the slice ends where it begins.
// CHECK-LABEL: @no_indices
// CHECK: stablehlo.slice %arg0 [1:1:2] : (tensor<9xf32>) -> tensor<0xf32>
func.func @no_indices(%x: tensor<9xf32>) -> tensor<0xf32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.iota dim = 0 : tensor<0xi32>
  %1 = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<i32>) -> tensor<0xi32>
  %2 = stablehlo.multiply %0, %1 : tensor<0xi32>
  %3 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<i32>) -> tensor<0xi32>
  %4 = stablehlo.add %2, %3 : tensor<0xi32>
  %5 = "stablehlo.gather"(%x, %4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<9xf32>, tensor<0xi32>) -> tensor<0xf32>
  return %5 : tensor<0xf32>
}

// Places that the type of the indices does not have: 128 is -128, which is clamped to 0. Those of the other type are there.
// CHECK-LABEL: @narrow
// CHECK: "stablehlo.gather"(%arg0
// CHECK: return %{{.*}}, %arg0 :
func.func @narrow(%x: tensor<200xf32>) -> (tensor<200xf32>, tensor<200xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<200xi8>
  %j = stablehlo.iota dim = 0 : tensor<200xui8>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<200xf32>, tensor<200xi8>) -> tensor<200xf32>
  %1 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<200xf32>, tensor<200xui8>) -> tensor<200xf32>
  return %0, %1 : tensor<200xf32>, tensor<200xf32>
}

// A slice may not begin behind its operand, not even one of nothing: the gather stays where the dim may be too short for the first place.
// CHECK-LABEL: @first_behind
// CHECK: "stablehlo.dynamic_gather"(%arg0
// CHECK: stablehlo.real_dynamic_slice %arg1
func.func @first_behind(%x: tensor<?xf32> {hd.dims = ["n"]}, %y: tensor<?xf32> {hd.dims = ["m"]}) -> (tensor<?xf32>, tensor<?xf32>) attributes {hd.constraint = ["m >= 1"]} {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %ones = stablehlo.constant dense<1> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %hn = stablehlo.divide %n, %two : tensor<i32>
  %hm = stablehlo.divide %m, %two : tensor<i32>
  %sn = stablehlo.reshape %hn : (tensor<i32>) -> tensor<1xi32>
  %sm = stablehlo.reshape %hm : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_iota %sn, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %1 = stablehlo.dynamic_broadcast_in_dim %two, %sn, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %2 = stablehlo.multiply %0, %1 : tensor<?xi32>
  %3 = stablehlo.dynamic_broadcast_in_dim %one, %sn, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %4 = stablehlo.add %2, %3 : tensor<?xi32>
  %5 = "stablehlo.dynamic_gather"(%x, %4, %ones) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?xf32>, tensor<?xi32>, tensor<1xi32>) -> tensor<?xf32>
  %6 = stablehlo.dynamic_iota %sm, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %7 = stablehlo.dynamic_broadcast_in_dim %two, %sm, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %8 = stablehlo.multiply %6, %7 : tensor<?xi32>
  %9 = stablehlo.dynamic_broadcast_in_dim %one, %sm, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %10 = stablehlo.add %8, %9 : tensor<?xi32>
  %11 = "stablehlo.dynamic_gather"(%y, %10, %ones) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?xf32>, tensor<?xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %5, %11 : tensor<?xf32>, tensor<?xf32>
}
