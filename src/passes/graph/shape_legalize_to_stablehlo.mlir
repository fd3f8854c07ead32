// RUN: heddle-opt --shape-legalize-to-stablehlo %s | FileCheck %s

// Sizes as values become tensors of i64.
// CHECK-LABEL: @sizes
func.func @sizes(%x: tensor<?x8xf32>) -> tensor<?x1x8xf32> {
  // CHECK-DAG: %[[N:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
  // CHECK-DAG: %[[ROW:.*]] = stablehlo.reshape %[[N]] : (tensor<i32>) -> tensor<1xi32>
  // CHECK: stablehlo.convert %[[ROW]] : (tensor<1xi32>) -> tensor<1xi64>
  %s = shape.shape_of %x : tensor<?x8xf32> -> tensor<2xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[FIRST:.*]] = stablehlo.slice {{.*}} : (tensor<2xi64>) -> tensor<1xi64>
  %n = tensor.extract %s[%c0] : tensor<2xindex>
  %m = tensor.dim %x, %c1 : tensor<?x8xf32>
  // CHECK: %[[TO:.*]] = stablehlo.concatenate %[[FIRST]], {{.*}} -> tensor<3xi64>
  %t = tensor.from_elements %n, %c1, %m : tensor<3xindex>
  // CHECK: mhlo.dynamic_reshape %arg0, %[[TO]] : (tensor<?x8xf32>, tensor<3xi64>)
  %y = mhlo.dynamic_reshape %x, %t : (tensor<?x8xf32>, tensor<3xindex>) -> tensor<?x1x8xf32>
  // CHECK-NOT: index
  // CHECK: return
  return %y : tensor<?x1x8xf32>
}

// What an assuming holds stands in its place; the broadcasts demand what its witness says.
// CHECK-LABEL: @assuming
func.func @assuming(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  // CHECK-NOT: shape.
  %a = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %b = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %w = shape.cstr_broadcastable %a, %b : tensor<2xindex>, tensor<1xindex>
  // CHECK: %[[TAIL:.*]] = stablehlo.slice %[[X:.*]] [1:2] : (tensor<2xi64>) -> tensor<1xi64>
  // CHECK: %[[ONE:.*]] = stablehlo.compare EQ, %[[TAIL]]
  // CHECK: %[[COMMON:.*]] = stablehlo.select %[[ONE]], %{{.*}}, %[[TAIL]]
  // CHECK: %[[SHAPE:.*]] = stablehlo.concatenate %{{.*}}, %[[COMMON]], dim = 0
  // CHECK: mhlo.dynamic_broadcast_in_dim %arg0, %[[SHAPE]], dims = [0, 1]
  %r = shape.assuming %w -> (tensor<?x?xf32>) {
    %c = shape.broadcast %a, %b : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
    %p = "mhlo.dynamic_broadcast_in_dim"(%x, %c) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %q = "mhlo.dynamic_broadcast_in_dim"(%y, %c) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %s = mhlo.add %p, %q : tensor<?x?xf32>
    shape.assuming_yield %s : tensor<?x?xf32>
  }
  // CHECK: %[[SUM:.*]] = mhlo.add
  // CHECK: return %[[SUM]]
  return %r : tensor<?x?xf32>
}

// A shape of a scalar has no sizes.
// CHECK-LABEL: @split
func.func @split(%x: tensor<?x?xf32>, %y: tensor<f32>) -> (tensor<?x?xf32>, tensor<f32>) {
  %s = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %c = arith.constant -2 : index
  // CHECK-NOT: shape.
  %head, %tail = "shape.split_at"(%s, %c) : (tensor<2xindex>, index) -> (!shape.shape, !shape.shape)
  %t = shape.to_extent_tensor %tail : !shape.shape -> tensor<2xindex>
  %h = shape.to_extent_tensor %head : !shape.shape -> tensor<0xindex>
  // CHECK: %[[NONE:.*]] = stablehlo.constant dense<> : tensor<0xi32>
  // CHECK: mhlo.dynamic_reshape %arg0, %{{.*}} : (tensor<?x?xf32>, tensor<2xi64>)
  // CHECK: mhlo.dynamic_reshape %arg1, %[[NONE]]
  %p = mhlo.dynamic_reshape %x, %t : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %q = mhlo.dynamic_reshape %y, %h : (tensor<f32>, tensor<0xindex>) -> tensor<f32>
  return %p, %q : tensor<?x?xf32>, tensor<f32>
}

// What leaves a function keeps its type.
// CHECK-LABEL: @leaves
func.func @leaves(%x: tensor<?x?xf32>) -> tensor<2xindex> {
  // CHECK: %[[S:.*]] = shape.shape_of
  // CHECK: return %[[S]] : tensor<2xindex>
  %s = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  return %s : tensor<2xindex>
}

// Numbers of scalars alone are host code, and stay.
// CHECK-LABEL: @scalars
func.func @scalars(%a: index, %b: index) -> index {
  // CHECK: arith.muli %arg0, %arg1 : index
  %c = arith.muli %a, %b : index
  return %c : index
}
