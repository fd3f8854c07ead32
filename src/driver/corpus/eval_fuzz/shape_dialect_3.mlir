func.func @reduced() {
  %s = shape.const_shape [4, 3, 6] : !shape.shape
  %init = shape.const_size 1
  %from = arith.constant 0 : index
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
