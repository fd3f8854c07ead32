func.func @empty() {
  %n = arith.constant -1 : index
  %s = tensor.empty(%n) : tensor<?xi32>
  return
}
