// RUN: heddle-opt --disc-element-type-converter=native=f16 --split-input-file --verify-diagnostics %s

func.func @too_wide(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'stablehlo.add' op disc-element-type-converter: no native type holds f32}}
  %0 = stablehlo.add %x, %x : tensor<f32>
  return %0 : tensor<f32>
}
