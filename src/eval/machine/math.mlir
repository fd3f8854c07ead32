// SPDX-License-Identifier: Apache-2.0
// math.clampf, isnormal and sincos, and that they mean the same expanded and behind bf16-to-gpu.
// RUN: heddle check %s
// RUN: heddle-opt --expand-math %s -o %t.mlir
// RUN: heddle check %t.mlir
// RUN: heddle-opt --bf16-to-gpu %s -o %t.mlir
// RUN: heddle check %t.mlir
// RUN: FileCheck %s < %t.mlir
// CHECK: math.clampf %{{.+}} : f32
module attributes {gpu.container_module} {
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %m = memref.alloc() : memref<6xi16>
  gpu.launch_func @k::@clamp blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<6xi16>)
  // 1.5 in [-1, 1]; -3 in [-2, 8]; 0.25 in [0.125, 0.5]; NaN; -0 raised to +0; bounds in the wrong order.
  %want = arith.constant dense<[0x3f80, 0xc000, 0x3e80, 0x7fc0, 0x0000, 0x3f80]> : tensor<6xi16>
  scf.for %i = %c0 to %c6 step %c1 {
    %got = memref.load %m[%i] : memref<6xi16>
    %expected = tensor.extract %want[%i] : tensor<6xi16>
    %same = arith.cmpi eq, %got, %expected : i16
    cf.assert %same, "clampf"
  }
  %small = arith.constant 1.0e-40 : f32
  %least = arith.constant 0x00800000 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %true = arith.constant true
  %n0 = math.isnormal %small : f32
  %n1 = math.isnormal %least : f32
  %n2 = math.isnormal %infinity : f32
  %a0 = arith.cmpi ne, %n0, %true : i1
  %a1 = arith.cmpi eq, %n1, %true : i1
  %a2 = arith.cmpi ne, %n2, %true : i1
  cf.assert %a0, "1e-40 is subnormal"
  cf.assert %a1, "2^-126 is normal"
  cf.assert %a2, "infinity is not normal"
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %s, %c = math.sincos %zero : f32
  %b0 = arith.cmpf oeq, %s, %zero : f32
  %b1 = arith.cmpf oeq, %c, %one : f32
  cf.assert %b0, "sin 0"
  cf.assert %b1, "cos 0"
  memref.dealloc %m : memref<6xi16>
  return
}
gpu.module @k {
  gpu.func @clamp(%m: memref<6xi16>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %x = arith.constant dense<[1.5, -3.0, 0.25, 0x7FC0, -0.0, 3.0]> : vector<6xbf16>
    %low = arith.constant dense<[-1.0, -2.0, 0.125, 0.0, 0.0, 2.0]> : vector<6xbf16>
    %high = arith.constant dense<[1.0, 8.0, 0.5, 1.0, 4.0, 1.0]> : vector<6xbf16>
    scf.for %i = %c0 to %c6 step %c1 {
      %xi = vector.extract %x[%i] : bf16 from vector<6xbf16>
      %li = vector.extract %low[%i] : bf16 from vector<6xbf16>
      %hi = vector.extract %high[%i] : bf16 from vector<6xbf16>
      %y = math.clampf %xi to [%li, %hi] : bf16
      %b = arith.bitcast %y : bf16 to i16
      memref.store %b, %m[%i] : memref<6xi16>
    }
    gpu.return
  }
}
}
