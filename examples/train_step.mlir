module @jit_train_step attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<784x512xf32>, %arg1: tensor<512xf32>, %arg2: tensor<512x512xf32>, %arg3: tensor<512xf32>, %arg4: tensor<512x10xf32>, %arg5: tensor<10xf32>, %arg6: tensor<?x784xf32>, %arg7: tensor<?xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<784x512xf32> {jax.result_info = "result[1][0][0]"}, tensor<512xf32> {jax.result_info = "result[1][0][1]"}, tensor<512x512xf32> {jax.result_info = "result[1][1][0]"}, tensor<512xf32> {jax.result_info = "result[1][1][1]"}, tensor<512x10xf32> {jax.result_info = "result[1][2][0]"}, tensor<10xf32> {jax.result_info = "result[1][2][1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg6, dim = 0 : (tensor<?x784xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg7, dim = 0 : (tensor<?xi32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[1].shape = (b, 784),args[2].shape = (b,). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[1].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare EQ, %1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[1].shape = (b, 784),args[2].shape = (b,). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[1].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4:7 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (tensor<i32>, tensor<784x512xf32>, tensor<512xf32>, tensor<512x512xf32>, tensor<512xf32>, tensor<512x10xf32>, tensor<10xf32>, tensor<?x784xf32>, tensor<?xi32>) -> (tensor<f32>, tensor<784x512xf32>, tensor<512xf32>, tensor<512x512xf32>, tensor<512xf32>, tensor<512x10xf32>, tensor<10xf32>)
    return %4#0, %4#1, %4#2, %4#3, %4#4, %4#5, %4#6 : tensor<f32>, tensor<784x512xf32>, tensor<512xf32>, tensor<512x512xf32>, tensor<512xf32>, tensor<512x10xf32>, tensor<10xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<784x512xf32>, %arg2: tensor<512xf32>, %arg3: tensor<512x512xf32>, %arg4: tensor<512xf32>, %arg5: tensor<512x10xf32>, %arg6: tensor<10xf32>, %arg7: tensor<?x784xf32>, %arg8: tensor<?xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<784x512xf32> {jax.result_info = "result[1][0][0]"}, tensor<512xf32> {jax.result_info = "result[1][0][1]"}, tensor<512x512xf32> {jax.result_info = "result[1][1][0]"}, tensor<512xf32> {jax.result_info = "result[1][1][1]"}, tensor<512x10xf32> {jax.result_info = "result[1][2][0]"}, tensor<10xf32> {jax.result_info = "result[1][2][1]"}) {
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<10> : tensor<1xi32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_3 = stablehlo.constant dense<512> : tensor<1xi32>
    %0 = stablehlo.dot_general %arg7, %arg1, contracting_dims = [1] x [0] : (tensor<?x784xf32>, tensor<784x512xf32>) -> tensor<?x512xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<512xf32>) -> tensor<1x512xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %1, %3, dims = [0, 1] : (tensor<1x512xf32>, tensor<2xi32>) -> tensor<?x512xf32>
    %5 = stablehlo.add %0, %4 : tensor<?x512xf32>
    %6 = call @relu(%arg0, %5) : (tensor<i32>, tensor<?x512xf32>) -> tensor<?x512xf32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %7, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %cst_2, %8, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x512xf32>
    %10 = stablehlo.compare GT, %5, %9, FLOAT : (tensor<?x512xf32>, tensor<?x512xf32>) -> tensor<?x512xi1>
    %11 = stablehlo.dot_general %6, %arg3, contracting_dims = [1] x [0] : (tensor<?x512xf32>, tensor<512x512xf32>) -> tensor<?x512xf32>
    %12 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<512xf32>) -> tensor<1x512xf32>
    %13 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.concatenate %13, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %15 = stablehlo.dynamic_broadcast_in_dim %12, %14, dims = [0, 1] : (tensor<1x512xf32>, tensor<2xi32>) -> tensor<?x512xf32>
    %16 = stablehlo.add %11, %15 : tensor<?x512xf32>
    %17 = call @relu(%arg0, %16) : (tensor<i32>, tensor<?x512xf32>) -> tensor<?x512xf32>
    %18 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %19 = stablehlo.concatenate %18, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %20 = stablehlo.dynamic_broadcast_in_dim %cst_2, %19, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x512xf32>
    %21 = stablehlo.compare GT, %16, %20, FLOAT : (tensor<?x512xf32>, tensor<?x512xf32>) -> tensor<?x512xi1>
    %22 = stablehlo.dot_general %17, %arg5, contracting_dims = [1] x [0] : (tensor<?x512xf32>, tensor<512x10xf32>) -> tensor<?x10xf32>
    %23 = stablehlo.broadcast_in_dim %arg6, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %24 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %25 = stablehlo.concatenate %24, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %26 = stablehlo.dynamic_broadcast_in_dim %23, %25, dims = [0, 1] : (tensor<1x10xf32>, tensor<2xi32>) -> tensor<?x10xf32>
    %27 = stablehlo.add %22, %26 : tensor<?x10xf32>
    %28:3 = call @log_softmax(%arg0, %27) : (tensor<i32>, tensor<?x10xf32>) -> (tensor<?x10xf32>, tensor<?x10xf32>, tensor<?x1xf32>)
    %29 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.concatenate %29, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %31 = stablehlo.dynamic_broadcast_in_dim %arg8, %30, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %32:2 = call @take_along_axis(%arg0, %28#0, %31) : (tensor<i32>, tensor<?x10xf32>, tensor<?x1xi32>) -> (tensor<?x1xf32>, tensor<?x1x1xi32>)
    %33 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %34 = stablehlo.reduce(%32#0 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    %35 = stablehlo.divide %34, %33 : tensor<f32>
    %36 = stablehlo.negate %35 : tensor<f32>
    %37 = stablehlo.negate %cst_0 : tensor<f32>
    %38 = stablehlo.divide %37, %33 : tensor<f32>
    %39 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %40 = stablehlo.concatenate %39, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %41 = stablehlo.dynamic_broadcast_in_dim %38, %40, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %42 = call @take_along_axis_0(%arg0, %32#1, %41) : (tensor<i32>, tensor<?x1x1xi32>, tensor<?x1xf32>) -> tensor<?x10xf32>
    %43 = call @log_softmax_1(%arg0, %28#1, %28#2, %42) : (tensor<i32>, tensor<?x10xf32>, tensor<?x1xf32>, tensor<?x10xf32>) -> tensor<?x10xf32>
    %44 = stablehlo.reduce(%43 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<?x10xf32>, tensor<f32>) -> tensor<10xf32>
    %45 = stablehlo.reshape %44 : (tensor<10xf32>) -> tensor<1x10xf32>
    %46 = stablehlo.reduce(%45 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<1x10xf32>, tensor<f32>) -> tensor<10xf32>
    %47 = stablehlo.dot_general %43, %17, contracting_dims = [0] x [0] : (tensor<?x10xf32>, tensor<?x512xf32>) -> tensor<10x512xf32>
    %48 = stablehlo.transpose %47, dims = [1, 0] : (tensor<10x512xf32>) -> tensor<512x10xf32>
    %49 = stablehlo.dot_general %43, %arg5, contracting_dims = [1] x [1] : (tensor<?x10xf32>, tensor<512x10xf32>) -> tensor<?x512xf32>
    %50 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %51 = stablehlo.concatenate %50, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %52 = stablehlo.dynamic_broadcast_in_dim %cst_2, %51, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x512xf32>
    %53 = stablehlo.select %21, %49, %52 : tensor<?x512xi1>, tensor<?x512xf32>
    %54 = stablehlo.reduce(%53 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<?x512xf32>, tensor<f32>) -> tensor<512xf32>
    %55 = stablehlo.reshape %54 : (tensor<512xf32>) -> tensor<1x512xf32>
    %56 = stablehlo.reduce(%55 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %57 = stablehlo.dot_general %53, %6, contracting_dims = [0] x [0] : (tensor<?x512xf32>, tensor<?x512xf32>) -> tensor<512x512xf32>
    %58 = stablehlo.transpose %57, dims = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %59 = stablehlo.dot_general %53, %arg3, contracting_dims = [1] x [1] : (tensor<?x512xf32>, tensor<512x512xf32>) -> tensor<?x512xf32>
    %60 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %61 = stablehlo.concatenate %60, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %62 = stablehlo.dynamic_broadcast_in_dim %cst_2, %61, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x512xf32>
    %63 = stablehlo.select %10, %59, %62 : tensor<?x512xi1>, tensor<?x512xf32>
    %64 = stablehlo.reduce(%63 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<?x512xf32>, tensor<f32>) -> tensor<512xf32>
    %65 = stablehlo.reshape %64 : (tensor<512xf32>) -> tensor<1x512xf32>
    %66 = stablehlo.reduce(%65 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %67 = stablehlo.dot_general %63, %arg7, contracting_dims = [0] x [0] : (tensor<?x512xf32>, tensor<?x784xf32>) -> tensor<512x784xf32>
    %68 = stablehlo.transpose %67, dims = [1, 0] : (tensor<512x784xf32>) -> tensor<784x512xf32>
    %69 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<784x512xf32>
    %70 = stablehlo.multiply %69, %68 : tensor<784x512xf32>
    %71 = stablehlo.subtract %arg1, %70 : tensor<784x512xf32>
    %72 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %73 = stablehlo.multiply %72, %66 : tensor<512xf32>
    %74 = stablehlo.subtract %arg2, %73 : tensor<512xf32>
    %75 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    %76 = stablehlo.multiply %75, %58 : tensor<512x512xf32>
    %77 = stablehlo.subtract %arg3, %76 : tensor<512x512xf32>
    %78 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %79 = stablehlo.multiply %78, %56 : tensor<512xf32>
    %80 = stablehlo.subtract %arg4, %79 : tensor<512xf32>
    %81 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x10xf32>
    %82 = stablehlo.multiply %81, %48 : tensor<512x10xf32>
    %83 = stablehlo.subtract %arg5, %82 : tensor<512x10xf32>
    %84 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %85 = stablehlo.multiply %84, %46 : tensor<10xf32>
    %86 = stablehlo.subtract %arg6, %85 : tensor<10xf32>
    return %36, %71, %74, %77, %80, %83, %86 : tensor<f32>, tensor<784x512xf32>, tensor<512xf32>, tensor<512x512xf32>, tensor<512xf32>, tensor<512x10xf32>, tensor<10xf32>
  }
  func.func private @relu(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x512xf32>) -> tensor<?x512xf32> {
    %c = stablehlo.constant dense<512> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x512xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x512xf32>
    return %3 : tensor<?x512xf32>
  }
  func.func private @log_softmax(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x10xf32>) -> (tensor<?x10xf32>, tensor<?x10xf32>, tensor<?x1xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<10> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg1 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst_1, %1, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %3 = stablehlo.maximum %2, %0 : tensor<?xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %3, %5, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %7, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %6, %8, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x10xf32>
    %10 = stablehlo.subtract %arg1, %9 : tensor<?x10xf32>
    %11 = stablehlo.exponential %10 : tensor<?x10xf32>
    %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
    %13 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.concatenate %13, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %15 = stablehlo.dynamic_broadcast_in_dim %12, %14, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %16 = stablehlo.log %15 : tensor<?x1xf32>
    %17 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.concatenate %17, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %19 = stablehlo.dynamic_broadcast_in_dim %16, %18, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x10xf32>
    %20 = stablehlo.subtract %10, %19 : tensor<?x10xf32>
    return %20, %11, %15 : tensor<?x10xf32>, tensor<?x10xf32>, tensor<?x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x10xf32>, %arg2: tensor<?x1xi32>) -> (tensor<?x1xf32>, tensor<?x1x1xi32>) {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %c_1 = stablehlo.constant dense<false> : tensor<1xi1>
    %c_2 = stablehlo.constant dense<10> : tensor<i32>
    %c_3 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %c_4, %1, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x1xi32>
    %3 = stablehlo.compare LT, %arg2, %2, SIGNED : (tensor<?x1xi32>, tensor<?x1xi32>) -> tensor<?x1xi1>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %c_2, %5, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x1xi32>
    %7 = stablehlo.add %arg2, %6 : tensor<?x1xi32>
    %8 = stablehlo.select %3, %7, %arg2 : tensor<?x1xi1>, tensor<?x1xi32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %9, %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %11 = stablehlo.dynamic_reshape %8, %10 : (tensor<?x1xi32>, tensor<3xi32>) -> tensor<?x1x1xi32>
    %12 = stablehlo.convert %arg0 : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.concatenate %13, %14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %16 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.add %c_3, %16 : tensor<1xi32>
    %18 = stablehlo.select %c_1, %17, %c_3 : tensor<1xi1>, tensor<1xi32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<1xi32>) -> tensor<1x1xi32>
    %20 = "stablehlo.gather"(%15, %19) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<2xi32>, tensor<1x1xi32>) -> tensor<1xi32>
    %21 = stablehlo.subtract %20, %c_3 : tensor<1xi32>
    %22 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.concatenate %22, %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %24 = stablehlo.dynamic_broadcast_in_dim %c_4, %23, dims = [] : (tensor<i32>, tensor<3xi32>) -> tensor<?x1x1xi32>
    %25 = stablehlo.compare GE, %11, %24, SIGNED : (tensor<?x1x1xi32>, tensor<?x1x1xi32>) -> tensor<?x1x1xi1>
    %26 = stablehlo.broadcast_in_dim %21, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %27 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %28 = stablehlo.concatenate %27, %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %29 = stablehlo.dynamic_broadcast_in_dim %26, %28, dims = [0, 1, 2] : (tensor<1x1x1xi32>, tensor<3xi32>) -> tensor<?x1x1xi32>
    %30 = stablehlo.compare LE, %11, %29, SIGNED : (tensor<?x1x1xi32>, tensor<?x1x1xi32>) -> tensor<?x1x1xi1>
    %31 = stablehlo.and %25, %30 : tensor<?x1x1xi1>
    %32 = stablehlo.reduce(%31 init: %c) applies stablehlo.and across dimensions = [2] : (tensor<?x1x1xi1>, tensor<i1>) -> tensor<?x1xi1>
    %33 = "stablehlo.gather"(%arg1, %11) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<?x10xf32>, tensor<?x1x1xi32>) -> tensor<?x1xf32>
    %34 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %35 = stablehlo.concatenate %34, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %36 = stablehlo.dynamic_broadcast_in_dim %cst, %35, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %37 = stablehlo.select %32, %33, %36 : tensor<?x1xi1>, tensor<?x1xf32>
    return %37, %11 : tensor<?x1xf32>, tensor<?x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x1x1xi32>, %arg2: tensor<?x1xf32>) -> tensor<?x10xf32> {
    %c = stablehlo.constant dense<10> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x10xf32>
    %3 = "stablehlo.scatter"(%2, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %4 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<?x10xf32>, tensor<?x1x1xi32>, tensor<?x1xf32>) -> tensor<?x10xf32>
    return %3 : tensor<?x10xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x10xf32>, %arg2: tensor<?x1xf32>, %arg3: tensor<?x10xf32>) -> tensor<?x10xf32> {
    %c = stablehlo.constant dense<10> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.negate %arg3 : tensor<?x10xf32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_reshape %1, %3 : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %5 = stablehlo.divide %4, %arg2 : tensor<?x1xf32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<?xf32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %7, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %6, %8, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x10xf32>
    %10 = stablehlo.multiply %9, %arg1 : tensor<?x10xf32>
    %11 = stablehlo.add %arg3, %10 : tensor<?x10xf32>
    return %11 : tensor<?x10xf32>
  }
}
