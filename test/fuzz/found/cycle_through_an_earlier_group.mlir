// A product would join a selection whose condition needs, by way of a group that began before it, the product itself.
// run: --dims d0=5
func.func public @main(%arg0: tensor<?xi64>, %arg1: tensor<?xi64>, %arg2: tensor<1x2xi64>, %arg3: tensor<1x1xi32>, %arg4: tensor<?xi64>, %arg5: tensor<?xi64>, %arg6: tensor<?xi64>) -> (tensor<1x?xi64>, tensor<i64>) {
  %0 = stablehlo.convert %arg0 : (tensor<?xi64>) -> tensor<?xi1>
  %c = stablehlo.constant dense<false> : tensor<i1>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<?xi1>, tensor<i1>) -> tensor<i1>
  %n = stablehlo.get_dimension_size %arg6, dim = 0 : (tensor<?xi64>) -> tensor<i32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_broadcast_in_dim %1, %s, dims = [] : (tensor<i1>, tensor<1xi32>) -> tensor<?xi1>
  %3 = stablehlo.select %2, %arg4, %arg5 : tensor<?xi1>, tensor<?xi64>
  %4 = stablehlo.dot_general %arg0, %arg6, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  %5:2 = "stablehlo.scatter"(%4, %arg4, %arg3, %arg2, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%arg8: tensor<i64>, %arg9: tensor<i64>, %arg10: tensor<i64>, %arg11: tensor<i64>):
    stablehlo.return %arg10, %arg9 : tensor<i64>, tensor<i64>
  }) : (tensor<?xi64>, tensor<?xi64>, tensor<1x1xi32>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<?xi64>, tensor<?xi64>)
  %6 = stablehlo.subtract %arg1, %5#0 : tensor<?xi64>
  %7 = stablehlo.select %0, %6, %5#0 : tensor<?xi1>, tensor<?xi64>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %shape = stablehlo.concatenate %s, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %8 = stablehlo.dynamic_reshape %7, %shape : (tensor<?xi64>, tensor<2xi32>) -> tensor<?x1xi64>
  %9 = stablehlo.and %3, %4 : tensor<?xi64>
  %10 = stablehlo.transpose %8, dims = [1, 0] : (tensor<?x1xi64>) -> tensor<1x?xi64>
  %c_1 = stablehlo.constant dense<0> : tensor<i64>
  %11 = stablehlo.reduce(%9 init: %c_1) applies stablehlo.maximum across dimensions = [0] : (tensor<?xi64>, tensor<i64>) -> tensor<i64>
  return %10, %11 : tensor<1x?xi64>, tensor<i64>
}
