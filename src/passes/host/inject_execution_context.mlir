// RUN: heddle-opt --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels --disc-buffer-deallocation --disc-inject-execution-context %s | FileCheck %s

// CHECK-LABEL: func.func @main() attributes {hd.host}
// CHECK: hd.ral_call "ral_recv_input___pvoid_i64___m1df32"
// CHECK: hd.ral_call "ral_alloc_output___pvoid_i64_i64___pvoid"
// CHECK: hd.launch
// CHECK: hd.ral_call "ral_send_output___pvoid_i64_m1df32___void"
// CHECK: return
func.func @main(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %arg0 : tensor<?xf32>
  return %0 : tensor<?xf32>
}
