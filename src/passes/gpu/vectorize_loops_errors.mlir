// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-vectorize-loops --split-input-file --verify-diagnostics %s

func.func @nest(%a: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-error@+1 {{is no flat loop without results, expected disc-loop-coalescing before}}
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    scf.reduce
  } {hd.vector = 4 : i64, hd.vector_of = "all"}
  return
}

// -----

func.func @width(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-error@+1 {{has hd.vector 3, expected a power of two from 2 to 16}}
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    scf.reduce
  } {hd.vector = 3 : i64}
  return
}
