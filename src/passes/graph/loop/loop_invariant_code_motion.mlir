// RUN: heddle-opt --loop-invariant-code-motion %s | FileCheck %s

// CHECK-LABEL: @moves
func.func @moves(%a: index, %b: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: arith.addi %arg0, %arg1
  // CHECK: scf.for
  // CHECK-NOT: arith.addi %arg0, %arg1
  // CHECK: memref.store
  scf.for %i = %c0 to %b step %c1 {
    %0 = arith.addi %a, %b : index
    memref.store %0, %m[%i] : memref<?xindex>
  }
  return
}

// The loop may not run, and then nothing may trap.
// CHECK-LABEL: @may_trap
func.func @may_trap(%a: index, %b: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK: arith.divsi
  scf.for %i = %c0 to %b step %c1 {
    %0 = arith.divsi %a, %b : index
    memref.store %0, %m[%i] : memref<?xindex>
  }
  return
}
