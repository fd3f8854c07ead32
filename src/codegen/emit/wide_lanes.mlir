// SPDX-License-Identifier: Apache-2.0
// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --cse --split-input-file %s | FileCheck %s

// Bytes that are computed with go by 64.
// CHECK-LABEL: func.func private @loop_
// CHECK: arith.addi %{{.*}}, %{{.*}} : vector<64xi8>
// CHECK: vector.store {{.*}} vector<64xi8>
func.func @bytes(%x: tensor<?xui8>, %y: tensor<?xui8>) -> tensor<?xui8> {
  %0 = stablehlo.and %x, %y : tensor<?xui8>
  %1 = stablehlo.add %0, %y : tensor<?xui8>
  return %1 : tensor<?xui8>
}

// -----

// The largest element counts: a comparison of two bytes gives a bool of one.
// CHECK-LABEL: func.func private @loop_
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : vector<32xi16>
func.func @mixed(%x: tensor<?xi16>, %y: tensor<?xi8>) -> tensor<?xi1> {
  %0 = stablehlo.convert %y : (tensor<?xi8>) -> tensor<?xi16>
  %1 = stablehlo.compare LT, %x, %0 : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi1>
  return %1 : tensor<?xi1>
}

// -----

// What has no instructions for bytes, or wider numbers on the way, does not.
// CHECK-LABEL: func.func private @loop_
// CHECK-NOT: vector<64x
// CHECK: return
func.func @divided(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> {
  %0 = stablehlo.divide %x, %y : tensor<?xi8>
  return %0 : tensor<?xi8>
}

// -----

// CHECK-LABEL: func.func private @loop_
// CHECK-NOT: vector<64x
// CHECK: return
func.func @widened(%x: tensor<?xui8>, %y: tensor<?xi32>) -> tensor<?xui8> {
  %0 = stablehlo.convert %x : (tensor<?xui8>) -> tensor<?xi32>
  %1 = stablehlo.multiply %0, %y : tensor<?xi32>
  %2 = stablehlo.convert %1 : (tensor<?xi32>) -> tensor<?xui8>
  return %2 : tensor<?xui8>
}
