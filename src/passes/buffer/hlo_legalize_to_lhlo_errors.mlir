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
