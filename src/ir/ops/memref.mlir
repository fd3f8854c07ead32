// SPDX-License-Identifier: Apache-2.0
// What the rows accept and print in generic form is what MLIR has: there and back through both, nothing changes.
// REQUIRES: mlir-opt
// RUN: mlir-opt --mlir-print-op-generic %s -o %t.ref
// RUN: heddle-opt --mlir-print-op-generic %t.ref -o %t.heddle
// RUN: mlir-opt --mlir-print-op-generic %t.heddle -o %t.back
// RUN: diff %t.ref %t.back
memref.global "private" constant @k : memref<2xf32> = dense<[1.0, 2.0]>
memref.global @u : memref<4xi32> = uninitialized
memref.global @e : memref<4xi32>
func.func @mem(%m: memref<?x8xf32>, %i: index, %x: f32, %b: memref<?xi8>, %g: memref<4x8xf32, #gpu.address_space<workgroup>>, %u: memref<*xf32>, %p: f32) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc(%i) {alignment = 64 : i64} : memref<?x8xf32>
  %2 = memref.alloca(%i, %i) : memref<?x?xf32>
  %3 = memref.load %m[%i, %i] : memref<?x8xf32>
  memref.store %x, %m[%i, %i] {nontemporal = true} : memref<?x8xf32>
  %4 = memref.dim %m, %i : memref<?x8xf32>
  %5 = memref.rank %m : memref<?x8xf32>
  %6 = memref.cast %m : memref<?x8xf32> to memref<4x8xf32>
  %7 = memref.subview %m[%i, 0] [2, %i] [1, 1] : memref<?x8xf32> to memref<2x?xf32, strided<[8, 1], offset: ?>>
  %8 = memref.view %b[%i][%i] : memref<?xi8> to memref<?x4xf32>
  %9 = memref.reinterpret_cast %m to offset: [%i], sizes: [4, %i], strides: [%i, 1] : memref<?x8xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %10 = memref.collapse_shape %m [[0, 1]] : memref<?x8xf32> into memref<?xf32>
  %11 = memref.expand_shape %10 [[0, 1]] output_shape [%i, 8] : memref<?xf32> into memref<?x8xf32>
  %12 = memref.get_global @k : memref<2xf32>
  %13 = memref.extract_aligned_pointer_as_index %m : memref<?x8xf32> -> index
  %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x8xf32> -> memref<f32>, index, index, index, index, index
  %14 = memref.assume_alignment %m, 32 : memref<?x8xf32>
  memref.prefetch %m[%i, %i], read, locality<3>, data : memref<?x8xf32>
  %15 = memref.atomic_rmw addf %x, %m[%i, %i] : (f32, memref<?x8xf32>) -> f32
  %16 = memref.generic_atomic_rmw %m[%i, %i] : memref<?x8xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %old : f32
  }
  %17 = memref.transpose %m (d0, d1) -> (d1, d0) : memref<?x8xf32> to memref<8x?xf32, strided<[1, 8]>>
  %18 = memref.memory_space_cast %g : memref<4x8xf32, #gpu.address_space<workgroup>> to memref<4x8xf32>
  memref.copy %1, %m : memref<?x8xf32> to memref<?x8xf32>
  memref.dealloc %1 : memref<?x8xf32>
  memref.alloca_scope {
    %19 = memref.alloca() : memref<4xf32>
  }
  return
}
