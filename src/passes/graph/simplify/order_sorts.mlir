// RUN: heddle-opt --order-sorts --mlir-print-op-generic %s | FileCheck %s

// Kinds: 1 signed, 2 float, 4 descending, 8 zeros are equal, 16 NaNs are, 32 bf16.
// CHECK-LABEL: sym_name = "integers"
// CHECK: hd.order = [1, 5]
// CHECK-SAME: hd.positions = 1
func.func @integers(%x: tensor<?xi32>, %n: tensor<1xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %i = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %0:2 = "stablehlo.sort"(%i, %x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare GT, %c, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>)
  return %0#0, %0#1 : tensor<?xi32>, tensor<?xi32>
}

// CHECK-LABEL: sym_name = "total"
// CHECK: hd.front = 3
// CHECK-SAME: hd.order = [0, 38]
func.func @total(%x: tensor<4x9xbf16>) -> tensor<4x3xbf16> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %p = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x9xbf16>) -> tensor<4x9xbf16>
  %1 = stablehlo.slice %0 [0:4, 0:3] : (tensor<4x9xbf16>) -> tensor<4x3xbf16>
  return %1 : tensor<4x3xbf16>
}

// Zeros and NaNs made one, then a second key.
// CHECK-LABEL: sym_name = "two_keys"
// CHECK: hd.order = [0, 26, 1, 0]
func.func @two_keys(%x: tensor<9xf32>, %y: tensor<9xui8>) -> (tensor<9xf32>, tensor<9xui8>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<ui8>, %d: tensor<ui8>):
    %1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %nan, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare LT, %c, %d : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %10 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %11 = stablehlo.compare EQ, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %12 = stablehlo.and %11, %9 : tensor<i1>
    %13 = stablehlo.or %10, %12 : tensor<i1>
    stablehlo.return %13 : tensor<i1>
  }) : (tensor<9xf32>, tensor<9xui8>) -> (tensor<9xf32>, tensor<9xui8>)
  return %0#0, %0#1 : tensor<9xf32>, tensor<9xui8>
}

// Not an order of one element and the same of the other; f8; at most: left to a kernel.
// CHECK-LABEL: sym_name = "others"
// CHECK-NOT: hd.order
func.func @others(%x: tensor<9xi32>, %y: tensor<9xf8E5M2>) -> (tensor<9xi32>, tensor<9xi32>, tensor<9xf8E5M2>, tensor<9xi32>) {
  %0:2 = "stablehlo.sort"(%x, %x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare LT, %a, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>)
  %1 = "stablehlo.sort"(%y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f8E5M2>, %b: tensor<f8E5M2>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<9xf8E5M2>) -> tensor<9xf8E5M2>
  %2 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare LE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<9xi32>) -> tensor<9xi32>
  return %0#0, %0#1, %1, %2 : tensor<9xi32>, tensor<9xi32>, tensor<9xf8E5M2>, tensor<9xi32>
}
