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

// One of a row's cases: a misspelt one would say nothing, as an absent one does.
func.func @case(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hd.placed = "graph"} {
  %0 = stablehlo.add %x, %x {hd.kind = "row", hd.placement = ["device"], hd.rounds = "f16", hd.schedule = "tile-large-whole", hd.vector_of = "all"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @kind(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{attribute 'hd.kind' must be a string, one of loop, row, column, gemm, product, but got "rows"}}
  %0 = stablehlo.add %x, %x {hd.kind = "rows"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @schedule(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{attribute 'hd.schedule' must be a string, one of loop, row-one-round, row-two-rounds, parts, transpose, tile-thin, tile-small, tile-large, tile-large-whole, but got "row-one-rounds"}}
  %0 = stablehlo.add %x, %x {hd.schedule = "row-one-rounds"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @vector_of(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{attribute 'hd.vector_of' must be a string, one of all, rows, but got "row"}}
  %0 = stablehlo.add %x, %x {hd.vector_of = "row"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @rounds(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{attribute 'hd.rounds' must be a string, one of bf16, f16, but got "f32"}}
  %0 = stablehlo.add %x, %x {hd.rounds = "f32"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_string(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{attribute 'hd.kind' must be a string, one of loop, row, column, gemm, product, but got 1 : i64}}
  %0 = stablehlo.add %x, %x {hd.kind = 1 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @empty(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{attribute 'hd.kind' must be a string, one of loop, row, column, gemm, product, but got ""}}
  %0 = stablehlo.add %x, %x {hd.kind = ""} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{attribute 'hd.placed' must be a string, one of graph, buffers, but got "graphs"}}
func.func @placed(%x: tensor<4xf32>) attributes {hd.placed = "graphs"} {
  return
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
