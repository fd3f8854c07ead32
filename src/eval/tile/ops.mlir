// SPDX-License-Identifier: Apache-2.0
// RUN: heddle eval %s --entry descriptors --shape arg0=12 --random 0 --random-max 1 | FileCheck %s --check-prefix=DESC
// RUN: heddle eval %s --entry rows --shape arg0=12 --random 0 --random-max 1 | FileCheck %s --check-prefix=ROWS
// RUN: heddle eval %s --entry narrow --shape arg0=4 --shape arg1=8 --random 0 --random-max 1 | FileCheck %s --check-prefix=NARROW
// RUN: heddle eval %s --entry pairs --shape arg0=4 --random 0 --random-max 1 | FileCheck %s --check-prefix=PAIRS
// RUN: heddle eval %s --entry programs --grid 2,3,2 --shape arg0=12 --random 0 --random-max 1 | FileCheck %s --check-prefix=GRID
// RUN: heddle eval %s --entry says --shape arg0=1 --random 0 --random-max 1 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: heddle eval %s --entry views --shape arg0=8 --random 0 --random-max 1 | FileCheck %s --check-prefix=VIEWS
// RUN: heddle eval %s --entry parts --shape arg0=5 --random 0 --random-max 1 | FileCheck %s --check-prefix=PARTS
// RUN: heddle eval %s --entry combined --shape arg0=5 --random 0 --random-max 1 | FileCheck %s --check-prefix=COMBINED

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>
#smem = #ttg.shared_memory

// A block that reaches out of the tensor of 3 x 4 is stored and added where the tensor is, and loaded with zeros elsewhere.
// DESC: out0: tensor<12xi32> [0, 0, 0, 0, 0, 2, 4, 6, 10, 12, 14, 16]
tt.func public @descriptors(%p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %s0 = arith.constant 4 : i64
  %s1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%c3, %c4], [%s0, %s1] : <i32>, <tensor<2x4xi32>>
  %v = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  tt.descriptor_store %d[%c1, %c1], %v : !tt.tensordesc<tensor<2x4xi32>>, tensor<2x4xi32>
  // 1 2 3 at row 1, 5 6 7 at row 2; then the same once more, and 10 is 5 + 5 moved to column 0
  tt.descriptor_reduce add, %d[%c1, %c1], %v : !tt.tensordesc<tensor<2x4xi32>>, tensor<2x4xi32>
  %w = tt.descriptor_load %d[%c2, %c1] : !tt.tensordesc<tensor<2x4xi32>> -> tensor<2x4xi32>
  tt.descriptor_store %d[%c2, %c0], %w : !tt.tensordesc<tensor<2x4xi32>>, tensor<2x4xi32>
  %last = arith.constant dense<[[16, 0, 0, 0], [9, 9, 9, 9]]> : tensor<2x4xi32>
  tt.descriptor_store %d[%c2, %c3], %last : !tt.tensordesc<tensor<2x4xi32>>, tensor<2x4xi32>
  tt.return
}

// Rows by their numbers; those that are not there are not stored.
// ROWS: out0: tensor<12xi32> [0, 5, 6, 7, 0, 0, 0, 0, 0, 1, 2, 3]
tt.func public @rows(%p: !tt.ptr<i32>) {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %s0 = arith.constant 4 : i64
  %s1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%c3, %c4], [%s0, %s1] : <i32>, <tensor<1x4xi32>>
  %v = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 9, 9, 9], [8, 8, 8, 8]]> : tensor<4x4xi32>
  %at = arith.constant dense<[2, 0, 3, 4]> : tensor<4xi32>
  tt.descriptor_scatter %d[%at, %c1], %v : !tt.tensordesc<tensor<1x4xi32>>, tensor<4xi32>, i32, tensor<4x4xi32>
  tt.return
}

// Numbers of 8 bits saturate; towards zero on demand.
// NARROW: out0: tensor<4xf8E5M2> [57344, -57344, 1, 1.25]
// NARROW: out1: tensor<8xf32> [0.5, 1, -6, 3, 0, -0.5, 4, 1.5]
tt.func public @narrow(%p: !tt.ptr<f8E5M2>, %q: !tt.ptr<f32>) {
  %x = arith.constant dense<[1.0e6, -1.0e9, 1.24, 1.24]> : tensor<4xf32>
  %zero = tt.fp_to_fp %x, rounding = rtz : tensor<4xf32> -> tensor<4xf8E5M2>
  %near = tt.fp_to_fp %x, rounding = rtne : tensor<4xf32> -> tensor<4xf8E5M2>
  %at = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %three = arith.constant dense<3> : tensor<4xi32>
  %first = arith.cmpi slt, %at, %three : tensor<4xi32>
  %v = arith.select %first, %zero, %near : tensor<4xi1>, tensor<4xf8E5M2>
  %ps = tt.splat %p : !tt.ptr<f8E5M2> -> tensor<4x!tt.ptr<f8E5M2>>
  %to = tt.addptr %ps, %at : tensor<4x!tt.ptr<f8E5M2>>, tensor<4xi32>
  tt.store %to, %v : tensor<4x!tt.ptr<f8E5M2>>
  // pairs of numbers of 4 bits: the low half comes first
  %bytes = arith.constant dense<[33, 95, -112, 54]> : tensor<4xi8>
  %f = ttg.fp4_to_fp %bytes {axis = 0 : i32} : tensor<4xi8> -> tensor<8xf32>
  %at8 = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %to8 = tt.addptr %qs, %at8 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %to8, %f : tensor<8x!tt.ptr<f32>>
  tt.return
}

// A region on pairs of elements of each operand: the sums change places.
// PAIRS: out0: tensor<4xi32> [22, 11, 44, 33]
tt.func public @pairs(%p: !tt.ptr<i32>) {
  %x = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %y = arith.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %v = "tt.map_elementwise"(%x, %y) <{pack = 2 : i32}> ({
  ^bb0(%x0: i32, %x1: i32, %y0: i32, %y1: i32):
    %s0 = arith.addi %x0, %y0 : i32
    %s1 = arith.addi %x1, %y1 : i32
    tt.map_elementwise.return %s1, %s0 : i32, i32
  }) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %at = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  %to = tt.addptr %ps, %at : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
  tt.store %to, %v : tensor<4x!tt.ptr<i32>>
  tt.return
}

// GRID: out0: tensor<12xi32> [0, 100, 10, 110, 20, 120, 1, 101, 11, 111, 21, 121]
tt.func public @programs(%p: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %z = tt.get_program_id z : i32
  %nx = tt.get_num_programs x : i32
  %ny = tt.get_num_programs y : i32
  %0 = arith.muli %z, %ny : i32
  %1 = arith.addi %0, %y : i32
  %2 = arith.muli %1, %nx : i32
  %3 = arith.addi %2, %x : i32
  %to = tt.addptr %p, %3 : !tt.ptr<i32>, i32
  %c10 = arith.constant 10 : i32
  %c100 = arith.constant 100 : i32
  %4 = arith.muli %x, %c100 : i32
  %5 = arith.muli %y, %c10 : i32
  %6 = arith.addi %4, %5 : i32
  %7 = arith.addi %6, %z : i32
  tt.store %to, %7 : !tt.ptr<i32>
  tt.return
}

// SAYS: pid (0, 0, 0) element 1 x: 2.5
// SAYS: pid (0, 0, 0) element 0 h: 0x7
tt.func public @says(%p: !tt.ptr<i32>) {
  %x = arith.constant dense<[1.5, 2.5]> : tensor<2xf32>
  %c7 = arith.constant 7 : i32
  tt.print " x: " {hex = false, isSigned = array<i32: 0>} : %x : tensor<2xf32>
  tt.print " h: " {hex = true, isSigned = array<i32: 1>} : %c7 : i32
  tt.return
}

// A part of shared memory with its dims the other way round sees what lies in the whole.
// VIEWS: out0: tensor<8xi32> [3, 7, 4, 8, 1, 2, 5, 6]
tt.func public @views(%p: !tt.ptr<i32>) {
  %c1 = arith.constant 1 : i32
  %v = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %two = ttg.local_alloc : () -> !ttg.memdesc<2x2x4xi32, #shared2, #smem, mutable>
  %m = ttg.memdesc_index %two[%c1] : !ttg.memdesc<2x2x4xi32, #shared2, #smem, mutable> -> !ttg.memdesc<2x4xi32, #shared, #smem, mutable>
  ttg.local_store %v, %m : tensor<2x4xi32> -> !ttg.memdesc<2x4xi32, #shared, #smem, mutable>
  %part = ttg.memdesc_subslice %m[0, 2] : !ttg.memdesc<2x4xi32, #shared, #smem, mutable> -> !ttg.memdesc<2x2xi32, #shared, #smem, mutable, 2x4>
  %turned = ttg.memdesc_trans %part {order = array<i32: 1, 0>} : !ttg.memdesc<2x2xi32, #shared, #smem, mutable, 2x4> -> !ttg.memdesc<2x2xi32, #shared1, #smem, mutable, 4x2>
  %x = ttg.local_load %turned : !ttg.memdesc<2x2xi32, #shared1, #smem, mutable, 4x2> -> tensor<2x2xi32>
  %first = ttg.memdesc_subslice %m[0, 0] : !ttg.memdesc<2x4xi32, #shared, #smem, mutable> -> !ttg.memdesc<2x2xi32, #shared, #smem, mutable, 2x4>
  %y = ttg.local_load %first : !ttg.memdesc<2x2xi32, #shared, #smem, mutable, 2x4> -> tensor<2x2xi32>
  %xs = tt.reshape %x : tensor<2x2xi32> -> tensor<4xi32>
  %ys = tt.reshape %y : tensor<2x2xi32> -> tensor<4xi32>
  %z = tt.cat %xs, %ys : tensor<4xi32> -> tensor<8xi32>
  %at = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %to = tt.addptr %ps, %at : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  tt.store %to, %z : tensor<8x!tt.ptr<i32>>
  tt.return
}

// The last bit of 1 + 2^-9 + 2^-20 is lost as tf32 and as two parts of bf16, and kept by two parts of tf32 and three of bf16.
// PARTS: out0: tensor<5xf32> [1, 0, 1, 0, 1]
tt.func public @parts(%p: !tt.ptr<f32>) {
  %a = arith.constant dense<[[1.00195407867431640625, 1.0]]> : tensor<1x2xf32>
  %b = arith.constant dense<[[1.0], [1.00195407867431640625]]> : tensor<2x1xf32>
  %c = arith.constant dense<-2.00390625> : tensor<1x1xf32>
  %0 = tt.dot %a, %b, %c : tensor<1x2xf32> * tensor<2x1xf32> -> tensor<1x1xf32>
  %1 = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<1x2xf32> * tensor<2x1xf32> -> tensor<1x1xf32>
  %2 = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<1x2xf32> * tensor<2x1xf32> -> tensor<1x1xf32>
  %3 = tt.dot %a, %b, %c, inputPrecision = bf16x3 : tensor<1x2xf32> * tensor<2x1xf32> -> tensor<1x1xf32>
  %4 = tt.dot %a, %b, %c, inputPrecision = bf16x6 : tensor<1x2xf32> * tensor<2x1xf32> -> tensor<1x1xf32>
  %scale = arith.constant 524288.0 : f32
  %c1 = arith.constant 1 : i32
  %v0 = tt.unsplat %0 : tensor<1x1xf32>
  %w0 = arith.mulf %v0, %scale : f32
  tt.store %p, %w0 : !tt.ptr<f32>
  %p1 = tt.addptr %p, %c1 : !tt.ptr<f32>, i32
  %v1 = tt.unsplat %1 : tensor<1x1xf32>
  %w1 = arith.mulf %v1, %scale : f32
  tt.store %p1, %w1 : !tt.ptr<f32>
  %p2 = tt.addptr %p1, %c1 : !tt.ptr<f32>, i32
  %v2 = tt.unsplat %2 : tensor<1x1xf32>
  %w2 = arith.mulf %v2, %scale : f32
  tt.store %p2, %w2 : !tt.ptr<f32>
  %p3 = tt.addptr %p2, %c1 : !tt.ptr<f32>, i32
  %v3 = tt.unsplat %3 : tensor<1x1xf32>
  %w3 = arith.mulf %v3, %scale : f32
  tt.store %p3, %w3 : !tt.ptr<f32>
  %p4 = tt.addptr %p3, %c1 : !tt.ptr<f32>, i32
  %v4 = tt.unsplat %4 : tensor<1x1xf32>
  %w4 = arith.mulf %v4, %scale : f32
  tt.store %p4, %w4 : !tt.ptr<f32>
  tt.return
}

// A reduction to a scalar of two operands, the largest and its place; a scan from the end.
// COMBINED: out0: tensor<5xi32> [15, 10, 7, 5, 21]
tt.func public @combined(%p: !tt.ptr<i32>) {
  %x = arith.constant dense<[5, 3, 2, 5]> : tensor<4xi32>
  %at = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%a: i32, %b: i32):
    %0 = arith.addi %a, %b : i32
    tt.scan.return %0 : i32
  }) : (tensor<4xi32>) -> tensor<4xi32>
  %m:2 = "tt.reduce"(%x, %at) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %i: i32, %b: i32, %j: i32):
    %less = arith.cmpi sge, %a, %b : i32
    %v = arith.select %less, %a, %b : i32
    %k = arith.select %less, %i, %j : i32
    tt.reduce.return %v, %k : i32, i32
  }) : (tensor<4xi32>, tensor<4xi32>) -> (i32, i32)
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  %to = tt.addptr %ps, %at : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
  tt.store %to, %s : tensor<4x!tt.ptr<i32>>
  %c4 = arith.constant 4 : i32
  %last = tt.addptr %p, %c4 : !tt.ptr<i32>, i32
  %1 = arith.muli %m#0, %c4 : i32
  %2 = arith.addi %1, %m#1 : i32
  %c1 = arith.constant 1 : i32
  %3 = arith.addi %2, %c1 : i32
  tt.store %last, %3 : !tt.ptr<i32>
  tt.return
}
