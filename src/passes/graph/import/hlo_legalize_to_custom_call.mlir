// RUN: heddle-opt --hlo-legalize-to-custom-call %s | FileCheck %s

// CHECK-LABEL: @functions
// CHECK: %[[A:.*]] = stablehlo.custom_call @chlo.erf(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: %[[B:.*]] = stablehlo.custom_call @mhlo.next_after(%[[A]], %arg0) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// CHECK: return %[[B]]
func.func @functions(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = chlo.erf %x : tensor<?xf32> -> tensor<?xf32>
  %1 = mhlo.next_after %0, %x : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// Attributes come along, several results too; inside of regions as well.
// CHECK-LABEL: @top
// CHECK: stablehlo.if
// CHECK: stablehlo.custom_call @chlo.top_k(%arg0) {mhlo.attributes = {k = 2 : i64}} : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi32>)
func.func @top(%x: tensor<5xf32>, %p: tensor<i1>) -> tensor<2xi32> {
  %0 = "stablehlo.if"(%p) ({
    %v, %i = chlo.top_k(%x, k = 2) : tensor<5xf32> -> (tensor<2xf32>, tensor<2xi32>)
    stablehlo.return %i : tensor<2xi32>
  }, {
    %c = stablehlo.constant dense<0> : tensor<2xi32>
    stablehlo.return %c : tensor<2xi32>
  }) : (tensor<i1>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// What StableHLO has stays, whichever name it was read by.
// CHECK-LABEL: @known
// CHECK-NOT: custom_call
func.func @known(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = mhlo.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}
