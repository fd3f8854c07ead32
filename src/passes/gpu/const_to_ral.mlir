// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --const-to-ral %s | FileCheck %s

// One content, one name, host and device apart; a splat belongs to the kernels that read it.
// CHECK-LABEL: @main
// CHECK-SAME: hd.constants = [dense<[1, 2]> : tensor<2xi32>], hd.device_constants = [dense<[1, 2]> : tensor<2xi32>]
// CHECK: %[[N:.*]] = llvm.mlir.addressof @[[NAME:hd_const_[0-9a-f]{32}_i32_2]]
// CHECK: %[[P:.*]] = hd.ral_call "ral_constant_host___pvoid_pvoid___pvoid"(%[[N]])
// CHECK: hd.memref %[[P]][] : !llvm.ptr to memref<2xi32>
// CHECK: %[[M:.*]] = llvm.mlir.addressof @[[NAME]]
// CHECK: %[[Q:.*]] = hd.ral_call "ral_constant_device___pvoid_pvoid___pvoid"(%[[M]])
// CHECK: hd.memref %[[Q]][] : !llvm.ptr to memref<2xi32, #gpu.address_space<global>>
// CHECK: "lmhlo.constant"
// CHECK-SAME: dense<3>
// CHECK-COUNT-1: llvm.mlir.global internal constant @[[NAME]](
// CHECK-NOT: llvm.mlir.global
func.func @main() -> (memref<2xi32>, memref<2xi32, #gpu.address_space<global>>, memref<2xi32>) {
  %h = memref.alloc() : memref<2xi32>
  %d = memref.alloc() : memref<2xi32, #gpu.address_space<global>>
  %s = memref.alloc() : memref<2xi32>
  "lmhlo.constant"(%h) <{value = dense<[1, 2]> : tensor<2xi32>}> : (memref<2xi32>) -> ()
  "lmhlo.constant"(%d) <{value = dense<[1, 2]> : tensor<2xi32>}> : (memref<2xi32, #gpu.address_space<global>>) -> ()
  "lmhlo.constant"(%s) <{value = dense<3> : tensor<2xi32>}> : (memref<2xi32>) -> ()
  return %h, %d, %s : memref<2xi32>, memref<2xi32, #gpu.address_space<global>>, memref<2xi32>
}
