func.func @extract() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %i = arith.constant 2 : index
  %e = tensor.extract %x[%i] : tensor<2xi32>
  return
}
