// A fused multiply-add rounds once, before the pass and behind it: in f32 the sum would be rounded to half of a unit of bf16 and from there, to
// even, away from what it is.
// RUN: heddle eval %s | FileCheck %s
// RUN: heddle-opt --bf16-to-gpu %s | heddle eval - | FileCheck %s

// 17 * 19 = 323 is half between 322 and 324.
// CHECK: [322, 324, 324, -322, -324, inf, {{-?}}nan, 17]
module attributes {gpu.container_module} {
  func.func @main() -> memref<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %x = gpu.alloc () : memref<8xbf16>
    %y = gpu.alloc () : memref<8xbf16>
    %z = gpu.alloc () : memref<8xbf16>
    %m = gpu.alloc () : memref<8xbf16>
    %17 = arith.constant 17.0 : bf16
    %19 = arith.constant 19.0 : bf16
    %n19 = arith.constant -19.0 : bf16
    %below = arith.constant -1.0e-7 : bf16
    %above = arith.constant 1.0e-7 : bf16
    %zero = arith.constant 0.0 : bf16
    %most = arith.constant 3.0e38 : bf16
    %infinity = arith.constant 0x7F80 : bf16
    %ninfinity = arith.constant 0xFF80 : bf16
    scf.for %i = %c0 to %c8 step %c1 {
      memref.store %17, %x[%i] : memref<8xbf16>
      memref.store %19, %y[%i] : memref<8xbf16>
    }
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    memref.store %below, %z[%c0] : memref<8xbf16>
    memref.store %above, %z[%c1] : memref<8xbf16>
    memref.store %zero, %z[%c2] : memref<8xbf16>
    memref.store %above, %z[%c3] : memref<8xbf16>
    memref.store %n19, %y[%c3] : memref<8xbf16>
    memref.store %below, %z[%c4] : memref<8xbf16>
    memref.store %n19, %y[%c4] : memref<8xbf16>
    memref.store %most, %x[%c5] : memref<8xbf16>
    memref.store %above, %z[%c5] : memref<8xbf16>
    memref.store %infinity, %x[%c6] : memref<8xbf16>
    memref.store %ninfinity, %z[%c6] : memref<8xbf16>
    memref.store %zero, %x[%c7] : memref<8xbf16>
    memref.store %17, %z[%c7] : memref<8xbf16>
    gpu.launch_func @k::@fma blocks in (%c8, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xbf16>, %y : memref<8xbf16>, %z : memref<8xbf16>, %m : memref<8xbf16>)
    %r = memref.alloc() : memref<8xf32>
    scf.for %i = %c0 to %c8 step %c1 {
      %v = memref.load %m[%i] : memref<8xbf16>
      %w = arith.extf %v : bf16 to f32
      memref.store %w, %r[%i] : memref<8xf32>
    }
    return %r : memref<8xf32>
  }
  gpu.module @k {
    gpu.func @fma(%x: memref<8xbf16>, %y: memref<8xbf16>, %z: memref<8xbf16>, %m: memref<8xbf16>) kernel {
      %i = gpu.block_id x
      %a = memref.load %x[%i] : memref<8xbf16>
      %b = memref.load %y[%i] : memref<8xbf16>
      %c = memref.load %z[%i] : memref<8xbf16>
      %s = math.fma %a, %b, %c : bf16
      memref.store %s, %m[%i] : memref<8xbf16>
      gpu.return
    }
  }
}
