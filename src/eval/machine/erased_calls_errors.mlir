// SPDX-License-Identifier: Apache-2.0
// RUN: not heddle check %s 2>&1 | FileCheck %s
// Calls with erased types that a program words wrongly.

llvm.mlir.global internal constant @alloc("ral_alloc___pvoid_i64_i64___pvoid\00")
llvm.mlir.global internal constant @unknown("ral_abacus___pvoid_i64___pvoid\00")
llvm.mlir.global internal constant @grammar("ral_alloc\00")
llvm.mlir.global internal constant @endless("ral_alloc___pvoid_i64_i64___pvoid")
llvm.mlir.global internal constant @send("ral_send_output___pvoid_i64_m1df32___void\00")
llvm.func @ral_api_call(!llvm.ptr, !llvm.ptr, !llvm.ptr)
llvm.func @exit(!llvm.ptr, !llvm.ptr, !llvm.ptr)

func.func @grammar_() {
  %z = llvm.mlir.zero : !llvm.ptr
  %n = llvm.mlir.addressof @grammar : !llvm.ptr
  // CHECK-DAG: [[@LINE+1]]:3: error: 'llvm.call' op ral name 'ral_alloc': expected '___' after the prefix
  llvm.call @ral_api_call(%z, %n, %z) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  return
}

func.func @endless_() {
  %z = llvm.mlir.zero : !llvm.ptr
  %n = llvm.mlir.addressof @endless : !llvm.ptr
  // CHECK-DAG: [[@LINE+1]]:3: error: 'llvm.call' op expected the address of a name
  llvm.call @ral_api_call(%z, %n, %z) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  return
}

func.func @no_slots() {
  %z = llvm.mlir.zero : !llvm.ptr
  %n = llvm.mlir.addressof @alloc : !llvm.ptr
  // CHECK-DAG: [[@LINE+1]]:3: error: 'llvm.call' op uses an address that is in no live buffer
  llvm.call @ral_api_call(%z, %n, %z) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  return
}

func.func @few_slots() {
  %one = arith.constant 1 : i64
  %args = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  %n = llvm.mlir.addressof @alloc : !llvm.ptr
  // CHECK-DAG: [[@LINE+1]]:3: error: 'llvm.call' op reaches 16 bytes into a buffer of 8
  llvm.call @ral_api_call(%args, %n, %args) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  return
}

func.func @unknown_() {
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %args = llvm.alloca %three x !llvm.ptr : (i64) -> !llvm.ptr
  %slot = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  llvm.store %three, %slot : i64, !llvm.ptr
  %1 = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %slot, %1 : !llvm.ptr, !llvm.ptr
  %n = llvm.mlir.addressof @unknown : !llvm.ptr
  // CHECK-DAG: [[@LINE+1]]:3: error: 'llvm.call' op the evaluator does not know the runtime call 'ral_abacus___pvoid_i64___pvoid'
  llvm.call @ral_api_call(%args, %n, %args) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  return
}

func.func @descriptor() {
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %args = llvm.alloca %three x !llvm.ptr : (i64) -> !llvm.ptr
  %slot = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %1 = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %2 = llvm.getelementptr %args[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %slot, %1 : !llvm.ptr, !llvm.ptr
  llvm.store %slot, %2 : !llvm.ptr, !llvm.ptr
  %n = llvm.mlir.addressof @send : !llvm.ptr
  // CHECK-DAG: [[@LINE+1]]:3: error: 'llvm.call' op reaches 40 bytes into a buffer of 8
  llvm.call @ral_api_call(%args, %n, %args) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  return
}

func.func @other_function() {
  %z = llvm.mlir.zero : !llvm.ptr
  // CHECK-DAG: [[@LINE+1]]:3: error: 'llvm.call' op calls 'exit', which the evaluator does not know
  llvm.call @exit(%z, %z, %z) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  return
}

func.func @stack() {
  %many = arith.constant -1 : i64
  // CHECK-DAG: [[@LINE+1]]:8: error: 'llvm.alloca' op takes -1 of 8 bytes from the stack
  %p = llvm.alloca %many x i64 : (i64) -> !llvm.ptr
  return
}

func.func @outside() {
  %one = arith.constant 1 : i64
  %p = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  // CHECK-DAG: [[@LINE+1]]:8: error: 'llvm.load' op reaches 8 bytes into a buffer of 4
  %v = llvm.load %p : !llvm.ptr -> i64
  return
}

func.func @read_only() {
  %one = arith.constant 1 : i8
  %n = llvm.mlir.addressof @alloc : !llvm.ptr
  // CHECK-DAG: [[@LINE+1]]:3: error: 'llvm.store' op writes to an argument or a constant
  llvm.store %one, %n : i8, !llvm.ptr
  return
}

func.func @other_result() {
  %one = arith.constant 1 : i64
  // CHECK-DAG: [[@LINE+1]]:8: error: 'llvm.alloca' op gives a pointer for another type
  %p = "llvm.alloca"(%one) <{elem_type = i64}> : (i64) -> f32
  return
}

func.func @many_addresses() {
  %v = arith.constant dense<8> : vector<4xi64>
  // CHECK-DAG: [[@LINE+1]]:8: error: 'llvm.inttoptr' op expected one integer
  %p = llvm.inttoptr %v : vector<4xi64> to !llvm.ptr
  return
}

func.func @no_descriptor() {
  %m = memref.alloc() : memref<4xf32>
  // CHECK-DAG: [[@LINE+1]]:8: error: 'builtin.unrealized_conversion_cast' op makes of a memref of rank 1 what is no descriptor of it
  %s = builtin.unrealized_conversion_cast %m : memref<4xf32> to !llvm.struct<(ptr, ptr, i64)>
  return
}
