// RUN: not heddle check %s --split-input-file 2>&1 | FileCheck %s
// RUN: not heddle check %s --split-input-file --target=cpu 2>&1 | FileCheck %s --check-prefix=CPU
// Processes side by side: collectives, channels, ids.
// CHECK: 13 passed, 2 failed
// CPU: 'never' on target cpu: {{.*}}parallel.mlir:{{[0-9]+:[0-9]+}}: collective given up: process 1 has left
// CPU: 'silence' on target cpu: {{.*}}every process waits for another
// CPU: 13 passed, 2 failed
module @reduce {
  func.func private @half(%x: tensor<2xi64>) -> (tensor<2xi64>, tensor<ui32>) {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) : (tensor<2xi64>) -> tensor<2xi64>
    %1 = stablehlo.replica_id : tensor<ui32>
    return %0, %1 : tensor<2xi64>, tensor<ui32>
  }
  func.func @all_reduce() {
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %y = stablehlo.constant dense<[10, 20]> : tensor<2xi64>
    %r:4 = "interpreter.run_parallel"(%x, %y) {programs = [[@half], [@half]]} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<ui32>, tensor<2xi64>, tensor<ui32>)
    check.expect_eq_const %r#0, dense<[11, 22]> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<[11, 22]> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<0> : tensor<ui32>
    check.expect_eq_const %r#3, dense<1> : tensor<ui32>
    return
  }
}
// -----
module @gather {
  func.func private @p(%x: tensor<1x2xf32>) -> (tensor<1x4xf32>, tensor<1x1xf32>) {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<1x2xf32>) -> tensor<1x4xf32>
    %1 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<1x2xf32>) -> tensor<1x1xf32>
    return %0, %1 : tensor<1x4xf32>, tensor<1x1xf32>
  }
  func.func @all_gather() {
    %x = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
    %y = stablehlo.constant dense<[[3.0, 4.0]]> : tensor<1x2xf32>
    %r:4 = "interpreter.run_parallel"(%x, %y) {programs = [[@p], [@p]]} : (tensor<1x2xf32>, tensor<1x2xf32>) -> (tensor<1x4xf32>, tensor<1x1xf32>, tensor<1x4xf32>, tensor<1x1xf32>)
    check.expect_eq_const %r#0, dense<[[3.0, 4.0, 1.0, 2.0]]> : tensor<1x4xf32>
    check.expect_eq_const %r#1, dense<[[4.0]]> : tensor<1x1xf32>
    check.expect_eq_const %r#3, dense<[[6.0]]> : tensor<1x1xf32>
    return
  }
}
// -----
module @permute {
  func.func private @p(%x: tensor<1xi64>) -> (tensor<1xi64>, tensor<1xi64>) {
    %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>}> : (tensor<1xi64>) -> tensor<1xi64>
    %1 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>}> : (tensor<1xi64>) -> tensor<1xi64>
    return %0, %1 : tensor<1xi64>, tensor<1xi64>
  }
  func.func @permute_three() {
    %x = stablehlo.constant dense<[1]> : tensor<1xi64>
    %y = stablehlo.constant dense<[2]> : tensor<1xi64>
    %z = stablehlo.constant dense<[3]> : tensor<1xi64>
    %r:6 = "interpreter.run_parallel"(%x, %y, %z) {programs = [[@p], [@p], [@p]]} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
    check.expect_eq_const %r#0, dense<[0]> : tensor<1xi64>
    check.expect_eq_const %r#2, dense<[1]> : tensor<1xi64>
    check.expect_eq_const %r#4, dense<[2]> : tensor<1xi64>
    check.expect_eq_const %r#1, dense<[0]> : tensor<1xi64>
    check.expect_eq_const %r#3, dense<[3]> : tensor<1xi64>
    return
  }
}
// -----
module @exchange {
  func.func private @p(%x: tensor<2x4xi64>) -> tensor<4x2xi64> {
    %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<2x4xi64>) -> tensor<4x2xi64>
    return %0 : tensor<4x2xi64>
  }
  func.func @all_to_all_partitions() {
    %x = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
    %y = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi64>
    %r:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@p, @p]]} : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>)
    check.expect_eq_const %r#0, dense<[[1, 2], [5, 6], [9, 10], [13, 14]]> : tensor<4x2xi64>
    check.expect_eq_const %r#1, dense<[[3, 4], [7, 8], [11, 12], [15, 16]]> : tensor<4x2xi64>
    return
  }
}
// -----
module @channels {
  func.func private @source(%x: tensor<2xi64>) {
    %t = stablehlo.after_all : !stablehlo.token
    %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>}> : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
    return
  }
  func.func private @sink() -> (tensor<2xi64>, tensor<i64>) {
    %t = stablehlo.after_all : !stablehlo.token
    %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
    %1:2 = "stablehlo.infeed"(%0#1) : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)
    return %0#0, %1#0 : tensor<2xi64>, tensor<i64>
  }
  func.func private @feed() -> tensor<i64> {
    %0 = stablehlo.constant dense<42> : tensor<i64>
    return %0 : tensor<i64>
  }
  func.func @send_and_receive() {
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %r:2 = "interpreter.run_parallel"(%x) {programs = [[@sink], [@source]], infeed = [@feed]} : (tensor<2xi64>) -> (tensor<2xi64>, tensor<i64>)
    check.expect_eq_const %r#0, dense<[1, 2]> : tensor<2xi64>
    check.expect_eq_const %r#1, dense<42> : tensor<i64>
    return
  }
}
// -----
// Messages wait for their receivers, and what is fed out has none.
module @ring {
  func.func private @p(%x: tensor<2xf32>) -> tensor<2xf32> {
    %t = stablehlo.create_token : !stablehlo.token
    %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    %1:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    %2 = "stablehlo.outfeed"(%1#0, %x, %1#1) : (tensor<2xf32>, tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    return %1#0 : tensor<2xf32>
  }
  func.func private @q(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<i1>) {
    %t = stablehlo.create_token : !stablehlo.token
    %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    %1:2 = "stablehlo.recv"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    %2:3 = "stablehlo.infeed"(%1#1) : (!stablehlo.token) -> (tensor<2xf32>, tensor<i1>, !stablehlo.token)
    %3:3 = "stablehlo.infeed"(%2#2) : (!stablehlo.token) -> (tensor<2xf32>, tensor<i1>, !stablehlo.token)
    %4 = stablehlo.add %1#0, %2#0 : tensor<2xf32>
    %5 = stablehlo.subtract %4, %3#0 : tensor<2xf32>
    return %5, %3#1 : tensor<2xf32>, tensor<i1>
  }
  func.func private @first() -> (tensor<2xf32>, tensor<i1>) {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %1 = stablehlo.constant dense<false> : tensor<i1>
    return %0, %1 : tensor<2xf32>, tensor<i1>
  }
  func.func private @second() -> (tensor<2xf32>, tensor<i1>) {
    %0 = stablehlo.constant dense<[4.0, 8.0]> : tensor<2xf32>
    %1 = stablehlo.constant dense<true> : tensor<i1>
    return %0, %1 : tensor<2xf32>, tensor<i1>
  }
  func.func @crosswise() {
    %x = stablehlo.constant dense<[16.0, 32.0]> : tensor<2xf32>
    %y = stablehlo.constant dense<[64.0, 128.0]> : tensor<2xf32>
    %r:3 = "interpreter.run_parallel"(%x, %y) {programs = [[@p], [@q]], infeed = [@first, @second]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<i1>)
    check.expect_eq_const %r#0, dense<[64.0, 128.0]> : tensor<2xf32>
    check.expect_eq_const %r#1, dense<[13.0, 26.0]> : tensor<2xf32>
    check.expect_eq_const %r#2, dense<true> : tensor<i1>
    return
  }
}
// -----
// The work of an asynchronous op, given its operands or seeing what is around it.
module @asynchronous {
  func.func private @given(%x: tensor<1x2xi64>) -> tensor<2x2xi64> {
    %0 = "stablehlo.async_start"(%x) ({
    ^bb0(%y: tensor<1x2xi64>):
      %1 = "stablehlo.all_gather"(%y) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1x2xi64>) -> tensor<2x2xi64>
      stablehlo.return %1 : tensor<2x2xi64>
    }) : (tensor<1x2xi64>) -> !stablehlo.future<tensor<2x2xi64>>
    %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2x2xi64>>) -> tensor<2x2xi64>
    return %2 : tensor<2x2xi64>
  }
  func.func private @seen(%x: tensor<1x2xi64>) -> tensor<2x2xi64> {
    %0 = "stablehlo.async_start"(%x) ({
      %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1x2xi64>) -> tensor<2x2xi64>
      stablehlo.return %1 : tensor<2x2xi64>
    }) : (tensor<1x2xi64>) -> !stablehlo.future<tensor<2x2xi64>>
    %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2x2xi64>>) -> tensor<2x2xi64>
    return %2 : tensor<2x2xi64>
  }
  func.func @gather() {
    %x = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %y = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %r:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@given], [@given]]} : (tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %r#1, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    return
  }
  func.func @gather_seen() {
    %x = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %y = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %r:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@seen], [@seen]]} : (tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
    check.expect_eq_const %r#0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    return
  }
}
// -----
// Sums and tensors of a root, as the specification's examples have them: the first of its group, or the member that an
// operand counts; who is in no group gets zeros.
module @roots {
  func.func private @first(%x: tensor<1x2xi64>) -> tensor<1x2xi64> {
    %0 = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<1x2xi64>) -> tensor<1x2xi64>
    return %0 : tensor<1x2xi64>
  }
  func.func @sum_of_first() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@first], [@first], [@first], [@first]]} : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
    check.expect_eq_const %r#0, dense<[[16, 20]]> : tensor<1x2xi64>
    check.expect_eq_const %r#1, dense<0> : tensor<1x2xi64>
    check.expect_eq_const %r#3, dense<0> : tensor<1x2xi64>
    return
  }
  func.func private @counted(%x: tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<2xi64>) {
    %root = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    %y = stablehlo.reshape %x : (tensor<1x2xi64>) -> tensor<2xi64>
    %0:2 = "stablehlo.collective_reduce"(%x, %y, %root) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.multiply %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) {has_dynamic_root, replica_groups = dense<[[2, 0]]> : tensor<1x2xi64>} : (tensor<1x2xi64>, tensor<2xi64>, tensor<2xi32>) -> (tensor<1x2xi64>, tensor<2xi64>)
    return %0#0, %0#1 : tensor<1x2xi64>, tensor<2xi64>
  }
  func.func @products_of_counted() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %r:8 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@counted], [@counted], [@counted], [@counted]]} : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<2xi64>, tensor<1x2xi64>, tensor<2xi64>, tensor<1x2xi64>, tensor<2xi64>, tensor<1x2xi64>, tensor<2xi64>)
    check.expect_eq_const %r#0, dense<[[5, 12]]> : tensor<1x2xi64>
    check.expect_eq_const %r#1, dense<0> : tensor<2xi64>
    check.expect_eq_const %r#2, dense<0> : tensor<1x2xi64>
    check.expect_eq_const %r#4, dense<0> : tensor<1x2xi64>
    check.expect_eq_const %r#5, dense<[5, 12]> : tensor<2xi64>
    check.expect_eq_const %r#6, dense<0> : tensor<1x2xi64>
    return
  }
  func.func private @several(%x: tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<2xf32>) {
    %y = stablehlo.convert %x : (tensor<1x2xi64>) -> tensor<1x2xf32>
    %z = stablehlo.reshape %y : (tensor<1x2xf32>) -> tensor<2xf32>
    %0:2 = "stablehlo.collective_broadcast"(%x, %z) {replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>} : (tensor<1x2xi64>, tensor<2xf32>) -> (tensor<1x2xi64>, tensor<2xf32>)
    return %0#0, %0#1 : tensor<1x2xi64>, tensor<2xf32>
  }
  func.func @several_of_first() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %r:8 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@several], [@several], [@several], [@several]]} : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<2xf32>, tensor<1x2xi64>, tensor<2xf32>, tensor<1x2xi64>, tensor<2xf32>, tensor<1x2xi64>, tensor<2xf32>)
    check.expect_eq_const %r#0, dense<0> : tensor<1x2xi64>
    check.expect_eq_const %r#2, dense<[[5, 6]]> : tensor<1x2xi64>
    check.expect_eq_const %r#3, dense<[5.0, 6.0]> : tensor<2xf32>
    check.expect_eq_const %r#5, dense<[5.0, 6.0]> : tensor<2xf32>
    check.expect_eq_const %r#7, dense<0.0> : tensor<2xf32>
    return
  }
  func.func private @chosen(%x: tensor<1x2xi64>) -> tensor<1x2xi64> {
    %n = stablehlo.slice %x [0:1, 0:1] : (tensor<1x2xi64>) -> tensor<1x1xi64>
    %zero = stablehlo.subtract %n, %n : tensor<1x1xi64>
    %one = stablehlo.constant dense<1> : tensor<1x1xi64>
    %root = stablehlo.add %zero, %one : tensor<1x1xi64>
    %i = stablehlo.convert %root : (tensor<1x1xi64>) -> tensor<1x1xi32>
    %r = stablehlo.reshape %i : (tensor<1x1xi32>) -> tensor<1xi32>
    %0 = "stablehlo.collective_broadcast"(%x, %r) {has_dynamic_root, replica_groups = dense<[[2, 1], [0, 3]]> : tensor<2x2xi64>} : (tensor<1x2xi64>, tensor<1xi32>) -> tensor<1x2xi64>
    return %0 : tensor<1x2xi64>
  }
  func.func @of_chosen() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@chosen], [@chosen], [@chosen], [@chosen]]} : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
    check.expect_eq_const %r#0, dense<[[7, 8]]> : tensor<1x2xi64>
    check.expect_eq_const %r#1, dense<[[3, 4]]> : tensor<1x2xi64>
    check.expect_eq_const %r#2, dense<[[3, 4]]> : tensor<1x2xi64>
    check.expect_eq_const %r#3, dense<[[7, 8]]> : tensor<1x2xi64>
    return
  }
}
// -----
// Groups as axes of a mesh: the whole mesh and a part of an axis.
#mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 2>, #stablehlo.mesh_axis<name = "b", size = 2>]>
#line = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 4>], device_ids = dense<[0, 2, 1, 3]> : tensor<4xi64>>
module @meshes {
  func.func private @p(%x: tensor<1x2xi64>) -> (tensor<1x4xi64>, tensor<1x4xi64>, tensor<1x8xi64>) {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #mesh, axes = [#stablehlo.axis_ref<name = "a">]>} : (tensor<1x2xi64>) -> tensor<1x4xi64>
    %1 = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #line, axes = [#stablehlo.axis_ref<name = "a", sub_axis_info = (1)2>]>} : (tensor<1x2xi64>) -> tensor<1x4xi64>
    %2 = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #mesh, axes = [#stablehlo.axis_ref<name = "b">, #stablehlo.axis_ref<name = "a">]>} : (tensor<1x2xi64>) -> tensor<1x8xi64>
    return %0, %1, %2 : tensor<1x4xi64>, tensor<1x4xi64>, tensor<1x8xi64>
  }
  func.func @mesh_axes() {
    %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
    %b = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
    %c = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
    %d = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
    %r:12 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@p], [@p], [@p], [@p]]} : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x4xi64>, tensor<1x4xi64>, tensor<1x8xi64>, tensor<1x4xi64>, tensor<1x4xi64>, tensor<1x8xi64>, tensor<1x4xi64>, tensor<1x4xi64>, tensor<1x8xi64>, tensor<1x4xi64>, tensor<1x4xi64>, tensor<1x8xi64>)
    check.expect_eq_const %r#0, dense<[[1, 2, 5, 6]]> : tensor<1x4xi64>
    check.expect_eq_const %r#3, dense<[[3, 4, 7, 8]]> : tensor<1x4xi64>
    check.expect_eq_const %r#1, dense<[[1, 2, 3, 4]]> : tensor<1x4xi64>
    check.expect_eq_const %r#7, dense<[[5, 6, 7, 8]]> : tensor<1x4xi64>
    check.expect_eq_const %r#2, dense<[[1, 2, 5, 6, 3, 4, 7, 8]]> : tensor<1x8xi64>
    return
  }
}
// -----
// A rendezvous that one never comes to ends the run.
module @alone {
  func.func private @p(%x: tensor<1xi64>) -> tensor<1xi64> {
    %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xi64>) -> tensor<1xi64>
    return %0 : tensor<1xi64>
  }
  func.func private @q(%x: tensor<1xi64>) -> tensor<1xi64> {
    return %x : tensor<1xi64>
  }
  func.func @never() {
    %x = stablehlo.constant dense<[1]> : tensor<1xi64>
    %r:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@p], [@q]]} : (tensor<1xi64>, tensor<1xi64>) -> (tensor<1xi64>, tensor<1xi64>)
    return
  }
}
// -----
// Processes that all wait for a message.
module @nobody {
  func.func private @p() -> tensor<2xf32> {
    %t = stablehlo.create_token : !stablehlo.token
    %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
    return %0#0 : tensor<2xf32>
  }
  func.func @silence() {
    %r:2 = "interpreter.run_parallel"() {programs = [[@p], [@p]]} : () -> (tensor<2xf32>, tensor<2xf32>)
    return
  }
}
