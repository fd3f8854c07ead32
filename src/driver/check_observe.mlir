// RUN: not heddle check %s 2>&1 | FileCheck %s
// RUN: not heddle check %s --target=cpu 2>&1 | FileCheck %s
// Check ops, prints and probes judge where they stand: in called functions, branches, loops and processes.
// CHECK: 'called' passed
// CHECK: 'check.expect_eq' op 1 of 2 elements differ: at [0] expected 3, got 2
// CHECK: 'called_wrong' failed
// CHECK: 'branch' passed
// CHECK: tensor<2xf32> [1, 2]
// CHECK: tensor<2xf32> [2, 4]
// CHECK: tensor<2xf32> [4, 8]
// CHECK-NOT: tensor<2xf32> [8, 16]
// CHECK: 'loop' passed
// CHECK: 'check.expect_serialized_eq' op
// CHECK: 'loop_wrong' failed
// CHECK: 'check.expect_almost_eq' op 1 of 1 elements differ: at [0] expected 2, got 1
// CHECK: 'processes' failed
// CHECK: 3 passed, 3 failed
func.func private @expect(%x: tensor<2xf32>) {
  check.expect_eq_const %x, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}
func.func @called() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  call @expect(%0) : (tensor<2xf32>) -> ()
  return
}
func.func private @expect_other(%x: tensor<?xf32>) {
  %c = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  "check.expect_eq"(%x, %c) : (tensor<?xf32>, tensor<2xf32>) -> ()
  return
}
func.func @called_wrong() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %n = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  %1 = stablehlo.dynamic_reshape %0, %n : (tensor<2xf32>, tensor<1xi32>) -> tensor<?xf32>
  call @expect_other(%1) : (tensor<?xf32>) -> ()
  return
}
func.func @branch() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %p = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.if"(%p) ({
    check.expect_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf32>
    stablehlo.return %a : tensor<2xf32>
  }, {
    check.expect_eq_const %a, dense<[1.0, 3.0]> : tensor<2xf32>
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  check.expect_eq %0, %a : tensor<2xf32>
  return
}
func.func @loop() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %three = stablehlo.constant dense<3> : tensor<i64>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i64>, tensor<2xf32>
  cond {
    %c = stablehlo.compare LT, %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    interpreter.print %x : tensor<2xf32>
    %p = interpreter.probe %x, probe_id = "x" : tensor<2xf32>
    %j = stablehlo.add %i, %one : tensor<i64>
    %y = stablehlo.add %p, %p : tensor<2xf32>
    stablehlo.return %j, %y : tensor<i64>, tensor<2xf32>
  }
  %second = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %third = stablehlo.constant dense<[4.0, 8.0]> : tensor<2xf32>
  check.expect_serialized_eq %second, probe = "x", iter = 2 : tensor<2xf32>
  check.expect_serialized_eq %third, probe = "x", iter = 3 : tensor<2xf32>
  check.expect_eq_const %r#1, dense<[8.0, 16.0]> : tensor<2xf32>
  return
}
func.func @loop_wrong() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = interpreter.probe %a, probe_id = "y" : tensor<2xf32>
  %1 = stablehlo.add %0, %a : tensor<2xf32>
  check.expect_serialized_eq %1, probe = "y" : tensor<2xf32>
  return
}
func.func private @p(%x: tensor<1xf32>) -> tensor<1xf32> {
  %0 = stablehlo.add %x, %x : tensor<1xf32>
  "check.expect_almost_eq"(%0, %x) {tolerance = 1.5 : f64} : (tensor<1xf32>, tensor<1xf32>) -> ()
  return %0 : tensor<1xf32>
}
func.func @processes() {
  %a = stablehlo.constant dense<1.0> : tensor<1xf32>
  %b = stablehlo.constant dense<0.5> : tensor<1xf32>
  %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@p], [@p]]} : (tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  check.expect_almost_eq %r#1, %r#0 : tensor<1xf32>
  return
}
