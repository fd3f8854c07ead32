// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-shape-analysis %s | FileCheck %s
// RUN: heddle-opt --disc-shape-analysis --disc-shape-analysis %s | FileCheck %s

// What broadcasts together: a dim that all operands have, or all but those of 1; of two that may differ, neither.
// CHECK-LABEL: @broadcast
// CHECK-SAME: %arg0: tensor<?x?xf32> {hd.dims = ["d0", "d1"]}
// CHECK: chlo.broadcast_add %arg0, %{{.*}} {hd.dims = {{\[\[}}"d0", "d1"]]}
// CHECK: chlo.broadcast_add %arg0, %arg2 {{.*}}hd.dims = {{\[\[}}"d0", "d1"]]
// CHECK: chlo.broadcast_multiply %arg0, %arg1 {hd.dims = {{\[\[}}"d0", "d3"]]}
// CHECK: chlo.broadcast_add %arg3, %arg0 {{.*}}hd.dims = {{\[\[}}"d0", "7"]]
// CHECK: chlo.broadcast_select %{{.*}}, %arg0, %arg2 {hd.dims = {{\[\[}}"d0", "d1"]]}
func.func @broadcast(%a: tensor<?x?xf32>, %b: tensor<1x?xf32>, %s: tensor<f32>, %c: tensor<7xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %n = stablehlo.negate %a : tensor<?x?xf32>
  %p = stablehlo.is_finite %a : (tensor<?x?xf32>) -> tensor<?x?xi1>
  %0 = chlo.broadcast_add %a, %n : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = chlo.broadcast_add %a, %s : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %2 = chlo.broadcast_multiply %a, %b : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %3 = chlo.broadcast_add %c, %a {broadcast_dimensions = array<i64: 1>} : (tensor<7xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = chlo.broadcast_select %p, %a, %s : (tensor<?x?xi1>, tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0, %1, %2, %3, %4 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// The broadcasts of old programs, on elementwise ops.
// CHECK-LABEL: @older
// CHECK: stablehlo.add {{.*}}hd.dims = {{\[\[}}"d0", "d1"]]
func.func @older(%a: tensor<?x?xf32>, %b: tensor<1xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.add"(%a, %b) {broadcast_dimensions = array<i64: 0>} : (tensor<?x?xf32>, tensor<1xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
