// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --parallel-loop-split --split-input-file --verify-diagnostics %s

func.func @nest(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{is no flat loop from 0 in steps of 1, expected disc-loop-coalescing before}}
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    scf.reduce
  }
  return
}

// -----

func.func @barrier(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{has a barrier: expected a range that is a known multiple of the block size, 256}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    gpu.barrier
    scf.reduce
  }
  return
}

// -----

func.func @threads(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{has 2048 threads a block, expected 1 to 1024}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.reduce
  } {hd.threads = 2048 : i64}
  return
}

// -----

func.func @inner(%m: memref<?x?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{holds another parallel loop: expected one nest, which disc-loop-coalescing makes flat}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %m[%i, %i] : memref<?x?xf32>
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      memref.store %x, %m[%i, %j] : memref<?x?xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
