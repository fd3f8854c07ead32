// A complex number is true where any part is not zero: the imaginary one was not looked at.
func.func @main(%x: tensor<9xf32>) -> (tensor<9xi1>, tensor<9xi1>) {
  %zero = stablehlo.subtract %x, %x : tensor<9xf32>
  %a = stablehlo.complex %zero, %x : tensor<9xcomplex<f32>>
  %b = stablehlo.complex %zero, %zero : tensor<9xcomplex<f32>>
  %0 = stablehlo.convert %a : (tensor<9xcomplex<f32>>) -> tensor<9xi1>
  %1 = stablehlo.convert %b : (tensor<9xcomplex<f32>>) -> tensor<9xi1>
  return %0, %1 : tensor<9xi1>, tensor<9xi1>
}
