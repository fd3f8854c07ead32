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
// expected-error@+1 {{'func.func' op 'leaf' is left beside the entry 'main': 'loop', which uses it, is left}}
func.func private @leaf(%arg0: tensor<f32>) -> tensor<f32> {
  return %arg0 : tensor<f32>
}

// -----

// The entry itself, directly and through another function.
// expected-error@+1 {{'func.func' op 'main' is the entry and is recursive}}
func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @main(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error@+1 {{'func.func' op 'main' is the entry and is recursive}}
func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
  // expected-note@+1 {{named here by 'func.call'}}
  %0 = call @other(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-error@+1 {{'func.func' op 'other' is left beside the entry 'main': it is recursive}}
func.func private @other(%arg0: tensor<f32>) -> tensor<f32> {
  %p = stablehlo.compare LT, %arg0, %arg0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %0 = "stablehlo.if"(%p) ({
    %1 = func.call @main(%arg0) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %arg0 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A decomposition that contains its own composite.
func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
  // expected-note@+1 {{named here by 'stablehlo.composite'}}
  %0 = stablehlo.composite "my.op" %arg0 {decomposition = @op} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-error@+1 {{'func.func' op 'op' is left beside the entry 'main': it is recursive}}
func.func private @op(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "my.op" %arg0 {decomposition = @op} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
  // expected-note@+1 {{named here by 'func.call'}}
  %0 = call @blocks(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-error@+1 {{'func.func' op 'blocks' is left beside the entry 'main': it has more than one block}}
func.func private @blocks(%arg0: tensor<f32>) -> tensor<f32> {
  cf.br ^bb1(%arg0 : tensor<f32>)
^bb1(%1: tensor<f32>):
  return %1 : tensor<f32>
}
