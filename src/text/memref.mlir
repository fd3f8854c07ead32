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
memref.global "private" constant @g : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
memref.global @u : memref<2xf32> = uninitialized
memref.global @e : memref<2xf32>
memref.global "private" @al : memref<2xi32, 3> = dense<7> {alignment = 64 : i64}
#map0 = affine_map<(d0, d1)[s0] -> (d0 * 8 + d1 + s0)>
func.func @m(%n: index, %m: memref<4x8xf32>, %d: memref<?x?xf32>, %l: memref<?x?xf32, #map0>, %st: memref<4x8xf32, strided<[16, 1], offset: ?>>, %f: f32, %u: memref<*xf32>, %b: memref<2048xi8>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %a2 = memref.alloc(%n, %n) {alignment = 64 : i64} : memref<?x?xf32>
  %a3 = memref.alloc(%n)[%n] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %al = memref.alloca() : memref<4xf32, #gpu.address_space<workgroup>>
  %dim = memref.dim %d, %c0 : memref<?x?xf32>
  %rank = memref.rank %u : memref<*xf32>
  %x = memref.load %m[%c0, %c0] : memref<4x8xf32>
  %xn = memref.load %m[%c0, %c0] {nontemporal = true} : memref<4x8xf32>
  memref.store %x, %m[%c0, %n] : memref<4x8xf32>
  %s = memref.subview %m[0, %n] [2, 4] [1, 1] : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
  %s2 = memref.subview %d[%n, %n] [%n, 4] [1, %n] : memref<?x?xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>>
  %rc = memref.reinterpret_cast %m to offset: [%n], sizes: [4, 8], strides: [%n, 1] : memref<4x8xf32> to memref<4x8xf32, strided<[?, 1], offset: ?>>
  %cs = memref.cast %m : memref<4x8xf32> to memref<?x?xf32>
  %cu = memref.cast %m : memref<4x8xf32> to memref<*xf32>
  %bb, %off, %sz:2, %str:2 = memref.extract_strided_metadata %st : memref<4x8xf32, strided<[16, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  %ex = memref.expand_shape %m [[0], [1, 2]] output_shape [4, 2, 4] : memref<4x8xf32> into memref<4x2x4xf32>
  %co = memref.collapse_shape %m [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %vw = memref.view %b[%c0][%n] : memref<2048xi8> to memref<?x4xf32>
  %gg = memref.get_global @g : memref<2x2xf32>
  memref.copy %m, %cs : memref<4x8xf32> to memref<?x?xf32>
  memref.dealloc %a : memref<4xf32>
  %tr = memref.transpose %m (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  %at = memref.atomic_rmw addf %f, %m[%c0, %c0] : (f32, memref<4x8xf32>) -> f32
  %ga = memref.generic_atomic_rmw %m[%c0, %c0] : memref<4x8xf32> {
  ^bb0(%cur: f32):
    %nw = arith.addf %cur, %f : f32
    memref.atomic_yield %nw : f32
  }
  memref.prefetch %m[%c0, %c0], read, locality<3>, data : memref<4x8xf32>
  memref.alloca_scope {
    %q = memref.alloca(%n) : memref<?xf32>
  }
  %as = memref.alloca_scope -> (f32) {
    memref.alloca_scope.return %f : f32
  }
  %aa = memref.assume_alignment %m, 64 : memref<4x8xf32>
  %ip = memref.extract_aligned_pointer_as_index %m : memref<4x8xf32> -> index
  %msc = memref.memory_space_cast %m : memref<4x8xf32> to memref<4x8xf32, 5>
  %sh = memref.alloc() : memref<2xindex>
  %rs = memref.reshape %m(%sh) : (memref<4x8xf32>, memref<2xindex>) -> memref<?x?xf32>
  return
}
