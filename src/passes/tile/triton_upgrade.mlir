// SPDX-License-Identifier: Apache-2.0
// Programs as older versions of Triton print them; each gives the same numbers as it is and after the pass.
// RUN: heddle-opt %s --triton-upgrade | FileCheck %s
// RUN: heddle-opt %s --triton-upgrade | heddle-opt --triton-upgrade | FileCheck %s
// RUN: heddle-opt %s --triton-upgrade > %t.today.mlir
// RUN: heddle eval %s --entry stages --shape arg0=48 --shape arg1=16 --random 3 --random-max 50 > %t.1
// RUN: heddle eval %t.today.mlir --entry stages --shape arg0=48 --shape arg1=16 --random 3 --random-max 50 > %t.2
// RUN: diff %t.1 %t.2
// RUN: FileCheck %s --check-prefix=STAGES < %t.1
// RUN: heddle eval %s --entry product --shape arg0=4096 --random 3 --random-max 50 > %t.3
// RUN: heddle eval %t.today.mlir --entry product --shape arg0=4096 --random 3 --random-max 50 > %t.4
// RUN: diff %t.3 %t.4
// RUN: heddle eval %s --entry branches --shape arg0=16 --random 3 --random-max 50 > %t.5
// RUN: heddle eval %t.today.mlir --entry branches --shape arg0=16 --random 3 --random-max 50 > %t.6
// RUN: diff %t.5 %t.6
// RUN: heddle eval %s --entry thread_locality --shape arg0=4096 --shape arg1=32 --random 3 > %t.7
// RUN: heddle eval %t.today.mlir --entry thread_locality --shape arg0=4096 --shape arg1=32 --random 3 > %t.8
// RUN: diff %t.7 %t.8
// RUN: heddle eval %s --entry subviews --shape arg0=16 --random 3 --random-max 50 > %t.9
// RUN: heddle eval %t.today.mlir --entry subviews --shape arg0=16 --random 3 --random-max 50 > %t.10
// RUN: diff %t.9 %t.10

#AL = #triton_gpu.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CTAsPerCGA = [1, 1], CTASplitNum = [1, 1], CTAOrder = [1, 0]}>
#A = #triton_gpu.shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0], CTAsPerCGA = [1, 1], CTASplitNum = [1, 1], CTAOrder = [1, 0], hasLeadingOffset = false}>
#W = #triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = true}>
#WT = #triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1], hasLeadingOffset = true}>
#M3 = #triton_gpu.mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#blocked = #triton_gpu.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #triton_gpu.blocked<{sizePerThread = [1, 1, 2], threadsPerWarp = [1, 32, 1], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>

module attributes {"triton_gpu.num-warps" = 4 : i32, "triton_gpu.threads-per-warp" = 32 : i32} {
// Two buffers that a loop carries, filled a step ahead, as the pipeliner of the time wrote it.
// CHECK-LABEL: tt.func public @stages
// CHECK: %[[BUFFER:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x4x4xi32, #shared{{[0-9]*}}, #smem, mutable>
// CHECK: %[[FIRST:.*]] = ttg.memdesc_index %[[BUFFER]][%c0_i32]
// CHECK: ttg.async_copy_global_to_local %{{.*}}, %[[FIRST]] mask %{{.*}} other %{{.*}} : tensor<4x4x!tt.ptr<i32>, #blocked{{[0-9]*}}> -> <4x4xi32, #shared{{[0-9]*}}, #smem, mutable>
// CHECK: ttg.async_commit_group
// CHECK: scf.for {{.*}} iter_args({{.*}}%[[CARRIED:.*]] = %[[BUFFER]]{{.*}}) -> ({{.*}}!ttg.memdesc<2x4x4xi32, #shared{{[0-9]*}}, #smem, mutable>
// CHECK: ttg.async_wait {num = 0 : i32}
// CHECK: %[[SLICE:.*]] = ttg.memdesc_index %[[CARRIED]]
// CHECK: ttg.local_load %[[SLICE]] : !ttg.memdesc<4x4xi32, #shared{{[0-9]*}}, #smem, mutable> -> tensor<4x4xi32, #blocked{{[0-9]*}}>
// CHECK: ttg.local_dealloc %[[BUFFER]]
// The sums of three times sixteen numbers.
// STAGES: out0: tensor<48xi32> [36, 29, 31, {{.*}}, 33, 45, 0, 41, {{.*}}, 12, 38, 34, 5, {{.*}}]
// STAGES: out1: tensor<16xi32> [119, 63, 77, 56, 100, 113, 119, 96, 42, 50, 97, 76, 92, 44, 68, 70]
tt.func public @stages(%x: !tt.ptr<i32, 1> {tt.divisibility = 16 : i32}, %out: !tt.ptr<i32, 1>) attributes {noinline = false} {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c3_i32 = arith.constant 3 : i32
  %c16 = arith.constant dense<16> : tensor<4x4xi32, #AL>
  %other = arith.constant dense<0> : tensor<4x4xi32, #AL>
  %zero = arith.constant dense<0> : tensor<4x4xi32, #AL>
  %mask = arith.constant dense<true> : tensor<4x4xi1, #AL>
  %row = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #triton_gpu.slice<{dim = 1, parent = #AL}>>
  %column = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #triton_gpu.slice<{dim = 0, parent = #AL}>>
  %r = tt.expand_dims %row {axis = 1 : i32} : (tensor<4xi32, #triton_gpu.slice<{dim = 1, parent = #AL}>>) -> tensor<4x1xi32, #AL>
  %c = tt.expand_dims %column {axis = 0 : i32} : (tensor<4xi32, #triton_gpu.slice<{dim = 0, parent = #AL}>>) -> tensor<1x4xi32, #AL>
  %rs = tt.broadcast %r : (tensor<4x1xi32, #AL>) -> tensor<4x4xi32, #AL>
  %cs = tt.broadcast %c : (tensor<1x4xi32, #AL>) -> tensor<4x4xi32, #AL>
  %four = arith.constant dense<4> : tensor<4x4xi32, #AL>
  %line = arith.muli %rs, %four : tensor<4x4xi32, #AL>
  %at = arith.addi %line, %cs : tensor<4x4xi32, #AL>
  %base = tt.splat %x : (!tt.ptr<i32, 1>) -> tensor<4x4x!tt.ptr<i32, 1>, #AL>
  %p = tt.addptr %base, %at : tensor<4x4x!tt.ptr<i32, 1>, #AL>, tensor<4x4xi32, #AL>
  %buffer = triton_gpu.alloc_tensor : tensor<2x4x4xi32, #A>
  %b0 = triton_gpu.insert_slice_async %p, %buffer, %c0_i32, %mask, %other {axis = 0 : i32, cache = 1 : i32, evict = 1 : i32, isVolatile = false} : tensor<4x4x!tt.ptr<i32, 1>, #AL> -> tensor<2x4x4xi32, #A>
  triton_gpu.async_commit_group
  %p1 = tt.addptr %p, %c16 : tensor<4x4x!tt.ptr<i32, 1>, #AL>, tensor<4x4xi32, #AL>
  %l:3 = scf.for %i = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%sum = %zero, %b = %b0, %next = %p1) -> (tensor<4x4xi32, #AL>, tensor<2x4x4xi32, #A>, tensor<4x4x!tt.ptr<i32, 1>, #AL>) : i32 {
    triton_gpu.async_wait {num = 0 : i32}
    %here = arith.andi %i, %c1_i32 : i32
    %slice = triton_gpu.extract_slice %b[%here, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xi32, #A> to tensor<4x4xi32, #A>
    %v = triton_gpu.convert_layout %slice : (tensor<4x4xi32, #A>) -> tensor<4x4xi32, #AL>
    %s = arith.addi %sum, %v : tensor<4x4xi32, #AL>
    %n = arith.addi %i, %c1_i32 : i32
    %there = arith.andi %n, %c1_i32 : i32
    %more = arith.cmpi "slt", %n, %c3_i32 : i32
    %m = tt.splat %more : (i1) -> tensor<4x4xi1, #AL>
    %b1 = triton_gpu.insert_slice_async %next, %b, %there, %m, %other {axis = 0 : i32, cache = 1 : i32, evict = 1 : i32, isVolatile = false} : tensor<4x4x!tt.ptr<i32, 1>, #AL> -> tensor<2x4x4xi32, #A>
    triton_gpu.async_commit_group
    %after = tt.addptr %next, %c16 : tensor<4x4x!tt.ptr<i32, 1>, #AL>, tensor<4x4xi32, #AL>
    scf.yield %s, %b1, %after : tensor<4x4xi32, #AL>, tensor<2x4x4xi32, #A>, tensor<4x4x!tt.ptr<i32, 1>, #AL>
  }
  triton_gpu.dealloc_tensor %buffer : tensor<2x4x4xi32, #A>
  %outs = tt.splat %out : (!tt.ptr<i32, 1>) -> tensor<4x4x!tt.ptr<i32, 1>, #AL>
  %to = tt.addptr %outs, %at : tensor<4x4x!tt.ptr<i32, 1>, #AL>, tensor<4x4xi32, #AL>
  tt.store %to, %l#0 {cache = 1 : i32, evict = 1 : i32} : tensor<4x4xi32, #AL>
  tt.return
}

// A product of operands in shared memory, one of them transposed there.
// CHECK-LABEL: tt.func public @product
// CHECK: %[[A:.*]] = ttg.local_alloc %{{.*}} : (tensor<64x64xf16, #blocked{{[0-9]*}}>) -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
// CHECK: %[[T:.*]] = ttg.memdesc_trans %{{.*}} {order = array<i32: 1, 0>}
// CHECK: ttng.warp_group_dot %[[A]], %[[T]], %{{.*}} {inputPrecision = 0 : i32}
tt.func public @product(%x: !tt.ptr<f16>) {
  %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #triton_gpu.slice<{dim = 1, parent = #blocked}>>
  %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #triton_gpu.slice<{dim = 0, parent = #blocked}>>
  %r = tt.expand_dims %row {axis = 1 : i32} : (tensor<64xi32, #triton_gpu.slice<{dim = 1, parent = #blocked}>>) -> tensor<64x1xi32, #blocked>
  %c = tt.expand_dims %column {axis = 0 : i32} : (tensor<64xi32, #triton_gpu.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x64xi32, #blocked>
  %wide = arith.constant dense<64> : tensor<64x1xi32, #blocked>
  %line = arith.muli %r, %wide : tensor<64x1xi32, #blocked>
  %rs = tt.broadcast %line : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
  %cs = tt.broadcast %c : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
  %at = arith.addi %rs, %cs : tensor<64x64xi32, #blocked>
  %base = tt.splat %x : (!tt.ptr<f16>) -> tensor<64x64x!tt.ptr<f16>, #blocked>
  %p = tt.addptr %base, %at : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
  %v = tt.load %p {cache = 1 : i32, evict = 1 : i32, isVolatile = false} : tensor<64x64xf16, #blocked>
  %a = triton_gpu.convert_layout %v : (tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #W>
  %b = triton_gpu.convert_layout %v : (tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #W>
  %t = tt.trans %b {order = array<i32: 1, 0>} : (tensor<64x64xf16, #W>) -> tensor<64x64xf16, #WT>
  %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #M3>
  %d = tt.dot %a, %t, %zero {allowTF32 = true, maxNumImpreciseAcc = 0 : i32} : tensor<64x64xf16, #W> * tensor<64x64xf16, #WT> -> tensor<64x64xf32, #M3>
  %h = arith.truncf %d : tensor<64x64xf32, #M3> to tensor<64x64xf16, #M3>
  %s = triton_gpu.convert_layout %h : (tensor<64x64xf16, #M3>) -> tensor<64x64xf16, #blocked>
  tt.store %p, %s : tensor<64x64xf16, #blocked>
  tt.return
}

// Branches, choices, calls and blocks hand memory on; memory to memory goes through registers.
// CHECK-LABEL: tt.func private @pass_on(%{{.*}}: !ttg.memdesc<4x4xi32, #shared{{[0-9]*}}, #smem, mutable>) -> !ttg.memdesc<4x4xi32, #shared{{[0-9]*}}, #smem, mutable>
tt.func private @pass_on(%x: tensor<4x4xi32, #A>) -> tensor<4x4xi32, #A> {
  cf.br ^next(%x : tensor<4x4xi32, #A>)
^next(%y: tensor<4x4xi32, #A>):
  tt.return %y : tensor<4x4xi32, #A>
}
// CHECK-LABEL: tt.func public @branches
// CHECK: scf.if %{{.*}} -> (!ttg.memdesc<4x4xi32, #shared{{[0-9]*}}, #smem, mutable>)
// CHECK: ttg.local_load %{{.*}} : !ttg.memdesc<4x4xi32, #shared{{[0-9]*}}, #smem, mutable> -> tensor<4x4xi32, #blocked{{[0-9]*}}>
// CHECK: ttg.local_alloc
// CHECK: tt.call @pass_on
tt.func public @branches(%x: !tt.ptr<i32>) {
  %c0_i32 = arith.constant 0 : i32
  %a = arith.constant dense<3> : tensor<4x4xi32, #AL>
  %b = arith.constant dense<5> : tensor<4x4xi32, #AL>
  %first = tt.load %x : !tt.ptr<i32>
  %some = arith.cmpi "sgt", %first, %c0_i32 : i32
  %sa = triton_gpu.convert_layout %a : (tensor<4x4xi32, #AL>) -> tensor<4x4xi32, #A>
  %sb = triton_gpu.convert_layout %b : (tensor<4x4xi32, #AL>) -> tensor<4x4xi32, #A>
  %chosen = scf.if %some -> (tensor<4x4xi32, #A>) {
    scf.yield %sa : tensor<4x4xi32, #A>
  } else {
    %copy = triton_gpu.convert_layout %sb : (tensor<4x4xi32, #A>) -> tensor<4x4xi32, #A>
    scf.yield %copy : tensor<4x4xi32, #A>
  }
  %other = arith.select %some, %sb, %chosen : tensor<4x4xi32, #A>
  %same = tt.call @pass_on(%chosen) : (tensor<4x4xi32, #A>) -> tensor<4x4xi32, #A>
  %u = triton_gpu.convert_layout %other : (tensor<4x4xi32, #A>) -> tensor<4x4xi32, #AL>
  %v = triton_gpu.convert_layout %same : (tensor<4x4xi32, #A>) -> tensor<4x4xi32, #AL>
  %w = arith.muli %u, %v : tensor<4x4xi32, #AL>
  %flat = tt.view %w : (tensor<4x4xi32, #AL>) -> tensor<16xi32, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %at = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %base = tt.splat %x : (!tt.ptr<i32>) -> tensor<16x!tt.ptr<i32>, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %to = tt.addptr %base, %at : tensor<16x!tt.ptr<i32>, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>, tensor<16xi32, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  tt.store %to, %flat : tensor<16xi32, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  tt.return
}

// A reduction in a loop before and after optimize-thread-locality, with the layouts of the time.
// CHECK-LABEL: tt.func public @thread_locality
// CHECK: tt.reshape %{{.*}} allow_reorder efficient_layout : tensor<32x128xf32, #blocked{{[0-9]*}}> -> tensor<32x64x2xf32, #blocked{{[0-9]*}}>
tt.func public @thread_locality(%x: !tt.ptr<f32, 1>, %out: !tt.ptr<f32, 1>) {
  %0 = tt.get_program_id {axis = 0 : i32} : i32
  %1 = arith.constant 0 : i32
  %2 = arith.constant 1 : i32
  %cst = arith.constant dense<-0.000000e+00> : tensor<32xf32, #triton_gpu.slice<{dim = 1, parent = #blocked}>>
  %cst3 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #triton_gpu.slice<{dim = 2, parent = #blocked2}>>
  %row = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #triton_gpu.slice<{dim = 1, parent = #blocked}>>
  %column = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #triton_gpu.slice<{dim = 0, parent = #blocked}>>
  %r = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #triton_gpu.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
  %c = tt.expand_dims %column {axis = 0 : i32} : tensor<128xi32, #triton_gpu.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
  %wide = arith.constant dense<128> : tensor<32x1xi32, #blocked>
  %line = arith.muli %r, %wide : tensor<32x1xi32, #blocked>
  %rs = tt.broadcast %line : tensor<32x1xi32, #blocked> -> tensor<32x128xi32, #blocked>
  %cs = tt.broadcast %c : tensor<1x128xi32, #blocked> -> tensor<32x128xi32, #blocked>
  %at = arith.addi %rs, %cs : tensor<32x128xi32, #blocked>
  %base = tt.splat %x : !tt.ptr<f32, 1> -> tensor<32x128x!tt.ptr<f32, 1>, #blocked>
  %p = tt.addptr %base, %at : tensor<32x128x!tt.ptr<f32, 1>, #blocked>, tensor<32x128xi32, #blocked>
  %19:2 = scf.for %arg3 = %1 to %2 step %2 iter_args(%arg4 = %cst, %arg5 = %cst3) -> (tensor<32xf32, #triton_gpu.slice<{dim = 1, parent = #blocked}>>, tensor<32x64xf32, #triton_gpu.slice<{dim = 2, parent = #blocked2}>>) : i32 {
    %33 = tt.load %p : tensor<32x128x!tt.ptr<f32>, #blocked>
    %34 = "tt.reduce"(%33) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %36 = arith.addf %a, %b : f32
      tt.reduce.return %36 : f32
    }) : (tensor<32x128xf32, #blocked>) -> tensor<32xf32, #triton_gpu.slice<{dim = 1, parent = #blocked}>>
    %35 = arith.addf %arg4, %34 : tensor<32xf32, #triton_gpu.slice<{dim = 1, parent = #blocked}>>
    %new_inp = tt.reshape %33 {allow_reorder = true, efficient_layout} : (tensor<32x128xf32, #blocked>) -> tensor<32x64x2xf32, #blocked2>
    %reduce = "tt.reduce"(%new_inp) <{axis = 2 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %36 = arith.addf %a, %b : f32
      tt.reduce.return %36 : f32
    }) : (tensor<32x64x2xf32, #blocked2>) -> tensor<32x64xf32, #triton_gpu.slice<{dim = 2, parent = #blocked2}>>
    %new_update = arith.addf %arg5, %reduce : tensor<32x64xf32, #triton_gpu.slice<{dim = 2, parent = #blocked2}>>
    scf.yield %35, %new_update : tensor<32xf32, #triton_gpu.slice<{dim = 1, parent = #blocked}>>, tensor<32x64xf32, #triton_gpu.slice<{dim = 2, parent = #blocked2}>>
  }
  %last = "tt.reduce"(%19#1) ({
  ^bb0(%a: f32, %b: f32):
    %36 = arith.addf %a, %b : f32
    tt.reduce.return %36 : f32
  }) {axis = 1 : i32} : (tensor<32x64xf32, #triton_gpu.slice<{dim = 2, parent = #blocked2}>>) -> tensor<32xf32, #triton_gpu.slice<{dim = 1, parent = #triton_gpu.slice<{dim = 2, parent = #blocked2}>}>>
  %moved = triton_gpu.convert_layout %last : (tensor<32xf32, #triton_gpu.slice<{dim = 1, parent = #triton_gpu.slice<{dim = 2, parent = #blocked2}>}>>) -> tensor<32xf32, #triton_gpu.slice<{dim = 1, parent = #blocked}>>
  %both = arith.addf %19#0, %moved : tensor<32xf32, #triton_gpu.slice<{dim = 1, parent = #blocked}>>
  %outs = tt.splat %out : !tt.ptr<f32, 1> -> tensor<32x!tt.ptr<f32, 1>, #triton_gpu.slice<{dim = 1, parent = #blocked}>>
  %to = tt.addptr %outs, %row : tensor<32x!tt.ptr<f32, 1>, #triton_gpu.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #triton_gpu.slice<{dim = 1, parent = #blocked}>>
  tt.store %to, %both : tensor<32xf32, #triton_gpu.slice<{dim = 1, parent = #blocked}>>
  tt.return
}

// Parts of memory by offsets, of the age between.
// CHECK-LABEL: tt.func public @subviews
// CHECK: ttg.memdesc_index %{{.*}}[%{{.*}}] : !ttg.memdesc<2x4x4xi32, #shared{{[0-9]*}}, #smem, mutable> -> !ttg.memdesc<4x4xi32, #shared{{[0-9]*}}, #smem, mutable>
// CHECK: ttg.memdesc_subslice %{{.*}}[2, 0] : !ttg.memdesc<4x4xi32, #shared{{[0-9]*}}, #smem, mutable> -> !ttg.memdesc<2x4xi32, #shared{{[0-9]*}}, #smem, mutable, 4x4>
// CHECK-NOT: memdesc_subview
tt.func public @subviews(%x: !tt.ptr<i32>) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %a = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<4x4xi32, #AL>
  %m = triton_gpu.local_alloc : () -> !triton_gpu.memdesc<2x4x4xi32, #A, #triton_gpu.shared_memory, mutable>
  %s = triton_gpu.memdesc_subview %m[%c1_i32, %c0_i32, %c0_i32] : !triton_gpu.memdesc<2x4x4xi32, #A, #triton_gpu.shared_memory, mutable> -> !triton_gpu.memdesc<4x4xi32, #A, #triton_gpu.shared_memory, mutable>
  triton_gpu.local_store %a, %s : tensor<4x4xi32, #AL> -> !triton_gpu.memdesc<4x4xi32, #A, #triton_gpu.shared_memory, mutable>
  %half = triton_gpu.memdesc_subview %m[%c1_i32, %c2_i32, %c0_i32] : !triton_gpu.memdesc<2x4x4xi32, #A, #triton_gpu.shared_memory, mutable> -> !triton_gpu.memdesc<2x4xi32, #A, #triton_gpu.shared_memory, mutable, 4x4>
  %v = triton_gpu.local_load %half : !triton_gpu.memdesc<2x4xi32, #A, #triton_gpu.shared_memory, mutable, 4x4> -> tensor<2x4xi32, #AL>
  %flat = tt.reshape %v {allow_reorder = true} : tensor<2x4xi32, #AL> -> tensor<8xi32, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %at = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %base = tt.splat %x : (!tt.ptr<i32>) -> tensor<8x!tt.ptr<i32>, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %to = tt.addptr %base, %at : tensor<8x!tt.ptr<i32>, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>, tensor<8xi32, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  tt.store %to, %flat : tensor<8xi32, #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  tt.return
}
}
