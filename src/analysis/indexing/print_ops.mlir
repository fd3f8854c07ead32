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
