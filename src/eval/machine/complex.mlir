// RUN: heddle check %s
// The complex dialect.
func.func @parts() {
  %z = complex.constant [3.0 : f32, -4.0 : f32] : complex<f32>
  %re = complex.re %z : complex<f32>
  %im = complex.im %z : complex<f32>
  %abs = complex.abs %z : complex<f32>
  %w = complex.create %im, %re : complex<f32>
  %sum = complex.add %z, %w : complex<f32>
  %product = complex.mul %z, %w : complex<f32>
  %conj = complex.conj %z : complex<f32>
  %back = complex.div %product, %w : complex<f32>
  // z w = (3 - 4i)(-4 + 3i) = 25i
  %five = arith.constant 5.0 : f32
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -1.0 : f32
  %many = arith.constant 25.0 : f32
  %four = arith.constant 4.0 : f32
  %three = arith.constant 3.0 : f32
  %want_sum = complex.create %minus, %minus : complex<f32>
  %want_product = complex.create %zero, %many : complex<f32>
  %want_conj = complex.create %three, %four : complex<f32>
  %c0 = arith.cmpf oeq, %abs, %five : f32
  %c1 = complex.eq %sum, %want_sum : complex<f32>
  %c2 = complex.eq %product, %want_product : complex<f32>
  %c3 = complex.eq %conj, %want_conj : complex<f32>
  %c4 = complex.eq %back, %z : complex<f32>
  %differs = complex.neq %z, %w : complex<f32>
  cf.assert %c0, "abs"
  cf.assert %c1, "add"
  cf.assert %c2, "mul"
  cf.assert %c3, "conj"
  cf.assert %c4, "div"
  cf.assert %differs, "neq"
  return
}
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
