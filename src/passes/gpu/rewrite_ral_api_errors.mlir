// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --rewrite-ral-api --split-input-file --verify-diagnostics %s

func.func @grammar(%n: i64) {
  // expected-error@+1 {{has a name outside of the grammar}}
  hd.ral_call "ral_alloc__i64"(%n) : (i64) -> ()
  return
}

// -----

func.func @count(%n: i64) {
  // expected-error@+1 {{has 1 operands and 0 results, expected 2 and 0 by its name}}
  hd.ral_call "ral_x___pvoid_i64_i64___void"(%n) : (i64) -> ()
  return
}

// -----

func.func @type(%m: memref<4xf32>) {
  // expected-error@+1 {{has operand 0 of another type than its name says}}
  hd.ral_call "ral_x___pvoid_m2df32___void"(%m) : (memref<4xf32>) -> ()
  return
}
