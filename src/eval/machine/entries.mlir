// SPDX-License-Identifier: Apache-2.0
// RUN: heddle eval %s --random 1 --shape arg0=2x3 --shape arg1=2x3 --entry buffers | FileCheck %s --check-prefix=BUFFERS
// RUN: heddle eval %s --random 1 --entry scalars | FileCheck %s --check-prefix=SCALARS
// RUN: not heddle eval %s --random 1 --shape arg0=2 --entry writes 2>&1 | FileCheck %s --check-prefix=WRITES
// RUN: not heddle eval %s --random 1 --entry pointer 2>&1 | FileCheck %s --check-prefix=POINTER
// What a caller gives to entries below the graph, and gets from them.

// Memrefs that the program takes hold what it has written into them; they follow its results.
// BUFFERS: out0: tensor<i64> 2
// BUFFERS-NEXT: out1: tensor<2x3xf32> {{\[\[}}[[A:[-.0-9e]+]], [[B:[-.0-9e]+]], [[C:[-.0-9e]+]]], [
// BUFFERS-NEXT: out2: tensor<2x3xf32> {{\[\[}}[[B]], {{.*}}
func.func @buffers(%x: memref<?x3xf32>, %y: memref<?x3xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x3xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i, %c1] : memref<?x3xf32>
    memref.store %v, %y[%i, %c0] : memref<?x3xf32>
  }
  return %n : index
}

// Scalars are tensors of rank 0, index i64; vectors are tensors.
// SCALARS: out0: tensor<i64> [[I:[0-9]+]]
// SCALARS-NEXT: out1: tensor<f32> [[F:[-.0-9e]+]]
// SCALARS-NEXT: out2: tensor<2xf32> {{\[}}[[F]], [[F]]]
func.func @scalars(%i: index, %f: f32) -> (index, f32, vector<2xf32>) {
  %v = vector.broadcast %f : f32 to vector<2xf32>
  return %i, %f, %v : index, f32, vector<2xf32>
}

// One that returns memrefs gives its results in them, and its arguments are not its own to write.
func.func @writes(%x: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  // WRITES: [[@LINE+1]]:3: error: 'memref.store' op writes to an argument or a constant
  memref.store %f, %x[%c0] : memref<?xf32>
  return %x : memref<?xf32>
}

// POINTER: [[@LINE+1]]:1: error: {{.*}}argument 0: expected a tensor, memref, vector or number
func.func @pointer(%p: !llvm.ptr) {
  return
}
