// RUN: heddle-opt --stablehlo-refine-shapes %s | FileCheck %s

// CHECK-LABEL: @reshape
// CHECK-SAME: -> tensor<2x2xf32>
func.func @reshape(%arg0: tensor<4xf32>) -> tensor<?x?xf32> {
  // CHECK: stablehlo.dynamic_reshape {{.*}} -> tensor<2x2xf32>
  %0 = stablehlo.constant dense<2> : tensor<2xi32>
  %1 = stablehlo.dynamic_reshape %arg0, %0 : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// Dims that only the run tells stay unknown.
// CHECK-LABEL: @unknown
// CHECK-SAME: -> tensor<?xf32>
func.func @unknown(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<?xf32>
  return %0 : tensor<?xf32>
}
