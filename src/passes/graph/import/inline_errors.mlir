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

// -----

func.func public @main(%x: tensor<3x8xf32>) -> tensor<3x9xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{expects at most 8 results along its reduction_dim, got 9}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %c) {called_computations = [@greater], mhlo.backend_config = {reduction_dim = 1 : i64, top_k = 9 : i64}} : (tensor<3x8xf32>, tensor<f32>) -> tensor<3x9xf32>
  return %0 : tensor<3x9xf32>
}
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// -----

func.func public @main(%x: tensor<3x8xf32>, %i: tensor<3x1xi32>) -> tensor<3x2xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  // expected-error@+1 {{expects inputs of one shape, got 8 and 1 at dim 1}}
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %c, %z) {called_computations = [@greater], mhlo.backend_config = {reduction_dim = 1 : i64, top_k = 2 : i64}} : (tensor<3x8xf32>, tensor<3x1xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  return %0#0 : tensor<3x2xf32>
}
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// -----

// Sizes are counted in 32 bits: nothing is cut off.
func.func public @main(%x: tensor<?x4xf32>, %z: tensor<f32>) -> tensor<?x?xf32> {
  %w = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %o = stablehlo.constant dense<1> : tensor<2xi64>
  %p = stablehlo.constant dense<[[0, 0], [-4294967298, 0]]> : tensor<2x2xi64>
  // expected-error@+1 {{describes its windows by -4294967298, expected a number of 32 bits}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %w, %o, %o, %o, %p) {called_computations = [@sum]} : (tensor<?x4xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2x2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
