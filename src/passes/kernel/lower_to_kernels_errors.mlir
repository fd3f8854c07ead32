// RUN: heddle-opt --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --disc-buffer-deallocation --split-input-file --verify-diagnostics %s

func.func @no_path(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'lmhlo.custom_call' op has no compiled path on the CPU}}
  %0 = stablehlo.custom_call @mystery(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
