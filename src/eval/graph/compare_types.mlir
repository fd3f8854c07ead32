// RUN: heddle check %s | FileCheck %s
// RUN: heddle check %s --target=cpu | FileCheck %s
// The elements decide how they are compared: SIGNED and UNSIGNED on floats compare floats, FLOAT and TOTALORDER on
// integers integers.
// CHECK: 4 passed, 0 failed
func.func @floats() {
  %a = stablehlo.constant dense<[1.0, -1.0, 0x7FC00000, -0.0, -3.0]> : tensor<5xf32>
  %b = stablehlo.constant dense<[2.0, -2.0, 0x7FC00000, 0.0, 0x7F800000]> : tensor<5xf32>
  %0 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %0, dense<[true, false, false, false, true]> : tensor<5xi1>
  %1 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %1, dense<[true, false, false, false, true]> : tensor<5xi1>
  %2 = stablehlo.compare EQ, %a, %b, UNSIGNED : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %2, dense<[false, false, false, true, false]> : tensor<5xi1>
  %3 = stablehlo.compare NE, %a, %a, SIGNED : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %3, dense<[false, false, true, false, false]> : tensor<5xi1>
  return
}
func.func @integers() {
  %a = stablehlo.constant dense<[1, -1, 7, -128]> : tensor<4xi8>
  %b = stablehlo.constant dense<[2, 1, 7, 127]> : tensor<4xi8>
  %0 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[true, true, false, true]> : tensor<4xi1>
  %1 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi1>
  check.expect_eq_const %1, dense<[false, false, true, false]> : tensor<4xi1>
  %2 = stablehlo.compare LE, %a, %b, TOTALORDER : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi1>
  check.expect_eq_const %2, dense<true> : tensor<4xi1>
  return
}
func.func @unsigned_integers() {
  %a = stablehlo.constant dense<[1, 255, 7, 128]> : tensor<4xui8>
  %b = stablehlo.constant dense<[2, 1, 7, 127]> : tensor<4xui8>
  %0 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[true, false, false, false]> : tensor<4xi1>
  %1 = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  check.expect_eq_const %1, dense<[false, true, false, true]> : tensor<4xi1>
  return
}
func.func @complex_numbers() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (1.0, -2.0), (0x7FC00000, 0.0)]> : tensor<3xcomplex<f32>>
  %b = stablehlo.constant dense<[(1.0, 3.0), (1.0, -2.0), (0.0, 0.0)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[false, true, false]> : tensor<3xi1>
  %1 = stablehlo.compare LE, %a, %b, UNSIGNED : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %1, dense<[true, true, false]> : tensor<3xi1>
  return
}
