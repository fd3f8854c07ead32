// SPDX-License-Identifier: Apache-2.0
// Memory of the block gets a name of its own where a kernel is called what it would be.
// RUN: heddle-opt %s --convert-gpu-to-llvm --verify-machine-form --verify-each -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: heddle check %s
// RUN: heddle check %t.mlir
// RUN: heddle eval %t.mlir --target=simt
// RUN: heddle-opt %s --convert-gpu-to-llvm --subgroups-to-shared --verify-machine-form --verify-each -o %t.shared.mlir
// RUN: FileCheck %s --check-prefix=EXCHANGE < %t.shared.mlir
// RUN: heddle eval %t.shared.mlir --target=simt:1

// CHECK: llvm.mlir.global external @dynamic_shared_0()
// CHECK: llvm.mlir.global internal @dynamic_shared_shared_0_0()
// CHECK: llvm.func @dynamic_shared(
// CHECK: llvm.mlir.addressof @dynamic_shared_0 : !llvm.ptr<3>
// CHECK: llvm.func @dynamic_shared_shared_0(
// CHECK: llvm.mlir.addressof @dynamic_shared_0 : !llvm.ptr<3>

// EXCHANGE: llvm.mlir.global internal @dynamic_shared_exchange_0()
module attributes {gpu.container_module} {
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %bytes = arith.constant 768 : i32
  %m = memref.alloc() : memref<64xi32, #gpu.address_space<global>>
  gpu.launch_func @dynamic_shared::@dynamic_shared blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %bytes args(%m : memref<64xi32, #gpu.address_space<global>>, %c64 : index)
  %h = memref.alloc() : memref<64xi32>
  gpu.memcpy %h, %m : memref<64xi32>, memref<64xi32, #gpu.address_space<global>>
  scf.for %i = %c0 to %c64 step %c1 {
    %got = memref.load %h[%i] : memref<64xi32>
    %63 = arith.constant 63 : index
    %other = arith.subi %63, %i : index
    %half = arith.index_cast %other : index to i32
    %want = arith.muli %half, %half : i32
    %same = arith.cmpi eq, %got, %want : i32
    cf.assert %same, "the mirrored thread's square"
  }
  memref.dealloc %h : memref<64xi32>
  memref.dealloc %m : memref<64xi32, #gpu.address_space<global>>
  return
}


gpu.module @dynamic_shared {
  gpu.func @dynamic_shared(%m: memref<64xi32, #gpu.address_space<global>>, %n: index) workgroup(%w : memref<1xi32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c63 = arith.constant 63 : index
    %c256 = arith.constant 256 : index
    %all = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %narrow = memref.view %all[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xi32, #gpu.address_space<workgroup>>
    %wide = memref.view %all[%c256][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi64, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %number = arith.index_cast %t : index to i32
    %none = arith.constant 0 : i32
    %lanes = arith.constant 32 : i32
    %own, %ok = gpu.shuffle xor %number, %none, %lanes : i32
    %long = arith.index_cast %t : index to i64
    memref.store %own, %narrow[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %long, %wide[%t] : memref<?xi64, #gpu.address_space<workgroup>>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %own, %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %other = arith.subi %c63, %t : index
    %x = memref.load %narrow[%other] : memref<64xi32, #gpu.address_space<workgroup>>
    %y = memref.load %wide[%other] : memref<?xi64, #gpu.address_space<workgroup>>
    %z = arith.trunci %y : i64 to i32
    %product = arith.muli %x, %z : i32
    memref.store %product, %m[%t] : memref<64xi32, #gpu.address_space<global>>
    gpu.return
  }
  gpu.func @dynamic_shared_shared_0(%n: i32) kernel {
    %c0 = arith.constant 0 : index
    %all = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %first = memref.view %all[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<1xi32, #gpu.address_space<workgroup>>
    memref.store %n, %first[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    gpu.return
  }
  gpu.func @dynamic_shared_exchange() kernel {
    gpu.return
  }
}
}
