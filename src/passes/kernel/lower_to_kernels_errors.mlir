// RUN: heddle-opt --target=cpu --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --disc-buffer-deallocation --split-input-file --verify-diagnostics %s

func.func @no_path(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'lmhlo.custom_call' op calls back into the program, which has no compiled path}}
  %0 = stablehlo.custom_call @mystery(%arg0) {called_computations = [@no_path]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
