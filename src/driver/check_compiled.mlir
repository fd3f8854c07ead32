// RUN: not heddle check %s --target=cpu 2>&1 | FileCheck %s
// The check ops judge what compiled code gives.
// CHECK: 'add' passed
// CHECK: 'check.expect_eq' op 2 of 2 elements differ
// CHECK: 'wrong' failed
// CHECK: 'only_result' passed
// CHECK: tensor<2xf32> [2, 4]
// CHECK: 'shows' passed
// CHECK: 'between' passed
// CHECK: 'check.expect_eq_const' op 1 of 2 elements differ: at [1] expected 7, got 8
// CHECK: 'after' failed
// CHECK: 'other_program' passed
// CHECK: 'too_few' on target cpu: run_parallel: the programs take and give other numbers of values than 1 and 2
// CHECK: 'all' passed
// CHECK: 6 passed, 3 failed
func.func @add() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = stablehlo.add %a, %a : tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[2.0, 4.0], [6.0, 8.0]]> : tensor<2x2xf32>
  return
}
func.func @wrong() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.exponential %a : tensor<2xf32>
  check.expect_eq %0, %a : tensor<2xf32>
  return
}
// Without expectations it is enough that it runs.
func.func @only_result() -> tensor<2xf32> {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @shows() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  interpreter.print %0 : tensor<2xf32>
  return
}
func.func private @sum(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// What one run of processes gives, another takes; ops stand before, between and after.
func.func @between() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.add %a, %a : tensor<2xi32>
  %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@sum], [@sum]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r#1, dense<[3, 6]> : tensor<2xi32>
  %c = stablehlo.multiply %r#0, %b : tensor<2xi32>
  %q:2 = "interpreter.run_parallel"(%c, %r#1) {programs = [[@sum], [@sum]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  %d = stablehlo.subtract %q#0, %b : tensor<2xi32>
  check.expect_eq_const %d, dense<[7, 26]> : tensor<2xi32>
  return
}
func.func @after() {
  %a = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %r:2 = "interpreter.run_parallel"(%a, %a) {programs = [[@sum], [@sum]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[2, 7]> : tensor<2xi32>
  return
}
func.func private @place(%x: tensor<2xi32>) -> (tensor<ui32>, tensor<ui32>) {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.partition_id : tensor<ui32>
  return %0, %1 : tensor<ui32>, tensor<ui32>
}
func.func private @nowhere() -> tensor<ui32> {
  %0 = stablehlo.partition_id : tensor<ui32>
  return %0 : tensor<ui32>
}
func.func @other_program() {
  %a = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %r:5 = "interpreter.run_parallel"(%a) {programs = [[@nowhere, @nowhere], [@nowhere, @place]]} : (tensor<2xi32>) -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
  check.expect_eq_const %r#1, dense<1> : tensor<ui32>
  check.expect_eq_const %r#2, dense<0> : tensor<ui32>
  check.expect_eq_const %r#3, dense<1> : tensor<ui32>
  check.expect_eq_const %r#4, dense<1> : tensor<ui32>
  return
}
func.func @too_few() {
  %a = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %r:2 = "interpreter.run_parallel"(%a) {programs = [[@sum], [@sum]]} : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return
}
// No groups are one of all the processes that run_parallel starts.
func.func private @sum_of_all(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @all() {
  %a = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %r:3 = "interpreter.run_parallel"(%a, %a, %a) {programs = [[@sum_of_all], [@sum_of_all], [@sum_of_all]]} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r#2, dense<[3, 12]> : tensor<2xi32>
  return
}
