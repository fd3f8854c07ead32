// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --split-input-file %s | FileCheck %s

// Rows of 39 elements: sixteen of them are 39 whole vectors, written out.
// CHECK-LABEL: func.func private @loop_pad_0
// CHECK-COUNT-39: vector.store
// CHECK-NOT: vector.store
// CHECK: return
func.func @padded(%x: tensor<40x37xf32>, %zero: tensor<f32>) -> tensor<40x39xf32> {
  %0 = stablehlo.pad %x, %zero, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<40x37xf32>, tensor<f32>) -> tensor<40x39xf32>
  return %0 : tensor<40x39xf32>
}

// -----

// Not where each vector divides its places by numbers that only the run tells: that code is long, and slow whatever its loop is.
// CHECK-LABEL: func.func private @loop_dynamic_pad_0
// CHECK-COUNT-1: vector.store
// CHECK-NOT: vector.store
// CHECK: vector.maskedstore
// CHECK: return
func.func @divided(%x: tensor<3x20xf32>, %value: tensor<f32>, %low: tensor<2xi32>, %high: tensor<2xi32>, %interior: tensor<2xi32>) -> tensor<5x39xf32> {
  %0 = stablehlo.dynamic_pad %x, %value, %low, %high, %interior : (tensor<3x20xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5x39xf32>
  return %0 : tensor<5x39xf32>
}

// -----

// Rows of 40 elements beside each other: each is copied in a loop of its own, and no vector chooses between operands.
// CHECK-LABEL: func.func private @loop_concatenate_0
// CHECK-NOT: scf.if {{.*}} -> (vector
// CHECK: return
func.func @stacked(%a: tensor<90x40xbf16>, %b: tensor<90x40xbf16>) -> tensor<90x2x40xbf16> {
  %0 = stablehlo.reshape %a : (tensor<90x40xbf16>) -> tensor<90x1x40xbf16>
  %1 = stablehlo.reshape %b : (tensor<90x40xbf16>) -> tensor<90x1x40xbf16>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<90x1x40xbf16>, tensor<90x1x40xbf16>) -> tensor<90x2x40xbf16>
  return %2 : tensor<90x2x40xbf16>
}
