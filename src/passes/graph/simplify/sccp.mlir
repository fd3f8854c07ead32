// RUN: heddle-opt --sccp --split-input-file %s | FileCheck %s
// RUN: heddle-opt --sccp=simplify-branches --split-input-file %s | FileCheck %s --check-prefix=SIMPLE

// Only the branch that a constant chooses gives the result.
// CHECK-LABEL: @if_known
// CHECK: %[[C:.+]] = stablehlo.constant dense<5.000000e+00> : tensor<f32>
// CHECK: stablehlo.add %arg0, %[[C]]
// SIMPLE-LABEL: @if_known
// SIMPLE-NOT: stablehlo.if
// EVAL: if_known
func.func @if_known(%arg0: tensor<f32>) -> tensor<f32> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = "stablehlo.if"(%true) ({
    %1 = stablehlo.add %two, %three : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %arg0 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %2 = stablehlo.add %arg0, %0 : tensor<f32>
  return %2 : tensor<f32>
}

// -----

// Both branches give the same constant.
// CHECK-LABEL: @if_same
// CHECK-NOT: stablehlo.if
// CHECK: return %c_{{.+}} : tensor<i32>
// EVAL: if_same
func.func @if_same(%p: tensor<i1>) -> tensor<i32> {
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %4 = stablehlo.constant dense<4> : tensor<i32>
  %7 = stablehlo.constant dense<7> : tensor<i32>
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.add %3, %4 : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    stablehlo.return %7 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// An index outside takes the last branch.
// CHECK-LABEL: @case_outside
// CHECK: %[[C:.+]] = stablehlo.constant dense<2> : tensor<i32>
// CHECK: return %[[C]]
// SIMPLE-LABEL: @case_outside
// SIMPLE-NOT: stablehlo.case
// EVAL: case_outside
func.func @case_outside(%x: tensor<i32>) -> tensor<i32> {
  %index = stablehlo.constant dense<-1> : tensor<i32>
  %0 = "stablehlo.case"(%index) ({
    stablehlo.return %x : tensor<i32>
  }, {
    %2 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// A carried value that the body gives back unchanged in value stays a constant round the loop; the counter varies.
// CHECK-LABEL: @while_carried
// CHECK: stablehlo.while
// CHECK: do
// CHECK: %[[C:.+]] = stablehlo.constant dense<1> : tensor<i32>
// CHECK: stablehlo.add %{{.+}}, %[[C]]
// CHECK: %[[R:.+]] = stablehlo.constant dense<1> : tensor<i32>
// CHECK: return %{{.+}}, %[[R]]
// EVAL: while_carried
func.func @while_carried(%n: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %step = %one) : tensor<i32>, tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %step : tensor<i32>
      %2 = stablehlo.multiply %step, %step : tensor<i32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
    }
  return %0#0, %0#1 : tensor<i32>, tensor<i32>
}

// -----

// The body never runs.
// CHECK-LABEL: @while_never
// CHECK: %[[C:.+]] = stablehlo.constant dense<3> : tensor<i32>
// CHECK: return %[[C]]
// SIMPLE-LABEL: @while_never
// SIMPLE-NOT: stablehlo.while
// EVAL: while_never
func.func @while_never(%x: tensor<i32>) -> tensor<i32> {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.while(%i = %three) : tensor<i32>
    cond {
      %1 = stablehlo.compare GT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %x : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  return %0 : tensor<i32>
}

// -----

// Through a private function that only calls name; a public one may be called with anything.
// CHECK-LABEL: @calls
// CHECK: %[[C:.+]] = stablehlo.constant dense<6> : tensor<i32>
// CHECK: return %[[C]]
// EVAL: calls
func.func @calls() -> tensor<i32> {
  %0 = stablehlo.constant dense<3> : tensor<i32>
  %1 = call @twice(%0) : (tensor<i32>) -> tensor<i32>
  %2 = call @twice(%0) : (tensor<i32>) -> tensor<i32>
  return %2 : tensor<i32>
}
// CHECK-LABEL: func.func private @twice
// CHECK: stablehlo.constant dense<6>
func.func private @twice(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %x : tensor<i32>
  return %0 : tensor<i32>
}
// CHECK-LABEL: @open
// CHECK: stablehlo.add %arg0, %arg0
func.func @open(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %x : tensor<i32>
  return %0 : tensor<i32>
}

// -----

// Two calls with different constants: the argument varies.
// CHECK-LABEL: @callers
// CHECK: call @callee
// CHECK-LABEL: func.func private @callee
// CHECK: stablehlo.add %arg0, %arg0
func.func @callers() -> (tensor<i32>, tensor<i32>) {
  %0 = stablehlo.constant dense<3> : tensor<i32>
  %1 = stablehlo.constant dense<4> : tensor<i32>
  %2 = call @callee(%0) : (tensor<i32>) -> tensor<i32>
  %3 = call @callee(%1) : (tensor<i32>) -> tensor<i32>
  return %2, %3 : tensor<i32>, tensor<i32>
}
func.func private @callee(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %x : tensor<i32>
  return %0 : tensor<i32>
}

// -----

// CHECK-LABEL: @blocks
// CHECK: arith.constant 1 : i32
// CHECK: cf.cond_br %true
// CHECK: %[[C:.+]] = arith.constant 1 : i32
// CHECK: return %[[C]]
// SIMPLE-LABEL: @blocks
// SIMPLE-NOT: cf.cond_br
// SIMPLE: cf.br
// SIMPLE-NOT: %arg0 : i32
func.func @blocks(%arg0: i32) -> i32 {
  %true = arith.constant true
  %c1 = arith.constant 1 : i32
  cf.cond_br %true, ^bb1, ^bb2(%arg0 : i32)
^bb1:
  cf.br ^bb2(%c1 : i32)
^bb2(%0: i32):
  return %0 : i32
}

// -----

// A loop of blocks: the value that comes round is the one that went in.
// CHECK-LABEL: @round
// CHECK: ^bb1(%{{.+}}: i32):
// CHECK: %[[C:.+]] = arith.constant 1 : i32
// CHECK: ^bb3
// CHECK: return %[[C]]
func.func @round(%p: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.br ^bb1(%c1 : i32)
^bb1(%0: i32):
  cf.cond_br %p, ^bb2, ^bb3
^bb2:
  %1 = arith.muli %0, %c1 : i32
  cf.br ^bb1(%1 : i32)
^bb3:
  return %0 : i32
}

// -----

// CHECK-LABEL: @switch
// CHECK: %[[C:.+]] = arith.constant 20 : i32
// CHECK: return %[[C]]
// SIMPLE-LABEL: @switch
// SIMPLE-NOT: cf.switch
func.func @switch(%arg0: i32) -> i32 {
  %flag = arith.constant 2 : i32
  %c10 = arith.constant 10 : i32
  %c20 = arith.constant 20 : i32
  cf.switch %flag : i32, [
    default: ^bb1(%arg0 : i32),
    1: ^bb1(%c10 : i32),
    2: ^bb1(%c20 : i32)
  ]
^bb1(%0: i32):
  return %0 : i32
}

// -----

// CHECK-LABEL: @for
// CHECK: %[[C:.+]] = arith.constant 0 : i32
// CHECK: return %[[C]]
func.func @for(%lb: index, %ub: index, %step: index) -> i32 {
  %c0 = arith.constant 0 : i32
  %r = scf.for %i = %lb to %ub step %step iter_args(%x = %c0) -> i32 {
    %0 = arith.addi %x, %c0 : i32
    scf.yield %0 : i32
  }
  return %r : i32
}

// -----

// CHECK-LABEL: @scf_while
// CHECK: %[[C:.+]] = arith.constant 0 : i32
// CHECK: return %[[C]]
func.func @scf_while(%p: i1) -> i32 {
  %c0 = arith.constant 0 : i32
  %r = scf.while (%x = %c0) : (i32) -> i32 {
    scf.condition(%p) %x : i32
  } do {
  ^bb0(%y: i32):
    %0 = arith.addi %y, %y : i32
    scf.yield %0 : i32
  }
  return %r : i32
}

// -----

// Regions of other ops: arguments vary, constants inside fold where they stand.
// CHECK-LABEL: @reducer
// CHECK: stablehlo.reduce
// CHECK: stablehlo.constant dense<5.000000e+00> : tensor<f32>
// EVAL: reducer arg0=4x3
func.func @reducer(%x: tensor<?x3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %two = stablehlo.constant dense<2.0> : tensor<f32>
    %three = stablehlo.constant dense<3.0> : tensor<f32>
    %five = stablehlo.add %two, %three : tensor<f32>
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    %2 = stablehlo.maximum %1, %five : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<?x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Of unknown size: an op on constants whose result type says less than they do is left alone.
// CHECK-LABEL: @unknown_size
// CHECK: stablehlo.add
// EVAL: unknown_size
func.func @unknown_size() -> tensor<?xi32> {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.add %0, %0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<?xi32>
  return %1 : tensor<?xi32>
}
