// Integers of a width keep the sign that an op gives them, beside sizes that have none.
// RUN: heddle check %s | FileCheck %s
// RUN: heddle check --target=cpu %s | FileCheck %s
// RUN: heddle-opt --shape-legalize-to-stablehlo --mlir-print-ir-after-all --mlir-print-ir-after-change %s 2>&1 | FileCheck %s --check-prefix=DUMP
// CHECK: 2 passed, 0 failed
// DUMP: IR Dump After shape-legalize-to-stablehlo
// DUMP: @arithmetic

func.func public @arithmetic() {
  %x = stablehlo.constant dense<[-1, 7, -8, 0]> : tensor<4xi32>
  %y = stablehlo.constant dense<[2, -3, 3, 5]> : tensor<4xi32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<4xi32>
  %most = arith.maxui %x, %y : tensor<4xi32>
  check.expect_eq_const %most, dense<[-1, -3, -8, 5]> : tensor<4xi32>
  %least = arith.minui %x, %y : tensor<4xi32>
  check.expect_eq_const %least, dense<[2, 7, 3, 0]> : tensor<4xi32>
  %quotient = arith.divui %x, %y : tensor<4xi32>
  check.expect_eq_const %quotient, dense<[2147483647, 0, 1431655762, 0]> : tensor<4xi32>
  %rest = arith.remui %x, %y : tensor<4xi32>
  check.expect_eq_const %rest, dense<[1, 7, 2, 0]> : tensor<4xi32>
  %signed = arith.maxsi %x, %y : tensor<4xi32>
  check.expect_eq_const %signed, dense<[2, 7, 3, 5]> : tensor<4xi32>
  %toward_zero = arith.divsi %x, %y : tensor<4xi32>
  check.expect_eq_const %toward_zero, dense<[0, -2, -2, 0]> : tensor<4xi32>
  return
}

func.func public @order() {
  %x = stablehlo.constant dense<[-1, 7, -8, 0]> : tensor<4xi8>
  %y = stablehlo.constant dense<[2, -3, -8, 5]> : tensor<4xi8>
  %s = shape.shape_of %x : tensor<4xi8> -> tensor<1xindex>
  %ult = arith.cmpi ult, %x, %y : tensor<4xi8>
  check.expect_eq_const %ult, dense<[false, true, false, true]> : tensor<4xi1>
  %uge = arith.cmpi uge, %x, %y : tensor<4xi8>
  check.expect_eq_const %uge, dense<[true, false, true, false]> : tensor<4xi1>
  %slt = arith.cmpi slt, %x, %y : tensor<4xi8>
  check.expect_eq_const %slt, dense<[true, false, false, true]> : tensor<4xi1>
  return
}
