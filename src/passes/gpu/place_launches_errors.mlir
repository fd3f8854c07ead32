// SPDX-License-Identifier: Apache-2.0
// RUN: not heddle-opt --place-launches --split-input-file %s 2>&1 | FileCheck %s
// What has no compiled path, and what the evaluator refuses, says so at the op.

// CHECK: :[[# @LINE + 12]]:7: error: 'memref.store' op writes to argument 0 of 'written', which returns its results: expected a write to a copy
module attributes {gpu.container_module} {
  func.func @written(%a: memref<4xf32>) -> memref<4xf32> {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<4xf32>)
    return %a : memref<4xf32>
  }
  gpu.module @k {
    gpu.func @k(%m: memref<4xf32>) kernel {
      %i = gpu.block_id x
      %f = arith.constant 1.0 : f32
      %v = memref.cast %m : memref<4xf32> to memref<?xf32>
      memref.store %f, %v[%i] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

// CHECK: :[[# @LINE + 5]]:10: error: 'stablehlo.add' op is on tensors in a function that launches kernels: expected ops on buffers beside gpu.launch_func
module attributes {gpu.container_module} {
  func.func @tensors(%t: tensor<4xf32>) -> tensor<4xf32> {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    %s = stablehlo.add %t, %t : tensor<4xf32>
    return %s : tensor<4xf32>
  }
  gpu.module @k {
    gpu.func @k() kernel {
      gpu.return
    }
  }
}

// -----

// CHECK: :[[# @LINE + 7]]:10: error: 'scf.for' op takes a token of 'gpu.wait', which nothing but ops of the dialect gpu may
module attributes {gpu.container_module} {
  func.func @tokens() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %first = gpu.wait async
    %t = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %first) -> (!gpu.async.token) {
      %next = gpu.launch_func async [%before] @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      scf.yield %next : !gpu.async.token
    }
    gpu.wait [%t]
    return
  }
  gpu.module @k {
    gpu.func @k() kernel {
      gpu.return
    }
  }
}
