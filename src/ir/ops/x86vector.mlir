// SPDX-License-Identifier: Apache-2.0
// What the rows accept and print in generic form is what MLIR has: there and back through both, nothing changes.
// REQUIRES: mlir-opt
// RUN: mlir-opt --mlir-print-op-generic %s -o %t.ref
// RUN: heddle-opt --mlir-print-op-generic %t.ref -o %t.heddle
// RUN: mlir-opt --mlir-print-op-generic %t.heddle -o %t.back
// RUN: diff %t.ref %t.back
func.func @dot(%s: vector<16xf32>, %a: vector<32xbf16>, %b: vector<32xbf16>, %s8: vector<8xf32>, %a8: vector<16xbf16>) {
  %0 = x86vector.avx512.dot %s, %a, %b : vector<32xbf16> -> vector<16xf32>
  %1 = x86vector.avx512.dot %s8, %a8, %a8 : vector<16xbf16> -> vector<8xf32>
  return
}
