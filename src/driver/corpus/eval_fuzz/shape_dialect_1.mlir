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
