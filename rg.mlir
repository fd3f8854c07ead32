func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %f1 = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %r = "stablehlo.select_and_scatter"(%x, %x, %f1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %y, %z : tensor<?xf32>
 %f0 = stablehlo.constant dense<0.0> : tensor<f32>
 %k = stablehlo.reduce(%s0 init: %f0) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>

    %e = stablehlo.add %a, %k : tensor<f32>
    %c = stablehlo.compare GE, %e, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %e = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %e : tensor<f32>
  }) {window_dimensions = array<i64: 1>, window_strides = array<i64: 1>} : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}