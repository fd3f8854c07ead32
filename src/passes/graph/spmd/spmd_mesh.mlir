// RUN: heddle-opt %s --split-input-file --pass-pipeline=inline,spmd-partition | FileCheck %s

// A part of an axis: each half of the four devices has half of the rows; the result names them one by one.
// CHECK: mhlo.spmd_output_sharding = "{devices=[2,1,2]0,2,1,3 last_tile_dim_replicate}", mhlo.spmd_parameters_shardings = ["{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}"]
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%arg0) <{{.*}}replica_groups = dense<{{\[\[}}0, 2], [1, 3]]>
// CHECK: stablehlo.constant dense<[0, 4, 0, 4]> : tensor<4xi32>
// CHECK: stablehlo.dynamic_slice %[[ALL]]
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}]>}) -> (tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2}, {}]>}) {
    return %x : tensor<8x3xf32>
  }
}

// -----

// Two meshes over the same devices: b is the minor half of x.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<2x8xf32>) -> tensor<4x4xf32>
// CHECK: "stablehlo.all_gather"(%arg0) <{{.*}}replica_groups = dense<{{\[\[}}0, 1], [2, 3]]>
// CHECK: stablehlo.constant dense<[0, 4, 0, 4]>
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @line = <["x"=4]>
  sdy.mesh @square = <["a"=2, "b"=2]>
  func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@line, [{"x"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@square, [{"a"}, {"b"}]>}) {
    return %x : tensor<8x8xf32>
  }
}

// -----

// The same devices in another order: a is the minor half of x. Nothing moves.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<2x8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: return %arg0
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @line = <["x"=4]>
  sdy.mesh @turned = <["a"=2, "b"=2], device_ids=[0, 2, 1, 3]>
  func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@line, [{"x"}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.sharding_constraint %x <@turned, [{"b", "a"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

// What comes out in parts of the first mesh's axes that no axis of it says is gathered as far as one does.
// CHECK: mhlo.spmd_output_sharding = "{replicated}"
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> tensor<8xf32>
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @line = <["x"=4]>
  sdy.mesh @square = <["a"=2, "b"=2]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@line, [{"x"}]>}) -> tensor<8xf32> {
    %0 = sdy.sharding_constraint %x <@square, [{"a"}]> : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// A sum that is not done: of an argument it is done at once; of a result in parts along the axis each device has its part
// among zeros, of a whole one the first device along the axis has it and the others have zeros.
// CHECK: mhlo.spmd_output_sharding = "{{[{][{]}}devices=[1,2,2]0,2,1,3 last_tile_dims={unreduced, replicated}}, {devices=[1,2,2]0,2,1,3 last_tile_dims={unreduced, replicated}}}"
// CHECK-SAME: mhlo.spmd_parameters_shardings = ["{devices=[2,2]0,2,1,3 last_tile_dims={unreduced}}", "{replicated}"]
// CHECK-LABEL: func.func @main
// CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"(%arg0) <{{.*}}replica_groups = dense<{{\[\[}}0, 2], [1, 3]]>
// CHECK: stablehlo.constant dense<[0, 4, 0, 4]>
// CHECK: %[[PART:.*]] = stablehlo.dynamic_update_slice %{{.*}}, %[[SUM]],
// CHECK: stablehlo.constant dense<[0, 1, 0, 1]>
// CHECK: stablehlo.compare EQ
// CHECK: %[[FIRST:.*]] = stablehlo.select %{{.*}}, %arg1,
// CHECK: return %[[PART]], %[[FIRST]]
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}], unreduced={"x"}>}, %w: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"y"}>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"y"}>}) {
    return %x, %w : tensor<8xf32>, tensor<8xf32>
  }
}

// -----

// A dim that is left open is not split by an axis along which there are addends.
// CHECK: mhlo.spmd_output_sharding = "{devices=[1,2,2]0,2,1,3 last_tile_dims={unreduced, replicated}}"
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> tensor<8xf32>
// CHECK: %[[PART:.*]] = stablehlo.dynamic_update_slice %{{.*}}, %arg0,
// CHECK: return %[[PART]]
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}], unreduced={"y"}>}) {
    return %x : tensor<8xf32>
  }
}

// -----

// Bodies of manual computations get addends and give them.
// CHECK-LABEL: func.func @main
// CHECK: %[[PART:.*]] = stablehlo.select
// CHECK: %[[TWICE:.*]] = stablehlo.add %[[PART]], %[[PART]]
// CHECK: "stablehlo.all_reduce"(%[[TWICE]])
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{}], unreduced={"x"}>] out_shardings=[<@mesh, [{}], unreduced={"x"}>] manual_axes={"x"} (%b: tensor<8xf32>) {
      %1 = stablehlo.add %b, %b : tensor<8xf32>
      sdy.return %1 : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// A loop whose carried values come to lie in parts one after the other.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<i32>, tensor<2xf32>, tensor<2xf32>
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
    %i = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %end = stablehlo.constant dense<3> : tensor<i32>
    %z = stablehlo.constant dense<0.0> : tensor<4xf32>
    %r:3 = stablehlo.while(%k = %i, %c = %z, %d = %z) : tensor<i32>, tensor<4xf32>, tensor<4xf32>
    cond {
      %p = stablehlo.compare LT, %k, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %n = stablehlo.add %k, %one : tensor<i32>
      %s = stablehlo.add %c, %x : tensor<4xf32>
      stablehlo.return %n, %s, %c : tensor<i32>, tensor<4xf32>, tensor<4xf32>
    }
    return %r#2 : tensor<4xf32>
  }
}
