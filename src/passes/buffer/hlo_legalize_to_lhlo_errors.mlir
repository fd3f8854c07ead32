// RUN: heddle-opt --disc-hlo-legalize-to-lhlo --split-input-file --verify-diagnostics %s

func.func @implicit(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{'mhlo.add' op broadcasts implicitly: run disc-broadcast-simplifier before disc-hlo-legalize-to-lhlo}}
  %0 = "mhlo.add"(%a, %b) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// expected-error@+1 {{has more than one block: disc-hlo-legalize-to-lhlo takes structured control flow}}
func.func @blocks(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  cf.br ^bb1
^bb1:
  return %a : tensor<2x3xf32>
}

// -----

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @call(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'func.call' op has no buffer form: run inline before disc-hlo-legalize-to-lhlo}}
  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @chlo(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'chlo.erf' op has no buffer form: run chlo-legalize-to-stablehlo before disc-hlo-legalize-to-lhlo}}
  %0 = chlo.erf %x : tensor<f32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @tuple(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'stablehlo.tuple' op has a tuple as its result: run hlo-expand before disc-hlo-legalize-to-lhlo}}
  %t = stablehlo.tuple %x, %x : tuple<tensor<f32>, tensor<f32>>
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  return %0 : tensor<f32>
}
