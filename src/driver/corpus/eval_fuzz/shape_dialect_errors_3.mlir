func.func @require() {
  %p = arith.constant false
  %w = shape.cstr_require %p, "the batch is even"
  return
}
