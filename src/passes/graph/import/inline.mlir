// RUN: heddle-opt --inline --disc-unused-function-removal --split-input-file %s | FileCheck %s

// JAX names dims on an inner function; the name moves to the argument.
// CHECK: func.func public @main(%arg0: tensor<?xf32> {hd.dims = ["b"]}) -> tensor<?xf32>
// CHECK-NOT: call
// CHECK: stablehlo.exponential %arg0
// CHECK-NOT: func.func
func.func public @main(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %1 = call @inner(%0, %arg0) : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func private @inner(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %arg1 : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @unused() { return }

// -----

// A composite that is named after an op is that op; any other is its decomposition.
// CHECK-LABEL: func.func @composites
// CHECK-NEXT: %[[E:.*]] = chlo.erf %arg0 : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[E]]
// CHECK-NEXT: return %[[N]]
func.func @composites(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "chlo.erf" %x {decomposition = @other} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "chlo.unheard_of" %0 {decomposition = @other} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The largest two by the comparator that comes along.
// CHECK-LABEL: func.func @front
// CHECK: %[[S:.*]]:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 1 : i64, is_stable = true}>
// CHECK: stablehlo.compare GT
// CHECK: stablehlo.slice %[[S]]#0 [0:3, 0:2]
func.func @front(%x: tensor<3x8xf32>, %i: tensor<3x8xi32>) -> tensor<3x2xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %c, %z) {called_computations = [@greater], mhlo.backend_config = {reduction_dim = 1 : i64, top_k = 2 : i64}} : (tensor<3x8xf32>, tensor<3x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  return %0#0 : tensor<3x2xf32>
}
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
