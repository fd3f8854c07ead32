// The version of a row kernel without its broadcast had rows of a shape that was not known to be the outputs'.
// run: --target=simt --shape arg0=1x5x4 --shape arg1=3x5x4
func.func @main(%x: tensor<?x?x4xf32>, %y: tensor<3x?x4xf32>) -> tensor<3xf32> {
  %sy = shape.shape_of %y : tensor<3x?x4xf32> -> tensor<3xindex>
  %b = stablehlo.dynamic_broadcast_in_dim %x, %sy, dims = [0, 1, 2] : (tensor<?x?x4xf32>, tensor<3xindex>) -> tensor<3x?x4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [1, 2] : (tensor<3x?x4xf32>, tensor<f32>) -> tensor<3xf32>
  %e = stablehlo.exponential %r : tensor<3xf32>
  return %e : tensor<3xf32>
}
