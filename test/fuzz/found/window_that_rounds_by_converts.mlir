// A long window whose region rounds each step itself was taken as a monoid's and went by doubling.
// run: --no-excess-precision
func.func @main(%x: tensor<3x1021xbf16>) -> tensor<3x722xbf16> {
  %y = stablehlo.multiply %x, %x : tensor<3x1021xbf16>
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = "stablehlo.reduce_window"(%y, %z) <{window_dimensions = array<i64: 1, 300>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %p = stablehlo.convert %a : (tensor<bf16>) -> tensor<f32>
    %q = stablehlo.convert %b : (tensor<bf16>) -> tensor<f32>
    %s = stablehlo.add %p, %q : tensor<f32>
    %t = stablehlo.convert %s : (tensor<f32>) -> tensor<bf16>
    stablehlo.return %t : tensor<bf16>
  }) : (tensor<3x1021xbf16>, tensor<bf16>) -> tensor<3x722xbf16>
  return %r : tensor<3x722xbf16>
}
