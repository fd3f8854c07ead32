func.func @broadcastable() {
  %a = shape.const_shape [4, 2] : !shape.shape
  %b = shape.const_shape [3] : !shape.shape
  %w = shape.cstr_broadcastable %a, %b : !shape.shape, !shape.shape
  return
}
