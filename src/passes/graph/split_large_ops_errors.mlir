// RUN: heddle-opt --disc-split-large-ops=max-param-bytes=100 --split-input-file --verify-diagnostics %s

func.func @sort(%0: tensor<?xf32>, %1: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
  // expected-error@+1 {{'stablehlo.sort' op takes 160 bytes of parameters for 2 operands, expected at most 100, and it cannot be divided}}
  %2:2 = "stablehlo.sort"(%0, %1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %3 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
  return %2#0, %2#1 : tensor<?xf32>, tensor<?xi32>
}

// -----

func.func @concat(%0: tensor<1x?xf32>) -> tensor<2x?xf32> {
  // expected-error@+1 {{two operands do not fit: expected at least 168 bytes, got 100}}
  %1 = stablehlo.concatenate %0, %0, dim = 0 : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}
