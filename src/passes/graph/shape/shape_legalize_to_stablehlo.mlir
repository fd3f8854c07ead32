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
  // CHECK-NOT: shape.
  // CHECK: %[[S:.*]] = stablehlo.convert %{{.*}} : (tensor<2xi64>) -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %s = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  return %s : tensor<2xindex>
}

// Equal shapes are asserted one size at a time, which makes them facts; a condition with its own message. A constant
// witness says nothing.
// CHECK-LABEL: @constraints
func.func @constraints(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // CHECK-NOT: shape.
  // CHECK: %[[P:.*]] = stablehlo.compare EQ, %{{.*}}, %{{.*}} : (tensor<i64>, tensor<i64>) -> tensor<i1>
  // CHECK: stablehlo.custom_call @shape_assertion(%[[P]]) {{{.*}}error_message = "shapes differ"
  // CHECK: stablehlo.custom_call @shape_assertion({{.*}}) {{{.*}}error_message = "at least two rows"
  // CHECK: %[[SUM:.*]] = stablehlo.add %arg0, %arg1
  // CHECK: return %[[SUM]]
  %a = shape.shape_of %x : tensor<?x8xf32> -> tensor<2xindex>
  %b = shape.shape_of %y : tensor<?x8xf32> -> tensor<2xindex>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = shape.get_extent %a, %c0 : tensor<2xindex>, index -> index
  %many = arith.cmpi sge, %n, %c2 : index
  %w0 = shape.cstr_eq %a, %b : tensor<2xindex>, tensor<2xindex>
  %w1 = shape.cstr_require %many, "at least two rows"
  %w2 = shape.const_witness true
  %w = shape.assuming_all %w0, %w1, %w2
  %r = shape.assuming %w -> (tensor<?x8xf32>) {
    %s = stablehlo.add %x, %y : tensor<?x8xf32>
    shape.assuming_yield %s : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// A reduction over the sizes is written out.
// CHECK-LABEL: @elements
func.func @elements(%x: tensor<?x?x3xf32>) -> tensor<?xf32> {
  // CHECK-NOT: shape.
  // CHECK-COUNT-3: stablehlo.multiply
  // CHECK: stablehlo.dynamic_reshape %arg0
  %s = shape.shape_of %x : tensor<?x?x3xf32> -> !shape.shape
  %one = shape.const_size 1
  %n = shape.reduce(%s, %one) : !shape.shape -> !shape.size {
  ^bb0(%i: index, %extent: !shape.size, %acc: !shape.size):
    %next = shape.mul %acc, %extent : !shape.size, !shape.size -> !shape.size
    shape.yield %next : !shape.size
  }
  %m = shape.size_to_index %n : !shape.size
  %t = tensor.from_elements %m : tensor<1xindex>
  %y = stablehlo.dynamic_reshape %x, %t : (tensor<?x?x3xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// A cast says which sizes are known, which is what a reshape says.
// CHECK-LABEL: @cast
func.func @cast(%x: tensor<?x?xf32>) -> tensor<4x?xf32> {
  // CHECK: %[[Y:.*]] = stablehlo.dynamic_reshape %arg0, %{{.*}} -> tensor<4x?xf32>
  // CHECK: return %[[Y]]
  %y = tensor.cast %x : tensor<?x?xf32> to tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// Numbers of scalars alone are host code, and stay.
// CHECK-LABEL: @scalars
func.func @scalars(%a: index, %b: index) -> index {
  // CHECK: arith.muli %arg0, %arg1 : index
  %c = arith.muli %a, %b : index
  return %c : index
}
