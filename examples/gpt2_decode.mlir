module @jit_gpt2_decode attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<768xf32>, %arg1: tensor<768xf32>, %arg2: tensor<768xf32>, %arg3: tensor<2304xf32>, %arg4: tensor<3072xf32>, %arg5: tensor<768xf32>, %arg6: tensor<768xf32>, %arg7: tensor<768xf32>, %arg8: tensor<768x3072xf32>, %arg9: tensor<3072x768xf32>, %arg10: tensor<768x768xf32>, %arg11: tensor<768x2304xf32>, %arg12: tensor<768xf32>, %arg13: tensor<768xf32>, %arg14: tensor<768xf32>, %arg15: tensor<2304xf32>, %arg16: tensor<3072xf32>, %arg17: tensor<768xf32>, %arg18: tensor<768xf32>, %arg19: tensor<768xf32>, %arg20: tensor<768x3072xf32>, %arg21: tensor<3072x768xf32>, %arg22: tensor<768x768xf32>, %arg23: tensor<768x2304xf32>, %arg24: tensor<50257x768xf32>, %arg25: tensor<1024x768xf32>, %arg26: tensor<768xf32>, %arg27: tensor<768xf32>, %arg28: tensor<?xi32>, %arg29: tensor<?xi32>, %arg30: tensor<2x?x12x?x64xf32>, %arg31: tensor<2x?x12x?x64xf32>) -> (tensor<?x50257xf32> {jax.result_info = "result[0]"}, tensor<2x?x12x1x64xf32> {jax.result_info = "result[1]"}, tensor<2x?x12x1x64xf32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg28, dim = 0 : (tensor<?xi32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg29, dim = 0 : (tensor<?xi32>) -> tensor<i32>
    %2 = stablehlo.get_dimension_size %arg30, dim = 1 : (tensor<2x?x12x?x64xf32>) -> tensor<i32>
    %3 = stablehlo.get_dimension_size %arg30, dim = 3 : (tensor<2x?x12x?x64xf32>) -> tensor<i32>
    %4 = stablehlo.get_dimension_size %arg31, dim = 1 : (tensor<2x?x12x?x64xf32>) -> tensor<i32>
    %5 = stablehlo.get_dimension_size %arg31, dim = 3 : (tensor<2x?x12x?x64xf32>) -> tensor<i32>
    %6 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%6, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[5].shape = (b,),args[6].shape = (b,),args[7].shape = (2, b, 12, s, 64),args[8].shape = (2, b, 12, s, 64). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[5].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %7 = stablehlo.compare EQ, %1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%7, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[6].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[5].shape = (b,),args[6].shape = (b,),args[7].shape = (2, b, 12, s, 64),args[8].shape = (2, b, 12, s, 64). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[5].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %8 = stablehlo.compare EQ, %2, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%8, %2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[7].shape[1] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[5].shape = (b,),args[6].shape = (b,),args[7].shape = (2, b, 12, s, 64),args[8].shape = (2, b, 12, s, 64). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[5].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %9 = stablehlo.compare GE, %3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%9, %0, %3) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[5].shape = (b,),args[6].shape = (b,),args[7].shape = (2, b, 12, s, 64),args[8].shape = (2, b, 12, s, 64). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[5].shape[0] (= {0}), 's' = {1} from specification 's' for dimension args[7].shape[3] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %10 = stablehlo.compare EQ, %4, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%10, %4, %0, %3) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[8].shape[1] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[5].shape = (b,),args[6].shape = (b,),args[7].shape = (2, b, 12, s, 64),args[8].shape = (2, b, 12, s, 64). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[5].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[7].shape[3] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %11 = stablehlo.compare EQ, %5, %3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%11, %5, %3, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[8].shape[3] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[5].shape = (b,),args[6].shape = (b,),args[7].shape = (2, b, 12, s, 64),args[8].shape = (2, b, 12, s, 64). Obtained dimension variables: 'b' = {2} from specification 'b' for dimension args[5].shape[0] (= {2}), 's' = {1} from specification 's' for dimension args[7].shape[3] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %12:3 = call @_wrapped_jax_export_main(%0, %3, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27, %arg28, %arg29, %arg30, %arg31) : (tensor<i32>, tensor<i32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<50257x768xf32>, tensor<1024x768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<?xi32>, tensor<?xi32>, tensor<2x?x12x?x64xf32>, tensor<2x?x12x?x64xf32>) -> (tensor<?x50257xf32>, tensor<2x?x12x1x64xf32>, tensor<2x?x12x1x64xf32>)
    return %12#0, %12#1, %12#2 : tensor<?x50257xf32>, tensor<2x?x12x1x64xf32>, tensor<2x?x12x1x64xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<768xf32>, %arg3: tensor<768xf32>, %arg4: tensor<768xf32>, %arg5: tensor<2304xf32>, %arg6: tensor<3072xf32>, %arg7: tensor<768xf32>, %arg8: tensor<768xf32>, %arg9: tensor<768xf32>, %arg10: tensor<768x3072xf32>, %arg11: tensor<3072x768xf32>, %arg12: tensor<768x768xf32>, %arg13: tensor<768x2304xf32>, %arg14: tensor<768xf32>, %arg15: tensor<768xf32>, %arg16: tensor<768xf32>, %arg17: tensor<2304xf32>, %arg18: tensor<3072xf32>, %arg19: tensor<768xf32>, %arg20: tensor<768xf32>, %arg21: tensor<768xf32>, %arg22: tensor<768x3072xf32>, %arg23: tensor<3072x768xf32>, %arg24: tensor<768x768xf32>, %arg25: tensor<768x2304xf32>, %arg26: tensor<50257x768xf32>, %arg27: tensor<1024x768xf32>, %arg28: tensor<768xf32>, %arg29: tensor<768xf32>, %arg30: tensor<?xi32>, %arg31: tensor<?xi32>, %arg32: tensor<2x?x12x?x64xf32>, %arg33: tensor<2x?x12x?x64xf32>) -> (tensor<?x50257xf32> {jax.result_info = "result[0]"}, tensor<2x?x12x1x64xf32> {jax.result_info = "result[1]"}, tensor<2x?x12x1x64xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %cst_2 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %c = stablehlo.constant dense<3072> : tensor<1xi32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %c_5 = stablehlo.constant dense<64> : tensor<1xi32>
    %c_6 = stablehlo.constant dense<12> : tensor<1xi32>
    %c_7 = stablehlo.constant dense<1536> : tensor<1xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<1xi32>
    %c_9 = stablehlo.constant dense<2304> : tensor<1xi32>
    %cst_10 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %c_11 = stablehlo.constant dense<768> : tensor<1xi32>
    %cst_12 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_14 = stablehlo.constant dense<1024> : tensor<i32>
    %c_15 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_16 = stablehlo.constant dense<1> : tensor<i32>
    %c_17 = stablehlo.constant dense<50257> : tensor<i32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_broadcast_in_dim %c_18, %0, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %2 = stablehlo.compare LT, %arg30, %1, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %3 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %c_17, %3, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %5 = stablehlo.add %arg30, %4 : tensor<?xi32>
    %6 = stablehlo.select %2, %5, %arg30 : tensor<?xi1>, tensor<?xi32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %7, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %6, %8, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %10 = "stablehlo.gather"(%arg26, %9) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 768>}> : (tensor<50257x768xf32>, tensor<?x1xi32>) -> tensor<?x768xf32>
    %11 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %c_18, %11, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %13 = stablehlo.compare LT, %arg31, %12, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %14 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.dynamic_broadcast_in_dim %c_14, %14, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %16 = stablehlo.add %arg31, %15 : tensor<?xi32>
    %17 = stablehlo.select %13, %16, %arg31 : tensor<?xi1>, tensor<?xi32>
    %18 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %19 = stablehlo.concatenate %18, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %20 = stablehlo.dynamic_broadcast_in_dim %17, %19, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %21 = "stablehlo.gather"(%arg27, %20) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 768>}> : (tensor<1024x768xf32>, tensor<?x1xi32>) -> tensor<?x768xf32>
    %22 = stablehlo.add %10, %21 : tensor<?x768xf32>
    %23 = stablehlo.reduce(%22 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?xf32>
    %24 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %25 = stablehlo.concatenate %24, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %26 = stablehlo.dynamic_broadcast_in_dim %23, %25, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %27 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %28 = stablehlo.concatenate %27, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %29 = stablehlo.dynamic_broadcast_in_dim %cst_12, %28, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %30 = stablehlo.divide %26, %29 : tensor<?x1xf32>
    %31 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %32 = stablehlo.concatenate %31, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %33 = stablehlo.dynamic_broadcast_in_dim %30, %32, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %34 = stablehlo.subtract %22, %33 : tensor<?x768xf32>
    %35 = stablehlo.multiply %34, %34 : tensor<?x768xf32>
    %36 = stablehlo.reduce(%35 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?xf32>
    %37 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %38 = stablehlo.concatenate %37, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %39 = stablehlo.dynamic_broadcast_in_dim %36, %38, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %40 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %41 = stablehlo.concatenate %40, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %42 = stablehlo.dynamic_broadcast_in_dim %cst_12, %41, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %43 = stablehlo.divide %39, %42 : tensor<?x1xf32>
    %44 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %45 = stablehlo.concatenate %44, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %46 = stablehlo.dynamic_broadcast_in_dim %30, %45, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %47 = stablehlo.subtract %22, %46 : tensor<?x768xf32>
    %48 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %49 = stablehlo.concatenate %48, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %50 = stablehlo.dynamic_broadcast_in_dim %cst_10, %49, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %51 = stablehlo.add %43, %50 : tensor<?x1xf32>
    %52 = stablehlo.rsqrt %51 : tensor<?x1xf32>
    %53 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %54 = stablehlo.concatenate %53, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %55 = stablehlo.dynamic_broadcast_in_dim %52, %54, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %56 = stablehlo.multiply %47, %55 : tensor<?x768xf32>
    %57 = stablehlo.broadcast_in_dim %arg8, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %58 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %59 = stablehlo.concatenate %58, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %60 = stablehlo.dynamic_broadcast_in_dim %57, %59, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %61 = stablehlo.multiply %56, %60 : tensor<?x768xf32>
    %62 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %63 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %64 = stablehlo.concatenate %63, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %65 = stablehlo.dynamic_broadcast_in_dim %62, %64, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %66 = stablehlo.add %61, %65 : tensor<?x768xf32>
    %67 = stablehlo.dot_general %66, %arg13, contracting_dims = [1] x [0] : (tensor<?x768xf32>, tensor<768x2304xf32>) -> tensor<?x2304xf32>
    %68 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<2304xf32>) -> tensor<1x2304xf32>
    %69 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %70 = stablehlo.concatenate %69, %c_9, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %71 = stablehlo.dynamic_broadcast_in_dim %68, %70, dims = [0, 1] : (tensor<1x2304xf32>, tensor<2xi32>) -> tensor<?x2304xf32>
    %72 = stablehlo.add %67, %71 : tensor<?x2304xf32>
    %73 = stablehlo.concatenate %c_8, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %74 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %75 = stablehlo.concatenate %74, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %76 = stablehlo.concatenate %c_15, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %77 = stablehlo.real_dynamic_slice %72, %73, %75, %76 : (tensor<?x2304xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x768xf32>
    %78 = stablehlo.concatenate %c_8, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %79 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %80 = stablehlo.concatenate %79, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %81 = stablehlo.concatenate %c_15, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %82 = stablehlo.real_dynamic_slice %72, %78, %80, %81 : (tensor<?x2304xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x768xf32>
    %83 = stablehlo.concatenate %c_8, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %84 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %85 = stablehlo.concatenate %84, %c_9, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %86 = stablehlo.concatenate %c_15, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %87 = stablehlo.real_dynamic_slice %72, %83, %85, %86 : (tensor<?x2304xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x768xf32>
    %88 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %89 = stablehlo.concatenate %88, %c_6, %c_15, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %90 = stablehlo.dynamic_reshape %77, %89 : (tensor<?x768xf32>, tensor<4xi32>) -> tensor<?x12x1x64xf32>
    %91 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %92 = stablehlo.concatenate %91, %c_6, %c_15, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %93 = stablehlo.dynamic_reshape %82, %92 : (tensor<?x768xf32>, tensor<4xi32>) -> tensor<?x12x1x64xf32>
    %94 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %95 = stablehlo.concatenate %94, %c_6, %c_15, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %96 = stablehlo.dynamic_reshape %87, %95 : (tensor<?x768xf32>, tensor<4xi32>) -> tensor<?x12x1x64xf32>
    %97 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %98 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %99 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %100 = stablehlo.concatenate %c_15, %98, %c_6, %99, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %101 = "stablehlo.dynamic_gather"(%arg32, %97, %100) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<2x?x12x?x64xf32>, tensor<1xi32>, tensor<5xi32>) -> tensor<?x12x?x64xf32>
    %102 = stablehlo.concatenate %101, %93, dim = 2 : (tensor<?x12x?x64xf32>, tensor<?x12x1x64xf32>) -> tensor<?x12x?x64xf32>
    %103 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %104 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %105 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %106 = stablehlo.concatenate %c_15, %104, %c_6, %105, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %107 = "stablehlo.dynamic_gather"(%arg33, %103, %106) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<2x?x12x?x64xf32>, tensor<1xi32>, tensor<5xi32>) -> tensor<?x12x?x64xf32>
    %108 = stablehlo.concatenate %107, %96, dim = 2 : (tensor<?x12x?x64xf32>, tensor<?x12x1x64xf32>) -> tensor<?x12x?x64xf32>
    %109 = stablehlo.dot_general %90, %102, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x1x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x1x?xf32>
    %110 = stablehlo.convert %arg1 : tensor<i32>
    %111 = stablehlo.add %110, %c_16 : tensor<i32>
    %112 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %113 = stablehlo.reshape %111 : (tensor<i32>) -> tensor<1xi32>
    %114 = stablehlo.concatenate %112, %c_6, %c_15, %113, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %115 = stablehlo.dynamic_broadcast_in_dim %cst_4, %114, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x1x?xf32>
    %116 = stablehlo.divide %109, %115 : tensor<?x12x1x?xf32>
    %117 = stablehlo.reduce(%116 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x1x?xf32>, tensor<f32>) -> tensor<?x12x1xf32>
    %118 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %119 = stablehlo.concatenate %118, %c_6, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %120 = stablehlo.dynamic_broadcast_in_dim %cst_3, %119, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x1xf32>
    %121 = stablehlo.maximum %120, %117 : tensor<?x12x1xf32>
    %122 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %123 = stablehlo.concatenate %122, %c_6, %c_15, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %124 = stablehlo.dynamic_broadcast_in_dim %121, %123, dims = [0, 1, 2] : (tensor<?x12x1xf32>, tensor<4xi32>) -> tensor<?x12x1x1xf32>
    %125 = stablehlo.convert %arg1 : tensor<i32>
    %126 = stablehlo.add %125, %c_16 : tensor<i32>
    %127 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %128 = stablehlo.reshape %126 : (tensor<i32>) -> tensor<1xi32>
    %129 = stablehlo.concatenate %127, %c_6, %c_15, %128, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %130 = stablehlo.dynamic_broadcast_in_dim %124, %129, dims = [0, 1, 2, 3] : (tensor<?x12x1x1xf32>, tensor<4xi32>) -> tensor<?x12x1x?xf32>
    %131 = stablehlo.subtract %116, %130 : tensor<?x12x1x?xf32>
    %132 = stablehlo.exponential %131 : tensor<?x12x1x?xf32>
    %133 = stablehlo.reduce(%132 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<?x12x1x?xf32>, tensor<f32>) -> tensor<?x12x1xf32>
    %134 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %135 = stablehlo.concatenate %134, %c_6, %c_15, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %136 = stablehlo.dynamic_broadcast_in_dim %133, %135, dims = [0, 1, 2] : (tensor<?x12x1xf32>, tensor<4xi32>) -> tensor<?x12x1x1xf32>
    %137 = stablehlo.convert %arg1 : tensor<i32>
    %138 = stablehlo.add %137, %c_16 : tensor<i32>
    %139 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %140 = stablehlo.reshape %138 : (tensor<i32>) -> tensor<1xi32>
    %141 = stablehlo.concatenate %139, %c_6, %c_15, %140, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %142 = stablehlo.dynamic_broadcast_in_dim %136, %141, dims = [0, 1, 2, 3] : (tensor<?x12x1x1xf32>, tensor<4xi32>) -> tensor<?x12x1x?xf32>
    %143 = stablehlo.divide %132, %142 : tensor<?x12x1x?xf32>
    %144 = stablehlo.dot_general %143, %108, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x1x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x1x64xf32>
    %145 = stablehlo.transpose %144, dims = [0, 2, 1, 3] : (tensor<?x12x1x64xf32>) -> tensor<?x1x12x64xf32>
    %146 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %147 = stablehlo.concatenate %146, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %148 = stablehlo.dynamic_reshape %145, %147 : (tensor<?x1x12x64xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %149 = stablehlo.dot_general %148, %arg12, contracting_dims = [1] x [0] : (tensor<?x768xf32>, tensor<768x768xf32>) -> tensor<?x768xf32>
    %150 = stablehlo.add %22, %149 : tensor<?x768xf32>
    %151 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %152 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %153 = stablehlo.concatenate %152, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %154 = stablehlo.dynamic_broadcast_in_dim %151, %153, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %155 = stablehlo.add %150, %154 : tensor<?x768xf32>
    %156 = stablehlo.reduce(%155 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?xf32>
    %157 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %158 = stablehlo.concatenate %157, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %159 = stablehlo.dynamic_broadcast_in_dim %156, %158, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %160 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %161 = stablehlo.concatenate %160, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %162 = stablehlo.dynamic_broadcast_in_dim %cst_12, %161, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %163 = stablehlo.divide %159, %162 : tensor<?x1xf32>
    %164 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %165 = stablehlo.concatenate %164, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %166 = stablehlo.dynamic_broadcast_in_dim %163, %165, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %167 = stablehlo.subtract %155, %166 : tensor<?x768xf32>
    %168 = stablehlo.multiply %167, %167 : tensor<?x768xf32>
    %169 = stablehlo.reduce(%168 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?xf32>
    %170 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %171 = stablehlo.concatenate %170, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %172 = stablehlo.dynamic_broadcast_in_dim %169, %171, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %173 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %174 = stablehlo.concatenate %173, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %175 = stablehlo.dynamic_broadcast_in_dim %cst_12, %174, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %176 = stablehlo.divide %172, %175 : tensor<?x1xf32>
    %177 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %178 = stablehlo.concatenate %177, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %179 = stablehlo.dynamic_broadcast_in_dim %163, %178, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %180 = stablehlo.subtract %155, %179 : tensor<?x768xf32>
    %181 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %182 = stablehlo.concatenate %181, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %183 = stablehlo.dynamic_broadcast_in_dim %cst_10, %182, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %184 = stablehlo.add %176, %183 : tensor<?x1xf32>
    %185 = stablehlo.rsqrt %184 : tensor<?x1xf32>
    %186 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %187 = stablehlo.concatenate %186, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %188 = stablehlo.dynamic_broadcast_in_dim %185, %187, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %189 = stablehlo.multiply %180, %188 : tensor<?x768xf32>
    %190 = stablehlo.broadcast_in_dim %arg9, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %191 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %192 = stablehlo.concatenate %191, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %193 = stablehlo.dynamic_broadcast_in_dim %190, %192, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %194 = stablehlo.multiply %189, %193 : tensor<?x768xf32>
    %195 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %196 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %197 = stablehlo.concatenate %196, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %198 = stablehlo.dynamic_broadcast_in_dim %195, %197, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %199 = stablehlo.add %194, %198 : tensor<?x768xf32>
    %200 = stablehlo.dot_general %199, %arg10, contracting_dims = [1] x [0] : (tensor<?x768xf32>, tensor<768x3072xf32>) -> tensor<?x3072xf32>
    %201 = stablehlo.broadcast_in_dim %arg6, dims = [1] : (tensor<3072xf32>) -> tensor<1x3072xf32>
    %202 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %203 = stablehlo.concatenate %202, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %204 = stablehlo.dynamic_broadcast_in_dim %201, %203, dims = [0, 1] : (tensor<1x3072xf32>, tensor<2xi32>) -> tensor<?x3072xf32>
    %205 = stablehlo.add %200, %204 : tensor<?x3072xf32>
    %206 = stablehlo.multiply %205, %205 : tensor<?x3072xf32>
    %207 = stablehlo.multiply %206, %205 : tensor<?x3072xf32>
    %208 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %209 = stablehlo.concatenate %208, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %210 = stablehlo.dynamic_broadcast_in_dim %cst_2, %209, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3072xf32>
    %211 = stablehlo.multiply %210, %207 : tensor<?x3072xf32>
    %212 = stablehlo.add %205, %211 : tensor<?x3072xf32>
    %213 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %214 = stablehlo.concatenate %213, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %215 = stablehlo.dynamic_broadcast_in_dim %cst_1, %214, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3072xf32>
    %216 = stablehlo.multiply %215, %212 : tensor<?x3072xf32>
    %217 = stablehlo.tanh %216 : tensor<?x3072xf32>
    %218 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %219 = stablehlo.concatenate %218, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %220 = stablehlo.dynamic_broadcast_in_dim %cst_0, %219, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3072xf32>
    %221 = stablehlo.add %220, %217 : tensor<?x3072xf32>
    %222 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %223 = stablehlo.concatenate %222, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %224 = stablehlo.dynamic_broadcast_in_dim %cst, %223, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3072xf32>
    %225 = stablehlo.multiply %224, %221 : tensor<?x3072xf32>
    %226 = stablehlo.multiply %205, %225 : tensor<?x3072xf32>
    %227 = stablehlo.dot_general %226, %arg11, contracting_dims = [1] x [0] : (tensor<?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x768xf32>
    %228 = stablehlo.add %155, %227 : tensor<?x768xf32>
    %229 = stablehlo.broadcast_in_dim %arg7, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %230 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %231 = stablehlo.concatenate %230, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %232 = stablehlo.dynamic_broadcast_in_dim %229, %231, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %233 = stablehlo.add %228, %232 : tensor<?x768xf32>
    %234 = stablehlo.reduce(%233 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?xf32>
    %235 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %236 = stablehlo.concatenate %235, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %237 = stablehlo.dynamic_broadcast_in_dim %234, %236, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %238 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %239 = stablehlo.concatenate %238, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %240 = stablehlo.dynamic_broadcast_in_dim %cst_12, %239, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %241 = stablehlo.divide %237, %240 : tensor<?x1xf32>
    %242 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %243 = stablehlo.concatenate %242, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %244 = stablehlo.dynamic_broadcast_in_dim %241, %243, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %245 = stablehlo.subtract %233, %244 : tensor<?x768xf32>
    %246 = stablehlo.multiply %245, %245 : tensor<?x768xf32>
    %247 = stablehlo.reduce(%246 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?xf32>
    %248 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %249 = stablehlo.concatenate %248, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %250 = stablehlo.dynamic_broadcast_in_dim %247, %249, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %251 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %252 = stablehlo.concatenate %251, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %253 = stablehlo.dynamic_broadcast_in_dim %cst_12, %252, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %254 = stablehlo.divide %250, %253 : tensor<?x1xf32>
    %255 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %256 = stablehlo.concatenate %255, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %257 = stablehlo.dynamic_broadcast_in_dim %241, %256, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %258 = stablehlo.subtract %233, %257 : tensor<?x768xf32>
    %259 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %260 = stablehlo.concatenate %259, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %261 = stablehlo.dynamic_broadcast_in_dim %cst_10, %260, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %262 = stablehlo.add %254, %261 : tensor<?x1xf32>
    %263 = stablehlo.rsqrt %262 : tensor<?x1xf32>
    %264 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %265 = stablehlo.concatenate %264, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %266 = stablehlo.dynamic_broadcast_in_dim %263, %265, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %267 = stablehlo.multiply %258, %266 : tensor<?x768xf32>
    %268 = stablehlo.broadcast_in_dim %arg20, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %269 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %270 = stablehlo.concatenate %269, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %271 = stablehlo.dynamic_broadcast_in_dim %268, %270, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %272 = stablehlo.multiply %267, %271 : tensor<?x768xf32>
    %273 = stablehlo.broadcast_in_dim %arg14, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %274 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %275 = stablehlo.concatenate %274, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %276 = stablehlo.dynamic_broadcast_in_dim %273, %275, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %277 = stablehlo.add %272, %276 : tensor<?x768xf32>
    %278 = stablehlo.dot_general %277, %arg25, contracting_dims = [1] x [0] : (tensor<?x768xf32>, tensor<768x2304xf32>) -> tensor<?x2304xf32>
    %279 = stablehlo.broadcast_in_dim %arg17, dims = [1] : (tensor<2304xf32>) -> tensor<1x2304xf32>
    %280 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %281 = stablehlo.concatenate %280, %c_9, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %282 = stablehlo.dynamic_broadcast_in_dim %279, %281, dims = [0, 1] : (tensor<1x2304xf32>, tensor<2xi32>) -> tensor<?x2304xf32>
    %283 = stablehlo.add %278, %282 : tensor<?x2304xf32>
    %284 = stablehlo.concatenate %c_8, %c_8, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %285 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %286 = stablehlo.concatenate %285, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %287 = stablehlo.concatenate %c_15, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %288 = stablehlo.real_dynamic_slice %283, %284, %286, %287 : (tensor<?x2304xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x768xf32>
    %289 = stablehlo.concatenate %c_8, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %290 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %291 = stablehlo.concatenate %290, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %292 = stablehlo.concatenate %c_15, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %293 = stablehlo.real_dynamic_slice %283, %289, %291, %292 : (tensor<?x2304xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x768xf32>
    %294 = stablehlo.concatenate %c_8, %c_7, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %295 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %296 = stablehlo.concatenate %295, %c_9, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %297 = stablehlo.concatenate %c_15, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %298 = stablehlo.real_dynamic_slice %283, %294, %296, %297 : (tensor<?x2304xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x768xf32>
    %299 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %300 = stablehlo.concatenate %299, %c_6, %c_15, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %301 = stablehlo.dynamic_reshape %288, %300 : (tensor<?x768xf32>, tensor<4xi32>) -> tensor<?x12x1x64xf32>
    %302 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %303 = stablehlo.concatenate %302, %c_6, %c_15, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %304 = stablehlo.dynamic_reshape %293, %303 : (tensor<?x768xf32>, tensor<4xi32>) -> tensor<?x12x1x64xf32>
    %305 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %306 = stablehlo.concatenate %305, %c_6, %c_15, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %307 = stablehlo.dynamic_reshape %298, %306 : (tensor<?x768xf32>, tensor<4xi32>) -> tensor<?x12x1x64xf32>
    %308 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %309 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %310 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %311 = stablehlo.concatenate %c_15, %309, %c_6, %310, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %312 = "stablehlo.dynamic_gather"(%arg32, %308, %311) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<2x?x12x?x64xf32>, tensor<1xi32>, tensor<5xi32>) -> tensor<?x12x?x64xf32>
    %313 = stablehlo.concatenate %312, %304, dim = 2 : (tensor<?x12x?x64xf32>, tensor<?x12x1x64xf32>) -> tensor<?x12x?x64xf32>
    %314 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %315 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %316 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %317 = stablehlo.concatenate %c_15, %315, %c_6, %316, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %318 = "stablehlo.dynamic_gather"(%arg33, %314, %317) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<2x?x12x?x64xf32>, tensor<1xi32>, tensor<5xi32>) -> tensor<?x12x?x64xf32>
    %319 = stablehlo.concatenate %318, %307, dim = 2 : (tensor<?x12x?x64xf32>, tensor<?x12x1x64xf32>) -> tensor<?x12x?x64xf32>
    %320 = stablehlo.dot_general %301, %313, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x1x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x1x?xf32>
    %321 = stablehlo.convert %arg1 : tensor<i32>
    %322 = stablehlo.add %321, %c_16 : tensor<i32>
    %323 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %324 = stablehlo.reshape %322 : (tensor<i32>) -> tensor<1xi32>
    %325 = stablehlo.concatenate %323, %c_6, %c_15, %324, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %326 = stablehlo.dynamic_broadcast_in_dim %cst_4, %325, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x1x?xf32>
    %327 = stablehlo.divide %320, %326 : tensor<?x12x1x?xf32>
    %328 = stablehlo.reduce(%327 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x1x?xf32>, tensor<f32>) -> tensor<?x12x1xf32>
    %329 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %330 = stablehlo.concatenate %329, %c_6, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %331 = stablehlo.dynamic_broadcast_in_dim %cst_3, %330, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x1xf32>
    %332 = stablehlo.maximum %331, %328 : tensor<?x12x1xf32>
    %333 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %334 = stablehlo.concatenate %333, %c_6, %c_15, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %335 = stablehlo.dynamic_broadcast_in_dim %332, %334, dims = [0, 1, 2] : (tensor<?x12x1xf32>, tensor<4xi32>) -> tensor<?x12x1x1xf32>
    %336 = stablehlo.convert %arg1 : tensor<i32>
    %337 = stablehlo.add %336, %c_16 : tensor<i32>
    %338 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %339 = stablehlo.reshape %337 : (tensor<i32>) -> tensor<1xi32>
    %340 = stablehlo.concatenate %338, %c_6, %c_15, %339, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %341 = stablehlo.dynamic_broadcast_in_dim %335, %340, dims = [0, 1, 2, 3] : (tensor<?x12x1x1xf32>, tensor<4xi32>) -> tensor<?x12x1x?xf32>
    %342 = stablehlo.subtract %327, %341 : tensor<?x12x1x?xf32>
    %343 = stablehlo.exponential %342 : tensor<?x12x1x?xf32>
    %344 = stablehlo.reduce(%343 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<?x12x1x?xf32>, tensor<f32>) -> tensor<?x12x1xf32>
    %345 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %346 = stablehlo.concatenate %345, %c_6, %c_15, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %347 = stablehlo.dynamic_broadcast_in_dim %344, %346, dims = [0, 1, 2] : (tensor<?x12x1xf32>, tensor<4xi32>) -> tensor<?x12x1x1xf32>
    %348 = stablehlo.convert %arg1 : tensor<i32>
    %349 = stablehlo.add %348, %c_16 : tensor<i32>
    %350 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %351 = stablehlo.reshape %349 : (tensor<i32>) -> tensor<1xi32>
    %352 = stablehlo.concatenate %350, %c_6, %c_15, %351, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %353 = stablehlo.dynamic_broadcast_in_dim %347, %352, dims = [0, 1, 2, 3] : (tensor<?x12x1x1xf32>, tensor<4xi32>) -> tensor<?x12x1x?xf32>
    %354 = stablehlo.divide %343, %353 : tensor<?x12x1x?xf32>
    %355 = stablehlo.dot_general %354, %319, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x1x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x1x64xf32>
    %356 = stablehlo.transpose %355, dims = [0, 2, 1, 3] : (tensor<?x12x1x64xf32>) -> tensor<?x1x12x64xf32>
    %357 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %358 = stablehlo.concatenate %357, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %359 = stablehlo.dynamic_reshape %356, %358 : (tensor<?x1x12x64xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %360 = stablehlo.dot_general %359, %arg24, contracting_dims = [1] x [0] : (tensor<?x768xf32>, tensor<768x768xf32>) -> tensor<?x768xf32>
    %361 = stablehlo.add %233, %360 : tensor<?x768xf32>
    %362 = stablehlo.broadcast_in_dim %arg16, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %363 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %364 = stablehlo.concatenate %363, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %365 = stablehlo.dynamic_broadcast_in_dim %362, %364, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %366 = stablehlo.add %361, %365 : tensor<?x768xf32>
    %367 = stablehlo.reduce(%366 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?xf32>
    %368 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %369 = stablehlo.concatenate %368, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %370 = stablehlo.dynamic_broadcast_in_dim %367, %369, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %371 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %372 = stablehlo.concatenate %371, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %373 = stablehlo.dynamic_broadcast_in_dim %cst_12, %372, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %374 = stablehlo.divide %370, %373 : tensor<?x1xf32>
    %375 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %376 = stablehlo.concatenate %375, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %377 = stablehlo.dynamic_broadcast_in_dim %374, %376, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %378 = stablehlo.subtract %366, %377 : tensor<?x768xf32>
    %379 = stablehlo.multiply %378, %378 : tensor<?x768xf32>
    %380 = stablehlo.reduce(%379 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?xf32>
    %381 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %382 = stablehlo.concatenate %381, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %383 = stablehlo.dynamic_broadcast_in_dim %380, %382, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %384 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %385 = stablehlo.concatenate %384, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %386 = stablehlo.dynamic_broadcast_in_dim %cst_12, %385, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %387 = stablehlo.divide %383, %386 : tensor<?x1xf32>
    %388 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %389 = stablehlo.concatenate %388, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %390 = stablehlo.dynamic_broadcast_in_dim %374, %389, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %391 = stablehlo.subtract %366, %390 : tensor<?x768xf32>
    %392 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %393 = stablehlo.concatenate %392, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %394 = stablehlo.dynamic_broadcast_in_dim %cst_10, %393, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %395 = stablehlo.add %387, %394 : tensor<?x1xf32>
    %396 = stablehlo.rsqrt %395 : tensor<?x1xf32>
    %397 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %398 = stablehlo.concatenate %397, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %399 = stablehlo.dynamic_broadcast_in_dim %396, %398, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %400 = stablehlo.multiply %391, %399 : tensor<?x768xf32>
    %401 = stablehlo.broadcast_in_dim %arg21, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %402 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %403 = stablehlo.concatenate %402, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %404 = stablehlo.dynamic_broadcast_in_dim %401, %403, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %405 = stablehlo.multiply %400, %404 : tensor<?x768xf32>
    %406 = stablehlo.broadcast_in_dim %arg15, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %407 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %408 = stablehlo.concatenate %407, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %409 = stablehlo.dynamic_broadcast_in_dim %406, %408, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %410 = stablehlo.add %405, %409 : tensor<?x768xf32>
    %411 = stablehlo.dot_general %410, %arg22, contracting_dims = [1] x [0] : (tensor<?x768xf32>, tensor<768x3072xf32>) -> tensor<?x3072xf32>
    %412 = stablehlo.broadcast_in_dim %arg18, dims = [1] : (tensor<3072xf32>) -> tensor<1x3072xf32>
    %413 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %414 = stablehlo.concatenate %413, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %415 = stablehlo.dynamic_broadcast_in_dim %412, %414, dims = [0, 1] : (tensor<1x3072xf32>, tensor<2xi32>) -> tensor<?x3072xf32>
    %416 = stablehlo.add %411, %415 : tensor<?x3072xf32>
    %417 = stablehlo.multiply %416, %416 : tensor<?x3072xf32>
    %418 = stablehlo.multiply %417, %416 : tensor<?x3072xf32>
    %419 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %420 = stablehlo.concatenate %419, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %421 = stablehlo.dynamic_broadcast_in_dim %cst_2, %420, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3072xf32>
    %422 = stablehlo.multiply %421, %418 : tensor<?x3072xf32>
    %423 = stablehlo.add %416, %422 : tensor<?x3072xf32>
    %424 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %425 = stablehlo.concatenate %424, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %426 = stablehlo.dynamic_broadcast_in_dim %cst_1, %425, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3072xf32>
    %427 = stablehlo.multiply %426, %423 : tensor<?x3072xf32>
    %428 = stablehlo.tanh %427 : tensor<?x3072xf32>
    %429 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %430 = stablehlo.concatenate %429, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %431 = stablehlo.dynamic_broadcast_in_dim %cst_0, %430, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3072xf32>
    %432 = stablehlo.add %431, %428 : tensor<?x3072xf32>
    %433 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %434 = stablehlo.concatenate %433, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %435 = stablehlo.dynamic_broadcast_in_dim %cst, %434, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3072xf32>
    %436 = stablehlo.multiply %435, %432 : tensor<?x3072xf32>
    %437 = stablehlo.multiply %416, %436 : tensor<?x3072xf32>
    %438 = stablehlo.dot_general %437, %arg23, contracting_dims = [1] x [0] : (tensor<?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x768xf32>
    %439 = stablehlo.add %366, %438 : tensor<?x768xf32>
    %440 = stablehlo.broadcast_in_dim %arg19, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %441 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %442 = stablehlo.concatenate %441, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %443 = stablehlo.dynamic_broadcast_in_dim %440, %442, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %444 = stablehlo.add %439, %443 : tensor<?x768xf32>
    %445 = stablehlo.reduce(%444 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?xf32>
    %446 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %447 = stablehlo.concatenate %446, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %448 = stablehlo.dynamic_broadcast_in_dim %445, %447, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %449 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %450 = stablehlo.concatenate %449, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %451 = stablehlo.dynamic_broadcast_in_dim %cst_12, %450, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %452 = stablehlo.divide %448, %451 : tensor<?x1xf32>
    %453 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %454 = stablehlo.concatenate %453, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %455 = stablehlo.dynamic_broadcast_in_dim %452, %454, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %456 = stablehlo.subtract %444, %455 : tensor<?x768xf32>
    %457 = stablehlo.multiply %456, %456 : tensor<?x768xf32>
    %458 = stablehlo.reduce(%457 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?xf32>
    %459 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %460 = stablehlo.concatenate %459, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %461 = stablehlo.dynamic_broadcast_in_dim %458, %460, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %462 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %463 = stablehlo.concatenate %462, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %464 = stablehlo.dynamic_broadcast_in_dim %cst_12, %463, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %465 = stablehlo.divide %461, %464 : tensor<?x1xf32>
    %466 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %467 = stablehlo.concatenate %466, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %468 = stablehlo.dynamic_broadcast_in_dim %452, %467, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %469 = stablehlo.subtract %444, %468 : tensor<?x768xf32>
    %470 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %471 = stablehlo.concatenate %470, %c_15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %472 = stablehlo.dynamic_broadcast_in_dim %cst_10, %471, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %473 = stablehlo.add %465, %472 : tensor<?x1xf32>
    %474 = stablehlo.rsqrt %473 : tensor<?x1xf32>
    %475 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %476 = stablehlo.concatenate %475, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %477 = stablehlo.dynamic_broadcast_in_dim %474, %476, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %478 = stablehlo.multiply %469, %477 : tensor<?x768xf32>
    %479 = stablehlo.broadcast_in_dim %arg28, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %480 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %481 = stablehlo.concatenate %480, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %482 = stablehlo.dynamic_broadcast_in_dim %479, %481, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %483 = stablehlo.multiply %478, %482 : tensor<?x768xf32>
    %484 = stablehlo.broadcast_in_dim %arg29, dims = [1] : (tensor<768xf32>) -> tensor<1x768xf32>
    %485 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %486 = stablehlo.concatenate %485, %c_11, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %487 = stablehlo.dynamic_broadcast_in_dim %484, %486, dims = [0, 1] : (tensor<1x768xf32>, tensor<2xi32>) -> tensor<?x768xf32>
    %488 = stablehlo.add %483, %487 : tensor<?x768xf32>
    %489 = stablehlo.transpose %arg26, dims = [1, 0] : (tensor<50257x768xf32>) -> tensor<768x50257xf32>
    %490 = stablehlo.dot_general %488, %489, contracting_dims = [1] x [0] : (tensor<?x768xf32>, tensor<768x50257xf32>) -> tensor<?x50257xf32>
    %491 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %492 = stablehlo.concatenate %c_15, %491, %c_6, %c_15, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %493 = stablehlo.dynamic_broadcast_in_dim %93, %492, dims = [1, 2, 3, 4] : (tensor<?x12x1x64xf32>, tensor<5xi32>) -> tensor<1x?x12x1x64xf32>
    %494 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %495 = stablehlo.concatenate %c_15, %494, %c_6, %c_15, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %496 = stablehlo.dynamic_broadcast_in_dim %304, %495, dims = [1, 2, 3, 4] : (tensor<?x12x1x64xf32>, tensor<5xi32>) -> tensor<1x?x12x1x64xf32>
    %497 = stablehlo.concatenate %493, %496, dim = 0 : (tensor<1x?x12x1x64xf32>, tensor<1x?x12x1x64xf32>) -> tensor<2x?x12x1x64xf32>
    %498 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %499 = stablehlo.concatenate %c_15, %498, %c_6, %c_15, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %500 = stablehlo.dynamic_broadcast_in_dim %96, %499, dims = [1, 2, 3, 4] : (tensor<?x12x1x64xf32>, tensor<5xi32>) -> tensor<1x?x12x1x64xf32>
    %501 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %502 = stablehlo.concatenate %c_15, %501, %c_6, %c_15, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi32>
    %503 = stablehlo.dynamic_broadcast_in_dim %307, %502, dims = [1, 2, 3, 4] : (tensor<?x12x1x64xf32>, tensor<5xi32>) -> tensor<1x?x12x1x64xf32>
    %504 = stablehlo.concatenate %500, %503, dim = 0 : (tensor<1x?x12x1x64xf32>, tensor<1x?x12x1x64xf32>) -> tensor<2x?x12x1x64xf32>
    return %490, %497, %504 : tensor<?x50257xf32>, tensor<2x?x12x1x64xf32>, tensor<2x?x12x1x64xf32>
  }
}
