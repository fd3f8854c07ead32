// RUN: heddle-opt --dot-to-reduce --split-input-file %s | FileCheck %s

// CHECK-LABEL: @vectors
// CHECK: %[[P:.*]] = stablehlo.multiply %arg0, %arg1 : tensor<?xf32>
// CHECK: stablehlo.reduce(%[[P]] init: %{{.*}}) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
// EVAL: vectors arg0=0 arg1=0
// EVAL: vectors arg0=37 arg1=37 ~1e-6
func.func @vectors(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<f32> {
  %0 = stablehlo.dot %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Rows, columns, and both between batching dims.
// CHECK-LABEL: @batched
// CHECK: across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
// CHECK: across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
// CHECK: across dimensions = [1, 3] : (tensor<2x30x4x50xf32>, tensor<f32>) -> tensor<2x4xf32>
// CHECK-NOT: dot_general
// EVAL: batched arg0=3x41 arg1=3x41 ~1e-6
// EVAL: batched arg0=0x5 arg1=0x5 ~1e-6
func.func @batched(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<2x30x4x50xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<2x4xf32>) {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?xf32>
  %1 = stablehlo.dot_general %x, %y, batching_dims = [1] x [1], contracting_dims = [0] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?xf32>
  %2 = stablehlo.dot_general %z, %z, batching_dims = [0, 2] x [0, 2], contracting_dims = [3, 1] x [3, 1] : (tensor<2x30x4x50xf32>, tensor<2x30x4x50xf32>) -> tensor<2x4xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<2x4xf32>
}

// -----

// The result alone is rounded.
// CHECK-LABEL: @types
// CHECK: %[[X:.*]] = stablehlo.convert %arg0 : (tensor<?xbf16>) -> tensor<?xf32>
// CHECK-NEXT: stablehlo.multiply %[[X]], %[[X]]
// CHECK: stablehlo.reduce{{.*}}(tensor<?xf32>, tensor<f32>) -> tensor<f32>
// CHECK: stablehlo.convert %{{.*}} : (tensor<f32>) -> tensor<bf16>
// CHECK: stablehlo.reduce{{.*}}(tensor<?xf32>, tensor<f32>) -> tensor<f32>
// CHECK: stablehlo.reduce{{.*}}(tensor<?xi32>, tensor<i32>) -> tensor<i32>
// EVAL: types arg0=29 arg1=29 ~1e-2
func.func @types(%x: tensor<?xbf16>, %i: tensor<?xi8>) -> (tensor<bf16>, tensor<f32>, tensor<i32>) {
  %0 = stablehlo.dot %x, %x : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<bf16>
  %1 = stablehlo.dot %x, %x : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<f32>
  %2 = stablehlo.dot %i, %i : (tensor<?xi8>, tensor<?xi8>) -> tensor<i32>
  return %0, %1, %2 : tensor<bf16>, tensor<f32>, tensor<i32>
}

// -----

// A matrix by a vector, in a loop. Sizes of the vector are its own, so that one of a single element is no vector of 5.
// CHECK-LABEL: @in_loop
// CHECK: stablehlo.while
// CHECK: %[[N:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK: %[[K:.*]] = stablehlo.get_dimension_size %{{.*}}, dim = 0
// CHECK: %[[V:.*]] = stablehlo.dynamic_broadcast_in_dim %{{.*}}, %{{.*}}, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK: %[[P:.*]] = stablehlo.multiply %arg0, %[[V]]
// CHECK: stablehlo.reduce(%[[P]] init: %{{.*}}) applies stablehlo.add across dimensions = [1]
// EVAL: in_loop arg0=7x7 arg1=7 ~1e-5
// EVAL: in_loop arg0=1x1 arg1=1 ~1e-5
// EVAL: in_loop arg0=0x0 arg1=0
func.func @in_loop(%w: tensor<?x?xf32>, %v: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %v) : tensor<i32>, tensor<?xf32>
    cond {
      %l = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    } do {
      %d = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %d : tensor<i32>, tensor<?xf32>
    }
  return %r#1 : tensor<?xf32>
}

// -----

// The vector first, sums of two dims in another order, and floats and sums that the library keeps.
// CHECK-LABEL: @sides
// CHECK: stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<300xf32>) -> tensor<300x40xf32>
// CHECK: across dimensions = [0] : (tensor<300x40xf32>, tensor<f32>) -> tensor<40xf32>
// CHECK: stablehlo.broadcast_in_dim %arg3, dims = [2, 0] : (tensor<6x5xf32>) -> tensor<5x40x6xf32>
// CHECK: across dimensions = [0, 2] : (tensor<5x40x6xf32>, tensor<f32>) -> tensor<40xf32>
// CHECK: stablehlo.dot_general %{{.*}}bf16
// CHECK: stablehlo.dot_general {{.*}}batching_dims
// EVAL: sides arg0=300x40 ~1e-4
func.func @sides(%w: tensor<300x40xf32>, %v: tensor<300xf32>, %t: tensor<5x40x6xf32>, %u: tensor<6x5xf32>, %b: tensor<30x40xbf16>, %c: tensor<40xbf16>,
                 %g: tensor<3x40x40xf32>, %h: tensor<3x40xf32>) -> (tensor<40xf32>, tensor<40xf32>, tensor<30xbf16>, tensor<3x40xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %f = stablehlo.constant dense<0.0> : tensor<40xf32>
  %k = stablehlo.constant dense<0.0> : tensor<30xbf16>
  %r:5 = stablehlo.while(%i = %zero, %x = %f, %y = %f, %z = %k, %q = %h) : tensor<i32>, tensor<40xf32>, tensor<40xf32>, tensor<30xbf16>, tensor<3x40xf32>
    cond {
      %l = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    } do {
      %d = stablehlo.dot_general %v, %w, contracting_dims = [0] x [0] : (tensor<300xf32>, tensor<300x40xf32>) -> tensor<40xf32>
      %e = stablehlo.dot_general %t, %u, contracting_dims = [2, 0] x [0, 1] : (tensor<5x40x6xf32>, tensor<6x5xf32>) -> tensor<40xf32>
      %m = stablehlo.dot_general %b, %c, contracting_dims = [1] x [0] : (tensor<30x40xbf16>, tensor<40xbf16>) -> tensor<30xbf16>
      %n = stablehlo.dot_general %g, %q, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x40x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %d, %e, %m, %n : tensor<i32>, tensor<40xf32>, tensor<40xf32>, tensor<30xbf16>, tensor<3x40xf32>
    }
  return %r#1, %r#2, %r#3, %r#4 : tensor<40xf32>, tensor<40xf32>, tensor<30xbf16>, tensor<3x40xf32>
}

// -----

// Free dims, dims of another order, complex numbers and bools, sums of nothing, products that are written out.
// CHECK-LABEL: @left
// CHECK-NOT: stablehlo.reduce
// EVAL: left arg0=3x3 ~1e-6
func.func @left(%x: tensor<?x?xf32>, %c: tensor<9xcomplex<f32>>, %b: tensor<9xi1>, %s: tensor<4xf32>)
    -> (tensor<?x?xf32>, tensor<f32>, tensor<?xf32>, tensor<complex<f32>>, tensor<i1>, tensor<?x?xf32>, tensor<f32>) {
  %0 = stablehlo.dot %x, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.dot_general %x, %x, contracting_dims = [0, 1] x [1, 0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<f32>
  %2 = stablehlo.dot_general %x, %x, batching_dims = [0] x [1], contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?xf32>
  %3 = stablehlo.dot %c, %c : (tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>) -> tensor<complex<f32>>
  %4 = stablehlo.dot %b, %b : (tensor<9xi1>, tensor<9xi1>) -> tensor<i1>
  %5 = stablehlo.dot_general %x, %x, batching_dims = [0, 1] x [0, 1], contracting_dims = [] x [] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %6 = stablehlo.dot %s, %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<?x?xf32>, tensor<f32>, tensor<?xf32>, tensor<complex<f32>>, tensor<i1>, tensor<?x?xf32>, tensor<f32>
}
