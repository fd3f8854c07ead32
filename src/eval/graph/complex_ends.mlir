// RUN: heddle check %s | FileCheck %s
// Complex functions where |z| overflows, has few digits among the subnormal numbers, or e^z is near -1, and others at the ends.

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

// atan2(y, x) is y / x where that is small, pi on the other side, and no sum of squares overflows or vanishes.
func.func @atan2() {
  %y = stablehlo.constant dense<[(1.0e-20, 2.0e-20), (0.0, 0.0), (1.7976931348623157e308, 0.0), (4.9406564584124654e-324, 0.0)]> : tensor<4xcomplex<f64>>
  %x = stablehlo.constant dense<[(1.0, 0.0), (-2.0, 0.0), (1.7976931348623157e308, 0.0), (-4.9406564584124654e-324, 0.0)]> : tensor<4xcomplex<f64>>
  %0 = stablehlo.atan2 %y, %x : tensor<4xcomplex<f64>>
  %scale = stablehlo.constant dense<[(1.0e20, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 0.0)]> : tensor<4xcomplex<f64>>
  %1 = stablehlo.multiply %0, %scale : tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(1.0, 2.0), (3.141592653589793, 0.0), (0.7853981633974483, 0.0), (2.356194490192345, 0.0)]> : tensor<4xcomplex<f64>>
  return
}

func.func @bessel_i1e() {
  %x = stablehlo.constant dense<1.7976931348623157e308> : tensor<f64>
  %0 = chlo.bessel_i1e %x : tensor<f64> -> tensor<f64>
  %scale = stablehlo.constant dense<1.0e155> : tensor<f64>
  %1 = stablehlo.multiply %0, %scale : tensor<f64>
  check.expect_almost_eq_const %1, dense<2.9754474593158995> : tensor<f64>
  return
}
// CHECK: 6 passed, 0 failed
