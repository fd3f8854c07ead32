// RUN: heddle-opt --disc-transpose-of-dot %s | FileCheck %s

// CHECK-LABEL: @gradient
// CHECK-SAME: (%[[X:.*]]: tensor<?x784xf32>, %[[Z:.*]]: tensor<?x512xf32>)
func.func @gradient(%x: tensor<?x784xf32>, %z: tensor<?x512xf32>) -> tensor<784x512xf32> {
  // CHECK-NEXT: %[[D:.*]] = stablehlo.dot_general %[[X]], %[[Z]], contracting_dims = [0] x [0], precision = [HIGH, DEFAULT]
  // CHECK-NEXT: return %[[D]]
  %0 = stablehlo.dot_general %z, %x, contracting_dims = [0] x [0], precision = [DEFAULT, HIGH] : (tensor<?x512xf32>, tensor<?x784xf32>) -> tensor<512x784xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<512x784xf32>) -> tensor<784x512xf32>
  return %1 : tensor<784x512xf32>
}

// Batch dims stay in front; a side may have several dims.
// CHECK-LABEL: @batched
func.func @batched(%a: tensor<2x5x3xf32>, %b: tensor<2x3x7x4xf32>) -> tensor<2x7x4x5xf32> {
  // CHECK-NEXT: stablehlo.dot_general %arg1, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [2]
  // CHECK-SAME: -> tensor<2x7x4x5xf32>
  // CHECK-NOT: transpose
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x5x3xf32>, tensor<2x3x7x4xf32>) -> tensor<2x5x7x4xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 3, 1] : (tensor<2x5x7x4xf32>) -> tensor<2x7x4x5xf32>
  return %1 : tensor<2x7x4x5xf32>
}

// Other permutations, and products with other readers, are left.
// CHECK-LABEL: @left
func.func @left(%a: tensor<5x3xf32>, %b: tensor<3x7x4xf32>) -> (tensor<4x7x5xf32>, tensor<5x7x4xf32>, tensor<7x4x5xf32>) {
  // CHECK: stablehlo.transpose
  // CHECK: stablehlo.transpose
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<5x3xf32>, tensor<3x7x4xf32>) -> tensor<5x7x4xf32>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<5x7x4xf32>) -> tensor<4x7x5xf32>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<5x3xf32>, tensor<3x7x4xf32>) -> tensor<5x7x4xf32>
  %3 = stablehlo.transpose %2, dims = [1, 2, 0] : (tensor<5x7x4xf32>) -> tensor<7x4x5xf32>
  return %1, %2, %3 : tensor<4x7x5xf32>, tensor<5x7x4xf32>, tensor<7x4x5xf32>
}

// Where other dims move too, what is left keeps the last one.
// CHECK-LABEL: @heads
func.func @heads(%v: tensor<?x?x8x64xf32>, %w: tensor<?x8x?x?xf32>) -> tensor<?x?x8x64xf32> {
  // CHECK-NEXT: %[[D:.*]] = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1]
  // CHECK-SAME: -> tensor<?x8x?x64xf32>
  // CHECK-NEXT: stablehlo.transpose %[[D]], dims = [0, 2, 1, 3]
  %0 = stablehlo.dot_general %v, %w, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<?x?x8x64xf32>, tensor<?x8x?x?xf32>) -> tensor<?x8x64x?xf32>
  %1 = stablehlo.transpose %0, dims = [0, 3, 1, 2] : (tensor<?x8x64x?xf32>) -> tensor<?x?x8x64xf32>
  return %1 : tensor<?x?x8x64xf32>
}

// A product per column of another one: the exchanged one lies as they read it.
// CHECK-LABEL: @bilinear
// CHECK-SAME: (%[[X:.*]]: tensor<?x16xf32>, %[[W:.*]]: tensor<8x16x16xf32>, %[[Y:.*]]: tensor<?x16xf32>)
func.func @bilinear(%x: tensor<?x16xf32>, %w: tensor<8x16x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x8xf32> {
  // CHECK-NEXT: %[[T:.*]] = stablehlo.dot_general %[[X]], %[[W]], contracting_dims = [1] x [1] : {{.*}} -> tensor<?x8x16xf32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.dot_general %[[Y]], %[[T]], batching_dims = [0] x [0], contracting_dims = [1] x [2]
  // CHECK-NEXT: return %[[R]]
  %0 = stablehlo.dot_general %w, %x, contracting_dims = [1] x [1] : (tensor<8x16x16xf32>, tensor<?x16xf32>) -> tensor<8x16x?xf32>
  %1 = stablehlo.dot_general %y, %0, batching_dims = [0] x [2], contracting_dims = [1] x [1] : (tensor<?x16xf32>, tensor<8x16x?xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// Not where a dim of the rows is of the batches too and would be the last one, nor where others read the product.
// CHECK-LABEL: @not_bilinear
func.func @not_bilinear(%x: tensor<5x3xf32>, %y: tensor<3x7xf32>, %z: tensor<5x7x2xf32>) -> (tensor<5x7x2xf32>, tensor<7x5xf32>, tensor<5x7xf32>) {
  // CHECK-NEXT: stablehlo.dot_general %arg0, %arg1
  // CHECK-NEXT: stablehlo.dot_general %{{.*}}, %arg2, batching_dims = [0, 1] x [0, 1]
  // CHECK-NEXT: stablehlo.dot_general %arg0, %arg1

  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<5x3xf32>, tensor<3x7xf32>) -> tensor<5x7xf32>
  %1 = stablehlo.dot_general %0, %z, batching_dims = [0, 1] x [0, 1], contracting_dims = [] x [] : (tensor<5x7xf32>, tensor<5x7x2xf32>) -> tensor<5x7x2xf32>
  %2 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<5x3xf32>, tensor<3x7xf32>) -> tensor<5x7xf32>
  %c = stablehlo.slice %y [0:1, 0:7] : (tensor<3x7xf32>) -> tensor<1x7xf32>
  %3 = stablehlo.dot_general %2, %c, batching_dims = [1] x [1], contracting_dims = [] x [] : (tensor<5x7xf32>, tensor<1x7xf32>) -> tensor<7x5x1xf32>
  %4 = stablehlo.reshape %3 : (tensor<7x5x1xf32>) -> tensor<7x5xf32>
  return %1, %4, %2 : tensor<5x7x2xf32>, tensor<7x5xf32>, tensor<5x7xf32>
}
