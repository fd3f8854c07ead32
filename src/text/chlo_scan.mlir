// RUN: heddle-opt %s | FileCheck %s
// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle run %s --random 1 --no-cache --reference=eval | FileCheck %s --check-prefix=RAN
// RUN: not heddle-opt --split-input-file %S/inputs/chlo_scan_errors.mlir 2>&1 | FileCheck %s --check-prefix=ERROR
// scan as its own syntax writes it, and what is wrong with it.
// RAN: equals the evaluator
// CHECK-LABEL: func.func @main
// CHECK: chlo.scan(%arg0) inits (%arg1) dimension=0 attributes {is_reverse = true} {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>):
// CHECK: } : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
func.func @main(%x: tensor<8x4xf32>, %i: tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>) {
  %0:2 = chlo.scan(%x) inits (%i) dimension=0 attributes {is_reverse = true} {
  ^bb0(%a: tensor<4xf32>, %c: tensor<4xf32>):
    %s = stablehlo.add %a, %c : tensor<4xf32>
    stablehlo.return %s, %s : tensor<4xf32>, tensor<4xf32>
  } : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func private @no_inputs
// CHECK: chlo.scan() inits (%arg0) dimension=0 attributes {scan_dim_size = 8 : i64} {
// CHECK: } : (tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
func.func private @no_inputs(%i: tensor<f32>) -> tensor<8xf32> {
  %0:2 = chlo.scan() inits (%i) dimension=0 attributes {scan_dim_size = 8 : i64} {
  ^bb0(%c: tensor<f32>):
    %s = stablehlo.add %c, %c : tensor<f32>
    stablehlo.return %c, %s : tensor<f32>, tensor<f32>
  } : (tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
  return %0#0 : tensor<8xf32>
}
// ERROR: error: expected 2 operand types, one per input and init, got 1
// ERROR: error: expected 1 result types or more, one per init, got 0
// ERROR: error: expected 'inits'
