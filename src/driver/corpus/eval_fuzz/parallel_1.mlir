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
