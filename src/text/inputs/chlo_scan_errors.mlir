func.func @types(%x: tensor<8xf32>, %i: tensor<f32>) {
  %0:2 = chlo.scan(%x) inits (%i) dimension=0 { ^bb0(%a: tensor<f32>, %c: tensor<f32>): stablehlo.return %a, %c : tensor<f32>, tensor<f32> } : (tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>)
  return
}
// -----
func.func @results(%x: tensor<8xf32>, %i: tensor<f32>) {
  chlo.scan(%x) inits (%i) dimension=0 { ^bb0(%a: tensor<f32>, %c: tensor<f32>): stablehlo.return %a, %c : tensor<f32>, tensor<f32> } : (tensor<8xf32>, tensor<f32>) -> ()
  return
}
// -----
func.func @word(%x: tensor<8xf32>, %i: tensor<f32>) {
  %0:2 = chlo.scan(%x) (%i) dimension=0 { ^bb0(%a: tensor<f32>, %c: tensor<f32>): stablehlo.return %a, %c : tensor<f32>, tensor<f32> } : (tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
  return
}
