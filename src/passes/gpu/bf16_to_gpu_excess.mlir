// RUN: heddle-opt --bf16-to-gpu %s | FileCheck %s --check-prefix=ROUNDS
// RUN: heddle-opt --bf16-to-gpu=excess-precision %s | FileCheck %s
// Between two ops a value is rounded, unless excess precision is asked for.

// ROUNDS-COUNT-2: arith.truncf
// CHECK: arith.mulf
// CHECK: %[[S:.+]] = arith.addf
// CHECK-NEXT: arith.truncf %[[S]] : f32 to bf16
// CHECK-NOT: arith.truncf
// EVAL: twice ~0.02
module attributes {gpu.container_module} {
  func.func @twice(%a: memref<9xbf16>) -> memref<9xbf16> {
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %m = gpu.alloc () : memref<9xbf16>
    gpu.launch_func @k::@twice blocks in (%c9, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<9xbf16>, %m : memref<9xbf16>)
    return %m : memref<9xbf16>
  }
  gpu.module @k {
    gpu.func @twice(%a: memref<9xbf16>, %m: memref<9xbf16>) kernel {
      %i = gpu.block_id x
      %x = memref.load %a[%i] : memref<9xbf16>
      %y = arith.mulf %x, %x : bf16
      %z = arith.addf %y, %x : bf16
      memref.store %z, %m[%i] : memref<9xbf16>
      gpu.return
    }
  }
}
