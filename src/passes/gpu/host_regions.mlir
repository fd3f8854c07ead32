// RUN: heddle-opt --disc-pipeline=target=cuda --verify-each --split-input-file %s | FileCheck %s

// Work on shapes with regions of its own runs on the host: a product and a stable sort of sizes with their places, whose
// memory is the host's too. One kernel is left, with indices of 32 and of 64 bits, which writes the result.
// CHECK-LABEL: @main
// CHECK-COUNT-2: ral_gpu_launch
// CHECK-NOT: ral_gpu_launch
// CHECK: llvm.func @[[N:.+]](
// CHECK: llvm.func @[[N]]_64(
// CHECK-NOT: {{llvm.func .*gpu.kernel}}
func.func @main(%x: tensor<?x?x?xf32>, %v: tensor<f32>) -> tensor<?x?xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %places = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
  %d0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x?xf32>) -> tensor<i32>
  %d1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x?xf32>) -> tensor<i32>
  %d2 = stablehlo.get_dimension_size %x, dim = 2 : (tensor<?x?x?xf32>) -> tensor<i32>
  %r0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %r1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %r2 = stablehlo.reshape %d2 : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %r0, %r1, %r2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %p = stablehlo.reduce(%s init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  %n = stablehlo.reshape %p : (tensor<i32>) -> tensor<1xi32>
  %o:2 = "stablehlo.sort"(%s, %places) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %i: tensor<i32>, %j: tensor<i32>):
    %c = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>)
  %last = stablehlo.slice %o#1 [2:3] : (tensor<3xi32>) -> tensor<1xi32>
  %t = stablehlo.concatenate %n, %last, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %y = stablehlo.dynamic_broadcast_in_dim %v, %t, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
