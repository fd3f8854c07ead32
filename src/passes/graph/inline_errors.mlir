// RUN: heddle-opt --inline --disc-unused-function-removal --split-input-file --verify-diagnostics %s

func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
  // expected-note@+1 {{named here by 'func.call'}}
  %0 = call @loop(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-error@+1 {{'func.func' op 'loop' is left beside the entry 'main': it is recursive}}
func.func private @loop(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @loop(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// What calls a recursive function is inlined; the recursive one is named.
func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @caller(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @caller(%arg0: tensor<f32>) -> tensor<f32> {
  // expected-note@+1 {{named here by 'func.call'}}
  %0 = call @loop(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-error@+1 {{'func.func' op 'loop' is left beside the entry 'main': it is recursive}}
func.func private @loop(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @loop(%arg0) : (tensor<f32>) -> tensor<f32>
  %1 = call @leaf(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
// expected-error@+1 {{'func.func' op 'leaf' is left beside the entry 'main': run inline first}}
func.func private @leaf(%arg0: tensor<f32>) -> tensor<f32> {
  return %arg0 : tensor<f32>
}
