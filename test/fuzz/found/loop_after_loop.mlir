// The second loop takes over what the first one gives back.
func.func public @main(%a0: tensor<9xf16>) -> (tensor<9xf16>, tensor<9xf16>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %m = stablehlo.negate %a0 : tensor<9xf16>
  %v2:3 = stablehlo.while(%i = %zero, %x = %m, %y = %a0) : tensor<i32>, tensor<9xf16>, tensor<9xf16>
   cond {
    %p = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> : (tensor<9xf16>) -> tensor<9xf16>
    stablehlo.return %j, %y, %s : tensor<i32>, tensor<9xf16>, tensor<9xf16>
  }
  %v14:2 = stablehlo.while(%i = %zero, %x = %v2#1) : tensor<i32>, tensor<9xf16>
   cond {
    %p = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> : (tensor<9xf16>) -> tensor<9xf16>
    stablehlo.return %j, %s : tensor<i32>, tensor<9xf16>
  }
  %e = stablehlo.exponential %a0 : tensor<9xf16>
  return %v14#1, %e : tensor<9xf16>, tensor<9xf16>
}
