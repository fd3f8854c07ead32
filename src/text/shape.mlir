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
func.func @s(%t: tensor<?x?xf32>, %a: !shape.shape, %n: index, %sz: !shape.size, %e: tensor<?xindex>) -> index {
  %0 = shape.shape_of %t : tensor<?x?xf32> -> tensor<2xindex>
  %1 = shape.const_shape [1, 2] : tensor<2xindex>
  %b1 = shape.const_shape [] : !shape.shape
  %2 = shape.const_size 10
  %3 = shape.broadcast %a, %a : !shape.shape, !shape.shape -> !shape.shape
  %4 = shape.num_elements %0 : tensor<2xindex> -> index
  %5 = shape.get_extent %e, %n : tensor<?xindex>, index -> index
  %6 = shape.cstr_broadcastable %e, %e : tensor<?xindex>, tensor<?xindex>
  %7 = shape.assuming %6 -> (index) {
    shape.assuming_yield %n : index
  }
  %8 = shape.to_extent_tensor %a : !shape.shape -> tensor<?xindex>
  %9 = shape.from_extents %n, %n : index, index
  %10 = shape.index_to_size %n
  %11 = shape.size_to_index %sz : !shape.size
  %12 = shape.rank %e : tensor<?xindex> -> index
  %13 = shape.reduce(%e, %n) : tensor<?xindex> -> index {
  ^bb0(%i: index, %d: index, %acc: index):
    %q = shape.mul %d, %acc : index, index -> index
    shape.yield %q : index
  }
  %14 = shape.assuming_all %6, %6
  %15 = shape.const_witness true
  %16 = shape.is_broadcastable %e, %e : tensor<?xindex>, tensor<?xindex>
  %17 = shape.concat %e, %e : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  %18 = shape.any %e, %e : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  %h, %tl = "shape.split_at"(%e, %n) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %19 = shape.dim %t, %n : tensor<?x?xf32>, index -> index
  %20 = shape.cstr_eq %e, %e : tensor<?xindex>, tensor<?xindex>
  %b = arith.constant true
  %21 = shape.cstr_require %b, "msg"

  %22 = shape.div %n, %n : index, index -> index
  %23 = shape.max %sz, %sz : !shape.size, !shape.size -> !shape.size
  %24 = shape.shape_eq %e, %e : tensor<?xindex>, tensor<?xindex>
  return %7 : index
}
shape.function_library @lib {
  shape.func @same(%arg: !shape.value_shape) -> !shape.shape {
    %0 = shape.shape_of %arg : !shape.value_shape -> !shape.shape
    shape.return %0 : !shape.shape
  }
} mapping { test.same = @same }
