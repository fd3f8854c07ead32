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
