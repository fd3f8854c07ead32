// RUN: heddle-opt --disc-placer --disc-hlo-legalize-to-lhlo --disc-placement-fixer %s | FileCheck %s

// Placements survive the step to buffers; what it adds gets them from the fixer.
// CHECK-LABEL: @main
// CHECK-SAME: hd.placed = "buffers"
// CHECK: "lmhlo.exponential"({{.*}}) <{hd.placement = ["device"]}>
// CHECK: scf.while
// CHECK: "lmhlo.multiply"({{.*}}) <{hd.placement = ["device"]}>
func.func @main(%n: tensor<i32>, %x: tensor<?x6xf32>) -> tensor<?x3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %e = stablehlo.exponential %x : tensor<?x6xf32>
  %0:2 = stablehlo.while(%i = %zero, %a = %e) : tensor<i32>, tensor<?x6xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.multiply %a, %a : tensor<?x6xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<?x6xf32>
    }
  %d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %m = stablehlo.multiply %d, %two : tensor<i32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %s = stablehlo.concatenate %m1, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %y = stablehlo.dynamic_reshape %0#1, %s : (tensor<?x6xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}
