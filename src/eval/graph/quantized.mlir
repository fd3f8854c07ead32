// RUN: heddle check %s | FileCheck %s
// RUN: heddle check %s --target=cpu | FileCheck %s
// Quantized types: conversions, arithmetic on the expressed values, movement, per-axis scales, regions, NaN and ties, storage of less
// than a byte, folding.
// CHECK: 11 passed, 0 failed
func.func @quantize() {
  %0 = stablehlo.constant dense<[-1.0, 0.25, 0.75, 4.0, 1000.0, -1000.0]> : tensor<6xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5:3>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<6x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<6xi8>
  check.expect_eq_const %2, dense<[1, 4, 4, 11, 127, -128]> : tensor<6xi8>
  %3 = stablehlo.uniform_dequantize %1 : (tensor<6x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<6xf32>
  check.expect_eq_const %3, dense<[-1.0, 0.5, 0.5, 4.0, 62.0, -65.5]> : tensor<6xf32>
  return
}
func.func @requantize() {
  %0 = stablehlo.constant() {value = dense<[1, 2, 3]> : tensor<3xi8>} : () -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  %1 = stablehlo.uniform_quantize %0 : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x!quant.uniform<i8:f32, 0.25:1>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<3x!quant.uniform<i8:f32, 0.25:1>>) -> tensor<3xi8>
  check.expect_eq_const %2, dense<[3, 5, 7]> : tensor<3xi8>
  return
}
func.func @add() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.1>>
  %2 = stablehlo.add %1, %1 : tensor<2x!quant.uniform<i8:f32, 0.1>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<2x!quant.uniform<i8:f32, 0.1>>) -> tensor<2xf32>
  check.expect_almost_eq_const %3, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}
func.func @dot() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %2 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<i32:f32, 0.25>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<2x2x!quant.uniform<i32:f32, 0.25>>) -> tensor<2x2xf32>
  check.expect_eq_const %3, dense<[[7.0, -6.0], [-9.0, 22.0]]> : tensor<2x2xf32>
  %4 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2xf32>
  check.expect_eq_const %4, dense<[[7.0, -6.0], [-9.0, 22.0]]> : tensor<2x2xf32>
  return
}
func.func @per_axis() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0]]> : tensor<2x2xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25}>>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5:1, 0.25}>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5:1, 0.25}>>) -> tensor<2x2xi8>
  check.expect_eq_const %3, dense<[[3, 7], [8, -16]]> : tensor<2x2xi8>
  return
}
func.func @unsigned() {
  %0 = stablehlo.constant dense<[0.0, 100.0, 300.0]> : tensor<3xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<3xf32>) -> tensor<3x!quant.uniform<u8:f32, 1.0:10>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<3x!quant.uniform<u8:f32, 1.0:10>>) -> tensor<3xf32>
  check.expect_eq_const %2, dense<[0.0, 100.0, 245.0]> : tensor<3xf32>
  return
}
func.func @reduce() {
  %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, -4.0]]> : tensor<2x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  %2 = stablehlo.uniform_quantize %z : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  %3 = "stablehlo.reduce"(%1, %2) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5>>, %b: tensor<!quant.uniform<i8:f32, 0.5>>):
    %s = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 0.5>>
  }) : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %4 = stablehlo.uniform_dequantize %3 : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf32>
  check.expect_eq_const %4, dense<[3.0, -1.0]> : tensor<2xf32>
  return
}
// Every step of a body quantizes: 100 + 100 is 127 here.
func.func @saturating_reduce() {
  %0 = stablehlo.constant dense<[100.0, 100.0, -100.0, 20.0]> : tensor<4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 1.0>>
  %2 = stablehlo.uniform_quantize %z : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 1.0>>
  %3 = "stablehlo.reduce"(%1, %2) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 1.0>>, %b: tensor<!quant.uniform<i8:f32, 1.0>>):
    %s = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 1.0>>
    stablehlo.return %s : tensor<!quant.uniform<i8:f32, 1.0>>
  }) : (tensor<4x!quant.uniform<i8:f32, 1.0>>, tensor<!quant.uniform<i8:f32, 1.0>>) -> tensor<!quant.uniform<i8:f32, 1.0>>
  %4 = stablehlo.uniform_dequantize %3 : (tensor<!quant.uniform<i8:f32, 1.0>>) -> tensor<f32>
  check.expect_eq_const %4, dense<47.0> : tensor<f32>
  return
}
// Ties are those of x / scale + zero point; NaN converts to 0, or to what of the storage range is next to it.
func.func @edges() {
  %0 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.5, 1.5]> : tensor<5xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<5xf32>) -> tensor<5x!quant.uniform<i8:f32, 1.0:3>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<5x!quant.uniform<i8:f32, 1.0:3>>) -> tensor<5xi8>
  check.expect_eq_const %2, dense<[0, 127, -128, 4, 4]> : tensor<5xi8>
  %3 = stablehlo.uniform_quantize %0 : (tensor<5xf32>) -> tensor<5x!quant.uniform<u8<10:20>:f32, 1.0:10>>
  %4 = stablehlo.bitcast_convert %3 : (tensor<5x!quant.uniform<u8<10:20>:f32, 1.0:10>>) -> tensor<5xui8>
  check.expect_eq_const %4, dense<[10, 20, 10, 10, 12]> : tensor<5xui8>
  return
}
func.func @four_bits() {
  %0 = stablehlo.constant dense<[0.0, 9.0, 15.0, 99.0]> : tensor<4xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<4xf32>) -> tensor<4x!quant.uniform<u4:f32, 1.0>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<4x!quant.uniform<u4:f32, 1.0>>) -> tensor<4xui4>
  check.expect_eq_const %2, dense<[0, 9, 15, 15]> : tensor<4xui4>
  %3 = stablehlo.constant() {value = dense<[-1, 7]> : tensor<2xi4>} : () -> tensor<2x!quant.uniform<u4:f32, 1.0>>
  %4 = stablehlo.uniform_dequantize %3 : (tensor<2x!quant.uniform<u4:f32, 1.0>>) -> tensor<2xf32>
  check.expect_eq_const %4, dense<[15.0, 7.0]> : tensor<2xf32>
  return
}
// Elements of one type move as they are stored: f32 has no room for this one.
func.func @moves() {
  %0 = stablehlo.constant() {value = dense<[16777217, 3]> : tensor<2xi32>} : () -> tensor<2x!quant.uniform<i32:f32, 0.5>>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<2x!quant.uniform<i32:f32, 0.5>>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2x!quant.uniform<i32:f32, 0.5>>) -> tensor<2xi32>
  check.expect_eq_const %2, dense<[3, 16777217]> : tensor<2xi32>
  return
}
