// RUN: heddle-opt --target=cpu %s --split-input-file --hlo-expand --disc-hlo-legalize-to-lhlo --disc-fusion --disc-lower-to-kernels | FileCheck %s
// A block that moves is a call with its address, its size and the groups; the process's ids are one too.
// CHECK-LABEL: @permute
// CHECK: hd.ral_call
// CHECK-SAME: ral_collective___pvoid_pvoid_pvoid_pvoid_pvoid_i64___void
func.func @permute(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
// -----
// CHECK-LABEL: @id
// CHECK: hd.ral_call
// CHECK-SAME: ral_process_id___pvoid_pvoid_i64_i1_i64___void
func.func @id() -> tensor<ui32> {
  %r = stablehlo.replica_id : tensor<ui32>
  return %r : tensor<ui32>
}
