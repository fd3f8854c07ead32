// RUN: heddle check %s | FileCheck %s
// RUN: heddle check --target=cpu %s | FileCheck %s
// Shapes as tensors of extents and as !shape.shape, sizes as indices and as !shape.size, what holds and runs under it.

func.func private @filled(%n: index, %m: index) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %shape = tensor.from_elements %n, %m : tensor<2xindex>
  %t = stablehlo.dynamic_broadcast_in_dim %zero, %shape, dims = [] : (tensor<f32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %t : tensor<?x?xf32>
}

func.func @of_values() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %x = func.call @filled(%c3, %c5) : (index, index) -> tensor<?x?xf32>
  %e = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %s = shape.shape_of %x : tensor<?x?xf32> -> !shape.shape
  %back = shape.to_extent_tensor %s : !shape.shape -> tensor<2xindex>
  check.expect_eq_const %back, dense<[3, 5]> : tensor<2xindex>
  check.expect_eq %e, %back : tensor<2xindex>
  %d = shape.dim %x, %c1 : tensor<?x?xf32>, index -> index
  %g = shape.get_extent %s, %c1 : !shape.shape, index -> !shape.size
  %gi = shape.size_to_index %g : !shape.size
  %r = shape.rank %s : !shape.shape -> !shape.size
  %ri = shape.size_to_index %r : !shape.size
  %n = shape.num_elements %e : tensor<2xindex> -> index
  %ns = shape.num_elements %s : !shape.shape -> !shape.size
  %nsi = shape.size_to_index %ns : !shape.size
  %all = tensor.from_elements %d, %gi, %ri, %n, %nsi : tensor<5xindex>
  check.expect_eq_const %all, dense<[5, 5, 2, 15, 15]> : tensor<5xindex>
  %zero = arith.constant dense<7.0> : tensor<f32>
  %none = shape.shape_of %zero : tensor<f32> -> tensor<0xindex>
  %one = shape.num_elements %none : tensor<0xindex> -> index
  %ones = tensor.from_elements %one : tensor<1xindex>
  check.expect_eq_const %ones, dense<1> : tensor<1xindex>
  return
}

func.func @of_sizes() {
  %c2 = arith.constant 2 : index
  %s7 = shape.const_size 7
  %s2 = shape.index_to_size %c2
  %a = shape.add %s7, %s2 : !shape.size, !shape.size -> !shape.size
  %m = shape.mul %s7, %c2 : !shape.size, index -> !shape.size
  %d = shape.div %s7, %s2 : !shape.size, !shape.size -> !shape.size
  %hi = shape.max %s7, %s2 : !shape.size, !shape.size -> !shape.size
  %lo = shape.min %s7, %s2 : !shape.size, !shape.size -> !shape.size
  %same = shape.meet %s2, %s2 : !shape.size, !shape.size -> !shape.size
  %s = shape.from_extents %a, %m, %d, %hi, %lo, %same : !shape.size, !shape.size, !shape.size, !shape.size, !shape.size, !shape.size
  %e = shape.to_extent_tensor %s : !shape.shape -> tensor<?xindex>
  %cast = tensor.cast %e : tensor<?xindex> to tensor<6xindex>
  check.expect_eq_const %cast, dense<[9, 14, 3, 7, 2, 2]> : tensor<6xindex>
  %minus = arith.constant -7 : index
  %down = shape.div %minus, %c2 : index, index -> index
  %downs = tensor.from_elements %down : tensor<1xindex>
  check.expect_eq_const %downs, dense<-4> : tensor<1xindex>
  return
}

func.func @of_shapes() {
  %a = shape.const_shape [4, 1, 6] : tensor<3xindex>
  %b = shape.const_shape [5, 1] : tensor<2xindex>
  %s = shape.const_shape [4, 1, 6] : !shape.shape
  %none = shape.const_shape [] : tensor<0xindex>
  %both = shape.broadcast %a, %b : tensor<3xindex>, tensor<2xindex> -> tensor<3xindex>
  check.expect_eq_const %both, dense<[4, 5, 6]> : tensor<3xindex>
  %three = shape.broadcast %none, %b, %s : tensor<0xindex>, tensor<2xindex>, !shape.shape -> !shape.shape
  %threes = shape.to_extent_tensor %three : !shape.shape -> tensor<3xindex>
  check.expect_eq %both, %threes : tensor<3xindex>
  %zero = shape.const_shape [0, 1] : tensor<2xindex>
  %empty = shape.const_shape [1, 1] : tensor<2xindex>
  %nothing = shape.broadcast %zero, %empty : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
  check.expect_eq_const %nothing, dense<[0, 1]> : tensor<2xindex>
  %joined = shape.concat %b, %a : tensor<2xindex>, tensor<3xindex> -> tensor<5xindex>
  check.expect_eq_const %joined, dense<[5, 1, 4, 1, 6]> : tensor<5xindex>
  %at = arith.constant -1 : index
  %head, %tail = "shape.split_at"(%a, %at) : (tensor<3xindex>, index) -> (tensor<2xindex>, tensor<1xindex>)
  check.expect_eq_const %head, dense<[4, 1]> : tensor<2xindex>
  check.expect_eq_const %tail, dense<6> : tensor<1xindex>
  %up = shape.max %head, %b : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
  check.expect_eq_const %up, dense<[5, 1]> : tensor<2xindex>
  %any = shape.any %s, %s : !shape.shape, !shape.shape -> !shape.shape
  %met = shape.meet %any, %s : !shape.shape, !shape.shape -> !shape.shape
  %eq = shape.shape_eq %met, %a : !shape.shape, tensor<3xindex>
  cf.assert %eq, "the same shape in two forms"
  %ne = shape.shape_eq %head, %b : tensor<2xindex>, tensor<2xindex>
  %can = shape.is_broadcastable %a, %b : tensor<3xindex>, tensor<2xindex>
  %cannot = shape.is_broadcastable %joined, %threes : tensor<5xindex>, tensor<3xindex>
  cf.assert %can, "broadcasts"
  %truths = tensor.from_elements %ne, %can, %cannot : tensor<3xi1>
  check.expect_eq_const %truths, dense<[false, true, true]> : tensor<3xi1>
  %ill = shape.const_shape [3, 6] : tensor<2xindex>
  %not = shape.is_broadcastable %a, %b, %ill : tensor<3xindex>, tensor<2xindex>, tensor<2xindex>
  %nots = tensor.from_elements %not : tensor<1xi1>
  check.expect_eq_const %nots, dense<false> : tensor<1xi1>
  return
}

func.func @reduced() {
  %s = shape.const_shape [4, 3, 6] : !shape.shape
  %init = shape.const_size 1
  %from = arith.constant 0 : index
  // The product, and the sum of i * extent.
  %product, %weighted = shape.reduce(%s, %init, %from) : !shape.shape -> (!shape.size, index) {
  ^bb0(%i: index, %extent: !shape.size, %p: !shape.size, %w: index):
    %q = shape.mul %p, %extent : !shape.size, !shape.size -> !shape.size
    %e = shape.size_to_index %extent : !shape.size
    %t = arith.muli %i, %e : index
    %u = arith.addi %w, %t : index
    shape.yield %q, %u : !shape.size, index
  }
  %p = shape.size_to_index %product : !shape.size
  %all = tensor.from_elements %p, %weighted : tensor<2xindex>
  check.expect_eq_const %all, dense<[72, 15]> : tensor<2xindex>
  return
}

func.func @values_with_shapes() {
  %x = arith.constant dense<[2, 9]> : tensor<2xindex>
  %s = shape.const_shape [8] : !shape.shape
  %pair = shape.with_shape %x, %s : tensor<2xindex>, !shape.shape
  %value = shape.value_of %pair : tensor<2xindex>
  check.expect_eq %value, %x : tensor<2xindex>
  %shape = shape.shape_of %pair : !shape.value_shape -> !shape.shape
  %e = shape.to_extent_tensor %shape : !shape.shape -> tensor<1xindex>
  check.expect_eq_const %e, dense<8> : tensor<1xindex>
  %as = shape.value_as_shape %pair : !shape.value_shape -> !shape.shape
  %ase = shape.to_extent_tensor %as : !shape.shape -> tensor<2xindex>
  check.expect_eq %ase, %x : tensor<2xindex>
  %from = shape.from_extent_tensor %x : tensor<2xindex>
  %eq = shape.shape_eq %from, %as : !shape.shape, !shape.shape
  cf.assert %eq, "one shape"
  return
}

func.func @assuming() {
  %a = shape.const_shape [4, 1] : tensor<2xindex>
  %b = shape.const_shape [4, 3] : tensor<2xindex>
  %p = arith.constant true
  %w0 = shape.cstr_broadcastable %a, %b : tensor<2xindex>, tensor<2xindex>
  %w1 = shape.cstr_eq %a, %a : tensor<2xindex>, tensor<2xindex>
  %w2 = shape.cstr_require %p, "holds"
  %w3 = shape.const_witness true
  %w = shape.assuming_all %w0, %w1, %w2, %w3
  %c = shape.assuming %w -> (tensor<2xindex>) {
    %both = shape.broadcast %a, %b : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
    shape.assuming_yield %both : tensor<2xindex>
  }
  check.expect_eq_const %c, dense<[4, 3]> : tensor<2xindex>
  return
}

// CHECK: 6 passed, 0 failed
