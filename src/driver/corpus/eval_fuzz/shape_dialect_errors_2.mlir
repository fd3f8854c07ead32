func.func @equal() {
  %a = shape.const_shape [4, 2] : !shape.shape
  %b = shape.const_shape [4, 3] : !shape.shape
  %w = shape.cstr_eq %a, %b : !shape.shape, !shape.shape
  return
}
