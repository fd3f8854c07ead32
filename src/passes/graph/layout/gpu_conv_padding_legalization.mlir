// RUN: heddle-opt --disc-gpu-conv-padding-legalization --split-input-file %s | FileCheck %s
// RUN: heddle-opt --disc-gpu-conv-padding-legalization=library-products --split-input-file %s | FileCheck %s --check-prefix=LIBRARY

// The smaller side stays with the convolution; what is more on one side is explicit.
// CHECK-LABEL: @uneven
// CHECK: %[[P:.+]] = stablehlo.pad %arg0, %{{.+}}, low = [0, 0, 0, 0], high = [0, 1, 2, 0], interior = [0, 0, 0, 0] : (tensor<?x5x?x3xf32>, tensor<f32>) -> tensor<?x6x?x3xf32>
// CHECK: stablehlo.convolution(%[[P]], %arg1)
// CHECK-SAME: pad = {{\[\[}}1, 1], [0, 0]]
// LIBRARY-LABEL: @uneven
// LIBRARY: stablehlo.convolution(%arg0, %arg1)
// LIBRARY-SAME: pad = {{\[\[}}1, 2], [0, 2]]
// EVAL: uneven arg0=2x5x6x3 ~1e-6
func.func @uneven(%x: tensor<?x5x?x3xf32>, %w: tensor<3x2x3x4xf32>) -> tensor<?x6x?x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 2], [0, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x5x?x3xf32>, tensor<3x2x3x4xf32>) -> tensor<?x6x?x4xf32>
  return %0 : tensor<?x6x?x4xf32>
}

// -----

// Negative padding crops; holes of a dilated input are explicit.
// CHECK-LABEL: @negative_dilated
// CHECK: stablehlo.pad %arg0, %{{.+}}, low = [0, 0, -1, 0], high = [0, 0, 2, -1], interior = [0, 0, 1, 2]
// CHECK: stablehlo.convolution
// CHECK-SAME: pad = {{\[\[}}0, 0], [0, 0]]
// CHECK-NOT: lhs_dilate
// LIBRARY-LABEL: @negative_dilated
// LIBRARY: stablehlo.pad
// EVAL: negative_dilated arg0=2x3x5x6 ~1e-6
func.func @negative_dilated(%x: tensor<?x3x5x6xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<?x4x8x14xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[-1, 2], [0, -1]], lhs_dilate = [2, 3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x3x5x6xf32>, tensor<4x3x3x2xf32>) -> tensor<?x4x8x14xf32>
  return %0 : tensor<?x4x8x14xf32>
}

// -----

// A library takes it as it is.
// CHECK-LABEL: @even
// CHECK-NOT: stablehlo.pad
func.func @even(%x: tensor<2x5x6x3xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<2x5x6x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x6x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x5x6x4xf32>
  return %0 : tensor<2x5x6x4xf32>
}

// -----

// Padding that only the run knows.
// CHECK-LABEL: @dynamic
// CHECK: stablehlo.dynamic_pad %arg0
// CHECK: stablehlo.convolution
// CHECK-SAME: pad = {{\[\[}}0, 0]]
// EVAL: dynamic arg0=2x7x3 --random-max=4 ~1e-6
func.func @dynamic(%x: tensor<2x?x3xf32>, %w: tensor<3x3x4xf32>, %p: tensor<1x2xi32>) -> tensor<2x?x4xf32> {
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    window_strides = array<i64: 2>, lhs_dilation = array<i64: 2>, batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x?x3xf32>, tensor<3x3x4xf32>, tensor<1x2xi32>) -> tensor<2x?x4xf32>
  return %0 : tensor<2x?x4xf32>
}

// -----

// A crop of more than there is leaves nothing, and a convolution of nothing has no windows.
// CHECK-LABEL: @crops_all
// CHECK: stablehlo.pad %arg0, %{{.+}}, low = [0, 2, 0], high = [0, -5, 0], {{.*}} -> tensor<1x0x1xf32>
// CHECK-LABEL: @crops_some
// CHECK: stablehlo.pad %arg0, %{{.+}}, low = [0, 2, 0], high = [0, -4, 0], {{.*}} -> tensor<1x1x1xf32>
// EVAL: crops_all
// EVAL: crops_some
func.func @crops_all(%x: tensor<1x3x1xf32>, %w: tensor<1x1x1xf32>) -> tensor<1x0x1xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, -10]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<1x1x1xf32>) -> tensor<1x0x1xf32>
  return %0 : tensor<1x0x1xf32>
}
func.func @crops_some(%x: tensor<1x3x1xf32>, %w: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, -4]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %0 : tensor<1x1x1xf32>
}

// -----

// Whether a crop is more than there is only the run tells, so what is cropped is limited there; not where a size is known
// to be enough, or the padding is.
// CHECK-LABEL: @crop_of_unknown
// CHECK: stablehlo.maximum
// CHECK: stablehlo.dynamic_pad %arg0
// CHECK-LABEL: @crop_dynamic
// CHECK: stablehlo.maximum
// CHECK: stablehlo.dynamic_pad %arg0
// CHECK-LABEL: @enough
// CHECK-NOT: stablehlo.maximum
// CHECK: stablehlo.pad %{{.+}}, %{{.+}}, low = [0, -2, 0], high = [0, -1, 0], interior = [0, 1, 0]
// CHECK-NOT: stablehlo.maximum
// CHECK: stablehlo.dynamic_pad %arg0
// EVAL: crop_of_unknown arg0=2x12x1
// EVAL: crop_of_unknown arg0=2x3x1
// EVAL: crop_of_unknown arg0=1x1x1
// EVAL: crop_of_unknown arg0=1x0x1
// EVAL: crop_of_unknown arg0=0x12x1
// EVAL: crop_dynamic arg0=1x3x1 --random-max=9
// EVAL: crop_dynamic arg0=1x12x1 --random-max=9
// EVAL: crop_dynamic arg0=1x0x1 --random-max=9
// EVAL: enough arg0=1x3x1
func.func @crop_of_unknown(%x: tensor<?x?x1xf32>, %w: tensor<1x1x1xf32>) -> tensor<?x?x1xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, -5]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x1xf32>, tensor<1x1x1xf32>) -> tensor<?x?x1xf32>
  return %0 : tensor<?x?x1xf32>
}
func.func @crop_dynamic(%x: tensor<1x?x1xf32>, %w: tensor<1x1x1xf32>, %p: tensor<1x2xi32>) -> tensor<1x?x1xf32> {
  %n = stablehlo.negate %p : tensor<1x2xi32>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %n) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x?x1xf32>, tensor<1x1x1xf32>, tensor<1x2xi32>) -> tensor<1x?x1xf32>
  return %0 : tensor<1x?x1xf32>
}
func.func @enough(%x: tensor<1x?x1xf32>, %w: tensor<1x1x1xf32>) -> (tensor<1x?x1xf32>, tensor<1x?x1xf32>) {
  %0 = stablehlo.concatenate %x, %x, %x, dim = 1 : (tensor<1x?x1xf32>, tensor<1x?x1xf32>, tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
  %y = stablehlo.constant dense<0.5> : tensor<1x3x1xf32>
  %j = stablehlo.concatenate %0, %y, dim = 1 : (tensor<1x?x1xf32>, tensor<1x3x1xf32>) -> tensor<1x?x1xf32>
  %1 = stablehlo.convolution(%j, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[-2, -1]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x?x1xf32>, tensor<1x1x1xf32>) -> tensor<1x?x1xf32>
  %p = stablehlo.constant dense<[[3, -2]]> : tensor<1x2xi32>
  %2 = "stablehlo.dynamic_conv"(%x, %w, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x?x1xf32>, tensor<1x1x1xf32>, tensor<1x2xi32>) -> tensor<1x?x1xf32>
  return %1, %2 : tensor<1x?x1xf32>, tensor<1x?x1xf32>
}
