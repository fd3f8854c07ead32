// RUN: heddle-opt %s --split-input-file --split-carried-rows | FileCheck %s

// A state of three rows that are taken apart and stacked again.
// EVAL: turn arg0=3x4
// CHECK-LABEL: func.func @turn
// CHECK: %[[R:.*]]:4 = stablehlo.while({{.*}}) : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
// CHECK-NOT: tensor<3x4xf32>
// CHECK: stablehlo.return %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
// CHECK: stablehlo.concatenate {{.*}} -> tensor<3x4xf32>
func.func @turn(%s: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %half = stablehlo.constant dense<5.0e-1> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %x = %s) : tensor<i32>, tensor<3x4xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %a = stablehlo.slice %x [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %ar = stablehlo.reshape %a : (tensor<1x4xf32>) -> tensor<4xf32>
    %b = stablehlo.slice %x [1:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %br = stablehlo.reshape %b : (tensor<1x4xf32>) -> tensor<4xf32>
    %c = stablehlo.slice %x [2:3, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %m = stablehlo.multiply %ar, %br : tensor<4xf32>
    %m1 = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %stack = stablehlo.concatenate %c, %m1, %b, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
    %h = stablehlo.broadcast_in_dim %half, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %scaled = stablehlo.multiply %stack, %h : tensor<3x4xf32>
    %next = stablehlo.add %x, %scaled : tensor<3x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<3x4xf32>
  }
  return %r#1 : tensor<3x4xf32>
}

// -----

// The same of unknown sizes; a stack from outside of the loop is read row by row, and the number of rows is known.
// EVAL: sizes arg0=2x5 arg1=2x5
// EVAL: sizes arg0=2x0 arg1=2x0
// CHECK-LABEL: func.func @sizes
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<?xf32>, tensor<?xf32>
// CHECK-NOT: stablehlo.concatenate {{.*}} -> tensor<2x?xf32>
// CHECK: stablehlo.return %{{.*}} : tensor<i32>, tensor<?xf32>, tensor<?xf32>
// CHECK: stablehlo.concatenate {{.*}} -> tensor<2x?xf32>
func.func @sizes(%s: tensor<2x?xf32>, %w: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %one1 = stablehlo.constant dense<1> : tensor<1xi32>
  %two1 = stablehlo.constant dense<2> : tensor<1xi32>
  %from0 = stablehlo.constant dense<0> : tensor<2xi32>
  %from1 = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %n = stablehlo.get_dimension_size %s, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %to0 = stablehlo.concatenate %one1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %to1 = stablehlo.concatenate %two1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r:2 = stablehlo.while(%i = %zero, %x = %s) : tensor<i32>, tensor<2x?xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %a = stablehlo.real_dynamic_slice %x, %from0, %to0, %ones : (tensor<2x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x?xf32>
    %b = stablehlo.real_dynamic_slice %x, %from1, %to1, %ones : (tensor<2x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x?xf32>
    %k = stablehlo.get_dimension_size %x, dim = 0 : (tensor<2x?xf32>) -> tensor<i32>
    %m = stablehlo.negate %b : tensor<1x?xf32>
    %stack = stablehlo.concatenate %m, %a, dim = 0 : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<2x?xf32>
    %scaled = stablehlo.multiply %stack, %w : tensor<2x?xf32>
    %next = stablehlo.add %x, %scaled : tensor<2x?xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<2x?xf32>
  }
  return %r#1 : tensor<2x?xf32>
}

// -----

// What reads the stack as a whole needs it.
// EVAL: total arg0=3x4
// CHECK-LABEL: func.func @total
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<3x4xf32>
func.func @total(%s: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %half = stablehlo.constant dense<5.0e-1> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %x = %s) : tensor<i32>, tensor<3x4xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %t = stablehlo.reduce(%x init: %half) applies stablehlo.add across dimensions = [0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
    %t1 = stablehlo.broadcast_in_dim %t, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %b = stablehlo.slice %x [1:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %next = stablehlo.concatenate %t1, %b, %b, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<3x4xf32>
  }
  return %r#1 : tensor<3x4xf32>
}

// -----

// A slice that is no row.
// EVAL: part arg0=3x4
// CHECK-LABEL: func.func @part
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<3x4xf32>
func.func @part(%s: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %half = stablehlo.constant dense<5.0e-1> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %x = %s) : tensor<i32>, tensor<3x4xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %b = stablehlo.slice %x [0:1, 1:2] : (tensor<3x4xf32>) -> tensor<1x1xf32>
    %f = stablehlo.reshape %b : (tensor<1x1xf32>) -> tensor<f32>
    %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %next = stablehlo.concatenate %g, %g, %g, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<3x4xf32>
  }
  return %r#1 : tensor<3x4xf32>
}

// -----

// Rows that nobody takes apart.
// EVAL: only arg0=3x4
// CHECK-LABEL: func.func @only
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<3x4xf32>
func.func @only(%s: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %half = stablehlo.constant dense<5.0e-1> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %x = %s) : tensor<i32>, tensor<3x4xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %next = stablehlo.add %x, %x : tensor<3x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<3x4xf32>
  }
  return %r#1 : tensor<3x4xf32>
}

// -----

// A row that one element may be spread over: it is not the row itself.
// EVAL: spread arg0=2x5 arg1=1
// EVAL: spread arg0=2x5 arg1=5
// CHECK-LABEL: func.func @spread
// CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<?xf32>, tensor<?xf32>
// CHECK: %[[W:.*]] = stablehlo.dynamic_broadcast_in_dim %{{.*}}, %{{.*}}, dims = [1]
// CHECK: stablehlo.dynamic_reshape %[[W]]
func.func @spread(%s: tensor<2x?xf32>, %w: tensor<?xf32>) -> tensor<2x?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one1 = stablehlo.constant dense<1> : tensor<1xi32>
  %from0 = stablehlo.constant dense<0> : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %n = stablehlo.get_dimension_size %s, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %to0 = stablehlo.concatenate %one1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r:2 = stablehlo.while(%i = %zero, %x = %s) : tensor<i32>, tensor<2x?xf32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %a = stablehlo.real_dynamic_slice %x, %from0, %to0, %ones : (tensor<2x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x?xf32>
    %v = stablehlo.sine %w : tensor<?xf32>
    %b = stablehlo.dynamic_broadcast_in_dim %v, %to0, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<1x?xf32>
    %stack = stablehlo.concatenate %b, %a, dim = 0 : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<2x?xf32>
    %next = stablehlo.add %x, %stack : tensor<2x?xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %next : tensor<i32>, tensor<2x?xf32>
  }
  return %r#1 : tensor<2x?xf32>
}
