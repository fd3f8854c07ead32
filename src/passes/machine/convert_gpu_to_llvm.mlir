// SPDX-License-Identifier: Apache-2.0
// Kernels in machine form: what each op becomes, that mlir-opt takes it, and that launches compute what they did.
// REQUIRES: mlir-opt
// RUN: heddle-opt %s --convert-gpu-to-llvm --verify-machine-form --verify-each -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: heddle check %s
// RUN: heddle check %t.mlir
// RUN: heddle-opt %t.mlir --mlir-print-op-generic | mlir-opt -o %t
// RUN: heddle-opt --disc-pipeline=target=cuda --convert-gpu-to-llvm --verify-machine-form --mlir-print-op-generic %examples/softmax.mlir | mlir-opt --allow-unregistered-dialect -o %t
// RUN: heddle-opt --disc-pipeline=target=cuda --convert-gpu-to-llvm --verify-machine-form --mlir-print-op-generic %examples/bert_layer.mlir | mlir-opt --allow-unregistered-dialect -o %t
// RUN: heddle-opt --disc-pipeline=target=cuda --convert-gpu-to-llvm --verify-machine-form --mlir-print-op-generic %examples/gelu_bf16.mlir | mlir-opt --allow-unregistered-dialect -o %t
module attributes {gpu.container_module} {

// A buffer goes as its address and the sizes that its type does not say.
// CHECK-LABEL: func.func @main
// CHECK: %[[AT:.*]] = memref.extract_aligned_pointer_as_index
// CHECK: %[[WORD:.*]] = arith.index_cast %[[AT]] : index to i64
// CHECK: %[[POINTER:.*]] = llvm.inttoptr %[[WORD]] : i64 to !llvm.ptr<1>
// CHECK: gpu.launch_func @reverse::@reverse {{.*}} args(%[[POINTER]] : !llvm.ptr<1>, %{{.*}} : i64)
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %m = memref.alloc(%c3) : memref<?x64xi32, #gpu.address_space<global>>
  gpu.launch_func @reverse::@reverse blocks in (%c3, %c1, %c1) threads in (%c64, %c1, %c1) args(%m : memref<?x64xi32, #gpu.address_space<global>>)
  %h = memref.alloc(%c3) : memref<?x64xi32>
  gpu.memcpy %h, %m : memref<?x64xi32>, memref<?x64xi32, #gpu.address_space<global>>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %got = memref.load %h[%i, %j] : memref<?x64xi32>
      %row = arith.muli %i, %c64 : index
      %63 = arith.constant 63 : index
      %other = arith.subi %63, %j : index
      %at = arith.addi %row, %other : index
      %want = arith.index_cast %at : index to i32
      %same = arith.cmpi eq, %got, %want : i32
      cf.assert %same, "the mirrored thread's number"
    }
  }
  memref.dealloc %h : memref<?x64xi32>
  memref.dealloc %m : memref<?x64xi32, #gpu.address_space<global>>
  return
}

// Thread t takes what thread 63 - t wrote: through memory of the block, in a loop with barriers that only even rounds have.
// CHECK: gpu.module @reverse
// CHECK: llvm.mlir.global internal @reverse_shared_0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
// CHECK: llvm.func @reverse(%[[M:.*]]: !llvm.ptr<1> {llvm.align = 64 : i64}, %{{.*}}: i64 {llvm.range = #llvm.constant_range<i64, 0, 9223372036854775807>}) attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>}
// CHECK: %[[SHARED:.*]] = llvm.mlir.addressof @reverse_shared_0 : !llvm.ptr<3>
// CHECK: %[[ID:.*]] = gpu.thread_id x
// CHECK: arith.index_castui %[[ID]] : index to i64
// CHECK: llvm.br ^bb1(
// CHECK: ^bb1(%[[I:.*]]: i64, %[[VALUE:.*]]: i32):
// CHECK: %[[MORE:.*]] = llvm.icmp "slt" %[[I]]
// CHECK: llvm.cond_br %[[MORE]], ^bb2, ^bb6
// CHECK: llvm.cond_br %{{.*}}, ^bb3, ^bb4
// CHECK: gpu.barrier
// CHECK: llvm.return
gpu.module @reverse {
  gpu.func @reverse(%m: memref<?x64xi32, #gpu.address_space<global>>) workgroup(%w : memref<64xi32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %first = arith.muli %b, %c64 : index
    %linear = arith.addi %first, %t : index
    %id = arith.index_cast %linear : index to i32
    %other = arith.subi %63, %t : index
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%value = %id) -> (i32) {
      %odd = arith.remui %i, %c2 : index
      %even = arith.cmpi eq, %odd, %c0 : index
      %next = scf.if %even -> (i32) {
        memref.store %value, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
        gpu.barrier
        %read = memref.load %w[%other] : memref<64xi32, #gpu.address_space<workgroup>>
        gpu.barrier
        scf.yield %read : i32
      } else {
        %31 = arith.constant 31 : i32
        %width = arith.constant 32 : i32
        %x, %valid = gpu.shuffle xor %value, %31, %width : i32
        %y, %valid2 = gpu.shuffle xor %x, %31, %width : i32
        scf.yield %y : i32
      }
      scf.yield %next : i32
    }
    // The last round was an even one: the numbers have been turned twice. Once more:
    memref.store %r, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = memref.load %w[%other] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %last, %m[%b, %t] : memref<?x64xi32, #gpu.address_space<global>>
    gpu.return
  }
}

// Lanes leave a loop one after the other, and meet behind it.
// CHECK-LABEL: llvm.func @ops
// CHECK-DAG: llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, vector<2xf32>
// CHECK-DAG: llvm.load %{{.*}} : !llvm.ptr<1> -> f32
// CHECK: "llvm.intr.ctlz"(%{{.*}}) <{is_zero_poison = false}>
// CHECK: llvm.fadd %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<contract>} : f32
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> i8
// CHECK: llvm.trunc %{{.*}} : i8 to i4
// CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("device") monotonic
// CHECK: llvm.call @twice(%{{.*}}) : (f32) -> f32
gpu.module @ops {
  func.func private @twice(%x: f32) -> f32 {
    %0 = arith.addf %x, %x : f32
    return %0 : f32
  }
  gpu.func @ops(%c: memref<4xcomplex<f32>, #gpu.address_space<global>>, %f: memref<?xf32, #gpu.address_space<global>>, %n: memref<?xui4, #gpu.address_space<global>>) kernel {
    %c0 = arith.constant 0 : index
    %z = memref.load %c[%c0] : memref<4xcomplex<f32>, #gpu.address_space<global>>
    %re = complex.re %z : complex<f32>
    %im = complex.im %z : complex<f32>
    %w = complex.create %im, %re : complex<f32>
    memref.store %w, %c[%c0] : memref<4xcomplex<f32>, #gpu.address_space<global>>
    %bits = arith.bitcast %re : f32 to i32
    %zeros = math.ctlz %bits : i32
    %sum = arith.addf %re, %im fastmath<contract> : f32
    %v = vector.load %f[%c0] {alignment = 16 : i64} : memref<?xf32, #gpu.address_space<global>>, vector<4xf32>
    %e = vector.extract %v[3] : f32 from vector<4xf32>
    %four = memref.load %n[%c0] : memref<?xui4, #gpu.address_space<global>>
    memref.store %four, %n[%c0] : memref<?xui4, #gpu.address_space<global>>
    %g = arith.sitofp %zeros : i32 to f32
    %h = arith.addf %g, %e : f32
    %old = memref.atomic_rmw addf %h, %f[%c0] : (f32, memref<?xf32, #gpu.address_space<global>>) -> f32
    %t = func.call @twice(%old) : (f32) -> f32
    %s = arith.addf %t, %sum : f32
    memref.store %s, %f[%c0] : memref<?xf32, #gpu.address_space<global>>
    gpu.return
  }
}

// A func.func that is marked as a kernel says its block in an attribute of its own: a property of gpu.func is none of it.
// CHECK-LABEL: llvm.func @marked
// CHECK-SAME: gpu.kernel
// CHECK-SAME: gpu.known_block_size = array<i32: 32, 1, 1>
// CHECK-LABEL: llvm.func @unsized
// CHECK-NOT: known_block_size
// CHECK: llvm.return
gpu.module @functions {
  func.func @marked(%x: memref<4xf32, #gpu.address_space<global>>) attributes {gpu.kernel, gpu.known_block_size = array<i32: 32, 1, 1>, no_inline} {
    return
  }
  func.func @unsized(%x: memref<4xf32, #gpu.address_space<global>>) attributes {gpu.kernel, no_inline} {
    return
  }
}
}
