// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --lower-to-library-calls --split-input-file --verify-diagnostics %s

func.func @epilogue(%a: memref<4x8xf32>, %b: memref<8x2xf32>) -> memref<4x2xf32> {
  %c = memref.alloc() : memref<4x2xf32>
  %d = memref.alloc() : memref<4x2xf32>
  // expected-error@+1 {{has ops after a product, which no library call of the device takes}}
  "lmhlo.fusion"() ({
    "lmhlo.dot"(%a, %b, %c) : (memref<4x8xf32>, memref<8x2xf32>, memref<4x2xf32>) -> ()
    "lmhlo.negate"(%c, %d) : (memref<4x2xf32>, memref<4x2xf32>) -> ()
    lmhlo.terminator
  }) {hd.kind = "gemm", hd.outputs = 0 : i64} : () -> ()
  return %d : memref<4x2xf32>
}

// -----

// hlo-expand has made other ops of it before, in the pipeline.
func.func @random(%s: memref<2xui64>, %t: memref<2xui64>, %o: memref<8xui32>) -> memref<8xui32> {
  // expected-error@+1 {{has no library call and no GPU schedule}}
  "lmhlo.rng_bit_generator"(%s, %t, %o) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> {hd.outputs = 2 : i64} : (memref<2xui64>, memref<2xui64>, memref<8xui32>) -> ()
  return %o : memref<8xui32>
}
