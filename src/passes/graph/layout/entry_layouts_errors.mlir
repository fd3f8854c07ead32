// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics --pass-pipeline=entry-layouts

// expected-error@+1 {{has argument 0 laid out as {0,0}; expected its 2 dims, from minor to major, and no tiles}}
func.func @main(%x: tensor<3x4xf32> {mhlo.layout_mode = "{0,0}"}) -> tensor<3x4xf32> {
  return %x : tensor<3x4xf32>
}

// -----

// expected-error@+1 {{has result 0 laid out as {1,0:T(8,128)}; expected its 2 dims, from minor to major, and no tiles}}
func.func @main(%x: tensor<3x4xf32>) -> (tensor<3x4xf32> {mhlo.layout_mode = "{1,0:T(8,128)}"}) {
  return %x : tensor<3x4xf32>
}

// -----

// expected-error@+1 {{has argument 0 laid out as {0}; expected its 2 dims}}
func.func @main(%x: tensor<3x4xf32> {mhlo.layout_mode = "{0}"}) -> tensor<3x4xf32> {
  return %x : tensor<3x4xf32>
}

// -----

// expected-error@+1 {{has argument 0 of unknown dims laid out as {0,1}; expected row major}}
func.func @main(%x: tensor<?x4xf32> {mhlo.layout_mode = "{0,1}"}) -> tensor<?x4xf32> {
  return %x : tensor<?x4xf32>
}
