// REQUIRES: mlir-opt
// RUN: heddle-opt %s --verify-roundtrip > %t.heddle
// RUN: mlir-opt %s > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: heddle-opt %s --mlir-print-op-generic > %t.heddle
// RUN: mlir-opt %s --mlir-print-op-generic > %t.mlir
// RUN: diff %t.heddle %t.mlir
// RUN: mlir-opt %t.heddle | heddle-opt > %t.again
// RUN: heddle-opt %s > %t.heddle
// RUN: diff %t.heddle %t.again
llvm.mlir.global internal constant @str("hello\00") {addr_space = 0 : i32}
llvm.func @registers() {
  %0 = nvvm.read.ptx.sreg.ntid.x : i32
  %1 = nvvm.read.ptx.sreg.ntid.y : i32
  %2 = nvvm.read.ptx.sreg.ntid.z : i32
  %3 = nvvm.read.ptx.sreg.ctaid.x : i32
  %4 = nvvm.read.ptx.sreg.ctaid.y : i32
  %5 = nvvm.read.ptx.sreg.ctaid.z : i32
  %6 = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
  %7 = nvvm.read.ptx.sreg.cluster.ctaid.y : i32
  %8 = nvvm.read.ptx.sreg.cluster.ctaid.z : i32
  %9 = nvvm.read.ptx.sreg.clock64 : i64
  %10 = nvvm.read.ptx.sreg.clock : i32
  %11 = nvvm.read.ptx.sreg.cluster.nctarank : i32
  %12 = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
  %13 = nvvm.read.ptx.sreg.cluster.nctaid.y : i32
  %14 = nvvm.read.ptx.sreg.cluster.nctaid.z : i32
  %15 = nvvm.read.ptx.sreg.nclusterid.x : i32
  %16 = nvvm.read.ptx.sreg.nclusterid.y : i32
  %17 = nvvm.read.ptx.sreg.nclusterid.z : i32
  %18 = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %19 = nvvm.read.ptx.sreg.clusterid.x : i32
  %20 = nvvm.read.ptx.sreg.clusterid.y : i32
  %21 = nvvm.read.ptx.sreg.clusterid.z : i32
  %22 = nvvm.read.ptx.sreg.globaltimer.lo : i32
  %23 = nvvm.read.ptx.sreg.globaltimer : i64
  %24 = nvvm.read.ptx.sreg.nctaid.x : i32
  %25 = nvvm.read.ptx.sreg.nctaid.y : i32
  %26 = nvvm.read.ptx.sreg.nctaid.z : i32
  %27 = nvvm.read.ptx.sreg.laneid : i32
  %28 = nvvm.read.ptx.sreg.smid : i32
  %29 = nvvm.read.ptx.sreg.tid.x : i32
  %30 = nvvm.read.ptx.sreg.tid.y range <i32, 0, 1024> : i32
  %31 = nvvm.read.ptx.sreg.tid.z : i32
  %32 = nvvm.read.ptx.sreg.nwarpid : i32
  %33 = nvvm.read.ptx.sreg.warpid : i32
  %34 = nvvm.read.ptx.sreg.warpsize : i32
  llvm.return
}
llvm.func @synchronise(%n: i32, %p: i1, %m: !llvm.ptr, %s: !llvm.ptr<3>, %st: i64) {
  nvvm.barrier0
  nvvm.barrier
  nvvm.barrier id = %n number_of_threads = %n
  %0 = nvvm.barrier #nvvm.reduction<popc> %n -> i32
  nvvm.barrier.arrive number_of_threads = %n
  nvvm.barrier.arrive id = %n number_of_threads = %n
  nvvm.bar.warp.sync %n : i32
  nvvm.breakpoint
  nvvm.cluster.arrive
  nvvm.cluster.arrive.relaxed {aligned}
  nvvm.cluster.wait {aligned}
  nvvm.memory.barrier <gpu>
  nvvm.fence.mbarrier.init
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  nvvm.fence.sc.cluster
  nvvm.tcgen05.wait <load>
  nvvm.tcgen05.wait <store>
  nvvm.mbarrier.init %m, %n, predicate = %p : !llvm.ptr, i32, i1
  nvvm.mbarrier.init %s, %n : !llvm.ptr<3>, i32
  %1 = nvvm.mbarrier.arrive %s : !llvm.ptr<3> -> i64
  %2 = nvvm.mbarrier.arrive %s, %n {relaxed = true} : !llvm.ptr<3> -> i64
  %3 = nvvm.mbarrier.arrive.nocomplete %m, %n : !llvm.ptr, i32 -> i64
  nvvm.mbarrier.arrive.expect_tx %s, %n, predicate = %p : !llvm.ptr<3>, i32, i1
  %4 = nvvm.mbarrier.arrive.expect_tx %s, %n {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i64
  nvvm.mbarrier.expect_tx %s, %n : !llvm.ptr<3>, i32
  nvvm.mbarrier.complete_tx %s, %n : !llvm.ptr<3>, i32
  %5 = nvvm.mbarrier.test.wait %s, %st : !llvm.ptr<3>, i64 -> i1
  %6 = nvvm.mbarrier.try_wait %s, %st : !llvm.ptr<3>, i64 -> i1
  %7 = nvvm.mbarrier.try_wait %s, %n, %n : !llvm.ptr<3>, i32, i32 -> i1
  nvvm.mbarrier.try_wait.parity %s, %n, %n : !llvm.ptr<3>, i32, i32
  nvvm.mbarrier.inval %s : !llvm.ptr<3>
  %8 = nvvm.elect.sync -> i1
  %9 = nvvm.elect.sync %n -> i1
  nvvm.setmaxregister decrease 40
  nvvm.exit
  llvm.return
}
llvm.func @copies(%d: !llvm.ptr<3>, %g: !llvm.ptr<1>, %c: !llvm.ptr<7>, %t: !llvm.ptr, %n: i32, %w: i16, %h: i64, %p: i1) {
  nvvm.cp.async.shared.global %d, %g, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.shared.global %d, %g, 16, cache = ca, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 2
  nvvm.cp.async.mbarrier.arrive %d {noinc = true} : !llvm.ptr<3>
  nvvm.cp.async.bulk.commit.group
  nvvm.cp.async.bulk.wait_group 1 {read}
  nvvm.cp.async.bulk.prefetch %g, %n l2_cache_hint = %h : !llvm.ptr<1>
  nvvm.cp.async.bulk.shared.cluster.global %c, %g, %d, %n multicast_mask = %w l2_cache_hint = %h : !llvm.ptr<7>, !llvm.ptr<1>
  nvvm.cp.async.bulk.shared.cluster.global %c, %g, %d, %n : !llvm.ptr<7>, !llvm.ptr<1>
  nvvm.cp.async.bulk.shared.cluster.shared.cta %c, %d, %d, %n : !llvm.ptr<7>, !llvm.ptr<3>
  nvvm.cp.async.bulk.global.shared.cta %g, %d, %n l2_cache_hint = %h : !llvm.ptr<1>, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %t, %d, box[%n, %n] : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %t, %d, box[%n, %n, %n] im2col[%w] multicast_mask = %w l2_cache_hint = %h predicate = %p {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.global.shared.cta %t, %d, box[%n, %n], predicate = %p : !llvm.ptr, !llvm.ptr<3>
  nvvm.prefetch level = L2, %g : !llvm.ptr<1>
  nvvm.prefetch level = L1 uniform, %t : !llvm.ptr
  nvvm.prefetch tensormap, %t, predicate = %p : !llvm.ptr, i1
  llvm.return
}
llvm.func @lanes(%n: i32, %x: f32, %p: i1, %h: i64) {
  %0 = nvvm.shfl.sync idx %n, %x, %n, %n {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
  %1 = nvvm.match.sync any %n, %h : i64 -> i32
  %2 = nvvm.match.sync all %n, %n : i32 -> !llvm.struct<(i32, i1)>
  %3 = nvvm.redux.sync umax %n, %n : i32 -> i32
  %4 = nvvm.redux.sync fmin %x, %n {abs = true, nan = true} : f32 -> f32
  %5 = nvvm.vote.sync ballot %n, %p -> i32
  %6 = nvvm.vote.sync any %n, %p -> i1
  %7 = nvvm.rcp.approx.ftz.f %x : f32
  llvm.return
}
llvm.func @matrices(%s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %n: i32, %a: vector<2xf16>, %h: i64, %d: !llvm.struct<(f32, f32, f32, f32)>, %b: i32) {
  %0 = nvvm.ldmatrix %s {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  nvvm.stmatrix %s, %n, %n {layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32
  %1 = nvvm.mma.sync A[%a, %a] B[%a] C[%a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  %2 = nvvm.mma.sync A[%b, %b] B[%b] C[%b, %b, %b, %b] {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  %3 = nvvm.wmma.load %g, %n {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr<1>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  %4 = nvvm.wmma.mma %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a {eltypeA = #nvvm.mma_type<f16>, eltypeB = #nvvm.mma_type<f16>, k = 16 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, m = 16 : i32, n = 16 : i32} : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  nvvm.wmma.store %g, %n, %a, %a, %a, %a {eltype = #nvvm.mma_type<f16>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr<1>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>
  nvvm.wgmma.fence.aligned
  %5 = nvvm.wgmma.mma_async %h, %h, %d, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <neg>, <row>], B[<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 1
  llvm.return
}
