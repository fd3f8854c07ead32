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

// -----

// Rows of eight elements at places that only the run tells: each is a load, where all lanes would be gathered.
// CHECK-LABEL: hd.source = "gather"
// CHECK-COUNT-2: vector.load %{{.+}} : memref<?xf32>, vector<8xf32>
// CHECK-NEXT: vector.shuffle
// CHECK: vector.create_mask
func.func @gathered_rows(%x: tensor<50x8xf32>, %i: tensor<?x1xi32>) -> tensor<?x8xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<50x8xf32>, tensor<?x1xi32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// A long body is there twice where whole vectors are loaded by shuffles: under a mask vectors are masked by what lanes read.
// CHECK-LABEL: func.func private @loop_multiply_sine_maximum_0(
// CHECK: scf.for
// CHECK-NOT: vector.gather
// CHECK: vector.shuffle
// CHECK-NOT: vector.gather
// CHECK: vector.create_mask
// CHECK-NOT: vector.gather
// CHECK: vector.maskedload
func.func @long_and_strided(%x: tensor<1000x3xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> {
  %s = stablehlo.slice %x [0:1000, 1:2] : (tensor<1000x3xf32>) -> tensor<1000x1xf32>
  %0 = stablehlo.reshape %s : (tensor<1000x1xf32>) -> tensor<1000xf32>
  %a0 = stablehlo.multiply %0, %y : tensor<1000xf32>
  %c0 = stablehlo.sine %a0 : tensor<1000xf32>
  %d0 = stablehlo.maximum %c0, %0 : tensor<1000xf32>
  %b0 = stablehlo.add %d0, %a0 : tensor<1000xf32>
  %a1 = stablehlo.multiply %b0, %y : tensor<1000xf32>
  %c1 = stablehlo.sine %a1 : tensor<1000xf32>
  %d1 = stablehlo.maximum %c1, %0 : tensor<1000xf32>
  %b1 = stablehlo.add %d1, %a1 : tensor<1000xf32>
  %a2 = stablehlo.multiply %b1, %y : tensor<1000xf32>
  %c2 = stablehlo.sine %a2 : tensor<1000xf32>
  %d2 = stablehlo.maximum %c2, %0 : tensor<1000xf32>
  %b2 = stablehlo.add %d2, %a2 : tensor<1000xf32>
  %a3 = stablehlo.multiply %b2, %y : tensor<1000xf32>
  %c3 = stablehlo.sine %a3 : tensor<1000xf32>
  %d3 = stablehlo.maximum %c3, %0 : tensor<1000xf32>
  %b3 = stablehlo.add %d3, %a3 : tensor<1000xf32>
  %a4 = stablehlo.multiply %b3, %y : tensor<1000xf32>
  %c4 = stablehlo.sine %a4 : tensor<1000xf32>
  %d4 = stablehlo.maximum %c4, %0 : tensor<1000xf32>
  %b4 = stablehlo.add %d4, %a4 : tensor<1000xf32>
  %a5 = stablehlo.multiply %b4, %y : tensor<1000xf32>
  %c5 = stablehlo.sine %a5 : tensor<1000xf32>
  %d5 = stablehlo.maximum %c5, %0 : tensor<1000xf32>
  %b5 = stablehlo.add %d5, %a5 : tensor<1000xf32>
  %a6 = stablehlo.multiply %b5, %y : tensor<1000xf32>
  %c6 = stablehlo.sine %a6 : tensor<1000xf32>
  %d6 = stablehlo.maximum %c6, %0 : tensor<1000xf32>
  %b6 = stablehlo.add %d6, %a6 : tensor<1000xf32>
  %a7 = stablehlo.multiply %b6, %y : tensor<1000xf32>
  %c7 = stablehlo.sine %a7 : tensor<1000xf32>
  %d7 = stablehlo.maximum %c7, %0 : tensor<1000xf32>
  %b7 = stablehlo.add %d7, %a7 : tensor<1000xf32>
  %a8 = stablehlo.multiply %b7, %y : tensor<1000xf32>
  %c8 = stablehlo.sine %a8 : tensor<1000xf32>
  %d8 = stablehlo.maximum %c8, %0 : tensor<1000xf32>
  %b8 = stablehlo.add %d8, %a8 : tensor<1000xf32>
  %a9 = stablehlo.multiply %b8, %y : tensor<1000xf32>
  %c9 = stablehlo.sine %a9 : tensor<1000xf32>
  %d9 = stablehlo.maximum %c9, %0 : tensor<1000xf32>
  %b9 = stablehlo.add %d9, %a9 : tensor<1000xf32>
  %a10 = stablehlo.multiply %b9, %y : tensor<1000xf32>
  %c10 = stablehlo.sine %a10 : tensor<1000xf32>
  %d10 = stablehlo.maximum %c10, %0 : tensor<1000xf32>
  %b10 = stablehlo.add %d10, %a10 : tensor<1000xf32>
  %a11 = stablehlo.multiply %b10, %y : tensor<1000xf32>
  %c11 = stablehlo.sine %a11 : tensor<1000xf32>
  %d11 = stablehlo.maximum %c11, %0 : tensor<1000xf32>
  %b11 = stablehlo.add %d11, %a11 : tensor<1000xf32>
  %a12 = stablehlo.multiply %b11, %y : tensor<1000xf32>
  %c12 = stablehlo.sine %a12 : tensor<1000xf32>
  %d12 = stablehlo.maximum %c12, %0 : tensor<1000xf32>
  %b12 = stablehlo.add %d12, %a12 : tensor<1000xf32>
  %a13 = stablehlo.multiply %b12, %y : tensor<1000xf32>
  %c13 = stablehlo.sine %a13 : tensor<1000xf32>
  %d13 = stablehlo.maximum %c13, %0 : tensor<1000xf32>
  %b13 = stablehlo.add %d13, %a13 : tensor<1000xf32>
  %a14 = stablehlo.multiply %b13, %y : tensor<1000xf32>
  %c14 = stablehlo.sine %a14 : tensor<1000xf32>
  %d14 = stablehlo.maximum %c14, %0 : tensor<1000xf32>
  %b14 = stablehlo.add %d14, %a14 : tensor<1000xf32>
  %a15 = stablehlo.multiply %b14, %y : tensor<1000xf32>
  %c15 = stablehlo.sine %a15 : tensor<1000xf32>
  %d15 = stablehlo.maximum %c15, %0 : tensor<1000xf32>
  %b15 = stablehlo.add %d15, %a15 : tensor<1000xf32>
  %a16 = stablehlo.multiply %b15, %y : tensor<1000xf32>
  %c16 = stablehlo.sine %a16 : tensor<1000xf32>
  %d16 = stablehlo.maximum %c16, %0 : tensor<1000xf32>
  %b16 = stablehlo.add %d16, %a16 : tensor<1000xf32>
  %a17 = stablehlo.multiply %b16, %y : tensor<1000xf32>
  %c17 = stablehlo.sine %a17 : tensor<1000xf32>
  %d17 = stablehlo.maximum %c17, %0 : tensor<1000xf32>
  %b17 = stablehlo.add %d17, %a17 : tensor<1000xf32>
  %a18 = stablehlo.multiply %b17, %y : tensor<1000xf32>
  %c18 = stablehlo.sine %a18 : tensor<1000xf32>
  %d18 = stablehlo.maximum %c18, %0 : tensor<1000xf32>
  %b18 = stablehlo.add %d18, %a18 : tensor<1000xf32>
  %a19 = stablehlo.multiply %b18, %y : tensor<1000xf32>
  %c19 = stablehlo.sine %a19 : tensor<1000xf32>
  %d19 = stablehlo.maximum %c19, %0 : tensor<1000xf32>
  %b19 = stablehlo.add %d19, %a19 : tensor<1000xf32>
  %a20 = stablehlo.multiply %b19, %y : tensor<1000xf32>
  %c20 = stablehlo.sine %a20 : tensor<1000xf32>
  %d20 = stablehlo.maximum %c20, %0 : tensor<1000xf32>
  %b20 = stablehlo.add %d20, %a20 : tensor<1000xf32>
  %a21 = stablehlo.multiply %b20, %y : tensor<1000xf32>
  %c21 = stablehlo.sine %a21 : tensor<1000xf32>
  %d21 = stablehlo.maximum %c21, %0 : tensor<1000xf32>
  %b21 = stablehlo.add %d21, %a21 : tensor<1000xf32>
  %a22 = stablehlo.multiply %b21, %y : tensor<1000xf32>
  %c22 = stablehlo.sine %a22 : tensor<1000xf32>
  %d22 = stablehlo.maximum %c22, %0 : tensor<1000xf32>
  %b22 = stablehlo.add %d22, %a22 : tensor<1000xf32>
  %a23 = stablehlo.multiply %b22, %y : tensor<1000xf32>
  %c23 = stablehlo.sine %a23 : tensor<1000xf32>
  %d23 = stablehlo.maximum %c23, %0 : tensor<1000xf32>
  %b23 = stablehlo.add %d23, %a23 : tensor<1000xf32>
  %a24 = stablehlo.multiply %b23, %y : tensor<1000xf32>
  %c24 = stablehlo.sine %a24 : tensor<1000xf32>
  %d24 = stablehlo.maximum %c24, %0 : tensor<1000xf32>
  %b24 = stablehlo.add %d24, %a24 : tensor<1000xf32>
  return %b24 : tensor<1000xf32>
}
