// RUN: heddle-opt --pair-reductions %s | FileCheck %s

// What JAX writes for argmax: a NaN first, the lesser index of equal values.
// EVAL: argmax arg0=3x7
// CHECK-LABEL: @argmax
// CHECK: %[[M:.*]] = stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.maximum across dimensions = [1]
// CHECK: %[[W:.*]] = stablehlo.dynamic_broadcast_in_dim %[[M]]
// CHECK: stablehlo.compare EQ, %arg0, %[[W]]
// CHECK: stablehlo.compare NE, %arg0, %arg0
// CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.minimum across dimensions = [1]
// CHECK: stablehlo.minimum
func.func @argmax(%x: tensor<?x?xf32>) -> tensor<?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %0:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1] : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ai: tensor<i32>, %bi: tensor<i32>) {
    %gt = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %p = stablehlo.or %gt, %nan : tensor<i1>
    %eq = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %ai, %bi, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %e = stablehlo.and %eq, %lt : tensor<i1>
    %q = stablehlo.or %p, %e : tensor<i1>
    %v = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f32>
    %k = stablehlo.select %q, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %k : tensor<f32>, tensor<i32>
  }
  return %0#1 : tensor<?xi32>
}

// Integers, by extrema, any indices, the least value and of equal ones the greater index.
// EVAL: least_and_last
// CHECK-LABEL: @least_and_last
// CHECK: applies stablehlo.minimum across dimensions = [0, 1]
// CHECK: applies stablehlo.maximum across dimensions = [0, 1]
func.func @least_and_last(%x: tensor<3x5xi8>, %i: tensor<3x5xui16>) -> (tensor<i8>, tensor<ui16>) {
  %zero = stablehlo.constant dense<7> : tensor<ui16>
  %high = stablehlo.constant dense<100> : tensor<i8>
  %0:2 = stablehlo.reduce(%x init: %high), (%i init: %zero) across dimensions = [0, 1] : (tensor<3x5xi8>, tensor<3x5xui16>, tensor<i8>, tensor<ui16>) -> (tensor<i8>, tensor<ui16>)
   reducer(%a: tensor<i8>, %b: tensor<i8>) (%ai: tensor<ui16>, %bi: tensor<ui16>) {
    %v = stablehlo.minimum %a, %b : tensor<i8>
    %last = stablehlo.maximum %ai, %bi : tensor<ui16>
    %eq = stablehlo.compare EQ, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %ge = stablehlo.compare GE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %one = stablehlo.select %ge, %bi, %ai : tensor<i1>, tensor<ui16>
    %k = stablehlo.select %eq, %last, %one : tensor<i1>, tensor<ui16>
    stablehlo.return %v, %k : tensor<i8>, tensor<ui16>
  }
  return %0#0, %0#1 : tensor<i8>, tensor<ui16>
}

// The first of equal values is the lesser index only where indices count.
// CHECK-LABEL: @first
// CHECK: applies stablehlo.maximum
// CHECK: applies stablehlo.minimum
// CHECK: stablehlo.reduce({{.*}}), (
func.func @first(%x: tensor<4x9xi32>, %other: tensor<4x9xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 1 : tensor<4x9xi32>
  %0:2 = stablehlo.reduce(%x init: %zero), (%i init: %zero) across dimensions = [1] : (tensor<4x9xi32>, tensor<4x9xi32>, tensor<i32>, tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>)
   reducer(%a: tensor<i32>, %b: tensor<i32>) (%ai: tensor<i32>, %bi: tensor<i32>) {
    %ge = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = stablehlo.select %ge, %a, %b : tensor<i1>, tensor<i32>
    %k = stablehlo.select %ge, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %k : tensor<i32>, tensor<i32>
  }
  %1:2 = stablehlo.reduce(%x init: %zero), (%other init: %zero) across dimensions = [1] : (tensor<4x9xi32>, tensor<4x9xi32>, tensor<i32>, tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>)
   reducer(%a: tensor<i32>, %b: tensor<i32>) (%ai: tensor<i32>, %bi: tensor<i32>) {
    %ge = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = stablehlo.select %ge, %a, %b : tensor<i1>, tensor<i32>
    %k = stablehlo.select %ge, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %k : tensor<i32>, tensor<i32>
  }
  return %0#1, %1#1 : tensor<4xi32>, tensor<4xi32>
}

// Left alone: columns; floats whose NaNs are not picked; a body that picks the value and the index of different elements.
// CHECK-LABEL: @others
// CHECK-COUNT-3: stablehlo.reduce({{.*}}), (
// CHECK-NOT: applies
func.func @others(%x: tensor<4x9xf32>, %y: tensor<4x9xi32>) -> (tensor<9xi32>, tensor<4xi32>, tensor<4xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %rows = stablehlo.iota dim = 0 : tensor<4x9xi32>
  %i = stablehlo.iota dim = 1 : tensor<4x9xi32>
  %0:2 = stablehlo.reduce(%y init: %zero), (%rows init: %zero) across dimensions = [0] : (tensor<4x9xi32>, tensor<4x9xi32>, tensor<i32>, tensor<i32>) -> (tensor<9xi32>, tensor<9xi32>)
   reducer(%a: tensor<i32>, %b: tensor<i32>) (%ai: tensor<i32>, %bi: tensor<i32>) {
    %ge = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = stablehlo.select %ge, %a, %b : tensor<i1>, tensor<i32>
    %k = stablehlo.select %ge, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %k : tensor<i32>, tensor<i32>
  }
  %1:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1] : (tensor<4x9xf32>, tensor<4x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ai: tensor<i32>, %bi: tensor<i32>) {
    %ge = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %ge, %a, %b : tensor<i1>, tensor<f32>
    %k = stablehlo.select %ge, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %k : tensor<f32>, tensor<i32>
  }
  %2:2 = stablehlo.reduce(%y init: %zero), (%i init: %zero) across dimensions = [1] : (tensor<4x9xi32>, tensor<4x9xi32>, tensor<i32>, tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>)
   reducer(%a: tensor<i32>, %b: tensor<i32>) (%ai: tensor<i32>, %bi: tensor<i32>) {
    %ge = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = stablehlo.select %ge, %a, %b : tensor<i1>, tensor<i32>
    %k = stablehlo.select %ge, %bi, %ai : tensor<i1>, tensor<i32>
    stablehlo.return %v, %k : tensor<i32>, tensor<i32>
  }
  return %0#1, %1#1, %2#1 : tensor<9xi32>, tensor<4xi32>, tensor<4xi32>
}
