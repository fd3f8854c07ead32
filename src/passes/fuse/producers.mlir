// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion %s | FileCheck %s

// What is computed for a transpose, slice or reverse alone is computed in its kernel.
// CHECK-LABEL: @transposed
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK: "lmhlo.negate"{{.*}}hd.inline
// CHECK: "lmhlo.transpose"
// CHECK-NOT: "lmhlo.negate"
func.func @transposed(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.negate %a : tensor<?x?xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// Both operands of a concatenate, and what makes them.
// CHECK-LABEL: @joined
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK: "lmhlo.exponential"
// CHECK: "lmhlo.negate"
// CHECK: "lmhlo.abs"
// CHECK: "lmhlo.concatenate"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
func.func @joined(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = stablehlo.exponential %a : tensor<?x8xf32>
  %1 = stablehlo.negate %0 : tensor<?x8xf32>
  %2 = stablehlo.abs %b : tensor<?x8xf32>
  %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %3 : tensor<?x8xf32>
}

// A transpose that only moves dims of one element moves no element: what several buffers make is computed where it is stacked.
// CHECK-LABEL: @moved_units
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK: "lmhlo.multiply"{{.*}}hd.inline
// CHECK: "lmhlo.concatenate"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
func.func @moved_units(%a: tensor<1x8xf32>, %b: tensor<1x8xf32>, %c: tensor<1x8xf32>) -> tensor<8x2xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<1x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<1x8xf32>) -> tensor<8x1xf32>
  %2 = stablehlo.transpose %c, dims = [1, 0] : (tensor<1x8xf32>) -> tensor<8x1xf32>
  %3 = stablehlo.concatenate %1, %2, dim = 1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x2xf32>
  return %3 : tensor<8x2xf32>
}

// A slice that an addition reads: one kernel, of the addition.
// CHECK-LABEL: @sliced
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK: "lmhlo.negate"{{.*}}hd.inline
// CHECK: "lmhlo.slice"{{.*}}hd.inline
// CHECK: "lmhlo.add"
func.func @sliced(%a: tensor<?x8xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.negate %a : tensor<?x8xf32>
  %1 = stablehlo.slice %0 [0:4, 0:4] : (tensor<?x8xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.add %1, %b : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// A broadcast that exchanges dims of one size adds none of one element.
// CHECK-LABEL: @exchanged
// CHECK-NOT: "lmhlo.negate"{{.*}}hd.inline
// CHECK: return
func.func @exchanged(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.negate %a : tensor<8x8xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// A product reads each element many times: the transposed values are computed once.
// CHECK-LABEL: @many_reads
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.exponential"
// CHECK-NOT: "lmhlo.exponential"
// CHECK: "lmhlo.dot"
func.func @many_reads(%a: tensor<?x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.exponential %a : tensor<?x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x8xf32>) -> tensor<8x?xf32>
  %2 = stablehlo.dot %1, %a : (tensor<8x?xf32>, tensor<?x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// So does a broadcast, and a value with two readers.
// CHECK-LABEL: @again
// CHECK: "lmhlo.exponential"
// CHECK-NOT: "lmhlo.exponential"{{.*}}hd.inline
// CHECK: return
func.func @again(%a: tensor<?x8xf32>, %b: tensor<8xf32>) -> (tensor<?x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.exponential %a : tensor<?x8xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<?x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<?x8xf32>
  %3 = stablehlo.exponential %b : tensor<8xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  return %2, %4 : tensor<?x8xf32>, tensor<8x8xf32>
}

// A value that its own operands' kernel gives stays in it.
// CHECK-LABEL: @rows
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.reduce"
// CHECK: "lmhlo.divide"
// CHECK: hd.kind = "row"
func.func @rows(%a: tensor<?x32xf32>) -> tensor<32x?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x32xf32>, tensor<f32>) -> tensor<?xf32>
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x32xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %c8 = stablehlo.constant dense<32> : tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %c8, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %b = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x32xf32>
  %d = stablehlo.divide %a, %b : tensor<?x32xf32>
  %t = stablehlo.transpose %d, dims = [1, 0] : (tensor<?x32xf32>) -> tensor<32x?xf32>
  return %t : tensor<32x?xf32>
}

// What a short reduction alone reads is computed where its elements are written out, whatever it reads of the rows.
// CHECK-LABEL: @short_reduction
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.reduce"
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.subtract"{{.*}}hd.inline
// CHECK: "lmhlo.multiply"{{.*}}hd.inline
// CHECK: "lmhlo.reduce"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
func.func @short_reduction(%x: tensor<?x7xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<?x7xf32>, tensor<f32>) -> tensor<?xf32>
  %s = shape.shape_of %x : tensor<?x7xf32> -> tensor<2xindex>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x7xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<?x7xf32>
  %c = stablehlo.constant dense<2.0> : tensor<7xf32>
  %3 = stablehlo.dynamic_broadcast_in_dim %c, %s, dims = [1] : (tensor<7xf32>, tensor<2xindex>) -> tensor<?x7xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<?x7xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x7xf32>, tensor<f32>) -> tensor<?xf32>
  return %5 : tensor<?xf32>
}

// Masks of positions are computed where they are read, whatever shape that has.
// CHECK-LABEL: @mask
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK: "lmhlo.iota"{{.*}}hd.inline
// CHECK: "lmhlo.compare"{{.*}}hd.inline
// CHECK: "lmhlo.select"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
func.func @mask(%a: tensor<4x16x16xf32>, %b: tensor<4x16x16xf32>) -> tensor<4x16x16xf32> {
  %i = stablehlo.iota dim = 0 : tensor<16x16xi32>
  %j = stablehlo.iota dim = 1 : tensor<16x16xi32>
  %keep = stablehlo.compare GE, %i, %j : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
  %all = stablehlo.broadcast_in_dim %keep, dims = [1, 2] : (tensor<16x16xi1>) -> tensor<4x16x16xi1>
  %0 = stablehlo.select %all, %a, %b : tensor<4x16x16xi1>, tensor<4x16x16xf32>
  return %0 : tensor<4x16x16xf32>
}

// As results they are kernels.
// CHECK-LABEL: @mask_leaves
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.compare"
// CHECK-NOT: "lmhlo.compare"{{.*}}hd.inline
// CHECK: return
func.func @mask_leaves() -> tensor<16x16xi1> {
  %i = stablehlo.iota dim = 0 : tensor<16x16xi32>
  %j = stablehlo.iota dim = 1 : tensor<16x16xi32>
  %keep = stablehlo.compare GE, %i, %j : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
  return %keep : tensor<16x16xi1>
}

// Rows of a table are read by the reduction that adds them up, whatever its form; their indices are in memory.
// CHECK-LABEL: @bag
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.abs"
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.gather"{{.*}}hd.inline
// CHECK: "lmhlo.reduce"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
func.func @bag(%table: tensor<50x64xbf16>, %i: tensor<?x8xi32>) -> tensor<?x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %at = stablehlo.abs %i : tensor<?x8xi32>
  %0 = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 64>}> : (tensor<50x64xbf16>, tensor<?x8xi32>) -> tensor<?x8x64xbf16>
  %1 = stablehlo.convert %0 : (tensor<?x8x64xbf16>) -> tensor<?x8x64xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x8x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  return %2 : tensor<?x64xf32>
}

// CHECK-LABEL: @bag_of_columns
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.gather"{{.*}}hd.inline
// CHECK: "lmhlo.reduce"
// CHECK: hd.kind = "column"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
func.func @bag_of_columns(%table: tensor<50x64xf32>, %i: tensor<?xi32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.gather"(%table, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<50x64xf32>, tensor<?xi32>) -> tensor<?x64xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// What another op reads too is gathered once.
// CHECK-LABEL: @rows_are_used_again
// CHECK-NOT: "lmhlo.gather"{{.*}}hd.inline
// CHECK: return
func.func @rows_are_used_again(%table: tensor<50x64xf32>, %i: tensor<?xi32>) -> (tensor<?x64xf32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.gather"(%table, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<50x64xf32>, tensor<?xi32>) -> tensor<?x64xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %1 : tensor<?x64xf32>, tensor<64xf32>
}

// A gather of single elements computes its indices, through what only gives them another shape.
// CHECK-LABEL: @points
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK: "lmhlo.select"{{.*}}hd.inline
// CHECK: "lmhlo.concatenate"{{.*}}hd.inline
// CHECK: "lmhlo.gather"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
func.func @points(%x: tensor<50x64xf32>, %i: tensor<?xi32>, %j: tensor<?x1xi32>, %below: tensor<?xi1>, %shape: tensor<2xi64>) -> tensor<?xf32> {
  %n = stablehlo.negate %i : tensor<?xi32>
  %s = stablehlo.select %below, %n, %i : tensor<?xi1>, tensor<?xi32>
  %b = stablehlo.reshape %s : (tensor<?xi32>) -> tensor<?x1xi32>
  %at = stablehlo.concatenate %b, %j, dim = 1 : (tensor<?x1xi32>, tensor<?x1xi32>) -> tensor<?x2xi32>
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<50x64xf32>, tensor<?x2xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Not one that reads rows, which has an index for each column, nor indices that others read too.
// CHECK-LABEL: @rows_of_a_table
// CHECK-NOT: "lmhlo.negate"{{.*}}hd.inline
// CHECK: return
func.func @rows_of_a_table(%x: tensor<50x64xf32>, %y: tensor<50xf32>, %i: tensor<?xi32>) -> (tensor<?x64xf32>, tensor<?xf32>, tensor<?xi32>) {
  %a = stablehlo.negate %i : tensor<?xi32>
  %0 = "stablehlo.gather"(%x, %a) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<50x64xf32>, tensor<?xi32>) -> tensor<?x64xf32>
  %b = stablehlo.negate %i : tensor<?xi32>
  %1 = "stablehlo.gather"(%y, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<50xf32>, tensor<?xi32>) -> tensor<?xf32>
  return %0, %1, %b : tensor<?x64xf32>, tensor<?xf32>, tensor<?xi32>
}

// Its index vectors are read where they were before they were put side by side; gathers of one shape share a loop.
// CHECK-LABEL: @rows_at_two_places
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK: "lmhlo.concatenate"{{.*}}hd.inline
// CHECK: "lmhlo.gather"
// CHECK: "lmhlo.gather"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
func.func @rows_at_two_places(%x: tensor<50x64x8xf32>, %i: tensor<?x1xi32>, %j: tensor<?x1xi32>) -> tensor<?x8xf32> {
  %at = stablehlo.concatenate %i, %j, dim = 1 : (tensor<?x1xi32>, tensor<?x1xi32>) -> tensor<?x2xi32>
  %there = stablehlo.concatenate %j, %i, dim = 1 : (tensor<?x1xi32>, tensor<?x1xi32>) -> tensor<?x2xi32>
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<50x64x8xf32>, tensor<?x2xi32>) -> tensor<?x8xf32>
  %1 = "stablehlo.gather"(%x, %there) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<50x64x8xf32>, tensor<?x2xi32>) -> tensor<?x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}

// A scatter reads a constant for its updates as it is, and indices through what only moves them; what it updates is in memory.
// CHECK-LABEL: @counts
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.negate"
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.dynamic_broadcast_in_dim"{{.*}}hd.inline
// CHECK: "lmhlo.scatter"
// CHECK: return
func.func @counts(%i: tensor<?xi32>) -> tensor<256xi32> {
  %zero = stablehlo.constant dense<0> : tensor<256xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %s = shape.shape_of %i : tensor<?xi32> -> tensor<1xindex>
  %ones = stablehlo.dynamic_broadcast_in_dim %one, %s, dims = [] : (tensor<i32>, tensor<1xindex>) -> tensor<?xi32>
  %j = stablehlo.negate %i : tensor<?xi32>
  %0 = "stablehlo.scatter"(%zero, %j, %ones) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<256xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<256xi32>
  return %0 : tensor<256xi32>
}

// What is stacked is computed where it lands, the new dim is no move.
// CHECK-LABEL: @stacked
// CHECK-COUNT-1: "lmhlo.fusion"
// CHECK: "lmhlo.multiply"{{.*}}hd.inline
// CHECK: "lmhlo.subtract"{{.*}}hd.inline
// CHECK: "lmhlo.concatenate"
// CHECK-NOT: "lmhlo.fusion"
// CHECK: return
func.func @stacked(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x2xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<?xf32>
  %1 = stablehlo.subtract %a, %b : tensor<?xf32>
  %c1 = arith.constant 1 : index
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %s = stablehlo.concatenate %n1, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
  %3 = stablehlo.dynamic_broadcast_in_dim %1, %s, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
  %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  return %4 : tensor<?x2xf32>
}

// A dim of one element alone is no reason to leave the kernel that computes the value.
// CHECK-LABEL: @unit_dim
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.negate"
// CHECK-NOT: hd.inline
// CHECK: return
func.func @unit_dim(%a: tensor<8xf32>) -> tensor<8x1xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.reshape %0 : (tensor<8xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// Columns are read side by side by a kernel of their own.
// CHECK-LABEL: @stacked_columns
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.multiply"
// CHECK: "lmhlo.fusion"
// CHECK: "lmhlo.concatenate"
func.func @stacked_columns(%a: tensor<64x3xf32>) -> tensor<2x64xf32> {
  %x = stablehlo.slice %a [0:64, 0:1] : (tensor<64x3xf32>) -> tensor<64x1xf32>
  %y = stablehlo.slice %a [0:64, 1:2] : (tensor<64x3xf32>) -> tensor<64x1xf32>
  %0 = stablehlo.multiply %x, %y : tensor<64x1xf32>
  %1 = stablehlo.subtract %x, %y : tensor<64x1xf32>
  %2 = stablehlo.reshape %0 : (tensor<64x1xf32>) -> tensor<1x64xf32>
  %3 = stablehlo.reshape %1 : (tensor<64x1xf32>) -> tensor<1x64xf32>
  %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<2x64xf32>
  return %4 : tensor<2x64xf32>
}
