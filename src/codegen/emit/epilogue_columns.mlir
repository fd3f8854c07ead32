// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --cse %s | FileCheck %s
// RUN: heddle run %s --random 0 --dims b=2,n=5,m=37 --reference=eval | FileCheck --check-prefix=VALUES %s
// RUN: heddle run %s --random 0 --dims b=1,n=40,m=3 --reference=eval --mcpu=x86-64-v3 | FileCheck --check-prefix=VALUES %s
// RUN: heddle run %s --random 0 --dims b=3,n=1,m=1 --reference=eval | FileCheck --check-prefix=VALUES %s
// RUN: heddle run %s --random 0 --dims b=1,n=33,m=129 --reference=eval --threads=2 | FileCheck --check-prefix=VALUES %s
// RUN: heddle run %s --random 0 --dims b=2,n=0,m=4 --reference=eval | FileCheck --check-prefix=VALUES %s
// RUN: heddle run %s --random 0 --dims b=2,n=4,m=0 --reference=eval | FileCheck --check-prefix=VALUES %s
// VALUES: 3 library calls
// VALUES-NEXT: {{equals the evaluator|differs from the evaluator by .* \(tolerance}}

// Dims of columns that all that is read and written has side by side are one: nothing is divided or gathered.
// CHECK-LABEL: func.func private @gemm_dot_general_multiply_add_
// CHECK-NOT: arith.divui
// CHECK-NOT: arith.remui
// CHECK-NOT: vector.gather
// CHECK: vector.store
// Where they are apart, a run of columns is walked at a time: no lane divides.
// CHECK-LABEL: func.func private @gemm_dot_general_add_
// CHECK: arith.divui {{.*}} : index
// CHECK-NOT: arith.divui
// CHECK-NOT: arith.remui
// CHECK-NOT: vector.gather
// CHECK: vector.store
func.func @main(%c: tensor<9x4xf32>, %e: tensor<9x4xf32>, %x: tensor<4x?x?xf32> {hd.dims = ["", "n", "m"]}, %w: tensor<9xf32>, %d: tensor<?x9x4xf32> {hd.dims = ["b", "", ""]})
    -> (tensor<9x?x?xf32>, tensor<9x?x?xf32>, tensor<?x9x?x?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %nine = stablehlo.constant dense<9> : tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x?x?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %x, dim = 2 : (tensor<4x?x?xf32>) -> tensor<i32>
  %b = stablehlo.get_dimension_size %d, dim = 0 : (tensor<?x9x4xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %nine, %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %many = stablehlo.concatenate %b1, %four, %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %all = stablehlo.concatenate %b1, %nine, %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %p = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %r = stablehlo.reduce(%p init: %zero) applies stablehlo.minimum across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %s = stablehlo.reduce(%p init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = stablehlo.dynamic_broadcast_in_dim %x, %many, dims = [1, 2, 3] : (tensor<4x?x?xf32>, tensor<4xi32>) -> tensor<?x4x?x?xf32>
  %0 = stablehlo.dot_general %c, %x, contracting_dims = [1] x [0] : (tensor<9x4xf32>, tensor<4x?x?xf32>) -> tensor<9x?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %w, %shape, dims = [0] : (tensor<9xf32>, tensor<3xi32>) -> tensor<9x?x?xf32>
  %2 = stablehlo.dynamic_broadcast_in_dim %p, %shape, dims = [1, 2] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<9x?x?xf32>
  %3 = stablehlo.multiply %0, %1 : tensor<9x?x?xf32>
  %4 = stablehlo.add %3, %2 : tensor<9x?x?xf32>
  // One number a row of columns, and one a column of them.
  %5 = stablehlo.dot_general %e, %x, contracting_dims = [1] x [0] : (tensor<9x4xf32>, tensor<4x?x?xf32>) -> tensor<9x?x?xf32>
  %6 = stablehlo.dynamic_broadcast_in_dim %r, %shape, dims = [1] : (tensor<?xf32>, tensor<3xi32>) -> tensor<9x?x?xf32>
  %7 = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [2] : (tensor<?xf32>, tensor<3xi32>) -> tensor<9x?x?xf32>
  %8 = stablehlo.add %5, %6 : tensor<9x?x?xf32>
  %9 = stablehlo.subtract %8, %7 : tensor<9x?x?xf32>
  // Of a batch.
  %10 = stablehlo.dot_general %d, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x9x4xf32>, tensor<?x4x?x?xf32>) -> tensor<?x9x?x?xf32>
  %11 = stablehlo.dynamic_broadcast_in_dim %r, %all, dims = [2] : (tensor<?xf32>, tensor<4xi32>) -> tensor<?x9x?x?xf32>
  %12 = stablehlo.subtract %11, %10 : tensor<?x9x?x?xf32>
  return %4, %9, %12 : tensor<9x?x?xf32>, tensor<9x?x?xf32>, tensor<?x9x?x?xf32>
}
