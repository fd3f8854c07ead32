// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt %s --split-input-file --verify-diagnostics

func.func @size_from_its_own_body(%n: index) {
  // expected-error@+2 {{operand #3 uses a value defined outside of the isolated 'func.func'}}
  // expected-error@+1 {{operand #3 does not dominate this use}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %ty, %sy = %n, %sz = %n) {
    gpu.terminator
  }
  return
}
