// RUN: heddle-opt %s | FileCheck %s
// RUN: heddle check %s | FileCheck %s --check-prefix=CHECKED
// scf.parallel without a written scf.reduce, nested and empty.
// CHECKED: 1 passed, 0 failed
// CHECK-COUNT-2: scf.reduce
func.func @nested() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c1) step (%c1) {
      memref.store %one, %a[%i] : memref<4xf32>
    }
  }
  %v = memref.load %a[%c1] : memref<4xf32>
  %t = tensor.from_elements %v : tensor<1xf32>
  check.expect_eq_const %t, dense<1.0> : tensor<1xf32>
  return
}
// CHECK-LABEL: func.func private @empty
// CHECK: scf.reduce
func.func private @empty(%n: index) {
  scf.parallel (%i) = (%n) to (%n) step (%n) {
  }
  return
}
