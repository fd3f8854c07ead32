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
