// RUN: heddle-opt --disc-sink-constants %s | FileCheck %s

// CHECK-LABEL: @sort
func.func @sort(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: "stablehlo.sort"
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // CHECK-NEXT: %[[Z:.*]] = stablehlo.constant dense<0.000000e+00>
    // CHECK-NEXT: compare EQ, %[[A]], %[[Z]]
    %1 = stablehlo.compare EQ, %a, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    // CHECK-NEXT: select %{{.*}}, %[[Z]], %[[A]]
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare LT, %2, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A branch keeps what it uses from outside.
// CHECK-LABEL: @branch
func.func @branch(%p: tensor<i1>) -> tensor<f32> {
  // CHECK: %[[ONE:.*]] = stablehlo.constant
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  // CHECK: "stablehlo.if"
  // CHECK-NEXT: stablehlo.return %[[ONE]]
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %one : tensor<f32>
  }, {
    stablehlo.return %one : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Elements that differ lie in memory, outside.
// CHECK-LABEL: @table
func.func @table(%x: tensor<8xi32>) -> tensor<8xi32> {
  // CHECK: %[[T:.*]] = stablehlo.constant dense<[1, 2]>
  // CHECK: "stablehlo.map"
  %0 = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<i32>):
    // CHECK-NOT: constant
    // CHECK: stablehlo.dynamic_slice %[[T]]
    %table = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %1 = stablehlo.dynamic_slice %table, %a, sizes = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %1 : (tensor<1xi32>) -> tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// What a loop computes with moves in, its initial value stays.
// CHECK-LABEL: @loop
func.func @loop(%x: tensor<8xi32>) -> (tensor<i32>, tensor<8xi32>) {
  // CHECK-NEXT: %[[ZERO:.*]] = stablehlo.constant dense<0>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  // CHECK: stablehlo.while(%{{.*}} = %[[ZERO]], %{{.*}} = %arg0)
  // CHECK: cond {
  // CHECK-NEXT: stablehlo.constant dense<2>
  // CHECK: do {
  // CHECK-NEXT: %[[TWO:.*]] = stablehlo.constant dense<2>
  // CHECK-NEXT: %[[TWOS:.*]] = stablehlo.broadcast_in_dim %[[TWO]]
  // CHECK-NEXT: stablehlo.divide %{{.*}}, %[[TWOS]]
  // CHECK: stablehlo.dynamic_slice %{{.*}}, %[[ZERO]]
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8xi32>
  cond {
    %1 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %3 = stablehlo.divide %y, %2 : tensor<8xi32>
    %4 = stablehlo.dynamic_slice %y, %zero, sizes = [1] : (tensor<8xi32>, tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.reshape %4 : (tensor<1xi32>) -> tensor<i32>
    %6 = stablehlo.add %i, %5 : tensor<i32>
    stablehlo.return %6, %3 : tensor<i32>, tensor<8xi32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<8xi32>
}

// What only a reducer in the loop uses moves there at once, and what both use has a copy in each.
// CHECK-LABEL: @reducer_in_loop
func.func @reducer_in_loop(%i: tensor<i32>, %x: tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>) {
  %four = stablehlo.constant dense<4> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  // CHECK: do {
  // CHECK-NEXT: stablehlo.constant dense<2.000000e+00>
  // CHECK-NEXT: "stablehlo.sort"
  // CHECK-NEXT: ^bb0
  // CHECK-DAG: stablehlo.constant dense<2.000000e+00>
  // CHECK-DAG: stablehlo.constant dense<5.000000e-01>
  // CHECK: stablehlo.multiply
  %0:2 = stablehlo.while(%j = %i, %y = %x) : tensor<i32>, tensor<8xf32>
  cond {
    %1 = stablehlo.compare LT, %j, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = "stablehlo.sort"(%y) <{dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %5 = stablehlo.multiply %a, %half : tensor<f32>
      %6 = stablehlo.multiply %b, %two : tensor<f32>
      %7 = stablehlo.compare LT, %5, %6 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<8xf32>
    stablehlo.return %j, %4 : tensor<i32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<8xf32>
}
