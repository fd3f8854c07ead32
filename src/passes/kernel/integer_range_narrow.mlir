// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --integer-range-optimizations=narrow --allow-unregistered-dialect %s | FileCheck %s

// Products and divisions that 31 bits hold are of 32, sums and comparisons of such numbers too; what may be larger stays. What does not
// wrap says so.
// CHECK-LABEL: gpu.func @ids
// CHECK-DAG: %[[B:.*]] = gpu.block_id
// CHECK-DAG: %[[T:.*]] = gpu.thread_id
// CHECK: %[[N:.*]] = arith.index_cast %[[B]] : index to i32
// CHECK: arith.muli %[[N]], %{{.*}} : i32
// CHECK: arith.addi %{{.*}} : i32
// CHECK: arith.divui %{{.*}} : i32
// CHECK: %[[R:.*]] = arith.remui %{{.*}} : i32
// CHECK: %[[WIDE:.*]] = arith.index_castui %[[R]] : i32 to index
// CHECK: arith.cmpi ult, %{{.*}} : i32
// CHECK: arith.muli %[[B]], %{{.*}} : index
// CHECK: arith.addi %[[T]], %[[T]] overflow<nsw, nuw> : index
// CHECK: arith.shrui %{{.*}}, %c3_i32 : i32
// CHECK: "test.use"
gpu.module @kernels {
  gpu.func @ids() kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 1000, 1, 1>} {
    %c7 = arith.constant 7 : index
    %c3 = arith.constant 3 : index
    %c128 = arith.constant 128 : index
    %c90000 = arith.constant 90000 : index
    %huge = arith.constant 4294967296 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %first = arith.muli %b, %c128 : index
    %i = arith.addi %first, %t : index
    %q = arith.divui %i, %c7 : index
    %r = arith.remui %i, %c7 : index
    %in = arith.cmpi ult, %i, %c90000 : index
    %far = arith.muli %b, %huge : index
    %sum = arith.addi %t, %t : index
    %shift = arith.shrui %i, %c3 : index
    "test.use"(%q, %r, %in, %far, %sum, %shift) : (index, index, i1, index, index, index) -> ()
    gpu.return
  }
}
