// RUN: heddle-opt %s --test-print-alignment | FileCheck %s
// Infos through loops, branches, calls and hints; arithmetic is axis_info_test.c's.

// A loop takes off what its carried values lose: %offset goes on by 32 from a multiple of 16.
// CHECK-LABEL: @loop
// CHECK: tt.make_range {{.*}} => contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>, stride = [128], stride_value = [1]
// CHECK: scf.for #0 => contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>, stride = [128], stride_value = [1]
// CHECK: scf.for #1 => contiguity = [1], divisibility = [4], constancy = [1], constant_value = <none>
// CHECK: tt.splat {{.*}} => contiguity = [1], divisibility = [8], constancy = [128]
// CHECK: arith.addi {{.*}} => contiguity = [128], divisibility = [16], constancy = [1]
tt.func @loop(%n: i32 {tt.divisibility = 16 : i32}, %step: i32 {tt.divisibility = 8 : i32}, %four: i32 {tt.divisibility = 4 : i32}) {
  %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %first = tt.splat %n : i32 -> tensor<128xi32>
  %start = arith.addi %range, %first : tensor<128xi32>
  %c32 = arith.constant dense<32> : tensor<128xi32>
  %offset, %other = scf.for %i = %n to %n step %step iter_args(%at = %start, %b = %n) -> (tensor<128xi32>, i32) : i32 {
    %counter = tt.splat %i : i32 -> tensor<128xi32>
    %next = arith.addi %at, %c32 : tensor<128xi32>
    scf.yield %next, %four : tensor<128xi32>, i32
  }
  tt.return
}

// Constants that both branches agree on stay; loops that swap values settle.
// CHECK-LABEL: @branches
// CHECK: scf.if #0 => contiguity = [1], divisibility = [4], constancy = [1], constant_value = <none>
// CHECK: scf.if #1 => contiguity = [1], divisibility = [8], constancy = [1], constant_value = 8
// CHECK: scf.while #0 => contiguity = [1], divisibility = [8], constancy = [1], constant_value = <none>
// CHECK: scf.while #1 => contiguity = [1], divisibility = [8], constancy = [1], constant_value = <none>
tt.func @branches(%c: i1, %a: i32 {tt.divisibility = 32 : i32}) {
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %0:2 = scf.if %c -> (i32, i32) {
    scf.yield %c4, %c8 : i32, i32
  } else {
    scf.yield %c8, %c8 : i32, i32
  }
  %1:2 = scf.while (%x = %a, %y = %c8) : (i32, i32) -> (i32, i32) {
    scf.condition(%c) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    scf.yield %y, %x : i32, i32
  }
  tt.return
}

// What a private function gets is what all of its callers pass, and no more than its hints say.
// CHECK-LABEL: @callee
// CHECK: tt.splat {{.*}} => contiguity = [1], divisibility = [16], constancy = [64]
// CHECK: tt.splat {{.*}} => contiguity = [1], divisibility = [2], constancy = [64]
// CHECK-LABEL: @caller
// CHECK: tt.call {{.*}} => contiguity = [1], divisibility = [1], constancy = [1]
tt.func private @callee(%x: i32, %y: i32 {tt.divisibility = 2 : i32}) -> i32 attributes {noinline = true} {
  %0 = tt.splat %x : i32 -> tensor<64xi32>
  %1 = tt.splat %y : i32 -> tensor<64xi32>
  tt.return %x : i32
}
tt.func @caller(%a: i32 {tt.divisibility = 16 : i32}) {
  %c64 = arith.constant 64 : i32
  %0 = tt.call @callee(%a, %c64) : (i32, i32) -> i32
  %1 = tt.call @callee(%c64, %c64) : (i32, i32) -> i32
  tt.return
}

// Hints of ops replace what is computed; a list has a number for each dim.
// CHECK-LABEL: @hints
// CHECK: tt.get_program_id {{.*}} => contiguity = [1], divisibility = [64], constancy = [1]
// CHECK: tt.load {{.*}} => contiguity = [1, 16], divisibility = [1, 8], constancy = [1, 1], constant_value = <none>, stride = [1, 16], stride_value = [0, 1]
tt.func @hints(%p: tensor<4x64x!tt.ptr<i32>>) {
  %0 = tt.get_program_id x {tt.divisibility = 64 : i32} : i32
  %1 = tt.load %p {tt.contiguity = dense<[1, 16]> : tensor<2xi32>, tt.divisibility = dense<[1, 8]> : tensor<2xi32>} : tensor<4x64x!tt.ptr<i32>>
  tt.return
}

// Rows of 10 from each other: strides, outermost dim first.
// CHECK-LABEL: @strides
// CHECK: arith.addi {{.*}} => contiguity = [1, 4], divisibility = [1, 2], constancy = [1, 1], constant_value = <none>, stride = [2, 4], stride_value = [10, 1]
tt.func @strides() {
  %row = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %column = tt.make_range {start = 1 : i32, end = 3 : i32} : tensor<2xi32>
  %ten = arith.constant dense<10> : tensor<2xi32>
  %starts = arith.muli %column, %ten : tensor<2xi32>
  %0 = tt.expand_dims %starts {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
  %1 = tt.expand_dims %row {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
  %2 = tt.broadcast %0 : tensor<2x1xi32> -> tensor<2x4xi32>
  %3 = tt.broadcast %1 : tensor<1x4xi32> -> tensor<2x4xi32>
  %4 = arith.addi %2, %3 : tensor<2x4xi32>
  tt.return
}
