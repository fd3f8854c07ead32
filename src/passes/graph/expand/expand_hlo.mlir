// RUN: heddle-opt --hlo-expand --cse %s | FileCheck %s

// CHECK-LABEL: @map
func.func @map(%arg0: tensor<?x4xf32>, %arg1: tensor<?x4xf32>) -> tensor<?x4xf32> {
// CHECK: %[[SAME:.*]] = stablehlo.compare EQ, %[[ROWS:.*]], %[[OTHER:.*]] : (tensor<i64>, tensor<i64>) -> tensor<i1>
// CHECK-NEXT: stablehlo.custom_call @shape_assertion(%[[SAME]], %[[ROWS]], %[[OTHER]]) {error_message = "stablehlo.map: dim 0 of operand 0 (d0) is {0}, expected dim 0 of operand 1 (d1), which is {1}", has_side_effect = true}
  // CHECK-NEXT: %[[P:.*]] = stablehlo.multiply %arg0, %arg1 : tensor<?x4xf32>
  // CHECK-NEXT: return %[[P]]
  %0 = "stablehlo.map"(%arg0, %arg1) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// Tuples go, through control flow, arguments and results.
// CHECK-LABEL: @tuples(%arg0: tensor<4xf32>, %arg1: tensor<i32>, %arg2: tensor<i1>) -> (tensor<4xf32>, tensor<i32>)
func.func @tuples(%arg0: tuple<tensor<4xf32>, tensor<i32>>, %arg1: tensor<i1>) -> tuple<tensor<4xf32>, tensor<i32>> {
  // CHECK-NEXT: %[[R:.*]]:2 = "stablehlo.if"(%arg2)
  // CHECK-NEXT:   stablehlo.return %arg0, %arg1
  // CHECK: return %[[R]]#0, %[[R]]#1
  %0 = "stablehlo.if"(%arg1) ({
    stablehlo.return %arg0 : tuple<tensor<4xf32>, tensor<i32>>
  }, {
    %1 = stablehlo.get_tuple_element %arg0[0] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<4xf32>
    %2 = stablehlo.get_tuple_element %arg0[1] : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
    %3 = stablehlo.add %1, %1 : tensor<4xf32>
    %4 = stablehlo.tuple %3, %2 : tuple<tensor<4xf32>, tensor<i32>>
    stablehlo.return %4 : tuple<tensor<4xf32>, tensor<i32>>
  }) : (tensor<i1>) -> tuple<tensor<4xf32>, tensor<i32>>
  return %0 : tuple<tensor<4xf32>, tensor<i32>>
}

// CHECK-LABEL: @einsum
func.func @einsum(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4x5xf32>) -> tensor<3x2x5xf32> {
  // CHECK-NEXT: %[[D:.*]] = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
  // CHECK-NEXT: stablehlo.transpose %[[D]], dims = [1, 0, 2]
  %0 = stablehlo.einsum %arg0, %arg1, config = "bij,bjk->ibk" : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<3x2x5xf32>
  return %0 : tensor<3x2x5xf32>
}

// One process is all there is; annotations pass their operand on.
// CHECK-LABEL: @alone
func.func @alone(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: return %arg0, %arg0
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @Sharding(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @top_k
func.func @top_k(%arg0: tensor<3x8xi32>) -> (tensor<3x2xi32>, tensor<3x2xi32>) {
  // CHECK: %[[S:.*]]:2 = "stablehlo.sort"(%arg0, %{{.*}})
  // CHECK: stablehlo.slice %[[S]]#0 [0:3, 0:2]
  // CHECK: stablehlo.slice %[[S]]#1 [0:3, 0:2]
  %0:2 = chlo.top_k(%arg0, k = 2) : tensor<3x8xi32> -> (tensor<3x2xi32>, tensor<3x2xi32>)
  return %0#0, %0#1 : tensor<3x2xi32>, tensor<3x2xi32>
}

// A custom call without results that is no annotation stays: what it says is for later passes.
// CHECK-LABEL: func.func @asserts
// CHECK: stablehlo.custom_call @shape_assertion
func.func @asserts(%a: tensor<i1>) {
  stablehlo.custom_call @shape_assertion(%a) {error_message = "no", has_side_effect = true} : (tensor<i1>) -> ()
  return
}

// CHECK-LABEL: @barrier
func.func @barrier(%x: tensor<4xf32>, %y: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
  // CHECK-NEXT: return %arg0, %arg1
  %0:2 = stablehlo.optimization_barrier %x, %y : tensor<4xf32>, tensor<i32>
  return %0#0, %0#1 : tensor<4xf32>, tensor<i32>
}

// Quantized values are their integers; arithmetic is that of the expressed floats.
// CHECK-LABEL: @quantized(%arg0: tensor<4xi8>) -> tensor<4xi8>
func.func @quantized(%arg0: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>> {
  // CHECK: stablehlo.convert %arg0 : (tensor<4xi8>) -> tensor<4xi32>
  // CHECK: stablehlo.subtract %{{.*}} : tensor<4xi32>
  // CHECK: %[[X:.*]] = stablehlo.multiply %{{.*}} : tensor<4xf32>
  // CHECK: stablehlo.add %[[X]], %[[X]] : tensor<4xf32>
  // CHECK: stablehlo.divide %{{.*}} : tensor<4xf32>
  // CHECK: stablehlo.add %{{.*}} : tensor<4xf32>
  // CHECK: stablehlo.round_nearest_even
  // CHECK: %[[Q:.*]] = stablehlo.convert %{{.*}} : (tensor<4xf32>) -> tensor<4xi8>
  // CHECK: %[[R:.*]] = stablehlo.reverse %[[Q]], dims = [0] : tensor<4xi8>
  // CHECK: return %[[R]] : tensor<4xi8>
  %0 = stablehlo.add %arg0, %arg0 : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  return %1 : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
}

// What no kernel can hold inside of map is a loop over its elements.
// CHECK-LABEL: @map_by_element
// CHECK: %[[FLAT:.*]] = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<6xf32>
// CHECK: stablehlo.while
// CHECK: stablehlo.dynamic_slice %[[FLAT]]
// CHECK: stablehlo.sort
// CHECK: stablehlo.dynamic_update_slice
// CHECK-NOT: stablehlo.map
// CHECK: stablehlo.reshape %{{.*}} : (tensor<6xf32>) -> tensor<2x3xf32>
func.func @map_by_element(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.map"(%arg0) ({
  ^bb0(%a: tensor<f32>):
    %1 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %2 = "stablehlo.sort"(%1) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %4 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<1xf32>) -> tensor<1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// A cumulative sum over many elements: a loop over the bits of their number. Beside it the window of two stays one.
// CHECK-LABEL: @long_window
// CHECK: %[[PAIRS:.*]] = "stablehlo.reduce_window"({{.*}}window_dimensions = array<i64: 1, 2>
// CHECK: stablehlo.while
// CHECK-NOT: reduce_window
// CHECK: return
func.func @long_window(%x: tensor<700x4xf32>, %z: tensor<f32>) -> tensor<700x3xf32> {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 700, 2>, padding = dense<[[699, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<700x4xf32>, tensor<f32>) -> tensor<700x3xf32>
  return %0 : tensor<700x3xf32>
}

// One window over all, and long ones that move by their length: each element is added once.
// CHECK-LABEL: @window_that_stays
// CHECK-NOT: stablehlo.while
// CHECK: return
func.func @window_that_stays(%x: tensor<4096xf32>, %z: tensor<f32>) -> (tensor<1xf32>, tensor<16xf32>) {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 4096>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4096xf32>, tensor<f32>) -> tensor<1xf32>
  %1 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 256>, window_strides = array<i64: 256>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4096xf32>, tensor<f32>) -> tensor<16xf32>
  return %0, %1 : tensor<1xf32>, tensor<16xf32>
}

// -----

// What a fusion holds stands where it is, that of the inner one first, with the number of the outer one.
// CHECK-LABEL: @fusions
// CHECK-NOT: mhlo.fusion
// CHECK: %[[D:.*]] = mhlo.add %arg0, %arg0 {hd.fusion = 2 : i64} : tensor<?x4xf32>
// CHECK: %[[S:.*]] = mhlo.reduce(%[[D]] init: %{{.*}}) applies mhlo.add across dimensions = [0] {hd.fusion = 2 : i64}
// CHECK: return %[[D]], %[[S]]
func.func @fusions(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>) {
  %r:2 = "mhlo.fusion"(%x) ({
  ^bb0(%a: tensor<?x4xf32>):
    %d = "mhlo.fusion"(%a) ({
    ^bb0(%b: tensor<?x4xf32>):
      %1 = mhlo.add %b, %b : tensor<?x4xf32>
      mhlo.return %1 : tensor<?x4xf32>
    }) {fusion_kind = #mhlo<fusion_kind kLoop>} : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %z = mhlo.constant dense<0.0> : tensor<f32>
    %s = mhlo.reduce(%d init: %z) applies mhlo.add across dimensions = [0] : (tensor<?x4xf32>, tensor<f32>) -> tensor<4xf32>
    mhlo.return %d, %s : tensor<?x4xf32>, tensor<4xf32>
  }) {fusion_kind = #mhlo<fusion_kind kInput>} : (tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<?x4xf32>, tensor<4xf32>
}

// -----

// A tuple that nobody reads goes, and so it says that it changed the function.
// CHECK-LABEL: @unread_tuple
// CHECK-NEXT: return %arg0
func.func @unread_tuple(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tuple %x, %x : tuple<tensor<4xf32>, tensor<4xf32>>
  return %x : tensor<4xf32>
}
