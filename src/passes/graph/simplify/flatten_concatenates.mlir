// RUN: heddle-opt %s --flatten-concatenates --split-input-file | FileCheck %s

// Rows that are there already, before and after: one concatenate of slices of the argument.
// CHECK-LABEL: @reflected
// CHECK-NEXT: %[[BEFORE:.*]] = stablehlo.slice %[[X:.*]] [1:2, 0:8]
// CHECK-NEXT: %[[AFTER:.*]] = stablehlo.slice %[[X]] [4:5, 0:8]
// CHECK-NEXT: %[[ALL:.*]] = stablehlo.concatenate %[[BEFORE]], %[[X]], %[[AFTER]], dim = 0
// CHECK-NEXT: return %[[ALL]]
// EVAL: reflected
func.func @reflected(%x: tensor<6x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.slice %x [1:2, 0:8] : (tensor<6x8xf32>) -> tensor<1x8xf32>
  %1 = stablehlo.concatenate %0, %x, dim = 0 : (tensor<1x8xf32>, tensor<6x8xf32>) -> tensor<7x8xf32>
  %2 = stablehlo.slice %1 [5:6, 0:8] : (tensor<7x8xf32>) -> tensor<1x8xf32>
  %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<7x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

// With steps, and the other dim cut.
// CHECK-LABEL: @steps
// CHECK: stablehlo.slice %{{.*}} [1:6:2, 2:4]
// CHECK-NOT: concatenate
// EVAL: steps
func.func @steps(%x: tensor<3x5xf32>, %y: tensor<9x5xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<3x5xf32>, tensor<9x5xf32>) -> tensor<12x5xf32>
  %1 = stablehlo.slice %0 [4:9:2, 2:4] : (tensor<12x5xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

// What is without elements goes, with unknown sizes too.
// CHECK-LABEL: @empty
// CHECK-NEXT: return %{{.*}} : tensor<?x4xf32>
func.func @empty(%x: tensor<?x4xf32>, %y: tensor<0x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.concatenate %y, %x, %y, dim = 0 : (tensor<0x4xf32>, tensor<?x4xf32>, tensor<0x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: @all_empty
// EVAL: all_empty arg0=0x4
func.func @all_empty(%y: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %0 = stablehlo.concatenate %y, %y, dim = 0 : (tensor<0x4xf32>, tensor<0x4xf32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}

// -----

// A slice of two operands, along another dim than the inner one's, of one that is read twice, of more operands than a kernel
// takes: as they were.
// CHECK-LABEL: @left
// CHECK: concatenate %{{.*}}, %{{.*}}, dim = 0
// CHECK: slice %{{.*}} [2:4, 0:5]
// CHECK: concatenate %{{.*}}, %{{.*}}, dim = 1
func.func @left(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> (tensor<2x5xf32>, tensor<6x10xf32>) {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<6x5xf32>
  %1 = stablehlo.slice %0 [2:4, 0:5] : (tensor<6x5xf32>) -> tensor<2x5xf32>
  %2 = stablehlo.concatenate %0, %0, dim = 1 : (tensor<6x5xf32>, tensor<6x5xf32>) -> tensor<6x10xf32>
  return %1, %2 : tensor<2x5xf32>, tensor<6x10xf32>
}

// -----

// CHECK-LABEL: @many
// CHECK: concatenate
// CHECK: concatenate
func.func @many(%x: tensor<3xf32>) -> tensor<27xf32> {
  %0 = stablehlo.concatenate %x, %x, %x, %x, %x, dim = 0 : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<15xf32>
  %1 = stablehlo.concatenate %0, %x, %x, %x, %x, dim = 0 : (tensor<15xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<27xf32>
  return %1 : tensor<27xf32>
}
