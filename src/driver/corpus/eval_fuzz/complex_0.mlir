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
