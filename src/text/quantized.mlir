// SPDX-License-Identifier: Apache-2.0
// Types whose scales are the same numbers in another shape are other types, and scales of more dims than there are blocks are kept.
// RUN: heddle-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @flat
// CHECK-SAME: %arg0: tensor<2x2x!quant.uniform<i8:f32:{0:1, 1:2}, {{[{][{]}}1.000000e+00, 2.000000e+00}}>>
// CHECK-SAME: %arg1: tensor<2x2x!quant.uniform<i8:f32:{0:1, 1:2}, {{[{][{]}}1.000000e+00}, {2.000000e+00}}>>
func.func @flat(%x: tensor<2x2x!quant.uniform<i8:f32:{0:1, 1:2}, {{1.0, 2.0}}>>, %y: tensor<2x2x!quant.uniform<i8:f32:{0:1, 1:2}, {{1.0}, {2.0}}>>) { return }

// CHECK-LABEL: @deep
// CHECK-SAME: {0:1, 1:2, 2:1}, {{[{][{][{]}}1.000000e+00, 2.000000e+00}}, {{[{][{]}}3.000000e+00, 4.000000e+00}}}>>
func.func @deep(%x: tensor<2x2x2x!quant.uniform<i8:f32:{0:1, 1:2, 2:1}, {{{1.0, 2.0}}, {{3.0, 4.0}}}>>) { return }
