// SPDX-License-Identifier: Apache-2.0
// What the rows accept and print in generic form is what MLIR has: there and back through both, nothing changes.
// REQUIRES: mlir-opt
// RUN: mlir-opt --mlir-print-op-generic %s -o %t.ref
// RUN: heddle-opt --mlir-print-op-generic %t.ref -o %t.heddle
// RUN: mlir-opt --mlir-print-op-generic %t.heddle -o %t.back
// RUN: diff %t.ref %t.back
func.func private @g(i32) -> i32
func.func @flow(%lb: index, %ub: index, %st: index, %p: i1, %x: f32, %n: i32) -> f32 {
  scf.for %i = %lb to %ub step %st {
    %z = arith.addi %i, %i : index
  }
  %0 = scf.for %i = %lb to %ub step %st iter_args(%acc = %x) -> (f32) {
    %1 = arith.addf %acc, %x : f32
    scf.yield %1 : f32
  }
  scf.for %i = %n to %n step %n : i32 {
  }
  scf.for unsigned %i = %n to %n step %n : i32 {
  }
  scf.if %p {
    %z = arith.addi %n, %n : i32
  }
  %2 = scf.if %p -> (f32) {
    scf.yield %x : f32
  } else {
    scf.yield %0 : f32
  }
  scf.if %p {
  } else {
    %z = arith.addi %n, %n : i32
  }
  %3:2 = scf.while (%a = %x, %b = %n) : (f32, i32) -> (f32, i32) {
    scf.condition(%p) %a, %b : f32, i32
  } do {
  ^bb0(%a: f32, %b: i32):
    scf.yield %a, %b : f32, i32
  }
  %4 = scf.execute_region -> f32 {
    cf.cond_br %p, ^bb1(%x : f32), ^bb2
  ^bb1(%q: f32):
    scf.yield %q : f32
  ^bb2:
    cf.br ^bb1(%0 : f32)
  }
  scf.parallel (%i, %j) = (%lb, %lb) to (%ub, %ub) step (%st, %st) {
    scf.reduce
  }
  %5 = scf.parallel (%i) = (%lb) to (%ub) step (%st) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      scf.reduce.return %s : f32
    }
  }
  %6 = scf.index_switch %lb -> f32
  case 2 {
    scf.yield %x : f32
  }
  case 5 {
    scf.yield %x : f32
  }
  default {
    scf.yield %0 : f32
  }
  %7 = func.call @g(%n) : (i32) -> i32
  %f = func.constant @g : (i32) -> i32
  %8 = func.call_indirect %f(%n) : (i32) -> i32
  cf.assert %p, "no"
  cf.switch %n : i32, [
    default: ^bb1(%x : f32),
    1: ^bb2,
    7: ^bb1(%5 : f32)
  ]
^bb1(%r: f32):
  return %r : f32
^bb2:
  cf.br ^bb1(%x : f32)
}
