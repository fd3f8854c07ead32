// The program of docs/design/life-of-a-program.md, at the five points that the page shows.
// RUN: heddle-opt %s --pass-pipeline=disc-hlo-legalize-to-lhlo | FileCheck %s --check-prefix=BUFFER
// RUN: rm -rf %t && heddle compile %s -o %t.hdl --dump-to=%t --no-cache
// RUN: cat %t/*-disc-fusion.mlir | FileCheck %s --check-prefix=FUSION
// RUN: cat %t/*-disc-lower-to-kernels.mlir | FileCheck %s --check-prefix=KERNEL
// RUN: cat %t/*-disc-inject-execution-context.mlir | FileCheck %s --check-prefix=HOST
// RUN: heddle run %s --random 1 --shape arg0=3x5 --shape arg1=5 --no-cache --reference=eval

// BUFFER-LABEL: func.func @main
// BUFFER-NOT: tensor<
// BUFFER: %[[N:.*]] = memref.dim %arg0
// BUFFER: memref.alloc(%[[N]]
// BUFFER: "lmhlo.dynamic_broadcast_in_dim"(%arg1
// BUFFER: "lmhlo.add"
// BUFFER: "lmhlo.tanh"

// FUSION: "lmhlo.fusion"
// FUSION-NEXT: "lmhlo.dynamic_broadcast_in_dim"{{.*}}hd.inline
// FUSION-NEXT: "lmhlo.add"
// FUSION-NEXT: "lmhlo.tanh"
// FUSION-NEXT: lmhlo.terminator
// FUSION-NEXT: hd.kind = "loop"

// KERNEL: hd.launch @[[KERNEL:loop_add_tanh_0]] extent
// KERNEL: func.func private @[[KERNEL]]{{.*}}hd.kernel
// KERNEL: %[[SUM:.*]] = arith.addf {{.*}} : vector<16xf32>
// KERNEL: %[[Y:.*]] = math.tanh %[[SUM]] : vector<16xf32>
// KERNEL: vector.store %[[Y]]
// KERNEL: vector.maskedstore

// HOST: func.func @main() attributes {hd.host, hd.messages = ["{{.*}}life_of_a_program.mlir:{{[0-9:]+}}"]}
// HOST: %[[X:.*]] = hd.ral_call "ral_recv_input___pvoid_i64___m2df32"
// HOST: %[[MEMORY:.*]] = hd.ral_call "ral_alloc_output
// HOST-NOT: ral_alloc___
// HOST: %[[RESULT:.*]] = hd.memref %[[MEMORY]]
// HOST: hd.launch @loop_add_tanh_0 {{.*}}%[[RESULT]] :
// HOST: hd.ral_call "ral_send_output___pvoid_i64_m2df32___void"({{.*}}, %[[RESULT]])

func.func @main(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %2 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %5 = stablehlo.dynamic_broadcast_in_dim %arg1, %4, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %6 = stablehlo.add %arg0, %5 : tensor<?x?xf32>
  %7 = stablehlo.tanh %6 : tensor<?x?xf32>
  return %7 : tensor<?x?xf32>
}
