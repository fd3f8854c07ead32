// RUN: heddle-opt --disc-placer --split-input-file --verify-diagnostics %s

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @call(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'func.call' op disc-placer: expected a program without calls: run inline first}}
  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A pass that loses a placement is found by the verifier.
func.func @lost(%x: tensor<f32>) -> tensor<f32> attributes {hd.placed = "graph"} {
  // expected-error@+1 {{'stablehlo.negate' op has no placement of its results: expected hd.placement with 1 entries 'host' or 'device'}}
  %0 = stablehlo.negate %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @elsewhere(%x: tensor<f32>) -> tensor<f32> attributes {hd.placed = "graph"} {
  %0 = stablehlo.negate %x {hd.placement = ["device"]} : tensor<f32>
  // expected-error@+1 {{'stablehlo.negate' op reads operand #0 on the host, which lies on the device: expected a copy}}
  %1 = stablehlo.negate %0 {hd.placement = ["host"]} : tensor<f32>
  return %1 : tensor<f32>
}
