// RUN: heddle-opt %s --print-indexing-maps --split-input-file | FileCheck %s

// CHECK-LABEL: func @broadcast
// CHECK: result 0 -> argument 0: (d0, d1, d2) -> (d1), domain: d0 in [0, 9], d1 in [0, 19], d2 in [0, 29]
// CHECK: result 0 -> operand 0: (d0, d1, d2) -> (d1), domain: d0 in [0, 9], d1 in [0, 19], d2 in [0, 29]
// CHECK: operand 0 -> result 0: (d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 19], s0 in [0, 9], s1 in [0, 29]
func.func @broadcast(%a: tensor<20xf32>) -> tensor<10x20x30xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<20xf32>) -> tensor<10x20x30xf32>
  return %0 : tensor<10x20x30xf32>
}

// -----

// Reshapes cancel each other.
// CHECK-LABEL: func @reshape
// CHECK: result 0 -> argument 0: (d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]
// CHECK: result 0 -> operand 0: (d0, d1) -> (d0 floordiv 5, (d0 mod 5) * 2 + d1 floordiv 10, d1 mod 10), domain: d0 in [0, 49], d1 in [0, 19]
// CHECK: operand 0 -> result 0: (d0, d1, d2) -> (d0 * 5 + d1 floordiv 2, (d1 mod 2) * 10 + d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]
func.func @reshape(%a: tensor<10x10x10xf32>) -> tensor<10x10x10xf32> {
  %0 = stablehlo.reshape %a : (tensor<10x10x10xf32>) -> tensor<50x20xf32>
  %1 = stablehlo.reshape %0 : (tensor<50x20xf32>) -> tensor<10x10x10xf32>
  return %1 : tensor<10x10x10xf32>
}

// -----

// One value, read at two indices.
// CHECK-LABEL: func @transpose
// CHECK: result 0 -> argument 0: (d0, d1) -> (d0, d1), domain: d0 in [0, 99], d1 in [0, 99]
// CHECK: result 0 -> argument 0: (d0, d1) -> (d1, d0), domain: d0 in [0, 99], d1 in [0, 99]
func.func @transpose(%a: tensor<100x100xf32>) -> tensor<100x100xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<100x100xf32>) -> tensor<100x100xf32>
  %1 = stablehlo.add %a, %0 : tensor<100x100xf32>
  return %1 : tensor<100x100xf32>
}

// -----

// CHECK-LABEL: func @slice
// CHECK: result 0 -> operand 0: (d0, d1, d2) -> (d0 + 5, d1 * 7 + 3, d2 * 2), domain: d0 in [0, 4], d1 in [0, 2], d2 in [0, 24]
// CHECK: operand 0 -> result 0: (d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2), domain: d0 in [5, 9], d1 in [3, 17], d2 in [0, 48], (d1 - 3) mod 7 in [0, 0], d2 mod 2 in [0, 0]
func.func @slice(%a: tensor<10x20x50xf32>) -> tensor<5x3x25xf32> {
  %0 = stablehlo.slice %a [5:10, 3:20:7, 0:50:2] : (tensor<10x20x50xf32>) -> tensor<5x3x25xf32>
  return %0 : tensor<5x3x25xf32>
}

// -----

// CHECK-LABEL: func @pad
// CHECK: result 0 -> operand 0: (d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4), domain: d0 in [1, 7], d1 in [4, 7], (d0 - 1) mod 2 in [0, 0]
// CHECK: result 0 -> operand 1: (d0, d1) -> (), domain: d0 in [0, 11], d1 in [0, 15]
// CHECK: operand 0 -> result 0: (d0, d1) -> (d0 * 2 + 1, d1 + 4), domain: d0 in [0, 3], d1 in [0, 3]
func.func @pad(%a: tensor<4x4xf32>, %z: tensor<f32>) -> tensor<12x16xf32> {
  %0 = stablehlo.pad %a, %z, low = [1, 4], high = [4, 8], interior = [1, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<12x16xf32>
  return %0 : tensor<12x16xf32>
}

// -----

// CHECK-LABEL: func @dynamic_slice
// CHECK: result 0 -> operand 0: (d0, d1, d2){rt0, rt1} -> (rt0, d1, d2 + rt1), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31], rt0 in [0, 1], rt1 in [0, 226]
// CHECK: rt0: operand 1 at (), clamped
// CHECK: rt1: operand 3 at (), clamped
func.func @dynamic_slice(%a: tensor<2x2x258xi32>, %i: tensor<i32>, %j: tensor<i32>, %k: tensor<i32>) -> tensor<1x2x32xi32> {
  %0 = stablehlo.dynamic_slice %a, %i, %j, %k, sizes = [1, 2, 32] : (tensor<2x2x258xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x32xi32>
  return %0 : tensor<1x2x32xi32>
}

// -----

// CHECK-LABEL: func @concatenate
// CHECK: result 0 -> operand 0: (d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 4], d2 in [0, 6]
// CHECK: result 0 -> operand 1: (d0, d1, d2) -> (d0, d1 - 5, d2), domain: d0 in [0, 1], d1 in [5, 15], d2 in [0, 6]
// CHECK: operand 1 -> result 0: (d0, d1, d2) -> (d0, d1 + 5, d2), domain: d0 in [0, 1], d1 in [0, 10], d2 in [0, 6]
func.func @concatenate(%a: tensor<2x5x7xf32>, %b: tensor<2x11x7xf32>) -> tensor<2x16x7xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x5x7xf32>, tensor<2x11x7xf32>) -> tensor<2x16x7xf32>
  return %0 : tensor<2x16x7xf32>
}

// -----

// CHECK-LABEL: func @reduce
// CHECK: result 0 -> operand 0: (d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 255]
// CHECK: result 0 -> operand 1: (d0) -> (), domain: d0 in [0, 9]
// CHECK: operand 0 -> result 0: (d0, d1) -> (d1), domain: d0 in [0, 255], d1 in [0, 9]
// CHECK: operand 1 -> result 0: ()[s0] -> (s0), domain: s0 in [0, 9]
func.func @reduce(%a: tensor<256x10xf32>, %z: tensor<f32>) -> tensor<10xf32> {
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<256x10xf32>, tensor<f32>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

// Sizes that only the run tells: two dims become one and two again.
// CHECK-LABEL: func @unknown_dims
// CHECK: result 0 -> argument 0: (d0, d1)<size_d0, size_d1> -> (d0 floordiv size_d1, d0 mod size_d1, d1), domain: d0 in [0, size_d0 * size_d1 - 1], d1 in [0, 7], size_d0 in [0, 9223372036854775807], size_d1 in [0, 9223372036854775807]
// CHECK: dynamic_reshape
// CHECK: operand 0 -> result 0: (d0, d1, d2)<size_d0, size_d1> -> (d0 * size_d1 + d1, d2), domain: d0 in [0, size_d0 - 1], d1 in [0, size_d1 - 1], d2 in [0, 7]
func.func @unknown_dims(%a: tensor<?x?x8xf32>) -> tensor<?x8xf32> {
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?x8xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?x8xf32>) -> tensor<i32>
  %nm = stablehlo.multiply %n, %m : tensor<i32>
  %rows = stablehlo.reshape %nm : (tensor<i32>) -> tensor<1xi32>
  %eight = stablehlo.constant dense<8> : tensor<1xi32>
  %shape = stablehlo.concatenate %rows, %eight, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %a, %shape : (tensor<?x?x8xf32>, tensor<2xi32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// Whether a dim of 1 is spread only the run tells: the remainder is right either way.
// CHECK-LABEL: func @spread
// CHECK: result 0 -> operand 0: (d0)<size_d0> -> (d0 mod size_d0), domain: d0 in [0, 7]
func.func @spread(%a: tensor<?xf32>) -> tensor<8xf32> {
  %shape = stablehlo.constant dense<8> : tensor<1xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %shape, dims = [0] : (tensor<?xf32>, tensor<1xi32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @dot
// CHECK: result 0 -> operand 0: (d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 63], s0 in [0, 255]
// CHECK: result 0 -> operand 1: (d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 63], s0 in [0, 255]
// CHECK: operand 0 -> result 0: (d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 255], s0 in [0, 63]
// CHECK: operand 1 -> result 0: (d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in [0, 255], d2 in [0, 63], s0 in [0, 127]
func.func @dot(%a: tensor<4x128x256xf32>, %b: tensor<4x256x64xf32>) -> tensor<4x128x64xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x128x256xf32>, tensor<4x256x64xf32>) -> tensor<4x128x64xf32>
  return %0 : tensor<4x128x64xf32>
}

// -----

// CHECK-LABEL: func @gather
// CHECK: result 0 -> operand 0: (d0, d1, d2, d3){rt0, rt1} -> (d1 + rt0, d2 + rt1, d3), domain: d0 in [0, 1805], d1 in [0, 6], d2 in [0, 7], d3 in [0, 3], rt0 in [0, 26], rt1 in [0, 68]
// CHECK: rt0: operand 1 at (d0, 0), clamped
// CHECK: rt1: operand 1 at (d0, 1), clamped
// CHECK: result 0 -> operand 1: (d0, d1, d2, d3)[s0] -> (d0, s0), domain: d0 in [0, 1805], d1 in [0, 6], d2 in [0, 7], d3 in [0, 3], s0 in [0, 1]
func.func @gather(%a: tensor<33x76x70xf32>, %i: tensor<1806x2xi32>) -> tensor<1806x7x8x4xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 7, 8, 4>}> : (tensor<33x76x70xf32>, tensor<1806x2xi32>) -> tensor<1806x7x8x4xf32>
  return %0 : tensor<1806x7x8x4xf32>
}

// -----

// CHECK-LABEL: func @scatter
// CHECK: result 0 -> operand 0: (d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 7]
// CHECK: result 0 -> operand 1: (d0, d1)[s0] -> (s0, 0), domain: d0 in [0, 9], d1 in [0, 7], s0 in [0, 4]
// CHECK: result 0 -> operand 2: (d0, d1)[s0]{rt0} -> (s0, d1), domain: d0 in [0, 9], d1 in [0, 7], s0 in [0, 4], rt0 in [-9223372036854775808, 9223372036854775807], d0 - rt0 in [0, 0]
// CHECK: rt0: operand 1 at (s0, 0)
func.func @scatter(%a: tensor<10x8xf32>, %i: tensor<5x1xi32>, %u: tensor<5x8xf32>) -> tensor<10x8xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<10x8xf32>, tensor<5x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return %0 : tensor<10x8xf32>
}

// -----

// CHECK-LABEL: func @reduce_window
// CHECK: result 0 -> operand 0: (d0, d1)[s0] -> (d0, d1 + s0), domain: d0 in [0, 1023], d1 in [0, 2], s0 in [0, 511]
func.func @reduce_window(%a: tensor<1024x514xf32>, %z: tensor<f32>) -> tensor<1024x3xf32> {
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 1, 512>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1024x514xf32>, tensor<f32>) -> tensor<1024x3xf32>
  return %0 : tensor<1024x3xf32>
}

// -----

// One value of a fusion that is read in two ways, and one whose ways are the same.
// CHECK-LABEL: func @fusion
// CHECK: mhlo.fusion
// CHECK-NEXT: result 0 -> operand 0: (d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124]
// CHECK-NEXT: result 0 -> operand 0: (d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124], s0 in [0, 124]
// CHECK-NEXT: operand 0 -> result 0: (d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124]
// CHECK-NEXT: operand 0 -> result 0: (d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124], s0 in [0, 124]
func.func @fusion(%a: tensor<2x65x125xf32>) -> tensor<2x65x125xf32> {
  %0 = "mhlo.fusion"(%a) ({
  ^bb0(%x: tensor<2x65x125xf32>):
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [2] : (tensor<2x65x125xf32>, tensor<f32>) -> tensor<2x65xf32>
    %all = stablehlo.broadcast_in_dim %sum, dims = [0, 1] : (tensor<2x65xf32>) -> tensor<2x65x125xf32>
    %part = stablehlo.divide %x, %all : tensor<2x65x125xf32>
    mhlo.return %part : tensor<2x65x125xf32>
  }) : (tensor<2x65x125xf32>) -> tensor<2x65x125xf32>
  return %0 : tensor<2x65x125xf32>
}

// -----

// Elements of another width.
// CHECK-LABEL: func @bitcast
// CHECK: result 0 -> operand 0: (d0, d1) -> ((d0 * 2 + d1 floordiv 2) floordiv 3, (d0 * 2 + d1 floordiv 2) mod 3), domain: d0 in [0, 2], d1 in [0, 3]
func.func @bitcast(%a: tensor<2x3xf32>) -> tensor<3x4xi16> {
  %0 = "mhlo.bitcast"(%a) : (tensor<2x3xf32>) -> tensor<3x4xi16>
  return %0 : tensor<3x4xi16>
}

// -----

// Twelve reshapes whose dims do not divide each other, and back.
// CHECK-LABEL: func @chain
// CHECK: result 0 -> argument 0: (d0) -> (d0), domain: d0 in [0, 181439]
func.func @chain(%v0: tensor<181440xf32>) -> tensor<181440xf32> {
  %v1 = stablehlo.reshape %v0 : (tensor<181440xf32>) -> tensor<126x12x120xf32>
  %v2 = stablehlo.reshape %v1 : (tensor<126x12x120xf32>) -> tensor<3x360x168xf32>
  %v3 = stablehlo.reshape %v2 : (tensor<3x360x168xf32>) -> tensor<180x1008xf32>
  %v4 = stablehlo.reshape %v3 : (tensor<180x1008xf32>) -> tensor<1260x144xf32>
  %v5 = stablehlo.reshape %v4 : (tensor<1260x144xf32>) -> tensor<8x22680xf32>
  %v6 = stablehlo.reshape %v5 : (tensor<8x22680xf32>) -> tensor<60x3x252x4xf32>
  %v7 = stablehlo.reshape %v6 : (tensor<60x3x252x4xf32>) -> tensor<6x126x16x15xf32>
  %v8 = stablehlo.reshape %v7 : (tensor<6x126x16x15xf32>) -> tensor<504x360xf32>
  %v9 = stablehlo.reshape %v8 : (tensor<504x360xf32>) -> tensor<168x30x36xf32>
  %v10 = stablehlo.reshape %v9 : (tensor<168x30x36xf32>) -> tensor<15120x12xf32>
  %v11 = stablehlo.reshape %v10 : (tensor<15120x12xf32>) -> tensor<42x24x3x4x15xf32>
  %v12 = stablehlo.reshape %v11 : (tensor<42x24x3x4x15xf32>) -> tensor<5040x36xf32>
  %v13 = stablehlo.reshape %v12 : (tensor<5040x36xf32>) -> tensor<181440xf32>
  return %v13 : tensor<181440xf32>
}
