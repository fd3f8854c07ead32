// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --lhlo-legalize-to-loop=deterministic --split-input-file --verify-diagnostics %s

func.func @no_row(%a: memref<?x64xf32>, %init: memref<f32>, %r: memref<?xf32>, %o: memref<64xf32>) -> (memref<?xf32>, memref<64xf32>) {
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%a, %init, %r) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x64xf32>, memref<f32>, memref<?xf32>) -> ()
    // expected-error@+1 {{writes neither whole rows of its kernel nor one number a row}}
    "lmhlo.iota"(%o) <{iota_dimension = 0 : i64}> : (memref<64xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  return %r, %o : memref<?xf32>, memref<64xf32>
}

// -----

func.func @threads(%a: memref<8xf32>, %o: memref<8xf32>) -> memref<8xf32> {
  // expected-error@+1 {{has 100 threads a block, expected a power of two from 32 to 1024}}
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%a, %o) : (memref<8xf32>, memref<8xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64, hd.threads = 100 : i64} : () -> ()
  return %o : memref<8xf32>
}

// -----

func.func @sort(%a: memref<8xf32>, %o: memref<8xf32>) -> memref<8xf32> {
  "lmhlo.fusion"() ({
    // expected-error@+1 {{has no GPU schedule inside a fusion}}
    "lmhlo.sort"(%a, %o) <{dimension = 0 : i64, is_stable = false}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) : (memref<8xf32>, memref<8xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %o : memref<8xf32>
}

// -----

func.func @column_read_by_rows(%a: memref<?x?xf32>, %init: memref<f32>, %c: memref<?xf32>, %b: memref<?x?xf32>, %r: memref<?xf32>) -> memref<?xf32> {
  // expected-error@+1 {{has a reduction that its rows cannot take along}}
  "lmhlo.fusion"() ({
    "lmhlo.reduce"(%a, %init, %c) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x?xf32>, memref<f32>, memref<?xf32>) -> ()
    "lmhlo.broadcast_in_dim"(%c, %b) <{broadcast_dimensions = array<i64: 1>}> : (memref<?xf32>, memref<?x?xf32>) -> ()
    "lmhlo.reduce"(%b, %init, %r) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (memref<?x?xf32>, memref<f32>, memref<?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "row", hd.outputs = 0 : i64} : () -> ()
  return %r : memref<?xf32>
}

// -----

// Two results, of which hd.outputs says nothing.
func.func @results(%a: memref<?x8xf32>, %b: memref<?x8xf32>, %i: memref<f32>, %r: memref<?xf32>, %q: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
  "lmhlo.fusion"() ({
    // expected-error@+1 {{has no GPU schedule inside a fusion}}
    "lmhlo.reduce"(%a, %b, %i, %i, %r, %q) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>, %v: tensor<f32>, %w: tensor<f32>):
      %m = stablehlo.multiply %x, %v : tensor<f32>
      %n = stablehlo.multiply %x, %w : tensor<f32>
      stablehlo.return %m, %n : tensor<f32>, tensor<f32>
    }) : (memref<?x8xf32>, memref<?x8xf32>, memref<f32>, memref<f32>, memref<?xf32>, memref<?xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %r, %q : memref<?xf32>, memref<?xf32>
}

// -----

func.func @copy(%a: memref<8xf32, #gpu.address_space<global>>, %o: memref<8xf32>) -> memref<8xf32> {
  // expected-error@+1 {{'lmhlo.copy' op of the host accesses memory of the device: disc-lower-to-library-calls comes before}}
  "lmhlo.copy"(%a, %o) <{hd.placement = ["host"]}> : (memref<8xf32, #gpu.address_space<global>>, memref<8xf32>) -> ()
  return %o : memref<8xf32>
}
