module @permute {
  func.func private @p(%x: tensor<1xi64>) -> (tensor<1xi64>, tensor<1xi64>) {
    %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>}> : (tensor<1xi64>) -> tensor<1xi64>
    %1 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>}> : (tensor<1xi64>) -> tensor<1xi64>
    return %0, %1 : tensor<1xi64>, tensor<1xi64>
  }
  func.func @permute_three() {
    %x = stablehlo.constant dense<[1]> : tensor<1xi64>
    %y = stablehlo.constant dense<[2]> : tensor<1xi64>
    %z = stablehlo.constant dense<[3]> : tensor<1xi64>
    %r:6 = "interpreter.run_parallel"(%x, %y, %z) {programs = [[@p], [@p], [@p]]} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
    check.expect_eq_const %r#0, dense<[0]> : tensor<1xi64>
    check.expect_eq_const %r#2, dense<[1]> : tensor<1xi64>
    check.expect_eq_const %r#4, dense<[2]> : tensor<1xi64>
    check.expect_eq_const %r#1, dense<[0]> : tensor<1xi64>
    check.expect_eq_const %r#3, dense<[3]> : tensor<1xi64>
    return
  }
}
