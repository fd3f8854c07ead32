// What the steps before have made of the program counts. Regions of an op of the right form are its own: reducers of
// buffer ops are written on tensors of elements.
// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion %s | FileCheck %s
// CHECK: lmhlo.fusion
// CHECK: "lmhlo.reduce"
// CHECK: stablehlo.add
// RUN: not heddle-opt --target=cpu --pass-pipeline='builtin.module(disc-hlo-legalize-to-lhlo,func.func(disc-fusion,disc-dot-rewriter))' %s 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: takes_order.mlir:{{.*}} error: '{{.*}}' op is on buffers, but disc-dot-rewriter takes tensors
// ORDER: pass 'disc-dot-rewriter' failed
func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.negate %x : tensor<?x4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
