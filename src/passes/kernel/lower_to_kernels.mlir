// RUN: heddle-opt --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --disc-buffer-deallocation --split-input-file %s | FileCheck %s

// CHECK-LABEL: @elementwise
// CHECK: hd.launch @[[K:.*]] extent
// CHECK: return
// CHECK: func.func private @[[K]]({{.*}}: memref<?xf32> {llvm.noalias}
// CHECK: vector.load
// CHECK: vector.maskedstore
func.func @elementwise(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<?xf32>
  %1 = stablehlo.add %0, %arg0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// The buffer between two kernels is freed after the second.
// CHECK-LABEL: @temporary
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: hd.launch {{.*}}%[[T]]
// CHECK: hd.ral_call "ral_dot_general
// CHECK: memref.dealloc %[[T]]
// CHECK: return
func.func @temporary(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<4x4xf32>
  %1 = stablehlo.dot %0, %arg0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
