// RUN: heddle-opt --stablehlo-legalize-to-vhlo --vhlo-legalize-to-stablehlo %s | FileCheck %s
// RUN: heddle-opt --stablehlo-legalize-to-vhlo=target=1.0.0 --vhlo-legalize-to-stablehlo %s | FileCheck %s
// RUN: heddle-opt --emit-bytecode --target-version=0.9.0 %s | heddle-opt | FileCheck %s

// CHECK-LABEL: func.func @f(%arg0: tensor<?x2xf32> {x.y = true}, %arg1: tensor<2x3xf32>) -> tensor<?x3xf32>
func.func @f(%a: tensor<?x2xf32> {x.y = true}, %b: tensor<2x3xf32>) -> tensor<?x3xf32> {
  // CHECK: stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<?x2xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  // CHECK: stablehlo.tanh %0 : tensor<?x3xf32>
  %1 = stablehlo.tanh %0 : tensor<?x3xf32>
  // CHECK: call @g(%1) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %2 = call @g(%1) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  // CHECK: return
  return %2 : tensor<?x3xf32>
}

// CHECK-LABEL: func.func private @g
func.func private @g(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // CHECK: stablehlo.custom_call @shape_assertion(%arg0) {api_version = 2 : i32, error_message = "no", has_side_effect = true}
  stablehlo.custom_call @shape_assertion(%a) {api_version = 2 : i32, error_message = "no", has_side_effect = true} : (tensor<?x3xf32>) -> ()
  return %a : tensor<?x3xf32>
}
