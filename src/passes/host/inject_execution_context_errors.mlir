// RUN: heddle-opt --disc-inject-execution-context --split-input-file --verify-diagnostics %s

// expected-error@+1 {{disc-inject-execution-context: argument 0 is no buffer: run disc-hlo-legalize-to-lhlo first}}
func.func @tensor(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{disc-inject-execution-context: result 0 is no buffer: run disc-hlo-legalize-to-lhlo first}}
func.func @token(%x: memref<4xf32>) -> !stablehlo.token {
  %t = stablehlo.create_token : !stablehlo.token
  return %t : !stablehlo.token
}
