// A window over all elements up to each, whose initial value is no neutral element: a scan met it once.
// run: --dims d20=3
func.func @main(%x: tensor<20xi32>, %y: tensor<?x20xf32>) -> (tensor<20xi32>, tensor<?x20xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %one) <{window_dimensions = array<i64: 20>, padding = dense<[[19, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<20xi32>, tensor<i32>) -> tensor<20xi32>
  %1 = "stablehlo.reduce_window"(%y, %two) <{window_dimensions = array<i64: 1, 20>, padding = dense<[[0, 0], [0, 19]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x20xf32>, tensor<f32>) -> tensor<?x20xf32>
  return %0, %1 : tensor<20xi32>, tensor<?x20xf32>
}
