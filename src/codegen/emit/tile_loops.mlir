// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --split-input-file %s | FileCheck %s

// A transpose is turned in registers whatever else the kernel computes at its own index.
// CHECK-LABEL: @alone
// CHECK: vector.shuffle
func.func @alone(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// -----

// Of complex numbers both parts are.
// CHECK-LABEL: @parts
// CHECK-NOT: vector.gather
// CHECK-NOT: vector.scatter
// CHECK: vector.store
func.func @parts(%x: tensor<64x32xcomplex<f32>>) -> tensor<32x64xcomplex<f32>> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x32xcomplex<f32>>) -> tensor<32x64xcomplex<f32>>
  return %0 : tensor<32x64xcomplex<f32>>
}

// -----

// Dims that stay neighbours are one: rows of 8 make squares.
// CHECK-LABEL: @neighbours
// CHECK: vector.shuffle
func.func @neighbours(%x: tensor<4x8x8x32xf32>) -> tensor<4x32x8x8xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<4x8x8x32xf32>) -> tensor<4x32x8x8xf32>
  return %0 : tensor<4x32x8x8xf32>
}

// -----

// Beside whole squares there are squares of which some columns are stored.
// CHECK-LABEL: @beside
// CHECK-COUNT-64: vector.shuffle
// CHECK: vector.create_mask
// CHECK-NOT: scf.for
// CHECK-COUNT-16: vector.maskedstore
func.func @beside(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// None where columns are known to be whole squares.
// CHECK-LABEL: @none_beside
// CHECK-NOT: vector.maskedstore
// CHECK: return
func.func @none_beside(%x: tensor<64x?xf32>) -> tensor<?x64xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x?xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// -----

// CHECK-LABEL: @converted
// CHECK: vector.shuffle
// CHECK: arith.sitofp
func.func @converted(%x: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %1 = stablehlo.convert %0 : (tensor<?x?xi32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @added
// CHECK: vector.shuffle
// CHECK: arith.addf
func.func @added(%x: tensor<400x500xf32>, %y: tensor<500x400xf32>) -> tensor<500x400xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<400x500xf32>) -> tensor<500x400xf32>
  %1 = stablehlo.add %0, %y : tensor<500x400xf32>
  return %1 : tensor<500x400xf32>
}

// -----

// What is reversed, or cut, is turned as it is read: one kernel.
// CHECK-LABEL: @reversed
// CHECK: hd.launch
// CHECK-NOT: hd.launch
// CHECK: vector.shuffle
func.func @reversed(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<?x?xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @cut
// CHECK: hd.launch
// CHECK-NOT: hd.launch
// CHECK: vector.shuffle
func.func @cut(%x: tensor<64x100xf32>) -> tensor<50x64xf32> {
  %0 = stablehlo.slice %x [0:64, 10:60] : (tensor<64x100xf32>) -> tensor<64x50xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x50xf32>) -> tensor<50x64xf32>
  return %1 : tensor<50x64xf32>
}

// -----

// A transpose that is read at other indices is in memory: each kernel goes along rows of memory.
// CHECK-LABEL: @apart
// CHECK-COUNT-2: hd.launch
func.func @apart(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
