// The same, of a size that only the run knows.
// run: --dims d0=37
func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %s = stablehlo.add %a, %b : tensor<f32>
  return %s : tensor<f32>
}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %init = stablehlo.constant dense<1.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %minus = stablehlo.constant dense<-1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %size = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %others = stablehlo.add %n, %minus : tensor<i32>
  %low = stablehlo.reshape %others : (tensor<i32>) -> tensor<1xi32>
  %flat = stablehlo.concatenate %low, %zero, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %padding = stablehlo.reshape %flat : (tensor<2xi32>) -> tensor<1x2xi32>
  %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %init, %size, %one, %one, %one, %padding) {called_computations = [@sum]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
