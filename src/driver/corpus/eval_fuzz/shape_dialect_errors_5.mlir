func.func @own_message() {
  %a = shape.const_shape [4] : !shape.shape
  %b = shape.const_shape [5] : !shape.shape
  %c = shape.meet %a, %b, error = "rows and columns disagree" : !shape.shape, !shape.shape -> !shape.shape
  return
}
