// SPDX-License-Identifier: Apache-2.0
// What quantized types demand of their parameters and of the tensor that carries them, whatever the op.
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{block argument #0: a quantized type expects a quantized dim below the rank, 0, got 0}}
func.func @scalar(%x: tensor<!quant.uniform<i8:f32:0, {0.1:-30}>>) {
  return
}

// -----

func.func @axis(%x: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.uniform_quantize' op result #0: a quantized type expects a quantized dim below the rank, 1, got 7}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:7, {0.1, 0.2}>>
  return
}

// -----

func.func @scales(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects as many scales as dim 0 has elements, 2, got 3}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2, 0.3}>>
  return
}

// -----

func.func @unknown_dim(%x: tensor<?xf32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<?xf32>) -> tensor<?x!quant.uniform<i8:f32:0, {0.1, 0.2, 0.3}>>
  return
}

// -----

func.func @zero_point(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects zero points in the storage range [-8, 7], got 8}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i4:f32, 0.1:8>>
  return
}

// -----

func.func @finite(%x: tensor<2xf16>) {
  // expected-error@+1 {{expects scales that are positive and finite in the expressed type, got 100000}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf16>) -> tensor<2x!quant.uniform<i8:f16, 100000.0>>
  return
}

// -----

func.func @positive(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects scales that are positive and finite in the expressed type, got 1e-60}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 1.0e-60>>
  return
}

// -----

func.func @blocks(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects blocks that divide dim 0 of size 3, got a size of 2}}
  %0 = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32:{0:2}, {0.5, 0.25}>>
  return
}

// -----

// expected-error@+1 {{block argument #0: a quantized type expects as many scales as dim 0 has elements, 4, got 2}}
func.func @in_a_tuple(%x: tuple<tensor<4x!quant.uniform<i8:f32:0, {0.1, 0.2}>>>) {
  return
}

// -----

// A scale for each block; along a dim of unknown size any number of them.
// expected-error@+1 {{block argument #0: a quantized type expects a scale for each block, 6, got 3}}
func.func @blocks_of_two(%x: tensor<4x6x!quant.uniform<i8:f32:{0:2, 1:2}, {{1.0, 2.0, 3.0}}>>, %y: tensor<?x6x!quant.uniform<i8:f32:{0:2, 1:2}, {{1.0, 2.0, 3.0}}>>) {
  return
}

// -----

// A type is reported where it first appears, a function without a body by its own type.
// expected-error@+1 {{block argument #0: a quantized type expects a quantized dim below the rank, 1, got 3}}
func.func @once(%x: tensor<2x!quant.uniform<i8:f32:3, {0.1, 0.2}>>) -> tensor<2x!quant.uniform<i8:f32:3, {0.1, 0.2}>> {
  %0 = stablehlo.add %x, %x : tensor<2x!quant.uniform<i8:f32:3, {0.1, 0.2}>>
  return %0 : tensor<2x!quant.uniform<i8:f32:3, {0.1, 0.2}>>
}

// -----

// expected-error@+1 {{result #0: a quantized type expects a quantized dim below the rank, 1, got 3}}
func.func private @declared(tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:3, {0.1, 0.2}>>
