// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --convert-memory-marker --cse %s | FileCheck %s
// RUN: heddle-opt --convert-memory-marker=host-allocator --cse %s | FileCheck %s --check-prefix=HOST

// CHECK-LABEL: @main
// CHECK-DAG: %[[P:.*]] = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%{{.*}}, %{{.*}}) : (i64, i64) -> !llvm.ptr
// CHECK-DAG: %[[T:.*]] = hd.memref %[[P]][%arg0] : !llvm.ptr to memref<?xf32, #gpu.address_space<global>>
// CHECK-DAG: hd.ral_call "ral_alloc_output___pvoid_i64_i64_i64___pvoid"
// CHECK-DAG: %[[H:.*]] = memref.alloc() {hd.host} : memref<2xi32>
// CHECK: hd.ral_call "ral_free___pvoid_pvoid___void"(%[[T]])
// CHECK: memref.dealloc %[[H]]
// HOST: %[[P:.*]] = hd.ral_call "ral_host_alloc___pvoid_i64_i64___pvoid"
// HOST: %[[H:.*]] = hd.memref %[[P]][] : !llvm.ptr to memref<2xi32>
// HOST: hd.ral_call "ral_host_free___pvoid_pvoid___void"(%[[H]])
// HOST-NOT: memref.dealloc
func.func @main(%n: index) -> memref<?xf32, #gpu.address_space<global>> {
  %h = memref.alloc() {hd.host} : memref<2xi32>
  %t = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  %o = memref.alloc(%n) : memref<?xf32, #gpu.address_space<global>>
  "lmhlo.negate"(%t, %o) : (memref<?xf32, #gpu.address_space<global>>, memref<?xf32, #gpu.address_space<global>>) -> ()
  memref.dealloc %t : memref<?xf32, #gpu.address_space<global>>
  memref.dealloc %h : memref<2xi32>
  return %o : memref<?xf32, #gpu.address_space<global>>
}
