func.func private @larger(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.maximum %a, %b : tensor<i32>
  return %0 : tensor<i32>
}
func.func @dynamic_reduce_window() {
  %x = stablehlo.constant dense<[[1, 5, 2], [7, 3, 4]]> : tensor<2x3xi32>
  %z = stablehlo.constant dense<-9> : tensor<i32>
  %size = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %one = stablehlo.constant dense<1> : tensor<2xi64>
  %pad = stablehlo.constant dense<0> : tensor<2x2xi64>
  %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %size, %one, %one, %one, %pad) {called_computations = [@larger]} : (tensor<2x3xi32>, tensor<i32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2x2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %r, dense<[[5, 5], [7, 4]]> : tensor<2x2xi32>
  return
}
