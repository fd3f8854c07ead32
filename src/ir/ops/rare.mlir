// SPDX-License-Identifier: Apache-2.0
// What the rows accept and print in generic form is what MLIR has: there and back through both, nothing changes.
// REQUIRES: mlir-opt
// RUN: mlir-opt --mlir-print-op-generic %s -o %t.ref
// RUN: heddle-opt --mlir-print-op-generic %t.ref -o %t.heddle
// RUN: mlir-opt --mlir-print-op-generic %t.heddle -o %t.back
// RUN: diff %t.ref %t.back
func.func @vectors(%v: vector<8xf32>, %w: vector<4x8xf32>, %x: f32, %k: vector<8xi1>, %sv: vector<[4]xf32>, %m: memref<5x4x3xf32>, %s: vector<4xf32>) {
  %0 = vector.mask %k { vector.reduction <add>, %v : vector<8xf32> into f32 } : vector<8xi1> -> f32
  %1 = vector.scalable.insert %s, %sv[0] : vector<4xf32> into vector<[4]xf32>
  %2 = vector.scalable.extract %sv[0] : vector<4xf32> from vector<[4]xf32>
  %3:2 = vector.scan <add>, %w, %s {inclusive = true, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<4xf32>
  %4 = vector.type_cast %m : memref<5x4x3xf32> to memref<vector<5x4x3xf32>>
  return
}
func.func @tensors(%t: tensor<?x4xf32>, %i: tensor<2x1xindex>, %f: tensor<4x4xf32>, %n: index, %sc: f32) -> tensor<4x4xf32> {
  %0 = tensor.bitcast %f : tensor<4x4xf32> to tensor<4x4xi32>
  %1 = tensor.concat dim(0) %f, %f : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %2 = tensor.gather %f[%i] gather_dims([0]) : (tensor<4x4xf32>, tensor<2x1xindex>) -> tensor<2x4xf32>
  %3 = tensor.scatter %2 into %f[%i] scatter_dims([0]) unique : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x1xindex>) -> tensor<4x4xf32>
  %4 = scf.forall (%a, %b) in (4, 4) shared_outs(%o = %f) -> (tensor<4x4xf32>) {
    %e = tensor.extract_slice %o[%a, %b] [1, 1] [1, 1] : tensor<4x4xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%a, %b] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x4xf32>
    }
  }
  return %4 : tensor<4x4xf32>
}
func.func @scaled(%a: f8E4M3FN, %s: f8E8M0FNU, %b: f32) {
  %0 = arith.scaling_extf %a, %s : f8E4M3FN, f8E8M0FNU to f32
  %1 = arith.scaling_truncf %b, %s : f32, f8E8M0FNU to f8E4M3FN
  return
}
func.func @memory(%m: memref<?xf32>, %n: index, %s: memref<2xi32>, %u: memref<*xf32>, %d: memref<64xf32, 2>, %tag: memref<1xi32>) {
  %0 = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
  %1 = memref.reshape %m(%s) : (memref<?xf32>, memref<2xi32>) -> memref<?x?xf32>
  %2, %3 = memref.distinct_objects %m, %m : memref<?xf32>, memref<?xf32>
  memref.dma_start %m[%n], %d[%n], %n, %tag[%n] : memref<?xf32>, memref<64xf32, 2>, memref<1xi32>
  memref.dma_wait %tag[%n], %n : memref<1xi32>
  gpu.host_register %u : memref<*xf32>
  gpu.host_unregister %u : memref<*xf32>
  return
}
gpu.module @g {
  gpu.func @k(%m: memref<16x16xf16>, %o: memref<16x16xf32>, %x: f32, %n: index, %i: i32) kernel {
    %0 = gpu.cluster_id x
    %1 = gpu.cluster_dim y
    %2 = gpu.cluster_block_id z
    %3 = gpu.cluster_dim_blocks x
    %4 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %5, %6 = gpu.rotate %x, 3, 32 : f32
    %7 = gpu.subgroup_broadcast %x, first_active_lane : f32
    %r = gpu.all_reduce %x {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      "gpu.yield"(%s) : (f32) -> ()
    } : (f32) -> f32
    gpu.return
  }
}
func.func @device(%i: i32, %m: memref<?xf32>, %x: f32) {
  gpu.set_default_device %i
  gpu.memset %m, %x : memref<?xf32>, f32
  return
}
