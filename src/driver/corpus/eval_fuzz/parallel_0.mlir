module @reduce {
  func.func private @half(%x: tensor<2xi64>) -> (tensor<2xi64>, tensor<ui32>) {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) : (tensor<2xi64>) -> tensor<2xi64>
    %1 = stablehlo.replica_id : tensor<ui32>
    return %0, %1 : tensor<2xi64>, tensor<ui32>
  }
  func.func @all_reduce() {
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %y = stablehlo.constant dense<[10, 20]> : tensor<2xi64>
    %r:4 = "interpreter.run_parallel"(%x, %y) {programs = [[@half], [@half]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<ui32>, tensor<2xi64>, tensor<ui32>)
    check.expect_eq_const %r#0, dense<[11, 22]> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<[11, 22]> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<0> : tensor<ui32>
    check.expect_eq_const %r#3, dense<1> : tensor<ui32>
    return
  }
}
