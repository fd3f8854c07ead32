// SPDX-License-Identifier: Apache-2.0
// An exchange among the first eight lanes: neither a lane above them nor one whose source is above them takes part.
// REQUIRES: spirv-dis
// RUN: heddle-opt %s --emit-spirv -o %t.spv
// RUN: spirv-dis %t.spv | FileCheck %s

// CHECK-DAG: %[[WIDTH:.+]] = OpConstant %uint 8
// CHECK: %[[OWN:.+]] = OpLoad %uint %{{.*}}SubgroupLocalInvocationId
// CHECK: %[[SOURCE:.+]] = OpBitwiseXor %uint %[[OWN]]
// CHECK-DAG: %[[TAKES:.+]] = OpULessThan %bool %[[OWN]] %[[WIDTH]]
// CHECK-DAG: %[[GIVES:.+]] = OpULessThan %bool %[[SOURCE]] %[[WIDTH]]
// CHECK: %[[VALID:.+]] = OpLogicalAnd %bool %[[TAKES]] %[[GIVES]]
// CHECK: %[[FROM:.+]] = OpSelect %uint %[[VALID]] %[[SOURCE]] %[[OWN]]
// CHECK: OpSubgroupShuffleINTEL %uint %{{.+}} %[[FROM]]
gpu.module @k {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>} {
    %1 = llvm.mlir.constant(16 : i32) : i32
    %w = llvm.mlir.constant(8 : i32) : i32
    %id = gpu.thread_id x
    %t = arith.index_castui %id : index to i32
    %r, %valid = gpu.shuffle xor %t, %1, %w : i32
    llvm.store %r, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
