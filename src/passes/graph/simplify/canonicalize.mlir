// RUN: heddle-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: @folds
func.func @folds() -> tensor<2xi32> {
  // CHECK: %[[C:.*]] = stablehlo.constant dense<5> : tensor<2xi32>
  // CHECK-NEXT: return %[[C]]
  %0 = stablehlo.constant dense<2> : tensor<2xi32>
  %1 = stablehlo.constant dense<3> : tensor<2xi32>
  %2 = stablehlo.add %0, %1 : tensor<2xi32>
  return %2 : tensor<2xi32>
}

// CHECK-LABEL: @dead
func.func @dead(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.exponential %arg0 : tensor<4xf32>
  %1 = stablehlo.add %0, %0 : tensor<4xf32>
  return %arg0 : tensor<4xf32>
}

// Adding zero changes -0, so it stays for floats.
// CHECK-LABEL: @negative_zero
func.func @negative_zero(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: stablehlo.add
  %0 = stablehlo.constant dense<0.0> : tensor<4xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A quantized constant is written as its stored integers: what is folded are the numbers that these stand for. 3 times
// 2.5 * -1.5 is -11.25, stored in quarters.
// CHECK-LABEL: @folds_quantized
func.func @folds_quantized() -> (tensor<1x1x!quant.uniform<i32:f32, 0.25>>, tensor<2xf32>) {
  // CHECK-DAG: stablehlo.constant dense<-45> : tensor<1x1x!quant.uniform<i32:f32, 2.500000e-01>>
  // CHECK-DAG: stablehlo.constant dense<[1.500000e+00, -2.500000e+00]> : tensor<2xf32>
  %x = stablehlo.constant() <{value = dense<5> : tensor<1x3xi8>}> : () -> tensor<1x3x!quant.uniform<i8:f32, 0.5>>
  %w = stablehlo.constant() <{value = dense<-3> : tensor<3x1xi8>}> : () -> tensor<3x1x!quant.uniform<i8:f32, 0.5>>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x1x!quant.uniform<i32:f32, 0.25>>
  %v = stablehlo.constant() <{value = dense<[5, -3]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:2>>
  %1 = stablehlo.uniform_dequantize %v : (tensor<2x!quant.uniform<i8:f32, 0.5:2>>) -> tensor<2xf32>
  return %0, %1 : tensor<1x1x!quant.uniform<i32:f32, 0.25>>, tensor<2xf32>
}
