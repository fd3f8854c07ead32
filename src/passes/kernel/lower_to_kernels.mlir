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

// -----

// Equal fusions are one kernel, whatever buffers they touch; a fusion of other numbers is another.
// CHECK-LABEL: @equal
// CHECK: hd.launch @[[K:.*]] extent{{.*}}args(%arg0, %arg1
// CHECK: hd.launch @[[OTHER:.*]] extent
// CHECK: hd.launch @[[K]] extent
// CHECK: hd.launch @[[OTHER]] extent
// CHECK: return
// CHECK: func.func private @[[K]](
// CHECK: func.func private @[[OTHER]](
// CHECK-NOT: func.func private
func.func @equal(%arg0: tensor<40xf32>, %arg1: tensor<40xf32>, %w: tensor<40x40xf32>) -> (tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) {
  %0 = stablehlo.subtract %arg0, %arg1 : tensor<40xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<40xf32>
  %2 = stablehlo.dot %1, %w : (tensor<40xf32>, tensor<40x40xf32>) -> tensor<40xf32>
  %3 = stablehlo.subtract %arg1, %arg0 : tensor<40xf32>
  %4 = stablehlo.reverse %3, dims = [0] : tensor<40xf32>
  %5 = stablehlo.dot %4, %w : (tensor<40xf32>, tensor<40x40xf32>) -> tensor<40xf32>
  return %0, %2, %5 : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>
}

// -----

// Equal products share the table of their dims.
// CHECK-LABEL: @tables
// CHECK-COUNT-1: memref.alloca() : memref<15xi64>
// CHECK: hd.ral_call "ral_dot_general
// CHECK-NOT: memref.alloca
// CHECK: hd.ral_call "ral_dot_general
func.func @tables(%arg0: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.dot_general %arg0, %w, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----

// Rows of whole vectors have no tail, rows of less than one vector nothing but it.
// CHECK-LABEL: @whole
// CHECK: return
// CHECK: vector.store
// CHECK-NOT: vector.maskedstore
func.func @whole(%arg0: tensor<?x48xf32>) -> tensor<?x48xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<?x48xf32>
  return %0 : tensor<?x48xf32>
}

// -----

// CHECK-LABEL: @short
// CHECK: return
// CHECK-NOT: vector.store
// CHECK: vector.maskedstore
func.func @short(%arg0: tensor<7xf32>) -> tensor<7xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<7xf32>
  return %0 : tensor<7xf32>
}
