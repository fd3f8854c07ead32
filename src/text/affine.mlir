// REQUIRES: mlir-opt
// RUN: heddle-opt %s --verify-roundtrip > %t.heddle
// RUN: mlir-opt %s > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: heddle-opt %s --mlir-print-op-generic > %t.heddle
// RUN: mlir-opt %s --mlir-print-op-generic > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: mlir-opt %t.heddle | heddle-opt > %t.again
// RUN: heddle-opt %s > %t.heddle
// RUN: diff %t.heddle %t.again
#map = affine_map<(d0)[s0] -> (d0 + s0 * 2)>
#set = affine_set<(d0)[s0] : (d0 - 10 >= 0, s0 - d0 == 0)>
func.func @a(%m: memref<?x?xf32>, %n: index, %f: f32) -> f32 {
  %a = affine.apply #map(%n)[%n]
  %b = affine.min affine_map<(d0) -> (d0, 128)>(%n)
  %c = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%n)[%n]
  affine.for %i = 0 to 10 {
    affine.for %j = #map(%i)[%n] to min affine_map<(d0) -> (d0 + 4, 100)>(%i) step 2 {
      %x = affine.load %m[%i + 1, %j * 2 - 3] : memref<?x?xf32>
      affine.store %x, %m[%i, %j + symbol(%n)] : memref<?x?xf32>
      %v = affine.vector_load %m[%i, %j] : memref<?x?xf32>, vector<4xf32>
      affine.vector_store %v, %m[%i mod 4, %j floordiv 2] : memref<?x?xf32>, vector<4xf32>
      affine.prefetch %m[%i, %j], read, locality<3>, data : memref<?x?xf32>
      affine.if #set(%i)[%n] {
        affine.store %x, %m[%i, %j] : memref<?x?xf32>
      } else {
        affine.store %f, %m[%i, %j] : memref<?x?xf32>
      }
    }
  }
  %s = affine.for %i = 0 to %n iter_args(%acc = %f) -> (f32) {
    %x = affine.load %m[%i, 0] : memref<?x?xf32>
    %y = arith.addf %acc, %x : f32
    affine.yield %y : f32
  }
  %r = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> f32 {
    affine.yield %s : f32
  } else {
    affine.yield %f : f32
  }
  affine.parallel (%i, %j) = (0, 0) to (10, symbol(%n)) step (2, 1) {
    affine.store %f, %m[%i, %j] : memref<?x?xf32>
  }
  %p = affine.parallel (%i) = (max(0, %n)) to (min(10, %n + 5)) reduce ("addf") -> (f32) {
    affine.yield %f : f32
  }
  %d:2 = affine.delinearize_index %n into (16, 8) : index, index
  return %r : f32
}

// An optional unit is printed where it was written, and only there.
func.func @disjoint(%i: index, %n: index) -> (index, index) {
  %0 = affine.linearize_index disjoint [%i, %i] by (%n, 4) : index
  %1 = affine.linearize_index [%i, %i] by (%n, 4) : index
  return %0, %1 : index, index
}
