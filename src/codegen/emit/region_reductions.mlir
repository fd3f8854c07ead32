// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-pipeline=target=cuda %s | FileCheck %s
// A region that is generated several times in one kernel: reductions in it are those of this time.

// CHECK: llvm.func
// CHECK: llvm.load
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.multiply %y, %y : tensor<?xf32>
    %k = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %e = stablehlo.add %a, %k : tensor<f32>
    %c = stablehlo.compare LT, %e, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
