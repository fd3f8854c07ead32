// RUN: heddle-opt --recognize-scans %s | FileCheck %s

// All elements up to each.
// CHECK-LABEL: @window
// CHECK-NOT: reduce_window
// CHECK: "mhlo.associative_scan"(%arg0, %{{.*}}) <{dimension = 1 : i64}> ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[A]], %[[B]] : tensor<f32>
// CHECK-NEXT: stablehlo.return %[[S]]
func.func @window(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 64>, padding = dense<[[0, 0], [63, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x64xf32>, tensor<f32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// From each on: what was gathered stands behind the element.
// CHECK-LABEL: @window_reverse
// CHECK: "mhlo.associative_scan"(%arg0, %{{.*}}) <{dimension = 0 : i64, is_reverse = true}> ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT: stablehlo.subtract %[[B]], %[[A]] : tensor<f32>
func.func @window_reverse(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 64>, padding = dense<[[0, 63]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// Shorter than a vector, a part of the dim, padding on both sides, a stride: windows.
// CHECK-LABEL: @windows_that_stay
// CHECK-NOT: associative_scan
// CHECK-COUNT-4: "stablehlo.reduce_window"
func.func @windows_that_stay(%x: tensor<8xf32>, %y: tensor<64xf32>) -> (tensor<8xf32>, tensor<64xf32>, tensor<64xf32>, tensor<32xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 8>, padding = dense<[[7, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = "stablehlo.reduce_window"(%y, %c) <{window_dimensions = array<i64: 63>, padding = dense<[[62, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = "stablehlo.reduce_window"(%y, %c) <{window_dimensions = array<i64: 64>, padding = dense<[[60, 3]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  %3 = "stablehlo.reduce_window"(%y, %c) <{window_dimensions = array<i64: 64>, window_strides = array<i64: 2>, padding = dense<[[63, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<32xf32>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<64xf32>, tensor<64xf32>, tensor<32xf32>
}

// Padding that changes what it meets: a window stays, unless the initial value absorbs another of its kind.
// CHECK-LABEL: @padding_that_counts
// CHECK-NOT: associative_scan
// CHECK-COUNT-2: "stablehlo.reduce_window"
// CHECK: return
func.func @padding_that_counts(%x: tensor<64xf32>, %init: tensor<f32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 64>, padding = dense<[[63, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 64>, padding = dense<[[63, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: @padding_that_is_absorbed
// CHECK-NOT: reduce_window
// CHECK-COUNT-2: "mhlo.associative_scan"
func.func @padding_that_is_absorbed(%x: tensor<64xf32>, %init: tensor<f32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 64>, padding = dense<[[63, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %b, %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %1 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 64>, padding = dense<[[63, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    %d = stablehlo.subtract %a, %b : tensor<f32>
    %n = stablehlo.compare NE, %d, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %t = stablehlo.add %a, %b : tensor<f32>
    %p = stablehlo.abs %d : tensor<f32>
    %q = stablehlo.negate %p : tensor<f32>
    %e = stablehlo.exponential %q : tensor<f32>
    %l = stablehlo.log_plus_one %e : tensor<f32>
    %r = stablehlo.add %m, %l : tensor<f32>
    %s = stablehlo.select %n, %t, %r : tensor<i1>, tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}

// The body of a scan on slices becomes one on scalars: the carry first.
// CHECK-LABEL: @scan
// CHECK-NOT: chlo.scan
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK: "mhlo.associative_scan"(%arg0, %[[ONE]]) <{dimension = 0 : i64, is_reverse = true}> ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT: %[[S:.*]] = stablehlo.multiply %[[B]], %[[A]] : tensor<f32>
// CHECK-NEXT: stablehlo.return %[[S]]
func.func @scan(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %i = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, is_reverse = true, is_associative = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<4xf32>, %c: tensor<4xf32>):
    %s = stablehlo.multiply %a, %c : tensor<4xf32>
    stablehlo.return %s, %s : tensor<4xf32>, tensor<4xf32>
  }) : (tensor<?x4xf32>, tensor<4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>)
  return %0#0 : tensor<?x4xf32>
}

// The carry is used, or nobody says that the body is associative.
// CHECK-LABEL: @scans_that_stay
// CHECK-NOT: associative_scan
// CHECK-COUNT-2: chlo.scan
func.func @scans_that_stay(%x: tensor<8xf32>, %i: tensor<f32>) -> (tensor<8xf32>, tensor<f32>, tensor<8xf32>) {
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, is_associative = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %s = stablehlo.add %a, %c : tensor<f32>
    stablehlo.return %s, %s : tensor<f32>, tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
  %1:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %s = stablehlo.subtract %a, %c : tensor<f32>
    stablehlo.return %s, %s : tensor<f32>, tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
  return %0#0, %0#1, %1#0 : tensor<8xf32>, tensor<f32>, tensor<8xf32>
}
