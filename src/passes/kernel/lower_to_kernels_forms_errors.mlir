// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-lower-to-kernels --split-input-file --verify-diagnostics %s

func.func @loops(%a: memref<8xf32>, %t: memref<8xf32>, %o: memref<8xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-error@+1 {{'lmhlo.fusion' op has loops: disc-input-inline-fusion takes it, and disc-lower-to-kernels what has none}}
  "lmhlo.fusion"() ({
    "lmhlo.negate"(%a, %t) : (memref<8xf32>, memref<8xf32>) -> ()
    scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
      %v = memref.load %t[%i] : memref<8xf32>
      memref.store %v, %o[%i] : memref<8xf32>
      scf.reduce
    }
    lmhlo.terminator
  }) {hd.kind = "loop", hd.outputs = 0 : i64} : () -> ()
  return %o : memref<8xf32>
}

// -----

func.func @device(%a: memref<8xf32, #gpu.address_space<global>>, %o: memref<8xf32, #gpu.address_space<global>>) {
  // expected-error@+1 {{'lmhlo.negate' op takes memory of the device: disc-lower-to-kernels makes kernels of the CPU}}
  "lmhlo.negate"(%a, %o) : (memref<8xf32, #gpu.address_space<global>>, memref<8xf32, #gpu.address_space<global>>) -> ()
  return
}
