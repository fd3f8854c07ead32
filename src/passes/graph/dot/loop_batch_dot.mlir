// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --disc-loop-batch-dot --canonicalize | FileCheck %s

// The rows of a tensor by one matrix: one product of the tensor, whose rows the loop reads.
// EVAL: rows arg0=5x2x3 arg1=3x4 arg2=2x4
// EVAL: rows arg0=1x3x3 arg1=3x4 arg2=3x4
// CHECK-LABEL: func.func @rows
// CHECK: %[[ALL:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0] : (tensor<?x?x3xf32>, tensor<3x4xf32>) -> tensor<?x?x4xf32>
// CHECK: stablehlo.while
// CHECK: stablehlo.real_dynamic_slice %[[ALL]]
// CHECK-NOT: dot_general
func.func @rows(%x: tensor<?x?x3xf32>, %w: tensor<3x4xf32>, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %c0 = stablehlo.constant dense<0> : tensor<1xi32>
  %c1 = stablehlo.constant dense<1> : tensor<1xi32>
  %c3 = stablehlo.constant dense<3> : tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<3xi32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x3xf32>) -> tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x3xf32>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %size = stablehlo.concatenate %c1, %b1, %c3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %row = stablehlo.concatenate %b1, %c3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r:2 = stablehlo.while(%i = %zero, %s = %h) : tensor<i32>, tensor<?x4xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
      %from = stablehlo.concatenate %i1, %c0, %c0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
      %to = stablehlo.add %from, %size : tensor<3xi32>
      %v = stablehlo.real_dynamic_slice %x, %from, %to, %ones : (tensor<?x?x3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x3xf32>
      %y = stablehlo.dynamic_reshape %v, %row : (tensor<1x?x3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
      %d = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
      %t = stablehlo.tanh %s : tensor<?x4xf32>
      %u = stablehlo.add %t, %d : tensor<?x4xf32>
      %k = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %k, %u : tensor<i32>, tensor<?x4xf32>
    }
  return %r#1 : tensor<?x4xf32>
}

// -----

// Rows from the last to the first, along the middle dim, as the right side; the dot keeps the dim of size 1.
// EVAL: reversed
// CHECK-LABEL: func.func @reversed
// CHECK: %[[ALL:.*]] = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [2] : (tensor<4x3xf32>, tensor<2x5x4xf32>) -> tensor<3x2x5xf32>
// CHECK: stablehlo.while
// CHECK: stablehlo.dynamic_slice %[[ALL]], %{{.*}}, %{{.*}}, %{{.*}}, sizes = [3, 2, 1] : {{.*}} -> tensor<3x2x1xf32>
// CHECK-NOT: dot_general
func.func @reversed(%x: tensor<2x5x4xf32>, %w: tensor<4x3xf32>) -> tensor<3x2x1xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %n = stablehlo.constant dense<5> : tensor<i64>
  %last = stablehlo.constant dense<4> : tensor<i64>
  %h = stablehlo.constant dense<0.5> : tensor<3x2x1xf32>
  %r:2 = stablehlo.while(%i = %zero, %s = %h) : tensor<i64>, tensor<3x2x1xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = stablehlo.subtract %last, %i : tensor<i64>
      %v = stablehlo.dynamic_slice %x, %zero, %at, %zero, sizes = [2, 1, 4] : (tensor<2x5x4xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2x1x4xf32>
      %d = stablehlo.dot_general %w, %v, contracting_dims = [0] x [2] : (tensor<4x3xf32>, tensor<2x1x4xf32>) -> tensor<3x2x1xf32>
      %t = stablehlo.tanh %s : tensor<3x2x1xf32>
      %u = stablehlo.add %t, %d : tensor<3x2x1xf32>
      %k = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %k, %u : tensor<i64>, tensor<3x2x1xf32>
    }
  return %r#1 : tensor<3x2x1xf32>
}

// -----

// Fewer steps than rows: the loop computes what it reads.
// CHECK-LABEL: func.func @some_rows
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
func.func @some_rows(%x: tensor<5x4xf32>, %w: tensor<4x3xf32>, %h: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %s = %h) : tensor<i32>, tensor<1x3xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %v = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 4] : (tensor<5x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %d = stablehlo.dot_general %v, %w, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x3xf32>) -> tensor<1x3xf32>
      %u = stablehlo.add %s, %d : tensor<1x3xf32>
      %k = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %k, %u : tensor<i32>, tensor<1x3xf32>
    }
  return %r#1 : tensor<1x3xf32>
}

// -----

// A product of more than eight times the tensor's elements, and one by a matrix that changes.
// CHECK-LABEL: func.func @too_wide
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.dot_general
func.func @too_wide(%x: tensor<5x2xf32>, %w: tensor<2x40xf32>, %m: tensor<2x2xf32>, %h: tensor<1x40xf32>) -> (tensor<1x40xf32>, tensor<2x2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %s = %h, %q = %m) : tensor<i32>, tensor<1x40xf32>, tensor<2x2xf32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %v = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 2] : (tensor<5x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
      %d = stablehlo.dot_general %v, %w, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x40xf32>) -> tensor<1x40xf32>
      %e = stablehlo.dot_general %v, %q, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
      %u = stablehlo.add %s, %d : tensor<1x40xf32>
      %g = stablehlo.broadcast_in_dim %e, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<2x2xf32>
      %k = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %k, %u, %g : tensor<i32>, tensor<1x40xf32>, tensor<2x2xf32>
    }
  return %r#1, %r#2 : tensor<1x40xf32>, tensor<2x2xf32>
}
