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
