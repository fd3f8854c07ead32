// RUN: heddle-opt %s --split-input-file --pass-pipeline=inline,spmd-partition | FileCheck %s

// Arguments, results and constraints in the older form. Columns of the square of devices come first.
// CHECK: mhlo.spmd_output_sharding = "{devices=[1,2,2]0,1,2,3 last_tile_dim_replicate}", mhlo.spmd_parameters_shardings = ["{devices=[2,1,2]0,2,1,3 last_tile_dim_replicate}"]
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<4x4xf32>) -> tensor<8x2xf32>
// CHECK-NOT: mhlo.sharding
// CHECK: "stablehlo.all_gather"(%{{.*}}) <{{.*}}replica_groups = dense<{{\[\[}}0, 1], [2, 3]]>
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}"}) -> (tensor<8x4xf32> {mhlo.sharding = "{devices=[1,2,2]0,1,2,3 last_tile_dim_replicate}"}) {
    %0 = stablehlo.sine %x : tensor<8x4xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "unspecified_dims=[0]", mhlo.sharding = "{devices=[1,2,2]<=[4] last_tile_dim_replicate}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}

// -----

// Between the two calls the code is a device's own.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<4x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %arg0, %arg0
// CHECK-NEXT: %[[ALL:.*]] = "stablehlo.all_gather"(%[[SUM]])
// CHECK-NEXT: return %[[ALL]]
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}) -> (tensor<8x4xf32> {mhlo.sharding = "{replicated}"}) {
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.add %1, %1 : tensor<4x4xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<4x4xf32>) -> tensor<8x4xf32>
    return %4 : tensor<8x4xf32>
  }
}

// -----

// Its own along one axis: along the other, tensors still lie in parts.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %arg0, %arg0
// CHECK-NEXT: return %[[SUM]]
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) -> (tensor<8x4xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) {
    %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<8x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.add %1, %1 : tensor<4x4xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<4x4xf32>) -> tensor<8x4xf32>
    return %4 : tensor<8x4xf32>
  }
}

// -----

// One device has it: here all have it. Remarks say nothing.
// CHECK: mhlo.spmd_parameters_shardings = ["{replicated}", "{replicated}", "{devices=[2]0,1}"]
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8xf32> {mhlo.sharding = "{maximal device=1}"}, %y: tensor<8xf32> {mhlo.sharding = "{unknown shard_as 3}"}, %z: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2] metadata={op_name=\"a\"}}"}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}
