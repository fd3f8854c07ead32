// SPDX-License-Identifier: Apache-2.0
// Products of pairs: that of the odd lane is added first, and what is denormal counts as zero.
// RUN: heddle check %s
func.func @main() {
  %sums = arith.constant dense<[1.0, 1.0e-40, 0.0, 1.0]> : vector<4xf32>
  // 2^12, so 2^24 and 1; 1e-40 alone; a denormal factor by 2^60; 2^-70 by 2^-70 and 2^-60 by 2^-60.
  %a = arith.constant dense<[1.0, 4096.0, 0.0, 0.0, 0x0001, 0.0, 0x1C80, 0x2180]> : vector<8xbf16>
  %b = arith.constant dense<[1.0, 4096.0, 1.0, 1.0, 0x5D80, 1.0, 0x1C80, 0x2180]> : vector<8xbf16>
  %got = x86vector.avx512.dot %sums, %a, %b : vector<8xbf16> -> vector<4xf32>
  %want = arith.constant dense<[16777216.0, 0.0, 0.0, 1.0]> : vector<4xf32>
  %bits = vector.bitcast %got : vector<4xf32> to vector<4xi32>
  %want_bits = vector.bitcast %want : vector<4xf32> to vector<4xi32>
  %same = arith.cmpi eq, %bits, %want_bits : vector<4xi32>
  %all = vector.reduction <and>, %same : vector<4xi1> into i1
  cf.assert %all, "products of pairs"
  return
}
