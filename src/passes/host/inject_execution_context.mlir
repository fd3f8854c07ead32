// RUN: heddle-opt --target=cpu --split-input-file --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --disc-buffer-deallocation --disc-inject-execution-context %s | FileCheck %s

// CHECK-LABEL: func.func @main() attributes {hd.host, hd.messages = [
// CHECK: hd.ral_call "ral_recv_input___pvoid_i64___m1df32"
// CHECK: hd.ral_call "ral_alloc_output___pvoid_i64_i64_i64___pvoid"
// CHECK: hd.launch
// CHECK: hd.ral_call "ral_send_output___pvoid_i64_m1df32___void"
// CHECK: return
func.func @main(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A loop without launches asks whether the run goes on.
// CHECK-LABEL: func.func @spin() attributes {hd.host, hd.messages = [{{.*}}]}
// CHECK: scf.while
// CHECK: } do {
// CHECK: hd.ral_call "ral_go_on___pvoid___void"
func.func @spin(%x: tensor<i32>) -> tensor<i32> {
  %r = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %end = stablehlo.constant dense<7> : tensor<i32>
    %c = stablehlo.compare NE, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %n = stablehlo.add %i, %two : tensor<i32>
    stablehlo.return %n : tensor<i32>
  }
  return %r : tensor<i32>
}
