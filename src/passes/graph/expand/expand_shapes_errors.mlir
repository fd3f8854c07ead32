// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --hlo-expand --split-input-file --verify-diagnostics %s

// More than there are, which nobody but the expansion of the op sees.
func.func @most(%x: tensor<4x3xf32>) -> (tensor<4x?xf32>, tensor<4x?xi32>) {
  %k = stablehlo.constant dense<100> : tensor<i32>
  // expected-error@+1 {{takes 100 elements of dim 1, expected 0 to 3}}
  %0:2 = "chlo.dynamic_top_k"(%x, %k) : (tensor<4x3xf32>, tensor<i32>) -> (tensor<4x?xf32>, tensor<4x?xi32>)
  return %0#0, %0#1 : tensor<4x?xf32>, tensor<4x?xi32>
}

// -----

func.func @least(%x: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xi32>) {
  %k = stablehlo.constant dense<-7> : tensor<i32>
  // expected-error@+1 {{takes -7 elements of dim 1, expected 0 or more}}
  %0:2 = "chlo.dynamic_top_k"(%x, %k) : (tensor<4x?xf32>, tensor<i32>) -> (tensor<4x?xf32>, tensor<4x?xi32>)
  return %0#0, %0#1 : tensor<4x?xf32>, tensor<4x?xi32>
}
