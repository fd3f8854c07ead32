// RUN: not heddle run %s --random 1 --no-cache 2>&1 | FileCheck %s
// RUN: not heddle compile %s -o %t --custom-calls-later 2>&1 | FileCheck %s

// An expectation without a result is for `heddle check` alone.
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: compile_expectation.mlir:[[@LINE+1]]:{{[0-9]+}}: error: 'stablehlo.custom_call' op checks without a result, as 'heddle check' does alone: expected the result tensor<i1>, got none
  stablehlo.custom_call @check.eq(%x, %x) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return %x : tensor<2xf32>
}
