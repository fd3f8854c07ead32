// RUN: heddle-opt --recognize-scans %s | FileCheck %s

// What jax.lax.associative_scan writes for the maximum along rows of 17: one scan, which makes 0 of -0 as sums with zeros do.
// CHECK-LABEL: @tree
// CHECK-NEXT: %[[I:.*]] = stablehlo.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[S:.*]] = "mhlo.associative_scan"(%arg0, %[[I]]) <{dimension = 1 : i64}> ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT: %[[M:.*]] = stablehlo.maximum %[[A]], %[[B]]
// CHECK: %[[R:.*]] = stablehlo.add %[[M]], %{{.*}}
// CHECK-NEXT: stablehlo.return %[[R]]
// CHECK-NEXT: })
// CHECK-NEXT: return %[[S]]
// EVAL: tree
func.func @tree(%arg0: tensor<2x17xf32>) -> tensor<2x17xf32> {
  %0 = stablehlo.slice %arg0 [0:2, 0:16:2] : (tensor<2x17xf32>) -> tensor<2x8xf32>
  %1 = stablehlo.slice %arg0 [0:2, 1:17:2] : (tensor<2x17xf32>) -> tensor<2x8xf32>
  %2 = stablehlo.maximum %0, %1 : tensor<2x8xf32>
  %3 = stablehlo.slice %2 [0:2, 0:7:2] : (tensor<2x8xf32>) -> tensor<2x4xf32>
  %4 = stablehlo.slice %2 [0:2, 1:8:2] : (tensor<2x8xf32>) -> tensor<2x4xf32>
  %5 = stablehlo.maximum %3, %4 : tensor<2x4xf32>
  %6 = stablehlo.slice %5 [0:2, 0:3:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %7 = stablehlo.slice %5 [0:2, 1:4:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %8 = stablehlo.maximum %6, %7 : tensor<2x2xf32>
  %9 = stablehlo.slice %8 [0:2, 0:1:2] : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %10 = stablehlo.slice %8 [0:2, 1:2:2] : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %11 = stablehlo.maximum %9, %10 : tensor<2x1xf32>
  %12 = stablehlo.slice %11 [0:2, 0:0] : (tensor<2x1xf32>) -> tensor<2x0xf32>
  %13 = stablehlo.slice %8 [0:2, 2:2:2] : (tensor<2x2xf32>) -> tensor<2x0xf32>
  %14 = stablehlo.maximum %12, %13 : tensor<2x0xf32>
  %15 = stablehlo.slice %8 [0:2, 0:1] : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %16 = stablehlo.concatenate %15, %14, dim = 1 : (tensor<2x1xf32>, tensor<2x0xf32>) -> tensor<2x1xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %17 = stablehlo.pad %16, %cst, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x2xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %18 = stablehlo.pad %11, %cst_0, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x2xf32>
  %19 = stablehlo.add %17, %18 : tensor<2x2xf32>
  %20 = stablehlo.slice %19 [0:2, 0:1] : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %21 = stablehlo.slice %5 [0:2, 2:4:2] : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %22 = stablehlo.maximum %20, %21 : tensor<2x1xf32>
  %23 = stablehlo.slice %5 [0:2, 0:1] : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %24 = stablehlo.concatenate %23, %22, dim = 1 : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %25 = stablehlo.pad %24, %cst_1, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x4xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %26 = stablehlo.pad %19, %cst_2, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x4xf32>
  %27 = stablehlo.add %25, %26 : tensor<2x4xf32>
  %28 = stablehlo.slice %27 [0:2, 0:3] : (tensor<2x4xf32>) -> tensor<2x3xf32>
  %29 = stablehlo.slice %2 [0:2, 2:8:2] : (tensor<2x8xf32>) -> tensor<2x3xf32>
  %30 = stablehlo.maximum %28, %29 : tensor<2x3xf32>
  %31 = stablehlo.slice %2 [0:2, 0:1] : (tensor<2x8xf32>) -> tensor<2x1xf32>
  %32 = stablehlo.concatenate %31, %30, dim = 1 : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %33 = stablehlo.pad %32, %cst_3, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x8xf32>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %34 = stablehlo.pad %27, %cst_4, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x8xf32>
  %35 = stablehlo.add %33, %34 : tensor<2x8xf32>
  %36 = stablehlo.slice %arg0 [0:2, 2:17:2] : (tensor<2x17xf32>) -> tensor<2x8xf32>
  %37 = stablehlo.maximum %35, %36 : tensor<2x8xf32>
  %38 = stablehlo.slice %arg0 [0:2, 0:1] : (tensor<2x17xf32>) -> tensor<2x1xf32>
  %39 = stablehlo.concatenate %38, %37, dim = 1 : (tensor<2x1xf32>, tensor<2x8xf32>) -> tensor<2x9xf32>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %40 = stablehlo.pad %39, %cst_5, low = [0, 0], high = [0, 0], interior = [0, 1] : (tensor<2x9xf32>, tensor<f32>) -> tensor<2x17xf32>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %41 = stablehlo.pad %35, %cst_6, low = [0, 1], high = [0, 1], interior = [0, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x17xf32>
  %42 = stablehlo.add %40, %41 : tensor<2x17xf32>
  return %42 : tensor<2x17xf32>
}
