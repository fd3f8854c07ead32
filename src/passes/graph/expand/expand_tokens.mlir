// RUN: heddle-opt --hlo-expand %s | FileCheck %s

// CHECK-LABEL: @tokens
// CHECK-SAME: (%arg0: tensor<0xi1>, %arg1: tensor<4xf32>) -> (tensor<0xi1>, tensor<0xi1>)
func.func @tokens(%t: !stablehlo.token, %x: tensor<4xf32>) -> (!stablehlo.token, !stablehlo.token) {
  // CHECK: %[[T:.*]] = stablehlo.constant dense<> : tensor<0xi1>
  // CHECK: return %arg0, %[[T]]
  %0 = stablehlo.after_all %t, %t : !stablehlo.token
  return %t, %0 : !stablehlo.token, !stablehlo.token
}
