func.func @slice() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %i = arith.constant 1 : index
  %s = tensor.extract_slice %x[%i] [2] [1] : tensor<2xi32> to tensor<2xi32>
  return
}
