// RUN: heddle-opt --hlo-expand=excess-precision=false %s | FileCheck %s
// RUN: heddle-opt --hlo-expand %s | FileCheck %s --check-prefix=EXCESS
// RUN: heddle run %s --entry sums --random 1 --reference=eval --no-excess-precision | FileCheck %s --check-prefix=SAME
// RUN: heddle run %s --entry running --random 1 --reference=eval --no-excess-precision | FileCheck %s --check-prefix=SAME
// RUN: heddle run %s --entry sums --random 1 --reference=eval | FileCheck %s --check-prefix=SAME
// RUN: heddle run %s --entry no_nan --random 3 --reference=eval --no-excess-precision | FileCheck %s --check-prefix=SAME
// RUN: heddle eval %s --entry ones --random 1 | FileCheck %s --check-prefix=STEPS
// RUN: heddle eval %s --entry ones --random 1 --excess-precision | FileCheck %s --check-prefix=WIDE
// RUN: heddle run %s --entry ones --random 1 --no-excess-precision --reference=eval | FileCheck %s --check-prefix=SAME
// What computes is rounded, in regions too; what gives numbers of its type already is not.
// SAME: equals the evaluator
// EXCESS-NOT: reduce_precision
// STEPS: 256
// WIDE: 1000

// CHECK-LABEL: @sums
// CHECK:      %[[SQUARE:.*]] = stablehlo.multiply
// CHECK-NEXT: stablehlo.reduce_precision %[[SQUARE]], format = e8m7
// CHECK:      stablehlo.reduce
// CHECK:        stablehlo.add
// CHECK-NEXT:   stablehlo.reduce_precision
func.func @sums(%x: tensor<3x4000xbf16>) -> tensor<3xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %y = stablehlo.multiply %x, %x : tensor<3x4000xbf16>
  %r = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x4000xbf16>, tensor<bf16>) -> tensor<3xbf16>
  return %r : tensor<3xbf16>
}

// CHECK-LABEL: @running
// CHECK:      stablehlo.add
// CHECK-NEXT: stablehlo.reduce_precision
func.func @running(%x: tensor<3x500xf16>) -> tensor<3x500xf16> {
  %z = stablehlo.constant dense<0.0> : tensor<f16>
  %y = stablehlo.multiply %x, %x : tensor<3x500xf16>
  %r = "stablehlo.reduce_window"(%y, %z) <{padding = dense<[[0, 0], [499, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 500>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %s = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %s : tensor<f16>
  }) : (tensor<3x500xf16>, tensor<f16>) -> tensor<3x500xf16>
  return %r : tensor<3x500xf16>
}

// CHECK-LABEL: @largest
// CHECK-NOT: reduce_precision
// CHECK: return
func.func @largest(%x: tensor<3x4xbf16>) -> tensor<3xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %y = stablehlo.abs %x : tensor<3x4xbf16>
  %r = stablehlo.reduce(%y init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<3x4xbf16>, tensor<bf16>) -> tensor<3xbf16>
  return %r : tensor<3xbf16>
}

func.func @ones(%x: tensor<1000xbf16>) -> tensor<bf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %one = stablehlo.constant dense<1.0> : tensor<1000xbf16>
  %y = stablehlo.maximum %x, %one : tensor<1000xbf16>
  %r = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1000xbf16>, tensor<bf16>) -> tensor<bf16>
  return %r : tensor<bf16>
}

// A format without NaN has its largest number for one, also where the result is read before it is stored.
func.func @no_nan(%x: tensor<40xf6E3M2FN>) -> (tensor<40xi16>, tensor<40xi1>) {
  %s = stablehlo.sqrt %x : tensor<40xf6E3M2FN>
  %i = stablehlo.convert %s : (tensor<40xf6E3M2FN>) -> tensor<40xi16>
  %c = stablehlo.compare GT, %s, %x, FLOAT : (tensor<40xf6E3M2FN>, tensor<40xf6E3M2FN>) -> tensor<40xi1>
  return %i, %c : tensor<40xi16>, tensor<40xi1>
}
