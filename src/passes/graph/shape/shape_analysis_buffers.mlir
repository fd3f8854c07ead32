// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-shape-analysis --verify-each %s | FileCheck %s
// RUN: heddle-opt --disc-shape-analysis --disc-shape-analysis %s | FileCheck %s

// What shows memory in another way has the sizes that it is given.
// CHECK-LABEL: @view
// CHECK: memref.reinterpret_cast {{.*}}hd.dims = {{\[\[}}"4", "d0*d1"]]
func.func @view(%a: memref<?x?xf32>) -> memref<4x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  %size = arith.muli %m, %n : index
  %0 = memref.alloc(%m, %n) : memref<?x?xf32>
  %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [4, %size], strides: [%size, 1] : memref<?x?xf32> to memref<4x?xf32>
  return %1 : memref<4x?xf32>
}
