// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-pipeline=target=cpu --verify-each %s | FileCheck %s

// A reduction inside of a region has no others beside it, also where the region is written several times.
// CHECK-LABEL: @main
// CHECK: func.func private @loop_{{.*}}hd.kernel
func.func public @main(%a1: tensor<?x?xi32>) -> (tensor<?x?xi32>) {
  %v1 = stablehlo.constant dense<1> : tensor<i32>
  %v2 = "stablehlo.map"(%a1) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%e: tensor<i32>):
  %many = stablehlo.broadcast_in_dim %e, dims = [] : (tensor<i32>) -> tensor<3xi32>
  %line = stablehlo.iota dim = 0 : tensor<3xi32>
  %m = stablehlo.xor %many, %line : tensor<3xi32>
  %f = stablehlo.reduce(%m init: %v1) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  stablehlo.return %f : tensor<i32>
  }) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return %v2 : tensor<?x?xi32>
}
