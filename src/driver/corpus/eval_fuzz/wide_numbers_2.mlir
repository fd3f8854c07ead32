func.func @pair() {
  %0 = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f128>>
  return
}
