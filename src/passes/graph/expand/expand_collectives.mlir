// RUN: heddle-opt %s --split-input-file --hlo-expand | FileCheck %s
// Collectives are exchanges of whole blocks, with graph ops around them.

// CHECK-LABEL: @reduce
// CHECK: %[[ONE:.*]] = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%[[ONE]]) <{all_gather_dim = 0 : i64
// CHECK-SAME: {hd.grouping = 0 : i64, hd.members = 2 : i64, hd.partitions = 1 : i64}
// CHECK-SAME: -> tensor<2x4xf32>
// CHECK: %[[A:.*]] = stablehlo.reshape {{.*}} -> tensor<4xf32>
// CHECK: %[[B:.*]] = stablehlo.reshape {{.*}} -> tensor<4xf32>
// CHECK: %[[M:.*]] = stablehlo.maximum %[[A]], %[[B]] : tensor<4xf32>
// CHECK: return %[[M]]
func.func @reduce(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
// The blocks of dim 1 go to the front, and the parts that come are joined along dim 0.
module attributes {mhlo.num_partitions = 2 : i32} {
  // CHECK-LABEL: @exchange
  // CHECK: %[[T:.*]] = stablehlo.transpose %{{.*}}, dims = [1, 0, 2] : (tensor<3x2x4xf32>) -> tensor<2x3x4xf32>
  // CHECK: "stablehlo.all_to_all"(%[[T]]) <{{.*}}concat_dimension = 0 : i64{{.*}}split_count = 2 : i64, split_dimension = 0 : i64
  // CHECK-SAME: {hd.grouping = 1 : i64, hd.members = 2 : i64, hd.partitions = 2 : i64}
  // CHECK: stablehlo.reshape %{{.*}} -> tensor<6x4xf32>
  func.func @exchange(%x: tensor<3x8xf32>) -> tensor<6x4xf32> {
    %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<3x8xf32>) -> tensor<6x4xf32>
    return %r : tensor<6x4xf32>
  }
}
// -----
// A group of one is itself; a program without partitions is partition 0; the replica is known when it runs.
// CHECK-LABEL: @one
// CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<ui32>
// CHECK-DAG: %[[ID:.*]] = stablehlo.replica_id
// CHECK: return %arg0, %[[ZERO]], %[[ID]]
func.func @one(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<ui32>, tensor<ui32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.partition_id : tensor<ui32>
  %2 = stablehlo.replica_id : tensor<ui32>
  return %0, %1, %2 : tensor<4xf32>, tensor<ui32>, tensor<ui32>
}
