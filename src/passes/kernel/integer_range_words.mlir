// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --integer-range-optimizations=narrow %s | FileCheck %s

// Words of 64 bits that a mask makes small.
// CHECK-LABEL: func.func @words
// CHECK: arith.trunci %{{.*}} : i64 to i32
// CHECK: arith.divui %{{.*}} : i32
// CHECK: arith.extui %{{.*}} : i32 to i64
// EVAL: words arg0=3
func.func @words(%a: tensor<3xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %mask = arith.constant 65535 : i64
  %five = arith.constant 5 : i64
  %x = tensor.extract %a[%c0] : tensor<3xi64>
  %y = arith.andi %x, %mask : i64
  %z = arith.divsi %y, %five : i64
  return %z : i64
}
