// RUN: heddle-opt --split-input-file --verify-diagnostics %s

func.func @axis(%x: tensor<8x4xf32>, %i: tensor<4xf32>) {
  // expected-error@+1 {{expects input #0 to have a dim 2}}
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 2 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<4xf32>, %c: tensor<4xf32>):
    stablehlo.return %a, %c : tensor<4xf32>, tensor<4xf32>
  }) : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @slice(%x: tensor<8x4xf32>, %i: tensor<4xf32>) {
  // expected-error@+1 {{expects the body's slice of input #0 without dim 0: expected tensor<4xf32>, got tensor<8xf32>}}
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<8xf32>, %c: tensor<4xf32>):
    stablehlo.return %c, %c : tensor<4xf32>, tensor<4xf32>
  }) : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @carry(%x: tensor<8x4xf32>, %i: tensor<4xf32>) {
  // expected-error@+1 {{expects carry #0 given by the body in the type of its init: expected tensor<4xf32>, got tensor<4xi32>}}
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<4xf32>, %c: tensor<4xf32>):
    %n = stablehlo.convert %c : (tensor<4xf32>) -> tensor<4xi32>
    stablehlo.return %c, %n : tensor<4xf32>, tensor<4xi32>
  }) : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @sizes(%x: tensor<8x4xf32>, %y: tensor<7x4xf32>) {
  // expected-error@+1 {{expects one size of dim 0, got 8 and, of input #1, 7}}
  "chlo.scan"(%x, %y) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 0>, resultSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    stablehlo.return
  }) : (tensor<8x4xf32>, tensor<7x4xf32>) -> ()
  return
}

// -----

func.func @count(%i: tensor<4xf32>) {
  // expected-error@+1 {{expects an input or 'scan_dim_size', got neither}}
  %0 = "chlo.scan"(%i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%c: tensor<4xf32>):
    stablehlo.return %c : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @values(%x: tensor<8x4xf32>, %i: tensor<4xf32>) {
  // expected-error@+1 {{expects the body to give 2 values, got 1}}
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<4xf32>, %c: tensor<4xf32>):
    stablehlo.return %c : tensor<4xf32>
  }) : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return
}
