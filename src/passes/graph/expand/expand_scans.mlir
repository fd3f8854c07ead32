// RUN: heddle-opt --expand-scans %s | FileCheck %s

// CHECK-LABEL: @sums
// CHECK-NOT: associative_scan
// CHECK: stablehlo.dynamic_pad %arg0
// CHECK: stablehlo.while
func.func @sums(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "mhlo.associative_scan"(%x, %c) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
