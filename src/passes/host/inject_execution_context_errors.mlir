// RUN: heddle-opt --disc-inject-execution-context --split-input-file --verify-diagnostics %s

// expected-error@+1 {{disc-inject-execution-context: argument 0 is no buffer: run disc-hlo-legalize-to-lhlo first}}
func.func @tensor(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{disc-inject-execution-context: result 0 is no buffer: run disc-hlo-legalize-to-lhlo first}}
func.func @number(%x: memref<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<4xf32>
  return %n : index
}

// -----

func.func @token(%x: memref<4xf32>) -> !stablehlo.token {
  // expected-error@+1 {{'stablehlo.create_token' op is on tensors, but disc-inject-execution-context takes buffers}}
  %t = stablehlo.create_token : !stablehlo.token
  return %t : !stablehlo.token
}
