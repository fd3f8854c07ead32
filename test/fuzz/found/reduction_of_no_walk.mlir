// A reduction that no row kernel fits, with an output of another shape.
// run: --dims d0=3,d1=2
func.func public @main(%a0: tensor<?x1xbf16>, %c10_0: tensor<bf16>, %c9_0: tensor<1xbf16>, %c5_0: tensor<bf16>, %c0_0: tensor<?x1xbf16>) -> (tensor<?x1x1xbf16>, tensor<1xbf16>, tensor<1xbf16>, tensor<bf16>) {
%v10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
%v11 = "stablehlo.reduce"(%c0_0, %v10) <{dimensions = array<i64: 0, 1>}> ({
^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
%z = stablehlo.minimum %x, %y : tensor<bf16>
stablehlo.return %z : tensor<bf16>
}) : (tensor<?x1xbf16>, tensor<bf16>) -> tensor<bf16>
%v13 = "stablehlo.broadcast_in_dim"(%v11) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<1xbf16>
%v14 = stablehlo.dot_general %a0, %v13, contracting_dims = [] x [] : (tensor<?x1xbf16>, tensor<1xbf16>) -> tensor<?x1x1xbf16>
%v16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
%v18 = "stablehlo.clamp"(%v16, %v13, %c5_0) : (tensor<bf16>, tensor<1xbf16>, tensor<bf16>) -> tensor<1xbf16>
return %v14, %v18, %c9_0, %c10_0 : tensor<?x1x1xbf16>, tensor<1xbf16>, tensor<1xbf16>, tensor<bf16>
}
