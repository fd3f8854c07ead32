// RUN: heddle-opt --chlo-legalize-to-stablehlo %s | FileCheck %s

// CHECK-LABEL: @functions
// CHECK: mhlo.erf %{{.*}} : tensor<?xf32>
// CHECK: mhlo.lgamma %{{.*}} : tensor<?xf32>
// CHECK: mhlo.next_after %{{.*}}, %{{.*}} : tensor<?xf32>
// CHECK: stablehlo.tan %{{.*}} : tensor<?xf32>
// CHECK-NOT: chlo
func.func @functions(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = chlo.erf %x : tensor<?xf32> -> tensor<?xf32>
  %1 = chlo.lgamma %0 : tensor<?xf32> -> tensor<?xf32>
  %2 = chlo.next_after %1, %x : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  %3 = chlo.tan %2 : tensor<?xf32> -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

// A type without infinity has no element that is one.
// CHECK-LABEL: @infinite
// CHECK: stablehlo.compare EQ, %{{.*}}, %{{.*}} : (tensor<?xf8E5M2>, tensor<?xf8E5M2>) -> tensor<?xi1>
// CHECK: stablehlo.compare LT, %arg1, %arg1 : (tensor<?xf4E2M1FN>, tensor<?xf4E2M1FN>) -> tensor<?xi1>
func.func @infinite(%x: tensor<?xf8E5M2>, %y: tensor<?xf4E2M1FN>) -> (tensor<?xi1>, tensor<?xi1>) {
  %0 = chlo.is_inf %x : tensor<?xf8E5M2> -> tensor<?xi1>
  %1 = chlo.is_inf %y : tensor<?xf4E2M1FN> -> tensor<?xi1>
  return %0, %1 : tensor<?xi1>, tensor<?xi1>
}

// Known shapes broadcast at once.
// CHECK-LABEL: @static
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
// CHECK: stablehlo.add %arg0, %[[B]] : tensor<2x4xf32>
func.func @static(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = chlo.broadcast_add %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Of two unknown sizes one may be 1.
// CHECK-LABEL: @dynamic
// CHECK: %[[ONE:.*]] = stablehlo.compare EQ
// CHECK: stablehlo.select %[[ONE]]
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg0
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg1
// CHECK: stablehlo.compare LT
func.func @dynamic(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xi1> {
  %0 = chlo.broadcast_compare %x, %y {comparison_direction = #chlo<comparison_direction LT>} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

// CHECK-LABEL: @constants
// CHECK: stablehlo.constant dense<2.500000e+00> : tensor<3xf32>
// CHECK: stablehlo.multiply %arg0, %arg0
// CHECK: stablehlo.constant dense<0xFF800000> : tensor<3xf32>
// CHECK: stablehlo.compare EQ
func.func @constants(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi1>) {
  %0 = "chlo.constant_like"(%x) {value = 2.5 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = chlo.square %x : tensor<3xf32> -> tensor<3xf32>
  %2 = chlo.is_neg_inf %x : tensor<3xf32> -> tensor<3xi1>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xi1>
}
