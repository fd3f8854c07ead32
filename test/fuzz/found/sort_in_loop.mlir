// A step of a loop frees the sort's own memory: it is made once, before the loop, and freed behind it.
// run: --shape arg1=37
func.func public @main(%n: tensor<i32>, %x: tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %z, %w = %x) : tensor<i32>, tensor<?xf32>
   cond { %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
     stablehlo.return %c : tensor<i1> } do {
     %y = stablehlo.negate %w : tensor<?xf32>
     %q = "stablehlo.sort"(%y) ({^bb0(%a: tensor<f32>, %b: tensor<f32>):
       %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
       stablehlo.return %p : tensor<i1>}) {dimension = 0 : i64, is_stable = true} : (tensor<?xf32>) -> tensor<?xf32>
     %j = stablehlo.add %i, %one : tensor<i32>
     stablehlo.return %j, %q : tensor<i32>, tensor<?xf32> }
  return %r#0, %r#1 : tensor<i32>, tensor<?xf32>
}
