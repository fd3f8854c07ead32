module @channels {
  func.func private @source(%x: tensor<2xi64>) {
    %t = stablehlo.after_all : !stablehlo.token
    %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>}> : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
    return
  }
  func.func private @sink() -> (tensor<2xi64>, tensor<i64>) {
    %t = stablehlo.after_all : !stablehlo.token
    %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    %1:2 = "stablehlo.infeed"(%0#1) : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)
    return %0#0, %1#0 : tensor<2xi64>, tensor<i64>
  }
  func.func private @feed() -> tensor<i64> {
    %0 = stablehlo.constant dense<42> : tensor<i64>
    return %0 : tensor<i64>
  }
  func.func @send_and_receive() {
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %r:2 = "interpreter.run_parallel"(%x) {programs = [[@sink], [@source]], infeed = [@feed]} : (tensor<2xi64>) -> (tensor<2xi64>, tensor<i64>)
    check.expect_eq_const %r#0, dense<[1, 2]> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<42> : tensor<i64>
    return
  }
}
