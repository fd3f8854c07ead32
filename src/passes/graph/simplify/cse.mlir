// RUN: heddle-opt --cse %s | FileCheck %s

// CHECK-LABEL: @equal
func.func @equal(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[E:.*]] = stablehlo.exponential %arg0
  // CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[E]], %[[E]]
  // CHECK-NEXT: return %[[S]]
  %0 = stablehlo.exponential %arg0 : tensor<4xf32>
  %1 = stablehlo.exponential %arg0 : tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Attributes tell ops apart.
// CHECK-LABEL: @different
func.func @different(%arg0: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  // CHECK: stablehlo.reverse
  // CHECK: stablehlo.reverse
  %0 = stablehlo.reverse %arg0, dims = [0] : tensor<2x2xf32>
  %1 = stablehlo.reverse %arg0, dims = [1] : tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// What has effects stays.
// CHECK-LABEL: @effects
func.func @effects(%arg0: memref<4xf32>, %i: index) -> f32 {
  // CHECK-COUNT-2: memref.load
  %0 = memref.load %arg0[%i] : memref<4xf32>
  memref.store %0, %arg0[%i] : memref<4xf32>
  %1 = memref.load %arg0[%i] : memref<4xf32>
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
