// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --convert-memory-marker --split-input-file --verify-diagnostics %s

func.func @nowhere() {
  // expected-error@+1 {{has no memory space, expected #gpu.address_space<global> or the mark of host memory}}
  %t = memref.alloc() : memref<4xf32>
  return
}

// -----

func.func @shared() {
  // expected-error@+1 {{is in a memory space from which the host cannot allocate, expected global}}
  %t = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
  return
}
