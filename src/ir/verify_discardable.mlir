// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

// What passes say by `hd.` attributes has a row in ops/discardable.def, and a value of its kind.

func.func @known(%x: tensor<?xf32> {hd.dims = ["n"]}) -> tensor<?xf32> attributes {hd.constraint = []} {
  %0 = stablehlo.add %x, %x {hd.node = 3 : i64} : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{has attribute 'hd.nodes', which has no row in ops/discardable.def}}
  %0 = stablehlo.add %x, %x {hd.nodes = 3 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @kind(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'hd.node'}}
  %0 = stablehlo.add %x, %x {hd.node = "three"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{has attribute 'hd.dim', which has no row in ops/discardable.def}}
func.func @argument(%x: tensor<?xf32> {hd.dim = ["n"]}) {
  return
}

// -----

// Attributes of other dialects are theirs.
func.func @others(%x: tensor<4xf32> {any.thing = 1 : i32}) attributes {some.note} {
  return
}
