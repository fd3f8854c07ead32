// SPDX-License-Identifier: Apache-2.0
// Threads that come along leave loops in which nobody meets, whatever ends those for others: a count from the thread's number, a bound that is never met
// where the branch does not hold, what memory says, loops in loops with a way out of the middle.
// RUN: heddle-opt %s --subgroups-to-shared --verify-machine-form --verify-each -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: heddle check %s
// RUN: heddle check %t.mlir
// RUN: heddle eval %t.mlir --target=simt
// RUN: heddle eval %t.mlir --target=simt:1

// CHECK: %[[MINE:.*]] = llvm.icmp "ult"
// CHECK: %[[DONE:.*]] = llvm.icmp "eq"
// CHECK: %[[SKIPS:.*]] = llvm.xor %[[MINE]]
// CHECK: %[[LEAVES:.*]] = llvm.or %[[DONE]], %[[SKIPS]]
// CHECK: llvm.cond_br %[[LEAVES]]
module attributes {gpu.container_module} {
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %m = memref.alloc() : memref<32xi32, #gpu.address_space<global>>
  %at = memref.extract_aligned_pointer_as_index %m : memref<32xi32, #gpu.address_space<global>> -> index
  %word = arith.index_cast %at : index to i64
  %p = llvm.inttoptr %word : i64 to !llvm.ptr<1>
  %h = memref.alloc() : memref<32xi32>
  %n_from_thread = arith.constant 8 : i32
  %want_from_thread = arith.constant dense<[7, 8, 5, 6, 3, 4, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<32xi32>
  gpu.launch_func @k::@from_thread blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%p : !llvm.ptr<1>, %n_from_thread : i32)
  gpu.memcpy %h, %m : memref<32xi32>, memref<32xi32, #gpu.address_space<global>>
  scf.for %i = %c0 to %c32 step %c1 {
    %got = memref.load %h[%i] : memref<32xi32>
    %want = tensor.extract %want_from_thread[%i] : tensor<32xi32>
    %same = arith.cmpi eq, %got, %want : i32
    cf.assert %same, "from_thread"
  }
  %n_never_met = arith.constant 0 : i32
  %want_never_met = arith.constant dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<32xi32>
  gpu.launch_func @k::@never_met blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%p : !llvm.ptr<1>, %n_never_met : i32)
  gpu.memcpy %h, %m : memref<32xi32>, memref<32xi32, #gpu.address_space<global>>
  scf.for %i = %c0 to %c32 step %c1 {
    %got = memref.load %h[%i] : memref<32xi32>
    %want = tensor.extract %want_never_met[%i] : tensor<32xi32>
    %same = arith.cmpi eq, %got, %want : i32
    cf.assert %same, "never_met"
  }
  %n_memory = arith.constant 8 : i32
  %want_memory = arith.constant dense<[9, 10, 7, 8, 5, 6, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<32xi32>
  gpu.launch_func @k::@memory blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%p : !llvm.ptr<1>, %n_memory : i32)
  gpu.memcpy %h, %m : memref<32xi32>, memref<32xi32, #gpu.address_space<global>>
  scf.for %i = %c0 to %c32 step %c1 {
    %got = memref.load %h[%i] : memref<32xi32>
    %want = tensor.extract %want_memory[%i] : tensor<32xi32>
    %same = arith.cmpi eq, %got, %want : i32
    cf.assert %same, "memory"
  }
  %n_nested = arith.constant 20 : i32
  %want_nested = arith.constant dense<[20, 20, 20, 20, 20, 20, 8, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<32xi32>
  gpu.launch_func @k::@nested blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%p : !llvm.ptr<1>, %n_nested : i32)
  gpu.memcpy %h, %m : memref<32xi32>, memref<32xi32, #gpu.address_space<global>>
  scf.for %i = %c0 to %c32 step %c1 {
    %got = memref.load %h[%i] : memref<32xi32>
    %want = tensor.extract %want_nested[%i] : tensor<32xi32>
    %same = arith.cmpi eq, %got, %want : i32
    cf.assert %same, "nested"
  }
  memref.dealloc %h : memref<32xi32>
  memref.dealloc %m : memref<32xi32, #gpu.address_space<global>>
  return
}
gpu.module @k {
  llvm.func @from_thread(%p: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %t = arith.index_castui %i : index to i32
    %i0 = llvm.mlir.constant(0 : i32) : i32
    %i1 = llvm.mlir.constant(1 : i32) : i32
    %i8 = llvm.mlir.constant(8 : i32) : i32
    %out = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %mine = llvm.icmp "ult" %t, %i8 : i32
    llvm.cond_br %mine, ^loop(%t, %i0 : i32, i32), ^end(%i0 : i32)
  ^loop(%k: i32, %s: i32):
    %s1 = llvm.add %s, %i1 : i32
    %k1 = llvm.add %k, %i1 : i32
    %done = llvm.icmp "eq" %k1, %i8 : i32
    llvm.cond_br %done, ^after, ^loop(%k1, %s1 : i32, i32)
  ^after:
    %v, %ok = gpu.shuffle xor %s1, %i1, %i8 : i32
    llvm.br ^end(%v : i32)
  ^end(%r: i32):
    llvm.store %r, %out : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @never_met(%p: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %t = arith.index_castui %i : index to i32
    %i0 = llvm.mlir.constant(0 : i32) : i32
    %i1 = llvm.mlir.constant(1 : i32) : i32
    %i8 = llvm.mlir.constant(8 : i32) : i32
    %out = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %mine = llvm.icmp "ult" %t, %n : i32
    llvm.cond_br %mine, ^loop(%i0 : i32), ^end(%i0 : i32)
  ^loop(%k: i32):
    %k1 = llvm.add %k, %i1 : i32
    %more = llvm.icmp "ne" %k1, %n : i32
    llvm.cond_br %more, ^loop(%k1 : i32), ^after
  ^after:
    %v, %ok = gpu.shuffle xor %k1, %i1, %i8 : i32
    llvm.br ^end(%v : i32)
  ^end(%r: i32):
    llvm.store %r, %out : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @memory(%p: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %t = arith.index_castui %i : index to i32
    %i0 = llvm.mlir.constant(0 : i32) : i32
    %i1 = llvm.mlir.constant(1 : i32) : i32
    %i8 = llvm.mlir.constant(8 : i32) : i32
    %out = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %t, %out : i32, !llvm.ptr<1>
    %mine = llvm.icmp "ult" %t, %i8 : i32
    llvm.cond_br %mine, ^loop(%i1 : i32), ^end(%i0 : i32)
  ^loop(%s: i32):
    %x = llvm.load %out : !llvm.ptr<1> -> i32
    %x1 = llvm.add %x, %i1 : i32
    llvm.store %x1, %out : i32, !llvm.ptr<1>
    %s1 = llvm.add %s, %i1 : i32
    %more = llvm.icmp "ule" %x1, %i8 : i32
    llvm.cond_br %more, ^loop(%s1 : i32), ^after
  ^after:
    %v, %ok = gpu.shuffle xor %s1, %i1, %i8 : i32
    llvm.br ^end(%v : i32)
  ^end(%r: i32):
    llvm.store %r, %out : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @nested(%p: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %t = arith.index_castui %i : index to i32
    %i0 = llvm.mlir.constant(0 : i32) : i32
    %i1 = llvm.mlir.constant(1 : i32) : i32
    %i8 = llvm.mlir.constant(8 : i32) : i32
    %out = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %mine = llvm.icmp "uge" %t, %i8 : i32
    llvm.cond_br %mine, ^end(%i0 : i32), ^outer(%i0, %i0 : i32, i32)
  ^outer(%k: i32, %s: i32):
    llvm.br ^inner(%t, %s : i32, i32)
  ^inner(%j: i32, %u: i32):
    %u1 = llvm.add %u, %i1 : i32
    %middle = llvm.icmp "eq" %u1, %n : i32
    llvm.cond_br %middle, ^after, ^next
  ^next:
    %j1 = llvm.add %j, %i1 : i32
    %stop = llvm.icmp "eq" %j1, %i8 : i32
    llvm.cond_br %stop, ^latch, ^inner(%j1, %u1 : i32, i32)
  ^latch:
    %k1 = llvm.add %k, %i1 : i32
    %last = llvm.icmp "eq" %k1, %i8 : i32
    llvm.cond_br %last, ^after, ^outer(%k1, %u1 : i32, i32)
  ^after:
    %v, %ok = gpu.shuffle xor %u1, %i1, %i8 : i32
    llvm.br ^end(%v : i32)
  ^end(%r: i32):
    llvm.store %r, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}
}
