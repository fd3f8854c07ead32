// RUN: heddle-opt %s --split-input-file --pass-pipeline=inline,spmd-partition | FileCheck %s

// Rows of a batch stay where they are; what is summed over them is summed over the devices too.
// CHECK: mhlo.spmd_output_sharding = "{{[{][{]}}devices=[2,1]0,1}, {replicated}}"
// CHECK-SAME: mhlo.spmd_parameters_shardings = ["{devices=[2,1]0,1}", "{replicated}"]
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<4x4xf32>, %arg1: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>)
// CHECK-NOT: sdy
// CHECK: %[[DOT:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK: %[[PART:.*]] = stablehlo.reduce(%[[DOT]] init: %{{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[PART]]) <{{.*}}replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, use_global_device_ids}>
// CHECK: return %[[DOT]], %[[SUM]]
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<4x6xf32>) -> (tensor<8x6xf32>, tensor<6xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %s = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<6xf32>
    return %d, %s : tensor<8x6xf32>, tensor<6xf32>
  }
}

// -----

// A sum over a dim in parts is a sum of sums; the operand that is whole is sliced by the device's number.
// CHECK-LABEL: func.func @main
// CHECK: %[[TABLE:.*]] = stablehlo.constant dense<[0, 4]> : tensor<2xi32>
// CHECK: stablehlo.dynamic_slice %[[TABLE]]
// CHECK: %[[W:.*]] = stablehlo.dynamic_slice %arg1, {{.*}} sizes = [4, 6]
// CHECK: %[[DOT:.*]] = stablehlo.dot_general %arg0, %[[W]], contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x6xf32>) -> tensor<3x6xf32>
// CHECK: "stablehlo.all_reduce"(%[[DOT]])
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %w: tensor<8x6xf32>) -> tensor<3x6xf32> {
    %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<3x8xf32>, tensor<8x6xf32>) -> tensor<3x6xf32>
    return %d : tensor<3x6xf32>
  }
}

// -----

// A manual computation is a device's program already. Devices may stand in any order on the mesh.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
// CHECK: %[[MOVED:.*]] = "stablehlo.collective_permute"(%arg0)
// CHECK: stablehlo.add %[[MOVED]]
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4], device_ids=[3, 2, 1, 0]>
  func.func @main(%x: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x3xf32>) {
      %id = stablehlo.partition_id : tensor<ui32>
      %p = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %n = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
      %all = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
      %sum = stablehlo.add %p, %all : tensor<2x3xf32>
      sdy.return %sum : tensor<2x3xf32>
    } : (tensor<8x3xf32>) -> tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
}

// -----

// A constraint that moves a mesh axis to another dim is a gather and a slice; the output keeps the other axis.
// CHECK: mhlo.spmd_output_sharding = "{devices=[1,4]0,2,1,3}"
// CHECK-LABEL: func.func @main
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64,{{.*}}replica_groups = dense<{{\[\[}}0, 2], [1, 3]]>
// CHECK-SAME: (tensor<4x4xf32>) -> tensor<8x4xf32>
// CHECK: stablehlo.dynamic_slice
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
    %0 = sdy.sharding_constraint %x <@mesh, [{}, {"y", "x"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

// A reshard moves it as well.
// CHECK: mhlo.spmd_output_sharding = "{devices=[1,2]0,1}"
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<4x8xf32>) -> tensor<8x4xf32>
// CHECK-NOT: sdy
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64,{{.*}}replica_groups = dense<{{\[\[}}0, 1]]>
// CHECK: %[[PART:.*]] = stablehlo.dynamic_slice %[[ALL]], {{.*}} sizes = [8, 4]
// CHECK: return %[[PART]] : tensor<8x4xf32>
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.reshard %x <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

// What a loop carries in parts after a step it carries in parts from the start.
// CHECK-LABEL: func.func @main
// CHECK-NOT: all_gather
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<i32>, tensor<2xf32>
// CHECK-NOT: all_gather
// CHECK: return
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
    %i = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %end = stablehlo.constant dense<3> : tensor<i32>
    %z = stablehlo.constant dense<0.0> : tensor<4xf32>
    %r:2 = stablehlo.while(%k = %i, %c = %z) : tensor<i32>, tensor<4xf32>
    cond {
      %p = stablehlo.compare LT, %k, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %n = stablehlo.add %k, %one : tensor<i32>
      %s = stablehlo.add %c, %x : tensor<4xf32>
      stablehlo.return %n, %s : tensor<i32>, tensor<4xf32>
    }
    return %r#1 : tensor<4xf32>
  }
}

// -----

// Programs without shardings stay as they are, and say that they are whole.
// CHECK: mhlo.spmd_output_sharding = "{replicated}", mhlo.spmd_parameters_shardings = ["{replicated}"]
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<8xf32>) -> tensor<8xf32>
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

// A side effect happens on the first device, which has the whole operand; the others get the result.
// CHECK-LABEL: func.func @main
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK: %[[R:.*]] = "stablehlo.if"
// CHECK: stablehlo.custom_call @log(%[[ALL]]) {has_side_effect = true}
// CHECK: stablehlo.constant dense<0>
// CHECK: "stablehlo.collective_broadcast"(%[[R]])
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<i32> {
    %0 = stablehlo.custom_call @log(%x) {has_side_effect = true} : (tensor<8xf32>) -> tensor<i32>
    return %0 : tensor<i32>
  }
}

// -----

// What follows from counts and constants alone is made in parts, each op once; what also stands in a loop is not made
// again in it. A reversed dim keeps its parts.
// CHECK-LABEL: func.func @main
// CHECK: %[[LOCAL:.*]] = stablehlo.iota dim = 0 : tensor<4x2xi32>
// CHECK: %[[START:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<i32>) -> tensor<4x2xi32>
// CHECK: %[[PLACE:.*]] = stablehlo.add %[[LOCAL]], %[[START]] : tensor<4x2xi32>
// CHECK: %[[COUNT:.*]] = stablehlo.convert %[[PLACE]] : (tensor<4x2xi32>) -> tensor<4x2xui32>
// CHECK-NOT: tensor<8x2x
// CHECK: %[[SEED:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<4x2xui32>
// CHECK: %[[TWICE:.*]] = stablehlo.multiply %[[COUNT]], %[[SEED]]
// CHECK: %[[BITS:.*]] = stablehlo.xor %[[TWICE]], %[[COUNT]]
// CHECK: %[[SUM:.*]] = stablehlo.add %arg0, %[[BITS]] : tensor<4x2xui32>
// CHECK: %[[OTHER:.*]] = stablehlo.subtract %{{.*}} : tensor<8x2xui32>
// CHECK: stablehlo.while
// CHECK: stablehlo.dynamic_slice %[[OTHER]], {{.*}} sizes = [4, 2] : (tensor<8x2xui32>, tensor<i32>, tensor<i32>) -> tensor<4x2xui32>
// CHECK: %[[BACK:.*]] = stablehlo.reverse %{{.*}}, dims = [0] : tensor<8x2xui32>
// CHECK: %[[PART:.*]] = stablehlo.dynamic_slice %[[BACK]]
// CHECK: return %{{.*}}, %[[PART]] : tensor<4x2xui32>, tensor<4x2xui32>
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8x2xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %seed: tensor<ui32>) -> (tensor<8x2xui32>, tensor<8x2xui32>) {
    %i = stablehlo.iota dim = 0 : tensor<8x2xui32>
    %s = stablehlo.broadcast_in_dim %seed, dims = [] : (tensor<ui32>) -> tensor<8x2xui32>
    %m = stablehlo.multiply %i, %s : tensor<8x2xui32>
    %bits = stablehlo.xor %m, %i : tensor<8x2xui32>
    %sum = stablehlo.add %x, %bits : tensor<8x2xui32>
    %other = stablehlo.subtract %i, %s : tensor<8x2xui32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %r:2 = stablehlo.while(%n = %zero, %a = %sum) : tensor<i32>, tensor<8x2xui32>
      cond {
        %c = stablehlo.compare LT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %n1 = stablehlo.add %n, %one : tensor<i32>
        %a1 = stablehlo.add %a, %other : tensor<8x2xui32>
        stablehlo.return %n1, %a1 : tensor<i32>, tensor<8x2xui32>
      }
    %v = stablehlo.reverse %x, dims = [0] : tensor<8x2xui32>
    return %r#1, %v : tensor<8x2xui32>, tensor<8x2xui32>
  }
}

// -----

// A sum that is said not to be done is not done: the devices keep their addends.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot_general %arg0, %arg1
// CHECK-NEXT: return %[[DOT]] : tensor<3x6xf32>
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %w: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<3x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) {
    %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<3x8xf32>, tensor<8x6xf32>) -> tensor<3x6xf32>
    return %d : tensor<3x6xf32>
  }
}

// -----

// What was made for one device and is called where there are two is whole on both.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<4xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK: stablehlo.negate %[[ALL]] : tensor<8xf32>
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  sdy.mesh @one = <["a"=1, "b"=1]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@one, [{"a", "b"}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = sdy.sharding_constraint %x <@one, [{"b"}]> : tensor<8xf32>
    %1 = stablehlo.negate %0 : tensor<8xf32>
    return %1, %y : tensor<8xf32>, tensor<8xf32>
  }
}

// -----

// A computation without operands and results names no mesh. Its axes may be those of the program's mesh, or of none.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: stablehlo.custom_call @print()
// CHECK-NEXT: return
module attributes {mhlo.num_partitions = 1 : i32} {
  func.func @main() {
    sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x"} () {
      stablehlo.custom_call @print() {has_side_effect = true} : () -> ()
      sdy.return
    } : () -> ()
    return
  }
}

// -----

// CHECK: mhlo.spmd_output_sharding = "{{[{][{]}}replicated{{[}][}]}}"
// CHECK-LABEL: func.func @main
// CHECK-NEXT: stablehlo.custom_call @print()
// CHECK-NEXT: return
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x"} () {
      stablehlo.custom_call @print() {has_side_effect = true} : () -> ()
      sdy.return
    } : () -> ()
    return
  }
}

// -----

// What says for other compilers how a value lies in memory leaves it where it is.
// CHECK: mhlo.spmd_output_sharding = "{devices=[2]0,1}"
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[LAID:.*]] = stablehlo.custom_call @LayoutConstraint(%arg0) {{.*}}: (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[LAID]]
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %0 = stablehlo.custom_call @LayoutConstraint(%x) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// What is chosen, bounded, read as another type or repeated along new dims stays in parts.
// CHECK: mhlo.spmd_output_sharding = "{{[{][{]}}devices=[2,1]0,1}, {devices=[2,1]0,1}, {devices=[2,1,1]0,1}, {devices=[1,2,1]0,1}, {devices=[2,1]0,1}}"
// CHECK-LABEL: func.func @main
// CHECK-NOT: stablehlo.all_gather
// CHECK: stablehlo.select %{{.*}}, %arg0, %{{.*}} : tensor<4x4xi1>, tensor<4x4xf32>
// CHECK: stablehlo.clamp %{{.*}}, %arg0, %{{.*}} : (tensor<f32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
// CHECK: stablehlo.bitcast_convert %arg0 : (tensor<4x4xf32>) -> tensor<4x4x2xi16>
// CHECK: stablehlo.broadcast %arg0, sizes = [3] : (tensor<4x4xf32>) -> tensor<3x4x4xf32>
// CHECK: "stablehlo.map"(%arg0)
// CHECK: (tensor<4x4xf32>) -> tensor<4x4xf32>
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4x2xi16>, tensor<3x8x4xf32>, tensor<8x4xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %p = stablehlo.compare GT, %x, %zeros : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>
    %0 = stablehlo.select %p, %x, %zeros : tensor<8x4xi1>, tensor<8x4xf32>
    %1 = stablehlo.clamp %zero, %x, %one : (tensor<f32>, tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %2 = stablehlo.bitcast_convert %x : (tensor<8x4xf32>) -> tensor<8x4x2xi16>
    %3 = stablehlo.broadcast %x, sizes = [3] : (tensor<8x4xf32>) -> tensor<3x8x4xf32>
    %4 = "stablehlo.map"(%x) ({
    ^bb0(%a: tensor<f32>):
      %s = stablehlo.multiply %a, %a : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %0, %1, %2, %3, %4 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4x2xi16>, tensor<3x8x4xf32>, tensor<8x4xf32>
  }
}

// -----

// A call that says that its leading dim is a batch is made for each device's members; the scalar belongs to all. One
// that does not say so, or says what is not a number or does not fit its tensors, is made for the whole.
// CHECK-LABEL: func.func @main
// CHECK: %[[Q:.*]]:2 = stablehlo.custom_call @factor(%arg0, %arg1) {{.*}} : (tensor<4x3x3xf32>, tensor<f32>) -> (tensor<4x3x3xf32>, tensor<4xi32>)
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK: stablehlo.custom_call @factor(%[[ALL]], %arg1) : (tensor<8x3x3xf32>, tensor<f32>) -> tensor<8x3x3xf32>
// CHECK: stablehlo.custom_call @factor(%[[ALL]], %arg1) {mhlo.frontend_attributes = {num_batch_dims = "one"}} : (tensor<8x3x3xf32>, tensor<f32>) -> tensor<8x3x3xf32>
// CHECK: stablehlo.custom_call @factor(%[[ALL]], %arg1) {mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<8x3x3xf32>, tensor<f32>) -> tensor<2x3x3xf32>
// CHECK: return %[[Q]]#0, %[[Q]]#1
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %a: tensor<f32>) -> (tensor<8x3x3xf32>, tensor<8xi32>, tensor<8x3x3xf32>, tensor<8x3x3xf32>, tensor<2x3x3xf32>) {
    %0:2 = stablehlo.custom_call @factor(%x, %a) {mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<8x3x3xf32>, tensor<f32>) -> (tensor<8x3x3xf32>, tensor<8xi32>)
    %1 = stablehlo.custom_call @factor(%x, %a) : (tensor<8x3x3xf32>, tensor<f32>) -> tensor<8x3x3xf32>
    %2 = stablehlo.custom_call @factor(%x, %a) {mhlo.frontend_attributes = {num_batch_dims = "one"}} : (tensor<8x3x3xf32>, tensor<f32>) -> tensor<8x3x3xf32>
    %3 = stablehlo.custom_call @factor(%x, %a) {mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<8x3x3xf32>, tensor<f32>) -> tensor<2x3x3xf32>
    return %0#0, %0#1, %1, %2, %3 : tensor<8x3x3xf32>, tensor<8xi32>, tensor<8x3x3xf32>, tensor<8x3x3xf32>, tensor<2x3x3xf32>
  }
}

// -----

// What says how large the results are says it of all of the batch: such a call works on replicated tensors, also where
// the list of dims looks like a member per dim.
// CHECK-LABEL: func.func @main
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK: stablehlo.custom_call @factor(%[[ALL]], %arg1) {indices_of_shape_operands = dense<1> : tensor<1xi64>, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<4x1x3x3xf32>, tensor<4xi64>) -> tensor<4x1x3x3xf32>
// CHECK: stablehlo.custom_call @factor(%[[ALL]], %arg1) {indices_of_shape_operands = dense<1> : tensor<1xi64>, mhlo.frontend_attributes = {num_batch_dims = "2"}} : (tensor<4x1x3x3xf32>, tensor<4xi64>) -> tensor<4x1x3x?xf32>
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4x1x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>}, %n: tensor<4xi64>) -> (tensor<4x1x3x3xf32>, tensor<4x1x3x?xf32>) {
    %0 = stablehlo.custom_call @factor(%x, %n) {indices_of_shape_operands = dense<1> : tensor<1xi64>, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<4x1x3x3xf32>, tensor<4xi64>) -> tensor<4x1x3x3xf32>
    %1 = stablehlo.custom_call @factor(%x, %n) {indices_of_shape_operands = dense<1> : tensor<1xi64>, mhlo.frontend_attributes = {num_batch_dims = "2"}} : (tensor<4x1x3x3xf32>, tensor<4xi64>) -> tensor<4x1x3x?xf32>
    return %0, %1 : tensor<4x1x3x3xf32>, tensor<4x1x3x?xf32>
  }
}

// -----

// A scatter with dims of a batch is done for each device's members, whatever it does with what was there.
// CHECK-LABEL: func.func @main
// CHECK-NOT: stablehlo.all_gather
// CHECK: "stablehlo.scatter"(%arg0, %arg1, %arg2)
// CHECK: (tensor<4x5xf32>, tensor<4x3x1xi32>, tensor<4x3xf32>) -> tensor<4x5xf32>
// CHECK: %[[PAIR:.*]]:2 = "stablehlo.scatter"(%arg0, %arg0, %arg1, %arg2, %arg2)
// CHECK: (tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x3x1xi32>, tensor<4x3xf32>, tensor<4x3xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>)
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<8x3x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %u: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x5xf32>, tensor<8x5xf32>, tensor<8x5xf32>) {
    %0 = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<8x5xf32>, tensor<8x3x1xi32>, tensor<8x3xf32>) -> tensor<8x5xf32>
    %1:2 = "stablehlo.scatter"(%x, %x, %i, %u, %u) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      stablehlo.return %c, %b : tensor<f32>, tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<8x5xf32>, tensor<8x5xf32>, tensor<8x3x1xi32>, tensor<8x3xf32>, tensor<8x3xf32>) -> (tensor<8x5xf32>, tensor<8x5xf32>)
    return %0, %1#0, %1#1 : tensor<8x5xf32>, tensor<8x5xf32>, tensor<8x5xf32>
  }
}

// -----

// A sum that is said not to be done, of what is in parts: each device has its part among zeros. Nothing is gathered.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NOT: stablehlo.all_gather
// CHECK: %[[OTHER:.*]] = stablehlo.negate %arg0 : tensor<4xf32>
// CHECK: %[[TABLE:.*]] = stablehlo.constant dense<[0, 4]> : tensor<2xi32>
// CHECK: stablehlo.dynamic_slice %[[TABLE]]
// CHECK: %[[FIRST:.*]] = stablehlo.dynamic_update_slice %{{.*}}, %arg0, %{{.*}} : (tensor<8xf32>, tensor<4xf32>, tensor<i32>) -> tensor<8xf32>
// CHECK: %[[SECOND:.*]] = stablehlo.dynamic_update_slice %{{.*}}, %[[OTHER]], %{{.*}} : (tensor<8xf32>, tensor<4xf32>, tensor<i32>) -> tensor<8xf32>
// CHECK: return
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
    %0 = stablehlo.negate %x : tensor<8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
    return %x, %1 : tensor<8xf32>, tensor<8xf32>
  }
}

// -----

// Zeros are zeros wherever they are said to lie, and indices in parts are enough for each device to add its own.
// CHECK-LABEL: func.func @main
// CHECK-NOT: stablehlo.all_gather
// CHECK: %[[SUM:.*]] = "stablehlo.scatter"(%{{.*}}, %arg0, %{{.*}})
// CHECK: (tensor<5xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<5xf32>
// CHECK: return %[[SUM]]
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%i: tensor<8x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %whole = sdy.sharding_constraint %zeros <@mesh, [{}]> : tensor<5xf32>
    %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %0 = "stablehlo.scatter"(%whole, %i, %ones) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<5xf32>, tensor<8x1xi32>, tensor<8xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
}
