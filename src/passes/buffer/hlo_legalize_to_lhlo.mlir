// RUN: heddle-opt --disc-hlo-legalize-to-lhlo %s | FileCheck %s

// Shape arithmetic is gone; the result's dims are the argument's.
// CHECK-LABEL: @broadcast
func.func @broadcast(%arg0: tensor<?x8xf32>, %arg1: tensor<8xf32>) -> tensor<?x8xf32> {
  // CHECK-NOT: get_dimension_size
  // CHECK-NOT: concatenate
  // CHECK: %[[DIM:.*]] = memref.dim %arg0
  // CHECK: %[[B:.*]] = memref.alloc(%[[DIM]]) : memref<?x8xf32>
  // CHECK: "lmhlo.dynamic_broadcast_in_dim"(%arg1, %[[B]])
  // CHECK: %[[R:.*]] = memref.alloc(%[[DIM]]) : memref<?x8xf32>
  // CHECK: "lmhlo.add"(%arg0, %[[B]], %[[R]])
  // CHECK: return %[[R]]
  %c = stablehlo.constant dense<8> : tensor<1xi32>
  %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.concatenate %1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = stablehlo.dynamic_broadcast_in_dim %arg1, %2, dims = [1] : (tensor<8xf32>, tensor<2xi32>) -> tensor<?x8xf32>
  %4 = stablehlo.add %arg0, %3 : tensor<?x8xf32>
  return %4 : tensor<?x8xf32>
}

// A branch that only has an effect has it, inside a loop too.
// CHECK-LABEL: @effects
// CHECK: scf.if
// CHECK: "lmhlo.custom_call"(%arg0) <{call_target_name = "log"
func.func @effects(%arg0: tensor<8xf32>, %arg1: tensor<i1>) -> tensor<8xf32> {
  "stablehlo.if"(%arg1) ({
    stablehlo.custom_call @log(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> ()
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return %arg0 : tensor<8xf32>
}

// What a region uses from outside is an operand and an argument.
// CHECK-LABEL: @captures
func.func @captures(%arg0: tensor<?xf32>, %arg1: tensor<f32>) -> tensor<f32> {
  // CHECK: "lmhlo.reduce"(%arg0, %arg1, %arg1, %{{[a-z]*}}) <{
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %[[K:.*]]: tensor<f32>):
  // CHECK-NEXT: multiply %[[B]], %[[K]]
  // CHECK: hd.captures = 1
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.multiply %b, %arg1 : tensor<f32>
    %2 = stablehlo.add %a, %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// What the program asserts of its arguments' dims is known of the buffers too, but not what it asserts of results.
// CHECK-LABEL: @asserted
// CHECK-SAME: %arg0: memref<?xf32> {hd.dims = ["d0"]}, %arg1: memref<?xf32> {hd.dims = ["d1"]}, %arg2: memref<?xf32> {hd.dims = ["4*d3"]}
// CHECK-SAME: hd.constraint = ["d0 >= 2", "d1 == d0", "d2 % 4 == 0"]
// CHECK-NOT: shape_assertion
func.func @asserted(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?x?xf32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %k = stablehlo.get_dimension_size %z, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %rest = stablehlo.remainder %k, %four : tensor<i32>
  %0 = stablehlo.compare GE, %n, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%0) {api_version = 2 : i32, error_message = "", has_side_effect = true} : (tensor<i1>) -> ()
  %1 = stablehlo.compare EQ, %m, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%1) {api_version = 2 : i32, error_message = "", has_side_effect = true} : (tensor<i1>) -> ()
  %2 = stablehlo.compare EQ, %rest, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%2) {api_version = 2 : i32, error_message = "", has_side_effect = true} : (tensor<i1>) -> ()
  %rows = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %rows, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = stablehlo.dynamic_broadcast_in_dim %y, %shape, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}
