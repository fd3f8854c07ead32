// RUN: heddle check %s | FileCheck %s
// Complex functions where |z| overflows, has few digits among the subnormal numbers, or e^z is near -1.

func.func @log_plus_one() {
  %z = stablehlo.constant dense<[(1.7976931348623157e308, 1.7976931348623157e308), (-1.7976931348623157e308, 5.0e307)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.log_plus_one %z : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(710.1292864836639, 0.7853981633974483), (709.8199690694815, 2.8703149131365553)]> : tensor<2xcomplex<f64>>
  return
}

func.func @sign() {
  %z = stablehlo.constant dense<[(1.7976931348623157e308, -1.7976931348623157e308), (4.9406564584124654e-324, 4.9406564584124654e-324), (-0.0, -0.0)]> : tensor<3xcomplex<f64>>
  %0 = stablehlo.sign %z : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %0, dense<[(0.7071067811865476, -0.7071067811865476), (0.7071067811865476, 0.7071067811865476), (0.0, 0.0)]> : tensor<3xcomplex<f64>>
  return
}

func.func @cbrt() {
  %z = stablehlo.constant dense<[(1.7976931348623157e308, 0.0), (1.7976931348623157e308, 1.7976931348623157e308)]> : tensor<2xcomplex<f64>>
  %0 = stablehlo.cbrt %z : tensor<2xcomplex<f64>>
  %scale = stablehlo.constant dense<(1.0e-102, 0.0)> : tensor<2xcomplex<f64>>
  %1 = stablehlo.multiply %0, %scale : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(5.643803094122362, 0.0), (6.119096431615017, 1.6396069472594084)]> : tensor<2xcomplex<f64>>
  return
}

// 1 / (1 + e^-z) next to its pole at i pi, of which the double is 1.2e-16 off: 1e10 (1 + 4.85e-11 + 1.22e-6 i).
func.func @logistic() {
  %z = stablehlo.constant dense<(1.0e-10, 3.141592653589793)> : tensor<complex<f64>>
  %0 = stablehlo.logistic %z : tensor<complex<f64>>
  %pole = stablehlo.constant dense<(1.0e10, 0.0)> : tensor<complex<f64>>
  %1 = stablehlo.subtract %0, %pole : tensor<complex<f64>>
  check.expect_almost_eq_const %1, dense<(0.485002, 12246.46799145)> : tensor<complex<f64>>
  return
}
// CHECK: 4 passed, 0 failed
