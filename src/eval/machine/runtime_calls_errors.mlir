// SPDX-License-Identifier: Apache-2.0
// RUN: not heddle check %s 2>&1 | FileCheck %s
// Calls of the runtime that a program words wrongly: counts and types of operands, descriptors that contradict themselves, sizes
// and strides whose arithmetic wraps around.

func.func @no_result() {
  %n = arith.constant 64 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op calls 'ral_alloc' with 2 arguments and 0 results, expected 2 arguments and 1 results
  hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> ()
  return
}

func.func @many_results() {
  %n = arith.constant 64 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op calls 'ral_alloc' with 2 arguments and 2 results, expected 2 arguments and 1 results
  %p:2 = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> (!llvm.ptr, !llvm.ptr)
  return
}

func.func @result_type() {
  %n = arith.constant 64 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op calls 'ral_alloc', which gives a pointer, for another type
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> f32
  return
}

func.func @wide_size() {
  %m = memref.alloc() : memref<1xi4096>
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op calls 'ral_alloc' with an integer expected as argument 0, got another type
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%m, %m) : (memref<1xi4096>, memref<1xi4096>) -> !llvm.ptr
  return
}

func.func @free_a_number() {
  %n = arith.constant 64 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op calls 'ral_free' with an address expected as argument 0, got another type
  hd.ral_call "ral_free___pvoid_pvoid___void"(%n) : (i64) -> ()
  return
}

func.func @print_a_number() {
  %n = arith.constant 64 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op calls 'ral_print' with a memref expected as argument 2, got another type
  hd.ral_call "ral_print___pvoid_i64_i64_m1df32___void"(%n, %n, %n) : (i64, i64, i64) -> ()
  return
}

func.func @collective_facts() {
  %n = arith.constant 64 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %c = arith.constant 2305843009213693952 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op gives a descriptor of 2305843009213693952 words
  hd.ral_call "ral_collective___pvoid_pvoid_pvoid_pvoid_pvoid_i64___void"(%p, %p, %p, %p, %c) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
  return
}

memref.global "private" constant @cholesky_overflows_words : memref<3xi64> = dense<[4294967296, 4294967296, 1]>
func.func @cholesky_overflows() {
  %f = memref.get_global @cholesky_overflows_words : memref<3xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 22 : i64
  %c = arith.constant 3 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op the number of elements of a tensor overflows
  hd.ral_call "ral_cholesky___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<3xi64>, i64) -> ()
  return
}

memref.global "private" constant @solve_of_other_sizes_words : memref<8xi64> = dense<[1, 2, 7, 3, 1, 1, 0, 0]>
func.func @solve_of_other_sizes() {
  %f = memref.get_global @solve_of_other_sizes_words : memref<8xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 22 : i64
  %c = arith.constant 8 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op shapes do not fit: a is 1x2x2, b is 1x7x3
  hd.ral_call "ral_triangular_solve___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<8xi64>, i64) -> ()
  return
}

memref.global "private" constant @cholesky_of_integers_words : memref<3xi64> = dense<[1, 2, 1]>
func.func @cholesky_of_integers() {
  %f = memref.get_global @cholesky_of_integers_words : memref<3xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 6 : i64
  %c = arith.constant 3 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op expected floats or complex numbers
  hd.ral_call "ral_cholesky___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<3xi64>, i64) -> ()
  return
}

memref.global "private" constant @custom_call_name_words : memref<4xi64> = dense<[0, 0, 1024, 0]>
func.func @custom_call_name() {
  %f = memref.get_global @custom_call_name_words : memref<4xi64>
  %c = arith.constant 4 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op gives too few words
  hd.ral_call "ral_custom_call___pvoid_pvoid_pvoid_i64___void"(%f, %f, %c) : (memref<4xi64>, memref<4xi64>, i64) -> ()
  return
}

memref.global "private" constant @custom_call_attributes_words : memref<4xi64> = dense<[0, 0, 0, 32]>
func.func @custom_call_attributes() {
  %f = memref.get_global @custom_call_attributes_words : memref<4xi64>
  %c = arith.constant 4 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op gives too few words
  hd.ral_call "ral_custom_call___pvoid_pvoid_pvoid_i64___void"(%f, %f, %c) : (memref<4xi64>, memref<4xi64>, i64) -> ()
  return
}

memref.global "private" constant @custom_call_dims_words : memref<8xi64> = dense<[1, 0, 0, 0, 0, 22, 1, -4]>
func.func @custom_call_dims() {
  %f = memref.get_global @custom_call_dims_words : memref<8xi64>
  %c = arith.constant 8 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op gives a dim of -4
  hd.ral_call "ral_custom_call___pvoid_pvoid_pvoid_i64___void"(%f, %f, %c) : (memref<8xi64>, memref<8xi64>, i64) -> ()
  return
}

memref.global "private" constant @dot_sizes_overflow_words : memref<10xi64> = dense<[1, 4294967296, 0, 0, 0, 1, 4294967296, 0, 0, 0]>
func.func @dot_sizes_overflow() {
  %f = memref.get_global @dot_sizes_overflow_words : memref<10xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 2 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op dot_general: sizes overflow
  hd.ral_call "ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<10xi64>, i64, i64, memref<10xi64>, i64) -> ()
  return
}

memref.global "private" constant @dot_strides_overflow_words : memref<5xi64> = dense<[3, 5, 4611686018427387904, 1, 0]>
func.func @dot_strides_overflow() {
  %f = memref.get_global @dot_strides_overflow_words : memref<5xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 1 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op reaches outside of a buffer
  hd.ral_call "ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<5xi64>, i64, i64, memref<5xi64>, i64) -> ()
  return
}

memref.global "private" constant @dot_span_overflows_words : memref<5xi64> = dense<[3, 2, 4611686018427387904, 1, 0]>
func.func @dot_span_overflows() {
  %f = memref.get_global @dot_span_overflows_words : memref<5xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 1 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op reaches outside of a buffer
  hd.ral_call "ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<5xi64>, i64, i64, memref<5xi64>, i64) -> ()
  return
}

memref.global "private" constant @dot_outside_words : memref<5xi64> = dense<[3, 65, 1, 0, 0]>
func.func @dot_outside() {
  %f = memref.get_global @dot_outside_words : memref<5xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 1 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op reaches 260 bytes into a buffer of 256
  hd.ral_call "ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<5xi64>, i64, i64, memref<5xi64>, i64) -> ()
  return
}

memref.global "private" constant @dot_below_words : memref<5xi64> = dense<[3, 2, -1, 0, 0]>
func.func @dot_below() {
  %f = memref.get_global @dot_below_words : memref<5xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 1 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op uses an address that is in no live buffer
  hd.ral_call "ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<5xi64>, i64, i64, memref<5xi64>, i64) -> ()
  return
}

memref.global "private" constant @dot_out_overflows_words : memref<5xi64> = dense<[1, 5, 0, 0, 4611686018427387904]>
func.func @dot_out_overflows() {
  %f = memref.get_global @dot_out_overflows_words : memref<5xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 1 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op dot_general: reaches outside of a buffer
  hd.ral_call "ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<5xi64>, i64, i64, memref<5xi64>, i64) -> ()
  return
}

memref.global "private" constant @dot_of_complex_words : memref<5xi64> = dense<[3, 2, 1, 1, 0]>
func.func @dot_of_complex() {
  %f = memref.get_global @dot_of_complex_words : memref<5xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1579032 : i64
  %c = arith.constant 1 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op expected integers or floats on both sides
  hd.ral_call "ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<5xi64>, i64, i64, memref<5xi64>, i64) -> ()
  return
}

memref.global "private" constant @dot_of_two_kinds_words : memref<5xi64> = dense<[3, 2, 1, 1, 0]>
func.func @dot_of_two_kinds() {
  %f = memref.get_global @dot_of_two_kinds_words : memref<5xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447430 : i64
  %c = arith.constant 1 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op expected integers or floats on both sides
  hd.ral_call "ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<5xi64>, i64, i64, memref<5xi64>, i64) -> ()
  return
}

memref.global "private" constant @dot_to_another_kind_words : memref<5xi64> = dense<[3, 2, 1, 1, 0]>
func.func @dot_to_another_kind() {
  %f = memref.get_global @dot_to_another_kind_words : memref<5xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 398870 : i64
  %c = arith.constant 1 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op expected results of floats
  hd.ral_call "ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<5xi64>, i64, i64, memref<5xi64>, i64) -> ()
  return
}

memref.global "private" constant @dot_of_nothing_words : memref<5xi64> = dense<[3, 2, 1, 1, 0]>
func.func @dot_of_nothing() {
  %f = memref.get_global @dot_of_nothing_words : memref<5xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 0 : i64
  %c = arith.constant 1 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op has no such element types
  hd.ral_call "ral_dot_general___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<5xi64>, i64, i64, memref<5xi64>, i64) -> ()
  return
}

memref.global "private" constant @conv_dilation_words : memref<23xi64> = dense<[1, 1, 1, 1, 1, 4, 4, 1, 1, 4, 4, 1, 4, 4, 1, 1, 0, 0, 1, 0, 1, 1, 1]>
func.func @conv_dilation() {
  %f = memref.get_global @conv_dilation_words : memref<23xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 23 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op convolution: wrong descriptor
  hd.ral_call "ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<23xi64>, i64, i64, memref<23xi64>, i64) -> ()
  return
}

memref.global "private" constant @conv_groups_words : memref<23xi64> = dense<[1, 1, 1, 4294967296, 4294967296, 4, 4, 1, 1, 4, 4, 1, 4, 4, 1, 1, 0, 1, 1, 0, 1, 1, 1]>
func.func @conv_groups() {
  %f = memref.get_global @conv_groups_words : memref<23xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 23 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op convolution: wrong descriptor
  hd.ral_call "ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<23xi64>, i64, i64, memref<23xi64>, i64) -> ()
  return
}

memref.global "private" constant @conv_batch_words : memref<23xi64> = dense<[-1, 1, 1, 1, 1, 4, 4, 1, 1, 4, 4, 1, 4, 4, 1, 1, 0, 1, 1, 0, 1, 1, 1]>
func.func @conv_batch() {
  %f = memref.get_global @conv_batch_words : memref<23xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 23 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op convolution: wrong descriptor
  hd.ral_call "ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<23xi64>, i64, i64, memref<23xi64>, i64) -> ()
  return
}

memref.global "private" constant @conv_size_words : memref<23xi64> = dense<[1, 1, 1, 1, 1, 4, 4, 1, 1, 4, 4, 1, 4, -4, 1, 1, 0, 1, 1, 0, 1, 1, 1]>
func.func @conv_size() {
  %f = memref.get_global @conv_size_words : memref<23xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 23 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op convolution: wrong descriptor
  hd.ral_call "ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<23xi64>, i64, i64, memref<23xi64>, i64) -> ()
  return
}

memref.global "private" constant @conv_position_words : memref<23xi64> = dense<[1, 1, 1, 1, 1, 4, 4, 1, 1, 4, 4, 1, 4, 5, 1, 4611686018427387904, 0, 1, 1, 0, 1, 1, 1]>
func.func @conv_position() {
  %f = memref.get_global @conv_position_words : memref<23xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 23 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op convolution: wrong descriptor
  hd.ral_call "ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<23xi64>, i64, i64, memref<23xi64>, i64) -> ()
  return
}

memref.global "private" constant @conv_padding_words : memref<23xi64> = dense<[1, 1, 1, 1, 1, 4, 4, 1, 1, 4, 4, 1, 4, 4, 1, 1, -9223372036854775808, 1, 1, 0, 1, 1, 1]>
func.func @conv_padding() {
  %f = memref.get_global @conv_padding_words : memref<23xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 23 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op convolution: wrong descriptor
  hd.ral_call "ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<23xi64>, i64, i64, memref<23xi64>, i64) -> ()
  return
}

memref.global "private" constant @conv_input_words : memref<23xi64> = dense<[1, 1, 1, 1, 1, 4, 4, 1, 1, 4, 4, 1, 4, 4, 1, 1, 0, 1, 1, 0, 100, 1, 1]>
func.func @conv_input() {
  %f = memref.get_global @conv_input_words : memref<23xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 23 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op reaches 1204 bytes into a buffer of 256
  hd.ral_call "ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<23xi64>, i64, i64, memref<23xi64>, i64) -> ()
  return
}

memref.global "private" constant @conv_kernel_words : memref<23xi64> = dense<[1, 1, 1, 1, 1, 4, 4, 1, 1, 4, 4, 1, 4, 4, 2, 1, 0, 1, 1, 0, 1, 64, 1]>
func.func @conv_kernel() {
  %f = memref.get_global @conv_kernel_words : memref<23xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 23 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op reaches 260 bytes into a buffer of 256
  hd.ral_call "ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<23xi64>, i64, i64, memref<23xi64>, i64) -> ()
  return
}

memref.global "private" constant @conv_features_words : memref<23xi64> = dense<[1, 3, 1, 1, 1, 4, 4611686018427387904, 1, 1, 4, 4, 1, 4, 4, 1, 1, 0, 1, 1, 0, 1, 1, 1]>
func.func @conv_features() {
  %f = memref.get_global @conv_features_words : memref<23xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 23 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op reaches outside of a buffer
  hd.ral_call "ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<23xi64>, i64, i64, memref<23xi64>, i64) -> ()
  return
}

memref.global "private" constant @conv_output_words : memref<23xi64> = dense<[1, 1, 1, 1, 1, 4, 4, 1, 1, 4, 4, 1, 4, 4, 1, 1, 0, 1, 1, 0, 1, 1, 4611686018427387904]>
func.func @conv_output() {
  %f = memref.get_global @conv_output_words : memref<23xi64>
  %n = arith.constant 256 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %t = arith.constant 1447446 : i64
  %c = arith.constant 23 : i64
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op convolution: reaches outside of a buffer
  hd.ral_call "ral_convolution___pvoid_pvoid_pvoid_pvoid_pvoid_i64_pvoid_i64_i64_pvoid_i64___void"(%p, %p, %p, %p, %t, %f, %c, %none, %f, %zero) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, memref<23xi64>, i64, i64, memref<23xi64>, i64) -> ()
  return
}

func.func @gemm_to_integers() {
  %n = arith.constant 8 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %a = memref.alloc() : memref<2x2xf32>
  %b = memref.alloc() : memref<2x2xi32>
  %f = arith.constant false
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op expected results of floats
  hd.ral_call "ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void"(%p, %a, %a, %b, %f, %f) : (!llvm.ptr, memref<2x2xf32>, memref<2x2xf32>, memref<2x2xi32>, i1, i1) -> ()
  return
}

func.func @kernel_words() {
  %n = arith.constant 64 : i64
  %p = hd.ral_call "ral_alloc___pvoid_i64_i64___pvoid"(%n, %n) : (i64, i64) -> !llvm.ptr
  %name = llvm.mlir.addressof @no_kernels_name : !llvm.ptr
  %one = arith.constant 1 : i64
  // CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: 'hd.ral_call' op there is no kernel 'no_kernels'
  hd.ral_call "ral_gpu_launch___pvoid_pvoid_pvoid_i64_i64_i64_i64_i64_i64_i64_pvoid_i64___void"(%p, %name, %one, %one, %one, %one, %one, %one, %one, %p, %one) : (!llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr, i64) -> ()
  return
}

llvm.mlir.global internal constant @no_kernels_name("no_kernels\00")
gpu.module @no_kernels {
  gpu.binary @binary {gpu.kernel} []
}

// A grain beyond every size is one chunk.
func.func private @nothing(%begin: index, %end: index) attributes {hd.kernel} {
  return
}
func.func @large_grain() {
  %n = arith.constant 9223372036854775807 : index
  hd.launch @nothing extent(%n) grain(%n) args()
  return
}
// CHECK: remark: 'large_grain' passed
// CHECK: 1 passed
