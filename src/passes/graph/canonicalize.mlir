// RUN: heddle-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: @folds
func.func @folds() -> tensor<2xi32> {
  // CHECK: %[[C:.*]] = stablehlo.constant dense<5> : tensor<2xi32>
  // CHECK-NEXT: return %[[C]]
  %0 = stablehlo.constant dense<2> : tensor<2xi32>
  %1 = stablehlo.constant dense<3> : tensor<2xi32>
  %2 = stablehlo.add %0, %1 : tensor<2xi32>
  return %2 : tensor<2xi32>
}

// CHECK-LABEL: @dead
func.func @dead(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.exponential %arg0 : tensor<4xf32>
  %1 = stablehlo.add %0, %0 : tensor<4xf32>
  return %arg0 : tensor<4xf32>
}

// Adding zero changes -0, so it stays for floats.
// CHECK-LABEL: @negative_zero
func.func @negative_zero(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: stablehlo.add
  %0 = stablehlo.constant dense<0.0> : tensor<4xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
