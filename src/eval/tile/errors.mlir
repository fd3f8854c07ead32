// SPDX-License-Identifier: Apache-2.0
// RUN: not heddle eval %s --entry null 2>&1 | FileCheck %s --check-prefix=NULL
// RUN: not heddle eval %s --entry outside --shape arg0=4 --random 0 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not heddle eval %s --entry below --shape arg0=4 --random 0 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: not heddle eval %s --entry misaligned --shape arg0=4 --random 0 2>&1 | FileCheck %s --check-prefix=MISALIGNED
// RUN: not heddle eval %s --entry never 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: not heddle eval %s --entry freed 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: not heddle eval %s --entry gathers 2>&1 | FileCheck %s --check-prefix=GATHERS
// RUN: not heddle eval %s --entry asserts 2>&1 | FileCheck %s --check-prefix=ASSERTS
// RUN: not heddle eval %s --entry assembly 2>&1 | FileCheck %s --check-prefix=ASSEMBLY
// RUN: not heddle eval %s --entry descriptor --shape arg0=16 --random 0 2>&1 | FileCheck %s --check-prefix=DESCRIPTOR
// RUN: not heddle eval %s --entry null --grid 0 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: --grid: expected such as 4 or 4,2,1, got '0'

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory

tt.func public @null() {
  %c0 = arith.constant 0 : i64
  %p = tt.int_to_ptr %c0 : i64 -> !tt.ptr<f32>
  // NULL: [[@LINE+1]]:8: error: 'tt.load' op loads element 0 by a null pointer
  %0 = tt.load %p : !tt.ptr<f32>
  tt.return
}

tt.func public @outside(%p: !tt.ptr<i32>) {
  %at = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %to = tt.addptr %ps, %at : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  // OUTSIDE: [[@LINE+1]]:3: error: 'tt.store' op stores element 4 at byte 16 of a buffer of 16
  tt.store %to, %at : tensor<8x!tt.ptr<i32>>
  tt.return
}

tt.func public @below(%p: !tt.ptr<i32>) {
  %c = arith.constant -1 : i32
  %q = tt.addptr %p, %c : !tt.ptr<i32>, i32
  // BELOW: [[@LINE+1]]:8: error: 'tt.load' op loads element 0 by an address that is in no buffer
  %0 = tt.load %q : !tt.ptr<i32>
  tt.return
}

tt.func public @misaligned(%p: !tt.ptr<i32>) {
  %true = arith.constant true
  %c1 = arith.constant 1 : i32
  %b = tt.bitcast %p : !tt.ptr<i32> -> !tt.ptr<i8>
  %b1 = tt.addptr %b, %c1 : !tt.ptr<i8>, i32
  %q = tt.bitcast %b1 : !tt.ptr<i8> -> !tt.ptr<i32>
  // MISALIGNED: [[@LINE+1]]:8: error: 'tt.atomic_rmw' op changes element 0 at byte 1 of a buffer, no multiple of its 4 bytes
  %0 = tt.atomic_rmw add, relaxed, gpu, %q, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}

tt.func public @never() {
  %c0 = arith.constant 0 : i32
  %true = arith.constant true
  %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
  ttng.init_barrier %b, 2 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
  ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
  ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
  ttng.wait_barrier %b, %c0 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
  ttng.barrier_expect %b, 64, %true : !ttg.memdesc<1xi64, #shared, #smem, mutable>
  %c1 = arith.constant 1 : i32
  // NEVER: [[@LINE+1]]:3: error: 'ttng.wait_barrier' op waits for a phase that never ends: 1 arrivals and 64 bytes are still to come
  ttng.wait_barrier %b, %c1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
  tt.return
}

tt.func public @freed() {
  %m = ttg.local_alloc : () -> !ttg.memdesc<4xi32, #shared, #smem, mutable>
  ttg.local_dealloc %m : !ttg.memdesc<4xi32, #shared, #smem, mutable>
  // FREED: [[@LINE+1]]:8: error: 'ttg.local_load' op uses shared memory after it is freed
  %0 = ttg.local_load %m : !ttg.memdesc<4xi32, #shared, #smem, mutable> -> tensor<4xi32>
  tt.return
}

tt.func public @gathers() {
  %x = arith.constant dense<[1, 2]> : tensor<2xi32>
  // GATHERS: [[@LINE+1]]:8: error: 'tt.gather' op index 2 of element 1 is not in [0, 2)
  %0 = tt.gather %x[%x] {axis = 0 : i32} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  tt.return
}

tt.func public @asserts() {
  %x = arith.constant dense<[true, false]> : tensor<2xi1>
  // ASSERTS: [[@LINE+1]]:3: error: 'tt.assert' op assertion failed at element 1: both are wanted
  tt.assert %x, "both are wanted" : tensor<2xi1>
  tt.return
}

tt.func public @assembly() {
  %x = arith.constant dense<[1, 2]> : tensor<2xi32>
  // ASSEMBLY: [[@LINE+1]]:8: error: 'tt.elementwise_inline_asm' op has instructions that the evaluator does not know: 'mov.b32 $0, $1; nop;'
  %0 = tt.elementwise_inline_asm "mov.b32 $0, $1; nop;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : tensor<2xi32> -> tensor<2xi32>
  tt.return
}

tt.func public @descriptor(%p: !tt.ptr<i8>) {
  // DESCRIPTOR: [[@LINE+1]]:8: error: 'ttng.reinterpret_tensor_descriptor' op reads element 0 at byte 120 of a buffer of 16
  %d = ttng.reinterpret_tensor_descriptor %p : !tt.ptr<i8> to !tt.tensordesc<tensor<2x2xi32>>
  tt.return
}
