// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --revise-gpu-kernel-outlining --split-input-file --verify-diagnostics %s

module attributes {gpu.container_module} {
  func.func @dynamic(%shape: memref<?xi32>) {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{passes argument 0 in host memory, expected a static shape of at most 64 elements}}
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%shape : memref<?xi32>)
    return
  }
  gpu.module @k {
    gpu.func @k(%shape: memref<?xi32>) kernel {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @written(%shape: memref<2xi32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%shape : memref<2xi32>)
    return
  }
  gpu.module @k {
    gpu.func @k(%shape: memref<2xi32>) kernel {
      %c0 = arith.constant 0 : index
      %x = arith.constant 0 : i32
      // expected-error@+1 {{uses a buffer in host memory, of which a kernel can only read elements}}
      memref.store %x, %shape[%c0] : memref<2xi32>
      gpu.return
    }
  }
}
