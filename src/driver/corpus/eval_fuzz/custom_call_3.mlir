func.func @dynamic_random_bits() {
  %s = stablehlo.constant dense<[5, 7]> : tensor<2xui64>
  %n = stablehlo.constant dense<[4]> : tensor<1xi64>
  %t, %r = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi64>) -> (tensor<2xui64>, tensor<?xui32>)
  %u, %q = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %f = stablehlo.convert %r : (tensor<?xui32>) -> tensor<?xi64>
  %g = stablehlo.convert %q : (tensor<4xui32>) -> tensor<4xi64>
  check.expect_eq %t, %u : tensor<2xui64>
  %h = stablehlo.custom_call @Sharding(%g) : (tensor<4xi64>) -> tensor<4xi64>
  stablehlo.custom_call @check.expect_eq(%f, %h) {has_side_effect = true} : (tensor<?xi64>, tensor<4xi64>) -> ()
  return
}
