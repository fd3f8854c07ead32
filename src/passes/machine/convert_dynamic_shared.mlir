// SPDX-License-Identifier: Apache-2.0
// Memory of the block whose size the launch gives, and views of it: in the evaluator in both forms, on simt, and as PTX's extern array. The
// host's call of the runtime says how much, and the kernel's row how much at most.
// REQUIRES: mlir-opt, ptxas
// RUN: heddle-opt %s --convert-gpu-to-llvm --verify-machine-form --verify-each -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: heddle check %s
// RUN: heddle check %t.mlir
// RUN: heddle eval %t.mlir --target=simt
// RUN: heddle-opt %t.mlir --mlir-print-op-generic | mlir-opt -o %t
// RUN: heddle-opt %t.mlir --emit-ptx=80 -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: ptxas -arch=sm_80 %t.ptx -o %t.cubin
// RUN: heddle-opt %s --disc-gpu-launch-to-ral | FileCheck %s --check-prefix=RAL

// CHECK: gpu.launch_func @reverse::@reverse {{.*}} dynamic_shared_memory_size %{{.*}} args(
// CHECK: llvm.mlir.global external @dynamic_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// CHECK: llvm.mlir.global internal @reverse_shared_0()
// CHECK: llvm.func @reverse(
// CHECK: %[[SHARED:.*]] = llvm.mlir.addressof @dynamic_shared : !llvm.ptr<3>
// CHECK: llvm.getelementptr inbounds|nuw %[[SHARED]][%{{.*}}] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8

// PTX: .extern .shared .align 16 .b8 dynamic_shared[]
// PTX: .visible .entry reverse

// RAL: %[[SIZE:.*]] = arith.constant 768 : i32
// RAL: %[[BYTES:.*]] = arith.extui %[[SIZE]] : i32 to i64
// RAL: hd.ral_call "ral_gpu_launch{{.*}}%[[BYTES]],
// RAL: gpu.func @reverse({{.*}} {hd.dynamic_shared = 768 : i64}
module attributes {gpu.container_module} {
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %bytes = arith.constant 768 : i32
  %m = memref.alloc() : memref<64xi32, #gpu.address_space<global>>
  gpu.launch_func @reverse::@reverse blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %bytes args(%m : memref<64xi32, #gpu.address_space<global>>, %c64 : index)
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

// Numbers of 32 bits in the first 256 bytes, of 64 behind them.
gpu.module @reverse {
  gpu.func @reverse(%m: memref<64xi32, #gpu.address_space<global>>, %n: index) workgroup(%w : memref<1xi32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c63 = arith.constant 63 : index
    %c256 = arith.constant 256 : index
    %all = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %narrow = memref.view %all[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xi32, #gpu.address_space<workgroup>>
    %wide = memref.view %all[%c256][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi64, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %own = arith.index_cast %t : index to i32
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
}
}
