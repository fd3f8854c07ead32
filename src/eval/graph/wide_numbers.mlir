// RUN: not heddle check %s 2>&1 | FileCheck %s
// The evaluator has no numbers of more than 64 bits, and says which type it was.

// CHECK: error: 'stablehlo.constant' op the evaluator has no elements of type i128
func.func @tensor() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi128>
  return
}

// CHECK: error: 'arith.constant' op the evaluator has no elements of type f80
func.func @scalar() {
  %0 = arith.constant 5.0 : f80
  return
}

// CHECK: error: 'stablehlo.constant' op the evaluator has no elements of type complex<f128>
func.func @pair() {
  %0 = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f128>>
  return
}

// CHECK: error: 'complex.constant' op the evaluator has no elements of type f80
func.func @parts() {
  %0 = complex.constant [3.0 : f80, -4.0 : f80] : complex<f80>
  return
}
// CHECK: 0 passed, 4 failed
