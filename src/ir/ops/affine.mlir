// SPDX-License-Identifier: Apache-2.0
// What the rows accept and print in generic form is what MLIR has: there and back through both, nothing changes.
// REQUIRES: mlir-opt
// RUN: mlir-opt --mlir-print-op-generic %s -o %t.ref
// RUN: heddle-opt --mlir-print-op-generic %t.ref -o %t.heddle
// RUN: mlir-opt --mlir-print-op-generic %t.heddle -o %t.back
// RUN: diff %t.ref %t.back
#set = affine_set<(d0) : (d0 - 4 >= 0)>
func.func @loops(%m: memref<?x8xf32>, %n: index, %x: f32, %i: index) {
  affine.for %a = 0 to %n {
    %0 = affine.load %m[%a, 3] : memref<?x8xf32>
    affine.store %0, %m[%a, 0] : memref<?x8xf32>
    affine.if #set(%a) {
      affine.store %x, %m[%a, 1] : memref<?x8xf32>
    } else {
      affine.store %x, %m[%a, 2] : memref<?x8xf32>
    }
    affine.prefetch %m[%a, 0], read, locality<2>, data : memref<?x8xf32>
    %v = affine.vector_load %m[%a, 0] : memref<?x8xf32>, vector<8xf32>
    affine.vector_store %v, %m[%a, 0] : memref<?x8xf32>, vector<8xf32>
  }
  %s = affine.for %a = 0 to 10 iter_args(%acc = %x) -> (f32) {
    affine.yield %acc : f32
  }
  affine.parallel (%p, %q) = (0, 0) to (10, 20) step (2, 1) {
    affine.store %x, %m[%p, 0] : memref<?x8xf32>
  }
  %1 = affine.max affine_map<(d0)[s0] -> (d0, s0, 7)>(%i)[%n]
  %2:2 = affine.delinearize_index %i into (4, 8) : index, index
  %3 = affine.linearize_index [%i, %n] by (4, 8) : index
  %4 = affine.linearize_index disjoint [%i, %n] by (%i, 8) : index
  return
}
