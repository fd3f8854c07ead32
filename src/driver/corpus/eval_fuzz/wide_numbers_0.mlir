func.func @tensor() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi128>
  return
}
