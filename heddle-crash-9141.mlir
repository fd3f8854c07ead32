// heddle-opt --pass-pipeline='inline,disc-unused-function-removal,disc-broadcast-simplifier,disc-loop-invariant{keep-inflating},cse,sccp{simplify-branches},disc-dot-rewriter,cse,hlo-expand,chlo-legalize-to-stablehlo,disc-transpose-of-dot,disc-sink-constants,disc-hlo-legalize-to-lhlo,disc-fusion,disc-lower-to-buffer-alias,disc-lower-to-kernels,cse,disc-remove-dead-buffer,dead-temp-buffer-removal,buffer-loop-hoisting,disc-buffer-deallocation,disc-localize-small-cpu-buffer,disc-inject-execution-context,expand-math' heddle-crash-9141.mlir
module @jit_bert_layer attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<768xf32>, %arg1: tensor<768xf32>, %arg2: tensor<768xf32>, %arg3: tensor<2304xf32>, %arg4: tensor<3072xf32>, %arg5: tensor<768xf32>, %arg6: tensor<768xf32>, %arg7: tensor<768xf32>, %arg8: tensor<768x3072xf32>, %arg9: tensor<3072x768xf32>, %arg10: tensor<768x768xf32>, %arg11: tensor<768x2304xf32>, %arg12: tensor<?x?x768xf32>, %arg13: tensor<?x?xi1>) -> (tensor<?x?x768xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg12, dim = 0 : (tensor<?x?x768xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg12, dim = 1 : (tensor<?x?x768xf32>) -> tensor<i32>
    %2 = stablehlo.get_dimension_size %arg13, dim = 0 : (tensor<?x?xi1>) -> tensor<i32>
    %3 = stablehlo.get_dimension_size %arg13, dim = 1 : (tensor<?x?xi1>) -> tensor<i32>
    %4 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[1].shape = (b, s, 768),args[2].shape = (b, s). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[1].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %5 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[1].shape = (b, s, 768),args[2].shape = (b, s). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[1].shape[0] (= {0}), 's' = {1} from specification 's' for dimension args[1].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %6 = stablehlo.compare EQ, %2, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%6, %2, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[1].shape = (b, s, 768),args[2].shape = (b, s). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[1].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[1].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %7 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%7, %3, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[1].shape = (b, s, 768),args[2].shape = (b, s). Obtained dimension variables: 'b' = {2} from specification 'b' for dimension args[1].shape[0] (= {2}), 's' = {1} from specification 's' for dimension args[1].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %8 = call @_wrapped_jax_export_main(%0, %1, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13) : (tensor<i32>, tensor<i32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<?x?x768xf32>, tensor<?x?xi1>) -> tensor<?x?x768xf32>
    return %8 : tensor<?x?x768xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<768xf32>, %arg3: tensor<768xf32>, %arg4: tensor<768xf32>, %arg5: tensor<2304xf32>, %arg6: tensor<3072xf32>, %arg7: tensor<768xf32>, %arg8: tensor<768xf32>, %arg9: tensor<768xf32>, %arg10: tensor<768x3072xf32>, %arg11: tensor<3072x768xf32>, %arg12: tensor<768x768xf32>, %arg13: tensor<768x2304xf32>, %arg14: tensor<?x?x768xf32>, %arg15: tensor<?x?xi1>) -> (tensor<?x?x768xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.12837911> : tensor<f32>
    %cst_0 = stablehlo.constant dense<-0.37612626> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.112835854> : tensor<f32>
    %cst_2 = stablehlo.constant dense<-0.0268538129> : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.00518832775> : tensor<f32>
    %cst_4 = stablehlo.constant dense<-8.0101937E-4> : tensor<f32>
    %cst_5 = stablehlo.constant dense<7.85386146E-5> : tensor<f32>
    %cst_6 = stablehlo.constant dense<-88.7228394> : tensor<f32>
    %cst_7 = stablehlo.constant dense<0.564189494> : tensor<f32>
    %cst_8 = stablehlo.constant dense<-0.282076746> : tensor<f32>
    %cst_9 = stablehlo.constant dense<0.42184633> : tensor<f32>
    %cst_10 = stablehlo.constant dense<-1.01526523> : tensor<f32>
    %cst_11 = stablehlo.constant dense<2.92101908> : tensor<f32>
    %cst_12 = stablehlo.constant dense<-7.49551868> : tensor<f32>
    %cst_13 = stablehlo.constant dense<1.297720e+01> : tensor<f32>
    %cst_14 = stablehlo.constant dense<-10.477664> : tensor<f32>
    %cst_15 = stablehlo.constant dense<0.563825965> : tensor<f32>
    %cst_16 = stablehlo.constant dense<-0.274112701> : tensor<f32>
    %cst_17 = stablehlo.constant dense<3.404880e-01> : tensor<f32>
    %cst_18 = stablehlo.constant dense<-0.494451523> : tensor<f32>
    %cst_19 = stablehlo.constant dense<0.621000468> : tensor<f32>
    %cst_20 = stablehlo.constant dense<-0.582473278> : tensor<f32>
    %cst_21 = stablehlo.constant dense<0.368742466> : tensor<f32>
    %cst_22 = stablehlo.constant dense<-0.138703942> : tensor<f32>
    %cst_23 = stablehlo.constant dense<2.326820e-02> : tensor<f32>
    %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_26 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %cst_27 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %c = stablehlo.constant dense<3072> : tensor<1xi32>
    %cst_28 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %cst_29 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_31 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_32 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_33 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %c_34 = stablehlo.constant dense<64> : tensor<1xi32>
    %c_35 = stablehlo.constant dense<12> : tensor<1xi32>
    %c_36 = stablehlo.constant dense<1536> : tensor<1xi32>
    %c_37 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_38 = stablehlo.constant dense<768> : tensor<1xi32>
    %c_39 = stablehlo.constant dense<0> : tensor<1xi32>
    %c_40 = stablehlo.constant dense<2304> : tensor<1xi32>
    %0 = stablehlo.dot_general %arg14, %arg13, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
    %1 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<2304xf32>) -> tensor<1x1x2304xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %2, %3, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %1, %4, dims = [0, 1, 2] : (tensor<1x1x2304xf32>, tensor<3xi32>) -> tensor<?x?x2304xf32>
    %6 = stablehlo.add %0, %5 : tensor<?x?x2304xf32>
    %7 = stablehlo.concatenate %c_39, %c_39, %c_39, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %8, %9, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %11 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %12 = stablehlo.real_dynamic_slice %6, %7, %10, %11 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %13 = stablehlo.concatenate %c_39, %c_39, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %14 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.concatenate %14, %15, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %17 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %18 = stablehlo.real_dynamic_slice %6, %13, %16, %17 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %19 = stablehlo.concatenate %c_39, %c_39, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %20 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %21 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %22 = stablehlo.concatenate %20, %21, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %23 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %24 = stablehlo.real_dynamic_slice %6, %19, %22, %23 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %25 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %26 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %27 = stablehlo.concatenate %25, %26, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %28 = stablehlo.dynamic_reshape %12, %27 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %29 = stablehlo.transpose %28, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %30 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %31 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %32 = stablehlo.concatenate %30, %31, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %33 = stablehlo.dynamic_reshape %18, %32 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %34 = stablehlo.transpose %33, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %35 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %36 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %37 = stablehlo.concatenate %35, %36, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %38 = stablehlo.dynamic_reshape %24, %37 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %39 = stablehlo.transpose %38, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %40 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %41 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %42 = stablehlo.concatenate %40, %c_37, %c_37, %41, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %43 = stablehlo.dynamic_broadcast_in_dim %arg15, %42, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
    %44 = stablehlo.dot_general %29, %34, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x?x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x?xf32>
    %45 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %46 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %47 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %48 = stablehlo.concatenate %45, %c_35, %46, %47, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %49 = stablehlo.dynamic_broadcast_in_dim %cst_33, %48, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %50 = stablehlo.divide %44, %49 : tensor<?x12x?x?xf32>
    %51 = call @_where(%arg0, %arg1, %43, %50, %cst_32) : (tensor<i32>, tensor<i32>, tensor<?x1x1x?xi1>, tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?x?xf32>
    %52 = stablehlo.reduce(%51 init: %cst_31) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %53 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %54 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %55 = stablehlo.concatenate %53, %c_35, %54, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %56 = stablehlo.dynamic_broadcast_in_dim %cst_31, %55, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x?xf32>
    %57 = stablehlo.maximum %56, %52 : tensor<?x12x?xf32>
    %58 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %59 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %60 = stablehlo.concatenate %58, %c_35, %59, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %61 = stablehlo.dynamic_broadcast_in_dim %57, %60, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %62 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %63 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %64 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %65 = stablehlo.concatenate %62, %c_35, %63, %64, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %66 = stablehlo.dynamic_broadcast_in_dim %61, %65, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %67 = stablehlo.subtract %51, %66 : tensor<?x12x?x?xf32>
    %68 = stablehlo.exponential %67 : tensor<?x12x?x?xf32>
    %69 = stablehlo.reduce(%68 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %70 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %71 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %72 = stablehlo.concatenate %70, %c_35, %71, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %73 = stablehlo.dynamic_broadcast_in_dim %69, %72, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %74 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %75 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %76 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %77 = stablehlo.concatenate %74, %c_35, %75, %76, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %78 = stablehlo.dynamic_broadcast_in_dim %73, %77, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %79 = stablehlo.divide %68, %78 : tensor<?x12x?x?xf32>
    %80 = stablehlo.dot_general %79, %39, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x64xf32>
    %81 = stablehlo.transpose %80, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
    %82 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %83 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %84 = stablehlo.concatenate %82, %83, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %85 = stablehlo.dynamic_reshape %81, %84 : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %86 = stablehlo.dot_general %85, %arg12, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x768xf32>) -> tensor<?x?x768xf32>
    %87 = stablehlo.add %arg14, %86 : tensor<?x?x768xf32>
    %88 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %89 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %90 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %91 = stablehlo.concatenate %89, %90, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %92 = stablehlo.dynamic_broadcast_in_dim %88, %91, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %93 = stablehlo.add %87, %92 : tensor<?x?x768xf32>
    %94 = stablehlo.reduce(%93 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %95 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %96 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %97 = stablehlo.concatenate %95, %96, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %98 = stablehlo.dynamic_broadcast_in_dim %94, %97, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %99 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %100 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %101 = stablehlo.concatenate %99, %100, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %102 = stablehlo.dynamic_broadcast_in_dim %cst_29, %101, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %103 = stablehlo.divide %98, %102 : tensor<?x?x1xf32>
    %104 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %105 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %106 = stablehlo.concatenate %104, %105, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %107 = stablehlo.dynamic_broadcast_in_dim %103, %106, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %108 = stablehlo.subtract %93, %107 : tensor<?x?x768xf32>
    %109 = stablehlo.multiply %108, %108 : tensor<?x?x768xf32>
    %110 = stablehlo.reduce(%109 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %111 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %112 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %113 = stablehlo.concatenate %111, %112, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %114 = stablehlo.dynamic_broadcast_in_dim %110, %113, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %115 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %116 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %117 = stablehlo.concatenate %115, %116, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %118 = stablehlo.dynamic_broadcast_in_dim %cst_29, %117, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %119 = stablehlo.divide %114, %118 : tensor<?x?x1xf32>
    %120 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %121 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %122 = stablehlo.concatenate %120, %121, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %123 = stablehlo.dynamic_broadcast_in_dim %103, %122, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %124 = stablehlo.subtract %93, %123 : tensor<?x?x768xf32>
    %125 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %126 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %127 = stablehlo.concatenate %125, %126, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %128 = stablehlo.dynamic_broadcast_in_dim %cst_28, %127, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %129 = stablehlo.add %119, %128 : tensor<?x?x1xf32>
    %130 = stablehlo.rsqrt %129 : tensor<?x?x1xf32>
    %131 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %132 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %133 = stablehlo.concatenate %131, %132, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %134 = stablehlo.dynamic_broadcast_in_dim %130, %133, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %135 = stablehlo.multiply %124, %134 : tensor<?x?x768xf32>
    %136 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %137 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %138 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %139 = stablehlo.concatenate %137, %138, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %140 = stablehlo.dynamic_broadcast_in_dim %136, %139, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %141 = stablehlo.multiply %135, %140 : tensor<?x?x768xf32>
    %142 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %143 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %144 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %145 = stablehlo.concatenate %143, %144, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %146 = stablehlo.dynamic_broadcast_in_dim %142, %145, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %147 = stablehlo.add %141, %146 : tensor<?x?x768xf32>
    %148 = stablehlo.dot_general %147, %arg10, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x3072xf32>) -> tensor<?x?x3072xf32>
    %149 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %150 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %151 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %152 = stablehlo.concatenate %150, %151, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %153 = stablehlo.dynamic_broadcast_in_dim %149, %152, dims = [0, 1, 2] : (tensor<1x1x3072xf32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %154 = stablehlo.add %148, %153 : tensor<?x?x3072xf32>
    %155 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %156 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %157 = stablehlo.concatenate %155, %156, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %158 = stablehlo.dynamic_broadcast_in_dim %cst_27, %157, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %159 = stablehlo.multiply %158, %154 : tensor<?x?x3072xf32>
    %160 = stablehlo.negate %154 : tensor<?x?x3072xf32>
    %161 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %162 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %163 = stablehlo.concatenate %161, %162, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %164 = stablehlo.dynamic_broadcast_in_dim %cst_26, %163, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %165 = stablehlo.multiply %160, %164 : tensor<?x?x3072xf32>
    %166 = stablehlo.multiply %165, %165 : tensor<?x?x3072xf32>
    %167 = stablehlo.negate %166 : tensor<?x?x3072xf32>
    %168 = stablehlo.abs %165 : tensor<?x?x3072xf32>
    %169 = stablehlo.get_dimension_size %165, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %170 = stablehlo.reshape %169 : (tensor<i32>) -> tensor<1xi32>
    %171 = stablehlo.get_dimension_size %165, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %172 = stablehlo.reshape %171 : (tensor<i32>) -> tensor<1xi32>
    %173 = stablehlo.get_dimension_size %165, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %174 = stablehlo.reshape %173 : (tensor<i32>) -> tensor<1xi32>
    %175 = stablehlo.concatenate %170, %172, %174, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %176 = stablehlo.dynamic_broadcast_in_dim %cst_25, %175, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %177 = stablehlo.divide %176, %166 : tensor<?x?x3072xf32>
    %178 = stablehlo.exponential %167 : tensor<?x?x3072xf32>
    %179 = stablehlo.divide %176, %168 : tensor<?x?x3072xf32>
    %180 = stablehlo.multiply %178, %179 : tensor<?x?x3072xf32>
    %181 = stablehlo.get_dimension_size %165, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %182 = stablehlo.reshape %181 : (tensor<i32>) -> tensor<1xi32>
    %183 = stablehlo.get_dimension_size %165, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %184 = stablehlo.reshape %183 : (tensor<i32>) -> tensor<1xi32>
    %185 = stablehlo.get_dimension_size %165, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %186 = stablehlo.reshape %185 : (tensor<i32>) -> tensor<1xi32>
    %187 = stablehlo.concatenate %182, %184, %186, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %188 = stablehlo.dynamic_broadcast_in_dim %cst_24, %187, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %189 = stablehlo.compare LT, %168, %188 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %190 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %191 = stablehlo.reshape %190 : (tensor<i32>) -> tensor<1xi32>
    %192 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %193 = stablehlo.reshape %192 : (tensor<i32>) -> tensor<1xi32>
    %194 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %195 = stablehlo.reshape %194 : (tensor<i32>) -> tensor<1xi32>
    %196 = stablehlo.concatenate %191, %193, %195, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %197 = stablehlo.dynamic_broadcast_in_dim %cst_23, %196, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %198 = stablehlo.multiply %197, %177 : tensor<?x?x3072xf32>
    %199 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %200 = stablehlo.reshape %199 : (tensor<i32>) -> tensor<1xi32>
    %201 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %202 = stablehlo.reshape %201 : (tensor<i32>) -> tensor<1xi32>
    %203 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %204 = stablehlo.reshape %203 : (tensor<i32>) -> tensor<1xi32>
    %205 = stablehlo.concatenate %200, %202, %204, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %206 = stablehlo.dynamic_broadcast_in_dim %cst_22, %205, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %207 = stablehlo.add %198, %206 : tensor<?x?x3072xf32>
    %208 = stablehlo.multiply %207, %177 : tensor<?x?x3072xf32>
    %209 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %210 = stablehlo.reshape %209 : (tensor<i32>) -> tensor<1xi32>
    %211 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %212 = stablehlo.reshape %211 : (tensor<i32>) -> tensor<1xi32>
    %213 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %214 = stablehlo.reshape %213 : (tensor<i32>) -> tensor<1xi32>
    %215 = stablehlo.concatenate %210, %212, %214, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %216 = stablehlo.dynamic_broadcast_in_dim %cst_21, %215, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %217 = stablehlo.add %208, %216 : tensor<?x?x3072xf32>
    %218 = stablehlo.multiply %217, %177 : tensor<?x?x3072xf32>
    %219 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %220 = stablehlo.reshape %219 : (tensor<i32>) -> tensor<1xi32>
    %221 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %222 = stablehlo.reshape %221 : (tensor<i32>) -> tensor<1xi32>
    %223 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %224 = stablehlo.reshape %223 : (tensor<i32>) -> tensor<1xi32>
    %225 = stablehlo.concatenate %220, %222, %224, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %226 = stablehlo.dynamic_broadcast_in_dim %cst_20, %225, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %227 = stablehlo.add %218, %226 : tensor<?x?x3072xf32>
    %228 = stablehlo.multiply %227, %177 : tensor<?x?x3072xf32>
    %229 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %230 = stablehlo.reshape %229 : (tensor<i32>) -> tensor<1xi32>
    %231 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %232 = stablehlo.reshape %231 : (tensor<i32>) -> tensor<1xi32>
    %233 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %234 = stablehlo.reshape %233 : (tensor<i32>) -> tensor<1xi32>
    %235 = stablehlo.concatenate %230, %232, %234, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %236 = stablehlo.dynamic_broadcast_in_dim %cst_19, %235, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %237 = stablehlo.add %228, %236 : tensor<?x?x3072xf32>
    %238 = stablehlo.multiply %237, %177 : tensor<?x?x3072xf32>
    %239 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %240 = stablehlo.reshape %239 : (tensor<i32>) -> tensor<1xi32>
    %241 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %242 = stablehlo.reshape %241 : (tensor<i32>) -> tensor<1xi32>
    %243 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %244 = stablehlo.reshape %243 : (tensor<i32>) -> tensor<1xi32>
    %245 = stablehlo.concatenate %240, %242, %244, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %246 = stablehlo.dynamic_broadcast_in_dim %cst_18, %245, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %247 = stablehlo.add %238, %246 : tensor<?x?x3072xf32>
    %248 = stablehlo.multiply %247, %177 : tensor<?x?x3072xf32>
    %249 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %250 = stablehlo.reshape %249 : (tensor<i32>) -> tensor<1xi32>
    %251 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %252 = stablehlo.reshape %251 : (tensor<i32>) -> tensor<1xi32>
    %253 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %254 = stablehlo.reshape %253 : (tensor<i32>) -> tensor<1xi32>
    %255 = stablehlo.concatenate %250, %252, %254, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %256 = stablehlo.dynamic_broadcast_in_dim %cst_17, %255, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %257 = stablehlo.add %248, %256 : tensor<?x?x3072xf32>
    %258 = stablehlo.multiply %257, %177 : tensor<?x?x3072xf32>
    %259 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %260 = stablehlo.reshape %259 : (tensor<i32>) -> tensor<1xi32>
    %261 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %262 = stablehlo.reshape %261 : (tensor<i32>) -> tensor<1xi32>
    %263 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %264 = stablehlo.reshape %263 : (tensor<i32>) -> tensor<1xi32>
    %265 = stablehlo.concatenate %260, %262, %264, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %266 = stablehlo.dynamic_broadcast_in_dim %cst_16, %265, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %267 = stablehlo.add %258, %266 : tensor<?x?x3072xf32>
    %268 = stablehlo.multiply %267, %177 : tensor<?x?x3072xf32>
    %269 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %270 = stablehlo.reshape %269 : (tensor<i32>) -> tensor<1xi32>
    %271 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %272 = stablehlo.reshape %271 : (tensor<i32>) -> tensor<1xi32>
    %273 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %274 = stablehlo.reshape %273 : (tensor<i32>) -> tensor<1xi32>
    %275 = stablehlo.concatenate %270, %272, %274, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %276 = stablehlo.dynamic_broadcast_in_dim %cst_15, %275, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %277 = stablehlo.add %268, %276 : tensor<?x?x3072xf32>
    %278 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %279 = stablehlo.reshape %278 : (tensor<i32>) -> tensor<1xi32>
    %280 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %281 = stablehlo.reshape %280 : (tensor<i32>) -> tensor<1xi32>
    %282 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %283 = stablehlo.reshape %282 : (tensor<i32>) -> tensor<1xi32>
    %284 = stablehlo.concatenate %279, %281, %283, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %285 = stablehlo.dynamic_broadcast_in_dim %cst_14, %284, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %286 = stablehlo.multiply %285, %177 : tensor<?x?x3072xf32>
    %287 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %288 = stablehlo.reshape %287 : (tensor<i32>) -> tensor<1xi32>
    %289 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %290 = stablehlo.reshape %289 : (tensor<i32>) -> tensor<1xi32>
    %291 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %292 = stablehlo.reshape %291 : (tensor<i32>) -> tensor<1xi32>
    %293 = stablehlo.concatenate %288, %290, %292, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %294 = stablehlo.dynamic_broadcast_in_dim %cst_13, %293, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %295 = stablehlo.add %286, %294 : tensor<?x?x3072xf32>
    %296 = stablehlo.multiply %295, %177 : tensor<?x?x3072xf32>
    %297 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %298 = stablehlo.reshape %297 : (tensor<i32>) -> tensor<1xi32>
    %299 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %300 = stablehlo.reshape %299 : (tensor<i32>) -> tensor<1xi32>
    %301 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %302 = stablehlo.reshape %301 : (tensor<i32>) -> tensor<1xi32>
    %303 = stablehlo.concatenate %298, %300, %302, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %304 = stablehlo.dynamic_broadcast_in_dim %cst_12, %303, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %305 = stablehlo.add %296, %304 : tensor<?x?x3072xf32>
    %306 = stablehlo.multiply %305, %177 : tensor<?x?x3072xf32>
    %307 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %308 = stablehlo.reshape %307 : (tensor<i32>) -> tensor<1xi32>
    %309 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %310 = stablehlo.reshape %309 : (tensor<i32>) -> tensor<1xi32>
    %311 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %312 = stablehlo.reshape %311 : (tensor<i32>) -> tensor<1xi32>
    %313 = stablehlo.concatenate %308, %310, %312, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %314 = stablehlo.dynamic_broadcast_in_dim %cst_11, %313, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %315 = stablehlo.add %306, %314 : tensor<?x?x3072xf32>
    %316 = stablehlo.multiply %315, %177 : tensor<?x?x3072xf32>
    %317 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %318 = stablehlo.reshape %317 : (tensor<i32>) -> tensor<1xi32>
    %319 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %320 = stablehlo.reshape %319 : (tensor<i32>) -> tensor<1xi32>
    %321 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %322 = stablehlo.reshape %321 : (tensor<i32>) -> tensor<1xi32>
    %323 = stablehlo.concatenate %318, %320, %322, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %324 = stablehlo.dynamic_broadcast_in_dim %cst_10, %323, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %325 = stablehlo.add %316, %324 : tensor<?x?x3072xf32>
    %326 = stablehlo.multiply %325, %177 : tensor<?x?x3072xf32>
    %327 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %328 = stablehlo.reshape %327 : (tensor<i32>) -> tensor<1xi32>
    %329 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %330 = stablehlo.reshape %329 : (tensor<i32>) -> tensor<1xi32>
    %331 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %332 = stablehlo.reshape %331 : (tensor<i32>) -> tensor<1xi32>
    %333 = stablehlo.concatenate %328, %330, %332, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %334 = stablehlo.dynamic_broadcast_in_dim %cst_9, %333, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %335 = stablehlo.add %326, %334 : tensor<?x?x3072xf32>
    %336 = stablehlo.multiply %335, %177 : tensor<?x?x3072xf32>
    %337 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %338 = stablehlo.reshape %337 : (tensor<i32>) -> tensor<1xi32>
    %339 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %340 = stablehlo.reshape %339 : (tensor<i32>) -> tensor<1xi32>
    %341 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %342 = stablehlo.reshape %341 : (tensor<i32>) -> tensor<1xi32>
    %343 = stablehlo.concatenate %338, %340, %342, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %344 = stablehlo.dynamic_broadcast_in_dim %cst_8, %343, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %345 = stablehlo.add %336, %344 : tensor<?x?x3072xf32>
    %346 = stablehlo.multiply %345, %177 : tensor<?x?x3072xf32>
    %347 = stablehlo.get_dimension_size %177, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %348 = stablehlo.reshape %347 : (tensor<i32>) -> tensor<1xi32>
    %349 = stablehlo.get_dimension_size %177, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %350 = stablehlo.reshape %349 : (tensor<i32>) -> tensor<1xi32>
    %351 = stablehlo.get_dimension_size %177, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %352 = stablehlo.reshape %351 : (tensor<i32>) -> tensor<1xi32>
    %353 = stablehlo.concatenate %348, %350, %352, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %354 = stablehlo.dynamic_broadcast_in_dim %cst_7, %353, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %355 = stablehlo.add %346, %354 : tensor<?x?x3072xf32>
    %356 = stablehlo.select %189, %277, %355 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %357 = stablehlo.multiply %180, %356 : tensor<?x?x3072xf32>
    %358 = stablehlo.get_dimension_size %165, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %359 = stablehlo.reshape %358 : (tensor<i32>) -> tensor<1xi32>
    %360 = stablehlo.get_dimension_size %165, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %361 = stablehlo.reshape %360 : (tensor<i32>) -> tensor<1xi32>
    %362 = stablehlo.get_dimension_size %165, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %363 = stablehlo.reshape %362 : (tensor<i32>) -> tensor<1xi32>
    %364 = stablehlo.concatenate %359, %361, %363, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %365 = stablehlo.dynamic_broadcast_in_dim %cst_6, %364, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %366 = stablehlo.compare LT, %167, %365 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %367 = stablehlo.get_dimension_size %165, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %368 = stablehlo.reshape %367 : (tensor<i32>) -> tensor<1xi32>
    %369 = stablehlo.get_dimension_size %165, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %370 = stablehlo.reshape %369 : (tensor<i32>) -> tensor<1xi32>
    %371 = stablehlo.get_dimension_size %165, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %372 = stablehlo.reshape %371 : (tensor<i32>) -> tensor<1xi32>
    %373 = stablehlo.concatenate %368, %370, %372, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %374 = stablehlo.dynamic_broadcast_in_dim %cst_30, %373, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %375 = stablehlo.select %366, %374, %357 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %376 = stablehlo.compare LT, %165, %374 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %377 = stablehlo.subtract %188, %375 : tensor<?x?x3072xf32>
    %378 = stablehlo.select %376, %377, %375 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %379 = stablehlo.get_dimension_size %165, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %380 = stablehlo.reshape %379 : (tensor<i32>) -> tensor<1xi32>
    %381 = stablehlo.get_dimension_size %165, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %382 = stablehlo.reshape %381 : (tensor<i32>) -> tensor<1xi32>
    %383 = stablehlo.get_dimension_size %165, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %384 = stablehlo.reshape %383 : (tensor<i32>) -> tensor<1xi32>
    %385 = stablehlo.concatenate %380, %382, %384, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %386 = stablehlo.dynamic_broadcast_in_dim %cst_25, %385, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %387 = stablehlo.multiply %165, %165 : tensor<?x?x3072xf32>
    %388 = stablehlo.get_dimension_size %387, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %389 = stablehlo.reshape %388 : (tensor<i32>) -> tensor<1xi32>
    %390 = stablehlo.get_dimension_size %387, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %391 = stablehlo.reshape %390 : (tensor<i32>) -> tensor<1xi32>
    %392 = stablehlo.get_dimension_size %387, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %393 = stablehlo.reshape %392 : (tensor<i32>) -> tensor<1xi32>
    %394 = stablehlo.concatenate %389, %391, %393, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %395 = stablehlo.dynamic_broadcast_in_dim %cst_5, %394, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %396 = stablehlo.multiply %395, %387 : tensor<?x?x3072xf32>
    %397 = stablehlo.get_dimension_size %387, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %398 = stablehlo.reshape %397 : (tensor<i32>) -> tensor<1xi32>
    %399 = stablehlo.get_dimension_size %387, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %400 = stablehlo.reshape %399 : (tensor<i32>) -> tensor<1xi32>
    %401 = stablehlo.get_dimension_size %387, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %402 = stablehlo.reshape %401 : (tensor<i32>) -> tensor<1xi32>
    %403 = stablehlo.concatenate %398, %400, %402, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %404 = stablehlo.dynamic_broadcast_in_dim %cst_4, %403, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %405 = stablehlo.add %396, %404 : tensor<?x?x3072xf32>
    %406 = stablehlo.multiply %405, %387 : tensor<?x?x3072xf32>
    %407 = stablehlo.get_dimension_size %387, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %408 = stablehlo.reshape %407 : (tensor<i32>) -> tensor<1xi32>
    %409 = stablehlo.get_dimension_size %387, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %410 = stablehlo.reshape %409 : (tensor<i32>) -> tensor<1xi32>
    %411 = stablehlo.get_dimension_size %387, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %412 = stablehlo.reshape %411 : (tensor<i32>) -> tensor<1xi32>
    %413 = stablehlo.concatenate %408, %410, %412, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %414 = stablehlo.dynamic_broadcast_in_dim %cst_3, %413, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %415 = stablehlo.add %406, %414 : tensor<?x?x3072xf32>
    %416 = stablehlo.multiply %415, %387 : tensor<?x?x3072xf32>
    %417 = stablehlo.get_dimension_size %387, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %418 = stablehlo.reshape %417 : (tensor<i32>) -> tensor<1xi32>
    %419 = stablehlo.get_dimension_size %387, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %420 = stablehlo.reshape %419 : (tensor<i32>) -> tensor<1xi32>
    %421 = stablehlo.get_dimension_size %387, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %422 = stablehlo.reshape %421 : (tensor<i32>) -> tensor<1xi32>
    %423 = stablehlo.concatenate %418, %420, %422, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %424 = stablehlo.dynamic_broadcast_in_dim %cst_2, %423, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %425 = stablehlo.add %416, %424 : tensor<?x?x3072xf32>
    %426 = stablehlo.multiply %425, %387 : tensor<?x?x3072xf32>
    %427 = stablehlo.get_dimension_size %387, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %428 = stablehlo.reshape %427 : (tensor<i32>) -> tensor<1xi32>
    %429 = stablehlo.get_dimension_size %387, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %430 = stablehlo.reshape %429 : (tensor<i32>) -> tensor<1xi32>
    %431 = stablehlo.get_dimension_size %387, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %432 = stablehlo.reshape %431 : (tensor<i32>) -> tensor<1xi32>
    %433 = stablehlo.concatenate %428, %430, %432, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %434 = stablehlo.dynamic_broadcast_in_dim %cst_1, %433, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %435 = stablehlo.add %426, %434 : tensor<?x?x3072xf32>
    %436 = stablehlo.multiply %435, %387 : tensor<?x?x3072xf32>
    %437 = stablehlo.get_dimension_size %387, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %438 = stablehlo.reshape %437 : (tensor<i32>) -> tensor<1xi32>
    %439 = stablehlo.get_dimension_size %387, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %440 = stablehlo.reshape %439 : (tensor<i32>) -> tensor<1xi32>
    %441 = stablehlo.get_dimension_size %387, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %442 = stablehlo.reshape %441 : (tensor<i32>) -> tensor<1xi32>
    %443 = stablehlo.concatenate %438, %440, %442, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %444 = stablehlo.dynamic_broadcast_in_dim %cst_0, %443, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %445 = stablehlo.add %436, %444 : tensor<?x?x3072xf32>
    %446 = stablehlo.multiply %445, %387 : tensor<?x?x3072xf32>
    %447 = stablehlo.get_dimension_size %387, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %448 = stablehlo.reshape %447 : (tensor<i32>) -> tensor<1xi32>
    %449 = stablehlo.get_dimension_size %387, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %450 = stablehlo.reshape %449 : (tensor<i32>) -> tensor<1xi32>
    %451 = stablehlo.get_dimension_size %387, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %452 = stablehlo.reshape %451 : (tensor<i32>) -> tensor<1xi32>
    %453 = stablehlo.concatenate %448, %450, %452, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %454 = stablehlo.dynamic_broadcast_in_dim %cst, %453, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %455 = stablehlo.add %446, %454 : tensor<?x?x3072xf32>
    %456 = stablehlo.multiply %165, %455 : tensor<?x?x3072xf32>
    %457 = stablehlo.subtract %386, %456 : tensor<?x?x3072xf32>
    %458 = stablehlo.abs %165 : tensor<?x?x3072xf32>
    %459 = stablehlo.compare LT, %458, %386 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %460 = stablehlo.select %459, %457, %378 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %461 = stablehlo.multiply %159, %460 : tensor<?x?x3072xf32>
    %462 = stablehlo.dot_general %461, %arg11, contracting_dims = [2] x [0] : (tensor<?x?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x?x768xf32>
    %463 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %464 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %465 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %466 = stablehlo.concatenate %464, %465, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %467 = stablehlo.dynamic_broadcast_in_dim %463, %466, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %468 = stablehlo.add %462, %467 : tensor<?x?x768xf32>
    %469 = stablehlo.add %147, %468 : tensor<?x?x768xf32>
    %470 = stablehlo.reduce(%469 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %471 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %472 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %473 = stablehlo.concatenate %471, %472, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %474 = stablehlo.dynamic_broadcast_in_dim %470, %473, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %475 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %476 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %477 = stablehlo.concatenate %475, %476, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %478 = stablehlo.dynamic_broadcast_in_dim %cst_29, %477, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %479 = stablehlo.divide %474, %478 : tensor<?x?x1xf32>
    %480 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %481 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %482 = stablehlo.concatenate %480, %481, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %483 = stablehlo.dynamic_broadcast_in_dim %479, %482, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %484 = stablehlo.subtract %469, %483 : tensor<?x?x768xf32>
    %485 = stablehlo.multiply %484, %484 : tensor<?x?x768xf32>
    %486 = stablehlo.reduce(%485 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %487 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %488 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %489 = stablehlo.concatenate %487, %488, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %490 = stablehlo.dynamic_broadcast_in_dim %486, %489, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %491 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %492 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %493 = stablehlo.concatenate %491, %492, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %494 = stablehlo.dynamic_broadcast_in_dim %cst_29, %493, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %495 = stablehlo.divide %490, %494 : tensor<?x?x1xf32>
    %496 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %497 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %498 = stablehlo.concatenate %496, %497, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %499 = stablehlo.dynamic_broadcast_in_dim %479, %498, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %500 = stablehlo.subtract %469, %499 : tensor<?x?x768xf32>
    %501 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %502 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %503 = stablehlo.concatenate %501, %502, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %504 = stablehlo.dynamic_broadcast_in_dim %cst_28, %503, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %505 = stablehlo.add %495, %504 : tensor<?x?x1xf32>
    %506 = stablehlo.rsqrt %505 : tensor<?x?x1xf32>
    %507 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %508 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %509 = stablehlo.concatenate %507, %508, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %510 = stablehlo.dynamic_broadcast_in_dim %506, %509, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %511 = stablehlo.multiply %500, %510 : tensor<?x?x768xf32>
    %512 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %513 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %514 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %515 = stablehlo.concatenate %513, %514, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %516 = stablehlo.dynamic_broadcast_in_dim %512, %515, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %517 = stablehlo.multiply %511, %516 : tensor<?x?x768xf32>
    %518 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %519 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %520 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %521 = stablehlo.concatenate %519, %520, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %522 = stablehlo.dynamic_broadcast_in_dim %518, %521, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %523 = stablehlo.add %517, %522 : tensor<?x?x768xf32>
    return %523 : tensor<?x?x768xf32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<?x1x1x?xi1>, %arg3: tensor<?x12x?x?xf32>, %arg4: tensor<f32>) -> tensor<?x12x?x?xf32> {
    %c = stablehlo.constant dense<12> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %0, %c, %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %arg2, %3, dims = [0, 1, 2, 3] : (tensor<?x1x1x?xi1>, tensor<4xi32>) -> tensor<?x12x?x?xi1>
    %5 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %5, %c, %6, %7, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %arg4, %8, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %10 = stablehlo.select %4, %arg3, %9 : tensor<?x12x?x?xi1>, tensor<?x12x?x?xf32>
    return %10 : tensor<?x12x?x?xf32>
  }
}
