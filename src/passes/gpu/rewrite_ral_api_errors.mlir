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
  // expected-error@+1 {{expects operand #0 of the type that its name encodes, got another one}}
  hd.ral_call "ral_x___pvoid_m2df32___void"(%m) : (memref<4xf32>) -> ()
  return
}

// -----

// The element counts too, not its size alone.
func.func @element(%m: memref<?x?xi32>) {
  // expected-error@+1 {{expects operand #0 of the type that its name encodes, got another one}}
  hd.ral_call "ral_x___pvoid_m2df32___void"(%m) : (memref<?x?xi32>) -> ()
  return
}

// -----

func.func @width(%n: i32) {
  // expected-error@+1 {{expects operand #0 of the type that its name encodes, got another one}}
  hd.ral_call "ral_alloc___pvoid_i64___void"(%n) : (i32) -> ()
  return
}

// -----

func.func @sign(%n: ui8) {
  // expected-error@+1 {{expects operand #0 of the type that its name encodes, got another one}}
  hd.ral_call "ral_x___pvoid_i8___void"(%n) : (ui8) -> ()
  return
}

// -----

func.func @result(%n: i64) -> f32 {
  // expected-error@+1 {{expects a result of the type that its name encodes, got another one}}
  %0 = hd.ral_call "ral_x___pvoid_i64___f64"(%n) : (i64) -> f32
  return %0 : f32
}

// -----

func.func @result_memref(%n: i64) -> memref<?xf32> {
  // expected-error@+1 {{expects a result of the type that its name encodes, got another one}}
  %0 = hd.ral_call "ral_x___pvoid_i64___m2df32"(%n) : (i64) -> memref<?xf32>
  return %0 : memref<?xf32>
}

// -----

func.func @pointer(%n: i64) -> i64 {
  // expected-error@+1 {{expects a result of the type that its name encodes, got another one}}
  %0 = hd.ral_call "ral_x___pvoid_i64___pvoid"(%n) : (i64) -> i64
  return %0 : i64
}
