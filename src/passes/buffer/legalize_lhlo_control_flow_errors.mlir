// RUN: heddle-opt --legalize-lhlo-control-flow --split-input-file --verify-diagnostics %s

func.func @device(%p: memref<i1, #gpu.address_space<global>>) {
  // expected-error@+1 {{'lmhlo.while' op legalize-lhlo-control-flow: expected its predicate as a scalar in host memory}}
  "lmhlo.while"(%p) ({
    "lmhlo.terminator"() : () -> ()
  }, {
    "lmhlo.terminator"() : () -> ()
  }) : (memref<i1, #gpu.address_space<global>>) -> ()
  return
}

// -----

func.func @tensors(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'stablehlo.if' op is on tensors, but legalize-lhlo-control-flow takes buffers: run disc-hlo-legalize-to-lhlo before it}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @while_on_a_number(%p: memref<i32>) {
  // expected-error@+1 {{'lmhlo.while' op legalize-lhlo-control-flow: expected its predicate to be an i1}}
  "lmhlo.while"(%p) ({
    "lmhlo.terminator"() : () -> ()
  }, {
    "lmhlo.terminator"() : () -> ()
  }) : (memref<i32>) -> ()
  return
}

// -----

func.func @if_on_a_float(%p: memref<f32>) {
  // expected-error@+1 {{'lmhlo.if' op legalize-lhlo-control-flow: expected its predicate to be an i1}}
  "lmhlo.if"(%p) ({
    "lmhlo.terminator"() : () -> ()
  }, {
    "lmhlo.terminator"() : () -> ()
  }) : (memref<f32>) -> ()
  return
}

// -----

func.func @case_of_a_byte(%i: memref<i8>) {
  // expected-error@+1 {{'lmhlo.case' op legalize-lhlo-control-flow: expected its predicate to be an index of 32 or 64 bits}}
  "lmhlo.case"(%i) ({
    "lmhlo.terminator"() : () -> ()
  }, {
    "lmhlo.terminator"() : () -> ()
  }) : (memref<i8>) -> ()
  return
}
