// RUN: not heddle check %s 2>&1 | FileCheck %s
// Custom calls that mean something here: expectations, dynamic forms, ops by name, assertions.
// CHECK: assertion failed: n is 3, k is 4
// CHECK: 'unknown' failed
// CHECK: 5 passed, 2 failed
func.func @expectations() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.0001, 2.0]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_almost_eq(%a, %b) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_close(%a, %a) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%a, %a) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}
func.func private @larger(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.maximum %a, %b : tensor<i32>
  return %0 : tensor<i32>
}
func.func @dynamic_reduce_window() {
  %x = stablehlo.constant dense<[[1, 5, 2], [7, 3, 4]]> : tensor<2x3xi32>
  %z = stablehlo.constant dense<-9> : tensor<i32>
  %size = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %one = stablehlo.constant dense<1> : tensor<2xi64>
  %pad = stablehlo.constant dense<0> : tensor<2x2xi64>
  %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %size, %one, %one, %one, %pad) {called_computations = [@larger]} : (tensor<2x3xi32>, tensor<i32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2x2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[5, 5], [7, 4]]> : tensor<2x2xi32>
  return
}
func.func @dynamic_top_k() {
  %x = stablehlo.constant dense<[1, 5, 2]> : tensor<3xi32>
  %k = stablehlo.constant dense<2> : tensor<i32>
  %v, %i = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<3xi32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %v, dense<[5, 2]> : tensor<2xi32>
  check.expect_eq_const %i, dense<[1, 2]> : tensor<2xi32>
  return
}
func.func @dynamic_random_bits() {
  %s = stablehlo.constant dense<[5, 7]> : tensor<2xui64>
  %n = stablehlo.constant dense<[4]> : tensor<1xi64>
  %t, %r = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi64>) -> (tensor<2xui64>, tensor<?xui32>)
  %u, %q = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %f = stablehlo.convert %r : (tensor<?xui32>) -> tensor<?xi64>
  %g = stablehlo.convert %q : (tensor<4xui32>) -> tensor<4xi64>
  check.expect_eq %t, %u : tensor<2xui64>
  %h = stablehlo.custom_call @Sharding(%g) : (tensor<4xi64>) -> tensor<4xi64>
  stablehlo.custom_call @check.expect_eq(%f, %h) {has_side_effect = true} : (tensor<?xi64>, tensor<4xi64>) -> ()
  return
}
func.func @by_name() {
  %x = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %r = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %r, dense<[0.0, 0.842700779]> : tensor<2xf32>
  %y = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi32>
  %v, %i = stablehlo.custom_call @mhlo.topk(%y) {mhlo.attributes = {k = 2 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<3xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %v, dense<[1, 2]> : tensor<2xi32>
  return
}
func.func @assertion() {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %k = stablehlo.constant dense<4> : tensor<i32>
  stablehlo.custom_call @shape_assertion(%p, %n, %k) {error_message = "n is {0}, k is {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return
}
func.func @unknown() {
  stablehlo.custom_call @nobody() {has_side_effect = true} : () -> ()
  return
}
