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
