// SPDX-License-Identifier: Apache-2.0
// Exchanges of all widths in all modes: the first lanes of a warp take part, and a lane whose source is none of them keeps its own number. In the
// evaluator in all forms, and on simt by both names.
// RUN: heddle-opt %s --convert-gpu-to-llvm --verify-machine-form --verify-each -o %t.llvm.mlir
// RUN: heddle-opt %t.llvm.mlir --convert-gpu-to-nvvm --verify-machine-form=target=cuda --verify-each -o %t.nvvm.mlir
// RUN: FileCheck %s < %t.nvvm.mlir
// RUN: heddle check %s
// RUN: heddle check %t.llvm.mlir
// RUN: heddle check %t.nvvm.mlir
// RUN: heddle eval %t.llvm.mlir --target=simt
// RUN: heddle eval %t.nvvm.mlir --target=simt
// RUN: not heddle eval %t.llvm.mlir --target=simt:16 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: exchanges among 17 lanes of 16

// CHECK: nvvm.shfl.sync bfly
// CHECK: %[[FIRST:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: nvvm.shfl.sync up %{{.*}}, %{{.*}}, %{{.*}}, %[[FIRST]]
// CHECK: %[[LAST:.*]] = llvm.sub %arg2, %{{.*}} : i32
// CHECK-NEXT: nvvm.shfl.sync down %{{.*}}, %{{.*}}, %{{.*}}, %[[LAST]]
// CHECK: nvvm.shfl.sync idx
module attributes {gpu.container_module} {
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %yes = arith.constant 1 : i32
  %m = memref.alloc() : memref<32xi32, #gpu.address_space<global>>
  %h = memref.alloc() : memref<32xi32>
  scf.for %width = %c1 to %c33 step %c1 {
    %w = arith.index_cast %width : index to i32
    scf.for %offset = %c0 to %width step %c3 {
      %o = arith.index_cast %offset : index to i32
      gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%m : memref<32xi32, #gpu.address_space<global>>, %o : i32, %w : i32)
      gpu.memcpy %h, %m : memref<32xi32>, memref<32xi32, #gpu.address_space<global>>
      scf.for %i = %c0 to %c32 step %c1 {
        %got = memref.load %h[%i] : memref<32xi32>
        %right = arith.cmpi eq, %got, %yes : i32
        cf.assert %right, "each lane's value, and whether it is another's"
      }
    }
  }
  memref.dealloc %h : memref<32xi32>
  memref.dealloc %m : memref<32xi32, #gpu.address_space<global>>
  return
}
gpu.module @k {
  gpu.func @k(%m: memref<32xi32, #gpu.address_space<global>>, %o: i32, %w: i32) kernel {
    %t = gpu.thread_id x
    %l = arith.index_cast %t : index to i32
    %z = arith.constant 0 : i32
    %yes = arith.constant 1 : i32
    memref.store %yes, %m[%t] : memref<32xi32, #gpu.address_space<global>>
    %takes_part = arith.cmpi ult, %l, %w : i32
    scf.if %takes_part {
        %r_xor, %valid_xor = gpu.shuffle xor %l, %o, %w : i32
        %from_xor = arith.xori %l, %o : i32
        %is_xor = arith.cmpi ult, %from_xor, %w : i32
        %want_xor = arith.select %is_xor, %from_xor, %l : i32
        %same_xor = arith.cmpi eq, %r_xor, %want_xor : i32
        %said_xor = arith.cmpi eq, %valid_xor, %is_xor : i1
        %right_xor = arith.andi %same_xor, %said_xor : i1
        %r_up, %valid_up = gpu.shuffle up %l, %o, %w : i32
        %from_up = arith.subi %l, %o : i32
        %is_up = arith.cmpi ult, %from_up, %w : i32
        %want_up = arith.select %is_up, %from_up, %l : i32
        %same_up = arith.cmpi eq, %r_up, %want_up : i32
        %said_up = arith.cmpi eq, %valid_up, %is_up : i1
        %right_up = arith.andi %same_up, %said_up : i1
        %r_down, %valid_down = gpu.shuffle down %l, %o, %w : i32
        %from_down = arith.addi %l, %o : i32
        %is_down = arith.cmpi ult, %from_down, %w : i32
        %want_down = arith.select %is_down, %from_down, %l : i32
        %same_down = arith.cmpi eq, %r_down, %want_down : i32
        %said_down = arith.cmpi eq, %valid_down, %is_down : i1
        %right_down = arith.andi %same_down, %said_down : i1
        %r_idx, %valid_idx = gpu.shuffle idx %l, %o, %w : i32
        %from_idx = arith.addi %o, %z : i32
        %is_idx = arith.cmpi ult, %from_idx, %w : i32
        %want_idx = arith.select %is_idx, %from_idx, %l : i32
        %same_idx = arith.cmpi eq, %r_idx, %want_idx : i32
        %said_idx = arith.cmpi eq, %valid_idx, %is_idx : i1
        %right_idx = arith.andi %same_idx, %said_idx : i1
        %a = arith.andi %right_xor, %right_up : i1
        %b = arith.andi %right_down, %right_idx : i1
        %all = arith.andi %a, %b : i1
        %word = arith.extui %all : i1 to i32
        memref.store %word, %m[%t] : memref<32xi32, #gpu.address_space<global>>
    }
    gpu.return
  }
}
}
