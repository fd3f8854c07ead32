// SPDX-License-Identifier: Apache-2.0
// What the rows accept and print in generic form is what MLIR has: there and back through both, nothing changes.
// REQUIRES: mlir-opt
// RUN: mlir-opt --mlir-print-op-generic %s -o %t.ref
// RUN: heddle-opt --mlir-print-op-generic %t.ref -o %t.heddle
// RUN: mlir-opt --mlir-print-op-generic %t.heddle -o %t.back
// RUN: diff %t.ref %t.back
func.func @complex(%c: complex<f32>, %d: complex<f32>, %r: f32, %i: i32) {
  %0 = complex.angle %c : complex<f32>
  %1 = complex.atan2 %c, %d : complex<f32>
  %2 = complex.bitcast %c : complex<f32> to i64
  %3 = complex.conj %c : complex<f32>
  %4 = complex.cos %c : complex<f32>
  %5 = complex.div %c, %d : complex<f32>
  %6 = complex.expm1 %c : complex<f32>
  %7 = complex.log1p %c : complex<f32>
  %8 = complex.log %c : complex<f32>
  %9 = complex.neg %c : complex<f32>
  %10 = complex.neq %c, %d : complex<f32>
  %11 = complex.pow %c, %d : complex<f32>
  %12 = complex.powi %c, %i : complex<f32>, i32
  %13 = complex.rsqrt %c : complex<f32>
  %14 = complex.sign %c : complex<f32>
  %15 = complex.sin %c : complex<f32>
  %16 = complex.sqrt %c : complex<f32>
  %17 = complex.sub %c, %d : complex<f32>
  %18 = complex.tan %c : complex<f32>
  %19 = complex.tanh %c : complex<f32>
  return
}
