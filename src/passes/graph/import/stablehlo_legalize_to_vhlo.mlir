// RUN: heddle-opt --stablehlo-legalize-to-vhlo %s | FileCheck %s
// RUN: heddle-opt --stablehlo-legalize-to-vhlo=target=1.8.0 %s | FileCheck %s --check-prefix=OLD
// RUN: not heddle-opt --stablehlo-legalize-to-vhlo=target=2.0.0 %s 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: target must be a version from 0.9.0 to 1.20.0, got '2.0.0'

// CHECK: vhlo.func_v1 @f(%arg0: !vhlo.tensor_v1<4x2x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<2x4x!vhlo.f32_v1>) {
// OLD: vhlo.func_v1
func.func @f(%a: tensor<4x2xf32>) -> tensor<2x4xf32> {
  // CHECK: "vhlo.add_v1"(%arg0, %arg0) : (!vhlo.tensor_v1<
  %0 = stablehlo.add %a, %a : tensor<4x2xf32>
  // CHECK: "vhlo.exponential_v2"
  // CHECK-SAME: result_accuracy = #vhlo.result_accuracy_v1<
  // CHECK-SAME: {foo = #vhlo.string_v1<"bar">}
  // OLD: "vhlo.exponential_v1"(%0) {foo
  %1 = stablehlo.exponential %0 {foo = "bar"} : tensor<4x2xf32>
  // CHECK: "vhlo.transpose_v1"(%1) <{permutation = #vhlo.tensor_v1<dense<[1, 0]> : tensor<2xi64>>}>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  // CHECK: "vhlo.return_v1"(%2)
  // CHECK: } {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}
  return %2 : tensor<2x4xf32>
}
