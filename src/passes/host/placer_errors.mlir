// RUN: heddle-opt --disc-placer --split-input-file --verify-diagnostics %s

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @call(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'func.call' op disc-placer: expected a program without calls: run inline first}}
  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
