// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --cse --split-input-file %s | FileCheck %s

// Rows that only change places: a loop over those of a run is inside of the one that counts through the dims around it.
// CHECK-LABEL: func.func private @loop_transpose_0
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.load
// CHECK: vector.store
func.func @heads(%x: tensor<?x?x8x64xf32>) -> tensor<?x8x?x64xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1, 3] : (tensor<?x?x8x64xf32>) -> tensor<?x8x?x64xf32>
  return %0 : tensor<?x8x?x64xf32>
}

// -----

// Each pixel twice: rows of one vector, several to a step.
// CHECK-LABEL: func.func private @loop_broadcast_in_dim_0
// CHECK-COUNT-2: vector.store
// CHECK-NOT: vector.store
func.func @repeated(%x: tensor<9x7x16xf32>) -> tensor<9x7x2x16xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1, 3] : (tensor<9x7x16xf32>) -> tensor<9x7x2x16xf32>
  return %0 : tensor<9x7x2x16xf32>
}

// -----

// Two lines of an image to a row: lanes are groups of neighbours, which vectors and shuffles make.
// CHECK-LABEL: func.func private @loop_transpose_0
// CHECK-NOT: vector.gather
// CHECK: vector.shuffle
// CHECK-NOT: vector.gather
// CHECK: return
func.func @depth(%x: tensor<?x28x2x28x2x3xf32>) -> tensor<?x28x28x2x2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 1, 3, 2, 4, 5] : (tensor<?x28x2x28x2x3xf32>) -> tensor<?x28x28x2x2x3xf32>
  return %0 : tensor<?x28x28x2x2x3xf32>
}
