// RUN: heddle check %s | FileCheck %s
// The tensor dialect: sizes that are values, single elements, parts.

func.func @types_and_sizes() {
  %c1 = arith.constant 1 : index
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %open = tensor.cast %x : tensor<2x3xi32> to tensor<?x?xi32>
  %d = tensor.dim %open, %c1 : tensor<?x?xi32>
  %r = tensor.rank %open : tensor<?x?xi32>
  %sizes = tensor.from_elements %d, %r : tensor<2xindex>
  check.expect_eq_const %sizes, dense<[3, 2]> : tensor<2xindex>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %t = tensor.reshape %open(%shape) : (tensor<?x?xi32>, tensor<2xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %t, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xi32> into tensor<6xi32>
  check.expect_eq_const %flat, dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %wide = tensor.cast %flat : tensor<6xi32> to tensor<?xi32>
  %split = tensor.expand_shape %wide [[0, 1]] output_shape [%d, 2] : tensor<?xi32> into tensor<?x2xi32>
  %known = tensor.cast %split : tensor<?x2xi32> to tensor<3x2xi32>
  check.expect_eq %known, %t : tensor<3x2xi32>
  %bits = tensor.bitcast %flat : tensor<6xi32> to tensor<6xf32>
  %back = tensor.bitcast %bits : tensor<6xf32> to tensor<6xi32>
  check.expect_eq %back, %flat : tensor<6xi32>
  return
}

func.func @elements() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant 9 : i32
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %e = tensor.extract %x[%c1, %c2] : tensor<2x3xi32>
  %y = tensor.insert %v into %x[%c0, %c1] : tensor<2x3xi32>
  check.expect_eq_const %y, dense<[[1, 9, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %s = tensor.splat %e[%c2] : tensor<?xi32>
  %ss = tensor.cast %s : tensor<?xi32> to tensor<2xi32>
  check.expect_eq_const %ss, dense<6> : tensor<2xi32>
  %g = tensor.generate %c2 {
  ^bb0(%i: index, %j: index):
    %k = arith.muli %i, %c2 : index
    %l = arith.addi %k, %j : index
    tensor.yield %l : index
  } : tensor<?x2xindex>
  %gs = tensor.cast %g : tensor<?x2xindex> to tensor<2x2xindex>
  check.expect_eq_const %gs, dense<[[0, 1], [2, 3]]> : tensor<2x2xindex>
  %p = tensor.pad %x low[0, %c1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : i32
  } : tensor<2x3xi32> to tensor<3x?xi32>
  %ps = tensor.cast %p : tensor<3x?xi32> to tensor<3x4xi32>
  check.expect_eq_const %ps, dense<[[9, 1, 2, 3], [9, 4, 5, 6], [9, 9, 9, 9]]> : tensor<3x4xi32>
  %n = tensor.empty(%c0) : tensor<?x4xi32>
  %d = tensor.dim %n, %c0 : tensor<?x4xi32>
  %ds = tensor.from_elements %d : tensor<1xindex>
  check.expect_eq_const %ds, dense<0> : tensor<1xindex>
  return
}

func.func @parts() {
  %c1 = arith.constant 1 : index
  %x = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %s = tensor.extract_slice %x[0, %c1] [2, 2] [1, 2] : tensor<2x4xi32> to tensor<2x2xi32>
  check.expect_eq_const %s, dense<[[2, 4], [6, 8]]> : tensor<2x2xi32>
  %row = tensor.extract_slice %x[%c1, 0] [1, 4] [1, 1] : tensor<2x4xi32> to tensor<4xi32>
  check.expect_eq_const %row, dense<[5, 6, 7, 8]> : tensor<4xi32>
  %y = tensor.insert_slice %row into %x[0, 0] [1, 4] [1, 1] : tensor<4xi32> into tensor<2x4xi32>
  check.expect_eq_const %y, dense<[[5, 6, 7, 8], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %wide = tensor.concat dim(1) %s, %x : (tensor<2x2xi32>, tensor<2x4xi32>) -> tensor<2x6xi32>
  check.expect_eq_const %wide, dense<[[2, 4, 1, 2, 3, 4], [6, 8, 5, 6, 7, 8]]> : tensor<2x6xi32>
  return
}

// CHECK: 3 passed, 0 failed
