// Analyses that a pass preserves are what they are when computed anew.
// RUN: heddle-opt --target=cpu %s --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --verify-preserved | FileCheck %s
// RUN: heddle-opt %s --disc-pipeline=target=cpu --verify-preserved -o %t
// RUN: heddle-opt %s --disc-pipeline=target=cuda --verify-preserved -o %t
// RUN: heddle-opt %s --disc-shape-analysis --disc-hlo-legalize-to-lhlo --verify-preserved -o %t
// RUN: heddle-opt %s --stablehlo-refine-shapes --order-sorts --disc-placement-fixer --verify-preserved -o %t
// RUN: heddle-opt %src/src/passes/graph/simplify/order_sorts.mlir --split-input-file --stablehlo-refine-shapes --order-sorts --disc-placement-fixer --verify-preserved -o %t
// RUN: heddle-opt %src/src/passes/host/placement_pipeline.mlir --disc-placer --disc-hlo-legalize-to-lhlo --disc-placement-fixer --disc-insert-memory-marker --verify-preserved -o %t
// CHECK: hd.launch

func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x8xf32>, %n: tensor<2xi32>) -> (tensor<?x8xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = stablehlo.tanh %0 : tensor<?x8xf32>
  %2 = stablehlo.dynamic_reshape %x, %n : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %3 = stablehlo.exponential %2 : tensor<?x?xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %1, %3, %4 : tensor<?x8xf32>, tensor<?x?xf32>, tensor<?xf32>
}
