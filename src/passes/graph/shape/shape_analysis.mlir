// RUN: heddle-opt --disc-shape-analysis --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-shape-analysis --disc-shape-analysis --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-shape-analysis --split-input-file %s > %t.once
// RUN: heddle-opt --disc-shape-analysis --split-input-file %t.once > %t.twice
// RUN: diff %t.once %t.twice
// RUN: heddle-opt --disc-shape-analysis --disc-hlo-legalize-to-lhlo --disc-shape-analysis --split-input-file %s | FileCheck %s --check-prefix=BUFFERS

// Operands of an elementwise op have one shape.
// CHECK-LABEL: @equal
// CHECK-SAME: %arg0: tensor<?x4xf32> {hd.dims = ["d0", ""]}, %arg1: tensor<?x4xf32> {hd.dims = ["d1", ""]}
// CHECK-SAME: hd.constraint = ["d1 == d0"]
// CHECK: stablehlo.add {{.*}}hd.dims = {{\[\[}}"d0", "4"]]
func.func @equal(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// Dims as expressions: products, sums, quotients.
// CHECK-LABEL: @expressions
// CHECK-SAME: {hd.dims = ["b", "s", ""]}
// CHECK: stablehlo.dynamic_reshape {{.*}}hd.dims = {{\[\[}}"b*s", "768"]]
// CHECK: stablehlo.pad {{.*}}hd.dims = {{\[\[}}"b*s + 3", "768"]]
func.func @expressions(%x: tensor<?x?x768xf32> {hd.dims = ["b", "s", ""]}) -> tensor<?x768xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x768xf32>) -> tensor<i32>
  %s = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x768xf32>) -> tensor<i32>
  %n = stablehlo.multiply %b, %s : tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<768> : tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<?x?x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
  %1 = stablehlo.pad %0, %zero, low = [1, 0], high = [2, 0], interior = [0, 0] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?x768xf32>
  return %1 : tensor<?x768xf32>
}

// -----

// What is given is read: an equality, a divisor, a bound, and they are used.
// CHECK-LABEL: @given
// CHECK-SAME: hd.constraint = ["m % 8 == 0", "m >= 1", "n == m"]
// CHECK: stablehlo.concatenate {{.*}}hd.dims = {{\[\[}}"2*m"]]
func.func @given(%x: tensor<?xf32> {hd.dims = ["m"]}, %y: tensor<?xf32> {hd.dims = ["n"]}) -> tensor<?xf32> attributes {hd.constraint = ["n == m", "m % 8 == 0", "m >= 1"]} {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// An assertion of the program that a number divides a dim.
// CHECK-LABEL: @asserted
// CHECK-SAME: %arg0: tensor<?xf32> {hd.dims = ["4*d1"]}
// CHECK-SAME: hd.constraint = ["d0 % 4 == 0"]
// CHECK: stablehlo.negate {{.*}}hd.dims = {{\[\[}}"4*d1"]]
func.func @asserted(%x: tensor<?xf32>) -> tensor<?xf32> {
  %d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.remainder %d, %four : tensor<i32>
  %p = stablehlo.compare EQ, %r, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%p, %d) {error_message = "{0} is no multiple of 4", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Products that are equal, without one of their dims being known: the same on tensors and on buffers.
// CHECK-LABEL: @products
// CHECK-SAME: hd.constraint = ["a % 4 == 0", "d >= 2", "a*b == c*d"]
// CHECK: stablehlo.add {{.*}}hd.dims = {{\[\[}}"a*b"]]
// BUFFERS-LABEL: @products
// BUFFERS-SAME: memref<?x?xf32> {hd.dims = ["a", "b"]}
// BUFFERS-SAME: hd.constraint = ["a % 4 == 0", "d >= 2", "a*b == c*d"]
// BUFFERS: memref.alloc(%{{.+}}) {hd.dims = {{\[\[}}"a*b"]]}
// BUFFERS: memref.alloc(%{{.+}}) {hd.dims = {{\[\[}}"c*d"]]}
func.func @products(%x: tensor<?x?xf32> {hd.dims = ["a", "b"]}, %y: tensor<?x?xf32> {hd.dims = ["c", "d"]}) -> tensor<?xf32> attributes {hd.constraint = ["a*b == c*d", "a % 4 == 0", "d >= 2"]} {
  %a = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %c = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %d = stablehlo.get_dimension_size %y, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %n = stablehlo.multiply %a, %b : tensor<i32>
  %m = stablehlo.multiply %c, %d : tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %n1 : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_reshape %y, %m1 : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %2 = stablehlo.add %0, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// Any text is a name: in expressions, what is no word stands between quotes.
// CHECK-LABEL: @names
// CHECK-SAME: %arg0: tensor<?x?xf32> {hd.dims = ["my dim", "3"]}, %arg1: tensor<?x?xf32> {hd.dims = ["a+b", "n"]}
// CHECK-SAME: hd.constraint = ["\22a+b\22 == \22my dim\22", "n == \223\22"]
// CHECK: stablehlo.add {{.*}}hd.dims = {{\[\[}}"\22my dim\22", "\223\22"]]
func.func @names(%x: tensor<?x?xf32> {hd.dims = ["my dim", "3"]}, %y: tensor<?x?xf32> {hd.dims = ["a+b", "n"]}) -> tensor<?x?xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Windows that are longer than what they lie on: there are none.
// CHECK-LABEL: @windows
// CHECK-NOT: hd.constraint
// CHECK: @stablehlo.dynamic_reduce_window{{.*}}hd.dims = {{\[\[}}"max(0, d0 - 4)"]]
// CHECK: @stablehlo.dynamic_reduce_window
// CHECK: return
func.func @windows(%x: tensor<?xf32>, %y: tensor<2xf32>) -> (tensor<?xf32>, tensor<0xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %size = stablehlo.constant dense<5> : tensor<1xi32>
  %padding = stablehlo.constant dense<0> : tensor<1x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %size, %one, %one, %one, %padding) {called_computations = [@sum]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  %1 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%y, %zero, %size, %one, %one, %one, %padding) {called_computations = [@sum]} : (tensor<2xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<0xf32>
  return %0, %1 : tensor<?xf32>, tensor<0xf32>
}
func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
