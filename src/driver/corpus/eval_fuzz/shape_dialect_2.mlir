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
