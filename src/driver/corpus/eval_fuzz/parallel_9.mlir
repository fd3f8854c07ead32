module @alone {
  func.func private @p(%x: tensor<1xi64>) -> tensor<1xi64> {
    %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xi64>) -> tensor<1xi64>
    return %0 : tensor<1xi64>
  }
  func.func private @q(%x: tensor<1xi64>) -> tensor<1xi64> {
    return %x : tensor<1xi64>
  }
  func.func @never() {
    %x = stablehlo.constant dense<[1]> : tensor<1xi64>
    %r:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@p], [@q]]} : (tensor<1xi64>, tensor<1xi64>) -> (tensor<1xi64>, tensor<1xi64>)
    return
  }
}
