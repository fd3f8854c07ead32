// RUN: heddle-opt --hlo-expand %s | FileCheck %s

// CHECK-LABEL: @columns
func.func @columns(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>) {
  // CHECK: %[[T:.*]] = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: %[[C:.*]]:2 = stablehlo.custom_call @f(%[[T]])
  // CHECK-SAME: hd.operand_dims = [array<i64: 1, 0>], hd.result_dims = [array<i64: 1, 0>, array<i64: 0>]
  // CHECK-SAME: (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3xf32>)
  // CHECK: stablehlo.transpose %[[C]]#0, dims = [1, 0]
  %0:2 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}
    : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @rows
func.func @rows(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: stablehlo.custom_call @f(%arg0)
  // CHECK-NEXT: return
  %0 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
