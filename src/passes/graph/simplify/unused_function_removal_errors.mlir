// RUN: heddle-opt --disc-unused-function-removal --split-input-file --verify-diagnostics %s

func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  // expected-note@+1 {{named here by 'func.call'}}
  %0 = call @helper(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-error@+1 {{'func.func' op 'helper' is left beside the entry 'main': run inline first}}
func.func private @helper(%arg0: tensor<f32>) -> tensor<f32> {
  return %arg0 : tensor<f32>
}

// -----

func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  // expected-note@+1 {{named here by 'func.call'}}
  %0 = call @a(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-error@+1 {{'func.func' op 'a' is left beside the entry 'main': it is recursive}}
func.func private @a(%arg0: tensor<f32>) -> tensor<f32> {
  // expected-note@+1 {{named here by 'func.call'}}
  %0 = call @b(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-error@+1 {{'func.func' op 'b' is left beside the entry 'main': it is recursive}}
func.func private @b(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @a(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  // expected-note@+1 {{named here by 'func.call'}}
  %0 = call @outside(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// expected-error@+1 {{'func.func' op 'outside' is left beside the entry 'main': it has no body}}
func.func private @outside(%arg0: tensor<f32>) -> tensor<f32>

// -----

// expected-error@+1 {{expected one entry function: main, tao_main, or a single public one; got 2 public: 'a', 'b'; --entry selects one}}
module {
  func.func @a() { return }
  func.func @b() { return }
}

// -----

// expected-error@+1 {{'func.func' op 'main' is the entry and has no body}}
func.func private @main()

// -----

// expected-error@+1 {{'add' is a kernel, expected a func.func as the entry; `heddle eval --grid` runs a kernel}}
tt.func public @add(%x: !tt.ptr<f32>) {
  tt.return
}
