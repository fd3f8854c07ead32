// RUN: heddle-opt --disc-hlo-legalize-to-lhlo --split-input-file --verify-diagnostics %s

// What a pass has added, or reads from elsewhere since, is refused by the step to buffers; disc-placement-fixer completes it
// (placement_kept.mlir).
func.func @lost(%x: tensor<f32>) -> tensor<f32> attributes {hd.placed = "graph"} {
  // expected-error@+1 {{'stablehlo.negate' op has no placement of its results: expected hd.placement with 1 entries 'host' or 'device': run disc-placement-fixer first}}
  %0 = stablehlo.negate %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @elsewhere(%x: tensor<f32>) -> tensor<f32> attributes {hd.placed = "graph"} {
  %0 = stablehlo.negate %x {hd.placement = ["device"]} : tensor<f32>
  // expected-error@+1 {{'stablehlo.negate' op reads operand #0 on the host, which is on the device: expected a copy}}
  %1 = stablehlo.negate %0 {hd.placement = ["host"]} : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// What a reducer uses is read where the reduction runs.
func.func @captured(%x: tensor<?xi32>, %zero: tensor<i32>) -> tensor<i32> attributes {hd.placed = "graph"} {
  %d = stablehlo.get_dimension_size %x, dim = 0 {hd.placement = ["host"]} : (tensor<?xi32>) -> tensor<i32>
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [0] {hd.placement = ["device"]} : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
      // expected-error@+1 {{'stablehlo.maximum' op reads operand #1 on the device, as 'stablehlo.reduce' around it runs there, and it is on the host: expected a copy}}
      %m = stablehlo.maximum %b, %d : tensor<i32>
      %1 = stablehlo.add %a, %m : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  return %0 : tensor<i32>
}
