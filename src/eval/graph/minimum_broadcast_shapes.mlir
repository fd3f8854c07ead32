// RUN: heddle check %s | FileCheck %s
// RUN: heddle check --target=cpu %s | FileCheck %s
// CHECK: 4 passed, 0 failed

func.func @merges() {
  %a = stablehlo.constant dense<[1, 2, 3, 1, 2, 1]> : tensor<6xi32>
  %b = stablehlo.constant dense<[1, 1, 1, 2, 3]> : tensor<5xi32>
  %0:2 = chlo.minimum_broadcast_shapes %a, %b : tensor<6xi32>, tensor<5xi32> -> tensor<3xi32>, tensor<2xi32>
  check.expect_eq_const %0#0, dense<[6, 2, 1]> : tensor<3xi32>
  check.expect_eq_const %0#1, dense<[2, 3]> : tensor<2xi32>
  return
}

func.func @equal() {
  %a = stablehlo.constant dense<[4, 0, 3]> : tensor<3xi64>
  %0:2 = chlo.minimum_broadcast_shapes %a, %a : tensor<3xi64>, tensor<3xi64> -> tensor<1xi64>, tensor<1xi64>
  check.expect_eq_const %0#0, dense<[0]> : tensor<1xi64>
  check.expect_eq_const %0#1, dense<[0]> : tensor<1xi64>
  return
}

func.func @ones() {
  %a = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %b = stablehlo.constant dense<> : tensor<0xi32>
  %c = stablehlo.constant dense<[5, 1, 7]> : tensor<3xi32>
  %0:3 = chlo.minimum_broadcast_shapes %a, %b, %c : tensor<2xi32>, tensor<0xi32>, tensor<3xi32> -> tensor<0xi32>, tensor<0xi32>, tensor<1xi32>
  check.expect_eq_const %0#2, dense<[35]> : tensor<1xi32>
  return
}

// Of how many sizes only the data tell.
func.func @unknown() {
  %n = stablehlo.constant dense<[1, 2, 3, 1, 2, 1]> : tensor<6xi32>
  %m = stablehlo.constant dense<[1, 1, 1, 2, 3]> : tensor<5xi64>
  %a, %b = stablehlo.optimization_barrier %n, %m : tensor<6xi32>, tensor<5xi64>
  %0:2 = "mhlo.minimum_broadcast_shapes"(%a, %b) : (tensor<6xi32>, tensor<5xi64>) -> (tensor<?xi32>, tensor<?xi64>)
  %c = stablehlo.constant dense<[6, 2, 1]> : tensor<3xi32>
  %d = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  "check.expect_eq"(%0#0, %c) : (tensor<?xi32>, tensor<3xi32>) -> ()
  "check.expect_eq"(%0#1, %d) : (tensor<?xi64>, tensor<2xi64>) -> ()
  return
}
