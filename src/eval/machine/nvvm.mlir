// SPDX-License-Identifier: Apache-2.0
// RUN: heddle check %s
// RUN: heddle eval %s --target=simt
// nvvm's ops, in the evaluator and on simt: each thread of a kernel computes what it should get, and says 1 where it did.
module attributes {gpu.container_module} {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %threads = arith.constant 64 : index
    %said = arith.constant 320 : index
    %m = memref.alloc() : memref<320xi32, #gpu.address_space<global>>
    %at = memref.extract_aligned_pointer_as_index %m : memref<320xi32, #gpu.address_space<global>> -> index
    %bytes0 = arith.constant 0 : index
    %at0 = arith.addi %at, %bytes0 : index
    %word0 = arith.index_cast %at0 : index to i64
    %p0 = llvm.inttoptr %word0 : i64 to !llvm.ptr<1>
    gpu.launch_func @registers::@registers blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%p0 : !llvm.ptr<1>)
    %bytes1 = arith.constant 256 : index
    %at1 = arith.addi %at, %bytes1 : index
    %word1 = arith.index_cast %at1 : index to i64
    %p1 = llvm.inttoptr %word1 : i64 to !llvm.ptr<1>
    gpu.launch_func @barriers::@barriers blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%p1 : !llvm.ptr<1>)
    %bytes2 = arith.constant 512 : index
    %at2 = arith.addi %at, %bytes2 : index
    %word2 = arith.index_cast %at2 : index to i64
    %p2 = llvm.inttoptr %word2 : i64 to !llvm.ptr<1>
    gpu.launch_func @shuffles::@shuffles blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%p2 : !llvm.ptr<1>)
    %bytes3 = arith.constant 768 : index
    %at3 = arith.addi %at, %bytes3 : index
    %word3 = arith.index_cast %at3 : index to i64
    %p3 = llvm.inttoptr %word3 : i64 to !llvm.ptr<1>
    gpu.launch_func @votes::@votes blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%p3 : !llvm.ptr<1>)
    %bytes4 = arith.constant 1024 : index
    %at4 = arith.addi %at, %bytes4 : index
    %word4 = arith.index_cast %at4 : index to i64
    %p4 = llvm.inttoptr %word4 : i64 to !llvm.ptr<1>
    gpu.launch_func @copies::@copies blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%p4 : !llvm.ptr<1>)
    %h = memref.alloc() : memref<320xi32>
    gpu.memcpy %h, %m : memref<320xi32>, memref<320xi32, #gpu.address_space<global>>
    scf.for %i = %c0 to %said step %c1 {
      %got = memref.load %h[%i] : memref<320xi32>
      %one = arith.constant 1 : i32
      %same = arith.cmpi eq, %got, %one : i32
      cf.assert %same, "what the thread found"
    }
    memref.dealloc %h : memref<320xi32>
    memref.dealloc %m : memref<320xi32, #gpu.address_space<global>>
    return
  }

  // Numbers of threads, blocks, lanes; clusters of one block.
  gpu.module @registers {
    llvm.func @registers(%p: !llvm.ptr<1>) attributes {gpu.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c31 = llvm.mlir.constant(31 : i32) : i32
      %all = llvm.mlir.constant(-1 : i32) : i32
      %yes = llvm.mlir.constant(true) : i1
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %out = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %v1 = nvvm.read.ptx.sreg.ntid.x : i32
      %v2 = llvm.mlir.constant(64 : i32) : i32
      %v3 = llvm.icmp "eq" %v1, %v2 : i32
      %v4 = llvm.and %yes, %v3 : i1
      %v5 = nvvm.read.ptx.sreg.ntid.y : i32
      %v6 = llvm.mlir.constant(1 : i32) : i32
      %v7 = llvm.icmp "eq" %v5, %v6 : i32
      %v8 = llvm.and %v4, %v7 : i1
      %v9 = nvvm.read.ptx.sreg.ctaid.x : i32
      %v10 = llvm.mlir.constant(0 : i32) : i32
      %v11 = llvm.icmp "eq" %v9, %v10 : i32
      %v12 = llvm.and %v8, %v11 : i1
      %v13 = nvvm.read.ptx.sreg.ctaid.z : i32
      %v14 = llvm.mlir.constant(0 : i32) : i32
      %v15 = llvm.icmp "eq" %v13, %v14 : i32
      %v16 = llvm.and %v12, %v15 : i1
      %v17 = nvvm.read.ptx.sreg.nctaid.y : i32
      %v18 = llvm.mlir.constant(1 : i32) : i32
      %v19 = llvm.icmp "eq" %v17, %v18 : i32
      %v20 = llvm.and %v16, %v19 : i1
      %v21 = nvvm.read.ptx.sreg.tid.y : i32
      %v22 = llvm.mlir.constant(0 : i32) : i32
      %v23 = llvm.icmp "eq" %v21, %v22 : i32
      %v24 = llvm.and %v20, %v23 : i1
      %v25 = nvvm.read.ptx.sreg.warpsize : i32
      %v26 = llvm.mlir.constant(32 : i32) : i32
      %v27 = llvm.icmp "eq" %v25, %v26 : i32
      %v28 = llvm.and %v24, %v27 : i1
      %v29 = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
      %v30 = llvm.mlir.constant(0 : i32) : i32
      %v31 = llvm.icmp "eq" %v29, %v30 : i32
      %v32 = llvm.and %v28, %v31 : i1
      %v33 = nvvm.read.ptx.sreg.cluster.nctaid.z : i32
      %v34 = llvm.mlir.constant(1 : i32) : i32
      %v35 = llvm.icmp "eq" %v33, %v34 : i32
      %v36 = llvm.and %v32, %v35 : i1
      %v37 = nvvm.read.ptx.sreg.clusterid.x : i32
      %v38 = llvm.mlir.constant(0 : i32) : i32
      %v39 = llvm.icmp "eq" %v37, %v38 : i32
      %v40 = llvm.and %v36, %v39 : i1
      %v41 = nvvm.read.ptx.sreg.nclusterid.y : i32
      %v42 = llvm.mlir.constant(1 : i32) : i32
      %v43 = llvm.icmp "eq" %v41, %v42 : i32
      %v44 = llvm.and %v40, %v43 : i1
      %v45 = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %v46 = llvm.mlir.constant(0 : i32) : i32
      %v47 = llvm.icmp "eq" %v45, %v46 : i32
      %v48 = llvm.and %v44, %v47 : i1
      %v49 = nvvm.read.ptx.sreg.cluster.nctarank : i32
      %v50 = llvm.mlir.constant(1 : i32) : i32
      %v51 = llvm.icmp "eq" %v49, %v50 : i32
      %v52 = llvm.and %v48, %v51 : i1
      %v53 = nvvm.read.ptx.sreg.warpid : i32
      %v54 = llvm.mlir.constant(5 : i32) : i32
      %v55 = llvm.lshr %t, %v54 : i32
      %v56 = llvm.icmp "eq" %v53, %v55 : i32
      %v57 = llvm.and %v52, %v56 : i1
      %v58 = llvm.and %t, %c31 : i32
      %v59 = llvm.icmp "eq" %lane, %v58 : i32
      %v60 = llvm.and %v57, %v59 : i1
      %v61 = llvm.zext %v60 : i1 to i32
      llvm.store %v61, %out : i32, !llvm.ptr<1>
      llvm.return
    }
  }

  // Behind a barrier a thread sees what another wrote.
  gpu.module @barriers {
    llvm.mlir.global internal @w() {addr_space = 3 : i32} : !llvm.array<64 x i32>
    llvm.func @barriers(%p: !llvm.ptr<1>) attributes {gpu.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c31 = llvm.mlir.constant(31 : i32) : i32
      %all = llvm.mlir.constant(-1 : i32) : i32
      %yes = llvm.mlir.constant(true) : i1
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %out = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %w = llvm.mlir.addressof @w : !llvm.ptr<3>
      %v1 = llvm.mlir.constant(63 : i32) : i32
      %v2 = llvm.xor %t, %v1 : i32
      %own = llvm.getelementptr %w[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %other = llvm.getelementptr %w[%v2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %t, %own : i32, !llvm.ptr<3>
      nvvm.barrier0
      %v3 = llvm.load %other : !llvm.ptr<3> -> i32
      %v4 = llvm.icmp "eq" %v3, %v2 : i32
      %v5 = llvm.and %yes, %v4 : i1
      nvvm.barrier
      llvm.store %c1, %own : i32, !llvm.ptr<3>
      nvvm.bar.warp.sync %all : i32
      nvvm.memory.barrier <cta>
      nvvm.barrier0
      %v6 = llvm.load %other : !llvm.ptr<3> -> i32
      %v7 = llvm.icmp "eq" %v6, %c1 : i32
      %v8 = llvm.and %v5, %v7 : i1
      %v9 = llvm.zext %v8 : i1 to i32
      llvm.store %v9, %out : i32, !llvm.ptr<1>
      llvm.return
    }
  }

  // Exchanges in each direction, over the warp and within segments of 8 lanes.
  gpu.module @shuffles {
    llvm.func @shuffles(%p: !llvm.ptr<1>) attributes {gpu.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c31 = llvm.mlir.constant(31 : i32) : i32
      %all = llvm.mlir.constant(-1 : i32) : i32
      %yes = llvm.mlir.constant(true) : i1
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %out = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %v1 = llvm.mlir.constant(3 : i32) : i32
      %v2 = llvm.mlir.constant(7 : i32) : i32
      %v3 = llvm.mlir.constant(6175 : i32) : i32
      %v4 = llvm.mlir.constant(6144 : i32) : i32
      %v5 = llvm.xor %t, %v1 : i32
      %v6 = nvvm.shfl.sync bfly %all, %t, %v1, %c31 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
      %v7 = llvm.extractvalue %v6[0] : !llvm.struct<(i32, i1)>
      %v8 = llvm.extractvalue %v6[1] : !llvm.struct<(i32, i1)>
      %v9 = llvm.icmp "eq" %v7, %v5 : i32
      %v10 = llvm.and %yes, %v9 : i1
      %v11 = llvm.icmp "eq" %v8, %yes : i1
      %v12 = llvm.and %v10, %v11 : i1
      %v13 = nvvm.shfl.sync bfly %all, %t, %v1, %c31 : i32 -> i32
      %v14 = llvm.icmp "eq" %v13, %v5 : i32
      %v15 = llvm.and %v12, %v14 : i1
      %v16 = llvm.add %lane, %v1 : i32
      %v17 = llvm.icmp "ule" %v16, %c31 : i32
      %v18 = llvm.add %t, %v1 : i32
      %v19 = llvm.select %v17, %v18, %t : i1, i32
      %v20 = nvvm.shfl.sync down %all, %t, %v1, %c31 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
      %v21 = llvm.extractvalue %v20[0] : !llvm.struct<(i32, i1)>
      %v22 = llvm.extractvalue %v20[1] : !llvm.struct<(i32, i1)>
      %v23 = llvm.icmp "eq" %v21, %v19 : i32
      %v24 = llvm.and %v15, %v23 : i1
      %v25 = llvm.icmp "eq" %v22, %v17 : i1
      %v26 = llvm.and %v24, %v25 : i1
      %v27 = nvvm.shfl.sync down %all, %t, %v1, %c31 : i32 -> i32
      %v28 = llvm.icmp "eq" %v27, %v19 : i32
      %v29 = llvm.and %v26, %v28 : i1
      %v30 = llvm.icmp "uge" %lane, %v1 : i32
      %v31 = llvm.sub %t, %v1 : i32
      %v32 = llvm.select %v30, %v31, %t : i1, i32
      %v33 = nvvm.shfl.sync up %all, %t, %v1, %c0 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
      %v34 = llvm.extractvalue %v33[0] : !llvm.struct<(i32, i1)>
      %v35 = llvm.extractvalue %v33[1] : !llvm.struct<(i32, i1)>
      %v36 = llvm.icmp "eq" %v34, %v32 : i32
      %v37 = llvm.and %v29, %v36 : i1
      %v38 = llvm.icmp "eq" %v35, %v30 : i1
      %v39 = llvm.and %v37, %v38 : i1
      %v40 = nvvm.shfl.sync up %all, %t, %v1, %c0 : i32 -> i32
      %v41 = llvm.icmp "eq" %v40, %v32 : i32
      %v42 = llvm.and %v39, %v41 : i1
      %v43 = llvm.sub %t, %lane : i32
      %v44 = llvm.add %v43, %v1 : i32
      %v45 = nvvm.shfl.sync idx %all, %t, %v1, %c31 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
      %v46 = llvm.extractvalue %v45[0] : !llvm.struct<(i32, i1)>
      %v47 = llvm.extractvalue %v45[1] : !llvm.struct<(i32, i1)>
      %v48 = llvm.icmp "eq" %v46, %v44 : i32
      %v49 = llvm.and %v42, %v48 : i1
      %v50 = llvm.icmp "eq" %v47, %yes : i1
      %v51 = llvm.and %v49, %v50 : i1
      %v52 = nvvm.shfl.sync idx %all, %t, %v1, %c31 : i32 -> i32
      %v53 = llvm.icmp "eq" %v52, %v44 : i32
      %v54 = llvm.and %v51, %v53 : i1
      %v55 = llvm.mlir.constant(-8 : i32) : i32
      %v56 = llvm.and %t, %v55 : i32
      %v57 = llvm.add %v56, %v1 : i32
      %v58 = nvvm.shfl.sync idx %all, %t, %v1, %v3 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
      %v59 = llvm.extractvalue %v58[0] : !llvm.struct<(i32, i1)>
      %v60 = llvm.extractvalue %v58[1] : !llvm.struct<(i32, i1)>
      %v61 = llvm.icmp "eq" %v59, %v57 : i32
      %v62 = llvm.and %v54, %v61 : i1
      %v63 = llvm.icmp "eq" %v60, %yes : i1
      %v64 = llvm.and %v62, %v63 : i1
      %v65 = nvvm.shfl.sync idx %all, %t, %v1, %v3 : i32 -> i32
      %v66 = llvm.icmp "eq" %v65, %v57 : i32
      %v67 = llvm.and %v64, %v66 : i1
      %v68 = llvm.and %lane, %v2 : i32
      %v69 = llvm.icmp "uge" %v68, %v1 : i32
      %v70 = llvm.select %v69, %v31, %t : i1, i32
      %v71 = nvvm.shfl.sync up %all, %t, %v1, %v4 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
      %v72 = llvm.extractvalue %v71[0] : !llvm.struct<(i32, i1)>
      %v73 = llvm.extractvalue %v71[1] : !llvm.struct<(i32, i1)>
      %v74 = llvm.icmp "eq" %v72, %v70 : i32
      %v75 = llvm.and %v67, %v74 : i1
      %v76 = llvm.icmp "eq" %v73, %v69 : i1
      %v77 = llvm.and %v75, %v76 : i1
      %v78 = nvvm.shfl.sync up %all, %t, %v1, %v4 : i32 -> i32
      %v79 = llvm.icmp "eq" %v78, %v70 : i32
      %v80 = llvm.and %v77, %v79 : i1
      %v81 = llvm.add %v68, %v1 : i32
      %v82 = llvm.icmp "ule" %v81, %v2 : i32
      %v83 = llvm.add %t, %v1 : i32
      %v84 = llvm.select %v82, %v83, %t : i1, i32
      %v85 = nvvm.shfl.sync down %all, %t, %v1, %v3 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
      %v86 = llvm.extractvalue %v85[0] : !llvm.struct<(i32, i1)>
      %v87 = llvm.extractvalue %v85[1] : !llvm.struct<(i32, i1)>
      %v88 = llvm.icmp "eq" %v86, %v84 : i32
      %v89 = llvm.and %v80, %v88 : i1
      %v90 = llvm.icmp "eq" %v87, %v82 : i1
      %v91 = llvm.and %v89, %v90 : i1
      %v92 = nvvm.shfl.sync down %all, %t, %v1, %v3 : i32 -> i32
      %v93 = llvm.icmp "eq" %v92, %v84 : i32
      %v94 = llvm.and %v91, %v93 : i1
      %v95 = llvm.uitofp %t : i32 to f32
      %v96 = nvvm.shfl.sync bfly %all, %v95, %c1, %c31 : f32 -> f32
      %v97 = llvm.xor %t, %c1 : i32
      %v98 = llvm.uitofp %v97 : i32 to f32
      %v99 = llvm.fcmp "oeq" %v96, %v98 : f32
      %v100 = llvm.and %v94, %v99 : i1
      %v101 = llvm.zext %v100 : i1 to i32
      llvm.store %v101, %out : i32, !llvm.ptr<1>
      llvm.return
    }
  }

  // Votes, reductions and matches, of all lanes and of every second one.
  gpu.module @votes {
    llvm.func @votes(%p: !llvm.ptr<1>) attributes {gpu.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c31 = llvm.mlir.constant(31 : i32) : i32
      %all = llvm.mlir.constant(-1 : i32) : i32
      %yes = llvm.mlir.constant(true) : i1
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %out = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %v1 = llvm.trunc %t : i32 to i1
      %v2 = nvvm.vote.sync ballot %all, %v1 -> i32
      %v3 = llvm.mlir.constant(-1431655766 : i32) : i32
      %v4 = llvm.icmp "eq" %v2, %v3 : i32
      %v5 = llvm.and %yes, %v4 : i1
      %v6 = nvvm.vote.sync any %all, %v1 -> i1
      %v7 = llvm.icmp "eq" %v6, %yes : i1
      %v8 = llvm.and %v5, %v7 : i1
      %v9 = llvm.mlir.constant(false) : i1
      %v10 = nvvm.vote.sync all %all, %v1 -> i1
      %v11 = llvm.icmp "eq" %v10, %v9 : i1
      %v12 = llvm.and %v8, %v11 : i1
      %v13 = nvvm.vote.sync uni %all, %v1 -> i1
      %v14 = llvm.icmp "eq" %v13, %v9 : i1
      %v15 = llvm.and %v12, %v14 : i1
      %v16 = nvvm.vote.sync uni %all, %v9 -> i1
      %v17 = llvm.icmp "eq" %v16, %yes : i1
      %v18 = llvm.and %v15, %v17 : i1
      %v19 = llvm.mlir.constant(1431655765 : i32) : i32
      %v20 = llvm.mlir.constant(-1431655766 : i32) : i32
      %v21 = llvm.select %v1, %v20, %v19 : i1, i32
      %v22 = nvvm.vote.sync all %v21, %v1 -> i1
      %v23 = llvm.icmp "eq" %v22, %v1 : i1
      %v24 = llvm.and %v18, %v23 : i1
      %v25 = nvvm.redux.sync add %lane, %all : i32 -> i32
      %v26 = llvm.mlir.constant(496 : i32) : i32
      %v27 = llvm.icmp "eq" %v25, %v26 : i32
      %v28 = llvm.and %v24, %v27 : i1
      %v29 = nvvm.redux.sync umax %lane, %all : i32 -> i32
      %v30 = llvm.icmp "eq" %v29, %c31 : i32
      %v31 = llvm.and %v28, %v30 : i1
      %v32 = llvm.mlir.constant(16 : i32) : i32
      %v33 = llvm.sub %lane, %v32 : i32
      %v34 = nvvm.redux.sync max %v33, %all : i32 -> i32
      %v35 = llvm.mlir.constant(15 : i32) : i32
      %v36 = llvm.icmp "eq" %v34, %v35 : i32
      %v37 = llvm.and %v31, %v36 : i1
      %v38 = nvvm.redux.sync min %v33, %all : i32 -> i32
      %v39 = llvm.mlir.constant(-16 : i32) : i32
      %v40 = llvm.icmp "eq" %v38, %v39 : i32
      %v41 = llvm.and %v37, %v40 : i1
      %v42 = nvvm.redux.sync umin %v33, %all : i32 -> i32
      %v43 = llvm.icmp "eq" %v42, %c0 : i32
      %v44 = llvm.and %v41, %v43 : i1
      %v45 = nvvm.redux.sync xor %v33, %all : i32 -> i32
      %v46 = llvm.icmp "eq" %v45, %c0 : i32
      %v47 = llvm.and %v44, %v46 : i1
      %v48 = nvvm.redux.sync or %lane, %all : i32 -> i32
      %v49 = llvm.icmp "eq" %v48, %c31 : i32
      %v50 = llvm.and %v47, %v49 : i1
      %v51 = nvvm.redux.sync and %lane, %v21 : i32 -> i32
      %v52 = llvm.zext %v1 : i1 to i32
      %v53 = llvm.icmp "eq" %v51, %v52 : i32
      %v54 = llvm.and %v50, %v53 : i1
      %v55 = llvm.mlir.constant(3 : i32) : i32
      %v56 = llvm.and %lane, %v55 : i32
      %v57 = llvm.mlir.constant(286331153 : i32) : i32
      %v58 = nvvm.match.sync any %all, %v56 : i32 -> i32
      %v59 = llvm.shl %v57, %v56 : i32
      %v60 = llvm.icmp "eq" %v58, %v59 : i32
      %v61 = llvm.and %v54, %v60 : i1
      %v62 = nvvm.match.sync all %all, %c1 : i32 -> !llvm.struct<(i32, i1)>
      %v63 = llvm.extractvalue %v62[0] : !llvm.struct<(i32, i1)>
      %v64 = llvm.extractvalue %v62[1] : !llvm.struct<(i32, i1)>
      %v65 = llvm.icmp "eq" %v64, %yes : i1
      %v66 = llvm.and %v61, %v65 : i1
      %v67 = llvm.select %yes, %all, %c0 : i1, i32
      %v68 = llvm.icmp "eq" %v63, %v67 : i32
      %v69 = llvm.and %v66, %v68 : i1
      %v70 = nvvm.match.sync all %all, %lane : i32 -> !llvm.struct<(i32, i1)>
      %v71 = llvm.extractvalue %v70[0] : !llvm.struct<(i32, i1)>
      %v72 = llvm.extractvalue %v70[1] : !llvm.struct<(i32, i1)>
      %v73 = llvm.icmp "eq" %v72, %v9 : i1
      %v74 = llvm.and %v69, %v73 : i1
      %v75 = llvm.select %v9, %all, %c0 : i1, i32
      %v76 = llvm.icmp "eq" %v71, %v75 : i32
      %v77 = llvm.and %v74, %v76 : i1
      %v78 = llvm.zext %v77 : i1 to i32
      llvm.store %v78, %out : i32, !llvm.ptr<1>
      llvm.return
    }
  }

  // Copies to shared memory are there when they have been waited for.
  gpu.module @copies {
    llvm.mlir.global internal @w() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
    llvm.func @copies(%p: !llvm.ptr<1>) attributes {gpu.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c31 = llvm.mlir.constant(31 : i32) : i32
      %all = llvm.mlir.constant(-1 : i32) : i32
      %yes = llvm.mlir.constant(true) : i1
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %out = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %w = llvm.mlir.addressof @w : !llvm.ptr<3>
      llvm.store %t, %out : i32, !llvm.ptr<1>
      nvvm.barrier0
      %own = llvm.getelementptr %w[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      nvvm.cp.async.shared.global %own, %out, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0
      nvvm.barrier0
      %v1 = llvm.mlir.constant(63 : i32) : i32
      %v2 = llvm.xor %t, %v1 : i32
      %other = llvm.getelementptr %w[%v2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      %v3 = llvm.load %other : !llvm.ptr<3> -> i32
      %v4 = llvm.icmp "eq" %v3, %v2 : i32
      %v5 = llvm.and %yes, %v4 : i1
      %v6 = llvm.zext %v5 : i1 to i32
      llvm.store %v6, %out : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}
