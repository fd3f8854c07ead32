module @asynchronous {
  func.func private @given(%x: tensor<1x2xi64>) -> tensor<2x2xi64> {
    %0 = "stablehlo.async_start"(%x) ({
    ^bb0(%y: tensor<1x2xi64>):
      %1 = "stablehlo.all_gather"(%y) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1x2xi64>) -> tensor<2x2xi64>
      stablehlo.return %1 : tensor<2x2xi64>
    }) : (tensor<1x2xi64>) -> !stablehlo.future<tensor<2x2xi64>>
    %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2x2xi64>>) -> tensor<2x2xi64>
    return %2 : tensor<2x2xi64>
  }
  func.func private @seen(%x: tensor<1x2xi64>) -> tensor<2x2xi64> {
    %0 = "stablehlo.async_start"(%x) ({
      %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1x2xi64>) -> tensor<2x2xi64>
      stablehlo.return %1 : tensor<2x2xi64>
    }) : (tensor<1x2xi64>) -> !stablehlo.future<tensor<2x2xi64>>
    %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2x2xi64>>) -> tensor<2x2xi64>
    return %2 : tensor<2x2xi64>
  }
  func.func @gather() {
    %x = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %y = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %r:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@given], [@given]]} : (tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %r#1, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    return
  }
  func.func @gather_seen() {
    %x = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %y = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %r:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@seen], [@seen]]} : (tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %r#0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    return
  }
}
