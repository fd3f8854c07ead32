// RUN: heddle-opt --disc-broadcast-simplifier --split-input-file --verify-diagnostics %s

func.func @differ(%a: tensor<2x3xf32>, %b: tensor<2xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'mhlo.add' op dim 0 of operand 1 is 2, expected dim 1 of operand 0, which is 3}}
  %0 = "mhlo.add"(%a, %b) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @outside(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'mhlo.add' op expects broadcast_dimensions in [0, 2), got 2}}
  %0 = "mhlo.add"(%a, %b) {broadcast_dimensions = dense<2> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @elements(%a: tensor<2x3xf32>, %b: tensor<3xi32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'mhlo.add' op requires compatible types for all operands and results}}
  %0 = "mhlo.add"(%a, %b) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<3xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
