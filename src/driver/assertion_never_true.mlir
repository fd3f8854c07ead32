// SPDX-License-Identifier: Apache-2.0
// The message of an assertion that is never true has its operands' values where they are constants, else their expressions.
// RUN: not heddle compile %s -o %t.hdl 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: not heddle eval %s --random 0 --dims d0=3 2>&1 | FileCheck %s --check-prefix=EVAL --implicit-check-not=heddle:
// COMPILE: error: 'stablehlo.custom_call' op is never true: expected 7, got d0 {2} {x
// EVAL: error: 'stablehlo.custom_call' op assertion failed: expected 7, got 3 {2} {x
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %never = stablehlo.constant dense<false> : tensor<i1>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  stablehlo.custom_call @shape_assertion(%never, %n, %seven) {api_version = 2 : i32, error_message = "expected {1}, got {0} {2} {x", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return %x : tensor<?xf32>
}
