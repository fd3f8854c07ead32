// RUN: heddle-opt --inline --disc-unused-function-removal --split-input-file --verify-diagnostics %s

func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @loop(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-error@+1 {{'func.func' op 'loop' is recursive: it cannot be inlined}}
func.func private @loop(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @loop(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
