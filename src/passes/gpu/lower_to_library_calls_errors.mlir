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

func.func @sort(%a: memref<8xf32>, %o: memref<8xf32>) -> memref<8xf32> {
  // expected-error@+1 {{has no library call and no GPU schedule}}
  "lmhlo.sort"(%a, %o) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (memref<8xf32>, memref<8xf32>) -> ()
  return %o : memref<8xf32>
}
