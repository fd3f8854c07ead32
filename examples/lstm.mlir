module @jit_lstm attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<128x1024xf32>, %arg1: tensor<256x1024xf32>, %arg2: tensor<1024xf32>, %arg3: tensor<?x?x128xf32>) -> (tensor<?x256xf32> {jax.result_info = "result[0][0]"}, tensor<?x256xf32> {jax.result_info = "result[0][1]"}, tensor<?x?x256xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg3, dim = 0 : (tensor<?x?x128xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg3, dim = 1 : (tensor<?x?x128xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[3].shape = (s, b, 128). Obtained dimension variables: 's' = {0} from specification 's' for dimension args[3].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[3].shape = (s, b, 128). Obtained dimension variables: 's' = {0} from specification 's' for dimension args[3].shape[0] (= {0}), 'b' = {1} from specification 'b' for dimension args[3].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4:3 = call @_wrapped_jax_export_main(%1, %0, %arg0, %arg1, %arg2, %arg3) : (tensor<i32>, tensor<i32>, tensor<128x1024xf32>, tensor<256x1024xf32>, tensor<1024xf32>, tensor<?x?x128xf32>) -> (tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x?x256xf32>)
    return %4#0, %4#1, %4#2 : tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x?x256xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<128x1024xf32>, %arg3: tensor<256x1024xf32>, %arg4: tensor<1024xf32>, %arg5: tensor<?x?x128xf32>) -> (tensor<?x256xf32> {jax.result_info = "result[0][0]"}, tensor<?x256xf32> {jax.result_info = "result[0][1]"}, tensor<?x?x256xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<256> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x256xf32>
    %3 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %3, %4, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %cst, %5, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x256xf32>
    %7:8 = stablehlo.while(%iterArg = %arg5, %iterArg_2 = %arg2, %iterArg_3 = %arg3, %iterArg_4 = %arg4, %iterArg_5 = %c_0, %iterArg_6 = %2, %iterArg_7 = %2, %iterArg_8 = %6) : tensor<?x?x128xf32>, tensor<128x1024xf32>, tensor<256x1024xf32>, tensor<1024xf32>, tensor<i32>, tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x?x256xf32>
    cond {
      %8 = stablehlo.compare LT, %iterArg_5, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %8 = func.call @dynamic_index_in_dim(%arg0, %arg1, %iterArg, %iterArg_5) : (tensor<i32>, tensor<i32>, tensor<?x?x128xf32>, tensor<i32>) -> tensor<?x128xf32>
      %9:3 = func.call @closed_call(%arg0, %arg1, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_6, %iterArg_7, %8) : (tensor<i32>, tensor<i32>, tensor<128x1024xf32>, tensor<256x1024xf32>, tensor<1024xf32>, tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x128xf32>) -> (tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x256xf32>)
      %10 = func.call @dynamic_update_index_in_dim(%arg0, %arg1, %iterArg_8, %9#2, %iterArg_5) : (tensor<i32>, tensor<i32>, tensor<?x?x256xf32>, tensor<?x256xf32>, tensor<i32>) -> tensor<?x?x256xf32>
      %11 = stablehlo.add %iterArg_5, %c : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %iterArg_3, %iterArg_4, %11, %9#0, %9#1, %10 : tensor<?x?x128xf32>, tensor<128x1024xf32>, tensor<256x1024xf32>, tensor<1024xf32>, tensor<i32>, tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x?x256xf32>
    }
    return %7#5, %7#6, %7#7 : tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x?x256xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x128xf32>, %arg3: tensor<i32>) -> tensor<?x128xf32> {
    %c = stablehlo.constant dense<0> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<128> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %c_2, %0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2 = stablehlo.concatenate %c, %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3 = stablehlo.reshape %arg3 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.reshape %c_1 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.reshape %c_1 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %3, %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %7 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %7, %8, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %10 = stablehlo.subtract %9, %1 : tensor<3xi32>
    %11 = stablehlo.clamp %2, %6, %10 : tensor<3xi32>
    %12 = stablehlo.add %11, %1 : tensor<3xi32>
    %13 = stablehlo.concatenate %c_2, %c_2, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %14 = stablehlo.real_dynamic_slice %arg2, %11, %12, %13 : (tensor<?x?x128xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x128xf32>
    %15 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.concatenate %15, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = stablehlo.dynamic_reshape %14, %16 : (tensor<1x?x128xf32>, tensor<2xi32>) -> tensor<?x128xf32>
    return %17 : tensor<?x128xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<128x1024xf32>, %arg3: tensor<256x1024xf32>, %arg4: tensor<1024xf32>, %arg5: tensor<?x256xf32>, %arg6: tensor<?x256xf32>, %arg7: tensor<?x128xf32>) -> (tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x256xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<768> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<512> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<256> : tensor<1xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<1xi32>
    %c_4 = stablehlo.constant dense<1024> : tensor<1xi32>
    %0 = stablehlo.dot_general %arg7, %arg2, contracting_dims = [1] x [0] : (tensor<?x128xf32>, tensor<128x1024xf32>) -> tensor<?x1024xf32>
    %1 = stablehlo.dot_general %arg5, %arg3, contracting_dims = [1] x [0] : (tensor<?x256xf32>, tensor<256x1024xf32>) -> tensor<?x1024xf32>
    %2 = stablehlo.add %0, %1 : tensor<?x1024xf32>
    %3 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<1024xf32>) -> tensor<1x1024xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %3, %5, dims = [0, 1] : (tensor<1x1024xf32>, tensor<2xi32>) -> tensor<?x1024xf32>
    %7 = stablehlo.add %2, %6 : tensor<?x1024xf32>
    %8 = stablehlo.concatenate %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %9, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %11 = stablehlo.concatenate %c_1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = stablehlo.real_dynamic_slice %7, %8, %10, %11 : (tensor<?x1024xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x256xf32>
    %13 = stablehlo.concatenate %c_3, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %14 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.concatenate %14, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %16 = stablehlo.concatenate %c_1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = stablehlo.real_dynamic_slice %7, %13, %15, %16 : (tensor<?x1024xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x256xf32>
    %18 = stablehlo.concatenate %c_3, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %19 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.concatenate %19, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %21 = stablehlo.concatenate %c_1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %22 = stablehlo.real_dynamic_slice %7, %18, %20, %21 : (tensor<?x1024xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x256xf32>
    %23 = stablehlo.concatenate %c_3, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %24 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %25 = stablehlo.concatenate %24, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %26 = stablehlo.concatenate %c_1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %27 = stablehlo.real_dynamic_slice %7, %23, %25, %26 : (tensor<?x1024xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x256xf32>
    %28 = stablehlo.negate %17 : tensor<?x256xf32>
    %29 = stablehlo.exponential %28 : tensor<?x256xf32>
    %30 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %31 = stablehlo.concatenate %30, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %32 = stablehlo.dynamic_broadcast_in_dim %cst, %31, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x256xf32>
    %33 = stablehlo.add %32, %29 : tensor<?x256xf32>
    %34 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %35 = stablehlo.concatenate %34, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %36 = stablehlo.dynamic_broadcast_in_dim %cst, %35, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x256xf32>
    %37 = stablehlo.divide %36, %33 : tensor<?x256xf32>
    %38 = stablehlo.multiply %37, %arg6 : tensor<?x256xf32>
    %39 = stablehlo.negate %12 : tensor<?x256xf32>
    %40 = stablehlo.exponential %39 : tensor<?x256xf32>
    %41 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %42 = stablehlo.concatenate %41, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %43 = stablehlo.dynamic_broadcast_in_dim %cst, %42, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x256xf32>
    %44 = stablehlo.add %43, %40 : tensor<?x256xf32>
    %45 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %46 = stablehlo.concatenate %45, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %47 = stablehlo.dynamic_broadcast_in_dim %cst, %46, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x256xf32>
    %48 = stablehlo.divide %47, %44 : tensor<?x256xf32>
    %49 = stablehlo.tanh %22 : tensor<?x256xf32>
    %50 = stablehlo.multiply %48, %49 : tensor<?x256xf32>
    %51 = stablehlo.add %38, %50 : tensor<?x256xf32>
    %52 = stablehlo.negate %27 : tensor<?x256xf32>
    %53 = stablehlo.exponential %52 : tensor<?x256xf32>
    %54 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %55 = stablehlo.concatenate %54, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %56 = stablehlo.dynamic_broadcast_in_dim %cst, %55, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x256xf32>
    %57 = stablehlo.add %56, %53 : tensor<?x256xf32>
    %58 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %59 = stablehlo.concatenate %58, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %60 = stablehlo.dynamic_broadcast_in_dim %cst, %59, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x256xf32>
    %61 = stablehlo.divide %60, %57 : tensor<?x256xf32>
    %62 = stablehlo.tanh %51 : tensor<?x256xf32>
    %63 = stablehlo.multiply %61, %62 : tensor<?x256xf32>
    return %63, %51, %63 : tensor<?x256xf32>, tensor<?x256xf32>, tensor<?x256xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x?x256xf32>, %arg3: tensor<?x256xf32>, %arg4: tensor<i32>) -> tensor<?x?x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<256> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %c_1, %0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %arg3, %1, dims = [1, 2] : (tensor<?x256xf32>, tensor<3xi32>) -> tensor<1x?x256xf32>
    %3 = stablehlo.dynamic_update_slice %arg2, %2, %arg4, %c, %c : (tensor<?x?x256xf32>, tensor<1x?x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?x?x256xf32>
    return %3 : tensor<?x?x256xf32>
  }
}
