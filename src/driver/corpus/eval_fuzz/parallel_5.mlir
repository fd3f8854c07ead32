module @ring {
  func.func private @p(%x: tensor<2xf32>) -> tensor<2xf32> {
    %t = stablehlo.create_token : !stablehlo.token
    %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    %1:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    %2 = "stablehlo.outfeed"(%1#0, %x, %1#1) : (tensor<2xf32>, tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    return %1#0 : tensor<2xf32>
  }
  func.func private @q(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<i1>) {
    %t = stablehlo.create_token : !stablehlo.token
    %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    %1:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    %2:3 = "stablehlo.infeed"(%1#1) : (!stablehlo.token) -> (tensor<2xf32>, tensor<i1>, !stablehlo.token)
    %3:3 = "stablehlo.infeed"(%2#2) : (!stablehlo.token) -> (tensor<2xf32>, tensor<i1>, !stablehlo.token)
    %4 = stablehlo.add %1#0, %2#0 : tensor<2xf32>
    %5 = stablehlo.subtract %4, %3#0 : tensor<2xf32>
    return %5, %3#1 : tensor<2xf32>, tensor<i1>
  }
  func.func private @first() -> (tensor<2xf32>, tensor<i1>) {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %1 = stablehlo.constant dense<false> : tensor<i1>
    return %0, %1 : tensor<2xf32>, tensor<i1>
  }
  func.func private @second() -> (tensor<2xf32>, tensor<i1>) {
    %0 = stablehlo.constant dense<[4.0, 8.0]> : tensor<2xf32>
    %1 = stablehlo.constant dense<true> : tensor<i1>
    return %0, %1 : tensor<2xf32>, tensor<i1>
  }
  func.func @crosswise() {
    %x = stablehlo.constant dense<[16.0, 32.0]> : tensor<2xf32>
    %y = stablehlo.constant dense<[64.0, 128.0]> : tensor<2xf32>
    %r:3 = "interpreter.run_parallel"(%x, %y) {programs = [[@p], [@q]], infeed = [@first, @second]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<i1>)
    check.expect_eq_const %r#0, dense<[64.0, 128.0]> : tensor<2xf32>
    check.expect_eq_const %r#1, dense<[13.0, 26.0]> : tensor<2xf32>
    check.expect_eq_const %r#2, dense<true> : tensor<i1>
    return
  }
}
