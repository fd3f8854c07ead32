// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cuda --gpu-kernel-outlining --split-input-file --verify-diagnostics %s

func.func @host(%n: index, %size: i32) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{has clusters, dynamic shared memory, tokens or several blocks, expected a plain launch}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) dynamic_shared_memory_size %size {
    gpu.terminator
  }
  return
}

// -----

func.func @shared() {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{needs 65536 bytes of shared memory, expected at most 49152}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) workgroup(%w : memref<16384xf32, #gpu.address_space<workgroup>>) {
    %x = memref.load %w[%tx] : memref<16384xf32, #gpu.address_space<workgroup>>
    memref.store %x, %w[%tx] : memref<16384xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
