// RUN: heddle-opt --emit-bytecode %s | heddle-opt | FileCheck %s
// RUN: not heddle-opt --emit-bytecode --target-version=1.19.0 %s -o %t 2>&1 | FileCheck %s --check-prefix=OLD
// Roots that an operand counts have a portable form since 1.20.0.
// CHECK: "stablehlo.collective_broadcast"(%arg0, %arg1) <{has_dynamic_root, replica_groups
// CHECK: "stablehlo.collective_reduce"(%0, %arg1) <{has_dynamic_root, replica_groups
// OLD: 'stablehlo.collective_broadcast' op expects one operand in the target version, got 2
func.func @f(%a: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_broadcast"(%a, %r) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  %1 = "stablehlo.collective_reduce"(%0, %r) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
