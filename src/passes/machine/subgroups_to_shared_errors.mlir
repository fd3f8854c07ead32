// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --subgroups-to-shared --verify-diagnostics

gpu.module @loop {
  llvm.func @loop(%x: !llvm.ptr<1>) attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    %t = arith.index_castui %i : index to i32
    %1 = llvm.mlir.constant(1 : i32) : i32
    %32 = llvm.mlir.constant(32 : i32) : i32
    llvm.br ^head(%t : i32)
  ^head(%k: i32):
    %more = llvm.icmp "ult" %k, %32 : i32
    llvm.cond_br %more, ^body, ^end
  ^body:
    // expected-error@below {{is not reached by all threads of a block together}}
    %other, %ok = gpu.shuffle xor %k, %1, %32 : i32
    %next = llvm.add %k, %1 : i32
    llvm.br ^head(%next : i32)
  ^end:
    llvm.return
  }
}

// -----

gpu.module @two_ways {
  llvm.func @two_ways(%x: !llvm.ptr<1>) attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    %t = arith.index_castui %i : index to i32
    %1 = llvm.mlir.constant(1 : i32) : i32
    %32 = llvm.mlir.constant(32 : i32) : i32
    %first = llvm.icmp "ult" %t, %32 : i32
    llvm.cond_br %first, ^one, ^other
  ^one:
    // expected-error@below {{is not reached by all threads of a block together}}
    %a, %ok = gpu.shuffle xor %t, %1, %32 : i32
    llvm.br ^end
  ^other:
    llvm.store %t, %x : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}

// -----

// Threads that skip it come along, and n is what the branch says that it is not: they would count past it.
gpu.module @equal {
  llvm.func @equal(%n: i32) attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    %t = arith.index_castui %i : index to i32
    %0 = llvm.mlir.constant(0 : i32) : i32
    %1 = llvm.mlir.constant(1 : i32) : i32
    %32 = llvm.mlir.constant(32 : i32) : i32
    %mine = llvm.icmp "ult" %t, %n : i32
    llvm.cond_br %mine, ^loop(%0 : i32), ^end
  ^loop(%k: i32):
    // expected-error@below {{is not reached by all threads of a block together}}
    %a, %ok = gpu.shuffle xor %t, %1, %32 : i32
    %next = llvm.add %k, %1 : i32
    %done = llvm.icmp "eq" %next, %n : i32
    llvm.cond_br %done, ^end, ^loop(%next : i32)
  ^end:
    llvm.return
  }
}

// -----

gpu.module @size {
  llvm.func @size(%v: i32) attributes {gpu.kernel} {
    %1 = llvm.mlir.constant(1 : i32) : i32
    %32 = llvm.mlir.constant(32 : i32) : i32
    // expected-error@below {{exchanges values in a kernel whose block has no known size: expected gpu.known_block_size}}
    %a, %ok = gpu.shuffle xor %v, %1, %32 : i32
    llvm.return
  }
}

// -----

gpu.module @type {
  llvm.func @type(%v: vector<4xi32>) attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>} {
    %1 = llvm.mlir.constant(1 : i32) : i32
    %32 = llvm.mlir.constant(32 : i32) : i32
    // expected-error@below {{exchanges values of a type that has no place of whole bytes in memory}}
    %a, %ok = gpu.shuffle xor %v, %1, %32 : vector<4xi32>
    llvm.return
  }
}

// -----

gpu.module @function {
  llvm.func @lane() -> i32 {
    // expected-error@below {{goes by lanes in a function, expected in a kernel}}
    %i = gpu.lane_id
    %t = arith.index_castui %i : index to i32
    llvm.return %t : i32
  }
}

// -----

gpu.module @ptx {
  llvm.func @ptx() attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>} {
    // expected-error@below {{goes by the lanes of a warp, and has no form in memory of the block}}
    %lane = nvvm.read.ptx.sreg.laneid : i32
    llvm.return
  }
}
