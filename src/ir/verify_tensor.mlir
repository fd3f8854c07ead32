// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

func.func @generate_element(%x: tensor<4000000xf64>) -> tensor<2xf32> {
  %0 = tensor.generate {
  ^bb0(%i: index):
    // expected-error@+1 {{expects an element of the result}}
    tensor.yield %x : tensor<4000000xf64>
  } : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @generate_arguments(%x: f32) -> tensor<2xf32> {
  // expected-error@+1 {{expects a body of 1 arguments, one per dim, got 2}}
  %0 = tensor.generate {
  ^bb0(%i: index, %k: index):
    tensor.yield %x : f32
  } : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @pad_element(%t: tensor<2xf32>, %x: f64) -> tensor<3xf32> {
  %0 = tensor.pad %t low[0] high[1] {
  ^bb0(%i: index):
    // expected-error@+1 {{expects an element of the result}}
    tensor.yield %x : f64
  } : tensor<2xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @pad_result(%t: tensor<2xf32>, %x: f64) -> tensor<3xf64> {
  // expected-error@+1 {{expects operand and result of one element type}}
  %0 = tensor.pad %t low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f64
  } : tensor<2xf32> to tensor<3xf64>
  return %0 : tensor<3xf64>
}

// -----

func.func @concat_element(%t: tensor<2xf32>, %u: tensor<2xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{expects operand #0 and the result of one element type}}
  %0 = tensor.concat dim(0) %t, %u : (tensor<2xf32>, tensor<2xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @concat_rank(%t: tensor<2x2xf32>, %u: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error@+1 {{expects operand #1 and the result of one rank, got 1 and 2}}
  %0 = tensor.concat dim(0) %t, %u : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @concat_dim(%t: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{expects a dim in [0, 1), got 1}}
  %0 = tensor.concat dim(1) %t : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @concat_other_dim(%t: tensor<4x2xf32>, %u: tensor<3x5xf32>) -> tensor<7x2xf32> {
  // expected-error@+1 {{expects dim 1 of operand #1 to be 2, got 5}}
  %0 = tensor.concat dim(0) %t, %u : (tensor<4x2xf32>, tensor<3x5xf32>) -> tensor<7x2xf32>
  return %0 : tensor<7x2xf32>
}

// -----

func.func @concat_unknown_result(%t: tensor<?x2xf32>, %u: tensor<3x5xf32>) -> tensor<?x?xf32> {
  // expected-error@+1 {{expects dim 1 of operand #1 to be 2, got 5}}
  %0 = tensor.concat dim(0) %t, %u : (tensor<?x2xf32>, tensor<3x5xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @concat_sum(%t: tensor<4x2xf32>, %u: tensor<3x2xf32>) -> tensor<8x2xf32> {
  // expected-error@+1 {{expects dim 0 of the result to be 7, got 8}}
  %0 = tensor.concat dim(0) %t, %u : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}

// -----

func.func @bitcast(%t: tensor<2xi8>) -> tensor<2xf64> {
  // expected-error@+1 {{expects elements of one width, got 8 bits and 64 bits}}
  %0 = tensor.bitcast %t : tensor<2xi8> to tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @slice(%t: tensor<4xf32>) -> tensor<4xf64> {
  // expected-error@+1 {{expects the whole and the part of one element type}}
  %0 = tensor.extract_slice %t[0] [4] [1] : tensor<4xf32> to tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @insert_slice(%t: tensor<4xf32>, %u: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{expects the whole and the part of one element type}}
  %0 = tensor.insert_slice %t into %u[0] [4] [1] : tensor<4xf32> into tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @collapse(%t: tensor<*xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects operand and result of known ranks}}
  %0 = tensor.collapse_shape %t [[0, 70]] : tensor<*xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @expand(%m: memref<4xf32>) {
  // expected-error@+1 {{expects 2 entries in 'static_output_shape', got 1}}
  %0 = "memref.expand_shape"(%m) <{reassociation = [[0, 1]], static_output_shape = array<i64: 2>}> : (memref<4xf32>) -> memref<2x2xf32>
  return
}

// -----

func.func @shape_reduce_extent(%s: tensor<2xindex>, %x: index) {
  // expected-error@+1 {{expects body argument #1, an extent, of type index}}
  %0 = "shape.reduce"(%s, %x) ({
  ^bb0(%i: index, %e: tensor<4000xf64>, %acc: index):
    "shape.yield"(%acc) : (index) -> ()
  }) : (tensor<2xindex>, index) -> index
  return
}

// -----

func.func @shape_reduce_values(%s: tensor<2xindex>) {
  // expected-error@+1 {{expects 1 initial values, one per result, got 0}}
  %0 = "shape.reduce"(%s) ({
  ^bb0(%i: index, %e: index, %acc: index):
    "shape.yield"(%acc) : (index) -> ()
  }) : (tensor<2xindex>) -> index
  return
}

// -----

func.func @shape_reduce_yield(%s: tensor<2xindex>, %x: index, %y: i8) {
  // expected-error@+1 {{expects initial value, body argument, yielded value and result #0 of one type}}
  %0 = "shape.reduce"(%s, %x) ({
  ^bb0(%i: index, %e: index, %acc: index):
    "shape.yield"(%y) : (i8) -> ()
  }) : (tensor<2xindex>, index) -> index
  return
}

// -----

func.func @shape_max(%s: tensor<2xindex>, %x: index) {
  // expected-error@+1 {{expects only shapes or only sizes}}
  %0 = shape.max %x, %s : index, tensor<2xindex> -> tensor<2xindex>
  return
}
