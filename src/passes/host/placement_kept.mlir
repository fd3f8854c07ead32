// RUN: heddle-opt --disc-placer --disc-broadcast-simplifier --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-loop-invariant --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-dot-rewriter --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-dot-rewriter="align=8 min-size=1" --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-conv-rewriter="input=nhwc filter=ohwi output=nhwc" --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-gpu-conv-padding-legalization --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-canonicalize-reduction --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --target=cuda --disc-placer --disc-split-large-ops=max-operands=2 --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-element-type-converter=target=cuda --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-dot-rewriter=merge --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-conv-rewriter="input=nhwc filter=keep output=nhwc fold" --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-canonicalize-reduction="two-steps rank-2=false" --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --loop-invariant-code-motion --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --hlo-expand --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --chlo-legalize-to-stablehlo --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --cse --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --sccp=simplify-branches --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --canonicalize --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --stablehlo-refine-shapes --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-shape-analysis --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-sink-constants --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --disc-placer --disc-transpose-of-dot --disc-placement-fixer %s | FileCheck %s
// RUN: heddle-opt --target=cuda --disc-placer --disc-broadcast-simplifier --disc-loop-invariant --disc-dot-rewriter --disc-dot-rewriter="align=8 min-size=1" --disc-conv-rewriter="input=nhwc filter=ohwi output=nhwc" --disc-gpu-conv-padding-legalization --disc-canonicalize-reduction --disc-split-large-ops=max-operands=2 --disc-element-type-converter=target=cuda --hlo-expand --chlo-legalize-to-stablehlo --cse --sccp=simplify-branches --canonicalize --stablehlo-refine-shapes --disc-shape-analysis --disc-sink-constants --disc-transpose-of-dot --disc-placement-fixer %s | FileCheck %s

// No graph pass loses a placement that the fixer cannot give again: after it every op is placed, and every operand lies
// where it is read.
// CHECK: func.func @main
// CHECK-SAME: hd.placed = "graph"
func.func @main(%x: tensor<?x3x9x8xf32>, %w: tensor<4x3x3x3xf32>, %a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %p: tensor<?xi1>, %h: tensor<?xbf16>) -> (tensor<?x4x7x6xf32>, tensor<f32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<i1>, tensor<?xbf16>, tensor<?x12xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %f = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [0, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x3x9x8xf32>, tensor<4x3x3x3xf32>) -> tensor<?x4x9x8xf32>
  %s = stablehlo.slice %0 [0:1, 0:4, 0:9, 0:8] : (tensor<?x4x9x8xf32>) -> tensor<1x4x9x8xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<?x4x9x8xf32>, tensor<f32>) -> tensor<f32>
  %t = stablehlo.transpose %b, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.dot_general %a, %t, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = chlo.broadcast_add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = stablehlo.reduce(%p init: %f) applies stablehlo.or across dimensions = [0] : (tensor<?xi1>, tensor<i1>) -> tensor<i1>
  %5 = stablehlo.add %h, %h : tensor<?xbf16>
  %6 = stablehlo.slice %0 [0:1, 0:4, 0:7, 0:6] : (tensor<?x4x9x8xf32>) -> tensor<1x4x7x6xf32>
  %7 = stablehlo.concatenate %6, %6, dim = 0 : (tensor<1x4x7x6xf32>, tensor<1x4x7x6xf32>) -> tensor<?x4x7x6xf32>
  %8 = "stablehlo.reshape"(%6) : (tensor<1x4x7x6xf32>) -> tensor<14x12xf32>
  %9 = stablehlo.concatenate %8, %8, %8, dim = 0 : (tensor<14x12xf32>, tensor<14x12xf32>, tensor<14x12xf32>) -> tensor<?x12xf32>
  return %7, %1, %2, %3, %4, %5, %9 : tensor<?x4x7x6xf32>, tensor<f32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<i1>, tensor<?xbf16>, tensor<?x12xf32>
}
