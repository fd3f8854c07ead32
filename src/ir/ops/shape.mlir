// SPDX-License-Identifier: Apache-2.0
// What the rows accept and print in generic form is what MLIR has: there and back through both, nothing changes.
// REQUIRES: mlir-opt
// RUN: mlir-opt --mlir-print-op-generic %s -o %t.ref
// RUN: heddle-opt --mlir-print-op-generic %t.ref -o %t.heddle
// RUN: mlir-opt --mlir-print-op-generic %t.heddle -o %t.back
// RUN: diff %t.ref %t.back
func.func @shapes(%s: !shape.shape, %t: tensor<?xindex>, %z: !shape.size, %i: index, %p: i1, %v: tensor<?x4xf32>, %vs: !shape.value_shape, %w: !shape.witness) {
  %0 = shape.add %z, %i : !shape.size, index -> !shape.size
  %1 = shape.any %s, %s : !shape.shape, !shape.shape -> !shape.shape
  %2 = shape.assuming_all %w, %w
  %3 = shape.concat %t, %t : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  %4 = shape.cstr_eq %t, %t : tensor<?xindex>, tensor<?xindex>
  %5 = shape.cstr_require %p, "must hold"
  %6 = "shape.debug_print"(%s) : (!shape.shape) -> !shape.shape
  %7 = shape.dim %v, %i : tensor<?x4xf32>, index -> index
  %8 = shape.div %i, %i : index, index -> index
  %9 = shape.from_extent_tensor %t : tensor<?xindex>
  %10 = shape.from_extents %i, %z : index, !shape.size
  %11 = shape.get_extent %t, %i : tensor<?xindex>, index -> index
  %12 = shape.index_to_size %i
  %13 = shape.is_broadcastable %t, %t : tensor<?xindex>, tensor<?xindex>
  %14 = shape.max %z, %z : !shape.size, !shape.size -> !shape.size
  %15 = shape.meet %s, %s : !shape.shape, !shape.shape -> !shape.shape
  %16 = shape.min %z, %z : !shape.size, !shape.size -> !shape.size
  %17 = shape.mul %i, %i : index, index -> index
  %18 = shape.rank %t : tensor<?xindex> -> index
  %19 = shape.reduce(%s, %z) : !shape.shape -> !shape.size {
  ^bb0(%index: index, %dim: !shape.size, %lci: !shape.size):
    %acc = shape.mul %lci, %dim : !shape.size, !shape.size -> !shape.size
    shape.yield %acc : !shape.size
  }
  %20 = shape.shape_eq %t, %t : tensor<?xindex>, tensor<?xindex>
  %21 = shape.size_to_index %z : !shape.size
  %22, %23 = "shape.split_at"(%t, %i) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %24 = shape.to_extent_tensor %s : !shape.shape -> tensor<?xindex>
  %25 = shape.value_as_shape %t : tensor<?xindex> -> !shape.shape
  %26 = shape.value_of %vs : tensor<?x4xf32>
  %27 = shape.with_shape %v, %s : tensor<?x4xf32>, !shape.shape
  return
}
shape.func @f(%v: !shape.value_shape) -> !shape.shape {
  %0 = shape.shape_of %v : !shape.value_shape -> !shape.shape
  shape.return %0 : !shape.shape
}
