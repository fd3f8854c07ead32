// A row kernel has its own row: what is read through a transpose comes from memory, also where another operand joins the
// reader with the rows.
func.func @main(%a: tensor<19x19xf32>) -> (tensor<19x19xf32>, tensor<19xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %a : tensor<19x19xf32>
  %m = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<19x19xf32>, tensor<f32>) -> tensor<19xf32>
  %b = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<19xf32>) -> tensor<19x19xf32>
  %d = stablehlo.divide %e, %b : tensor<19x19xf32>
  %t = stablehlo.transpose %d, dims = [1, 0] : (tensor<19x19xf32>) -> tensor<19x19xf32>
  %s = stablehlo.subtract %a, %t : tensor<19x19xf32>
  %r = stablehlo.add %d, %s : tensor<19x19xf32>
  return %r, %m : tensor<19x19xf32>, tensor<19xf32>
}
