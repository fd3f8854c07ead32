// SPDX-License-Identifier: Apache-2.0
// RUN: heddle check %s
// nvvm's ops that the evaluator has and simt has not: each thread computes what it should get, and says 1 where it did.

// One lane of those that take part; numbers of all threads at a barrier; extrema of floats.
module @elections attributes {gpu.container_module} {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    %m = memref.alloc() : memref<64xi32, #gpu.address_space<global>>
    %at = memref.extract_aligned_pointer_as_index %m : memref<64xi32, #gpu.address_space<global>> -> index
    %word = arith.index_cast %at : index to i64
    %p = llvm.inttoptr %word : i64 to !llvm.ptr<1>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%p : !llvm.ptr<1>)
    %h = memref.alloc() : memref<64xi32>
    gpu.memcpy %h, %m : memref<64xi32>, memref<64xi32, #gpu.address_space<global>>
    scf.for %i = %c0 to %threads step %c1 {
      %got = memref.load %h[%i] : memref<64xi32>
      %one = arith.constant 1 : i32
      %same = arith.cmpi eq, %got, %one : i32
      cf.assert %same, "what the thread found"
    }
    memref.dealloc %h : memref<64xi32>
    memref.dealloc %m : memref<64xi32, #gpu.address_space<global>>
    return
  }
  gpu.module @k {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c31 = llvm.mlir.constant(31 : i32) : i32
      %all = llvm.mlir.constant(-1 : i32) : i32
      %yes = llvm.mlir.constant(true) : i1
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %out = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %v1 = nvvm.elect.sync %all -> i1
      %v2 = llvm.icmp "eq" %lane, %c0 : i32
      %v3 = llvm.icmp "eq" %v1, %v2 : i1
      %v4 = llvm.and %yes, %v3 : i1
      %v5 = llvm.mlir.constant(5 : i32) : i32
      %v6 = nvvm.elect.sync -> i1
      %v7 = llvm.icmp "eq" %lane, %c0 : i32
      %v8 = llvm.icmp "eq" %v6, %v7 : i1
      %v9 = llvm.and %v4, %v8 : i1
      %v10 = nvvm.barrier #nvvm.reduction<popc> %lane -> i32
      %v11 = llvm.mlir.constant(62 : i32) : i32
      %v12 = llvm.icmp "eq" %v10, %v11 : i32
      %v13 = llvm.and %v9, %v12 : i1
      %v14 = nvvm.barrier #nvvm.reduction<and> %lane -> i32
      %v15 = llvm.icmp "eq" %v14, %c0 : i32
      %v16 = llvm.and %v13, %v15 : i1
      %v17 = nvvm.barrier #nvvm.reduction<or> %lane -> i32
      %v18 = llvm.icmp "eq" %v17, %c1 : i32
      %v19 = llvm.and %v16, %v18 : i1
      %v20 = llvm.uitofp %lane : i32 to f32
      %v21 = llvm.mlir.constant(3.100000e+01 : f32) : f32
      %v22 = llvm.mlir.constant(0.000000e+00 : f32) : f32
      %v23 = llvm.mlir.constant(0x7FC00000 : f32) : f32
      %v24 = llvm.icmp "eq" %lane, %c0 : i32
      %v25 = llvm.fneg %v20 : f32
      %v26 = llvm.select %v24, %v23, %v25 : i1, f32
      %v27 = nvvm.redux.sync fmax %v20, %all : f32 -> f32
      %v28 = llvm.fcmp "oeq" %v27, %v21 : f32
      %v29 = llvm.and %v19, %v28 : i1
      %v30 = nvvm.redux.sync fmax %v26, %all {abs = true} : f32 -> f32
      %v31 = llvm.fcmp "oeq" %v30, %v21 : f32
      %v32 = llvm.and %v29, %v31 : i1
      %v33 = nvvm.redux.sync fmin %v26, %all {nan = true} : f32 -> f32
      %v34 = llvm.fcmp "uno" %v33, %v33 : f32
      %v35 = llvm.and %v32, %v34 : i1
      %v36 = llvm.zext %v35 : i1 to i32
      llvm.store %v36, %out : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}
