// RUN: heddle-opt --disc-unused-function-removal --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-unused-function-removal=entry=other --split-input-file %s | FileCheck %s --check-prefix=OTHER

// What only an unused function calls goes with it; so do other public functions, and unused recursion.
// CHECK: func.func @main
// CHECK-NOT: func.func
// OTHER-NOT: @main
// OTHER: func.func @other
// OTHER-NOT: func.func
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  return %arg0 : tensor<f32>
}
func.func @other(%arg0: tensor<f32>) -> tensor<f32> {
  return %arg0 : tensor<f32>
}
func.func private @a(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @b(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @b(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @a(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// So do kernels that it does not launch.
// CHECK: func.func @main
// CHECK-NOT: gpu.module @unused
// CHECK: gpu.module @used
// OTHER: gpu.container_module
// OTHER-NOT: gpu.module @used
// OTHER: gpu.module @unused
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @used::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  func.func @other() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @unused::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  gpu.module @unused {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  gpu.module @used {
    gpu.func @k() kernel {
      gpu.return
    }
  }
}
