// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --split-input-file %s | FileCheck %s

// A dim that is one or equal, as the run tells: neighbours or one element for all lanes, no gather in the main loop.
// CHECK-LABEL: hd.source = "exponential"
// CHECK: %[[MOVES:.+]] = arith.cmpi slt
// CHECK: scf.if %[[MOVES]] -> (vector<16xf32>)
// CHECK-NEXT: vector.load
// CHECK: memref.load
// CHECK-NEXT: vector.broadcast
// CHECK: vector.create_mask
func.func @one_or_equal(%x: tensor<?xf32>, %shape: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.exponential %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// Heads beside each other: 16 lanes stay in a head of 64, so one division finds it for all.
// CHECK-LABEL: hd.source = "negate"
// CHECK: arith.remui %{{.+}}, %c64{{.*}} : index
// CHECK: vector.load
// CHECK-NOT: vector.gather
// CHECK: return
func.func @heads(%x: tensor<?x12x?x64xf32>) -> tensor<?x?x768xf32> {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x12x?x64xf32>) -> tensor<i32>
  %s = stablehlo.get_dimension_size %x, dim = 2 : (tensor<?x12x?x64xf32>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s1 = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %w = stablehlo.constant dense<768> : tensor<1xi32>
  %shape = stablehlo.concatenate %b1, %s1, %w, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %0 = stablehlo.transpose %x, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
  %1 = stablehlo.dynamic_reshape %0, %shape : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
  %2 = stablehlo.negate %1 : tensor<?x?x768xf32>
  return %2 : tensor<?x?x768xf32>
}

// -----

// What is read from memory in its own order lies there in the order of a reshape too: neighbours, without a division.
// CHECK-LABEL: hd.source = "negate, exponential"
// CHECK-NOT: arith.remui
// CHECK-NOT: arith.divui
// CHECK: vector.load
// CHECK-NOT: vector.gather
// CHECK: return
func.func @by_position(%x: tensor<?x64x?xf32>) -> tensor<?x8x?xf32> {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x64x?xf32>) -> tensor<i32>
  %w = stablehlo.get_dimension_size %x, dim = 2 : (tensor<?x64x?xf32>) -> tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %w8 = stablehlo.multiply %w, %eight : tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %h1 = stablehlo.constant dense<8> : tensor<1xi32>
  %w1 = stablehlo.reshape %w8 : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %b1, %h1, %w1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<?x64x?xf32>, tensor<3xi32>) -> tensor<?x8x?xf32>
  %1 = stablehlo.negate %0 : tensor<?x8x?xf32>
  %2 = stablehlo.exponential %1 : tensor<?x8x?xf32>
  return %2 : tensor<?x8x?xf32>
}

// -----

// A dim of 1 before what a reshape keeps costs nothing.
// CHECK-LABEL: hd.source = "add"
// CHECK-NOT: arith.remui %{{.+}} : vector
// CHECK-NOT: vector.gather
// CHECK: return
func.func @row_of(%x: tensor<4x40xf32>, %y: tensor<?x40xf32>) -> tensor<?x40xf32> {
  %d = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x40xf32>) -> tensor<i32>
  %d1 = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<40> : tensor<1xi32>
  %shape = stablehlo.concatenate %d1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.slice %x [2:3, 0:40] : (tensor<4x40xf32>) -> tensor<1x40xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x40xf32>) -> tensor<40xf32>
  %2 = stablehlo.dynamic_broadcast_in_dim %1, %shape, dims = [1] : (tensor<40xf32>, tensor<2xi32>) -> tensor<?x40xf32>
  %3 = stablehlo.add %2, %y : tensor<?x40xf32>
  return %3 : tensor<?x40xf32>
}
