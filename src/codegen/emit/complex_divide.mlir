// RUN: heddle check %s | FileCheck %s
// RUN: heddle check %s --target=cpu | FileCheck %s
// Quotients that are no number in both parts are those of C's Annex G: zero by infinities, infinite by zero.
// CHECK: 1 passed, 0 failed
func.func @main() {
  %a = stablehlo.constant dense<[1.0, 1.0, 1.0, -2.0, 0x7F800000, 3.0, 0x7FC00000, 0.0, 8.0]> : tensor<9xf32>
  %b = stablehlo.constant dense<[0.0, 2.0, 0.0, 1.0, 0x7FC00000, 4.0, 0x7FC00000, 0.0, 6.0]> : tensor<9xf32>
  %c = stablehlo.constant dense<[0x7F800000, 0x7F800000, 0.0, -0.0, 2.0, 0xFF800000, 1.0, 0.0, 3.0]> : tensor<9xf32>
  %d = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, 0.0, 1.0, 0x7FC00000, 1.0, 0.0, -4.0]> : tensor<9xf32>
  %x = stablehlo.complex %a, %b : tensor<9xcomplex<f32>>
  %y = stablehlo.complex %c, %d : tensor<9xcomplex<f32>>
  %0 = stablehlo.divide %x, %y : tensor<9xcomplex<f32>>
  %re = stablehlo.real %0 : (tensor<9xcomplex<f32>>) -> tensor<9xf32>
  %im = stablehlo.imag %0 : (tensor<9xcomplex<f32>>) -> tensor<9xf32>
  check.expect_almost_eq_const %re, dense<[0.0, -0.0, 0x7F800000, 0x7F800000, 0x7F800000, -0.0, 0x7FC00000, 0x7FC00000, 0.0]> : tensor<9xf32>
  check.expect_almost_eq_const %im, dense<[-0.0, 0.0, 0x7FC00000, 0xFF800000, 0xFF800000, -0.0, 0x7FC00000, 0x7FC00000, 2.0]> : tensor<9xf32>
  return
}
