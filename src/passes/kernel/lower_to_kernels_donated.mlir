// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-lower-to-kernels %s | FileCheck %s

// An output that may lie in a donated argument: the kernel may not count on different memory there, and computes what
// it stores before it stores. Equal ops without the donation are another kernel.
// CHECK-LABEL: @donated
// CHECK: hd.launch @[[K:loop_add_negate_0]]
// CHECK: hd.launch @[[L:loop_add_negate_1]]
// CHECK: func.func private @[[K]]({{.*}}%[[P:arg[0-9]+]]: memref<?xf32>, %[[G:arg[0-9]+]]: memref<?xf32> {llvm.noalias}, %[[A:arg[0-9]+]]: memref<?xf32>, %[[B:arg[0-9]+]]: memref<?xf32> {llvm.noalias}
// CHECK: vector.load %[[P]]
// CHECK: arith.addf
// CHECK: arith.negf
// CHECK: vector.store {{.*}}, %[[A]]
// CHECK: vector.store {{.*}}, %[[B]]
// CHECK: func.func private @[[L]]({{.*}}memref<?xf32> {llvm.noalias}, {{.*}}memref<?xf32> {llvm.noalias}, {{.*}}memref<?xf32> {llvm.noalias}, {{.*}}memref<?xf32> {llvm.noalias}
func.func @donated(%arg0: memref<32xf32> {tf.aliasing_output = 0 : i32}, %arg1: memref<32xf32>, %arg2: memref<32xf32>) -> (memref<32xf32>, memref<32xf32>, memref<32xf32>, memref<32xf32>) {
  %a = memref.alloc() {hd.donor = 0 : i64} : memref<32xf32>
  %b = memref.alloc() : memref<32xf32>
  "lmhlo.fusion"() ({
    "lmhlo.add"(%arg0, %arg1, %a) : (memref<32xf32>, memref<32xf32>, memref<32xf32>) -> ()
    "lmhlo.negate"(%arg0, %b) : (memref<32xf32>, memref<32xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  %c = memref.alloc() : memref<32xf32>
  %d = memref.alloc() : memref<32xf32>
  "lmhlo.fusion"() ({
    "lmhlo.add"(%arg2, %arg1, %c) : (memref<32xf32>, memref<32xf32>, memref<32xf32>) -> ()
    "lmhlo.negate"(%arg2, %d) : (memref<32xf32>, memref<32xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %a, %b, %c, %d : memref<32xf32>, memref<32xf32>, memref<32xf32>, memref<32xf32>
}
