func.func @witness() {
  %w = shape.const_witness false
  shape.assuming %w {
    shape.assuming_yield
  }
  return
}
