func.func @parts() {
  %z = complex.constant [3.0 : f80, -4.0 : f80] : complex<f80>
  %re = complex.re %z : complex<f80>
  %im = complex.im %z : complex<f80>
  %abs = complex.abs %z : complex<f80>
  %w = complex.create %im, %re : complex<f80>
  %sum = complex.add %z, %w : complex<f80>
  %product = complex.mul %z, %w : complex<f80>
  %conj = complex.conj %z : complex<f80>
  %back = complex.div %product, %w : complex<f80>
  %five = arith.constant 5.0 : f80
  %zero = arith.constant 0.0 : f80
  %minus = arith.constant -1.0 : f80
  %many = arith.constant 25.0 : f80
  %four = arith.constant 4.0 : f80
  %three = arith.constant 3.0 : f80
  %want_sum = complex.create %minus, %minus : complex<f80>
  %want_product = complex.create %zero, %many : complex<f80>
  %want_conj = complex.create %three, %four : complex<f80>
  %c0 = arith.cmpf oeq, %abs, %five : f80
  %c1 = complex.eq %sum, %want_sum : complex<f80>
  %c2 = complex.eq %product, %want_product : complex<f80>
  %c3 = complex.eq %conj, %want_conj : complex<f80>
  %c4 = complex.eq %back, %z : complex<f80>
  %differs = complex.neq %z, %w : complex<f80>
  cf.assert %c0, "abs"
  cf.assert %c1, "add"
  cf.assert %c2, "mul"
  cf.assert %c3, "conj"
  cf.assert %c4, "div"
  cf.assert %differs, "neq"
  return
}
