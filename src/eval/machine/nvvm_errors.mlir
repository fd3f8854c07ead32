// SPDX-License-Identifier: Apache-2.0
// RUN: not heddle check %s --split-input-file 2>&1 | FileCheck %s
// What nvvm's ops may not do, and those that have no meaning here.

// CHECK: 'nvvm.barrier0' op is reached by 2 of the 4 threads of its block
module @divergent attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
    return
  }
  gpu.module @k {
    llvm.func @k() attributes {gpu.kernel} {
      %c2 = llvm.mlir.constant(2 : i32) : i32
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %few = llvm.icmp "ult" %t, %c2 : i32
      llvm.cond_br %few, ^then, ^end
    ^then:
      nvvm.barrier0
      llvm.br ^end
    ^end:
      llvm.return
    }
  }
}

// -----
// CHECK: 'nvvm.shfl.sync' op of thread 0 reads lane 16, which has not come to it
module @absent attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
    return
  }
  gpu.module @k {
    llvm.func @k() attributes {gpu.kernel} {
      %all = llvm.mlir.constant(-1 : i32) : i32
      %c16 = llvm.mlir.constant(16 : i32) : i32
      %c31 = llvm.mlir.constant(31 : i32) : i32
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %x = nvvm.shfl.sync bfly %all, %t, %c16, %c31 : i32 -> i32
      llvm.return
    }
  }
}

// -----
// CHECK: 'nvvm.vote.sync' op of thread 1 names lanes 0x1, of which it is none
module @unnamed attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
    return
  }
  gpu.module @k {
    llvm.func @k() attributes {gpu.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      %yes = llvm.mlir.constant(true) : i1
      %x = nvvm.vote.sync any %one, %yes -> i1
      llvm.return
    }
  }
}

// -----
// CHECK: 'nvvm.bar.warp.sync' op of thread 0 names lanes 0xf, and lane 1 of them names 0xe
module @unlike attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
    return
  }
  gpu.module @k {
    llvm.func @k() attributes {gpu.kernel} {
      %all = llvm.mlir.constant(15 : i32) : i32
      %most = llvm.mlir.constant(14 : i32) : i32
      %zero = llvm.mlir.constant(0 : i32) : i32
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "eq" %t, %zero : i32
      %mask = llvm.select %first, %all, %most : i1, i32
      nvvm.bar.warp.sync %mask : i32
      llvm.return
    }
  }
}

// -----
// A copy that nobody has waited for is not there: the memory holds what it held.
// CHECK: 'cf.assert' op assertion failed: the copy
module @not_waited_for attributes {gpu.container_module} {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloc() : memref<1xi32, #gpu.address_space<global>>
    %at = memref.extract_aligned_pointer_as_index %m : memref<1xi32, #gpu.address_space<global>> -> index
    %word = arith.index_cast %at : index to i64
    %p = llvm.inttoptr %word : i64 to !llvm.ptr<1>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !llvm.ptr<1>)
    %h = memref.alloc() : memref<1xi32>
    gpu.memcpy %h, %m : memref<1xi32>, memref<1xi32, #gpu.address_space<global>>
    %got = memref.load %h[%c0] : memref<1xi32>
    %seven = arith.constant 7 : i32
    %same = arith.cmpi eq, %got, %seven : i32
    cf.assert %same, "the copy"
    return
  }
  gpu.module @k {
    llvm.mlir.global internal @w() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>
    llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel} {
      %w = llvm.mlir.addressof @w : !llvm.ptr<3>
      %seven = llvm.mlir.constant(7 : i32) : i32
      llvm.store %seven, %p : i32, !llvm.ptr<1>
      nvvm.cp.async.shared.global %w, %p, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 1
      %x = llvm.load %w : !llvm.ptr<3> -> i32
      llvm.store %x, %p : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----
// CHECK: 'nvvm.cp.async.shared.global' op copies 8 bytes, expected 16
module @too_short attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  gpu.module @k {
    llvm.mlir.global internal @w() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>
    llvm.func @k() attributes {gpu.kernel} {
      %w = llvm.mlir.addressof @w : !llvm.ptr<3>
      %g = llvm.mlir.zero : !llvm.ptr<1>
      nvvm.cp.async.shared.global %w, %g, 8, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----
// CHECK: 'nvvm.ldmatrix' op is of all lanes of a warp, and thread 4 has not come to it
module @part_of_a_warp attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
    return
  }
  gpu.module @k {
    llvm.mlir.global internal @w() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>
    llvm.func @k() attributes {gpu.kernel} {
      %w = llvm.mlir.addressof @w : !llvm.ptr<3>
      %0 = nvvm.ldmatrix %w {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
      llvm.return
    }
  }
}

// -----
// CHECK: nvvm_errors.mlir:[[#@LINE+9]]:{{.*}}'nvvm.read.ptx.sreg.clock' op has no evaluator
module @no_meaning attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  gpu.module @k {
    llvm.func @k() attributes {gpu.kernel} {
      %0 = nvvm.read.ptx.sreg.clock : i32
      llvm.return
    }
  }
}
