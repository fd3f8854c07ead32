// RUN: heddle-opt --disc-conv-rewriter --canonicalize --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-conv-rewriter="input=nhwc filter=ohwi output=nhwc" --canonicalize --split-input-file %s | FileCheck %s --check-prefix=NHWC
// RUN: heddle-opt --disc-conv-rewriter="input=nhwc filter=keep output=nhwc fold" --canonicalize --split-input-file %s | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: @nhwc
// CHECK: %[[X:.+]] = stablehlo.transpose %arg0, dims = [0, 3, 1, 2]
// CHECK: %[[W:.+]] = stablehlo.transpose %arg1, dims = [3, 2, 0, 1]
// CHECK: stablehlo.convolution(%[[X]], %[[W]]) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]
// CHECK: stablehlo.transpose %{{.+}}, dims = [0, 2, 3, 1]
// NHWC-LABEL: @nhwc
// NHWC: stablehlo.transpose %arg1, dims = [3, 0, 1, 2]
// NHWC: dim_numbers = [b, 0, 1, f]x[o, 0, 1, i]->[b, 0, 1, f]
// NHWC-NEXT: return
// EVAL: nhwc arg0=2x5x6x3 arg1=3x2x3x4 ~1e-6
func.func @nhwc(%x: tensor<?x?x?x3xf32>, %w: tensor<3x2x3x4xf32>) -> tensor<?x?x?x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x?x3xf32>, tensor<3x2x3x4xf32>) -> tensor<?x?x?x4xf32>
  return %0 : tensor<?x?x?x4xf32>
}

// -----

// In the layout already.
// CHECK-LABEL: @nchw
// CHECK-NOT: stablehlo.transpose
// EVAL: nchw ~1e-6
func.func @nchw(%x: tensor<2x3x5x6xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x3x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x5x6xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x3x4xf32>
  return %0 : tensor<2x4x3x4xf32>
}

// -----

// The transposes between two convolutions cancel, through the bias and relu between them.
// CHECK-LABEL: @chain
// CHECK: stablehlo.transpose %arg0, dims = [0, 3, 1, 2]
// CHECK: stablehlo.convolution
// CHECK-NOT: stablehlo.transpose %{{[0-9]+}}
// CHECK: stablehlo.broadcast_in_dim %arg2, dims = [1]
// CHECK: stablehlo.add
// CHECK: stablehlo.maximum
// CHECK: stablehlo.convolution
// CHECK: stablehlo.transpose %{{.+}}, dims = [0, 2, 3, 1]
// EVAL: chain ~1e-6
func.func @chain(%x: tensor<2x5x6x3xf32>, %w: tensor<3x3x3x4xf32>, %bias: tensor<4xf32>, %v: tensor<1x1x4x2xf32>) -> tensor<2x3x4x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<2x3x4x4xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x3x4x4xf32>
  %1 = stablehlo.broadcast_in_dim %bias, dims = [3] : (tensor<4xf32>) -> tensor<2x3x4x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x3x4x4xf32>
  %3 = stablehlo.maximum %2, %zero : tensor<2x3x4x4xf32>
  %4 = stablehlo.convolution(%3, %v) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x4x4xf32>, tensor<1x1x4x2xf32>) -> tensor<2x3x4x2xf32>
  return %4 : tensor<2x3x4x2xf32>
}

// -----

// Depthwise, of one dim.
// CHECK-LABEL: @depthwise
// CHECK: dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0]
// CHECK-SAME: feature_group_count = 4
// EVAL: depthwise arg0=2x7x4 ~1e-6
func.func @depthwise(%x: tensor<?x?x4xf32>, %w: tensor<3x1x4xf32>) -> tensor<?x?x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<?x?x4xf32>, tensor<3x1x4xf32>) -> tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}

// -----

// Three dims, in groups.
// CHECK-LABEL: @three
// CHECK: dim_numbers = [b, f, 0, 1, 2]x[o, i, 0, 1, 2]->[b, f, 0, 1, 2]
// EVAL: three ~1e-6
func.func @three(%x: tensor<1x3x4x3x4xf32>, %w: tensor<2x2x2x2x6xf32>) -> tensor<1x2x3x2x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x3x4x3x4xf32>, tensor<2x2x2x2x6xf32>) -> tensor<1x2x3x2x6xf32>
  return %0 : tensor<1x2x3x2x6xf32>
}

// -----

// The gradient of the input: a dilated lhs and a reversed filter of exchanged features.
// CHECK-LABEL: @backward_input
// CHECK-NOT: stablehlo.reverse
// CHECK: dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = {{\[\[}}2, 2], [2, 2]], lhs_dilate = [2, 2], reverse = [true, true]}
// EVAL: backward_input arg0=2x3x3x4 ~1e-6
func.func @backward_input(%g: tensor<?x3x3x4xf32>, %w: tensor<3x3x5x4xf32>) -> tensor<?x7x7x5xf32> {
  %0 = stablehlo.reverse %w, dims = [0, 1] : tensor<3x3x5x4xf32>
  %1 = stablehlo.convolution(%g, %0) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x3x3x4xf32>, tensor<3x3x5x4xf32>) -> tensor<?x7x7x5xf32>
  return %1 : tensor<?x7x7x5xf32>
}

// -----

// The gradient of the filter: batch and feature exchanged, the result laid out as a filter.
// CHECK-LABEL: @backward_filter
// CHECK: stablehlo.transpose %arg0, dims = [3, 0, 1, 2]
// CHECK: stablehlo.transpose %arg1, dims = [3, 0, 1, 2]
// CHECK: dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]
// CHECK: stablehlo.transpose %{{.+}}, dims = [2, 3, 0, 1]
// EVAL: backward_filter arg0=2x5x5x3 arg1=2x3x3x4 ~1e-6
func.func @backward_filter(%x: tensor<?x5x5x3xf32>, %g: tensor<?x3x3x4xf32>) -> tensor<3x3x3x4xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x5x5x3xf32>, tensor<?x3x3x4xf32>) -> tensor<3x3x3x4xf32>
  return %0 : tensor<3x3x3x4xf32>
}

// -----

// On the host.
// CHECK-LABEL: @host
// CHECK-NOT: stablehlo.transpose
func.func @host(%x: tensor<2x5x6x3xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<2x3x4x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, hd.placement = ["host"]} : (tensor<2x5x6x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x3x4x4xf32>
  return %0 : tensor<2x3x4x4xf32>
}

// -----

// A network in NCHW on the CPU: one transpose at the start; filters stay; pooling, padding, bias and the mean over the
// picture take the transposes along, and none is left behind the mean, which keeps its dims in order.
// KEEP-LABEL: @network
// KEEP: %[[X:.+]] = stablehlo.transpose %arg0, dims = [0, 2, 3, 1]
// KEEP-NOT: stablehlo.transpose
// KEEP: stablehlo.convolution(%[[X]], %arg1) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, 0, 1, f]
// KEEP-NOT: stablehlo.transpose
// KEEP: stablehlo.pad {{.*}}low = [0, 1, 2, 0], high = [0, 0, 1, 0], interior = [0, 0, 0, 0]
// KEEP-NOT: stablehlo.transpose
// KEEP: "stablehlo.reduce_window"
// KEEP: padding = dense<{{\[\[}}0, 0], [1, 1], [0, 1], [0, 0]]>
// KEEP-SAME: window_dimensions = array<i64: 1, 3, 2, 1>
// KEEP-SAME: window_strides = array<i64: 1, 2, 1, 1>
// KEEP-NOT: stablehlo.transpose
// KEEP: stablehlo.convolution
// KEEP-NOT: stablehlo.transpose
// KEEP: across dimensions = [1, 2]
// EVAL: network arg0=2x3x9x8 ~1e-6
func.func @network(%x: tensor<?x3x9x8xf32>, %w: tensor<4x3x3x3xf32>, %bias: tensor<4xf32>, %v: tensor<5x4x1x1xf32>) -> tensor<?x5xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x3x9x8xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x7x6xf32>
  %d = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4x7x6xf32>) -> tensor<i32>
  %d1 = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
  %rest = stablehlo.constant dense<[4, 7, 6]> : tensor<3xi32>
  %s = stablehlo.concatenate %d1, %rest, dim = 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
  %1 = stablehlo.dynamic_broadcast_in_dim %bias, %s, dims = [1] : (tensor<4xf32>, tensor<4xi32>) -> tensor<?x4x7x6xf32>
  %2 = stablehlo.add %0, %1 : tensor<?x4x7x6xf32>
  %3 = stablehlo.pad %2, %zero, low = [0, 0, 1, 2], high = [0, 0, 0, 1], interior = [0, 0, 0, 0] : (tensor<?x4x7x6xf32>, tensor<f32>) -> tensor<?x4x8x9xf32>
  %4 = "stablehlo.reduce_window"(%3, %low) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 1, 1, 3, 2>, window_strides = array<i64: 1, 1, 2, 1>, padding = dense<[[0, 0], [0, 0], [1, 1], [0, 1]]> : tensor<4x2xi64>} : (tensor<?x4x8x9xf32>, tensor<f32>) -> tensor<?x4x4x9xf32>
  %5 = stablehlo.convolution(%4, %v) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x4x4x9xf32>, tensor<5x4x1x1xf32>) -> tensor<?x5x4x9xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [2, 3] : (tensor<?x5x4x9xf32>, tensor<f32>) -> tensor<?x5xf32>
  return %6 : tensor<?x5xf32>
}

// -----

// What would stay behind a convolution is the order in which it writes; here between it and an argument, in three dims.
// KEEP-LABEL: @last
// KEEP-NOT: stablehlo.transpose
// KEEP: %[[Y:.+]] = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1, 2]x[o, i, 0, 1, 2]->[b, f, 0, 1, 2]
// KEEP-NOT: stablehlo.transpose
// KEEP: stablehlo.add %[[Y]], %arg2
// EVAL: last ~1e-6
func.func @last(%x: tensor<2x3x4x5x6xf32>, %w: tensor<7x3x2x2x2xf32>, %y: tensor<2x7x3x4x5xf32>) -> tensor<2x7x3x4x5xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1, 2]x[o, i, 0, 1, 2]->[b, f, 0, 1, 2], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x4x5x6xf32>, tensor<7x3x2x2x2xf32>) -> tensor<2x7x3x4x5xf32>
  %1 = stablehlo.add %0, %y : tensor<2x7x3x4x5xf32>
  return %1 : tensor<2x7x3x4x5xf32>
}
