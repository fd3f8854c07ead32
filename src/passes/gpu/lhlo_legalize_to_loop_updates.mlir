// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --lhlo-legalize-to-loop --cse --split-input-file %s | FileCheck %s
// RUN: heddle-opt --target=cuda --lhlo-legalize-to-loop=deterministic --cse --split-input-file %s | FileCheck %s --check-prefix=ORDER

// Sums go in by atomics, a thread per element of the updates, after the operand's copy. In order, threads differ only in
// the columns, where updates never meet.
// CHECK-LABEL: @add
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0, %c0) to (%{{.*}}, %c8)
// CHECK: %[[X:.*]] = memref.load %arg0[%[[I]], %[[J]]]
// CHECK: memref.store %[[X]], %arg3[%[[I]], %[[J]]]
// CHECK: hd.kernel_name = "loop_scatter_0_init"
// CHECK: scf.parallel (%[[U:.*]], %[[W:.*]]) = (%c0, %c0) to (%[[N:.*]], %c8)
// CHECK: %[[R:.*]] = memref.load %arg1[%[[U]], %c0] : memref<?x1xi32>
// CHECK: %[[P:.*]] = arith.index_cast %[[R]] : i32 to index
// CHECK: scf.if
// CHECK: %[[V:.*]] = memref.load %arg2[%[[U]], %[[W]]]
// CHECK: memref.atomic_rmw addf %[[V]], %arg3[%[[P]], %[[W]]] : (f32, memref<?x8xf32>) -> f32
// CHECK: hd.kernel_name = "loop_scatter_0", hd.threads = 256
// ORDER-LABEL: @add
// ORDER: scf.parallel (%[[W:.*]]) = (%c0) to (%c8)
// ORDER: scf.for %[[U:.*]] = %c0 to
// ORDER-NOT: atomic
// ORDER: %[[V:.*]] = memref.load %arg2[%[[U]], %[[W]]]
// ORDER: %[[O:.*]] = memref.load %arg3[%{{.*}}, %[[W]]]
// ORDER: %[[S:.*]] = arith.addf %[[O]], %[[V]]
// ORDER: memref.store %[[S]], %arg3[%{{.*}}, %[[W]]]
func.func @add(%x: memref<?x8xf32>, %i: memref<?x1xi32>, %u: memref<?x8xf32>, %o: memref<?x8xf32>) -> memref<?x8xf32> {
  "lmhlo.scatter"(%x, %i, %u, %o) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (memref<?x8xf32>, memref<?x1xi32>, memref<?x8xf32>, memref<?x8xf32>) -> ()
  return %o : memref<?x8xf32>
}

// -----

// Many updates that replace what is there: any may be the last. Few go in order, as the host counts. In place: nothing is
// copied.
// CHECK-LABEL: @set_many
// CHECK-NOT: _init
// CHECK: %[[FEW:.*]] = arith.cmpi ule, %{{.*}}, %c32
// CHECK: scf.if %[[FEW]] {
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%c1)
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %arg0[
// CHECK: } else {
// CHECK: scf.parallel (%[[U:.*]]) = (%c0) to (%
// CHECK-NOT: scf.for
// CHECK: memref.store %{{.*}}, %arg0[
// ORDER-LABEL: @set_many
// ORDER: scf.parallel (%{{.*}}) = (%c0) to (%c1)
// ORDER: scf.for
func.func @set_many(%x: memref<?xbf16>, %i: memref<?x1xi64>, %u: memref<?xbf16>) -> memref<?xbf16> {
  "lmhlo.scatter"(%x, %i, %u, %x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    stablehlo.return %b : tensor<bf16>
  }) : (memref<?xbf16>, memref<?x1xi64>, memref<?xbf16>, memref<?xbf16>) -> ()
  return %x : memref<?xbf16>
}

// -----

// A few of them, and whatever the hardware does not do atomically, go in order; a batch keeps updates apart.
// CHECK-LABEL: @set_few
// CHECK: scf.parallel (%[[B:.*]]) = (%c0) to (%{{.*}})
// CHECK: scf.for %[[U:.*]] = %c0 to %c4
// CHECK: memref.load %arg1[%[[B]], %[[U]], %c0]
// CHECK: memref.store %{{.*}}, %arg0[%[[B]], %
// CHECK-LABEL: @multiply
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%c1)
// CHECK: scf.for
// CHECK: arith.mulf
// CHECK-NOT: atomic
func.func @set_few(%x: memref<?x9xf32>, %i: memref<?x4x1xi32>, %u: memref<?x4xf32>) -> memref<?x9xf32> {
  "lmhlo.scatter"(%x, %i, %u, %x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (memref<?x9xf32>, memref<?x4x1xi32>, memref<?x4xf32>, memref<?x9xf32>) -> ()
  return %x : memref<?x9xf32>
}
func.func @multiply(%x: memref<9xf32>, %i: memref<?x1xi32>, %u: memref<?xf32>) -> memref<9xf32> {
  "lmhlo.scatter"(%x, %i, %u, %x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (memref<9xf32>, memref<?x1xi32>, memref<?xf32>, memref<9xf32>) -> ()
  return %x : memref<9xf32>
}

// -----

// What the program promises to be unique needs no order and no atomics.
// CHECK-LABEL: @unique
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%{{.*}})
// CHECK-NOT: scf.for
// CHECK-NOT: atomic
// CHECK: arith.addf
func.func @unique(%x: memref<9xf32>, %i: memref<?x1xi32>, %u: memref<?xf32>) -> memref<9xf32> {
  "lmhlo.scatter"(%x, %i, %u, %x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (memref<9xf32>, memref<?x1xi32>, memref<?xf32>, memref<9xf32>) -> ()
  return %x : memref<9xf32>
}

// -----

// A sort is a network of launches: the host walks over its columns, a thread has a pair. Numbers of places order what the
// comparator holds for equal.
// CHECK-LABEL: @sort
// CHECK: hd.kernel_name = "loop_sort_0_init"
// CHECK: hd.kernel_name = "loop_sort_0_init"
// CHECK: %[[PLACES:.*]] = memref.alloc(%{{.*}}) : memref<4x?xi64>
// CHECK: memref.store %{{.*}}, %[[PLACES]][
// CHECK: hd.kernel_name = "loop_sort_0_init"
// CHECK: scf.while (%{{.*}} = %c1)
// CHECK: arith.cmpi ult
// CHECK: scf.parallel
// CHECK: memref.load %[[PLACES]]
// CHECK-COUNT-2: arith.cmpf
// CHECK: arith.cmpi slt
// CHECK: scf.if
// CHECK-COUNT-6: memref.store
// CHECK: hd.kernel_name = "loop_sort_0_mirror"
// CHECK: scf.while
// CHECK: arith.cmpi ne
// CHECK: scf.parallel
// CHECK: hd.kernel_name = "loop_sort_0_step"
func.func @sort(%k: memref<4x?xf32>, %v: memref<4x?xi32>, %ko: memref<4x?xf32>, %vo: memref<4x?xi32>) -> (memref<4x?xf32>, memref<4x?xi32>) {
  "lmhlo.sort"(%k, %v, %ko, %vo) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %l = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) {hd.outputs = 2 : i64} : (memref<4x?xf32>, memref<4x?xi32>, memref<4x?xf32>, memref<4x?xi32>) -> ()
  return %ko, %vo : memref<4x?xf32>, memref<4x?xi32>
}

// -----

// One operand whose equals need no order has no numbers; lines of one element are in order.
// CHECK-LABEL: @unstable
// CHECK-NOT: memref.alloc
// CHECK: scf.while
// CHECK-COUNT-1: arith.cmpf
// CHECK-NOT: arith.cmpf
// CHECK: hd.kernel_name = "loop_sort_0_mirror"
// CHECK-LABEL: @one
// CHECK-NOT: scf.while
// CHECK: return
func.func @unstable(%k: memref<100xf32>) -> memref<100xf32> {
  "lmhlo.sort"(%k, %k) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %l = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (memref<100xf32>, memref<100xf32>) -> ()
  return %k : memref<100xf32>
}
func.func @one(%k: memref<7x1xf32>) -> memref<7x1xf32> {
  "lmhlo.sort"(%k, %k) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %l = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (memref<7x1xf32>, memref<7x1xf32>) -> ()
  return %k : memref<7x1xf32>
}

// -----

// The gradient of a pooling: a thread per element of the result asks the windows that it lies in.
// CHECK-LABEL: @pool
// CHECK: scf.parallel (%[[B:.*]], %[[R:.*]]) = (%c0, %c0) to (%{{.*}}, %c8)
// CHECK: %[[INIT:.*]] = memref.load %arg2[]
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args(%{{.*}} = %[[INIT]])
// CHECK: %[[S:.*]] = arith.divui
// CHECK: scf.for %{{.*}} = %c0 to %c3
// CHECK: memref.load %arg0[%[[B]], %{{.*}}]
// CHECK: arith.cmpf
// CHECK: arith.cmpi eq, %{{.*}}, %[[R]]
// CHECK: memref.load %arg1[%[[B]], %[[S]]]
// CHECK: arith.addf
// CHECK: arith.select
// CHECK: memref.store %[[SUM]], %arg3[%[[B]], %[[R]]]
// CHECK-NOT: atomic
func.func @pool(%x: memref<?x8xf32>, %s: memref<?x4xf32>, %i: memref<f32>, %o: memref<?x8xf32>) -> memref<?x8xf32> {
  "lmhlo.select_and_scatter"(%x, %s, %i, %o) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %g = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %g : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (memref<?x8xf32>, memref<?x4xf32>, memref<f32>, memref<?x8xf32>) -> ()
  return %o : memref<?x8xf32>
}

// -----

// What lies on the host stays there.
// CHECK-LABEL: @host
// CHECK: scf.parallel
// CHECK: arith.addi
// CHECK: {hd.host}
func.func @host(%a: memref<4xi32>, %o: memref<4xi32>) -> memref<4xi32> {
  "lmhlo.add"(%a, %a, %o) {hd.placement = ["host"]} : (memref<4xi32>, memref<4xi32>, memref<4xi32>) -> ()
  return %o : memref<4xi32>
}
