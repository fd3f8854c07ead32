// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion %s | FileCheck %s
// RUN: heddle-opt --dhlo-placer %s | FileCheck %s --check-prefix=PLACED

// A print is a call of the runtime that reads a buffer; what stands behind it stays there.
// CHECK-LABEL: @main
// CHECK-SAME: hd.messages = [""]
// CHECK: lmhlo.negate
// CHECK: hd.ral_call "ral_print___pvoid_i64_i64_m2df32___void"({{.*}}) : (i64, i64, memref<?x?xf32>) -> ()
// CHECK: lmhlo.exponential
// CHECK: hd.ral_call "ral_print___pvoid_i64_i64_m2df32___void"
// PLACED: %[[H:.*]] = mhlo.copy %{{.*}} {hd.placement = ["host"]}
// PLACED: interpreter.print %[[H]]
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.negate %x : tensor<?x?xf32>
  "interpreter.print"(%0) : (tensor<?x?xf32>) -> ()
  %1 = stablehlo.exponential %0 : tensor<?x?xf32>
  "interpreter.print"(%1) : (tensor<?x?xf32>) -> ()
  return %1 : tensor<?x?xf32>
}
