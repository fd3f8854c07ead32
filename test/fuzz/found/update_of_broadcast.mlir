func.func public @main(%a0: tensor<i8>, %c2_0: tensor<4x3xui16>) -> (tensor<5x3xui16>) {
  %v3 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x3xui16>
  %v6 = stablehlo.constant dense<0> : tensor<i8>
  %v7 = "stablehlo.dynamic_update_slice"(%v3, %c2_0, %a0, %v6) : (tensor<5x3xui16>, tensor<4x3xui16>, tensor<i8>, tensor<i8>) -> tensor<5x3xui16>
  return %v7 : tensor<5x3xui16>
}
