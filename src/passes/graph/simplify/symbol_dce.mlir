// RUN: heddle-opt --symbol-dce %s | FileCheck %s

// CHECK: @main
func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @used(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// CHECK: @used
func.func private @used(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @used_by_used(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// CHECK: @used_by_used
func.func private @used_by_used(%arg0: tensor<f32>) -> tensor<f32> { return %arg0 : tensor<f32> }
// CHECK-NOT: @dead
func.func private @dead(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @dead(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
