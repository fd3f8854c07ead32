// SPDX-License-Identifier: Apache-2.0
// RUN: heddle check %s --split-input-file
// Kernels in machine form: blocks that jump to each other, memory by address.

// Lane t runs t mod 3 rounds of a loop and exchanges in each with those that are still in it; behind the loop all meet again,
// whatever the order in which they left.
module @meet_behind_a_loop attributes {gpu.container_module} {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %m = memref.alloc() : memref<32xi32, #gpu.address_space<global>>
    %at = memref.extract_aligned_pointer_as_index %m : memref<32xi32, #gpu.address_space<global>> -> index
    %word = arith.index_cast %at : index to i64
    %p = llvm.inttoptr %word : i64 to !llvm.ptr<1>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%p : !llvm.ptr<1>)
    %h = memref.alloc() : memref<32xi32>
    gpu.memcpy %h, %m : memref<32xi32>, memref<32xi32, #gpu.address_space<global>>
    scf.for %i = %c0 to %c32 step %c1 {
      %got = memref.load %h[%i] : memref<32xi32>
      %31 = arith.constant 31 : index
      %other = arith.subi %31, %i : index
      %c3 = arith.constant 3 : index
      %rounds = arith.remui %other, %c3 : index
      %want = arith.index_cast %rounds : index to i32
      %same = arith.cmpi eq, %got, %want : i32
      cf.assert %same, "the rounds of the mirrored lane"
    }
    memref.dealloc %h : memref<32xi32>
    memref.dealloc %m : memref<32xi32, #gpu.address_space<global>>
    return
  }
  gpu.module @k {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel} {
      %0 = llvm.mlir.constant(0 : i32) : i32
      %1 = llvm.mlir.constant(1 : i32) : i32
      %3 = llvm.mlir.constant(3 : i32) : i32
      %31 = llvm.mlir.constant(31 : i32) : i32
      %32 = llvm.mlir.constant(32 : i32) : i32
      %id = gpu.thread_id x
      %t = arith.index_castui %id : index to i32
      %rounds = llvm.urem %t, %3 : i32
      llvm.br ^head(%0 : i32)
    ^head(%i: i32):
      %more = llvm.icmp "ult" %i, %rounds : i32
      llvm.cond_br %more, ^body, ^end
    ^body:
      %own, %valid = gpu.shuffle idx %i, %t, %32 : i32
      %next = llvm.add %own, %1 : i32
      llvm.br ^head(%next : i32)
    ^end:
      %mirrored, %valid2 = gpu.shuffle xor %i, %31, %32 : i32
      %at = llvm.getelementptr inbounds %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store %mirrored, %at : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----
// Memory of the block begins anew with each block; private memory is the thread's; a function is called.
module @spaces attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @k::@k blocks in (%c2, %c1, %c1) threads in (%c4, %c1, %c1)
    return
  }
  gpu.module @k {
    llvm.mlir.global internal @w() {addr_space = 3 : i32} : !llvm.array<4 x i32>
    llvm.func internal @plus_one(%x: i32) -> i32 {
      %1 = llvm.mlir.constant(1 : i32) : i32
      %0 = llvm.add %x, %1 : i32
      llvm.return %0 : i32
    }
    llvm.func @k() attributes {gpu.kernel} {
      %1 = llvm.mlir.constant(1 : i32) : i32
      %id = gpu.thread_id x
      %t = arith.index_castui %id : index to i32
      %w = llvm.mlir.addressof @w : !llvm.ptr<3>
      %own = llvm.getelementptr %w[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %mine = llvm.alloca %1 x i32 : (i32) -> !llvm.ptr<5>
      %u = llvm.call @plus_one(%t) : (i32) -> i32
      llvm.store %u, %mine : i32, !llvm.ptr<5>
      llvm.store %u, %own : i32, !llvm.ptr<3>
      gpu.barrier
      %3 = llvm.mlir.constant(3 : i32) : i32
      %other = llvm.xor %t, %3 : i32
      %at = llvm.getelementptr %w[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %read = llvm.load %at : !llvm.ptr<3> -> i32
      %kept = llvm.load %mine : !llvm.ptr<5> -> i32
      %sum = llvm.add %read, %kept : i32
      %5 = llvm.mlir.constant(5 : i32) : i32
      %same = llvm.icmp "eq" %sum, %5 : i32
      llvm.cond_br %same, ^good, ^bad
    ^good:
      llvm.return
    ^bad:
      llvm.unreachable
    }
  }
}
