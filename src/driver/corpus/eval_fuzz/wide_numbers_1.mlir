func.func @scalar() {
  %0 = arith.constant 5.0 : f80
  return
}
