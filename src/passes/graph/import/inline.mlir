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

// -----

// Windows of all elements up to each, of unknown sizes, are scans; the second one's input is the first one's result.
// CHECK-LABEL: func.func public @integral
// CHECK: %[[ROWS:.*]] = "mhlo.associative_scan"(%arg0, %{{.*}}) <{dimension = 0 : i64}>
// CHECK-NOT: dynamic_pad
// CHECK: "mhlo.associative_scan"(%[[ROWS]], %{{.*}}) <{dimension = 1 : i64}>
// CHECK-NOT: dynamic_pad
// CHECK: return
func.func public @integral(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %h0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %w0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %h = stablehlo.reshape %h0 : (tensor<i32>) -> tensor<1xi32>
  %w = stablehlo.reshape %w0 : (tensor<i32>) -> tensor<1xi32>
  %h1 = stablehlo.subtract %h, %one : tensor<1xi32>
  %w1 = stablehlo.subtract %w, %one : tensor<1xi32>
  %sizes0 = stablehlo.concatenate %h, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %sizes1 = stablehlo.concatenate %one, %w, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %pads0 = stablehlo.concatenate %h1, %z, %z, %z, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %pads1 = stablehlo.concatenate %z, %z, %w1, %z, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %p0 = stablehlo.reshape %pads0 : (tensor<4xi32>) -> tensor<2x2xi32>
  %p1 = stablehlo.reshape %pads1 : (tensor<4xi32>) -> tensor<2x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %sizes0, %ones, %ones, %ones, %p0) {called_computations = [@sum]} : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%0, %zero, %sizes1, %ones, %ones, %ones, %p1) {called_computations = [@sum]} : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
