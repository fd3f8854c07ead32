func.func @assertion() {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %k = stablehlo.constant dense<4> : tensor<i32>
  stablehlo.custom_call @shape_assertion(%p, %n, %k) {error_message = "n is {0}, k is {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return
}
