func.func @functions() {
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %one = complex.constant [1.0, 0.0] : complex<f64>
  %minus = complex.constant [-4.0, 0.0] : complex<f64>
  %two_i = complex.constant [0.0, 2.0] : complex<f64>
  %e = complex.exp %zero : complex<f64>
  %l = complex.log %one : complex<f64>
  %s = complex.sqrt %minus : complex<f64>
  %n = complex.neg %s : complex<f64>
  %sum = complex.sub %s, %n : complex<f64>
  %half = complex.div %sum, %two_i : complex<f64>
  %angle = complex.angle %minus : complex<f64>
  %pi = arith.constant 3.1415926535897931 : f64
  %two = complex.constant [2.0, 0.0] : complex<f64>
  %c0 = complex.eq %e, %one : complex<f64>
  %c1 = complex.eq %l, %zero : complex<f64>
  %c2 = complex.eq %s, %two_i : complex<f64>
  %c3 = complex.eq %half, %two : complex<f64>
  %c4 = arith.cmpf oeq, %angle, %pi : f64
  cf.assert %c0, "exp"
  cf.assert %c1, "log"
  cf.assert %c2, "sqrt"
  cf.assert %c3, "neg, sub"
  cf.assert %c4, "angle"
  return
}
