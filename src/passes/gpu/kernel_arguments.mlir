// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --disc-kernel-arguments --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-kernel-arguments --convert-gpu-to-llvm --split-input-file %s | FileCheck %s --check-prefix=WORDS

// An access counts by all sizes but the first; the view of one dim by none. What is allocated lies apart from all else.
// CHECK: gpu.func @copy
// CHECK-SAME: %{{[^,]*}}: memref<?x?xf32, #gpu.address_space<global>> {hd.sizes = {{[^=]*}}1{{[^0-9]*}}, llvm.noalias, llvm.readonly}
// CHECK-SAME: %{{[^,]*}}: memref<?x?xf32, #gpu.address_space<global>> {hd.sizes = {{[^0-9]*}}, llvm.noalias}
// WORDS: llvm.func @copy(%{{[^:]*}}: !llvm.ptr<1> {llvm.align = 64 : i64, llvm.noalias, llvm.readonly}, %{{[^:]*}}: i64 {{{[^}]*}}}, %{{[^:]*}}: !llvm.ptr<1> {llvm.align = 64 : i64, llvm.noalias})
module attributes {gpu.container_module} {
  func.func @main(%a: memref<?x?xf32, #gpu.address_space<global>>, %n: index) {
    %c1 = arith.constant 1 : index
    %b = memref.alloc(%n, %n) : memref<?x?xf32, #gpu.address_space<global>>
    gpu.launch_func @copy::@copy blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?x?xf32, #gpu.address_space<global>>, %b : memref<?x?xf32, #gpu.address_space<global>>)
    return
  }
  gpu.module @copy {
    gpu.func @copy(%a: memref<?x?xf32, #gpu.address_space<global>>, %b: memref<?x?xf32, #gpu.address_space<global>>) kernel {
      %c0 = arith.constant 0 : index
      %i = gpu.block_id x
      %v = memref.load %a[%i, %c0] : memref<?x?xf32, #gpu.address_space<global>>
      %flat = memref.collapse_shape %b [[0, 1]] : memref<?x?xf32, #gpu.address_space<global>> into memref<?xf32, #gpu.address_space<global>>
      memref.store %v, %flat[%i] : memref<?xf32, #gpu.address_space<global>>
      gpu.return
    }
  }
}

// -----

// Two arguments may be one buffer, and an allocation may be given the memory of an argument.
// CHECK: gpu.func @both
// CHECK-NOT: llvm.noalias
// CHECK: gpu.return
module attributes {gpu.container_module} {
  func.func @main(%a: memref<4xf32, #gpu.address_space<global>>, %b: memref<4xf32, #gpu.address_space<global>>) {
    %c1 = arith.constant 1 : index
    %d = memref.alloc() {hd.donor = 0 : i64} : memref<4xf32, #gpu.address_space<global>>
    gpu.launch_func @both::@both blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32, #gpu.address_space<global>>, %b : memref<4xf32, #gpu.address_space<global>>)
    gpu.launch_func @both::@both blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32, #gpu.address_space<global>>, %d : memref<4xf32, #gpu.address_space<global>>)
    return
  }
  gpu.module @both {
    gpu.func @both(%a: memref<4xf32, #gpu.address_space<global>>, %b: memref<4xf32, #gpu.address_space<global>>) kernel {
      %i = gpu.block_id x
      %v = memref.load %a[%i] : memref<4xf32, #gpu.address_space<global>>
      memref.store %v, %b[%i] : memref<4xf32, #gpu.address_space<global>>
      gpu.return
    }
  }
}
