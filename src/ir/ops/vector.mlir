// SPDX-License-Identifier: Apache-2.0
// What the rows accept and print in generic form is what MLIR has: there and back through both, nothing changes.
// REQUIRES: mlir-opt
// RUN: mlir-opt --mlir-print-op-generic %s -o %t.ref
// RUN: heddle-opt --mlir-print-op-generic %t.ref -o %t.heddle
// RUN: mlir-opt --mlir-print-op-generic %t.heddle -o %t.back
// RUN: diff %t.ref %t.back
func.func @vec(%m: memref<?x8xf32>, %i: index, %x: f32, %v: vector<8xf32>, %w: vector<4x8xf32>, %k: vector<8xi1>, %ix: vector<8xi32>, %m1: memref<?xf32>) {
  %0 = vector.load %m[%i, %i] : memref<?x8xf32>, vector<8xf32>
  vector.store %v, %m[%i, %i] : memref<?x8xf32>, vector<8xf32>
  %1 = vector.maskedload %m[%i, %i], %k, %v : memref<?x8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.maskedstore %m[%i, %i], %k, %v : memref<?x8xf32>, vector<8xi1>, vector<8xf32>
  %2 = vector.gather %m1[%i] [%ix], %k, %v : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.scatter %m1[%i] [%ix], %k, %v : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  %3 = vector.broadcast %x : f32 to vector<4x8xf32>
  %4 = vector.fma %v, %v, %v : vector<8xf32>
  %5 = vector.extract %w[1] : vector<8xf32> from vector<4x8xf32>
  %6 = vector.extract %w[1, %i] : f32 from vector<4x8xf32>
  %7 = vector.insert %x, %v [%i] : f32 into vector<8xf32>
  %8 = vector.insert %v, %w [2] : vector<8xf32> into vector<4x8xf32>
  %9 = vector.shuffle %v, %v [0, 8, 1, 9] : vector<8xf32>, vector<8xf32>
  %10 = vector.reduction <add>, %v : vector<8xf32> into f32
  %11 = vector.reduction <maximumf>, %v, %x fastmath<nnan> : vector<8xf32> into f32
  %12 = vector.multi_reduction <mul>, %w, %v [0] : vector<4x8xf32> to vector<8xf32>
  %13 = vector.create_mask %i : vector<8xi1>
  %14 = vector.constant_mask [3] : vector<8xi1>
  %15 = vector.step : vector<8xindex>
  %16 = vector.bitcast %v : vector<8xf32> to vector<8xi32>
  %17 = vector.shape_cast %w : vector<4x8xf32> to vector<32xf32>
  %18 = vector.transpose %w, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %20 = vector.broadcast %x : f32 to vector<4x4xf32>
  %19 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %w, %18, %20 : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  %21 = vector.transfer_read %m[%i, %i], %x {in_bounds = [true]} : memref<?x8xf32>, vector<8xf32>
  vector.transfer_write %v, %m[%i, %i] {in_bounds = [true]} : vector<8xf32>, memref<?x8xf32>
  %22 = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  %23 = vector.insert_strided_slice %22, %v {offsets = [1], strides = [1]} : vector<4xf32> into vector<8xf32>
  %24 = vector.interleave %v, %v : vector<8xf32> -> vector<16xf32>
  %25, %26 = vector.deinterleave %24 : vector<16xf32> -> vector<8xf32>
  %27 = vector.from_elements %x, %x : vector<2xf32>
  %28:2 = vector.to_elements %27 : vector<2xf32>
  vector.compressstore %m1[%i], %k, %v : memref<?xf32>, vector<8xi1>, vector<8xf32>
  %29 = vector.expandload %m1[%i], %k, %v : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %30 = vector.outerproduct %v, %x : vector<8xf32>, f32
  vector.print %v : vector<8xf32>
  %31 = vector.vscale
  return
}
