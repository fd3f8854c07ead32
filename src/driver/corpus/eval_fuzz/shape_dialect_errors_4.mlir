func.func @meet() {
  %a = shape.const_size 3
  %b = shape.const_size 4
  %c = shape.meet %a, %b : !shape.size, !shape.size -> !shape.size
  return
}
