// RUN: not heddle check %s 2>&1 | FileCheck %s
// RUN: not heddle check %s --target=cpu 2>&1 | FileCheck %s
// RUN: heddle run %s --no-cache --entry verdicts --reference=eval 2>&1 | FileCheck %s --check-prefix=RAN
// Expectations as custom calls whose result says whether they hold: judged, and a value of the program.
// CHECK: error: {{.*}}1 of 2 elements differ: at [1] expected 2.5, got 2
// CHECK: remark: 'differ' failed
// CHECK: 4 passed, 1 failed
// RAN: out0 {{ *}}i1 {{ *}}1 {{ *}}1
func.func @verdicts() -> tensor<i1> {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.custom_call @check.eq(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  %1 = stablehlo.custom_call @check.expect_eq(%a, %a) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  %2 = stablehlo.and %0, %1 : tensor<i1>
  return %2 : tensor<i1>
}
func.func @differ() -> tensor<i1> {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.0, 2.5]> : tensor<2xf32>
  %0 = stablehlo.custom_call @check.eq(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  check.expect_eq_const %0, dense<false> : tensor<i1>
  return %0 : tensor<i1>
}
func.func @near() -> tensor<i1> {
  %a = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7F800000, -0.0]> : tensor<4xf32>
  %b = stablehlo.constant dense<[1.00005, 0x7FC00001, 0x7F800000, 0.0]> : tensor<4xf32>
  %0 = stablehlo.custom_call @check.expect_almost_eq(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<i1>
  check.expect_eq_const %0, dense<true> : tensor<i1>
  return %0 : tensor<i1>
}
func.func @steps() -> tensor<i1> {
  // three steps apart, across 0 too
  %a = stablehlo.constant dense<[0x3F800003, 0x00000001, 0x80000002]> : tensor<3xf32>
  %b = stablehlo.constant dense<[0x3F800000, 0x80000002, 0x00000001]> : tensor<3xf32>
  %0 = stablehlo.custom_call @check.expect_close(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<i1>
  check.expect_eq_const %0, dense<true> : tensor<i1>
  return %0 : tensor<i1>
}
func.func @other_elements() -> tensor<i1> {
  %a = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>
  %0 = stablehlo.custom_call @check.expect_close(%a, %a) : (tensor<1xcomplex<f64>>, tensor<1xcomplex<f64>>) -> tensor<i1>
  %b = stablehlo.constant dense<[-3, 7]> : tensor<2xi8>
  %1 = stablehlo.custom_call @check.expect_eq(%b, %b) : (tensor<2xi8>, tensor<2xi8>) -> tensor<i1>
  %c = stablehlo.constant dense<[-1, 1]> : tensor<2xi64>
  %d = stablehlo.constant dense<[2, -2]> : tensor<2xi64>
  %2 = stablehlo.custom_call @check.expect_close(%c, %d) : (tensor<2xi64>, tensor<2xi64>) -> tensor<i1>
  %3 = stablehlo.and %0, %1 : tensor<i1>
  %4 = stablehlo.and %2, %3 : tensor<i1>
  check.expect_eq_const %4, dense<true> : tensor<i1>
  return %4 : tensor<i1>
}
