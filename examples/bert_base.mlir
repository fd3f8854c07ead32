module @jit_bert attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<768xf32>, %arg1: tensor<768xf32>, %arg2: tensor<768xf32>, %arg3: tensor<2304xf32>, %arg4: tensor<3072xf32>, %arg5: tensor<768xf32>, %arg6: tensor<768xf32>, %arg7: tensor<768xf32>, %arg8: tensor<768x3072xf32>, %arg9: tensor<3072x768xf32>, %arg10: tensor<768x768xf32>, %arg11: tensor<768x2304xf32>, %arg12: tensor<768xf32>, %arg13: tensor<768xf32>, %arg14: tensor<768xf32>, %arg15: tensor<2304xf32>, %arg16: tensor<3072xf32>, %arg17: tensor<768xf32>, %arg18: tensor<768xf32>, %arg19: tensor<768xf32>, %arg20: tensor<768x3072xf32>, %arg21: tensor<3072x768xf32>, %arg22: tensor<768x768xf32>, %arg23: tensor<768x2304xf32>, %arg24: tensor<768xf32>, %arg25: tensor<768xf32>, %arg26: tensor<768xf32>, %arg27: tensor<2304xf32>, %arg28: tensor<3072xf32>, %arg29: tensor<768xf32>, %arg30: tensor<768xf32>, %arg31: tensor<768xf32>, %arg32: tensor<768x3072xf32>, %arg33: tensor<3072x768xf32>, %arg34: tensor<768x768xf32>, %arg35: tensor<768x2304xf32>, %arg36: tensor<768xf32>, %arg37: tensor<768xf32>, %arg38: tensor<768xf32>, %arg39: tensor<2304xf32>, %arg40: tensor<3072xf32>, %arg41: tensor<768xf32>, %arg42: tensor<768xf32>, %arg43: tensor<768xf32>, %arg44: tensor<768x3072xf32>, %arg45: tensor<3072x768xf32>, %arg46: tensor<768x768xf32>, %arg47: tensor<768x2304xf32>, %arg48: tensor<768xf32>, %arg49: tensor<768xf32>, %arg50: tensor<768xf32>, %arg51: tensor<2304xf32>, %arg52: tensor<3072xf32>, %arg53: tensor<768xf32>, %arg54: tensor<768xf32>, %arg55: tensor<768xf32>, %arg56: tensor<768x3072xf32>, %arg57: tensor<3072x768xf32>, %arg58: tensor<768x768xf32>, %arg59: tensor<768x2304xf32>, %arg60: tensor<768xf32>, %arg61: tensor<768xf32>, %arg62: tensor<768xf32>, %arg63: tensor<2304xf32>, %arg64: tensor<3072xf32>, %arg65: tensor<768xf32>, %arg66: tensor<768xf32>, %arg67: tensor<768xf32>, %arg68: tensor<768x3072xf32>, %arg69: tensor<3072x768xf32>, %arg70: tensor<768x768xf32>, %arg71: tensor<768x2304xf32>, %arg72: tensor<768xf32>, %arg73: tensor<768xf32>, %arg74: tensor<768xf32>, %arg75: tensor<2304xf32>, %arg76: tensor<3072xf32>, %arg77: tensor<768xf32>, %arg78: tensor<768xf32>, %arg79: tensor<768xf32>, %arg80: tensor<768x3072xf32>, %arg81: tensor<3072x768xf32>, %arg82: tensor<768x768xf32>, %arg83: tensor<768x2304xf32>, %arg84: tensor<768xf32>, %arg85: tensor<768xf32>, %arg86: tensor<768xf32>, %arg87: tensor<2304xf32>, %arg88: tensor<3072xf32>, %arg89: tensor<768xf32>, %arg90: tensor<768xf32>, %arg91: tensor<768xf32>, %arg92: tensor<768x3072xf32>, %arg93: tensor<3072x768xf32>, %arg94: tensor<768x768xf32>, %arg95: tensor<768x2304xf32>, %arg96: tensor<768xf32>, %arg97: tensor<768xf32>, %arg98: tensor<768xf32>, %arg99: tensor<2304xf32>, %arg100: tensor<3072xf32>, %arg101: tensor<768xf32>, %arg102: tensor<768xf32>, %arg103: tensor<768xf32>, %arg104: tensor<768x3072xf32>, %arg105: tensor<3072x768xf32>, %arg106: tensor<768x768xf32>, %arg107: tensor<768x2304xf32>, %arg108: tensor<768xf32>, %arg109: tensor<768xf32>, %arg110: tensor<768xf32>, %arg111: tensor<2304xf32>, %arg112: tensor<3072xf32>, %arg113: tensor<768xf32>, %arg114: tensor<768xf32>, %arg115: tensor<768xf32>, %arg116: tensor<768x3072xf32>, %arg117: tensor<3072x768xf32>, %arg118: tensor<768x768xf32>, %arg119: tensor<768x2304xf32>, %arg120: tensor<768xf32>, %arg121: tensor<768xf32>, %arg122: tensor<768xf32>, %arg123: tensor<2304xf32>, %arg124: tensor<3072xf32>, %arg125: tensor<768xf32>, %arg126: tensor<768xf32>, %arg127: tensor<768xf32>, %arg128: tensor<768x3072xf32>, %arg129: tensor<3072x768xf32>, %arg130: tensor<768x768xf32>, %arg131: tensor<768x2304xf32>, %arg132: tensor<768xf32>, %arg133: tensor<768xf32>, %arg134: tensor<768xf32>, %arg135: tensor<2304xf32>, %arg136: tensor<3072xf32>, %arg137: tensor<768xf32>, %arg138: tensor<768xf32>, %arg139: tensor<768xf32>, %arg140: tensor<768x3072xf32>, %arg141: tensor<3072x768xf32>, %arg142: tensor<768x768xf32>, %arg143: tensor<768x2304xf32>, %arg144: tensor<?x?x768xf32>, %arg145: tensor<?x?xi1>) -> (tensor<?x?x768xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg144, dim = 0 : (tensor<?x?x768xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg144, dim = 1 : (tensor<?x?x768xf32>) -> tensor<i32>
    %2 = stablehlo.get_dimension_size %arg145, dim = 0 : (tensor<?x?xi1>) -> tensor<i32>
    %3 = stablehlo.get_dimension_size %arg145, dim = 1 : (tensor<?x?xi1>) -> tensor<i32>
    %4 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[1].shape = (b, s, 768),args[2].shape = (b, s). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[1].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %5 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[1].shape = (b, s, 768),args[2].shape = (b, s). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[1].shape[0] (= {0}), 's' = {1} from specification 's' for dimension args[1].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %6 = stablehlo.compare EQ, %2, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%6, %2, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[1].shape = (b, s, 768),args[2].shape = (b, s). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[1].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[1].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %7 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%7, %3, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[1].shape = (b, s, 768),args[2].shape = (b, s). Obtained dimension variables: 'b' = {2} from specification 'b' for dimension args[1].shape[0] (= {2}), 's' = {1} from specification 's' for dimension args[1].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %8 = call @_wrapped_jax_export_main(%0, %1, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27, %arg28, %arg29, %arg30, %arg31, %arg32, %arg33, %arg34, %arg35, %arg36, %arg37, %arg38, %arg39, %arg40, %arg41, %arg42, %arg43, %arg44, %arg45, %arg46, %arg47, %arg48, %arg49, %arg50, %arg51, %arg52, %arg53, %arg54, %arg55, %arg56, %arg57, %arg58, %arg59, %arg60, %arg61, %arg62, %arg63, %arg64, %arg65, %arg66, %arg67, %arg68, %arg69, %arg70, %arg71, %arg72, %arg73, %arg74, %arg75, %arg76, %arg77, %arg78, %arg79, %arg80, %arg81, %arg82, %arg83, %arg84, %arg85, %arg86, %arg87, %arg88, %arg89, %arg90, %arg91, %arg92, %arg93, %arg94, %arg95, %arg96, %arg97, %arg98, %arg99, %arg100, %arg101, %arg102, %arg103, %arg104, %arg105, %arg106, %arg107, %arg108, %arg109, %arg110, %arg111, %arg112, %arg113, %arg114, %arg115, %arg116, %arg117, %arg118, %arg119, %arg120, %arg121, %arg122, %arg123, %arg124, %arg125, %arg126, %arg127, %arg128, %arg129, %arg130, %arg131, %arg132, %arg133, %arg134, %arg135, %arg136, %arg137, %arg138, %arg139, %arg140, %arg141, %arg142, %arg143, %arg144, %arg145) : (tensor<i32>, tensor<i32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<2304xf32>, tensor<3072xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768x3072xf32>, tensor<3072x768xf32>, tensor<768x768xf32>, tensor<768x2304xf32>, tensor<?x?x768xf32>, tensor<?x?xi1>) -> tensor<?x?x768xf32>
    return %8 : tensor<?x?x768xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "s"}, %arg2: tensor<768xf32>, %arg3: tensor<768xf32>, %arg4: tensor<768xf32>, %arg5: tensor<2304xf32>, %arg6: tensor<3072xf32>, %arg7: tensor<768xf32>, %arg8: tensor<768xf32>, %arg9: tensor<768xf32>, %arg10: tensor<768x3072xf32>, %arg11: tensor<3072x768xf32>, %arg12: tensor<768x768xf32>, %arg13: tensor<768x2304xf32>, %arg14: tensor<768xf32>, %arg15: tensor<768xf32>, %arg16: tensor<768xf32>, %arg17: tensor<2304xf32>, %arg18: tensor<3072xf32>, %arg19: tensor<768xf32>, %arg20: tensor<768xf32>, %arg21: tensor<768xf32>, %arg22: tensor<768x3072xf32>, %arg23: tensor<3072x768xf32>, %arg24: tensor<768x768xf32>, %arg25: tensor<768x2304xf32>, %arg26: tensor<768xf32>, %arg27: tensor<768xf32>, %arg28: tensor<768xf32>, %arg29: tensor<2304xf32>, %arg30: tensor<3072xf32>, %arg31: tensor<768xf32>, %arg32: tensor<768xf32>, %arg33: tensor<768xf32>, %arg34: tensor<768x3072xf32>, %arg35: tensor<3072x768xf32>, %arg36: tensor<768x768xf32>, %arg37: tensor<768x2304xf32>, %arg38: tensor<768xf32>, %arg39: tensor<768xf32>, %arg40: tensor<768xf32>, %arg41: tensor<2304xf32>, %arg42: tensor<3072xf32>, %arg43: tensor<768xf32>, %arg44: tensor<768xf32>, %arg45: tensor<768xf32>, %arg46: tensor<768x3072xf32>, %arg47: tensor<3072x768xf32>, %arg48: tensor<768x768xf32>, %arg49: tensor<768x2304xf32>, %arg50: tensor<768xf32>, %arg51: tensor<768xf32>, %arg52: tensor<768xf32>, %arg53: tensor<2304xf32>, %arg54: tensor<3072xf32>, %arg55: tensor<768xf32>, %arg56: tensor<768xf32>, %arg57: tensor<768xf32>, %arg58: tensor<768x3072xf32>, %arg59: tensor<3072x768xf32>, %arg60: tensor<768x768xf32>, %arg61: tensor<768x2304xf32>, %arg62: tensor<768xf32>, %arg63: tensor<768xf32>, %arg64: tensor<768xf32>, %arg65: tensor<2304xf32>, %arg66: tensor<3072xf32>, %arg67: tensor<768xf32>, %arg68: tensor<768xf32>, %arg69: tensor<768xf32>, %arg70: tensor<768x3072xf32>, %arg71: tensor<3072x768xf32>, %arg72: tensor<768x768xf32>, %arg73: tensor<768x2304xf32>, %arg74: tensor<768xf32>, %arg75: tensor<768xf32>, %arg76: tensor<768xf32>, %arg77: tensor<2304xf32>, %arg78: tensor<3072xf32>, %arg79: tensor<768xf32>, %arg80: tensor<768xf32>, %arg81: tensor<768xf32>, %arg82: tensor<768x3072xf32>, %arg83: tensor<3072x768xf32>, %arg84: tensor<768x768xf32>, %arg85: tensor<768x2304xf32>, %arg86: tensor<768xf32>, %arg87: tensor<768xf32>, %arg88: tensor<768xf32>, %arg89: tensor<2304xf32>, %arg90: tensor<3072xf32>, %arg91: tensor<768xf32>, %arg92: tensor<768xf32>, %arg93: tensor<768xf32>, %arg94: tensor<768x3072xf32>, %arg95: tensor<3072x768xf32>, %arg96: tensor<768x768xf32>, %arg97: tensor<768x2304xf32>, %arg98: tensor<768xf32>, %arg99: tensor<768xf32>, %arg100: tensor<768xf32>, %arg101: tensor<2304xf32>, %arg102: tensor<3072xf32>, %arg103: tensor<768xf32>, %arg104: tensor<768xf32>, %arg105: tensor<768xf32>, %arg106: tensor<768x3072xf32>, %arg107: tensor<3072x768xf32>, %arg108: tensor<768x768xf32>, %arg109: tensor<768x2304xf32>, %arg110: tensor<768xf32>, %arg111: tensor<768xf32>, %arg112: tensor<768xf32>, %arg113: tensor<2304xf32>, %arg114: tensor<3072xf32>, %arg115: tensor<768xf32>, %arg116: tensor<768xf32>, %arg117: tensor<768xf32>, %arg118: tensor<768x3072xf32>, %arg119: tensor<3072x768xf32>, %arg120: tensor<768x768xf32>, %arg121: tensor<768x2304xf32>, %arg122: tensor<768xf32>, %arg123: tensor<768xf32>, %arg124: tensor<768xf32>, %arg125: tensor<2304xf32>, %arg126: tensor<3072xf32>, %arg127: tensor<768xf32>, %arg128: tensor<768xf32>, %arg129: tensor<768xf32>, %arg130: tensor<768x3072xf32>, %arg131: tensor<3072x768xf32>, %arg132: tensor<768x768xf32>, %arg133: tensor<768x2304xf32>, %arg134: tensor<768xf32>, %arg135: tensor<768xf32>, %arg136: tensor<768xf32>, %arg137: tensor<2304xf32>, %arg138: tensor<3072xf32>, %arg139: tensor<768xf32>, %arg140: tensor<768xf32>, %arg141: tensor<768xf32>, %arg142: tensor<768x3072xf32>, %arg143: tensor<3072x768xf32>, %arg144: tensor<768x768xf32>, %arg145: tensor<768x2304xf32>, %arg146: tensor<?x?x768xf32>, %arg147: tensor<?x?xi1>) -> (tensor<?x?x768xf32> {jax.result_info = "result"}) {
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
    %0 = stablehlo.dot_general %arg146, %arg13, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
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
    %43 = stablehlo.dynamic_broadcast_in_dim %arg147, %42, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
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
    %87 = stablehlo.add %arg146, %86 : tensor<?x?x768xf32>
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
    %524 = stablehlo.dot_general %523, %arg25, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
    %525 = stablehlo.broadcast_in_dim %arg17, dims = [2] : (tensor<2304xf32>) -> tensor<1x1x2304xf32>
    %526 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %527 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %528 = stablehlo.concatenate %526, %527, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %529 = stablehlo.dynamic_broadcast_in_dim %525, %528, dims = [0, 1, 2] : (tensor<1x1x2304xf32>, tensor<3xi32>) -> tensor<?x?x2304xf32>
    %530 = stablehlo.add %524, %529 : tensor<?x?x2304xf32>
    %531 = stablehlo.concatenate %c_39, %c_39, %c_39, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %532 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %533 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %534 = stablehlo.concatenate %532, %533, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %535 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %536 = stablehlo.real_dynamic_slice %530, %531, %534, %535 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %537 = stablehlo.concatenate %c_39, %c_39, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %538 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %539 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %540 = stablehlo.concatenate %538, %539, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %541 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %542 = stablehlo.real_dynamic_slice %530, %537, %540, %541 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %543 = stablehlo.concatenate %c_39, %c_39, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %544 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %545 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %546 = stablehlo.concatenate %544, %545, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %547 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %548 = stablehlo.real_dynamic_slice %530, %543, %546, %547 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %549 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %550 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %551 = stablehlo.concatenate %549, %550, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %552 = stablehlo.dynamic_reshape %536, %551 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %553 = stablehlo.transpose %552, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %554 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %555 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %556 = stablehlo.concatenate %554, %555, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %557 = stablehlo.dynamic_reshape %542, %556 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %558 = stablehlo.transpose %557, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %559 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %560 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %561 = stablehlo.concatenate %559, %560, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %562 = stablehlo.dynamic_reshape %548, %561 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %563 = stablehlo.transpose %562, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %564 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %565 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %566 = stablehlo.concatenate %564, %c_37, %c_37, %565, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %567 = stablehlo.dynamic_broadcast_in_dim %arg147, %566, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
    %568 = stablehlo.dot_general %553, %558, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x?x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x?xf32>
    %569 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %570 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %571 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %572 = stablehlo.concatenate %569, %c_35, %570, %571, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %573 = stablehlo.dynamic_broadcast_in_dim %cst_33, %572, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %574 = stablehlo.divide %568, %573 : tensor<?x12x?x?xf32>
    %575 = call @_where(%arg0, %arg1, %567, %574, %cst_32) : (tensor<i32>, tensor<i32>, tensor<?x1x1x?xi1>, tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?x?xf32>
    %576 = stablehlo.reduce(%575 init: %cst_31) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %577 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %578 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %579 = stablehlo.concatenate %577, %c_35, %578, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %580 = stablehlo.dynamic_broadcast_in_dim %cst_31, %579, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x?xf32>
    %581 = stablehlo.maximum %580, %576 : tensor<?x12x?xf32>
    %582 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %583 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %584 = stablehlo.concatenate %582, %c_35, %583, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %585 = stablehlo.dynamic_broadcast_in_dim %581, %584, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %586 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %587 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %588 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %589 = stablehlo.concatenate %586, %c_35, %587, %588, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %590 = stablehlo.dynamic_broadcast_in_dim %585, %589, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %591 = stablehlo.subtract %575, %590 : tensor<?x12x?x?xf32>
    %592 = stablehlo.exponential %591 : tensor<?x12x?x?xf32>
    %593 = stablehlo.reduce(%592 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %594 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %595 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %596 = stablehlo.concatenate %594, %c_35, %595, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %597 = stablehlo.dynamic_broadcast_in_dim %593, %596, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %598 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %599 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %600 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %601 = stablehlo.concatenate %598, %c_35, %599, %600, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %602 = stablehlo.dynamic_broadcast_in_dim %597, %601, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %603 = stablehlo.divide %592, %602 : tensor<?x12x?x?xf32>
    %604 = stablehlo.dot_general %603, %563, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x64xf32>
    %605 = stablehlo.transpose %604, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
    %606 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %607 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %608 = stablehlo.concatenate %606, %607, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %609 = stablehlo.dynamic_reshape %605, %608 : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %610 = stablehlo.dot_general %609, %arg24, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x768xf32>) -> tensor<?x?x768xf32>
    %611 = stablehlo.add %523, %610 : tensor<?x?x768xf32>
    %612 = stablehlo.broadcast_in_dim %arg16, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %613 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %614 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %615 = stablehlo.concatenate %613, %614, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %616 = stablehlo.dynamic_broadcast_in_dim %612, %615, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %617 = stablehlo.add %611, %616 : tensor<?x?x768xf32>
    %618 = stablehlo.reduce(%617 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %619 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %620 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %621 = stablehlo.concatenate %619, %620, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %622 = stablehlo.dynamic_broadcast_in_dim %618, %621, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %623 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %624 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %625 = stablehlo.concatenate %623, %624, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %626 = stablehlo.dynamic_broadcast_in_dim %cst_29, %625, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %627 = stablehlo.divide %622, %626 : tensor<?x?x1xf32>
    %628 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %629 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %630 = stablehlo.concatenate %628, %629, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %631 = stablehlo.dynamic_broadcast_in_dim %627, %630, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %632 = stablehlo.subtract %617, %631 : tensor<?x?x768xf32>
    %633 = stablehlo.multiply %632, %632 : tensor<?x?x768xf32>
    %634 = stablehlo.reduce(%633 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %635 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %636 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %637 = stablehlo.concatenate %635, %636, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %638 = stablehlo.dynamic_broadcast_in_dim %634, %637, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %639 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %640 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %641 = stablehlo.concatenate %639, %640, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %642 = stablehlo.dynamic_broadcast_in_dim %cst_29, %641, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %643 = stablehlo.divide %638, %642 : tensor<?x?x1xf32>
    %644 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %645 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %646 = stablehlo.concatenate %644, %645, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %647 = stablehlo.dynamic_broadcast_in_dim %627, %646, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %648 = stablehlo.subtract %617, %647 : tensor<?x?x768xf32>
    %649 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %650 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %651 = stablehlo.concatenate %649, %650, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %652 = stablehlo.dynamic_broadcast_in_dim %cst_28, %651, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %653 = stablehlo.add %643, %652 : tensor<?x?x1xf32>
    %654 = stablehlo.rsqrt %653 : tensor<?x?x1xf32>
    %655 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %656 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %657 = stablehlo.concatenate %655, %656, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %658 = stablehlo.dynamic_broadcast_in_dim %654, %657, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %659 = stablehlo.multiply %648, %658 : tensor<?x?x768xf32>
    %660 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %661 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %662 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %663 = stablehlo.concatenate %661, %662, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %664 = stablehlo.dynamic_broadcast_in_dim %660, %663, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %665 = stablehlo.multiply %659, %664 : tensor<?x?x768xf32>
    %666 = stablehlo.broadcast_in_dim %arg14, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %667 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %668 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %669 = stablehlo.concatenate %667, %668, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %670 = stablehlo.dynamic_broadcast_in_dim %666, %669, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %671 = stablehlo.add %665, %670 : tensor<?x?x768xf32>
    %672 = stablehlo.dot_general %671, %arg22, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x3072xf32>) -> tensor<?x?x3072xf32>
    %673 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %674 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %675 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %676 = stablehlo.concatenate %674, %675, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %677 = stablehlo.dynamic_broadcast_in_dim %673, %676, dims = [0, 1, 2] : (tensor<1x1x3072xf32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %678 = stablehlo.add %672, %677 : tensor<?x?x3072xf32>
    %679 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %680 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %681 = stablehlo.concatenate %679, %680, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %682 = stablehlo.dynamic_broadcast_in_dim %cst_27, %681, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %683 = stablehlo.multiply %682, %678 : tensor<?x?x3072xf32>
    %684 = stablehlo.negate %678 : tensor<?x?x3072xf32>
    %685 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %686 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %687 = stablehlo.concatenate %685, %686, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %688 = stablehlo.dynamic_broadcast_in_dim %cst_26, %687, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %689 = stablehlo.multiply %684, %688 : tensor<?x?x3072xf32>
    %690 = stablehlo.multiply %689, %689 : tensor<?x?x3072xf32>
    %691 = stablehlo.negate %690 : tensor<?x?x3072xf32>
    %692 = stablehlo.abs %689 : tensor<?x?x3072xf32>
    %693 = stablehlo.get_dimension_size %689, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %694 = stablehlo.reshape %693 : (tensor<i32>) -> tensor<1xi32>
    %695 = stablehlo.get_dimension_size %689, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %696 = stablehlo.reshape %695 : (tensor<i32>) -> tensor<1xi32>
    %697 = stablehlo.get_dimension_size %689, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %698 = stablehlo.reshape %697 : (tensor<i32>) -> tensor<1xi32>
    %699 = stablehlo.concatenate %694, %696, %698, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %700 = stablehlo.dynamic_broadcast_in_dim %cst_25, %699, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %701 = stablehlo.divide %700, %690 : tensor<?x?x3072xf32>
    %702 = stablehlo.exponential %691 : tensor<?x?x3072xf32>
    %703 = stablehlo.divide %700, %692 : tensor<?x?x3072xf32>
    %704 = stablehlo.multiply %702, %703 : tensor<?x?x3072xf32>
    %705 = stablehlo.get_dimension_size %689, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %706 = stablehlo.reshape %705 : (tensor<i32>) -> tensor<1xi32>
    %707 = stablehlo.get_dimension_size %689, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %708 = stablehlo.reshape %707 : (tensor<i32>) -> tensor<1xi32>
    %709 = stablehlo.get_dimension_size %689, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %710 = stablehlo.reshape %709 : (tensor<i32>) -> tensor<1xi32>
    %711 = stablehlo.concatenate %706, %708, %710, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %712 = stablehlo.dynamic_broadcast_in_dim %cst_24, %711, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %713 = stablehlo.compare LT, %692, %712 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %714 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %715 = stablehlo.reshape %714 : (tensor<i32>) -> tensor<1xi32>
    %716 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %717 = stablehlo.reshape %716 : (tensor<i32>) -> tensor<1xi32>
    %718 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %719 = stablehlo.reshape %718 : (tensor<i32>) -> tensor<1xi32>
    %720 = stablehlo.concatenate %715, %717, %719, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %721 = stablehlo.dynamic_broadcast_in_dim %cst_23, %720, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %722 = stablehlo.multiply %721, %701 : tensor<?x?x3072xf32>
    %723 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %724 = stablehlo.reshape %723 : (tensor<i32>) -> tensor<1xi32>
    %725 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %726 = stablehlo.reshape %725 : (tensor<i32>) -> tensor<1xi32>
    %727 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %728 = stablehlo.reshape %727 : (tensor<i32>) -> tensor<1xi32>
    %729 = stablehlo.concatenate %724, %726, %728, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %730 = stablehlo.dynamic_broadcast_in_dim %cst_22, %729, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %731 = stablehlo.add %722, %730 : tensor<?x?x3072xf32>
    %732 = stablehlo.multiply %731, %701 : tensor<?x?x3072xf32>
    %733 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %734 = stablehlo.reshape %733 : (tensor<i32>) -> tensor<1xi32>
    %735 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %736 = stablehlo.reshape %735 : (tensor<i32>) -> tensor<1xi32>
    %737 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %738 = stablehlo.reshape %737 : (tensor<i32>) -> tensor<1xi32>
    %739 = stablehlo.concatenate %734, %736, %738, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %740 = stablehlo.dynamic_broadcast_in_dim %cst_21, %739, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %741 = stablehlo.add %732, %740 : tensor<?x?x3072xf32>
    %742 = stablehlo.multiply %741, %701 : tensor<?x?x3072xf32>
    %743 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %744 = stablehlo.reshape %743 : (tensor<i32>) -> tensor<1xi32>
    %745 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %746 = stablehlo.reshape %745 : (tensor<i32>) -> tensor<1xi32>
    %747 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %748 = stablehlo.reshape %747 : (tensor<i32>) -> tensor<1xi32>
    %749 = stablehlo.concatenate %744, %746, %748, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %750 = stablehlo.dynamic_broadcast_in_dim %cst_20, %749, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %751 = stablehlo.add %742, %750 : tensor<?x?x3072xf32>
    %752 = stablehlo.multiply %751, %701 : tensor<?x?x3072xf32>
    %753 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %754 = stablehlo.reshape %753 : (tensor<i32>) -> tensor<1xi32>
    %755 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %756 = stablehlo.reshape %755 : (tensor<i32>) -> tensor<1xi32>
    %757 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %758 = stablehlo.reshape %757 : (tensor<i32>) -> tensor<1xi32>
    %759 = stablehlo.concatenate %754, %756, %758, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %760 = stablehlo.dynamic_broadcast_in_dim %cst_19, %759, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %761 = stablehlo.add %752, %760 : tensor<?x?x3072xf32>
    %762 = stablehlo.multiply %761, %701 : tensor<?x?x3072xf32>
    %763 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %764 = stablehlo.reshape %763 : (tensor<i32>) -> tensor<1xi32>
    %765 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %766 = stablehlo.reshape %765 : (tensor<i32>) -> tensor<1xi32>
    %767 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %768 = stablehlo.reshape %767 : (tensor<i32>) -> tensor<1xi32>
    %769 = stablehlo.concatenate %764, %766, %768, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %770 = stablehlo.dynamic_broadcast_in_dim %cst_18, %769, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %771 = stablehlo.add %762, %770 : tensor<?x?x3072xf32>
    %772 = stablehlo.multiply %771, %701 : tensor<?x?x3072xf32>
    %773 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %774 = stablehlo.reshape %773 : (tensor<i32>) -> tensor<1xi32>
    %775 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %776 = stablehlo.reshape %775 : (tensor<i32>) -> tensor<1xi32>
    %777 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %778 = stablehlo.reshape %777 : (tensor<i32>) -> tensor<1xi32>
    %779 = stablehlo.concatenate %774, %776, %778, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %780 = stablehlo.dynamic_broadcast_in_dim %cst_17, %779, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %781 = stablehlo.add %772, %780 : tensor<?x?x3072xf32>
    %782 = stablehlo.multiply %781, %701 : tensor<?x?x3072xf32>
    %783 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %784 = stablehlo.reshape %783 : (tensor<i32>) -> tensor<1xi32>
    %785 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %786 = stablehlo.reshape %785 : (tensor<i32>) -> tensor<1xi32>
    %787 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %788 = stablehlo.reshape %787 : (tensor<i32>) -> tensor<1xi32>
    %789 = stablehlo.concatenate %784, %786, %788, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %790 = stablehlo.dynamic_broadcast_in_dim %cst_16, %789, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %791 = stablehlo.add %782, %790 : tensor<?x?x3072xf32>
    %792 = stablehlo.multiply %791, %701 : tensor<?x?x3072xf32>
    %793 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %794 = stablehlo.reshape %793 : (tensor<i32>) -> tensor<1xi32>
    %795 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %796 = stablehlo.reshape %795 : (tensor<i32>) -> tensor<1xi32>
    %797 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %798 = stablehlo.reshape %797 : (tensor<i32>) -> tensor<1xi32>
    %799 = stablehlo.concatenate %794, %796, %798, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %800 = stablehlo.dynamic_broadcast_in_dim %cst_15, %799, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %801 = stablehlo.add %792, %800 : tensor<?x?x3072xf32>
    %802 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %803 = stablehlo.reshape %802 : (tensor<i32>) -> tensor<1xi32>
    %804 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %805 = stablehlo.reshape %804 : (tensor<i32>) -> tensor<1xi32>
    %806 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %807 = stablehlo.reshape %806 : (tensor<i32>) -> tensor<1xi32>
    %808 = stablehlo.concatenate %803, %805, %807, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %809 = stablehlo.dynamic_broadcast_in_dim %cst_14, %808, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %810 = stablehlo.multiply %809, %701 : tensor<?x?x3072xf32>
    %811 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %812 = stablehlo.reshape %811 : (tensor<i32>) -> tensor<1xi32>
    %813 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %814 = stablehlo.reshape %813 : (tensor<i32>) -> tensor<1xi32>
    %815 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %816 = stablehlo.reshape %815 : (tensor<i32>) -> tensor<1xi32>
    %817 = stablehlo.concatenate %812, %814, %816, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %818 = stablehlo.dynamic_broadcast_in_dim %cst_13, %817, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %819 = stablehlo.add %810, %818 : tensor<?x?x3072xf32>
    %820 = stablehlo.multiply %819, %701 : tensor<?x?x3072xf32>
    %821 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %822 = stablehlo.reshape %821 : (tensor<i32>) -> tensor<1xi32>
    %823 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %824 = stablehlo.reshape %823 : (tensor<i32>) -> tensor<1xi32>
    %825 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %826 = stablehlo.reshape %825 : (tensor<i32>) -> tensor<1xi32>
    %827 = stablehlo.concatenate %822, %824, %826, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %828 = stablehlo.dynamic_broadcast_in_dim %cst_12, %827, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %829 = stablehlo.add %820, %828 : tensor<?x?x3072xf32>
    %830 = stablehlo.multiply %829, %701 : tensor<?x?x3072xf32>
    %831 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %832 = stablehlo.reshape %831 : (tensor<i32>) -> tensor<1xi32>
    %833 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %834 = stablehlo.reshape %833 : (tensor<i32>) -> tensor<1xi32>
    %835 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %836 = stablehlo.reshape %835 : (tensor<i32>) -> tensor<1xi32>
    %837 = stablehlo.concatenate %832, %834, %836, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %838 = stablehlo.dynamic_broadcast_in_dim %cst_11, %837, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %839 = stablehlo.add %830, %838 : tensor<?x?x3072xf32>
    %840 = stablehlo.multiply %839, %701 : tensor<?x?x3072xf32>
    %841 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %842 = stablehlo.reshape %841 : (tensor<i32>) -> tensor<1xi32>
    %843 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %844 = stablehlo.reshape %843 : (tensor<i32>) -> tensor<1xi32>
    %845 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %846 = stablehlo.reshape %845 : (tensor<i32>) -> tensor<1xi32>
    %847 = stablehlo.concatenate %842, %844, %846, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %848 = stablehlo.dynamic_broadcast_in_dim %cst_10, %847, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %849 = stablehlo.add %840, %848 : tensor<?x?x3072xf32>
    %850 = stablehlo.multiply %849, %701 : tensor<?x?x3072xf32>
    %851 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %852 = stablehlo.reshape %851 : (tensor<i32>) -> tensor<1xi32>
    %853 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %854 = stablehlo.reshape %853 : (tensor<i32>) -> tensor<1xi32>
    %855 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %856 = stablehlo.reshape %855 : (tensor<i32>) -> tensor<1xi32>
    %857 = stablehlo.concatenate %852, %854, %856, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %858 = stablehlo.dynamic_broadcast_in_dim %cst_9, %857, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %859 = stablehlo.add %850, %858 : tensor<?x?x3072xf32>
    %860 = stablehlo.multiply %859, %701 : tensor<?x?x3072xf32>
    %861 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %862 = stablehlo.reshape %861 : (tensor<i32>) -> tensor<1xi32>
    %863 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %864 = stablehlo.reshape %863 : (tensor<i32>) -> tensor<1xi32>
    %865 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %866 = stablehlo.reshape %865 : (tensor<i32>) -> tensor<1xi32>
    %867 = stablehlo.concatenate %862, %864, %866, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %868 = stablehlo.dynamic_broadcast_in_dim %cst_8, %867, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %869 = stablehlo.add %860, %868 : tensor<?x?x3072xf32>
    %870 = stablehlo.multiply %869, %701 : tensor<?x?x3072xf32>
    %871 = stablehlo.get_dimension_size %701, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %872 = stablehlo.reshape %871 : (tensor<i32>) -> tensor<1xi32>
    %873 = stablehlo.get_dimension_size %701, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %874 = stablehlo.reshape %873 : (tensor<i32>) -> tensor<1xi32>
    %875 = stablehlo.get_dimension_size %701, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %876 = stablehlo.reshape %875 : (tensor<i32>) -> tensor<1xi32>
    %877 = stablehlo.concatenate %872, %874, %876, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %878 = stablehlo.dynamic_broadcast_in_dim %cst_7, %877, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %879 = stablehlo.add %870, %878 : tensor<?x?x3072xf32>
    %880 = stablehlo.select %713, %801, %879 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %881 = stablehlo.multiply %704, %880 : tensor<?x?x3072xf32>
    %882 = stablehlo.get_dimension_size %689, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %883 = stablehlo.reshape %882 : (tensor<i32>) -> tensor<1xi32>
    %884 = stablehlo.get_dimension_size %689, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %885 = stablehlo.reshape %884 : (tensor<i32>) -> tensor<1xi32>
    %886 = stablehlo.get_dimension_size %689, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %887 = stablehlo.reshape %886 : (tensor<i32>) -> tensor<1xi32>
    %888 = stablehlo.concatenate %883, %885, %887, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %889 = stablehlo.dynamic_broadcast_in_dim %cst_6, %888, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %890 = stablehlo.compare LT, %691, %889 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %891 = stablehlo.get_dimension_size %689, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %892 = stablehlo.reshape %891 : (tensor<i32>) -> tensor<1xi32>
    %893 = stablehlo.get_dimension_size %689, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %894 = stablehlo.reshape %893 : (tensor<i32>) -> tensor<1xi32>
    %895 = stablehlo.get_dimension_size %689, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %896 = stablehlo.reshape %895 : (tensor<i32>) -> tensor<1xi32>
    %897 = stablehlo.concatenate %892, %894, %896, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %898 = stablehlo.dynamic_broadcast_in_dim %cst_30, %897, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %899 = stablehlo.select %890, %898, %881 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %900 = stablehlo.compare LT, %689, %898 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %901 = stablehlo.subtract %712, %899 : tensor<?x?x3072xf32>
    %902 = stablehlo.select %900, %901, %899 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %903 = stablehlo.get_dimension_size %689, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %904 = stablehlo.reshape %903 : (tensor<i32>) -> tensor<1xi32>
    %905 = stablehlo.get_dimension_size %689, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %906 = stablehlo.reshape %905 : (tensor<i32>) -> tensor<1xi32>
    %907 = stablehlo.get_dimension_size %689, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %908 = stablehlo.reshape %907 : (tensor<i32>) -> tensor<1xi32>
    %909 = stablehlo.concatenate %904, %906, %908, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %910 = stablehlo.dynamic_broadcast_in_dim %cst_25, %909, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %911 = stablehlo.multiply %689, %689 : tensor<?x?x3072xf32>
    %912 = stablehlo.get_dimension_size %911, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %913 = stablehlo.reshape %912 : (tensor<i32>) -> tensor<1xi32>
    %914 = stablehlo.get_dimension_size %911, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %915 = stablehlo.reshape %914 : (tensor<i32>) -> tensor<1xi32>
    %916 = stablehlo.get_dimension_size %911, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %917 = stablehlo.reshape %916 : (tensor<i32>) -> tensor<1xi32>
    %918 = stablehlo.concatenate %913, %915, %917, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %919 = stablehlo.dynamic_broadcast_in_dim %cst_5, %918, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %920 = stablehlo.multiply %919, %911 : tensor<?x?x3072xf32>
    %921 = stablehlo.get_dimension_size %911, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %922 = stablehlo.reshape %921 : (tensor<i32>) -> tensor<1xi32>
    %923 = stablehlo.get_dimension_size %911, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %924 = stablehlo.reshape %923 : (tensor<i32>) -> tensor<1xi32>
    %925 = stablehlo.get_dimension_size %911, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %926 = stablehlo.reshape %925 : (tensor<i32>) -> tensor<1xi32>
    %927 = stablehlo.concatenate %922, %924, %926, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %928 = stablehlo.dynamic_broadcast_in_dim %cst_4, %927, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %929 = stablehlo.add %920, %928 : tensor<?x?x3072xf32>
    %930 = stablehlo.multiply %929, %911 : tensor<?x?x3072xf32>
    %931 = stablehlo.get_dimension_size %911, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %932 = stablehlo.reshape %931 : (tensor<i32>) -> tensor<1xi32>
    %933 = stablehlo.get_dimension_size %911, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %934 = stablehlo.reshape %933 : (tensor<i32>) -> tensor<1xi32>
    %935 = stablehlo.get_dimension_size %911, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %936 = stablehlo.reshape %935 : (tensor<i32>) -> tensor<1xi32>
    %937 = stablehlo.concatenate %932, %934, %936, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %938 = stablehlo.dynamic_broadcast_in_dim %cst_3, %937, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %939 = stablehlo.add %930, %938 : tensor<?x?x3072xf32>
    %940 = stablehlo.multiply %939, %911 : tensor<?x?x3072xf32>
    %941 = stablehlo.get_dimension_size %911, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %942 = stablehlo.reshape %941 : (tensor<i32>) -> tensor<1xi32>
    %943 = stablehlo.get_dimension_size %911, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %944 = stablehlo.reshape %943 : (tensor<i32>) -> tensor<1xi32>
    %945 = stablehlo.get_dimension_size %911, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %946 = stablehlo.reshape %945 : (tensor<i32>) -> tensor<1xi32>
    %947 = stablehlo.concatenate %942, %944, %946, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %948 = stablehlo.dynamic_broadcast_in_dim %cst_2, %947, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %949 = stablehlo.add %940, %948 : tensor<?x?x3072xf32>
    %950 = stablehlo.multiply %949, %911 : tensor<?x?x3072xf32>
    %951 = stablehlo.get_dimension_size %911, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %952 = stablehlo.reshape %951 : (tensor<i32>) -> tensor<1xi32>
    %953 = stablehlo.get_dimension_size %911, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %954 = stablehlo.reshape %953 : (tensor<i32>) -> tensor<1xi32>
    %955 = stablehlo.get_dimension_size %911, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %956 = stablehlo.reshape %955 : (tensor<i32>) -> tensor<1xi32>
    %957 = stablehlo.concatenate %952, %954, %956, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %958 = stablehlo.dynamic_broadcast_in_dim %cst_1, %957, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %959 = stablehlo.add %950, %958 : tensor<?x?x3072xf32>
    %960 = stablehlo.multiply %959, %911 : tensor<?x?x3072xf32>
    %961 = stablehlo.get_dimension_size %911, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %962 = stablehlo.reshape %961 : (tensor<i32>) -> tensor<1xi32>
    %963 = stablehlo.get_dimension_size %911, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %964 = stablehlo.reshape %963 : (tensor<i32>) -> tensor<1xi32>
    %965 = stablehlo.get_dimension_size %911, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %966 = stablehlo.reshape %965 : (tensor<i32>) -> tensor<1xi32>
    %967 = stablehlo.concatenate %962, %964, %966, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %968 = stablehlo.dynamic_broadcast_in_dim %cst_0, %967, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %969 = stablehlo.add %960, %968 : tensor<?x?x3072xf32>
    %970 = stablehlo.multiply %969, %911 : tensor<?x?x3072xf32>
    %971 = stablehlo.get_dimension_size %911, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %972 = stablehlo.reshape %971 : (tensor<i32>) -> tensor<1xi32>
    %973 = stablehlo.get_dimension_size %911, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %974 = stablehlo.reshape %973 : (tensor<i32>) -> tensor<1xi32>
    %975 = stablehlo.get_dimension_size %911, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %976 = stablehlo.reshape %975 : (tensor<i32>) -> tensor<1xi32>
    %977 = stablehlo.concatenate %972, %974, %976, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %978 = stablehlo.dynamic_broadcast_in_dim %cst, %977, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %979 = stablehlo.add %970, %978 : tensor<?x?x3072xf32>
    %980 = stablehlo.multiply %689, %979 : tensor<?x?x3072xf32>
    %981 = stablehlo.subtract %910, %980 : tensor<?x?x3072xf32>
    %982 = stablehlo.abs %689 : tensor<?x?x3072xf32>
    %983 = stablehlo.compare LT, %982, %910 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %984 = stablehlo.select %983, %981, %902 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %985 = stablehlo.multiply %683, %984 : tensor<?x?x3072xf32>
    %986 = stablehlo.dot_general %985, %arg23, contracting_dims = [2] x [0] : (tensor<?x?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x?x768xf32>
    %987 = stablehlo.broadcast_in_dim %arg19, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %988 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %989 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %990 = stablehlo.concatenate %988, %989, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %991 = stablehlo.dynamic_broadcast_in_dim %987, %990, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %992 = stablehlo.add %986, %991 : tensor<?x?x768xf32>
    %993 = stablehlo.add %671, %992 : tensor<?x?x768xf32>
    %994 = stablehlo.reduce(%993 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %995 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %996 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %997 = stablehlo.concatenate %995, %996, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %998 = stablehlo.dynamic_broadcast_in_dim %994, %997, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %999 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1000 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1001 = stablehlo.concatenate %999, %1000, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1002 = stablehlo.dynamic_broadcast_in_dim %cst_29, %1001, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1003 = stablehlo.divide %998, %1002 : tensor<?x?x1xf32>
    %1004 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1005 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1006 = stablehlo.concatenate %1004, %1005, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1007 = stablehlo.dynamic_broadcast_in_dim %1003, %1006, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1008 = stablehlo.subtract %993, %1007 : tensor<?x?x768xf32>
    %1009 = stablehlo.multiply %1008, %1008 : tensor<?x?x768xf32>
    %1010 = stablehlo.reduce(%1009 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %1011 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1012 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1013 = stablehlo.concatenate %1011, %1012, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1014 = stablehlo.dynamic_broadcast_in_dim %1010, %1013, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1015 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1016 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1017 = stablehlo.concatenate %1015, %1016, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1018 = stablehlo.dynamic_broadcast_in_dim %cst_29, %1017, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1019 = stablehlo.divide %1014, %1018 : tensor<?x?x1xf32>
    %1020 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1021 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1022 = stablehlo.concatenate %1020, %1021, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1023 = stablehlo.dynamic_broadcast_in_dim %1003, %1022, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1024 = stablehlo.subtract %993, %1023 : tensor<?x?x768xf32>
    %1025 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1026 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1027 = stablehlo.concatenate %1025, %1026, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1028 = stablehlo.dynamic_broadcast_in_dim %cst_28, %1027, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1029 = stablehlo.add %1019, %1028 : tensor<?x?x1xf32>
    %1030 = stablehlo.rsqrt %1029 : tensor<?x?x1xf32>
    %1031 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1032 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1033 = stablehlo.concatenate %1031, %1032, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1034 = stablehlo.dynamic_broadcast_in_dim %1030, %1033, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1035 = stablehlo.multiply %1024, %1034 : tensor<?x?x768xf32>
    %1036 = stablehlo.broadcast_in_dim %arg21, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %1037 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1038 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1039 = stablehlo.concatenate %1037, %1038, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1040 = stablehlo.dynamic_broadcast_in_dim %1036, %1039, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1041 = stablehlo.multiply %1035, %1040 : tensor<?x?x768xf32>
    %1042 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %1043 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1044 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1045 = stablehlo.concatenate %1043, %1044, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1046 = stablehlo.dynamic_broadcast_in_dim %1042, %1045, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1047 = stablehlo.add %1041, %1046 : tensor<?x?x768xf32>
    %1048 = stablehlo.dot_general %1047, %arg37, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
    %1049 = stablehlo.broadcast_in_dim %arg29, dims = [2] : (tensor<2304xf32>) -> tensor<1x1x2304xf32>
    %1050 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1051 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1052 = stablehlo.concatenate %1050, %1051, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1053 = stablehlo.dynamic_broadcast_in_dim %1049, %1052, dims = [0, 1, 2] : (tensor<1x1x2304xf32>, tensor<3xi32>) -> tensor<?x?x2304xf32>
    %1054 = stablehlo.add %1048, %1053 : tensor<?x?x2304xf32>
    %1055 = stablehlo.concatenate %c_39, %c_39, %c_39, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1056 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1057 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1058 = stablehlo.concatenate %1056, %1057, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1059 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1060 = stablehlo.real_dynamic_slice %1054, %1055, %1058, %1059 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1061 = stablehlo.concatenate %c_39, %c_39, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1062 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1063 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1064 = stablehlo.concatenate %1062, %1063, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1065 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1066 = stablehlo.real_dynamic_slice %1054, %1061, %1064, %1065 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1067 = stablehlo.concatenate %c_39, %c_39, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1068 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1069 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1070 = stablehlo.concatenate %1068, %1069, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1071 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1072 = stablehlo.real_dynamic_slice %1054, %1067, %1070, %1071 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1073 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1074 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1075 = stablehlo.concatenate %1073, %1074, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1076 = stablehlo.dynamic_reshape %1060, %1075 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %1077 = stablehlo.transpose %1076, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %1078 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1079 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1080 = stablehlo.concatenate %1078, %1079, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1081 = stablehlo.dynamic_reshape %1066, %1080 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %1082 = stablehlo.transpose %1081, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %1083 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1084 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1085 = stablehlo.concatenate %1083, %1084, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1086 = stablehlo.dynamic_reshape %1072, %1085 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %1087 = stablehlo.transpose %1086, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %1088 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1089 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1090 = stablehlo.concatenate %1088, %c_37, %c_37, %1089, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1091 = stablehlo.dynamic_broadcast_in_dim %arg147, %1090, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
    %1092 = stablehlo.dot_general %1077, %1082, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x?x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x?xf32>
    %1093 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1094 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1095 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1096 = stablehlo.concatenate %1093, %c_35, %1094, %1095, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1097 = stablehlo.dynamic_broadcast_in_dim %cst_33, %1096, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %1098 = stablehlo.divide %1092, %1097 : tensor<?x12x?x?xf32>
    %1099 = call @_where(%arg0, %arg1, %1091, %1098, %cst_32) : (tensor<i32>, tensor<i32>, tensor<?x1x1x?xi1>, tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?x?xf32>
    %1100 = stablehlo.reduce(%1099 init: %cst_31) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %1101 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1102 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1103 = stablehlo.concatenate %1101, %c_35, %1102, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1104 = stablehlo.dynamic_broadcast_in_dim %cst_31, %1103, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x?xf32>
    %1105 = stablehlo.maximum %1104, %1100 : tensor<?x12x?xf32>
    %1106 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1107 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1108 = stablehlo.concatenate %1106, %c_35, %1107, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1109 = stablehlo.dynamic_broadcast_in_dim %1105, %1108, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %1110 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1111 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1112 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1113 = stablehlo.concatenate %1110, %c_35, %1111, %1112, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1114 = stablehlo.dynamic_broadcast_in_dim %1109, %1113, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %1115 = stablehlo.subtract %1099, %1114 : tensor<?x12x?x?xf32>
    %1116 = stablehlo.exponential %1115 : tensor<?x12x?x?xf32>
    %1117 = stablehlo.reduce(%1116 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %1118 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1119 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1120 = stablehlo.concatenate %1118, %c_35, %1119, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1121 = stablehlo.dynamic_broadcast_in_dim %1117, %1120, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %1122 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1123 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1124 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1125 = stablehlo.concatenate %1122, %c_35, %1123, %1124, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1126 = stablehlo.dynamic_broadcast_in_dim %1121, %1125, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %1127 = stablehlo.divide %1116, %1126 : tensor<?x12x?x?xf32>
    %1128 = stablehlo.dot_general %1127, %1087, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x64xf32>
    %1129 = stablehlo.transpose %1128, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
    %1130 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1131 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1132 = stablehlo.concatenate %1130, %1131, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1133 = stablehlo.dynamic_reshape %1129, %1132 : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1134 = stablehlo.dot_general %1133, %arg36, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x768xf32>) -> tensor<?x?x768xf32>
    %1135 = stablehlo.add %1047, %1134 : tensor<?x?x768xf32>
    %1136 = stablehlo.broadcast_in_dim %arg28, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %1137 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1138 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1139 = stablehlo.concatenate %1137, %1138, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1140 = stablehlo.dynamic_broadcast_in_dim %1136, %1139, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1141 = stablehlo.add %1135, %1140 : tensor<?x?x768xf32>
    %1142 = stablehlo.reduce(%1141 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %1143 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1144 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1145 = stablehlo.concatenate %1143, %1144, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1146 = stablehlo.dynamic_broadcast_in_dim %1142, %1145, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1147 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1148 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1149 = stablehlo.concatenate %1147, %1148, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1150 = stablehlo.dynamic_broadcast_in_dim %cst_29, %1149, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1151 = stablehlo.divide %1146, %1150 : tensor<?x?x1xf32>
    %1152 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1153 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1154 = stablehlo.concatenate %1152, %1153, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1155 = stablehlo.dynamic_broadcast_in_dim %1151, %1154, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1156 = stablehlo.subtract %1141, %1155 : tensor<?x?x768xf32>
    %1157 = stablehlo.multiply %1156, %1156 : tensor<?x?x768xf32>
    %1158 = stablehlo.reduce(%1157 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %1159 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1160 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1161 = stablehlo.concatenate %1159, %1160, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1162 = stablehlo.dynamic_broadcast_in_dim %1158, %1161, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1163 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1164 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1165 = stablehlo.concatenate %1163, %1164, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1166 = stablehlo.dynamic_broadcast_in_dim %cst_29, %1165, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1167 = stablehlo.divide %1162, %1166 : tensor<?x?x1xf32>
    %1168 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1169 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1170 = stablehlo.concatenate %1168, %1169, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1171 = stablehlo.dynamic_broadcast_in_dim %1151, %1170, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1172 = stablehlo.subtract %1141, %1171 : tensor<?x?x768xf32>
    %1173 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1174 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1175 = stablehlo.concatenate %1173, %1174, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1176 = stablehlo.dynamic_broadcast_in_dim %cst_28, %1175, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1177 = stablehlo.add %1167, %1176 : tensor<?x?x1xf32>
    %1178 = stablehlo.rsqrt %1177 : tensor<?x?x1xf32>
    %1179 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1180 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1181 = stablehlo.concatenate %1179, %1180, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1182 = stablehlo.dynamic_broadcast_in_dim %1178, %1181, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1183 = stablehlo.multiply %1172, %1182 : tensor<?x?x768xf32>
    %1184 = stablehlo.broadcast_in_dim %arg32, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %1185 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1186 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1187 = stablehlo.concatenate %1185, %1186, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1188 = stablehlo.dynamic_broadcast_in_dim %1184, %1187, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1189 = stablehlo.multiply %1183, %1188 : tensor<?x?x768xf32>
    %1190 = stablehlo.broadcast_in_dim %arg26, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %1191 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1192 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1193 = stablehlo.concatenate %1191, %1192, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1194 = stablehlo.dynamic_broadcast_in_dim %1190, %1193, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1195 = stablehlo.add %1189, %1194 : tensor<?x?x768xf32>
    %1196 = stablehlo.dot_general %1195, %arg34, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x3072xf32>) -> tensor<?x?x3072xf32>
    %1197 = stablehlo.broadcast_in_dim %arg30, dims = [2] : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %1198 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1199 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1200 = stablehlo.concatenate %1198, %1199, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1201 = stablehlo.dynamic_broadcast_in_dim %1197, %1200, dims = [0, 1, 2] : (tensor<1x1x3072xf32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1202 = stablehlo.add %1196, %1201 : tensor<?x?x3072xf32>
    %1203 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1204 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1205 = stablehlo.concatenate %1203, %1204, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1206 = stablehlo.dynamic_broadcast_in_dim %cst_27, %1205, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1207 = stablehlo.multiply %1206, %1202 : tensor<?x?x3072xf32>
    %1208 = stablehlo.negate %1202 : tensor<?x?x3072xf32>
    %1209 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1210 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1211 = stablehlo.concatenate %1209, %1210, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1212 = stablehlo.dynamic_broadcast_in_dim %cst_26, %1211, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1213 = stablehlo.multiply %1208, %1212 : tensor<?x?x3072xf32>
    %1214 = stablehlo.multiply %1213, %1213 : tensor<?x?x3072xf32>
    %1215 = stablehlo.negate %1214 : tensor<?x?x3072xf32>
    %1216 = stablehlo.abs %1213 : tensor<?x?x3072xf32>
    %1217 = stablehlo.get_dimension_size %1213, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1218 = stablehlo.reshape %1217 : (tensor<i32>) -> tensor<1xi32>
    %1219 = stablehlo.get_dimension_size %1213, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1220 = stablehlo.reshape %1219 : (tensor<i32>) -> tensor<1xi32>
    %1221 = stablehlo.get_dimension_size %1213, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1222 = stablehlo.reshape %1221 : (tensor<i32>) -> tensor<1xi32>
    %1223 = stablehlo.concatenate %1218, %1220, %1222, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1224 = stablehlo.dynamic_broadcast_in_dim %cst_25, %1223, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1225 = stablehlo.divide %1224, %1214 : tensor<?x?x3072xf32>
    %1226 = stablehlo.exponential %1215 : tensor<?x?x3072xf32>
    %1227 = stablehlo.divide %1224, %1216 : tensor<?x?x3072xf32>
    %1228 = stablehlo.multiply %1226, %1227 : tensor<?x?x3072xf32>
    %1229 = stablehlo.get_dimension_size %1213, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1230 = stablehlo.reshape %1229 : (tensor<i32>) -> tensor<1xi32>
    %1231 = stablehlo.get_dimension_size %1213, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1232 = stablehlo.reshape %1231 : (tensor<i32>) -> tensor<1xi32>
    %1233 = stablehlo.get_dimension_size %1213, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1234 = stablehlo.reshape %1233 : (tensor<i32>) -> tensor<1xi32>
    %1235 = stablehlo.concatenate %1230, %1232, %1234, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1236 = stablehlo.dynamic_broadcast_in_dim %cst_24, %1235, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1237 = stablehlo.compare LT, %1216, %1236 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %1238 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1239 = stablehlo.reshape %1238 : (tensor<i32>) -> tensor<1xi32>
    %1240 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1241 = stablehlo.reshape %1240 : (tensor<i32>) -> tensor<1xi32>
    %1242 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1243 = stablehlo.reshape %1242 : (tensor<i32>) -> tensor<1xi32>
    %1244 = stablehlo.concatenate %1239, %1241, %1243, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1245 = stablehlo.dynamic_broadcast_in_dim %cst_23, %1244, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1246 = stablehlo.multiply %1245, %1225 : tensor<?x?x3072xf32>
    %1247 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1248 = stablehlo.reshape %1247 : (tensor<i32>) -> tensor<1xi32>
    %1249 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1250 = stablehlo.reshape %1249 : (tensor<i32>) -> tensor<1xi32>
    %1251 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1252 = stablehlo.reshape %1251 : (tensor<i32>) -> tensor<1xi32>
    %1253 = stablehlo.concatenate %1248, %1250, %1252, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1254 = stablehlo.dynamic_broadcast_in_dim %cst_22, %1253, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1255 = stablehlo.add %1246, %1254 : tensor<?x?x3072xf32>
    %1256 = stablehlo.multiply %1255, %1225 : tensor<?x?x3072xf32>
    %1257 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1258 = stablehlo.reshape %1257 : (tensor<i32>) -> tensor<1xi32>
    %1259 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1260 = stablehlo.reshape %1259 : (tensor<i32>) -> tensor<1xi32>
    %1261 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1262 = stablehlo.reshape %1261 : (tensor<i32>) -> tensor<1xi32>
    %1263 = stablehlo.concatenate %1258, %1260, %1262, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1264 = stablehlo.dynamic_broadcast_in_dim %cst_21, %1263, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1265 = stablehlo.add %1256, %1264 : tensor<?x?x3072xf32>
    %1266 = stablehlo.multiply %1265, %1225 : tensor<?x?x3072xf32>
    %1267 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1268 = stablehlo.reshape %1267 : (tensor<i32>) -> tensor<1xi32>
    %1269 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1270 = stablehlo.reshape %1269 : (tensor<i32>) -> tensor<1xi32>
    %1271 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1272 = stablehlo.reshape %1271 : (tensor<i32>) -> tensor<1xi32>
    %1273 = stablehlo.concatenate %1268, %1270, %1272, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1274 = stablehlo.dynamic_broadcast_in_dim %cst_20, %1273, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1275 = stablehlo.add %1266, %1274 : tensor<?x?x3072xf32>
    %1276 = stablehlo.multiply %1275, %1225 : tensor<?x?x3072xf32>
    %1277 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1278 = stablehlo.reshape %1277 : (tensor<i32>) -> tensor<1xi32>
    %1279 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1280 = stablehlo.reshape %1279 : (tensor<i32>) -> tensor<1xi32>
    %1281 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1282 = stablehlo.reshape %1281 : (tensor<i32>) -> tensor<1xi32>
    %1283 = stablehlo.concatenate %1278, %1280, %1282, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1284 = stablehlo.dynamic_broadcast_in_dim %cst_19, %1283, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1285 = stablehlo.add %1276, %1284 : tensor<?x?x3072xf32>
    %1286 = stablehlo.multiply %1285, %1225 : tensor<?x?x3072xf32>
    %1287 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1288 = stablehlo.reshape %1287 : (tensor<i32>) -> tensor<1xi32>
    %1289 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1290 = stablehlo.reshape %1289 : (tensor<i32>) -> tensor<1xi32>
    %1291 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1292 = stablehlo.reshape %1291 : (tensor<i32>) -> tensor<1xi32>
    %1293 = stablehlo.concatenate %1288, %1290, %1292, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1294 = stablehlo.dynamic_broadcast_in_dim %cst_18, %1293, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1295 = stablehlo.add %1286, %1294 : tensor<?x?x3072xf32>
    %1296 = stablehlo.multiply %1295, %1225 : tensor<?x?x3072xf32>
    %1297 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1298 = stablehlo.reshape %1297 : (tensor<i32>) -> tensor<1xi32>
    %1299 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1300 = stablehlo.reshape %1299 : (tensor<i32>) -> tensor<1xi32>
    %1301 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1302 = stablehlo.reshape %1301 : (tensor<i32>) -> tensor<1xi32>
    %1303 = stablehlo.concatenate %1298, %1300, %1302, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1304 = stablehlo.dynamic_broadcast_in_dim %cst_17, %1303, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1305 = stablehlo.add %1296, %1304 : tensor<?x?x3072xf32>
    %1306 = stablehlo.multiply %1305, %1225 : tensor<?x?x3072xf32>
    %1307 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1308 = stablehlo.reshape %1307 : (tensor<i32>) -> tensor<1xi32>
    %1309 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1310 = stablehlo.reshape %1309 : (tensor<i32>) -> tensor<1xi32>
    %1311 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1312 = stablehlo.reshape %1311 : (tensor<i32>) -> tensor<1xi32>
    %1313 = stablehlo.concatenate %1308, %1310, %1312, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1314 = stablehlo.dynamic_broadcast_in_dim %cst_16, %1313, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1315 = stablehlo.add %1306, %1314 : tensor<?x?x3072xf32>
    %1316 = stablehlo.multiply %1315, %1225 : tensor<?x?x3072xf32>
    %1317 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1318 = stablehlo.reshape %1317 : (tensor<i32>) -> tensor<1xi32>
    %1319 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1320 = stablehlo.reshape %1319 : (tensor<i32>) -> tensor<1xi32>
    %1321 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1322 = stablehlo.reshape %1321 : (tensor<i32>) -> tensor<1xi32>
    %1323 = stablehlo.concatenate %1318, %1320, %1322, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1324 = stablehlo.dynamic_broadcast_in_dim %cst_15, %1323, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1325 = stablehlo.add %1316, %1324 : tensor<?x?x3072xf32>
    %1326 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1327 = stablehlo.reshape %1326 : (tensor<i32>) -> tensor<1xi32>
    %1328 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1329 = stablehlo.reshape %1328 : (tensor<i32>) -> tensor<1xi32>
    %1330 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1331 = stablehlo.reshape %1330 : (tensor<i32>) -> tensor<1xi32>
    %1332 = stablehlo.concatenate %1327, %1329, %1331, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1333 = stablehlo.dynamic_broadcast_in_dim %cst_14, %1332, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1334 = stablehlo.multiply %1333, %1225 : tensor<?x?x3072xf32>
    %1335 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1336 = stablehlo.reshape %1335 : (tensor<i32>) -> tensor<1xi32>
    %1337 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1338 = stablehlo.reshape %1337 : (tensor<i32>) -> tensor<1xi32>
    %1339 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1340 = stablehlo.reshape %1339 : (tensor<i32>) -> tensor<1xi32>
    %1341 = stablehlo.concatenate %1336, %1338, %1340, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1342 = stablehlo.dynamic_broadcast_in_dim %cst_13, %1341, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1343 = stablehlo.add %1334, %1342 : tensor<?x?x3072xf32>
    %1344 = stablehlo.multiply %1343, %1225 : tensor<?x?x3072xf32>
    %1345 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1346 = stablehlo.reshape %1345 : (tensor<i32>) -> tensor<1xi32>
    %1347 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1348 = stablehlo.reshape %1347 : (tensor<i32>) -> tensor<1xi32>
    %1349 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1350 = stablehlo.reshape %1349 : (tensor<i32>) -> tensor<1xi32>
    %1351 = stablehlo.concatenate %1346, %1348, %1350, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1352 = stablehlo.dynamic_broadcast_in_dim %cst_12, %1351, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1353 = stablehlo.add %1344, %1352 : tensor<?x?x3072xf32>
    %1354 = stablehlo.multiply %1353, %1225 : tensor<?x?x3072xf32>
    %1355 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1356 = stablehlo.reshape %1355 : (tensor<i32>) -> tensor<1xi32>
    %1357 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1358 = stablehlo.reshape %1357 : (tensor<i32>) -> tensor<1xi32>
    %1359 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1360 = stablehlo.reshape %1359 : (tensor<i32>) -> tensor<1xi32>
    %1361 = stablehlo.concatenate %1356, %1358, %1360, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1362 = stablehlo.dynamic_broadcast_in_dim %cst_11, %1361, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1363 = stablehlo.add %1354, %1362 : tensor<?x?x3072xf32>
    %1364 = stablehlo.multiply %1363, %1225 : tensor<?x?x3072xf32>
    %1365 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1366 = stablehlo.reshape %1365 : (tensor<i32>) -> tensor<1xi32>
    %1367 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1368 = stablehlo.reshape %1367 : (tensor<i32>) -> tensor<1xi32>
    %1369 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1370 = stablehlo.reshape %1369 : (tensor<i32>) -> tensor<1xi32>
    %1371 = stablehlo.concatenate %1366, %1368, %1370, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1372 = stablehlo.dynamic_broadcast_in_dim %cst_10, %1371, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1373 = stablehlo.add %1364, %1372 : tensor<?x?x3072xf32>
    %1374 = stablehlo.multiply %1373, %1225 : tensor<?x?x3072xf32>
    %1375 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1376 = stablehlo.reshape %1375 : (tensor<i32>) -> tensor<1xi32>
    %1377 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1378 = stablehlo.reshape %1377 : (tensor<i32>) -> tensor<1xi32>
    %1379 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1380 = stablehlo.reshape %1379 : (tensor<i32>) -> tensor<1xi32>
    %1381 = stablehlo.concatenate %1376, %1378, %1380, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1382 = stablehlo.dynamic_broadcast_in_dim %cst_9, %1381, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1383 = stablehlo.add %1374, %1382 : tensor<?x?x3072xf32>
    %1384 = stablehlo.multiply %1383, %1225 : tensor<?x?x3072xf32>
    %1385 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1386 = stablehlo.reshape %1385 : (tensor<i32>) -> tensor<1xi32>
    %1387 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1388 = stablehlo.reshape %1387 : (tensor<i32>) -> tensor<1xi32>
    %1389 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1390 = stablehlo.reshape %1389 : (tensor<i32>) -> tensor<1xi32>
    %1391 = stablehlo.concatenate %1386, %1388, %1390, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1392 = stablehlo.dynamic_broadcast_in_dim %cst_8, %1391, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1393 = stablehlo.add %1384, %1392 : tensor<?x?x3072xf32>
    %1394 = stablehlo.multiply %1393, %1225 : tensor<?x?x3072xf32>
    %1395 = stablehlo.get_dimension_size %1225, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1396 = stablehlo.reshape %1395 : (tensor<i32>) -> tensor<1xi32>
    %1397 = stablehlo.get_dimension_size %1225, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1398 = stablehlo.reshape %1397 : (tensor<i32>) -> tensor<1xi32>
    %1399 = stablehlo.get_dimension_size %1225, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1400 = stablehlo.reshape %1399 : (tensor<i32>) -> tensor<1xi32>
    %1401 = stablehlo.concatenate %1396, %1398, %1400, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1402 = stablehlo.dynamic_broadcast_in_dim %cst_7, %1401, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1403 = stablehlo.add %1394, %1402 : tensor<?x?x3072xf32>
    %1404 = stablehlo.select %1237, %1325, %1403 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %1405 = stablehlo.multiply %1228, %1404 : tensor<?x?x3072xf32>
    %1406 = stablehlo.get_dimension_size %1213, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1407 = stablehlo.reshape %1406 : (tensor<i32>) -> tensor<1xi32>
    %1408 = stablehlo.get_dimension_size %1213, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1409 = stablehlo.reshape %1408 : (tensor<i32>) -> tensor<1xi32>
    %1410 = stablehlo.get_dimension_size %1213, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1411 = stablehlo.reshape %1410 : (tensor<i32>) -> tensor<1xi32>
    %1412 = stablehlo.concatenate %1407, %1409, %1411, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1413 = stablehlo.dynamic_broadcast_in_dim %cst_6, %1412, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1414 = stablehlo.compare LT, %1215, %1413 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %1415 = stablehlo.get_dimension_size %1213, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1416 = stablehlo.reshape %1415 : (tensor<i32>) -> tensor<1xi32>
    %1417 = stablehlo.get_dimension_size %1213, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1418 = stablehlo.reshape %1417 : (tensor<i32>) -> tensor<1xi32>
    %1419 = stablehlo.get_dimension_size %1213, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1420 = stablehlo.reshape %1419 : (tensor<i32>) -> tensor<1xi32>
    %1421 = stablehlo.concatenate %1416, %1418, %1420, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1422 = stablehlo.dynamic_broadcast_in_dim %cst_30, %1421, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1423 = stablehlo.select %1414, %1422, %1405 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %1424 = stablehlo.compare LT, %1213, %1422 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %1425 = stablehlo.subtract %1236, %1423 : tensor<?x?x3072xf32>
    %1426 = stablehlo.select %1424, %1425, %1423 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %1427 = stablehlo.get_dimension_size %1213, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1428 = stablehlo.reshape %1427 : (tensor<i32>) -> tensor<1xi32>
    %1429 = stablehlo.get_dimension_size %1213, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1430 = stablehlo.reshape %1429 : (tensor<i32>) -> tensor<1xi32>
    %1431 = stablehlo.get_dimension_size %1213, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1432 = stablehlo.reshape %1431 : (tensor<i32>) -> tensor<1xi32>
    %1433 = stablehlo.concatenate %1428, %1430, %1432, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1434 = stablehlo.dynamic_broadcast_in_dim %cst_25, %1433, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1435 = stablehlo.multiply %1213, %1213 : tensor<?x?x3072xf32>
    %1436 = stablehlo.get_dimension_size %1435, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1437 = stablehlo.reshape %1436 : (tensor<i32>) -> tensor<1xi32>
    %1438 = stablehlo.get_dimension_size %1435, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1439 = stablehlo.reshape %1438 : (tensor<i32>) -> tensor<1xi32>
    %1440 = stablehlo.get_dimension_size %1435, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1441 = stablehlo.reshape %1440 : (tensor<i32>) -> tensor<1xi32>
    %1442 = stablehlo.concatenate %1437, %1439, %1441, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1443 = stablehlo.dynamic_broadcast_in_dim %cst_5, %1442, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1444 = stablehlo.multiply %1443, %1435 : tensor<?x?x3072xf32>
    %1445 = stablehlo.get_dimension_size %1435, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1446 = stablehlo.reshape %1445 : (tensor<i32>) -> tensor<1xi32>
    %1447 = stablehlo.get_dimension_size %1435, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1448 = stablehlo.reshape %1447 : (tensor<i32>) -> tensor<1xi32>
    %1449 = stablehlo.get_dimension_size %1435, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1450 = stablehlo.reshape %1449 : (tensor<i32>) -> tensor<1xi32>
    %1451 = stablehlo.concatenate %1446, %1448, %1450, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1452 = stablehlo.dynamic_broadcast_in_dim %cst_4, %1451, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1453 = stablehlo.add %1444, %1452 : tensor<?x?x3072xf32>
    %1454 = stablehlo.multiply %1453, %1435 : tensor<?x?x3072xf32>
    %1455 = stablehlo.get_dimension_size %1435, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1456 = stablehlo.reshape %1455 : (tensor<i32>) -> tensor<1xi32>
    %1457 = stablehlo.get_dimension_size %1435, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1458 = stablehlo.reshape %1457 : (tensor<i32>) -> tensor<1xi32>
    %1459 = stablehlo.get_dimension_size %1435, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1460 = stablehlo.reshape %1459 : (tensor<i32>) -> tensor<1xi32>
    %1461 = stablehlo.concatenate %1456, %1458, %1460, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1462 = stablehlo.dynamic_broadcast_in_dim %cst_3, %1461, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1463 = stablehlo.add %1454, %1462 : tensor<?x?x3072xf32>
    %1464 = stablehlo.multiply %1463, %1435 : tensor<?x?x3072xf32>
    %1465 = stablehlo.get_dimension_size %1435, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1466 = stablehlo.reshape %1465 : (tensor<i32>) -> tensor<1xi32>
    %1467 = stablehlo.get_dimension_size %1435, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1468 = stablehlo.reshape %1467 : (tensor<i32>) -> tensor<1xi32>
    %1469 = stablehlo.get_dimension_size %1435, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1470 = stablehlo.reshape %1469 : (tensor<i32>) -> tensor<1xi32>
    %1471 = stablehlo.concatenate %1466, %1468, %1470, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1472 = stablehlo.dynamic_broadcast_in_dim %cst_2, %1471, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1473 = stablehlo.add %1464, %1472 : tensor<?x?x3072xf32>
    %1474 = stablehlo.multiply %1473, %1435 : tensor<?x?x3072xf32>
    %1475 = stablehlo.get_dimension_size %1435, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1476 = stablehlo.reshape %1475 : (tensor<i32>) -> tensor<1xi32>
    %1477 = stablehlo.get_dimension_size %1435, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1478 = stablehlo.reshape %1477 : (tensor<i32>) -> tensor<1xi32>
    %1479 = stablehlo.get_dimension_size %1435, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1480 = stablehlo.reshape %1479 : (tensor<i32>) -> tensor<1xi32>
    %1481 = stablehlo.concatenate %1476, %1478, %1480, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1482 = stablehlo.dynamic_broadcast_in_dim %cst_1, %1481, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1483 = stablehlo.add %1474, %1482 : tensor<?x?x3072xf32>
    %1484 = stablehlo.multiply %1483, %1435 : tensor<?x?x3072xf32>
    %1485 = stablehlo.get_dimension_size %1435, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1486 = stablehlo.reshape %1485 : (tensor<i32>) -> tensor<1xi32>
    %1487 = stablehlo.get_dimension_size %1435, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1488 = stablehlo.reshape %1487 : (tensor<i32>) -> tensor<1xi32>
    %1489 = stablehlo.get_dimension_size %1435, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1490 = stablehlo.reshape %1489 : (tensor<i32>) -> tensor<1xi32>
    %1491 = stablehlo.concatenate %1486, %1488, %1490, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1492 = stablehlo.dynamic_broadcast_in_dim %cst_0, %1491, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1493 = stablehlo.add %1484, %1492 : tensor<?x?x3072xf32>
    %1494 = stablehlo.multiply %1493, %1435 : tensor<?x?x3072xf32>
    %1495 = stablehlo.get_dimension_size %1435, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1496 = stablehlo.reshape %1495 : (tensor<i32>) -> tensor<1xi32>
    %1497 = stablehlo.get_dimension_size %1435, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1498 = stablehlo.reshape %1497 : (tensor<i32>) -> tensor<1xi32>
    %1499 = stablehlo.get_dimension_size %1435, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1500 = stablehlo.reshape %1499 : (tensor<i32>) -> tensor<1xi32>
    %1501 = stablehlo.concatenate %1496, %1498, %1500, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1502 = stablehlo.dynamic_broadcast_in_dim %cst, %1501, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1503 = stablehlo.add %1494, %1502 : tensor<?x?x3072xf32>
    %1504 = stablehlo.multiply %1213, %1503 : tensor<?x?x3072xf32>
    %1505 = stablehlo.subtract %1434, %1504 : tensor<?x?x3072xf32>
    %1506 = stablehlo.abs %1213 : tensor<?x?x3072xf32>
    %1507 = stablehlo.compare LT, %1506, %1434 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %1508 = stablehlo.select %1507, %1505, %1426 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %1509 = stablehlo.multiply %1207, %1508 : tensor<?x?x3072xf32>
    %1510 = stablehlo.dot_general %1509, %arg35, contracting_dims = [2] x [0] : (tensor<?x?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x?x768xf32>
    %1511 = stablehlo.broadcast_in_dim %arg31, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %1512 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1513 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1514 = stablehlo.concatenate %1512, %1513, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1515 = stablehlo.dynamic_broadcast_in_dim %1511, %1514, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1516 = stablehlo.add %1510, %1515 : tensor<?x?x768xf32>
    %1517 = stablehlo.add %1195, %1516 : tensor<?x?x768xf32>
    %1518 = stablehlo.reduce(%1517 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %1519 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1520 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1521 = stablehlo.concatenate %1519, %1520, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1522 = stablehlo.dynamic_broadcast_in_dim %1518, %1521, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1523 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1524 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1525 = stablehlo.concatenate %1523, %1524, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1526 = stablehlo.dynamic_broadcast_in_dim %cst_29, %1525, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1527 = stablehlo.divide %1522, %1526 : tensor<?x?x1xf32>
    %1528 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1529 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1530 = stablehlo.concatenate %1528, %1529, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1531 = stablehlo.dynamic_broadcast_in_dim %1527, %1530, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1532 = stablehlo.subtract %1517, %1531 : tensor<?x?x768xf32>
    %1533 = stablehlo.multiply %1532, %1532 : tensor<?x?x768xf32>
    %1534 = stablehlo.reduce(%1533 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %1535 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1536 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1537 = stablehlo.concatenate %1535, %1536, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1538 = stablehlo.dynamic_broadcast_in_dim %1534, %1537, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1539 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1540 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1541 = stablehlo.concatenate %1539, %1540, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1542 = stablehlo.dynamic_broadcast_in_dim %cst_29, %1541, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1543 = stablehlo.divide %1538, %1542 : tensor<?x?x1xf32>
    %1544 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1545 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1546 = stablehlo.concatenate %1544, %1545, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1547 = stablehlo.dynamic_broadcast_in_dim %1527, %1546, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1548 = stablehlo.subtract %1517, %1547 : tensor<?x?x768xf32>
    %1549 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1550 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1551 = stablehlo.concatenate %1549, %1550, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1552 = stablehlo.dynamic_broadcast_in_dim %cst_28, %1551, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1553 = stablehlo.add %1543, %1552 : tensor<?x?x1xf32>
    %1554 = stablehlo.rsqrt %1553 : tensor<?x?x1xf32>
    %1555 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1556 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1557 = stablehlo.concatenate %1555, %1556, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1558 = stablehlo.dynamic_broadcast_in_dim %1554, %1557, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1559 = stablehlo.multiply %1548, %1558 : tensor<?x?x768xf32>
    %1560 = stablehlo.broadcast_in_dim %arg33, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %1561 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1562 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1563 = stablehlo.concatenate %1561, %1562, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1564 = stablehlo.dynamic_broadcast_in_dim %1560, %1563, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1565 = stablehlo.multiply %1559, %1564 : tensor<?x?x768xf32>
    %1566 = stablehlo.broadcast_in_dim %arg27, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %1567 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1568 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1569 = stablehlo.concatenate %1567, %1568, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1570 = stablehlo.dynamic_broadcast_in_dim %1566, %1569, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1571 = stablehlo.add %1565, %1570 : tensor<?x?x768xf32>
    %1572 = stablehlo.dot_general %1571, %arg49, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
    %1573 = stablehlo.broadcast_in_dim %arg41, dims = [2] : (tensor<2304xf32>) -> tensor<1x1x2304xf32>
    %1574 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1575 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1576 = stablehlo.concatenate %1574, %1575, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1577 = stablehlo.dynamic_broadcast_in_dim %1573, %1576, dims = [0, 1, 2] : (tensor<1x1x2304xf32>, tensor<3xi32>) -> tensor<?x?x2304xf32>
    %1578 = stablehlo.add %1572, %1577 : tensor<?x?x2304xf32>
    %1579 = stablehlo.concatenate %c_39, %c_39, %c_39, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1580 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1581 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1582 = stablehlo.concatenate %1580, %1581, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1583 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1584 = stablehlo.real_dynamic_slice %1578, %1579, %1582, %1583 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1585 = stablehlo.concatenate %c_39, %c_39, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1586 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1587 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1588 = stablehlo.concatenate %1586, %1587, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1589 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1590 = stablehlo.real_dynamic_slice %1578, %1585, %1588, %1589 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1591 = stablehlo.concatenate %c_39, %c_39, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1592 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1593 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1594 = stablehlo.concatenate %1592, %1593, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1595 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1596 = stablehlo.real_dynamic_slice %1578, %1591, %1594, %1595 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1597 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1598 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1599 = stablehlo.concatenate %1597, %1598, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1600 = stablehlo.dynamic_reshape %1584, %1599 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %1601 = stablehlo.transpose %1600, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %1602 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1603 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1604 = stablehlo.concatenate %1602, %1603, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1605 = stablehlo.dynamic_reshape %1590, %1604 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %1606 = stablehlo.transpose %1605, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %1607 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1608 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1609 = stablehlo.concatenate %1607, %1608, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1610 = stablehlo.dynamic_reshape %1596, %1609 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %1611 = stablehlo.transpose %1610, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %1612 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1613 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1614 = stablehlo.concatenate %1612, %c_37, %c_37, %1613, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1615 = stablehlo.dynamic_broadcast_in_dim %arg147, %1614, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
    %1616 = stablehlo.dot_general %1601, %1606, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x?x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x?xf32>
    %1617 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1618 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1619 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1620 = stablehlo.concatenate %1617, %c_35, %1618, %1619, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1621 = stablehlo.dynamic_broadcast_in_dim %cst_33, %1620, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %1622 = stablehlo.divide %1616, %1621 : tensor<?x12x?x?xf32>
    %1623 = call @_where(%arg0, %arg1, %1615, %1622, %cst_32) : (tensor<i32>, tensor<i32>, tensor<?x1x1x?xi1>, tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?x?xf32>
    %1624 = stablehlo.reduce(%1623 init: %cst_31) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %1625 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1626 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1627 = stablehlo.concatenate %1625, %c_35, %1626, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1628 = stablehlo.dynamic_broadcast_in_dim %cst_31, %1627, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x?xf32>
    %1629 = stablehlo.maximum %1628, %1624 : tensor<?x12x?xf32>
    %1630 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1631 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1632 = stablehlo.concatenate %1630, %c_35, %1631, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1633 = stablehlo.dynamic_broadcast_in_dim %1629, %1632, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %1634 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1635 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1636 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1637 = stablehlo.concatenate %1634, %c_35, %1635, %1636, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1638 = stablehlo.dynamic_broadcast_in_dim %1633, %1637, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %1639 = stablehlo.subtract %1623, %1638 : tensor<?x12x?x?xf32>
    %1640 = stablehlo.exponential %1639 : tensor<?x12x?x?xf32>
    %1641 = stablehlo.reduce(%1640 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %1642 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1643 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1644 = stablehlo.concatenate %1642, %c_35, %1643, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1645 = stablehlo.dynamic_broadcast_in_dim %1641, %1644, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %1646 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1647 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1648 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1649 = stablehlo.concatenate %1646, %c_35, %1647, %1648, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %1650 = stablehlo.dynamic_broadcast_in_dim %1645, %1649, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %1651 = stablehlo.divide %1640, %1650 : tensor<?x12x?x?xf32>
    %1652 = stablehlo.dot_general %1651, %1611, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x64xf32>
    %1653 = stablehlo.transpose %1652, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
    %1654 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1655 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1656 = stablehlo.concatenate %1654, %1655, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1657 = stablehlo.dynamic_reshape %1653, %1656 : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1658 = stablehlo.dot_general %1657, %arg48, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x768xf32>) -> tensor<?x?x768xf32>
    %1659 = stablehlo.add %1571, %1658 : tensor<?x?x768xf32>
    %1660 = stablehlo.broadcast_in_dim %arg40, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %1661 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1662 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1663 = stablehlo.concatenate %1661, %1662, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1664 = stablehlo.dynamic_broadcast_in_dim %1660, %1663, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1665 = stablehlo.add %1659, %1664 : tensor<?x?x768xf32>
    %1666 = stablehlo.reduce(%1665 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %1667 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1668 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1669 = stablehlo.concatenate %1667, %1668, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1670 = stablehlo.dynamic_broadcast_in_dim %1666, %1669, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1671 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1672 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1673 = stablehlo.concatenate %1671, %1672, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1674 = stablehlo.dynamic_broadcast_in_dim %cst_29, %1673, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1675 = stablehlo.divide %1670, %1674 : tensor<?x?x1xf32>
    %1676 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1677 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1678 = stablehlo.concatenate %1676, %1677, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1679 = stablehlo.dynamic_broadcast_in_dim %1675, %1678, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1680 = stablehlo.subtract %1665, %1679 : tensor<?x?x768xf32>
    %1681 = stablehlo.multiply %1680, %1680 : tensor<?x?x768xf32>
    %1682 = stablehlo.reduce(%1681 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %1683 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1684 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1685 = stablehlo.concatenate %1683, %1684, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1686 = stablehlo.dynamic_broadcast_in_dim %1682, %1685, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1687 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1688 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1689 = stablehlo.concatenate %1687, %1688, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1690 = stablehlo.dynamic_broadcast_in_dim %cst_29, %1689, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1691 = stablehlo.divide %1686, %1690 : tensor<?x?x1xf32>
    %1692 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1693 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1694 = stablehlo.concatenate %1692, %1693, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1695 = stablehlo.dynamic_broadcast_in_dim %1675, %1694, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1696 = stablehlo.subtract %1665, %1695 : tensor<?x?x768xf32>
    %1697 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1698 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1699 = stablehlo.concatenate %1697, %1698, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1700 = stablehlo.dynamic_broadcast_in_dim %cst_28, %1699, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %1701 = stablehlo.add %1691, %1700 : tensor<?x?x1xf32>
    %1702 = stablehlo.rsqrt %1701 : tensor<?x?x1xf32>
    %1703 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1704 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1705 = stablehlo.concatenate %1703, %1704, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1706 = stablehlo.dynamic_broadcast_in_dim %1702, %1705, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1707 = stablehlo.multiply %1696, %1706 : tensor<?x?x768xf32>
    %1708 = stablehlo.broadcast_in_dim %arg44, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %1709 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1710 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1711 = stablehlo.concatenate %1709, %1710, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1712 = stablehlo.dynamic_broadcast_in_dim %1708, %1711, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1713 = stablehlo.multiply %1707, %1712 : tensor<?x?x768xf32>
    %1714 = stablehlo.broadcast_in_dim %arg38, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %1715 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1716 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1717 = stablehlo.concatenate %1715, %1716, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1718 = stablehlo.dynamic_broadcast_in_dim %1714, %1717, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %1719 = stablehlo.add %1713, %1718 : tensor<?x?x768xf32>
    %1720 = stablehlo.dot_general %1719, %arg46, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x3072xf32>) -> tensor<?x?x3072xf32>
    %1721 = stablehlo.broadcast_in_dim %arg42, dims = [2] : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %1722 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1723 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1724 = stablehlo.concatenate %1722, %1723, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1725 = stablehlo.dynamic_broadcast_in_dim %1721, %1724, dims = [0, 1, 2] : (tensor<1x1x3072xf32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1726 = stablehlo.add %1720, %1725 : tensor<?x?x3072xf32>
    %1727 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1728 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1729 = stablehlo.concatenate %1727, %1728, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1730 = stablehlo.dynamic_broadcast_in_dim %cst_27, %1729, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1731 = stablehlo.multiply %1730, %1726 : tensor<?x?x3072xf32>
    %1732 = stablehlo.negate %1726 : tensor<?x?x3072xf32>
    %1733 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1734 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %1735 = stablehlo.concatenate %1733, %1734, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1736 = stablehlo.dynamic_broadcast_in_dim %cst_26, %1735, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1737 = stablehlo.multiply %1732, %1736 : tensor<?x?x3072xf32>
    %1738 = stablehlo.multiply %1737, %1737 : tensor<?x?x3072xf32>
    %1739 = stablehlo.negate %1738 : tensor<?x?x3072xf32>
    %1740 = stablehlo.abs %1737 : tensor<?x?x3072xf32>
    %1741 = stablehlo.get_dimension_size %1737, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1742 = stablehlo.reshape %1741 : (tensor<i32>) -> tensor<1xi32>
    %1743 = stablehlo.get_dimension_size %1737, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1744 = stablehlo.reshape %1743 : (tensor<i32>) -> tensor<1xi32>
    %1745 = stablehlo.get_dimension_size %1737, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1746 = stablehlo.reshape %1745 : (tensor<i32>) -> tensor<1xi32>
    %1747 = stablehlo.concatenate %1742, %1744, %1746, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1748 = stablehlo.dynamic_broadcast_in_dim %cst_25, %1747, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1749 = stablehlo.divide %1748, %1738 : tensor<?x?x3072xf32>
    %1750 = stablehlo.exponential %1739 : tensor<?x?x3072xf32>
    %1751 = stablehlo.divide %1748, %1740 : tensor<?x?x3072xf32>
    %1752 = stablehlo.multiply %1750, %1751 : tensor<?x?x3072xf32>
    %1753 = stablehlo.get_dimension_size %1737, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1754 = stablehlo.reshape %1753 : (tensor<i32>) -> tensor<1xi32>
    %1755 = stablehlo.get_dimension_size %1737, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1756 = stablehlo.reshape %1755 : (tensor<i32>) -> tensor<1xi32>
    %1757 = stablehlo.get_dimension_size %1737, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1758 = stablehlo.reshape %1757 : (tensor<i32>) -> tensor<1xi32>
    %1759 = stablehlo.concatenate %1754, %1756, %1758, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1760 = stablehlo.dynamic_broadcast_in_dim %cst_24, %1759, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1761 = stablehlo.compare LT, %1740, %1760 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %1762 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1763 = stablehlo.reshape %1762 : (tensor<i32>) -> tensor<1xi32>
    %1764 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1765 = stablehlo.reshape %1764 : (tensor<i32>) -> tensor<1xi32>
    %1766 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1767 = stablehlo.reshape %1766 : (tensor<i32>) -> tensor<1xi32>
    %1768 = stablehlo.concatenate %1763, %1765, %1767, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1769 = stablehlo.dynamic_broadcast_in_dim %cst_23, %1768, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1770 = stablehlo.multiply %1769, %1749 : tensor<?x?x3072xf32>
    %1771 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1772 = stablehlo.reshape %1771 : (tensor<i32>) -> tensor<1xi32>
    %1773 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1774 = stablehlo.reshape %1773 : (tensor<i32>) -> tensor<1xi32>
    %1775 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1776 = stablehlo.reshape %1775 : (tensor<i32>) -> tensor<1xi32>
    %1777 = stablehlo.concatenate %1772, %1774, %1776, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1778 = stablehlo.dynamic_broadcast_in_dim %cst_22, %1777, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1779 = stablehlo.add %1770, %1778 : tensor<?x?x3072xf32>
    %1780 = stablehlo.multiply %1779, %1749 : tensor<?x?x3072xf32>
    %1781 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1782 = stablehlo.reshape %1781 : (tensor<i32>) -> tensor<1xi32>
    %1783 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1784 = stablehlo.reshape %1783 : (tensor<i32>) -> tensor<1xi32>
    %1785 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1786 = stablehlo.reshape %1785 : (tensor<i32>) -> tensor<1xi32>
    %1787 = stablehlo.concatenate %1782, %1784, %1786, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1788 = stablehlo.dynamic_broadcast_in_dim %cst_21, %1787, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1789 = stablehlo.add %1780, %1788 : tensor<?x?x3072xf32>
    %1790 = stablehlo.multiply %1789, %1749 : tensor<?x?x3072xf32>
    %1791 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1792 = stablehlo.reshape %1791 : (tensor<i32>) -> tensor<1xi32>
    %1793 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1794 = stablehlo.reshape %1793 : (tensor<i32>) -> tensor<1xi32>
    %1795 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1796 = stablehlo.reshape %1795 : (tensor<i32>) -> tensor<1xi32>
    %1797 = stablehlo.concatenate %1792, %1794, %1796, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1798 = stablehlo.dynamic_broadcast_in_dim %cst_20, %1797, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1799 = stablehlo.add %1790, %1798 : tensor<?x?x3072xf32>
    %1800 = stablehlo.multiply %1799, %1749 : tensor<?x?x3072xf32>
    %1801 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1802 = stablehlo.reshape %1801 : (tensor<i32>) -> tensor<1xi32>
    %1803 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1804 = stablehlo.reshape %1803 : (tensor<i32>) -> tensor<1xi32>
    %1805 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1806 = stablehlo.reshape %1805 : (tensor<i32>) -> tensor<1xi32>
    %1807 = stablehlo.concatenate %1802, %1804, %1806, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1808 = stablehlo.dynamic_broadcast_in_dim %cst_19, %1807, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1809 = stablehlo.add %1800, %1808 : tensor<?x?x3072xf32>
    %1810 = stablehlo.multiply %1809, %1749 : tensor<?x?x3072xf32>
    %1811 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1812 = stablehlo.reshape %1811 : (tensor<i32>) -> tensor<1xi32>
    %1813 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1814 = stablehlo.reshape %1813 : (tensor<i32>) -> tensor<1xi32>
    %1815 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1816 = stablehlo.reshape %1815 : (tensor<i32>) -> tensor<1xi32>
    %1817 = stablehlo.concatenate %1812, %1814, %1816, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1818 = stablehlo.dynamic_broadcast_in_dim %cst_18, %1817, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1819 = stablehlo.add %1810, %1818 : tensor<?x?x3072xf32>
    %1820 = stablehlo.multiply %1819, %1749 : tensor<?x?x3072xf32>
    %1821 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1822 = stablehlo.reshape %1821 : (tensor<i32>) -> tensor<1xi32>
    %1823 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1824 = stablehlo.reshape %1823 : (tensor<i32>) -> tensor<1xi32>
    %1825 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1826 = stablehlo.reshape %1825 : (tensor<i32>) -> tensor<1xi32>
    %1827 = stablehlo.concatenate %1822, %1824, %1826, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1828 = stablehlo.dynamic_broadcast_in_dim %cst_17, %1827, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1829 = stablehlo.add %1820, %1828 : tensor<?x?x3072xf32>
    %1830 = stablehlo.multiply %1829, %1749 : tensor<?x?x3072xf32>
    %1831 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1832 = stablehlo.reshape %1831 : (tensor<i32>) -> tensor<1xi32>
    %1833 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1834 = stablehlo.reshape %1833 : (tensor<i32>) -> tensor<1xi32>
    %1835 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1836 = stablehlo.reshape %1835 : (tensor<i32>) -> tensor<1xi32>
    %1837 = stablehlo.concatenate %1832, %1834, %1836, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1838 = stablehlo.dynamic_broadcast_in_dim %cst_16, %1837, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1839 = stablehlo.add %1830, %1838 : tensor<?x?x3072xf32>
    %1840 = stablehlo.multiply %1839, %1749 : tensor<?x?x3072xf32>
    %1841 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1842 = stablehlo.reshape %1841 : (tensor<i32>) -> tensor<1xi32>
    %1843 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1844 = stablehlo.reshape %1843 : (tensor<i32>) -> tensor<1xi32>
    %1845 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1846 = stablehlo.reshape %1845 : (tensor<i32>) -> tensor<1xi32>
    %1847 = stablehlo.concatenate %1842, %1844, %1846, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1848 = stablehlo.dynamic_broadcast_in_dim %cst_15, %1847, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1849 = stablehlo.add %1840, %1848 : tensor<?x?x3072xf32>
    %1850 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1851 = stablehlo.reshape %1850 : (tensor<i32>) -> tensor<1xi32>
    %1852 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1853 = stablehlo.reshape %1852 : (tensor<i32>) -> tensor<1xi32>
    %1854 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1855 = stablehlo.reshape %1854 : (tensor<i32>) -> tensor<1xi32>
    %1856 = stablehlo.concatenate %1851, %1853, %1855, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1857 = stablehlo.dynamic_broadcast_in_dim %cst_14, %1856, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1858 = stablehlo.multiply %1857, %1749 : tensor<?x?x3072xf32>
    %1859 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1860 = stablehlo.reshape %1859 : (tensor<i32>) -> tensor<1xi32>
    %1861 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1862 = stablehlo.reshape %1861 : (tensor<i32>) -> tensor<1xi32>
    %1863 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1864 = stablehlo.reshape %1863 : (tensor<i32>) -> tensor<1xi32>
    %1865 = stablehlo.concatenate %1860, %1862, %1864, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1866 = stablehlo.dynamic_broadcast_in_dim %cst_13, %1865, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1867 = stablehlo.add %1858, %1866 : tensor<?x?x3072xf32>
    %1868 = stablehlo.multiply %1867, %1749 : tensor<?x?x3072xf32>
    %1869 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1870 = stablehlo.reshape %1869 : (tensor<i32>) -> tensor<1xi32>
    %1871 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1872 = stablehlo.reshape %1871 : (tensor<i32>) -> tensor<1xi32>
    %1873 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1874 = stablehlo.reshape %1873 : (tensor<i32>) -> tensor<1xi32>
    %1875 = stablehlo.concatenate %1870, %1872, %1874, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1876 = stablehlo.dynamic_broadcast_in_dim %cst_12, %1875, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1877 = stablehlo.add %1868, %1876 : tensor<?x?x3072xf32>
    %1878 = stablehlo.multiply %1877, %1749 : tensor<?x?x3072xf32>
    %1879 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1880 = stablehlo.reshape %1879 : (tensor<i32>) -> tensor<1xi32>
    %1881 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1882 = stablehlo.reshape %1881 : (tensor<i32>) -> tensor<1xi32>
    %1883 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1884 = stablehlo.reshape %1883 : (tensor<i32>) -> tensor<1xi32>
    %1885 = stablehlo.concatenate %1880, %1882, %1884, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1886 = stablehlo.dynamic_broadcast_in_dim %cst_11, %1885, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1887 = stablehlo.add %1878, %1886 : tensor<?x?x3072xf32>
    %1888 = stablehlo.multiply %1887, %1749 : tensor<?x?x3072xf32>
    %1889 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1890 = stablehlo.reshape %1889 : (tensor<i32>) -> tensor<1xi32>
    %1891 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1892 = stablehlo.reshape %1891 : (tensor<i32>) -> tensor<1xi32>
    %1893 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1894 = stablehlo.reshape %1893 : (tensor<i32>) -> tensor<1xi32>
    %1895 = stablehlo.concatenate %1890, %1892, %1894, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1896 = stablehlo.dynamic_broadcast_in_dim %cst_10, %1895, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1897 = stablehlo.add %1888, %1896 : tensor<?x?x3072xf32>
    %1898 = stablehlo.multiply %1897, %1749 : tensor<?x?x3072xf32>
    %1899 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1900 = stablehlo.reshape %1899 : (tensor<i32>) -> tensor<1xi32>
    %1901 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1902 = stablehlo.reshape %1901 : (tensor<i32>) -> tensor<1xi32>
    %1903 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1904 = stablehlo.reshape %1903 : (tensor<i32>) -> tensor<1xi32>
    %1905 = stablehlo.concatenate %1900, %1902, %1904, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1906 = stablehlo.dynamic_broadcast_in_dim %cst_9, %1905, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1907 = stablehlo.add %1898, %1906 : tensor<?x?x3072xf32>
    %1908 = stablehlo.multiply %1907, %1749 : tensor<?x?x3072xf32>
    %1909 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1910 = stablehlo.reshape %1909 : (tensor<i32>) -> tensor<1xi32>
    %1911 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1912 = stablehlo.reshape %1911 : (tensor<i32>) -> tensor<1xi32>
    %1913 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1914 = stablehlo.reshape %1913 : (tensor<i32>) -> tensor<1xi32>
    %1915 = stablehlo.concatenate %1910, %1912, %1914, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1916 = stablehlo.dynamic_broadcast_in_dim %cst_8, %1915, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1917 = stablehlo.add %1908, %1916 : tensor<?x?x3072xf32>
    %1918 = stablehlo.multiply %1917, %1749 : tensor<?x?x3072xf32>
    %1919 = stablehlo.get_dimension_size %1749, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1920 = stablehlo.reshape %1919 : (tensor<i32>) -> tensor<1xi32>
    %1921 = stablehlo.get_dimension_size %1749, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1922 = stablehlo.reshape %1921 : (tensor<i32>) -> tensor<1xi32>
    %1923 = stablehlo.get_dimension_size %1749, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1924 = stablehlo.reshape %1923 : (tensor<i32>) -> tensor<1xi32>
    %1925 = stablehlo.concatenate %1920, %1922, %1924, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1926 = stablehlo.dynamic_broadcast_in_dim %cst_7, %1925, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1927 = stablehlo.add %1918, %1926 : tensor<?x?x3072xf32>
    %1928 = stablehlo.select %1761, %1849, %1927 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %1929 = stablehlo.multiply %1752, %1928 : tensor<?x?x3072xf32>
    %1930 = stablehlo.get_dimension_size %1737, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1931 = stablehlo.reshape %1930 : (tensor<i32>) -> tensor<1xi32>
    %1932 = stablehlo.get_dimension_size %1737, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1933 = stablehlo.reshape %1932 : (tensor<i32>) -> tensor<1xi32>
    %1934 = stablehlo.get_dimension_size %1737, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1935 = stablehlo.reshape %1934 : (tensor<i32>) -> tensor<1xi32>
    %1936 = stablehlo.concatenate %1931, %1933, %1935, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1937 = stablehlo.dynamic_broadcast_in_dim %cst_6, %1936, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1938 = stablehlo.compare LT, %1739, %1937 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %1939 = stablehlo.get_dimension_size %1737, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1940 = stablehlo.reshape %1939 : (tensor<i32>) -> tensor<1xi32>
    %1941 = stablehlo.get_dimension_size %1737, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1942 = stablehlo.reshape %1941 : (tensor<i32>) -> tensor<1xi32>
    %1943 = stablehlo.get_dimension_size %1737, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1944 = stablehlo.reshape %1943 : (tensor<i32>) -> tensor<1xi32>
    %1945 = stablehlo.concatenate %1940, %1942, %1944, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1946 = stablehlo.dynamic_broadcast_in_dim %cst_30, %1945, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1947 = stablehlo.select %1938, %1946, %1929 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %1948 = stablehlo.compare LT, %1737, %1946 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %1949 = stablehlo.subtract %1760, %1947 : tensor<?x?x3072xf32>
    %1950 = stablehlo.select %1948, %1949, %1947 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %1951 = stablehlo.get_dimension_size %1737, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1952 = stablehlo.reshape %1951 : (tensor<i32>) -> tensor<1xi32>
    %1953 = stablehlo.get_dimension_size %1737, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1954 = stablehlo.reshape %1953 : (tensor<i32>) -> tensor<1xi32>
    %1955 = stablehlo.get_dimension_size %1737, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1956 = stablehlo.reshape %1955 : (tensor<i32>) -> tensor<1xi32>
    %1957 = stablehlo.concatenate %1952, %1954, %1956, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1958 = stablehlo.dynamic_broadcast_in_dim %cst_25, %1957, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1959 = stablehlo.multiply %1737, %1737 : tensor<?x?x3072xf32>
    %1960 = stablehlo.get_dimension_size %1959, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1961 = stablehlo.reshape %1960 : (tensor<i32>) -> tensor<1xi32>
    %1962 = stablehlo.get_dimension_size %1959, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1963 = stablehlo.reshape %1962 : (tensor<i32>) -> tensor<1xi32>
    %1964 = stablehlo.get_dimension_size %1959, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1965 = stablehlo.reshape %1964 : (tensor<i32>) -> tensor<1xi32>
    %1966 = stablehlo.concatenate %1961, %1963, %1965, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1967 = stablehlo.dynamic_broadcast_in_dim %cst_5, %1966, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1968 = stablehlo.multiply %1967, %1959 : tensor<?x?x3072xf32>
    %1969 = stablehlo.get_dimension_size %1959, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1970 = stablehlo.reshape %1969 : (tensor<i32>) -> tensor<1xi32>
    %1971 = stablehlo.get_dimension_size %1959, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1972 = stablehlo.reshape %1971 : (tensor<i32>) -> tensor<1xi32>
    %1973 = stablehlo.get_dimension_size %1959, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1974 = stablehlo.reshape %1973 : (tensor<i32>) -> tensor<1xi32>
    %1975 = stablehlo.concatenate %1970, %1972, %1974, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1976 = stablehlo.dynamic_broadcast_in_dim %cst_4, %1975, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1977 = stablehlo.add %1968, %1976 : tensor<?x?x3072xf32>
    %1978 = stablehlo.multiply %1977, %1959 : tensor<?x?x3072xf32>
    %1979 = stablehlo.get_dimension_size %1959, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1980 = stablehlo.reshape %1979 : (tensor<i32>) -> tensor<1xi32>
    %1981 = stablehlo.get_dimension_size %1959, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1982 = stablehlo.reshape %1981 : (tensor<i32>) -> tensor<1xi32>
    %1983 = stablehlo.get_dimension_size %1959, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1984 = stablehlo.reshape %1983 : (tensor<i32>) -> tensor<1xi32>
    %1985 = stablehlo.concatenate %1980, %1982, %1984, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1986 = stablehlo.dynamic_broadcast_in_dim %cst_3, %1985, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1987 = stablehlo.add %1978, %1986 : tensor<?x?x3072xf32>
    %1988 = stablehlo.multiply %1987, %1959 : tensor<?x?x3072xf32>
    %1989 = stablehlo.get_dimension_size %1959, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1990 = stablehlo.reshape %1989 : (tensor<i32>) -> tensor<1xi32>
    %1991 = stablehlo.get_dimension_size %1959, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1992 = stablehlo.reshape %1991 : (tensor<i32>) -> tensor<1xi32>
    %1993 = stablehlo.get_dimension_size %1959, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %1994 = stablehlo.reshape %1993 : (tensor<i32>) -> tensor<1xi32>
    %1995 = stablehlo.concatenate %1990, %1992, %1994, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %1996 = stablehlo.dynamic_broadcast_in_dim %cst_2, %1995, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %1997 = stablehlo.add %1988, %1996 : tensor<?x?x3072xf32>
    %1998 = stablehlo.multiply %1997, %1959 : tensor<?x?x3072xf32>
    %1999 = stablehlo.get_dimension_size %1959, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2000 = stablehlo.reshape %1999 : (tensor<i32>) -> tensor<1xi32>
    %2001 = stablehlo.get_dimension_size %1959, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2002 = stablehlo.reshape %2001 : (tensor<i32>) -> tensor<1xi32>
    %2003 = stablehlo.get_dimension_size %1959, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2004 = stablehlo.reshape %2003 : (tensor<i32>) -> tensor<1xi32>
    %2005 = stablehlo.concatenate %2000, %2002, %2004, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2006 = stablehlo.dynamic_broadcast_in_dim %cst_1, %2005, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2007 = stablehlo.add %1998, %2006 : tensor<?x?x3072xf32>
    %2008 = stablehlo.multiply %2007, %1959 : tensor<?x?x3072xf32>
    %2009 = stablehlo.get_dimension_size %1959, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2010 = stablehlo.reshape %2009 : (tensor<i32>) -> tensor<1xi32>
    %2011 = stablehlo.get_dimension_size %1959, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2012 = stablehlo.reshape %2011 : (tensor<i32>) -> tensor<1xi32>
    %2013 = stablehlo.get_dimension_size %1959, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2014 = stablehlo.reshape %2013 : (tensor<i32>) -> tensor<1xi32>
    %2015 = stablehlo.concatenate %2010, %2012, %2014, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2016 = stablehlo.dynamic_broadcast_in_dim %cst_0, %2015, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2017 = stablehlo.add %2008, %2016 : tensor<?x?x3072xf32>
    %2018 = stablehlo.multiply %2017, %1959 : tensor<?x?x3072xf32>
    %2019 = stablehlo.get_dimension_size %1959, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2020 = stablehlo.reshape %2019 : (tensor<i32>) -> tensor<1xi32>
    %2021 = stablehlo.get_dimension_size %1959, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2022 = stablehlo.reshape %2021 : (tensor<i32>) -> tensor<1xi32>
    %2023 = stablehlo.get_dimension_size %1959, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2024 = stablehlo.reshape %2023 : (tensor<i32>) -> tensor<1xi32>
    %2025 = stablehlo.concatenate %2020, %2022, %2024, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2026 = stablehlo.dynamic_broadcast_in_dim %cst, %2025, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2027 = stablehlo.add %2018, %2026 : tensor<?x?x3072xf32>
    %2028 = stablehlo.multiply %1737, %2027 : tensor<?x?x3072xf32>
    %2029 = stablehlo.subtract %1958, %2028 : tensor<?x?x3072xf32>
    %2030 = stablehlo.abs %1737 : tensor<?x?x3072xf32>
    %2031 = stablehlo.compare LT, %2030, %1958 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %2032 = stablehlo.select %2031, %2029, %1950 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %2033 = stablehlo.multiply %1731, %2032 : tensor<?x?x3072xf32>
    %2034 = stablehlo.dot_general %2033, %arg47, contracting_dims = [2] x [0] : (tensor<?x?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x?x768xf32>
    %2035 = stablehlo.broadcast_in_dim %arg43, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %2036 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2037 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2038 = stablehlo.concatenate %2036, %2037, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2039 = stablehlo.dynamic_broadcast_in_dim %2035, %2038, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2040 = stablehlo.add %2034, %2039 : tensor<?x?x768xf32>
    %2041 = stablehlo.add %1719, %2040 : tensor<?x?x768xf32>
    %2042 = stablehlo.reduce(%2041 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %2043 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2044 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2045 = stablehlo.concatenate %2043, %2044, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2046 = stablehlo.dynamic_broadcast_in_dim %2042, %2045, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2047 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2048 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2049 = stablehlo.concatenate %2047, %2048, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2050 = stablehlo.dynamic_broadcast_in_dim %cst_29, %2049, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2051 = stablehlo.divide %2046, %2050 : tensor<?x?x1xf32>
    %2052 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2053 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2054 = stablehlo.concatenate %2052, %2053, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2055 = stablehlo.dynamic_broadcast_in_dim %2051, %2054, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2056 = stablehlo.subtract %2041, %2055 : tensor<?x?x768xf32>
    %2057 = stablehlo.multiply %2056, %2056 : tensor<?x?x768xf32>
    %2058 = stablehlo.reduce(%2057 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %2059 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2060 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2061 = stablehlo.concatenate %2059, %2060, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2062 = stablehlo.dynamic_broadcast_in_dim %2058, %2061, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2063 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2064 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2065 = stablehlo.concatenate %2063, %2064, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2066 = stablehlo.dynamic_broadcast_in_dim %cst_29, %2065, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2067 = stablehlo.divide %2062, %2066 : tensor<?x?x1xf32>
    %2068 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2069 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2070 = stablehlo.concatenate %2068, %2069, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2071 = stablehlo.dynamic_broadcast_in_dim %2051, %2070, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2072 = stablehlo.subtract %2041, %2071 : tensor<?x?x768xf32>
    %2073 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2074 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2075 = stablehlo.concatenate %2073, %2074, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2076 = stablehlo.dynamic_broadcast_in_dim %cst_28, %2075, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2077 = stablehlo.add %2067, %2076 : tensor<?x?x1xf32>
    %2078 = stablehlo.rsqrt %2077 : tensor<?x?x1xf32>
    %2079 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2080 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2081 = stablehlo.concatenate %2079, %2080, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2082 = stablehlo.dynamic_broadcast_in_dim %2078, %2081, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2083 = stablehlo.multiply %2072, %2082 : tensor<?x?x768xf32>
    %2084 = stablehlo.broadcast_in_dim %arg45, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %2085 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2086 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2087 = stablehlo.concatenate %2085, %2086, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2088 = stablehlo.dynamic_broadcast_in_dim %2084, %2087, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2089 = stablehlo.multiply %2083, %2088 : tensor<?x?x768xf32>
    %2090 = stablehlo.broadcast_in_dim %arg39, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %2091 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2092 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2093 = stablehlo.concatenate %2091, %2092, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2094 = stablehlo.dynamic_broadcast_in_dim %2090, %2093, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2095 = stablehlo.add %2089, %2094 : tensor<?x?x768xf32>
    %2096 = stablehlo.dot_general %2095, %arg61, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
    %2097 = stablehlo.broadcast_in_dim %arg53, dims = [2] : (tensor<2304xf32>) -> tensor<1x1x2304xf32>
    %2098 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2099 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2100 = stablehlo.concatenate %2098, %2099, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2101 = stablehlo.dynamic_broadcast_in_dim %2097, %2100, dims = [0, 1, 2] : (tensor<1x1x2304xf32>, tensor<3xi32>) -> tensor<?x?x2304xf32>
    %2102 = stablehlo.add %2096, %2101 : tensor<?x?x2304xf32>
    %2103 = stablehlo.concatenate %c_39, %c_39, %c_39, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2104 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2105 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2106 = stablehlo.concatenate %2104, %2105, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2107 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2108 = stablehlo.real_dynamic_slice %2102, %2103, %2106, %2107 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2109 = stablehlo.concatenate %c_39, %c_39, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2110 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2111 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2112 = stablehlo.concatenate %2110, %2111, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2113 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2114 = stablehlo.real_dynamic_slice %2102, %2109, %2112, %2113 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2115 = stablehlo.concatenate %c_39, %c_39, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2116 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2117 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2118 = stablehlo.concatenate %2116, %2117, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2119 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2120 = stablehlo.real_dynamic_slice %2102, %2115, %2118, %2119 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2121 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2122 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2123 = stablehlo.concatenate %2121, %2122, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2124 = stablehlo.dynamic_reshape %2108, %2123 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %2125 = stablehlo.transpose %2124, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %2126 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2127 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2128 = stablehlo.concatenate %2126, %2127, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2129 = stablehlo.dynamic_reshape %2114, %2128 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %2130 = stablehlo.transpose %2129, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %2131 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2132 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2133 = stablehlo.concatenate %2131, %2132, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2134 = stablehlo.dynamic_reshape %2120, %2133 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %2135 = stablehlo.transpose %2134, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %2136 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2137 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2138 = stablehlo.concatenate %2136, %c_37, %c_37, %2137, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2139 = stablehlo.dynamic_broadcast_in_dim %arg147, %2138, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
    %2140 = stablehlo.dot_general %2125, %2130, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x?x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x?xf32>
    %2141 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2142 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2143 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2144 = stablehlo.concatenate %2141, %c_35, %2142, %2143, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2145 = stablehlo.dynamic_broadcast_in_dim %cst_33, %2144, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %2146 = stablehlo.divide %2140, %2145 : tensor<?x12x?x?xf32>
    %2147 = call @_where(%arg0, %arg1, %2139, %2146, %cst_32) : (tensor<i32>, tensor<i32>, tensor<?x1x1x?xi1>, tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?x?xf32>
    %2148 = stablehlo.reduce(%2147 init: %cst_31) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %2149 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2150 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2151 = stablehlo.concatenate %2149, %c_35, %2150, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2152 = stablehlo.dynamic_broadcast_in_dim %cst_31, %2151, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x?xf32>
    %2153 = stablehlo.maximum %2152, %2148 : tensor<?x12x?xf32>
    %2154 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2155 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2156 = stablehlo.concatenate %2154, %c_35, %2155, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2157 = stablehlo.dynamic_broadcast_in_dim %2153, %2156, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %2158 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2159 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2160 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2161 = stablehlo.concatenate %2158, %c_35, %2159, %2160, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2162 = stablehlo.dynamic_broadcast_in_dim %2157, %2161, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %2163 = stablehlo.subtract %2147, %2162 : tensor<?x12x?x?xf32>
    %2164 = stablehlo.exponential %2163 : tensor<?x12x?x?xf32>
    %2165 = stablehlo.reduce(%2164 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %2166 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2167 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2168 = stablehlo.concatenate %2166, %c_35, %2167, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2169 = stablehlo.dynamic_broadcast_in_dim %2165, %2168, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %2170 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2171 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2172 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2173 = stablehlo.concatenate %2170, %c_35, %2171, %2172, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2174 = stablehlo.dynamic_broadcast_in_dim %2169, %2173, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %2175 = stablehlo.divide %2164, %2174 : tensor<?x12x?x?xf32>
    %2176 = stablehlo.dot_general %2175, %2135, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x64xf32>
    %2177 = stablehlo.transpose %2176, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
    %2178 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2179 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2180 = stablehlo.concatenate %2178, %2179, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2181 = stablehlo.dynamic_reshape %2177, %2180 : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2182 = stablehlo.dot_general %2181, %arg60, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x768xf32>) -> tensor<?x?x768xf32>
    %2183 = stablehlo.add %2095, %2182 : tensor<?x?x768xf32>
    %2184 = stablehlo.broadcast_in_dim %arg52, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %2185 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2186 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2187 = stablehlo.concatenate %2185, %2186, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2188 = stablehlo.dynamic_broadcast_in_dim %2184, %2187, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2189 = stablehlo.add %2183, %2188 : tensor<?x?x768xf32>
    %2190 = stablehlo.reduce(%2189 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %2191 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2192 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2193 = stablehlo.concatenate %2191, %2192, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2194 = stablehlo.dynamic_broadcast_in_dim %2190, %2193, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2195 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2196 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2197 = stablehlo.concatenate %2195, %2196, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2198 = stablehlo.dynamic_broadcast_in_dim %cst_29, %2197, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2199 = stablehlo.divide %2194, %2198 : tensor<?x?x1xf32>
    %2200 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2201 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2202 = stablehlo.concatenate %2200, %2201, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2203 = stablehlo.dynamic_broadcast_in_dim %2199, %2202, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2204 = stablehlo.subtract %2189, %2203 : tensor<?x?x768xf32>
    %2205 = stablehlo.multiply %2204, %2204 : tensor<?x?x768xf32>
    %2206 = stablehlo.reduce(%2205 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %2207 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2208 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2209 = stablehlo.concatenate %2207, %2208, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2210 = stablehlo.dynamic_broadcast_in_dim %2206, %2209, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2211 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2212 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2213 = stablehlo.concatenate %2211, %2212, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2214 = stablehlo.dynamic_broadcast_in_dim %cst_29, %2213, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2215 = stablehlo.divide %2210, %2214 : tensor<?x?x1xf32>
    %2216 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2217 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2218 = stablehlo.concatenate %2216, %2217, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2219 = stablehlo.dynamic_broadcast_in_dim %2199, %2218, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2220 = stablehlo.subtract %2189, %2219 : tensor<?x?x768xf32>
    %2221 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2222 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2223 = stablehlo.concatenate %2221, %2222, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2224 = stablehlo.dynamic_broadcast_in_dim %cst_28, %2223, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2225 = stablehlo.add %2215, %2224 : tensor<?x?x1xf32>
    %2226 = stablehlo.rsqrt %2225 : tensor<?x?x1xf32>
    %2227 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2228 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2229 = stablehlo.concatenate %2227, %2228, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2230 = stablehlo.dynamic_broadcast_in_dim %2226, %2229, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2231 = stablehlo.multiply %2220, %2230 : tensor<?x?x768xf32>
    %2232 = stablehlo.broadcast_in_dim %arg56, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %2233 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2234 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2235 = stablehlo.concatenate %2233, %2234, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2236 = stablehlo.dynamic_broadcast_in_dim %2232, %2235, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2237 = stablehlo.multiply %2231, %2236 : tensor<?x?x768xf32>
    %2238 = stablehlo.broadcast_in_dim %arg50, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %2239 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2240 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2241 = stablehlo.concatenate %2239, %2240, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2242 = stablehlo.dynamic_broadcast_in_dim %2238, %2241, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2243 = stablehlo.add %2237, %2242 : tensor<?x?x768xf32>
    %2244 = stablehlo.dot_general %2243, %arg58, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x3072xf32>) -> tensor<?x?x3072xf32>
    %2245 = stablehlo.broadcast_in_dim %arg54, dims = [2] : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %2246 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2247 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2248 = stablehlo.concatenate %2246, %2247, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2249 = stablehlo.dynamic_broadcast_in_dim %2245, %2248, dims = [0, 1, 2] : (tensor<1x1x3072xf32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2250 = stablehlo.add %2244, %2249 : tensor<?x?x3072xf32>
    %2251 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2252 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2253 = stablehlo.concatenate %2251, %2252, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2254 = stablehlo.dynamic_broadcast_in_dim %cst_27, %2253, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2255 = stablehlo.multiply %2254, %2250 : tensor<?x?x3072xf32>
    %2256 = stablehlo.negate %2250 : tensor<?x?x3072xf32>
    %2257 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2258 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2259 = stablehlo.concatenate %2257, %2258, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2260 = stablehlo.dynamic_broadcast_in_dim %cst_26, %2259, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2261 = stablehlo.multiply %2256, %2260 : tensor<?x?x3072xf32>
    %2262 = stablehlo.multiply %2261, %2261 : tensor<?x?x3072xf32>
    %2263 = stablehlo.negate %2262 : tensor<?x?x3072xf32>
    %2264 = stablehlo.abs %2261 : tensor<?x?x3072xf32>
    %2265 = stablehlo.get_dimension_size %2261, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2266 = stablehlo.reshape %2265 : (tensor<i32>) -> tensor<1xi32>
    %2267 = stablehlo.get_dimension_size %2261, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2268 = stablehlo.reshape %2267 : (tensor<i32>) -> tensor<1xi32>
    %2269 = stablehlo.get_dimension_size %2261, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2270 = stablehlo.reshape %2269 : (tensor<i32>) -> tensor<1xi32>
    %2271 = stablehlo.concatenate %2266, %2268, %2270, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2272 = stablehlo.dynamic_broadcast_in_dim %cst_25, %2271, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2273 = stablehlo.divide %2272, %2262 : tensor<?x?x3072xf32>
    %2274 = stablehlo.exponential %2263 : tensor<?x?x3072xf32>
    %2275 = stablehlo.divide %2272, %2264 : tensor<?x?x3072xf32>
    %2276 = stablehlo.multiply %2274, %2275 : tensor<?x?x3072xf32>
    %2277 = stablehlo.get_dimension_size %2261, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2278 = stablehlo.reshape %2277 : (tensor<i32>) -> tensor<1xi32>
    %2279 = stablehlo.get_dimension_size %2261, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2280 = stablehlo.reshape %2279 : (tensor<i32>) -> tensor<1xi32>
    %2281 = stablehlo.get_dimension_size %2261, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2282 = stablehlo.reshape %2281 : (tensor<i32>) -> tensor<1xi32>
    %2283 = stablehlo.concatenate %2278, %2280, %2282, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2284 = stablehlo.dynamic_broadcast_in_dim %cst_24, %2283, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2285 = stablehlo.compare LT, %2264, %2284 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %2286 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2287 = stablehlo.reshape %2286 : (tensor<i32>) -> tensor<1xi32>
    %2288 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2289 = stablehlo.reshape %2288 : (tensor<i32>) -> tensor<1xi32>
    %2290 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2291 = stablehlo.reshape %2290 : (tensor<i32>) -> tensor<1xi32>
    %2292 = stablehlo.concatenate %2287, %2289, %2291, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2293 = stablehlo.dynamic_broadcast_in_dim %cst_23, %2292, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2294 = stablehlo.multiply %2293, %2273 : tensor<?x?x3072xf32>
    %2295 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2296 = stablehlo.reshape %2295 : (tensor<i32>) -> tensor<1xi32>
    %2297 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2298 = stablehlo.reshape %2297 : (tensor<i32>) -> tensor<1xi32>
    %2299 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2300 = stablehlo.reshape %2299 : (tensor<i32>) -> tensor<1xi32>
    %2301 = stablehlo.concatenate %2296, %2298, %2300, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2302 = stablehlo.dynamic_broadcast_in_dim %cst_22, %2301, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2303 = stablehlo.add %2294, %2302 : tensor<?x?x3072xf32>
    %2304 = stablehlo.multiply %2303, %2273 : tensor<?x?x3072xf32>
    %2305 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2306 = stablehlo.reshape %2305 : (tensor<i32>) -> tensor<1xi32>
    %2307 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2308 = stablehlo.reshape %2307 : (tensor<i32>) -> tensor<1xi32>
    %2309 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2310 = stablehlo.reshape %2309 : (tensor<i32>) -> tensor<1xi32>
    %2311 = stablehlo.concatenate %2306, %2308, %2310, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2312 = stablehlo.dynamic_broadcast_in_dim %cst_21, %2311, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2313 = stablehlo.add %2304, %2312 : tensor<?x?x3072xf32>
    %2314 = stablehlo.multiply %2313, %2273 : tensor<?x?x3072xf32>
    %2315 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2316 = stablehlo.reshape %2315 : (tensor<i32>) -> tensor<1xi32>
    %2317 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2318 = stablehlo.reshape %2317 : (tensor<i32>) -> tensor<1xi32>
    %2319 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2320 = stablehlo.reshape %2319 : (tensor<i32>) -> tensor<1xi32>
    %2321 = stablehlo.concatenate %2316, %2318, %2320, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2322 = stablehlo.dynamic_broadcast_in_dim %cst_20, %2321, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2323 = stablehlo.add %2314, %2322 : tensor<?x?x3072xf32>
    %2324 = stablehlo.multiply %2323, %2273 : tensor<?x?x3072xf32>
    %2325 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2326 = stablehlo.reshape %2325 : (tensor<i32>) -> tensor<1xi32>
    %2327 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2328 = stablehlo.reshape %2327 : (tensor<i32>) -> tensor<1xi32>
    %2329 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2330 = stablehlo.reshape %2329 : (tensor<i32>) -> tensor<1xi32>
    %2331 = stablehlo.concatenate %2326, %2328, %2330, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2332 = stablehlo.dynamic_broadcast_in_dim %cst_19, %2331, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2333 = stablehlo.add %2324, %2332 : tensor<?x?x3072xf32>
    %2334 = stablehlo.multiply %2333, %2273 : tensor<?x?x3072xf32>
    %2335 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2336 = stablehlo.reshape %2335 : (tensor<i32>) -> tensor<1xi32>
    %2337 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2338 = stablehlo.reshape %2337 : (tensor<i32>) -> tensor<1xi32>
    %2339 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2340 = stablehlo.reshape %2339 : (tensor<i32>) -> tensor<1xi32>
    %2341 = stablehlo.concatenate %2336, %2338, %2340, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2342 = stablehlo.dynamic_broadcast_in_dim %cst_18, %2341, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2343 = stablehlo.add %2334, %2342 : tensor<?x?x3072xf32>
    %2344 = stablehlo.multiply %2343, %2273 : tensor<?x?x3072xf32>
    %2345 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2346 = stablehlo.reshape %2345 : (tensor<i32>) -> tensor<1xi32>
    %2347 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2348 = stablehlo.reshape %2347 : (tensor<i32>) -> tensor<1xi32>
    %2349 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2350 = stablehlo.reshape %2349 : (tensor<i32>) -> tensor<1xi32>
    %2351 = stablehlo.concatenate %2346, %2348, %2350, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2352 = stablehlo.dynamic_broadcast_in_dim %cst_17, %2351, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2353 = stablehlo.add %2344, %2352 : tensor<?x?x3072xf32>
    %2354 = stablehlo.multiply %2353, %2273 : tensor<?x?x3072xf32>
    %2355 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2356 = stablehlo.reshape %2355 : (tensor<i32>) -> tensor<1xi32>
    %2357 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2358 = stablehlo.reshape %2357 : (tensor<i32>) -> tensor<1xi32>
    %2359 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2360 = stablehlo.reshape %2359 : (tensor<i32>) -> tensor<1xi32>
    %2361 = stablehlo.concatenate %2356, %2358, %2360, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2362 = stablehlo.dynamic_broadcast_in_dim %cst_16, %2361, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2363 = stablehlo.add %2354, %2362 : tensor<?x?x3072xf32>
    %2364 = stablehlo.multiply %2363, %2273 : tensor<?x?x3072xf32>
    %2365 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2366 = stablehlo.reshape %2365 : (tensor<i32>) -> tensor<1xi32>
    %2367 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2368 = stablehlo.reshape %2367 : (tensor<i32>) -> tensor<1xi32>
    %2369 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2370 = stablehlo.reshape %2369 : (tensor<i32>) -> tensor<1xi32>
    %2371 = stablehlo.concatenate %2366, %2368, %2370, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2372 = stablehlo.dynamic_broadcast_in_dim %cst_15, %2371, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2373 = stablehlo.add %2364, %2372 : tensor<?x?x3072xf32>
    %2374 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2375 = stablehlo.reshape %2374 : (tensor<i32>) -> tensor<1xi32>
    %2376 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2377 = stablehlo.reshape %2376 : (tensor<i32>) -> tensor<1xi32>
    %2378 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2379 = stablehlo.reshape %2378 : (tensor<i32>) -> tensor<1xi32>
    %2380 = stablehlo.concatenate %2375, %2377, %2379, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2381 = stablehlo.dynamic_broadcast_in_dim %cst_14, %2380, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2382 = stablehlo.multiply %2381, %2273 : tensor<?x?x3072xf32>
    %2383 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2384 = stablehlo.reshape %2383 : (tensor<i32>) -> tensor<1xi32>
    %2385 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2386 = stablehlo.reshape %2385 : (tensor<i32>) -> tensor<1xi32>
    %2387 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2388 = stablehlo.reshape %2387 : (tensor<i32>) -> tensor<1xi32>
    %2389 = stablehlo.concatenate %2384, %2386, %2388, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2390 = stablehlo.dynamic_broadcast_in_dim %cst_13, %2389, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2391 = stablehlo.add %2382, %2390 : tensor<?x?x3072xf32>
    %2392 = stablehlo.multiply %2391, %2273 : tensor<?x?x3072xf32>
    %2393 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2394 = stablehlo.reshape %2393 : (tensor<i32>) -> tensor<1xi32>
    %2395 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2396 = stablehlo.reshape %2395 : (tensor<i32>) -> tensor<1xi32>
    %2397 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2398 = stablehlo.reshape %2397 : (tensor<i32>) -> tensor<1xi32>
    %2399 = stablehlo.concatenate %2394, %2396, %2398, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2400 = stablehlo.dynamic_broadcast_in_dim %cst_12, %2399, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2401 = stablehlo.add %2392, %2400 : tensor<?x?x3072xf32>
    %2402 = stablehlo.multiply %2401, %2273 : tensor<?x?x3072xf32>
    %2403 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2404 = stablehlo.reshape %2403 : (tensor<i32>) -> tensor<1xi32>
    %2405 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2406 = stablehlo.reshape %2405 : (tensor<i32>) -> tensor<1xi32>
    %2407 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2408 = stablehlo.reshape %2407 : (tensor<i32>) -> tensor<1xi32>
    %2409 = stablehlo.concatenate %2404, %2406, %2408, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2410 = stablehlo.dynamic_broadcast_in_dim %cst_11, %2409, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2411 = stablehlo.add %2402, %2410 : tensor<?x?x3072xf32>
    %2412 = stablehlo.multiply %2411, %2273 : tensor<?x?x3072xf32>
    %2413 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2414 = stablehlo.reshape %2413 : (tensor<i32>) -> tensor<1xi32>
    %2415 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2416 = stablehlo.reshape %2415 : (tensor<i32>) -> tensor<1xi32>
    %2417 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2418 = stablehlo.reshape %2417 : (tensor<i32>) -> tensor<1xi32>
    %2419 = stablehlo.concatenate %2414, %2416, %2418, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2420 = stablehlo.dynamic_broadcast_in_dim %cst_10, %2419, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2421 = stablehlo.add %2412, %2420 : tensor<?x?x3072xf32>
    %2422 = stablehlo.multiply %2421, %2273 : tensor<?x?x3072xf32>
    %2423 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2424 = stablehlo.reshape %2423 : (tensor<i32>) -> tensor<1xi32>
    %2425 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2426 = stablehlo.reshape %2425 : (tensor<i32>) -> tensor<1xi32>
    %2427 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2428 = stablehlo.reshape %2427 : (tensor<i32>) -> tensor<1xi32>
    %2429 = stablehlo.concatenate %2424, %2426, %2428, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2430 = stablehlo.dynamic_broadcast_in_dim %cst_9, %2429, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2431 = stablehlo.add %2422, %2430 : tensor<?x?x3072xf32>
    %2432 = stablehlo.multiply %2431, %2273 : tensor<?x?x3072xf32>
    %2433 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2434 = stablehlo.reshape %2433 : (tensor<i32>) -> tensor<1xi32>
    %2435 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2436 = stablehlo.reshape %2435 : (tensor<i32>) -> tensor<1xi32>
    %2437 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2438 = stablehlo.reshape %2437 : (tensor<i32>) -> tensor<1xi32>
    %2439 = stablehlo.concatenate %2434, %2436, %2438, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2440 = stablehlo.dynamic_broadcast_in_dim %cst_8, %2439, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2441 = stablehlo.add %2432, %2440 : tensor<?x?x3072xf32>
    %2442 = stablehlo.multiply %2441, %2273 : tensor<?x?x3072xf32>
    %2443 = stablehlo.get_dimension_size %2273, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2444 = stablehlo.reshape %2443 : (tensor<i32>) -> tensor<1xi32>
    %2445 = stablehlo.get_dimension_size %2273, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2446 = stablehlo.reshape %2445 : (tensor<i32>) -> tensor<1xi32>
    %2447 = stablehlo.get_dimension_size %2273, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2448 = stablehlo.reshape %2447 : (tensor<i32>) -> tensor<1xi32>
    %2449 = stablehlo.concatenate %2444, %2446, %2448, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2450 = stablehlo.dynamic_broadcast_in_dim %cst_7, %2449, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2451 = stablehlo.add %2442, %2450 : tensor<?x?x3072xf32>
    %2452 = stablehlo.select %2285, %2373, %2451 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %2453 = stablehlo.multiply %2276, %2452 : tensor<?x?x3072xf32>
    %2454 = stablehlo.get_dimension_size %2261, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2455 = stablehlo.reshape %2454 : (tensor<i32>) -> tensor<1xi32>
    %2456 = stablehlo.get_dimension_size %2261, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2457 = stablehlo.reshape %2456 : (tensor<i32>) -> tensor<1xi32>
    %2458 = stablehlo.get_dimension_size %2261, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2459 = stablehlo.reshape %2458 : (tensor<i32>) -> tensor<1xi32>
    %2460 = stablehlo.concatenate %2455, %2457, %2459, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2461 = stablehlo.dynamic_broadcast_in_dim %cst_6, %2460, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2462 = stablehlo.compare LT, %2263, %2461 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %2463 = stablehlo.get_dimension_size %2261, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2464 = stablehlo.reshape %2463 : (tensor<i32>) -> tensor<1xi32>
    %2465 = stablehlo.get_dimension_size %2261, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2466 = stablehlo.reshape %2465 : (tensor<i32>) -> tensor<1xi32>
    %2467 = stablehlo.get_dimension_size %2261, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2468 = stablehlo.reshape %2467 : (tensor<i32>) -> tensor<1xi32>
    %2469 = stablehlo.concatenate %2464, %2466, %2468, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2470 = stablehlo.dynamic_broadcast_in_dim %cst_30, %2469, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2471 = stablehlo.select %2462, %2470, %2453 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %2472 = stablehlo.compare LT, %2261, %2470 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %2473 = stablehlo.subtract %2284, %2471 : tensor<?x?x3072xf32>
    %2474 = stablehlo.select %2472, %2473, %2471 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %2475 = stablehlo.get_dimension_size %2261, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2476 = stablehlo.reshape %2475 : (tensor<i32>) -> tensor<1xi32>
    %2477 = stablehlo.get_dimension_size %2261, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2478 = stablehlo.reshape %2477 : (tensor<i32>) -> tensor<1xi32>
    %2479 = stablehlo.get_dimension_size %2261, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2480 = stablehlo.reshape %2479 : (tensor<i32>) -> tensor<1xi32>
    %2481 = stablehlo.concatenate %2476, %2478, %2480, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2482 = stablehlo.dynamic_broadcast_in_dim %cst_25, %2481, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2483 = stablehlo.multiply %2261, %2261 : tensor<?x?x3072xf32>
    %2484 = stablehlo.get_dimension_size %2483, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2485 = stablehlo.reshape %2484 : (tensor<i32>) -> tensor<1xi32>
    %2486 = stablehlo.get_dimension_size %2483, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2487 = stablehlo.reshape %2486 : (tensor<i32>) -> tensor<1xi32>
    %2488 = stablehlo.get_dimension_size %2483, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2489 = stablehlo.reshape %2488 : (tensor<i32>) -> tensor<1xi32>
    %2490 = stablehlo.concatenate %2485, %2487, %2489, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2491 = stablehlo.dynamic_broadcast_in_dim %cst_5, %2490, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2492 = stablehlo.multiply %2491, %2483 : tensor<?x?x3072xf32>
    %2493 = stablehlo.get_dimension_size %2483, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2494 = stablehlo.reshape %2493 : (tensor<i32>) -> tensor<1xi32>
    %2495 = stablehlo.get_dimension_size %2483, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2496 = stablehlo.reshape %2495 : (tensor<i32>) -> tensor<1xi32>
    %2497 = stablehlo.get_dimension_size %2483, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2498 = stablehlo.reshape %2497 : (tensor<i32>) -> tensor<1xi32>
    %2499 = stablehlo.concatenate %2494, %2496, %2498, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2500 = stablehlo.dynamic_broadcast_in_dim %cst_4, %2499, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2501 = stablehlo.add %2492, %2500 : tensor<?x?x3072xf32>
    %2502 = stablehlo.multiply %2501, %2483 : tensor<?x?x3072xf32>
    %2503 = stablehlo.get_dimension_size %2483, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2504 = stablehlo.reshape %2503 : (tensor<i32>) -> tensor<1xi32>
    %2505 = stablehlo.get_dimension_size %2483, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2506 = stablehlo.reshape %2505 : (tensor<i32>) -> tensor<1xi32>
    %2507 = stablehlo.get_dimension_size %2483, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2508 = stablehlo.reshape %2507 : (tensor<i32>) -> tensor<1xi32>
    %2509 = stablehlo.concatenate %2504, %2506, %2508, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2510 = stablehlo.dynamic_broadcast_in_dim %cst_3, %2509, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2511 = stablehlo.add %2502, %2510 : tensor<?x?x3072xf32>
    %2512 = stablehlo.multiply %2511, %2483 : tensor<?x?x3072xf32>
    %2513 = stablehlo.get_dimension_size %2483, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2514 = stablehlo.reshape %2513 : (tensor<i32>) -> tensor<1xi32>
    %2515 = stablehlo.get_dimension_size %2483, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2516 = stablehlo.reshape %2515 : (tensor<i32>) -> tensor<1xi32>
    %2517 = stablehlo.get_dimension_size %2483, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2518 = stablehlo.reshape %2517 : (tensor<i32>) -> tensor<1xi32>
    %2519 = stablehlo.concatenate %2514, %2516, %2518, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2520 = stablehlo.dynamic_broadcast_in_dim %cst_2, %2519, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2521 = stablehlo.add %2512, %2520 : tensor<?x?x3072xf32>
    %2522 = stablehlo.multiply %2521, %2483 : tensor<?x?x3072xf32>
    %2523 = stablehlo.get_dimension_size %2483, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2524 = stablehlo.reshape %2523 : (tensor<i32>) -> tensor<1xi32>
    %2525 = stablehlo.get_dimension_size %2483, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2526 = stablehlo.reshape %2525 : (tensor<i32>) -> tensor<1xi32>
    %2527 = stablehlo.get_dimension_size %2483, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2528 = stablehlo.reshape %2527 : (tensor<i32>) -> tensor<1xi32>
    %2529 = stablehlo.concatenate %2524, %2526, %2528, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2530 = stablehlo.dynamic_broadcast_in_dim %cst_1, %2529, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2531 = stablehlo.add %2522, %2530 : tensor<?x?x3072xf32>
    %2532 = stablehlo.multiply %2531, %2483 : tensor<?x?x3072xf32>
    %2533 = stablehlo.get_dimension_size %2483, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2534 = stablehlo.reshape %2533 : (tensor<i32>) -> tensor<1xi32>
    %2535 = stablehlo.get_dimension_size %2483, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2536 = stablehlo.reshape %2535 : (tensor<i32>) -> tensor<1xi32>
    %2537 = stablehlo.get_dimension_size %2483, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2538 = stablehlo.reshape %2537 : (tensor<i32>) -> tensor<1xi32>
    %2539 = stablehlo.concatenate %2534, %2536, %2538, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2540 = stablehlo.dynamic_broadcast_in_dim %cst_0, %2539, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2541 = stablehlo.add %2532, %2540 : tensor<?x?x3072xf32>
    %2542 = stablehlo.multiply %2541, %2483 : tensor<?x?x3072xf32>
    %2543 = stablehlo.get_dimension_size %2483, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2544 = stablehlo.reshape %2543 : (tensor<i32>) -> tensor<1xi32>
    %2545 = stablehlo.get_dimension_size %2483, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2546 = stablehlo.reshape %2545 : (tensor<i32>) -> tensor<1xi32>
    %2547 = stablehlo.get_dimension_size %2483, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2548 = stablehlo.reshape %2547 : (tensor<i32>) -> tensor<1xi32>
    %2549 = stablehlo.concatenate %2544, %2546, %2548, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2550 = stablehlo.dynamic_broadcast_in_dim %cst, %2549, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2551 = stablehlo.add %2542, %2550 : tensor<?x?x3072xf32>
    %2552 = stablehlo.multiply %2261, %2551 : tensor<?x?x3072xf32>
    %2553 = stablehlo.subtract %2482, %2552 : tensor<?x?x3072xf32>
    %2554 = stablehlo.abs %2261 : tensor<?x?x3072xf32>
    %2555 = stablehlo.compare LT, %2554, %2482 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %2556 = stablehlo.select %2555, %2553, %2474 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %2557 = stablehlo.multiply %2255, %2556 : tensor<?x?x3072xf32>
    %2558 = stablehlo.dot_general %2557, %arg59, contracting_dims = [2] x [0] : (tensor<?x?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x?x768xf32>
    %2559 = stablehlo.broadcast_in_dim %arg55, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %2560 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2561 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2562 = stablehlo.concatenate %2560, %2561, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2563 = stablehlo.dynamic_broadcast_in_dim %2559, %2562, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2564 = stablehlo.add %2558, %2563 : tensor<?x?x768xf32>
    %2565 = stablehlo.add %2243, %2564 : tensor<?x?x768xf32>
    %2566 = stablehlo.reduce(%2565 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %2567 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2568 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2569 = stablehlo.concatenate %2567, %2568, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2570 = stablehlo.dynamic_broadcast_in_dim %2566, %2569, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2571 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2572 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2573 = stablehlo.concatenate %2571, %2572, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2574 = stablehlo.dynamic_broadcast_in_dim %cst_29, %2573, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2575 = stablehlo.divide %2570, %2574 : tensor<?x?x1xf32>
    %2576 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2577 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2578 = stablehlo.concatenate %2576, %2577, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2579 = stablehlo.dynamic_broadcast_in_dim %2575, %2578, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2580 = stablehlo.subtract %2565, %2579 : tensor<?x?x768xf32>
    %2581 = stablehlo.multiply %2580, %2580 : tensor<?x?x768xf32>
    %2582 = stablehlo.reduce(%2581 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %2583 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2584 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2585 = stablehlo.concatenate %2583, %2584, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2586 = stablehlo.dynamic_broadcast_in_dim %2582, %2585, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2587 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2588 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2589 = stablehlo.concatenate %2587, %2588, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2590 = stablehlo.dynamic_broadcast_in_dim %cst_29, %2589, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2591 = stablehlo.divide %2586, %2590 : tensor<?x?x1xf32>
    %2592 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2593 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2594 = stablehlo.concatenate %2592, %2593, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2595 = stablehlo.dynamic_broadcast_in_dim %2575, %2594, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2596 = stablehlo.subtract %2565, %2595 : tensor<?x?x768xf32>
    %2597 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2598 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2599 = stablehlo.concatenate %2597, %2598, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2600 = stablehlo.dynamic_broadcast_in_dim %cst_28, %2599, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2601 = stablehlo.add %2591, %2600 : tensor<?x?x1xf32>
    %2602 = stablehlo.rsqrt %2601 : tensor<?x?x1xf32>
    %2603 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2604 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2605 = stablehlo.concatenate %2603, %2604, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2606 = stablehlo.dynamic_broadcast_in_dim %2602, %2605, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2607 = stablehlo.multiply %2596, %2606 : tensor<?x?x768xf32>
    %2608 = stablehlo.broadcast_in_dim %arg57, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %2609 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2610 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2611 = stablehlo.concatenate %2609, %2610, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2612 = stablehlo.dynamic_broadcast_in_dim %2608, %2611, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2613 = stablehlo.multiply %2607, %2612 : tensor<?x?x768xf32>
    %2614 = stablehlo.broadcast_in_dim %arg51, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %2615 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2616 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2617 = stablehlo.concatenate %2615, %2616, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2618 = stablehlo.dynamic_broadcast_in_dim %2614, %2617, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2619 = stablehlo.add %2613, %2618 : tensor<?x?x768xf32>
    %2620 = stablehlo.dot_general %2619, %arg73, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
    %2621 = stablehlo.broadcast_in_dim %arg65, dims = [2] : (tensor<2304xf32>) -> tensor<1x1x2304xf32>
    %2622 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2623 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2624 = stablehlo.concatenate %2622, %2623, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2625 = stablehlo.dynamic_broadcast_in_dim %2621, %2624, dims = [0, 1, 2] : (tensor<1x1x2304xf32>, tensor<3xi32>) -> tensor<?x?x2304xf32>
    %2626 = stablehlo.add %2620, %2625 : tensor<?x?x2304xf32>
    %2627 = stablehlo.concatenate %c_39, %c_39, %c_39, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2628 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2629 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2630 = stablehlo.concatenate %2628, %2629, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2631 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2632 = stablehlo.real_dynamic_slice %2626, %2627, %2630, %2631 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2633 = stablehlo.concatenate %c_39, %c_39, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2634 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2635 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2636 = stablehlo.concatenate %2634, %2635, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2637 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2638 = stablehlo.real_dynamic_slice %2626, %2633, %2636, %2637 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2639 = stablehlo.concatenate %c_39, %c_39, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2640 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2641 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2642 = stablehlo.concatenate %2640, %2641, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2643 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2644 = stablehlo.real_dynamic_slice %2626, %2639, %2642, %2643 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2645 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2646 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2647 = stablehlo.concatenate %2645, %2646, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2648 = stablehlo.dynamic_reshape %2632, %2647 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %2649 = stablehlo.transpose %2648, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %2650 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2651 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2652 = stablehlo.concatenate %2650, %2651, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2653 = stablehlo.dynamic_reshape %2638, %2652 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %2654 = stablehlo.transpose %2653, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %2655 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2656 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2657 = stablehlo.concatenate %2655, %2656, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2658 = stablehlo.dynamic_reshape %2644, %2657 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %2659 = stablehlo.transpose %2658, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %2660 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2661 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2662 = stablehlo.concatenate %2660, %c_37, %c_37, %2661, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2663 = stablehlo.dynamic_broadcast_in_dim %arg147, %2662, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
    %2664 = stablehlo.dot_general %2649, %2654, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x?x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x?xf32>
    %2665 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2666 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2667 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2668 = stablehlo.concatenate %2665, %c_35, %2666, %2667, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2669 = stablehlo.dynamic_broadcast_in_dim %cst_33, %2668, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %2670 = stablehlo.divide %2664, %2669 : tensor<?x12x?x?xf32>
    %2671 = call @_where(%arg0, %arg1, %2663, %2670, %cst_32) : (tensor<i32>, tensor<i32>, tensor<?x1x1x?xi1>, tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?x?xf32>
    %2672 = stablehlo.reduce(%2671 init: %cst_31) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %2673 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2674 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2675 = stablehlo.concatenate %2673, %c_35, %2674, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2676 = stablehlo.dynamic_broadcast_in_dim %cst_31, %2675, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x?xf32>
    %2677 = stablehlo.maximum %2676, %2672 : tensor<?x12x?xf32>
    %2678 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2679 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2680 = stablehlo.concatenate %2678, %c_35, %2679, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2681 = stablehlo.dynamic_broadcast_in_dim %2677, %2680, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %2682 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2683 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2684 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2685 = stablehlo.concatenate %2682, %c_35, %2683, %2684, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2686 = stablehlo.dynamic_broadcast_in_dim %2681, %2685, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %2687 = stablehlo.subtract %2671, %2686 : tensor<?x12x?x?xf32>
    %2688 = stablehlo.exponential %2687 : tensor<?x12x?x?xf32>
    %2689 = stablehlo.reduce(%2688 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %2690 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2691 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2692 = stablehlo.concatenate %2690, %c_35, %2691, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2693 = stablehlo.dynamic_broadcast_in_dim %2689, %2692, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %2694 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2695 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2696 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2697 = stablehlo.concatenate %2694, %c_35, %2695, %2696, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %2698 = stablehlo.dynamic_broadcast_in_dim %2693, %2697, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %2699 = stablehlo.divide %2688, %2698 : tensor<?x12x?x?xf32>
    %2700 = stablehlo.dot_general %2699, %2659, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x64xf32>
    %2701 = stablehlo.transpose %2700, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
    %2702 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2703 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2704 = stablehlo.concatenate %2702, %2703, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2705 = stablehlo.dynamic_reshape %2701, %2704 : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2706 = stablehlo.dot_general %2705, %arg72, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x768xf32>) -> tensor<?x?x768xf32>
    %2707 = stablehlo.add %2619, %2706 : tensor<?x?x768xf32>
    %2708 = stablehlo.broadcast_in_dim %arg64, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %2709 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2710 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2711 = stablehlo.concatenate %2709, %2710, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2712 = stablehlo.dynamic_broadcast_in_dim %2708, %2711, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2713 = stablehlo.add %2707, %2712 : tensor<?x?x768xf32>
    %2714 = stablehlo.reduce(%2713 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %2715 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2716 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2717 = stablehlo.concatenate %2715, %2716, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2718 = stablehlo.dynamic_broadcast_in_dim %2714, %2717, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2719 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2720 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2721 = stablehlo.concatenate %2719, %2720, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2722 = stablehlo.dynamic_broadcast_in_dim %cst_29, %2721, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2723 = stablehlo.divide %2718, %2722 : tensor<?x?x1xf32>
    %2724 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2725 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2726 = stablehlo.concatenate %2724, %2725, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2727 = stablehlo.dynamic_broadcast_in_dim %2723, %2726, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2728 = stablehlo.subtract %2713, %2727 : tensor<?x?x768xf32>
    %2729 = stablehlo.multiply %2728, %2728 : tensor<?x?x768xf32>
    %2730 = stablehlo.reduce(%2729 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %2731 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2732 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2733 = stablehlo.concatenate %2731, %2732, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2734 = stablehlo.dynamic_broadcast_in_dim %2730, %2733, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2735 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2736 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2737 = stablehlo.concatenate %2735, %2736, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2738 = stablehlo.dynamic_broadcast_in_dim %cst_29, %2737, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2739 = stablehlo.divide %2734, %2738 : tensor<?x?x1xf32>
    %2740 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2741 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2742 = stablehlo.concatenate %2740, %2741, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2743 = stablehlo.dynamic_broadcast_in_dim %2723, %2742, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2744 = stablehlo.subtract %2713, %2743 : tensor<?x?x768xf32>
    %2745 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2746 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2747 = stablehlo.concatenate %2745, %2746, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2748 = stablehlo.dynamic_broadcast_in_dim %cst_28, %2747, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %2749 = stablehlo.add %2739, %2748 : tensor<?x?x1xf32>
    %2750 = stablehlo.rsqrt %2749 : tensor<?x?x1xf32>
    %2751 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2752 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2753 = stablehlo.concatenate %2751, %2752, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2754 = stablehlo.dynamic_broadcast_in_dim %2750, %2753, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2755 = stablehlo.multiply %2744, %2754 : tensor<?x?x768xf32>
    %2756 = stablehlo.broadcast_in_dim %arg68, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %2757 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2758 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2759 = stablehlo.concatenate %2757, %2758, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2760 = stablehlo.dynamic_broadcast_in_dim %2756, %2759, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2761 = stablehlo.multiply %2755, %2760 : tensor<?x?x768xf32>
    %2762 = stablehlo.broadcast_in_dim %arg62, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %2763 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2764 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2765 = stablehlo.concatenate %2763, %2764, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2766 = stablehlo.dynamic_broadcast_in_dim %2762, %2765, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %2767 = stablehlo.add %2761, %2766 : tensor<?x?x768xf32>
    %2768 = stablehlo.dot_general %2767, %arg70, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x3072xf32>) -> tensor<?x?x3072xf32>
    %2769 = stablehlo.broadcast_in_dim %arg66, dims = [2] : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %2770 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2771 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2772 = stablehlo.concatenate %2770, %2771, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2773 = stablehlo.dynamic_broadcast_in_dim %2769, %2772, dims = [0, 1, 2] : (tensor<1x1x3072xf32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2774 = stablehlo.add %2768, %2773 : tensor<?x?x3072xf32>
    %2775 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2776 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2777 = stablehlo.concatenate %2775, %2776, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2778 = stablehlo.dynamic_broadcast_in_dim %cst_27, %2777, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2779 = stablehlo.multiply %2778, %2774 : tensor<?x?x3072xf32>
    %2780 = stablehlo.negate %2774 : tensor<?x?x3072xf32>
    %2781 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2782 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2783 = stablehlo.concatenate %2781, %2782, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2784 = stablehlo.dynamic_broadcast_in_dim %cst_26, %2783, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2785 = stablehlo.multiply %2780, %2784 : tensor<?x?x3072xf32>
    %2786 = stablehlo.multiply %2785, %2785 : tensor<?x?x3072xf32>
    %2787 = stablehlo.negate %2786 : tensor<?x?x3072xf32>
    %2788 = stablehlo.abs %2785 : tensor<?x?x3072xf32>
    %2789 = stablehlo.get_dimension_size %2785, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2790 = stablehlo.reshape %2789 : (tensor<i32>) -> tensor<1xi32>
    %2791 = stablehlo.get_dimension_size %2785, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2792 = stablehlo.reshape %2791 : (tensor<i32>) -> tensor<1xi32>
    %2793 = stablehlo.get_dimension_size %2785, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2794 = stablehlo.reshape %2793 : (tensor<i32>) -> tensor<1xi32>
    %2795 = stablehlo.concatenate %2790, %2792, %2794, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2796 = stablehlo.dynamic_broadcast_in_dim %cst_25, %2795, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2797 = stablehlo.divide %2796, %2786 : tensor<?x?x3072xf32>
    %2798 = stablehlo.exponential %2787 : tensor<?x?x3072xf32>
    %2799 = stablehlo.divide %2796, %2788 : tensor<?x?x3072xf32>
    %2800 = stablehlo.multiply %2798, %2799 : tensor<?x?x3072xf32>
    %2801 = stablehlo.get_dimension_size %2785, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2802 = stablehlo.reshape %2801 : (tensor<i32>) -> tensor<1xi32>
    %2803 = stablehlo.get_dimension_size %2785, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2804 = stablehlo.reshape %2803 : (tensor<i32>) -> tensor<1xi32>
    %2805 = stablehlo.get_dimension_size %2785, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2806 = stablehlo.reshape %2805 : (tensor<i32>) -> tensor<1xi32>
    %2807 = stablehlo.concatenate %2802, %2804, %2806, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2808 = stablehlo.dynamic_broadcast_in_dim %cst_24, %2807, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2809 = stablehlo.compare LT, %2788, %2808 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %2810 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2811 = stablehlo.reshape %2810 : (tensor<i32>) -> tensor<1xi32>
    %2812 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2813 = stablehlo.reshape %2812 : (tensor<i32>) -> tensor<1xi32>
    %2814 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2815 = stablehlo.reshape %2814 : (tensor<i32>) -> tensor<1xi32>
    %2816 = stablehlo.concatenate %2811, %2813, %2815, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2817 = stablehlo.dynamic_broadcast_in_dim %cst_23, %2816, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2818 = stablehlo.multiply %2817, %2797 : tensor<?x?x3072xf32>
    %2819 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2820 = stablehlo.reshape %2819 : (tensor<i32>) -> tensor<1xi32>
    %2821 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2822 = stablehlo.reshape %2821 : (tensor<i32>) -> tensor<1xi32>
    %2823 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2824 = stablehlo.reshape %2823 : (tensor<i32>) -> tensor<1xi32>
    %2825 = stablehlo.concatenate %2820, %2822, %2824, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2826 = stablehlo.dynamic_broadcast_in_dim %cst_22, %2825, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2827 = stablehlo.add %2818, %2826 : tensor<?x?x3072xf32>
    %2828 = stablehlo.multiply %2827, %2797 : tensor<?x?x3072xf32>
    %2829 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2830 = stablehlo.reshape %2829 : (tensor<i32>) -> tensor<1xi32>
    %2831 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2832 = stablehlo.reshape %2831 : (tensor<i32>) -> tensor<1xi32>
    %2833 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2834 = stablehlo.reshape %2833 : (tensor<i32>) -> tensor<1xi32>
    %2835 = stablehlo.concatenate %2830, %2832, %2834, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2836 = stablehlo.dynamic_broadcast_in_dim %cst_21, %2835, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2837 = stablehlo.add %2828, %2836 : tensor<?x?x3072xf32>
    %2838 = stablehlo.multiply %2837, %2797 : tensor<?x?x3072xf32>
    %2839 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2840 = stablehlo.reshape %2839 : (tensor<i32>) -> tensor<1xi32>
    %2841 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2842 = stablehlo.reshape %2841 : (tensor<i32>) -> tensor<1xi32>
    %2843 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2844 = stablehlo.reshape %2843 : (tensor<i32>) -> tensor<1xi32>
    %2845 = stablehlo.concatenate %2840, %2842, %2844, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2846 = stablehlo.dynamic_broadcast_in_dim %cst_20, %2845, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2847 = stablehlo.add %2838, %2846 : tensor<?x?x3072xf32>
    %2848 = stablehlo.multiply %2847, %2797 : tensor<?x?x3072xf32>
    %2849 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2850 = stablehlo.reshape %2849 : (tensor<i32>) -> tensor<1xi32>
    %2851 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2852 = stablehlo.reshape %2851 : (tensor<i32>) -> tensor<1xi32>
    %2853 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2854 = stablehlo.reshape %2853 : (tensor<i32>) -> tensor<1xi32>
    %2855 = stablehlo.concatenate %2850, %2852, %2854, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2856 = stablehlo.dynamic_broadcast_in_dim %cst_19, %2855, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2857 = stablehlo.add %2848, %2856 : tensor<?x?x3072xf32>
    %2858 = stablehlo.multiply %2857, %2797 : tensor<?x?x3072xf32>
    %2859 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2860 = stablehlo.reshape %2859 : (tensor<i32>) -> tensor<1xi32>
    %2861 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2862 = stablehlo.reshape %2861 : (tensor<i32>) -> tensor<1xi32>
    %2863 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2864 = stablehlo.reshape %2863 : (tensor<i32>) -> tensor<1xi32>
    %2865 = stablehlo.concatenate %2860, %2862, %2864, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2866 = stablehlo.dynamic_broadcast_in_dim %cst_18, %2865, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2867 = stablehlo.add %2858, %2866 : tensor<?x?x3072xf32>
    %2868 = stablehlo.multiply %2867, %2797 : tensor<?x?x3072xf32>
    %2869 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2870 = stablehlo.reshape %2869 : (tensor<i32>) -> tensor<1xi32>
    %2871 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2872 = stablehlo.reshape %2871 : (tensor<i32>) -> tensor<1xi32>
    %2873 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2874 = stablehlo.reshape %2873 : (tensor<i32>) -> tensor<1xi32>
    %2875 = stablehlo.concatenate %2870, %2872, %2874, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2876 = stablehlo.dynamic_broadcast_in_dim %cst_17, %2875, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2877 = stablehlo.add %2868, %2876 : tensor<?x?x3072xf32>
    %2878 = stablehlo.multiply %2877, %2797 : tensor<?x?x3072xf32>
    %2879 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2880 = stablehlo.reshape %2879 : (tensor<i32>) -> tensor<1xi32>
    %2881 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2882 = stablehlo.reshape %2881 : (tensor<i32>) -> tensor<1xi32>
    %2883 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2884 = stablehlo.reshape %2883 : (tensor<i32>) -> tensor<1xi32>
    %2885 = stablehlo.concatenate %2880, %2882, %2884, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2886 = stablehlo.dynamic_broadcast_in_dim %cst_16, %2885, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2887 = stablehlo.add %2878, %2886 : tensor<?x?x3072xf32>
    %2888 = stablehlo.multiply %2887, %2797 : tensor<?x?x3072xf32>
    %2889 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2890 = stablehlo.reshape %2889 : (tensor<i32>) -> tensor<1xi32>
    %2891 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2892 = stablehlo.reshape %2891 : (tensor<i32>) -> tensor<1xi32>
    %2893 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2894 = stablehlo.reshape %2893 : (tensor<i32>) -> tensor<1xi32>
    %2895 = stablehlo.concatenate %2890, %2892, %2894, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2896 = stablehlo.dynamic_broadcast_in_dim %cst_15, %2895, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2897 = stablehlo.add %2888, %2896 : tensor<?x?x3072xf32>
    %2898 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2899 = stablehlo.reshape %2898 : (tensor<i32>) -> tensor<1xi32>
    %2900 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2901 = stablehlo.reshape %2900 : (tensor<i32>) -> tensor<1xi32>
    %2902 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2903 = stablehlo.reshape %2902 : (tensor<i32>) -> tensor<1xi32>
    %2904 = stablehlo.concatenate %2899, %2901, %2903, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2905 = stablehlo.dynamic_broadcast_in_dim %cst_14, %2904, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2906 = stablehlo.multiply %2905, %2797 : tensor<?x?x3072xf32>
    %2907 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2908 = stablehlo.reshape %2907 : (tensor<i32>) -> tensor<1xi32>
    %2909 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2910 = stablehlo.reshape %2909 : (tensor<i32>) -> tensor<1xi32>
    %2911 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2912 = stablehlo.reshape %2911 : (tensor<i32>) -> tensor<1xi32>
    %2913 = stablehlo.concatenate %2908, %2910, %2912, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2914 = stablehlo.dynamic_broadcast_in_dim %cst_13, %2913, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2915 = stablehlo.add %2906, %2914 : tensor<?x?x3072xf32>
    %2916 = stablehlo.multiply %2915, %2797 : tensor<?x?x3072xf32>
    %2917 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2918 = stablehlo.reshape %2917 : (tensor<i32>) -> tensor<1xi32>
    %2919 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2920 = stablehlo.reshape %2919 : (tensor<i32>) -> tensor<1xi32>
    %2921 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2922 = stablehlo.reshape %2921 : (tensor<i32>) -> tensor<1xi32>
    %2923 = stablehlo.concatenate %2918, %2920, %2922, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2924 = stablehlo.dynamic_broadcast_in_dim %cst_12, %2923, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2925 = stablehlo.add %2916, %2924 : tensor<?x?x3072xf32>
    %2926 = stablehlo.multiply %2925, %2797 : tensor<?x?x3072xf32>
    %2927 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2928 = stablehlo.reshape %2927 : (tensor<i32>) -> tensor<1xi32>
    %2929 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2930 = stablehlo.reshape %2929 : (tensor<i32>) -> tensor<1xi32>
    %2931 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2932 = stablehlo.reshape %2931 : (tensor<i32>) -> tensor<1xi32>
    %2933 = stablehlo.concatenate %2928, %2930, %2932, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2934 = stablehlo.dynamic_broadcast_in_dim %cst_11, %2933, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2935 = stablehlo.add %2926, %2934 : tensor<?x?x3072xf32>
    %2936 = stablehlo.multiply %2935, %2797 : tensor<?x?x3072xf32>
    %2937 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2938 = stablehlo.reshape %2937 : (tensor<i32>) -> tensor<1xi32>
    %2939 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2940 = stablehlo.reshape %2939 : (tensor<i32>) -> tensor<1xi32>
    %2941 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2942 = stablehlo.reshape %2941 : (tensor<i32>) -> tensor<1xi32>
    %2943 = stablehlo.concatenate %2938, %2940, %2942, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2944 = stablehlo.dynamic_broadcast_in_dim %cst_10, %2943, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2945 = stablehlo.add %2936, %2944 : tensor<?x?x3072xf32>
    %2946 = stablehlo.multiply %2945, %2797 : tensor<?x?x3072xf32>
    %2947 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2948 = stablehlo.reshape %2947 : (tensor<i32>) -> tensor<1xi32>
    %2949 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2950 = stablehlo.reshape %2949 : (tensor<i32>) -> tensor<1xi32>
    %2951 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2952 = stablehlo.reshape %2951 : (tensor<i32>) -> tensor<1xi32>
    %2953 = stablehlo.concatenate %2948, %2950, %2952, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2954 = stablehlo.dynamic_broadcast_in_dim %cst_9, %2953, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2955 = stablehlo.add %2946, %2954 : tensor<?x?x3072xf32>
    %2956 = stablehlo.multiply %2955, %2797 : tensor<?x?x3072xf32>
    %2957 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2958 = stablehlo.reshape %2957 : (tensor<i32>) -> tensor<1xi32>
    %2959 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2960 = stablehlo.reshape %2959 : (tensor<i32>) -> tensor<1xi32>
    %2961 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2962 = stablehlo.reshape %2961 : (tensor<i32>) -> tensor<1xi32>
    %2963 = stablehlo.concatenate %2958, %2960, %2962, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2964 = stablehlo.dynamic_broadcast_in_dim %cst_8, %2963, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2965 = stablehlo.add %2956, %2964 : tensor<?x?x3072xf32>
    %2966 = stablehlo.multiply %2965, %2797 : tensor<?x?x3072xf32>
    %2967 = stablehlo.get_dimension_size %2797, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2968 = stablehlo.reshape %2967 : (tensor<i32>) -> tensor<1xi32>
    %2969 = stablehlo.get_dimension_size %2797, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2970 = stablehlo.reshape %2969 : (tensor<i32>) -> tensor<1xi32>
    %2971 = stablehlo.get_dimension_size %2797, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2972 = stablehlo.reshape %2971 : (tensor<i32>) -> tensor<1xi32>
    %2973 = stablehlo.concatenate %2968, %2970, %2972, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2974 = stablehlo.dynamic_broadcast_in_dim %cst_7, %2973, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2975 = stablehlo.add %2966, %2974 : tensor<?x?x3072xf32>
    %2976 = stablehlo.select %2809, %2897, %2975 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %2977 = stablehlo.multiply %2800, %2976 : tensor<?x?x3072xf32>
    %2978 = stablehlo.get_dimension_size %2785, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2979 = stablehlo.reshape %2978 : (tensor<i32>) -> tensor<1xi32>
    %2980 = stablehlo.get_dimension_size %2785, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2981 = stablehlo.reshape %2980 : (tensor<i32>) -> tensor<1xi32>
    %2982 = stablehlo.get_dimension_size %2785, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2983 = stablehlo.reshape %2982 : (tensor<i32>) -> tensor<1xi32>
    %2984 = stablehlo.concatenate %2979, %2981, %2983, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2985 = stablehlo.dynamic_broadcast_in_dim %cst_6, %2984, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2986 = stablehlo.compare LT, %2787, %2985 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %2987 = stablehlo.get_dimension_size %2785, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2988 = stablehlo.reshape %2987 : (tensor<i32>) -> tensor<1xi32>
    %2989 = stablehlo.get_dimension_size %2785, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2990 = stablehlo.reshape %2989 : (tensor<i32>) -> tensor<1xi32>
    %2991 = stablehlo.get_dimension_size %2785, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %2992 = stablehlo.reshape %2991 : (tensor<i32>) -> tensor<1xi32>
    %2993 = stablehlo.concatenate %2988, %2990, %2992, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2994 = stablehlo.dynamic_broadcast_in_dim %cst_30, %2993, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %2995 = stablehlo.select %2986, %2994, %2977 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %2996 = stablehlo.compare LT, %2785, %2994 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %2997 = stablehlo.subtract %2808, %2995 : tensor<?x?x3072xf32>
    %2998 = stablehlo.select %2996, %2997, %2995 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %2999 = stablehlo.get_dimension_size %2785, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3000 = stablehlo.reshape %2999 : (tensor<i32>) -> tensor<1xi32>
    %3001 = stablehlo.get_dimension_size %2785, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3002 = stablehlo.reshape %3001 : (tensor<i32>) -> tensor<1xi32>
    %3003 = stablehlo.get_dimension_size %2785, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3004 = stablehlo.reshape %3003 : (tensor<i32>) -> tensor<1xi32>
    %3005 = stablehlo.concatenate %3000, %3002, %3004, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3006 = stablehlo.dynamic_broadcast_in_dim %cst_25, %3005, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3007 = stablehlo.multiply %2785, %2785 : tensor<?x?x3072xf32>
    %3008 = stablehlo.get_dimension_size %3007, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3009 = stablehlo.reshape %3008 : (tensor<i32>) -> tensor<1xi32>
    %3010 = stablehlo.get_dimension_size %3007, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3011 = stablehlo.reshape %3010 : (tensor<i32>) -> tensor<1xi32>
    %3012 = stablehlo.get_dimension_size %3007, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3013 = stablehlo.reshape %3012 : (tensor<i32>) -> tensor<1xi32>
    %3014 = stablehlo.concatenate %3009, %3011, %3013, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3015 = stablehlo.dynamic_broadcast_in_dim %cst_5, %3014, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3016 = stablehlo.multiply %3015, %3007 : tensor<?x?x3072xf32>
    %3017 = stablehlo.get_dimension_size %3007, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3018 = stablehlo.reshape %3017 : (tensor<i32>) -> tensor<1xi32>
    %3019 = stablehlo.get_dimension_size %3007, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3020 = stablehlo.reshape %3019 : (tensor<i32>) -> tensor<1xi32>
    %3021 = stablehlo.get_dimension_size %3007, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3022 = stablehlo.reshape %3021 : (tensor<i32>) -> tensor<1xi32>
    %3023 = stablehlo.concatenate %3018, %3020, %3022, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3024 = stablehlo.dynamic_broadcast_in_dim %cst_4, %3023, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3025 = stablehlo.add %3016, %3024 : tensor<?x?x3072xf32>
    %3026 = stablehlo.multiply %3025, %3007 : tensor<?x?x3072xf32>
    %3027 = stablehlo.get_dimension_size %3007, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3028 = stablehlo.reshape %3027 : (tensor<i32>) -> tensor<1xi32>
    %3029 = stablehlo.get_dimension_size %3007, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3030 = stablehlo.reshape %3029 : (tensor<i32>) -> tensor<1xi32>
    %3031 = stablehlo.get_dimension_size %3007, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3032 = stablehlo.reshape %3031 : (tensor<i32>) -> tensor<1xi32>
    %3033 = stablehlo.concatenate %3028, %3030, %3032, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3034 = stablehlo.dynamic_broadcast_in_dim %cst_3, %3033, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3035 = stablehlo.add %3026, %3034 : tensor<?x?x3072xf32>
    %3036 = stablehlo.multiply %3035, %3007 : tensor<?x?x3072xf32>
    %3037 = stablehlo.get_dimension_size %3007, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3038 = stablehlo.reshape %3037 : (tensor<i32>) -> tensor<1xi32>
    %3039 = stablehlo.get_dimension_size %3007, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3040 = stablehlo.reshape %3039 : (tensor<i32>) -> tensor<1xi32>
    %3041 = stablehlo.get_dimension_size %3007, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3042 = stablehlo.reshape %3041 : (tensor<i32>) -> tensor<1xi32>
    %3043 = stablehlo.concatenate %3038, %3040, %3042, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3044 = stablehlo.dynamic_broadcast_in_dim %cst_2, %3043, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3045 = stablehlo.add %3036, %3044 : tensor<?x?x3072xf32>
    %3046 = stablehlo.multiply %3045, %3007 : tensor<?x?x3072xf32>
    %3047 = stablehlo.get_dimension_size %3007, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3048 = stablehlo.reshape %3047 : (tensor<i32>) -> tensor<1xi32>
    %3049 = stablehlo.get_dimension_size %3007, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3050 = stablehlo.reshape %3049 : (tensor<i32>) -> tensor<1xi32>
    %3051 = stablehlo.get_dimension_size %3007, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3052 = stablehlo.reshape %3051 : (tensor<i32>) -> tensor<1xi32>
    %3053 = stablehlo.concatenate %3048, %3050, %3052, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3054 = stablehlo.dynamic_broadcast_in_dim %cst_1, %3053, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3055 = stablehlo.add %3046, %3054 : tensor<?x?x3072xf32>
    %3056 = stablehlo.multiply %3055, %3007 : tensor<?x?x3072xf32>
    %3057 = stablehlo.get_dimension_size %3007, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3058 = stablehlo.reshape %3057 : (tensor<i32>) -> tensor<1xi32>
    %3059 = stablehlo.get_dimension_size %3007, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3060 = stablehlo.reshape %3059 : (tensor<i32>) -> tensor<1xi32>
    %3061 = stablehlo.get_dimension_size %3007, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3062 = stablehlo.reshape %3061 : (tensor<i32>) -> tensor<1xi32>
    %3063 = stablehlo.concatenate %3058, %3060, %3062, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3064 = stablehlo.dynamic_broadcast_in_dim %cst_0, %3063, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3065 = stablehlo.add %3056, %3064 : tensor<?x?x3072xf32>
    %3066 = stablehlo.multiply %3065, %3007 : tensor<?x?x3072xf32>
    %3067 = stablehlo.get_dimension_size %3007, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3068 = stablehlo.reshape %3067 : (tensor<i32>) -> tensor<1xi32>
    %3069 = stablehlo.get_dimension_size %3007, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3070 = stablehlo.reshape %3069 : (tensor<i32>) -> tensor<1xi32>
    %3071 = stablehlo.get_dimension_size %3007, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3072 = stablehlo.reshape %3071 : (tensor<i32>) -> tensor<1xi32>
    %3073 = stablehlo.concatenate %3068, %3070, %3072, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3074 = stablehlo.dynamic_broadcast_in_dim %cst, %3073, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3075 = stablehlo.add %3066, %3074 : tensor<?x?x3072xf32>
    %3076 = stablehlo.multiply %2785, %3075 : tensor<?x?x3072xf32>
    %3077 = stablehlo.subtract %3006, %3076 : tensor<?x?x3072xf32>
    %3078 = stablehlo.abs %2785 : tensor<?x?x3072xf32>
    %3079 = stablehlo.compare LT, %3078, %3006 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %3080 = stablehlo.select %3079, %3077, %2998 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %3081 = stablehlo.multiply %2779, %3080 : tensor<?x?x3072xf32>
    %3082 = stablehlo.dot_general %3081, %arg71, contracting_dims = [2] x [0] : (tensor<?x?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x?x768xf32>
    %3083 = stablehlo.broadcast_in_dim %arg67, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %3084 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3085 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3086 = stablehlo.concatenate %3084, %3085, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3087 = stablehlo.dynamic_broadcast_in_dim %3083, %3086, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3088 = stablehlo.add %3082, %3087 : tensor<?x?x768xf32>
    %3089 = stablehlo.add %2767, %3088 : tensor<?x?x768xf32>
    %3090 = stablehlo.reduce(%3089 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %3091 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3092 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3093 = stablehlo.concatenate %3091, %3092, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3094 = stablehlo.dynamic_broadcast_in_dim %3090, %3093, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3095 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3096 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3097 = stablehlo.concatenate %3095, %3096, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3098 = stablehlo.dynamic_broadcast_in_dim %cst_29, %3097, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3099 = stablehlo.divide %3094, %3098 : tensor<?x?x1xf32>
    %3100 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3101 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3102 = stablehlo.concatenate %3100, %3101, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3103 = stablehlo.dynamic_broadcast_in_dim %3099, %3102, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3104 = stablehlo.subtract %3089, %3103 : tensor<?x?x768xf32>
    %3105 = stablehlo.multiply %3104, %3104 : tensor<?x?x768xf32>
    %3106 = stablehlo.reduce(%3105 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %3107 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3108 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3109 = stablehlo.concatenate %3107, %3108, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3110 = stablehlo.dynamic_broadcast_in_dim %3106, %3109, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3111 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3112 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3113 = stablehlo.concatenate %3111, %3112, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3114 = stablehlo.dynamic_broadcast_in_dim %cst_29, %3113, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3115 = stablehlo.divide %3110, %3114 : tensor<?x?x1xf32>
    %3116 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3117 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3118 = stablehlo.concatenate %3116, %3117, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3119 = stablehlo.dynamic_broadcast_in_dim %3099, %3118, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3120 = stablehlo.subtract %3089, %3119 : tensor<?x?x768xf32>
    %3121 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3122 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3123 = stablehlo.concatenate %3121, %3122, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3124 = stablehlo.dynamic_broadcast_in_dim %cst_28, %3123, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3125 = stablehlo.add %3115, %3124 : tensor<?x?x1xf32>
    %3126 = stablehlo.rsqrt %3125 : tensor<?x?x1xf32>
    %3127 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3128 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3129 = stablehlo.concatenate %3127, %3128, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3130 = stablehlo.dynamic_broadcast_in_dim %3126, %3129, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3131 = stablehlo.multiply %3120, %3130 : tensor<?x?x768xf32>
    %3132 = stablehlo.broadcast_in_dim %arg69, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %3133 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3134 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3135 = stablehlo.concatenate %3133, %3134, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3136 = stablehlo.dynamic_broadcast_in_dim %3132, %3135, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3137 = stablehlo.multiply %3131, %3136 : tensor<?x?x768xf32>
    %3138 = stablehlo.broadcast_in_dim %arg63, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %3139 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3140 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3141 = stablehlo.concatenate %3139, %3140, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3142 = stablehlo.dynamic_broadcast_in_dim %3138, %3141, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3143 = stablehlo.add %3137, %3142 : tensor<?x?x768xf32>
    %3144 = stablehlo.dot_general %3143, %arg85, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
    %3145 = stablehlo.broadcast_in_dim %arg77, dims = [2] : (tensor<2304xf32>) -> tensor<1x1x2304xf32>
    %3146 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3147 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3148 = stablehlo.concatenate %3146, %3147, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3149 = stablehlo.dynamic_broadcast_in_dim %3145, %3148, dims = [0, 1, 2] : (tensor<1x1x2304xf32>, tensor<3xi32>) -> tensor<?x?x2304xf32>
    %3150 = stablehlo.add %3144, %3149 : tensor<?x?x2304xf32>
    %3151 = stablehlo.concatenate %c_39, %c_39, %c_39, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3152 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3153 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3154 = stablehlo.concatenate %3152, %3153, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3155 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3156 = stablehlo.real_dynamic_slice %3150, %3151, %3154, %3155 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3157 = stablehlo.concatenate %c_39, %c_39, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3158 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3159 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3160 = stablehlo.concatenate %3158, %3159, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3161 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3162 = stablehlo.real_dynamic_slice %3150, %3157, %3160, %3161 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3163 = stablehlo.concatenate %c_39, %c_39, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3164 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3165 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3166 = stablehlo.concatenate %3164, %3165, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3167 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3168 = stablehlo.real_dynamic_slice %3150, %3163, %3166, %3167 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3169 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3170 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3171 = stablehlo.concatenate %3169, %3170, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3172 = stablehlo.dynamic_reshape %3156, %3171 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %3173 = stablehlo.transpose %3172, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %3174 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3175 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3176 = stablehlo.concatenate %3174, %3175, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3177 = stablehlo.dynamic_reshape %3162, %3176 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %3178 = stablehlo.transpose %3177, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %3179 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3180 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3181 = stablehlo.concatenate %3179, %3180, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3182 = stablehlo.dynamic_reshape %3168, %3181 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %3183 = stablehlo.transpose %3182, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %3184 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3185 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3186 = stablehlo.concatenate %3184, %c_37, %c_37, %3185, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3187 = stablehlo.dynamic_broadcast_in_dim %arg147, %3186, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
    %3188 = stablehlo.dot_general %3173, %3178, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x?x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x?xf32>
    %3189 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3190 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3191 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3192 = stablehlo.concatenate %3189, %c_35, %3190, %3191, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3193 = stablehlo.dynamic_broadcast_in_dim %cst_33, %3192, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %3194 = stablehlo.divide %3188, %3193 : tensor<?x12x?x?xf32>
    %3195 = call @_where(%arg0, %arg1, %3187, %3194, %cst_32) : (tensor<i32>, tensor<i32>, tensor<?x1x1x?xi1>, tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?x?xf32>
    %3196 = stablehlo.reduce(%3195 init: %cst_31) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %3197 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3198 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3199 = stablehlo.concatenate %3197, %c_35, %3198, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3200 = stablehlo.dynamic_broadcast_in_dim %cst_31, %3199, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x?xf32>
    %3201 = stablehlo.maximum %3200, %3196 : tensor<?x12x?xf32>
    %3202 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3203 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3204 = stablehlo.concatenate %3202, %c_35, %3203, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3205 = stablehlo.dynamic_broadcast_in_dim %3201, %3204, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %3206 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3207 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3208 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3209 = stablehlo.concatenate %3206, %c_35, %3207, %3208, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3210 = stablehlo.dynamic_broadcast_in_dim %3205, %3209, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %3211 = stablehlo.subtract %3195, %3210 : tensor<?x12x?x?xf32>
    %3212 = stablehlo.exponential %3211 : tensor<?x12x?x?xf32>
    %3213 = stablehlo.reduce(%3212 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %3214 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3215 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3216 = stablehlo.concatenate %3214, %c_35, %3215, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3217 = stablehlo.dynamic_broadcast_in_dim %3213, %3216, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %3218 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3219 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3220 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3221 = stablehlo.concatenate %3218, %c_35, %3219, %3220, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3222 = stablehlo.dynamic_broadcast_in_dim %3217, %3221, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %3223 = stablehlo.divide %3212, %3222 : tensor<?x12x?x?xf32>
    %3224 = stablehlo.dot_general %3223, %3183, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x64xf32>
    %3225 = stablehlo.transpose %3224, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
    %3226 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3227 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3228 = stablehlo.concatenate %3226, %3227, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3229 = stablehlo.dynamic_reshape %3225, %3228 : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3230 = stablehlo.dot_general %3229, %arg84, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x768xf32>) -> tensor<?x?x768xf32>
    %3231 = stablehlo.add %3143, %3230 : tensor<?x?x768xf32>
    %3232 = stablehlo.broadcast_in_dim %arg76, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %3233 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3234 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3235 = stablehlo.concatenate %3233, %3234, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3236 = stablehlo.dynamic_broadcast_in_dim %3232, %3235, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3237 = stablehlo.add %3231, %3236 : tensor<?x?x768xf32>
    %3238 = stablehlo.reduce(%3237 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %3239 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3240 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3241 = stablehlo.concatenate %3239, %3240, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3242 = stablehlo.dynamic_broadcast_in_dim %3238, %3241, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3243 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3244 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3245 = stablehlo.concatenate %3243, %3244, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3246 = stablehlo.dynamic_broadcast_in_dim %cst_29, %3245, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3247 = stablehlo.divide %3242, %3246 : tensor<?x?x1xf32>
    %3248 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3249 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3250 = stablehlo.concatenate %3248, %3249, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3251 = stablehlo.dynamic_broadcast_in_dim %3247, %3250, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3252 = stablehlo.subtract %3237, %3251 : tensor<?x?x768xf32>
    %3253 = stablehlo.multiply %3252, %3252 : tensor<?x?x768xf32>
    %3254 = stablehlo.reduce(%3253 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %3255 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3256 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3257 = stablehlo.concatenate %3255, %3256, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3258 = stablehlo.dynamic_broadcast_in_dim %3254, %3257, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3259 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3260 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3261 = stablehlo.concatenate %3259, %3260, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3262 = stablehlo.dynamic_broadcast_in_dim %cst_29, %3261, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3263 = stablehlo.divide %3258, %3262 : tensor<?x?x1xf32>
    %3264 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3265 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3266 = stablehlo.concatenate %3264, %3265, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3267 = stablehlo.dynamic_broadcast_in_dim %3247, %3266, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3268 = stablehlo.subtract %3237, %3267 : tensor<?x?x768xf32>
    %3269 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3270 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3271 = stablehlo.concatenate %3269, %3270, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3272 = stablehlo.dynamic_broadcast_in_dim %cst_28, %3271, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3273 = stablehlo.add %3263, %3272 : tensor<?x?x1xf32>
    %3274 = stablehlo.rsqrt %3273 : tensor<?x?x1xf32>
    %3275 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3276 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3277 = stablehlo.concatenate %3275, %3276, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3278 = stablehlo.dynamic_broadcast_in_dim %3274, %3277, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3279 = stablehlo.multiply %3268, %3278 : tensor<?x?x768xf32>
    %3280 = stablehlo.broadcast_in_dim %arg80, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %3281 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3282 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3283 = stablehlo.concatenate %3281, %3282, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3284 = stablehlo.dynamic_broadcast_in_dim %3280, %3283, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3285 = stablehlo.multiply %3279, %3284 : tensor<?x?x768xf32>
    %3286 = stablehlo.broadcast_in_dim %arg74, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %3287 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3288 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3289 = stablehlo.concatenate %3287, %3288, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3290 = stablehlo.dynamic_broadcast_in_dim %3286, %3289, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3291 = stablehlo.add %3285, %3290 : tensor<?x?x768xf32>
    %3292 = stablehlo.dot_general %3291, %arg82, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x3072xf32>) -> tensor<?x?x3072xf32>
    %3293 = stablehlo.broadcast_in_dim %arg78, dims = [2] : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %3294 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3295 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3296 = stablehlo.concatenate %3294, %3295, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3297 = stablehlo.dynamic_broadcast_in_dim %3293, %3296, dims = [0, 1, 2] : (tensor<1x1x3072xf32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3298 = stablehlo.add %3292, %3297 : tensor<?x?x3072xf32>
    %3299 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3300 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3301 = stablehlo.concatenate %3299, %3300, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3302 = stablehlo.dynamic_broadcast_in_dim %cst_27, %3301, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3303 = stablehlo.multiply %3302, %3298 : tensor<?x?x3072xf32>
    %3304 = stablehlo.negate %3298 : tensor<?x?x3072xf32>
    %3305 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3306 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3307 = stablehlo.concatenate %3305, %3306, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3308 = stablehlo.dynamic_broadcast_in_dim %cst_26, %3307, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3309 = stablehlo.multiply %3304, %3308 : tensor<?x?x3072xf32>
    %3310 = stablehlo.multiply %3309, %3309 : tensor<?x?x3072xf32>
    %3311 = stablehlo.negate %3310 : tensor<?x?x3072xf32>
    %3312 = stablehlo.abs %3309 : tensor<?x?x3072xf32>
    %3313 = stablehlo.get_dimension_size %3309, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3314 = stablehlo.reshape %3313 : (tensor<i32>) -> tensor<1xi32>
    %3315 = stablehlo.get_dimension_size %3309, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3316 = stablehlo.reshape %3315 : (tensor<i32>) -> tensor<1xi32>
    %3317 = stablehlo.get_dimension_size %3309, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3318 = stablehlo.reshape %3317 : (tensor<i32>) -> tensor<1xi32>
    %3319 = stablehlo.concatenate %3314, %3316, %3318, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3320 = stablehlo.dynamic_broadcast_in_dim %cst_25, %3319, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3321 = stablehlo.divide %3320, %3310 : tensor<?x?x3072xf32>
    %3322 = stablehlo.exponential %3311 : tensor<?x?x3072xf32>
    %3323 = stablehlo.divide %3320, %3312 : tensor<?x?x3072xf32>
    %3324 = stablehlo.multiply %3322, %3323 : tensor<?x?x3072xf32>
    %3325 = stablehlo.get_dimension_size %3309, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3326 = stablehlo.reshape %3325 : (tensor<i32>) -> tensor<1xi32>
    %3327 = stablehlo.get_dimension_size %3309, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3328 = stablehlo.reshape %3327 : (tensor<i32>) -> tensor<1xi32>
    %3329 = stablehlo.get_dimension_size %3309, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3330 = stablehlo.reshape %3329 : (tensor<i32>) -> tensor<1xi32>
    %3331 = stablehlo.concatenate %3326, %3328, %3330, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3332 = stablehlo.dynamic_broadcast_in_dim %cst_24, %3331, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3333 = stablehlo.compare LT, %3312, %3332 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %3334 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3335 = stablehlo.reshape %3334 : (tensor<i32>) -> tensor<1xi32>
    %3336 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3337 = stablehlo.reshape %3336 : (tensor<i32>) -> tensor<1xi32>
    %3338 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3339 = stablehlo.reshape %3338 : (tensor<i32>) -> tensor<1xi32>
    %3340 = stablehlo.concatenate %3335, %3337, %3339, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3341 = stablehlo.dynamic_broadcast_in_dim %cst_23, %3340, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3342 = stablehlo.multiply %3341, %3321 : tensor<?x?x3072xf32>
    %3343 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3344 = stablehlo.reshape %3343 : (tensor<i32>) -> tensor<1xi32>
    %3345 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3346 = stablehlo.reshape %3345 : (tensor<i32>) -> tensor<1xi32>
    %3347 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3348 = stablehlo.reshape %3347 : (tensor<i32>) -> tensor<1xi32>
    %3349 = stablehlo.concatenate %3344, %3346, %3348, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3350 = stablehlo.dynamic_broadcast_in_dim %cst_22, %3349, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3351 = stablehlo.add %3342, %3350 : tensor<?x?x3072xf32>
    %3352 = stablehlo.multiply %3351, %3321 : tensor<?x?x3072xf32>
    %3353 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3354 = stablehlo.reshape %3353 : (tensor<i32>) -> tensor<1xi32>
    %3355 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3356 = stablehlo.reshape %3355 : (tensor<i32>) -> tensor<1xi32>
    %3357 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3358 = stablehlo.reshape %3357 : (tensor<i32>) -> tensor<1xi32>
    %3359 = stablehlo.concatenate %3354, %3356, %3358, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3360 = stablehlo.dynamic_broadcast_in_dim %cst_21, %3359, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3361 = stablehlo.add %3352, %3360 : tensor<?x?x3072xf32>
    %3362 = stablehlo.multiply %3361, %3321 : tensor<?x?x3072xf32>
    %3363 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3364 = stablehlo.reshape %3363 : (tensor<i32>) -> tensor<1xi32>
    %3365 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3366 = stablehlo.reshape %3365 : (tensor<i32>) -> tensor<1xi32>
    %3367 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3368 = stablehlo.reshape %3367 : (tensor<i32>) -> tensor<1xi32>
    %3369 = stablehlo.concatenate %3364, %3366, %3368, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3370 = stablehlo.dynamic_broadcast_in_dim %cst_20, %3369, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3371 = stablehlo.add %3362, %3370 : tensor<?x?x3072xf32>
    %3372 = stablehlo.multiply %3371, %3321 : tensor<?x?x3072xf32>
    %3373 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3374 = stablehlo.reshape %3373 : (tensor<i32>) -> tensor<1xi32>
    %3375 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3376 = stablehlo.reshape %3375 : (tensor<i32>) -> tensor<1xi32>
    %3377 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3378 = stablehlo.reshape %3377 : (tensor<i32>) -> tensor<1xi32>
    %3379 = stablehlo.concatenate %3374, %3376, %3378, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3380 = stablehlo.dynamic_broadcast_in_dim %cst_19, %3379, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3381 = stablehlo.add %3372, %3380 : tensor<?x?x3072xf32>
    %3382 = stablehlo.multiply %3381, %3321 : tensor<?x?x3072xf32>
    %3383 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3384 = stablehlo.reshape %3383 : (tensor<i32>) -> tensor<1xi32>
    %3385 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3386 = stablehlo.reshape %3385 : (tensor<i32>) -> tensor<1xi32>
    %3387 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3388 = stablehlo.reshape %3387 : (tensor<i32>) -> tensor<1xi32>
    %3389 = stablehlo.concatenate %3384, %3386, %3388, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3390 = stablehlo.dynamic_broadcast_in_dim %cst_18, %3389, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3391 = stablehlo.add %3382, %3390 : tensor<?x?x3072xf32>
    %3392 = stablehlo.multiply %3391, %3321 : tensor<?x?x3072xf32>
    %3393 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3394 = stablehlo.reshape %3393 : (tensor<i32>) -> tensor<1xi32>
    %3395 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3396 = stablehlo.reshape %3395 : (tensor<i32>) -> tensor<1xi32>
    %3397 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3398 = stablehlo.reshape %3397 : (tensor<i32>) -> tensor<1xi32>
    %3399 = stablehlo.concatenate %3394, %3396, %3398, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3400 = stablehlo.dynamic_broadcast_in_dim %cst_17, %3399, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3401 = stablehlo.add %3392, %3400 : tensor<?x?x3072xf32>
    %3402 = stablehlo.multiply %3401, %3321 : tensor<?x?x3072xf32>
    %3403 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3404 = stablehlo.reshape %3403 : (tensor<i32>) -> tensor<1xi32>
    %3405 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3406 = stablehlo.reshape %3405 : (tensor<i32>) -> tensor<1xi32>
    %3407 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3408 = stablehlo.reshape %3407 : (tensor<i32>) -> tensor<1xi32>
    %3409 = stablehlo.concatenate %3404, %3406, %3408, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3410 = stablehlo.dynamic_broadcast_in_dim %cst_16, %3409, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3411 = stablehlo.add %3402, %3410 : tensor<?x?x3072xf32>
    %3412 = stablehlo.multiply %3411, %3321 : tensor<?x?x3072xf32>
    %3413 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3414 = stablehlo.reshape %3413 : (tensor<i32>) -> tensor<1xi32>
    %3415 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3416 = stablehlo.reshape %3415 : (tensor<i32>) -> tensor<1xi32>
    %3417 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3418 = stablehlo.reshape %3417 : (tensor<i32>) -> tensor<1xi32>
    %3419 = stablehlo.concatenate %3414, %3416, %3418, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3420 = stablehlo.dynamic_broadcast_in_dim %cst_15, %3419, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3421 = stablehlo.add %3412, %3420 : tensor<?x?x3072xf32>
    %3422 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3423 = stablehlo.reshape %3422 : (tensor<i32>) -> tensor<1xi32>
    %3424 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3425 = stablehlo.reshape %3424 : (tensor<i32>) -> tensor<1xi32>
    %3426 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3427 = stablehlo.reshape %3426 : (tensor<i32>) -> tensor<1xi32>
    %3428 = stablehlo.concatenate %3423, %3425, %3427, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3429 = stablehlo.dynamic_broadcast_in_dim %cst_14, %3428, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3430 = stablehlo.multiply %3429, %3321 : tensor<?x?x3072xf32>
    %3431 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3432 = stablehlo.reshape %3431 : (tensor<i32>) -> tensor<1xi32>
    %3433 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3434 = stablehlo.reshape %3433 : (tensor<i32>) -> tensor<1xi32>
    %3435 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3436 = stablehlo.reshape %3435 : (tensor<i32>) -> tensor<1xi32>
    %3437 = stablehlo.concatenate %3432, %3434, %3436, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3438 = stablehlo.dynamic_broadcast_in_dim %cst_13, %3437, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3439 = stablehlo.add %3430, %3438 : tensor<?x?x3072xf32>
    %3440 = stablehlo.multiply %3439, %3321 : tensor<?x?x3072xf32>
    %3441 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3442 = stablehlo.reshape %3441 : (tensor<i32>) -> tensor<1xi32>
    %3443 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3444 = stablehlo.reshape %3443 : (tensor<i32>) -> tensor<1xi32>
    %3445 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3446 = stablehlo.reshape %3445 : (tensor<i32>) -> tensor<1xi32>
    %3447 = stablehlo.concatenate %3442, %3444, %3446, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3448 = stablehlo.dynamic_broadcast_in_dim %cst_12, %3447, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3449 = stablehlo.add %3440, %3448 : tensor<?x?x3072xf32>
    %3450 = stablehlo.multiply %3449, %3321 : tensor<?x?x3072xf32>
    %3451 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3452 = stablehlo.reshape %3451 : (tensor<i32>) -> tensor<1xi32>
    %3453 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3454 = stablehlo.reshape %3453 : (tensor<i32>) -> tensor<1xi32>
    %3455 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3456 = stablehlo.reshape %3455 : (tensor<i32>) -> tensor<1xi32>
    %3457 = stablehlo.concatenate %3452, %3454, %3456, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3458 = stablehlo.dynamic_broadcast_in_dim %cst_11, %3457, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3459 = stablehlo.add %3450, %3458 : tensor<?x?x3072xf32>
    %3460 = stablehlo.multiply %3459, %3321 : tensor<?x?x3072xf32>
    %3461 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3462 = stablehlo.reshape %3461 : (tensor<i32>) -> tensor<1xi32>
    %3463 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3464 = stablehlo.reshape %3463 : (tensor<i32>) -> tensor<1xi32>
    %3465 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3466 = stablehlo.reshape %3465 : (tensor<i32>) -> tensor<1xi32>
    %3467 = stablehlo.concatenate %3462, %3464, %3466, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3468 = stablehlo.dynamic_broadcast_in_dim %cst_10, %3467, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3469 = stablehlo.add %3460, %3468 : tensor<?x?x3072xf32>
    %3470 = stablehlo.multiply %3469, %3321 : tensor<?x?x3072xf32>
    %3471 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3472 = stablehlo.reshape %3471 : (tensor<i32>) -> tensor<1xi32>
    %3473 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3474 = stablehlo.reshape %3473 : (tensor<i32>) -> tensor<1xi32>
    %3475 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3476 = stablehlo.reshape %3475 : (tensor<i32>) -> tensor<1xi32>
    %3477 = stablehlo.concatenate %3472, %3474, %3476, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3478 = stablehlo.dynamic_broadcast_in_dim %cst_9, %3477, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3479 = stablehlo.add %3470, %3478 : tensor<?x?x3072xf32>
    %3480 = stablehlo.multiply %3479, %3321 : tensor<?x?x3072xf32>
    %3481 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3482 = stablehlo.reshape %3481 : (tensor<i32>) -> tensor<1xi32>
    %3483 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3484 = stablehlo.reshape %3483 : (tensor<i32>) -> tensor<1xi32>
    %3485 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3486 = stablehlo.reshape %3485 : (tensor<i32>) -> tensor<1xi32>
    %3487 = stablehlo.concatenate %3482, %3484, %3486, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3488 = stablehlo.dynamic_broadcast_in_dim %cst_8, %3487, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3489 = stablehlo.add %3480, %3488 : tensor<?x?x3072xf32>
    %3490 = stablehlo.multiply %3489, %3321 : tensor<?x?x3072xf32>
    %3491 = stablehlo.get_dimension_size %3321, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3492 = stablehlo.reshape %3491 : (tensor<i32>) -> tensor<1xi32>
    %3493 = stablehlo.get_dimension_size %3321, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3494 = stablehlo.reshape %3493 : (tensor<i32>) -> tensor<1xi32>
    %3495 = stablehlo.get_dimension_size %3321, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3496 = stablehlo.reshape %3495 : (tensor<i32>) -> tensor<1xi32>
    %3497 = stablehlo.concatenate %3492, %3494, %3496, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3498 = stablehlo.dynamic_broadcast_in_dim %cst_7, %3497, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3499 = stablehlo.add %3490, %3498 : tensor<?x?x3072xf32>
    %3500 = stablehlo.select %3333, %3421, %3499 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %3501 = stablehlo.multiply %3324, %3500 : tensor<?x?x3072xf32>
    %3502 = stablehlo.get_dimension_size %3309, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3503 = stablehlo.reshape %3502 : (tensor<i32>) -> tensor<1xi32>
    %3504 = stablehlo.get_dimension_size %3309, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3505 = stablehlo.reshape %3504 : (tensor<i32>) -> tensor<1xi32>
    %3506 = stablehlo.get_dimension_size %3309, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3507 = stablehlo.reshape %3506 : (tensor<i32>) -> tensor<1xi32>
    %3508 = stablehlo.concatenate %3503, %3505, %3507, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3509 = stablehlo.dynamic_broadcast_in_dim %cst_6, %3508, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3510 = stablehlo.compare LT, %3311, %3509 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %3511 = stablehlo.get_dimension_size %3309, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3512 = stablehlo.reshape %3511 : (tensor<i32>) -> tensor<1xi32>
    %3513 = stablehlo.get_dimension_size %3309, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3514 = stablehlo.reshape %3513 : (tensor<i32>) -> tensor<1xi32>
    %3515 = stablehlo.get_dimension_size %3309, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3516 = stablehlo.reshape %3515 : (tensor<i32>) -> tensor<1xi32>
    %3517 = stablehlo.concatenate %3512, %3514, %3516, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3518 = stablehlo.dynamic_broadcast_in_dim %cst_30, %3517, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3519 = stablehlo.select %3510, %3518, %3501 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %3520 = stablehlo.compare LT, %3309, %3518 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %3521 = stablehlo.subtract %3332, %3519 : tensor<?x?x3072xf32>
    %3522 = stablehlo.select %3520, %3521, %3519 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %3523 = stablehlo.get_dimension_size %3309, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3524 = stablehlo.reshape %3523 : (tensor<i32>) -> tensor<1xi32>
    %3525 = stablehlo.get_dimension_size %3309, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3526 = stablehlo.reshape %3525 : (tensor<i32>) -> tensor<1xi32>
    %3527 = stablehlo.get_dimension_size %3309, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3528 = stablehlo.reshape %3527 : (tensor<i32>) -> tensor<1xi32>
    %3529 = stablehlo.concatenate %3524, %3526, %3528, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3530 = stablehlo.dynamic_broadcast_in_dim %cst_25, %3529, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3531 = stablehlo.multiply %3309, %3309 : tensor<?x?x3072xf32>
    %3532 = stablehlo.get_dimension_size %3531, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3533 = stablehlo.reshape %3532 : (tensor<i32>) -> tensor<1xi32>
    %3534 = stablehlo.get_dimension_size %3531, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3535 = stablehlo.reshape %3534 : (tensor<i32>) -> tensor<1xi32>
    %3536 = stablehlo.get_dimension_size %3531, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3537 = stablehlo.reshape %3536 : (tensor<i32>) -> tensor<1xi32>
    %3538 = stablehlo.concatenate %3533, %3535, %3537, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3539 = stablehlo.dynamic_broadcast_in_dim %cst_5, %3538, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3540 = stablehlo.multiply %3539, %3531 : tensor<?x?x3072xf32>
    %3541 = stablehlo.get_dimension_size %3531, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3542 = stablehlo.reshape %3541 : (tensor<i32>) -> tensor<1xi32>
    %3543 = stablehlo.get_dimension_size %3531, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3544 = stablehlo.reshape %3543 : (tensor<i32>) -> tensor<1xi32>
    %3545 = stablehlo.get_dimension_size %3531, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3546 = stablehlo.reshape %3545 : (tensor<i32>) -> tensor<1xi32>
    %3547 = stablehlo.concatenate %3542, %3544, %3546, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3548 = stablehlo.dynamic_broadcast_in_dim %cst_4, %3547, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3549 = stablehlo.add %3540, %3548 : tensor<?x?x3072xf32>
    %3550 = stablehlo.multiply %3549, %3531 : tensor<?x?x3072xf32>
    %3551 = stablehlo.get_dimension_size %3531, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3552 = stablehlo.reshape %3551 : (tensor<i32>) -> tensor<1xi32>
    %3553 = stablehlo.get_dimension_size %3531, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3554 = stablehlo.reshape %3553 : (tensor<i32>) -> tensor<1xi32>
    %3555 = stablehlo.get_dimension_size %3531, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3556 = stablehlo.reshape %3555 : (tensor<i32>) -> tensor<1xi32>
    %3557 = stablehlo.concatenate %3552, %3554, %3556, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3558 = stablehlo.dynamic_broadcast_in_dim %cst_3, %3557, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3559 = stablehlo.add %3550, %3558 : tensor<?x?x3072xf32>
    %3560 = stablehlo.multiply %3559, %3531 : tensor<?x?x3072xf32>
    %3561 = stablehlo.get_dimension_size %3531, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3562 = stablehlo.reshape %3561 : (tensor<i32>) -> tensor<1xi32>
    %3563 = stablehlo.get_dimension_size %3531, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3564 = stablehlo.reshape %3563 : (tensor<i32>) -> tensor<1xi32>
    %3565 = stablehlo.get_dimension_size %3531, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3566 = stablehlo.reshape %3565 : (tensor<i32>) -> tensor<1xi32>
    %3567 = stablehlo.concatenate %3562, %3564, %3566, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3568 = stablehlo.dynamic_broadcast_in_dim %cst_2, %3567, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3569 = stablehlo.add %3560, %3568 : tensor<?x?x3072xf32>
    %3570 = stablehlo.multiply %3569, %3531 : tensor<?x?x3072xf32>
    %3571 = stablehlo.get_dimension_size %3531, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3572 = stablehlo.reshape %3571 : (tensor<i32>) -> tensor<1xi32>
    %3573 = stablehlo.get_dimension_size %3531, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3574 = stablehlo.reshape %3573 : (tensor<i32>) -> tensor<1xi32>
    %3575 = stablehlo.get_dimension_size %3531, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3576 = stablehlo.reshape %3575 : (tensor<i32>) -> tensor<1xi32>
    %3577 = stablehlo.concatenate %3572, %3574, %3576, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3578 = stablehlo.dynamic_broadcast_in_dim %cst_1, %3577, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3579 = stablehlo.add %3570, %3578 : tensor<?x?x3072xf32>
    %3580 = stablehlo.multiply %3579, %3531 : tensor<?x?x3072xf32>
    %3581 = stablehlo.get_dimension_size %3531, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3582 = stablehlo.reshape %3581 : (tensor<i32>) -> tensor<1xi32>
    %3583 = stablehlo.get_dimension_size %3531, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3584 = stablehlo.reshape %3583 : (tensor<i32>) -> tensor<1xi32>
    %3585 = stablehlo.get_dimension_size %3531, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3586 = stablehlo.reshape %3585 : (tensor<i32>) -> tensor<1xi32>
    %3587 = stablehlo.concatenate %3582, %3584, %3586, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3588 = stablehlo.dynamic_broadcast_in_dim %cst_0, %3587, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3589 = stablehlo.add %3580, %3588 : tensor<?x?x3072xf32>
    %3590 = stablehlo.multiply %3589, %3531 : tensor<?x?x3072xf32>
    %3591 = stablehlo.get_dimension_size %3531, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3592 = stablehlo.reshape %3591 : (tensor<i32>) -> tensor<1xi32>
    %3593 = stablehlo.get_dimension_size %3531, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3594 = stablehlo.reshape %3593 : (tensor<i32>) -> tensor<1xi32>
    %3595 = stablehlo.get_dimension_size %3531, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3596 = stablehlo.reshape %3595 : (tensor<i32>) -> tensor<1xi32>
    %3597 = stablehlo.concatenate %3592, %3594, %3596, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3598 = stablehlo.dynamic_broadcast_in_dim %cst, %3597, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3599 = stablehlo.add %3590, %3598 : tensor<?x?x3072xf32>
    %3600 = stablehlo.multiply %3309, %3599 : tensor<?x?x3072xf32>
    %3601 = stablehlo.subtract %3530, %3600 : tensor<?x?x3072xf32>
    %3602 = stablehlo.abs %3309 : tensor<?x?x3072xf32>
    %3603 = stablehlo.compare LT, %3602, %3530 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %3604 = stablehlo.select %3603, %3601, %3522 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %3605 = stablehlo.multiply %3303, %3604 : tensor<?x?x3072xf32>
    %3606 = stablehlo.dot_general %3605, %arg83, contracting_dims = [2] x [0] : (tensor<?x?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x?x768xf32>
    %3607 = stablehlo.broadcast_in_dim %arg79, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %3608 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3609 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3610 = stablehlo.concatenate %3608, %3609, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3611 = stablehlo.dynamic_broadcast_in_dim %3607, %3610, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3612 = stablehlo.add %3606, %3611 : tensor<?x?x768xf32>
    %3613 = stablehlo.add %3291, %3612 : tensor<?x?x768xf32>
    %3614 = stablehlo.reduce(%3613 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %3615 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3616 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3617 = stablehlo.concatenate %3615, %3616, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3618 = stablehlo.dynamic_broadcast_in_dim %3614, %3617, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3619 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3620 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3621 = stablehlo.concatenate %3619, %3620, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3622 = stablehlo.dynamic_broadcast_in_dim %cst_29, %3621, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3623 = stablehlo.divide %3618, %3622 : tensor<?x?x1xf32>
    %3624 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3625 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3626 = stablehlo.concatenate %3624, %3625, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3627 = stablehlo.dynamic_broadcast_in_dim %3623, %3626, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3628 = stablehlo.subtract %3613, %3627 : tensor<?x?x768xf32>
    %3629 = stablehlo.multiply %3628, %3628 : tensor<?x?x768xf32>
    %3630 = stablehlo.reduce(%3629 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %3631 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3632 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3633 = stablehlo.concatenate %3631, %3632, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3634 = stablehlo.dynamic_broadcast_in_dim %3630, %3633, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3635 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3636 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3637 = stablehlo.concatenate %3635, %3636, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3638 = stablehlo.dynamic_broadcast_in_dim %cst_29, %3637, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3639 = stablehlo.divide %3634, %3638 : tensor<?x?x1xf32>
    %3640 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3641 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3642 = stablehlo.concatenate %3640, %3641, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3643 = stablehlo.dynamic_broadcast_in_dim %3623, %3642, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3644 = stablehlo.subtract %3613, %3643 : tensor<?x?x768xf32>
    %3645 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3646 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3647 = stablehlo.concatenate %3645, %3646, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3648 = stablehlo.dynamic_broadcast_in_dim %cst_28, %3647, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3649 = stablehlo.add %3639, %3648 : tensor<?x?x1xf32>
    %3650 = stablehlo.rsqrt %3649 : tensor<?x?x1xf32>
    %3651 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3652 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3653 = stablehlo.concatenate %3651, %3652, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3654 = stablehlo.dynamic_broadcast_in_dim %3650, %3653, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3655 = stablehlo.multiply %3644, %3654 : tensor<?x?x768xf32>
    %3656 = stablehlo.broadcast_in_dim %arg81, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %3657 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3658 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3659 = stablehlo.concatenate %3657, %3658, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3660 = stablehlo.dynamic_broadcast_in_dim %3656, %3659, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3661 = stablehlo.multiply %3655, %3660 : tensor<?x?x768xf32>
    %3662 = stablehlo.broadcast_in_dim %arg75, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %3663 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3664 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3665 = stablehlo.concatenate %3663, %3664, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3666 = stablehlo.dynamic_broadcast_in_dim %3662, %3665, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3667 = stablehlo.add %3661, %3666 : tensor<?x?x768xf32>
    %3668 = stablehlo.dot_general %3667, %arg97, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
    %3669 = stablehlo.broadcast_in_dim %arg89, dims = [2] : (tensor<2304xf32>) -> tensor<1x1x2304xf32>
    %3670 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3671 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3672 = stablehlo.concatenate %3670, %3671, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3673 = stablehlo.dynamic_broadcast_in_dim %3669, %3672, dims = [0, 1, 2] : (tensor<1x1x2304xf32>, tensor<3xi32>) -> tensor<?x?x2304xf32>
    %3674 = stablehlo.add %3668, %3673 : tensor<?x?x2304xf32>
    %3675 = stablehlo.concatenate %c_39, %c_39, %c_39, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3676 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3677 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3678 = stablehlo.concatenate %3676, %3677, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3679 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3680 = stablehlo.real_dynamic_slice %3674, %3675, %3678, %3679 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3681 = stablehlo.concatenate %c_39, %c_39, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3682 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3683 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3684 = stablehlo.concatenate %3682, %3683, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3685 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3686 = stablehlo.real_dynamic_slice %3674, %3681, %3684, %3685 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3687 = stablehlo.concatenate %c_39, %c_39, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3688 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3689 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3690 = stablehlo.concatenate %3688, %3689, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3691 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3692 = stablehlo.real_dynamic_slice %3674, %3687, %3690, %3691 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3693 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3694 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3695 = stablehlo.concatenate %3693, %3694, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3696 = stablehlo.dynamic_reshape %3680, %3695 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %3697 = stablehlo.transpose %3696, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %3698 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3699 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3700 = stablehlo.concatenate %3698, %3699, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3701 = stablehlo.dynamic_reshape %3686, %3700 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %3702 = stablehlo.transpose %3701, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %3703 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3704 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3705 = stablehlo.concatenate %3703, %3704, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3706 = stablehlo.dynamic_reshape %3692, %3705 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %3707 = stablehlo.transpose %3706, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %3708 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3709 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3710 = stablehlo.concatenate %3708, %c_37, %c_37, %3709, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3711 = stablehlo.dynamic_broadcast_in_dim %arg147, %3710, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
    %3712 = stablehlo.dot_general %3697, %3702, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x?x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x?xf32>
    %3713 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3714 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3715 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3716 = stablehlo.concatenate %3713, %c_35, %3714, %3715, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3717 = stablehlo.dynamic_broadcast_in_dim %cst_33, %3716, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %3718 = stablehlo.divide %3712, %3717 : tensor<?x12x?x?xf32>
    %3719 = call @_where(%arg0, %arg1, %3711, %3718, %cst_32) : (tensor<i32>, tensor<i32>, tensor<?x1x1x?xi1>, tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?x?xf32>
    %3720 = stablehlo.reduce(%3719 init: %cst_31) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %3721 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3722 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3723 = stablehlo.concatenate %3721, %c_35, %3722, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3724 = stablehlo.dynamic_broadcast_in_dim %cst_31, %3723, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x?xf32>
    %3725 = stablehlo.maximum %3724, %3720 : tensor<?x12x?xf32>
    %3726 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3727 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3728 = stablehlo.concatenate %3726, %c_35, %3727, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3729 = stablehlo.dynamic_broadcast_in_dim %3725, %3728, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %3730 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3731 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3732 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3733 = stablehlo.concatenate %3730, %c_35, %3731, %3732, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3734 = stablehlo.dynamic_broadcast_in_dim %3729, %3733, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %3735 = stablehlo.subtract %3719, %3734 : tensor<?x12x?x?xf32>
    %3736 = stablehlo.exponential %3735 : tensor<?x12x?x?xf32>
    %3737 = stablehlo.reduce(%3736 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %3738 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3739 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3740 = stablehlo.concatenate %3738, %c_35, %3739, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3741 = stablehlo.dynamic_broadcast_in_dim %3737, %3740, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %3742 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3743 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3744 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3745 = stablehlo.concatenate %3742, %c_35, %3743, %3744, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %3746 = stablehlo.dynamic_broadcast_in_dim %3741, %3745, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %3747 = stablehlo.divide %3736, %3746 : tensor<?x12x?x?xf32>
    %3748 = stablehlo.dot_general %3747, %3707, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x64xf32>
    %3749 = stablehlo.transpose %3748, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
    %3750 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3751 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3752 = stablehlo.concatenate %3750, %3751, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3753 = stablehlo.dynamic_reshape %3749, %3752 : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3754 = stablehlo.dot_general %3753, %arg96, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x768xf32>) -> tensor<?x?x768xf32>
    %3755 = stablehlo.add %3667, %3754 : tensor<?x?x768xf32>
    %3756 = stablehlo.broadcast_in_dim %arg88, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %3757 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3758 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3759 = stablehlo.concatenate %3757, %3758, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3760 = stablehlo.dynamic_broadcast_in_dim %3756, %3759, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3761 = stablehlo.add %3755, %3760 : tensor<?x?x768xf32>
    %3762 = stablehlo.reduce(%3761 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %3763 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3764 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3765 = stablehlo.concatenate %3763, %3764, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3766 = stablehlo.dynamic_broadcast_in_dim %3762, %3765, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3767 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3768 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3769 = stablehlo.concatenate %3767, %3768, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3770 = stablehlo.dynamic_broadcast_in_dim %cst_29, %3769, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3771 = stablehlo.divide %3766, %3770 : tensor<?x?x1xf32>
    %3772 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3773 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3774 = stablehlo.concatenate %3772, %3773, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3775 = stablehlo.dynamic_broadcast_in_dim %3771, %3774, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3776 = stablehlo.subtract %3761, %3775 : tensor<?x?x768xf32>
    %3777 = stablehlo.multiply %3776, %3776 : tensor<?x?x768xf32>
    %3778 = stablehlo.reduce(%3777 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %3779 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3780 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3781 = stablehlo.concatenate %3779, %3780, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3782 = stablehlo.dynamic_broadcast_in_dim %3778, %3781, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3783 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3784 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3785 = stablehlo.concatenate %3783, %3784, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3786 = stablehlo.dynamic_broadcast_in_dim %cst_29, %3785, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3787 = stablehlo.divide %3782, %3786 : tensor<?x?x1xf32>
    %3788 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3789 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3790 = stablehlo.concatenate %3788, %3789, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3791 = stablehlo.dynamic_broadcast_in_dim %3771, %3790, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3792 = stablehlo.subtract %3761, %3791 : tensor<?x?x768xf32>
    %3793 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3794 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3795 = stablehlo.concatenate %3793, %3794, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3796 = stablehlo.dynamic_broadcast_in_dim %cst_28, %3795, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %3797 = stablehlo.add %3787, %3796 : tensor<?x?x1xf32>
    %3798 = stablehlo.rsqrt %3797 : tensor<?x?x1xf32>
    %3799 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3800 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3801 = stablehlo.concatenate %3799, %3800, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3802 = stablehlo.dynamic_broadcast_in_dim %3798, %3801, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3803 = stablehlo.multiply %3792, %3802 : tensor<?x?x768xf32>
    %3804 = stablehlo.broadcast_in_dim %arg92, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %3805 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3806 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3807 = stablehlo.concatenate %3805, %3806, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3808 = stablehlo.dynamic_broadcast_in_dim %3804, %3807, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3809 = stablehlo.multiply %3803, %3808 : tensor<?x?x768xf32>
    %3810 = stablehlo.broadcast_in_dim %arg86, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %3811 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3812 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3813 = stablehlo.concatenate %3811, %3812, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3814 = stablehlo.dynamic_broadcast_in_dim %3810, %3813, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %3815 = stablehlo.add %3809, %3814 : tensor<?x?x768xf32>
    %3816 = stablehlo.dot_general %3815, %arg94, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x3072xf32>) -> tensor<?x?x3072xf32>
    %3817 = stablehlo.broadcast_in_dim %arg90, dims = [2] : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %3818 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3819 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3820 = stablehlo.concatenate %3818, %3819, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3821 = stablehlo.dynamic_broadcast_in_dim %3817, %3820, dims = [0, 1, 2] : (tensor<1x1x3072xf32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3822 = stablehlo.add %3816, %3821 : tensor<?x?x3072xf32>
    %3823 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3824 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3825 = stablehlo.concatenate %3823, %3824, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3826 = stablehlo.dynamic_broadcast_in_dim %cst_27, %3825, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3827 = stablehlo.multiply %3826, %3822 : tensor<?x?x3072xf32>
    %3828 = stablehlo.negate %3822 : tensor<?x?x3072xf32>
    %3829 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3830 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %3831 = stablehlo.concatenate %3829, %3830, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3832 = stablehlo.dynamic_broadcast_in_dim %cst_26, %3831, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3833 = stablehlo.multiply %3828, %3832 : tensor<?x?x3072xf32>
    %3834 = stablehlo.multiply %3833, %3833 : tensor<?x?x3072xf32>
    %3835 = stablehlo.negate %3834 : tensor<?x?x3072xf32>
    %3836 = stablehlo.abs %3833 : tensor<?x?x3072xf32>
    %3837 = stablehlo.get_dimension_size %3833, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3838 = stablehlo.reshape %3837 : (tensor<i32>) -> tensor<1xi32>
    %3839 = stablehlo.get_dimension_size %3833, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3840 = stablehlo.reshape %3839 : (tensor<i32>) -> tensor<1xi32>
    %3841 = stablehlo.get_dimension_size %3833, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3842 = stablehlo.reshape %3841 : (tensor<i32>) -> tensor<1xi32>
    %3843 = stablehlo.concatenate %3838, %3840, %3842, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3844 = stablehlo.dynamic_broadcast_in_dim %cst_25, %3843, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3845 = stablehlo.divide %3844, %3834 : tensor<?x?x3072xf32>
    %3846 = stablehlo.exponential %3835 : tensor<?x?x3072xf32>
    %3847 = stablehlo.divide %3844, %3836 : tensor<?x?x3072xf32>
    %3848 = stablehlo.multiply %3846, %3847 : tensor<?x?x3072xf32>
    %3849 = stablehlo.get_dimension_size %3833, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3850 = stablehlo.reshape %3849 : (tensor<i32>) -> tensor<1xi32>
    %3851 = stablehlo.get_dimension_size %3833, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3852 = stablehlo.reshape %3851 : (tensor<i32>) -> tensor<1xi32>
    %3853 = stablehlo.get_dimension_size %3833, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3854 = stablehlo.reshape %3853 : (tensor<i32>) -> tensor<1xi32>
    %3855 = stablehlo.concatenate %3850, %3852, %3854, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3856 = stablehlo.dynamic_broadcast_in_dim %cst_24, %3855, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3857 = stablehlo.compare LT, %3836, %3856 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %3858 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3859 = stablehlo.reshape %3858 : (tensor<i32>) -> tensor<1xi32>
    %3860 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3861 = stablehlo.reshape %3860 : (tensor<i32>) -> tensor<1xi32>
    %3862 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3863 = stablehlo.reshape %3862 : (tensor<i32>) -> tensor<1xi32>
    %3864 = stablehlo.concatenate %3859, %3861, %3863, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3865 = stablehlo.dynamic_broadcast_in_dim %cst_23, %3864, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3866 = stablehlo.multiply %3865, %3845 : tensor<?x?x3072xf32>
    %3867 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3868 = stablehlo.reshape %3867 : (tensor<i32>) -> tensor<1xi32>
    %3869 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3870 = stablehlo.reshape %3869 : (tensor<i32>) -> tensor<1xi32>
    %3871 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3872 = stablehlo.reshape %3871 : (tensor<i32>) -> tensor<1xi32>
    %3873 = stablehlo.concatenate %3868, %3870, %3872, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3874 = stablehlo.dynamic_broadcast_in_dim %cst_22, %3873, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3875 = stablehlo.add %3866, %3874 : tensor<?x?x3072xf32>
    %3876 = stablehlo.multiply %3875, %3845 : tensor<?x?x3072xf32>
    %3877 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3878 = stablehlo.reshape %3877 : (tensor<i32>) -> tensor<1xi32>
    %3879 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3880 = stablehlo.reshape %3879 : (tensor<i32>) -> tensor<1xi32>
    %3881 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3882 = stablehlo.reshape %3881 : (tensor<i32>) -> tensor<1xi32>
    %3883 = stablehlo.concatenate %3878, %3880, %3882, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3884 = stablehlo.dynamic_broadcast_in_dim %cst_21, %3883, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3885 = stablehlo.add %3876, %3884 : tensor<?x?x3072xf32>
    %3886 = stablehlo.multiply %3885, %3845 : tensor<?x?x3072xf32>
    %3887 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3888 = stablehlo.reshape %3887 : (tensor<i32>) -> tensor<1xi32>
    %3889 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3890 = stablehlo.reshape %3889 : (tensor<i32>) -> tensor<1xi32>
    %3891 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3892 = stablehlo.reshape %3891 : (tensor<i32>) -> tensor<1xi32>
    %3893 = stablehlo.concatenate %3888, %3890, %3892, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3894 = stablehlo.dynamic_broadcast_in_dim %cst_20, %3893, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3895 = stablehlo.add %3886, %3894 : tensor<?x?x3072xf32>
    %3896 = stablehlo.multiply %3895, %3845 : tensor<?x?x3072xf32>
    %3897 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3898 = stablehlo.reshape %3897 : (tensor<i32>) -> tensor<1xi32>
    %3899 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3900 = stablehlo.reshape %3899 : (tensor<i32>) -> tensor<1xi32>
    %3901 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3902 = stablehlo.reshape %3901 : (tensor<i32>) -> tensor<1xi32>
    %3903 = stablehlo.concatenate %3898, %3900, %3902, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3904 = stablehlo.dynamic_broadcast_in_dim %cst_19, %3903, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3905 = stablehlo.add %3896, %3904 : tensor<?x?x3072xf32>
    %3906 = stablehlo.multiply %3905, %3845 : tensor<?x?x3072xf32>
    %3907 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3908 = stablehlo.reshape %3907 : (tensor<i32>) -> tensor<1xi32>
    %3909 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3910 = stablehlo.reshape %3909 : (tensor<i32>) -> tensor<1xi32>
    %3911 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3912 = stablehlo.reshape %3911 : (tensor<i32>) -> tensor<1xi32>
    %3913 = stablehlo.concatenate %3908, %3910, %3912, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3914 = stablehlo.dynamic_broadcast_in_dim %cst_18, %3913, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3915 = stablehlo.add %3906, %3914 : tensor<?x?x3072xf32>
    %3916 = stablehlo.multiply %3915, %3845 : tensor<?x?x3072xf32>
    %3917 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3918 = stablehlo.reshape %3917 : (tensor<i32>) -> tensor<1xi32>
    %3919 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3920 = stablehlo.reshape %3919 : (tensor<i32>) -> tensor<1xi32>
    %3921 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3922 = stablehlo.reshape %3921 : (tensor<i32>) -> tensor<1xi32>
    %3923 = stablehlo.concatenate %3918, %3920, %3922, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3924 = stablehlo.dynamic_broadcast_in_dim %cst_17, %3923, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3925 = stablehlo.add %3916, %3924 : tensor<?x?x3072xf32>
    %3926 = stablehlo.multiply %3925, %3845 : tensor<?x?x3072xf32>
    %3927 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3928 = stablehlo.reshape %3927 : (tensor<i32>) -> tensor<1xi32>
    %3929 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3930 = stablehlo.reshape %3929 : (tensor<i32>) -> tensor<1xi32>
    %3931 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3932 = stablehlo.reshape %3931 : (tensor<i32>) -> tensor<1xi32>
    %3933 = stablehlo.concatenate %3928, %3930, %3932, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3934 = stablehlo.dynamic_broadcast_in_dim %cst_16, %3933, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3935 = stablehlo.add %3926, %3934 : tensor<?x?x3072xf32>
    %3936 = stablehlo.multiply %3935, %3845 : tensor<?x?x3072xf32>
    %3937 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3938 = stablehlo.reshape %3937 : (tensor<i32>) -> tensor<1xi32>
    %3939 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3940 = stablehlo.reshape %3939 : (tensor<i32>) -> tensor<1xi32>
    %3941 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3942 = stablehlo.reshape %3941 : (tensor<i32>) -> tensor<1xi32>
    %3943 = stablehlo.concatenate %3938, %3940, %3942, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3944 = stablehlo.dynamic_broadcast_in_dim %cst_15, %3943, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3945 = stablehlo.add %3936, %3944 : tensor<?x?x3072xf32>
    %3946 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3947 = stablehlo.reshape %3946 : (tensor<i32>) -> tensor<1xi32>
    %3948 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3949 = stablehlo.reshape %3948 : (tensor<i32>) -> tensor<1xi32>
    %3950 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3951 = stablehlo.reshape %3950 : (tensor<i32>) -> tensor<1xi32>
    %3952 = stablehlo.concatenate %3947, %3949, %3951, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3953 = stablehlo.dynamic_broadcast_in_dim %cst_14, %3952, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3954 = stablehlo.multiply %3953, %3845 : tensor<?x?x3072xf32>
    %3955 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3956 = stablehlo.reshape %3955 : (tensor<i32>) -> tensor<1xi32>
    %3957 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3958 = stablehlo.reshape %3957 : (tensor<i32>) -> tensor<1xi32>
    %3959 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3960 = stablehlo.reshape %3959 : (tensor<i32>) -> tensor<1xi32>
    %3961 = stablehlo.concatenate %3956, %3958, %3960, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3962 = stablehlo.dynamic_broadcast_in_dim %cst_13, %3961, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3963 = stablehlo.add %3954, %3962 : tensor<?x?x3072xf32>
    %3964 = stablehlo.multiply %3963, %3845 : tensor<?x?x3072xf32>
    %3965 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3966 = stablehlo.reshape %3965 : (tensor<i32>) -> tensor<1xi32>
    %3967 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3968 = stablehlo.reshape %3967 : (tensor<i32>) -> tensor<1xi32>
    %3969 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3970 = stablehlo.reshape %3969 : (tensor<i32>) -> tensor<1xi32>
    %3971 = stablehlo.concatenate %3966, %3968, %3970, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3972 = stablehlo.dynamic_broadcast_in_dim %cst_12, %3971, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3973 = stablehlo.add %3964, %3972 : tensor<?x?x3072xf32>
    %3974 = stablehlo.multiply %3973, %3845 : tensor<?x?x3072xf32>
    %3975 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3976 = stablehlo.reshape %3975 : (tensor<i32>) -> tensor<1xi32>
    %3977 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3978 = stablehlo.reshape %3977 : (tensor<i32>) -> tensor<1xi32>
    %3979 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3980 = stablehlo.reshape %3979 : (tensor<i32>) -> tensor<1xi32>
    %3981 = stablehlo.concatenate %3976, %3978, %3980, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3982 = stablehlo.dynamic_broadcast_in_dim %cst_11, %3981, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3983 = stablehlo.add %3974, %3982 : tensor<?x?x3072xf32>
    %3984 = stablehlo.multiply %3983, %3845 : tensor<?x?x3072xf32>
    %3985 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3986 = stablehlo.reshape %3985 : (tensor<i32>) -> tensor<1xi32>
    %3987 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3988 = stablehlo.reshape %3987 : (tensor<i32>) -> tensor<1xi32>
    %3989 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3990 = stablehlo.reshape %3989 : (tensor<i32>) -> tensor<1xi32>
    %3991 = stablehlo.concatenate %3986, %3988, %3990, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3992 = stablehlo.dynamic_broadcast_in_dim %cst_10, %3991, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %3993 = stablehlo.add %3984, %3992 : tensor<?x?x3072xf32>
    %3994 = stablehlo.multiply %3993, %3845 : tensor<?x?x3072xf32>
    %3995 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3996 = stablehlo.reshape %3995 : (tensor<i32>) -> tensor<1xi32>
    %3997 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %3998 = stablehlo.reshape %3997 : (tensor<i32>) -> tensor<1xi32>
    %3999 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4000 = stablehlo.reshape %3999 : (tensor<i32>) -> tensor<1xi32>
    %4001 = stablehlo.concatenate %3996, %3998, %4000, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4002 = stablehlo.dynamic_broadcast_in_dim %cst_9, %4001, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4003 = stablehlo.add %3994, %4002 : tensor<?x?x3072xf32>
    %4004 = stablehlo.multiply %4003, %3845 : tensor<?x?x3072xf32>
    %4005 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4006 = stablehlo.reshape %4005 : (tensor<i32>) -> tensor<1xi32>
    %4007 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4008 = stablehlo.reshape %4007 : (tensor<i32>) -> tensor<1xi32>
    %4009 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4010 = stablehlo.reshape %4009 : (tensor<i32>) -> tensor<1xi32>
    %4011 = stablehlo.concatenate %4006, %4008, %4010, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4012 = stablehlo.dynamic_broadcast_in_dim %cst_8, %4011, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4013 = stablehlo.add %4004, %4012 : tensor<?x?x3072xf32>
    %4014 = stablehlo.multiply %4013, %3845 : tensor<?x?x3072xf32>
    %4015 = stablehlo.get_dimension_size %3845, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4016 = stablehlo.reshape %4015 : (tensor<i32>) -> tensor<1xi32>
    %4017 = stablehlo.get_dimension_size %3845, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4018 = stablehlo.reshape %4017 : (tensor<i32>) -> tensor<1xi32>
    %4019 = stablehlo.get_dimension_size %3845, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4020 = stablehlo.reshape %4019 : (tensor<i32>) -> tensor<1xi32>
    %4021 = stablehlo.concatenate %4016, %4018, %4020, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4022 = stablehlo.dynamic_broadcast_in_dim %cst_7, %4021, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4023 = stablehlo.add %4014, %4022 : tensor<?x?x3072xf32>
    %4024 = stablehlo.select %3857, %3945, %4023 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %4025 = stablehlo.multiply %3848, %4024 : tensor<?x?x3072xf32>
    %4026 = stablehlo.get_dimension_size %3833, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4027 = stablehlo.reshape %4026 : (tensor<i32>) -> tensor<1xi32>
    %4028 = stablehlo.get_dimension_size %3833, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4029 = stablehlo.reshape %4028 : (tensor<i32>) -> tensor<1xi32>
    %4030 = stablehlo.get_dimension_size %3833, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4031 = stablehlo.reshape %4030 : (tensor<i32>) -> tensor<1xi32>
    %4032 = stablehlo.concatenate %4027, %4029, %4031, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4033 = stablehlo.dynamic_broadcast_in_dim %cst_6, %4032, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4034 = stablehlo.compare LT, %3835, %4033 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %4035 = stablehlo.get_dimension_size %3833, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4036 = stablehlo.reshape %4035 : (tensor<i32>) -> tensor<1xi32>
    %4037 = stablehlo.get_dimension_size %3833, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4038 = stablehlo.reshape %4037 : (tensor<i32>) -> tensor<1xi32>
    %4039 = stablehlo.get_dimension_size %3833, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4040 = stablehlo.reshape %4039 : (tensor<i32>) -> tensor<1xi32>
    %4041 = stablehlo.concatenate %4036, %4038, %4040, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4042 = stablehlo.dynamic_broadcast_in_dim %cst_30, %4041, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4043 = stablehlo.select %4034, %4042, %4025 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %4044 = stablehlo.compare LT, %3833, %4042 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %4045 = stablehlo.subtract %3856, %4043 : tensor<?x?x3072xf32>
    %4046 = stablehlo.select %4044, %4045, %4043 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %4047 = stablehlo.get_dimension_size %3833, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4048 = stablehlo.reshape %4047 : (tensor<i32>) -> tensor<1xi32>
    %4049 = stablehlo.get_dimension_size %3833, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4050 = stablehlo.reshape %4049 : (tensor<i32>) -> tensor<1xi32>
    %4051 = stablehlo.get_dimension_size %3833, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4052 = stablehlo.reshape %4051 : (tensor<i32>) -> tensor<1xi32>
    %4053 = stablehlo.concatenate %4048, %4050, %4052, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4054 = stablehlo.dynamic_broadcast_in_dim %cst_25, %4053, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4055 = stablehlo.multiply %3833, %3833 : tensor<?x?x3072xf32>
    %4056 = stablehlo.get_dimension_size %4055, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4057 = stablehlo.reshape %4056 : (tensor<i32>) -> tensor<1xi32>
    %4058 = stablehlo.get_dimension_size %4055, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4059 = stablehlo.reshape %4058 : (tensor<i32>) -> tensor<1xi32>
    %4060 = stablehlo.get_dimension_size %4055, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4061 = stablehlo.reshape %4060 : (tensor<i32>) -> tensor<1xi32>
    %4062 = stablehlo.concatenate %4057, %4059, %4061, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4063 = stablehlo.dynamic_broadcast_in_dim %cst_5, %4062, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4064 = stablehlo.multiply %4063, %4055 : tensor<?x?x3072xf32>
    %4065 = stablehlo.get_dimension_size %4055, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4066 = stablehlo.reshape %4065 : (tensor<i32>) -> tensor<1xi32>
    %4067 = stablehlo.get_dimension_size %4055, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4068 = stablehlo.reshape %4067 : (tensor<i32>) -> tensor<1xi32>
    %4069 = stablehlo.get_dimension_size %4055, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4070 = stablehlo.reshape %4069 : (tensor<i32>) -> tensor<1xi32>
    %4071 = stablehlo.concatenate %4066, %4068, %4070, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4072 = stablehlo.dynamic_broadcast_in_dim %cst_4, %4071, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4073 = stablehlo.add %4064, %4072 : tensor<?x?x3072xf32>
    %4074 = stablehlo.multiply %4073, %4055 : tensor<?x?x3072xf32>
    %4075 = stablehlo.get_dimension_size %4055, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4076 = stablehlo.reshape %4075 : (tensor<i32>) -> tensor<1xi32>
    %4077 = stablehlo.get_dimension_size %4055, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4078 = stablehlo.reshape %4077 : (tensor<i32>) -> tensor<1xi32>
    %4079 = stablehlo.get_dimension_size %4055, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4080 = stablehlo.reshape %4079 : (tensor<i32>) -> tensor<1xi32>
    %4081 = stablehlo.concatenate %4076, %4078, %4080, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4082 = stablehlo.dynamic_broadcast_in_dim %cst_3, %4081, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4083 = stablehlo.add %4074, %4082 : tensor<?x?x3072xf32>
    %4084 = stablehlo.multiply %4083, %4055 : tensor<?x?x3072xf32>
    %4085 = stablehlo.get_dimension_size %4055, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4086 = stablehlo.reshape %4085 : (tensor<i32>) -> tensor<1xi32>
    %4087 = stablehlo.get_dimension_size %4055, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4088 = stablehlo.reshape %4087 : (tensor<i32>) -> tensor<1xi32>
    %4089 = stablehlo.get_dimension_size %4055, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4090 = stablehlo.reshape %4089 : (tensor<i32>) -> tensor<1xi32>
    %4091 = stablehlo.concatenate %4086, %4088, %4090, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4092 = stablehlo.dynamic_broadcast_in_dim %cst_2, %4091, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4093 = stablehlo.add %4084, %4092 : tensor<?x?x3072xf32>
    %4094 = stablehlo.multiply %4093, %4055 : tensor<?x?x3072xf32>
    %4095 = stablehlo.get_dimension_size %4055, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4096 = stablehlo.reshape %4095 : (tensor<i32>) -> tensor<1xi32>
    %4097 = stablehlo.get_dimension_size %4055, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4098 = stablehlo.reshape %4097 : (tensor<i32>) -> tensor<1xi32>
    %4099 = stablehlo.get_dimension_size %4055, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4100 = stablehlo.reshape %4099 : (tensor<i32>) -> tensor<1xi32>
    %4101 = stablehlo.concatenate %4096, %4098, %4100, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4102 = stablehlo.dynamic_broadcast_in_dim %cst_1, %4101, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4103 = stablehlo.add %4094, %4102 : tensor<?x?x3072xf32>
    %4104 = stablehlo.multiply %4103, %4055 : tensor<?x?x3072xf32>
    %4105 = stablehlo.get_dimension_size %4055, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4106 = stablehlo.reshape %4105 : (tensor<i32>) -> tensor<1xi32>
    %4107 = stablehlo.get_dimension_size %4055, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4108 = stablehlo.reshape %4107 : (tensor<i32>) -> tensor<1xi32>
    %4109 = stablehlo.get_dimension_size %4055, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4110 = stablehlo.reshape %4109 : (tensor<i32>) -> tensor<1xi32>
    %4111 = stablehlo.concatenate %4106, %4108, %4110, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4112 = stablehlo.dynamic_broadcast_in_dim %cst_0, %4111, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4113 = stablehlo.add %4104, %4112 : tensor<?x?x3072xf32>
    %4114 = stablehlo.multiply %4113, %4055 : tensor<?x?x3072xf32>
    %4115 = stablehlo.get_dimension_size %4055, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4116 = stablehlo.reshape %4115 : (tensor<i32>) -> tensor<1xi32>
    %4117 = stablehlo.get_dimension_size %4055, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4118 = stablehlo.reshape %4117 : (tensor<i32>) -> tensor<1xi32>
    %4119 = stablehlo.get_dimension_size %4055, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4120 = stablehlo.reshape %4119 : (tensor<i32>) -> tensor<1xi32>
    %4121 = stablehlo.concatenate %4116, %4118, %4120, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4122 = stablehlo.dynamic_broadcast_in_dim %cst, %4121, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4123 = stablehlo.add %4114, %4122 : tensor<?x?x3072xf32>
    %4124 = stablehlo.multiply %3833, %4123 : tensor<?x?x3072xf32>
    %4125 = stablehlo.subtract %4054, %4124 : tensor<?x?x3072xf32>
    %4126 = stablehlo.abs %3833 : tensor<?x?x3072xf32>
    %4127 = stablehlo.compare LT, %4126, %4054 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %4128 = stablehlo.select %4127, %4125, %4046 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %4129 = stablehlo.multiply %3827, %4128 : tensor<?x?x3072xf32>
    %4130 = stablehlo.dot_general %4129, %arg95, contracting_dims = [2] x [0] : (tensor<?x?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x?x768xf32>
    %4131 = stablehlo.broadcast_in_dim %arg91, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %4132 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4133 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4134 = stablehlo.concatenate %4132, %4133, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4135 = stablehlo.dynamic_broadcast_in_dim %4131, %4134, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4136 = stablehlo.add %4130, %4135 : tensor<?x?x768xf32>
    %4137 = stablehlo.add %3815, %4136 : tensor<?x?x768xf32>
    %4138 = stablehlo.reduce(%4137 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %4139 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4140 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4141 = stablehlo.concatenate %4139, %4140, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4142 = stablehlo.dynamic_broadcast_in_dim %4138, %4141, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4143 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4144 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4145 = stablehlo.concatenate %4143, %4144, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4146 = stablehlo.dynamic_broadcast_in_dim %cst_29, %4145, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4147 = stablehlo.divide %4142, %4146 : tensor<?x?x1xf32>
    %4148 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4149 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4150 = stablehlo.concatenate %4148, %4149, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4151 = stablehlo.dynamic_broadcast_in_dim %4147, %4150, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4152 = stablehlo.subtract %4137, %4151 : tensor<?x?x768xf32>
    %4153 = stablehlo.multiply %4152, %4152 : tensor<?x?x768xf32>
    %4154 = stablehlo.reduce(%4153 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %4155 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4156 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4157 = stablehlo.concatenate %4155, %4156, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4158 = stablehlo.dynamic_broadcast_in_dim %4154, %4157, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4159 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4160 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4161 = stablehlo.concatenate %4159, %4160, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4162 = stablehlo.dynamic_broadcast_in_dim %cst_29, %4161, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4163 = stablehlo.divide %4158, %4162 : tensor<?x?x1xf32>
    %4164 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4165 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4166 = stablehlo.concatenate %4164, %4165, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4167 = stablehlo.dynamic_broadcast_in_dim %4147, %4166, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4168 = stablehlo.subtract %4137, %4167 : tensor<?x?x768xf32>
    %4169 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4170 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4171 = stablehlo.concatenate %4169, %4170, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4172 = stablehlo.dynamic_broadcast_in_dim %cst_28, %4171, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4173 = stablehlo.add %4163, %4172 : tensor<?x?x1xf32>
    %4174 = stablehlo.rsqrt %4173 : tensor<?x?x1xf32>
    %4175 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4176 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4177 = stablehlo.concatenate %4175, %4176, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4178 = stablehlo.dynamic_broadcast_in_dim %4174, %4177, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4179 = stablehlo.multiply %4168, %4178 : tensor<?x?x768xf32>
    %4180 = stablehlo.broadcast_in_dim %arg93, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %4181 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4182 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4183 = stablehlo.concatenate %4181, %4182, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4184 = stablehlo.dynamic_broadcast_in_dim %4180, %4183, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4185 = stablehlo.multiply %4179, %4184 : tensor<?x?x768xf32>
    %4186 = stablehlo.broadcast_in_dim %arg87, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %4187 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4188 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4189 = stablehlo.concatenate %4187, %4188, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4190 = stablehlo.dynamic_broadcast_in_dim %4186, %4189, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4191 = stablehlo.add %4185, %4190 : tensor<?x?x768xf32>
    %4192 = stablehlo.dot_general %4191, %arg109, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
    %4193 = stablehlo.broadcast_in_dim %arg101, dims = [2] : (tensor<2304xf32>) -> tensor<1x1x2304xf32>
    %4194 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4195 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4196 = stablehlo.concatenate %4194, %4195, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4197 = stablehlo.dynamic_broadcast_in_dim %4193, %4196, dims = [0, 1, 2] : (tensor<1x1x2304xf32>, tensor<3xi32>) -> tensor<?x?x2304xf32>
    %4198 = stablehlo.add %4192, %4197 : tensor<?x?x2304xf32>
    %4199 = stablehlo.concatenate %c_39, %c_39, %c_39, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4200 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4201 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4202 = stablehlo.concatenate %4200, %4201, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4203 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4204 = stablehlo.real_dynamic_slice %4198, %4199, %4202, %4203 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4205 = stablehlo.concatenate %c_39, %c_39, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4206 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4207 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4208 = stablehlo.concatenate %4206, %4207, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4209 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4210 = stablehlo.real_dynamic_slice %4198, %4205, %4208, %4209 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4211 = stablehlo.concatenate %c_39, %c_39, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4212 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4213 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4214 = stablehlo.concatenate %4212, %4213, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4215 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4216 = stablehlo.real_dynamic_slice %4198, %4211, %4214, %4215 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4217 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4218 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4219 = stablehlo.concatenate %4217, %4218, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4220 = stablehlo.dynamic_reshape %4204, %4219 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %4221 = stablehlo.transpose %4220, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %4222 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4223 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4224 = stablehlo.concatenate %4222, %4223, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4225 = stablehlo.dynamic_reshape %4210, %4224 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %4226 = stablehlo.transpose %4225, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %4227 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4228 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4229 = stablehlo.concatenate %4227, %4228, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4230 = stablehlo.dynamic_reshape %4216, %4229 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %4231 = stablehlo.transpose %4230, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %4232 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4233 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4234 = stablehlo.concatenate %4232, %c_37, %c_37, %4233, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4235 = stablehlo.dynamic_broadcast_in_dim %arg147, %4234, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
    %4236 = stablehlo.dot_general %4221, %4226, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x?x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x?xf32>
    %4237 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4238 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4239 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4240 = stablehlo.concatenate %4237, %c_35, %4238, %4239, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4241 = stablehlo.dynamic_broadcast_in_dim %cst_33, %4240, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %4242 = stablehlo.divide %4236, %4241 : tensor<?x12x?x?xf32>
    %4243 = call @_where(%arg0, %arg1, %4235, %4242, %cst_32) : (tensor<i32>, tensor<i32>, tensor<?x1x1x?xi1>, tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?x?xf32>
    %4244 = stablehlo.reduce(%4243 init: %cst_31) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %4245 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4246 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4247 = stablehlo.concatenate %4245, %c_35, %4246, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4248 = stablehlo.dynamic_broadcast_in_dim %cst_31, %4247, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x?xf32>
    %4249 = stablehlo.maximum %4248, %4244 : tensor<?x12x?xf32>
    %4250 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4251 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4252 = stablehlo.concatenate %4250, %c_35, %4251, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4253 = stablehlo.dynamic_broadcast_in_dim %4249, %4252, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %4254 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4255 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4256 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4257 = stablehlo.concatenate %4254, %c_35, %4255, %4256, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4258 = stablehlo.dynamic_broadcast_in_dim %4253, %4257, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %4259 = stablehlo.subtract %4243, %4258 : tensor<?x12x?x?xf32>
    %4260 = stablehlo.exponential %4259 : tensor<?x12x?x?xf32>
    %4261 = stablehlo.reduce(%4260 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %4262 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4263 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4264 = stablehlo.concatenate %4262, %c_35, %4263, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4265 = stablehlo.dynamic_broadcast_in_dim %4261, %4264, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %4266 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4267 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4268 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4269 = stablehlo.concatenate %4266, %c_35, %4267, %4268, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4270 = stablehlo.dynamic_broadcast_in_dim %4265, %4269, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %4271 = stablehlo.divide %4260, %4270 : tensor<?x12x?x?xf32>
    %4272 = stablehlo.dot_general %4271, %4231, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x64xf32>
    %4273 = stablehlo.transpose %4272, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
    %4274 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4275 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4276 = stablehlo.concatenate %4274, %4275, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4277 = stablehlo.dynamic_reshape %4273, %4276 : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4278 = stablehlo.dot_general %4277, %arg108, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x768xf32>) -> tensor<?x?x768xf32>
    %4279 = stablehlo.add %4191, %4278 : tensor<?x?x768xf32>
    %4280 = stablehlo.broadcast_in_dim %arg100, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %4281 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4282 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4283 = stablehlo.concatenate %4281, %4282, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4284 = stablehlo.dynamic_broadcast_in_dim %4280, %4283, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4285 = stablehlo.add %4279, %4284 : tensor<?x?x768xf32>
    %4286 = stablehlo.reduce(%4285 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %4287 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4288 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4289 = stablehlo.concatenate %4287, %4288, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4290 = stablehlo.dynamic_broadcast_in_dim %4286, %4289, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4291 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4292 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4293 = stablehlo.concatenate %4291, %4292, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4294 = stablehlo.dynamic_broadcast_in_dim %cst_29, %4293, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4295 = stablehlo.divide %4290, %4294 : tensor<?x?x1xf32>
    %4296 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4297 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4298 = stablehlo.concatenate %4296, %4297, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4299 = stablehlo.dynamic_broadcast_in_dim %4295, %4298, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4300 = stablehlo.subtract %4285, %4299 : tensor<?x?x768xf32>
    %4301 = stablehlo.multiply %4300, %4300 : tensor<?x?x768xf32>
    %4302 = stablehlo.reduce(%4301 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %4303 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4304 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4305 = stablehlo.concatenate %4303, %4304, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4306 = stablehlo.dynamic_broadcast_in_dim %4302, %4305, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4307 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4308 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4309 = stablehlo.concatenate %4307, %4308, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4310 = stablehlo.dynamic_broadcast_in_dim %cst_29, %4309, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4311 = stablehlo.divide %4306, %4310 : tensor<?x?x1xf32>
    %4312 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4313 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4314 = stablehlo.concatenate %4312, %4313, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4315 = stablehlo.dynamic_broadcast_in_dim %4295, %4314, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4316 = stablehlo.subtract %4285, %4315 : tensor<?x?x768xf32>
    %4317 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4318 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4319 = stablehlo.concatenate %4317, %4318, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4320 = stablehlo.dynamic_broadcast_in_dim %cst_28, %4319, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4321 = stablehlo.add %4311, %4320 : tensor<?x?x1xf32>
    %4322 = stablehlo.rsqrt %4321 : tensor<?x?x1xf32>
    %4323 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4324 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4325 = stablehlo.concatenate %4323, %4324, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4326 = stablehlo.dynamic_broadcast_in_dim %4322, %4325, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4327 = stablehlo.multiply %4316, %4326 : tensor<?x?x768xf32>
    %4328 = stablehlo.broadcast_in_dim %arg104, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %4329 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4330 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4331 = stablehlo.concatenate %4329, %4330, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4332 = stablehlo.dynamic_broadcast_in_dim %4328, %4331, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4333 = stablehlo.multiply %4327, %4332 : tensor<?x?x768xf32>
    %4334 = stablehlo.broadcast_in_dim %arg98, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %4335 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4336 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4337 = stablehlo.concatenate %4335, %4336, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4338 = stablehlo.dynamic_broadcast_in_dim %4334, %4337, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4339 = stablehlo.add %4333, %4338 : tensor<?x?x768xf32>
    %4340 = stablehlo.dot_general %4339, %arg106, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x3072xf32>) -> tensor<?x?x3072xf32>
    %4341 = stablehlo.broadcast_in_dim %arg102, dims = [2] : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %4342 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4343 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4344 = stablehlo.concatenate %4342, %4343, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4345 = stablehlo.dynamic_broadcast_in_dim %4341, %4344, dims = [0, 1, 2] : (tensor<1x1x3072xf32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4346 = stablehlo.add %4340, %4345 : tensor<?x?x3072xf32>
    %4347 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4348 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4349 = stablehlo.concatenate %4347, %4348, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4350 = stablehlo.dynamic_broadcast_in_dim %cst_27, %4349, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4351 = stablehlo.multiply %4350, %4346 : tensor<?x?x3072xf32>
    %4352 = stablehlo.negate %4346 : tensor<?x?x3072xf32>
    %4353 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4354 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4355 = stablehlo.concatenate %4353, %4354, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4356 = stablehlo.dynamic_broadcast_in_dim %cst_26, %4355, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4357 = stablehlo.multiply %4352, %4356 : tensor<?x?x3072xf32>
    %4358 = stablehlo.multiply %4357, %4357 : tensor<?x?x3072xf32>
    %4359 = stablehlo.negate %4358 : tensor<?x?x3072xf32>
    %4360 = stablehlo.abs %4357 : tensor<?x?x3072xf32>
    %4361 = stablehlo.get_dimension_size %4357, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4362 = stablehlo.reshape %4361 : (tensor<i32>) -> tensor<1xi32>
    %4363 = stablehlo.get_dimension_size %4357, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4364 = stablehlo.reshape %4363 : (tensor<i32>) -> tensor<1xi32>
    %4365 = stablehlo.get_dimension_size %4357, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4366 = stablehlo.reshape %4365 : (tensor<i32>) -> tensor<1xi32>
    %4367 = stablehlo.concatenate %4362, %4364, %4366, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4368 = stablehlo.dynamic_broadcast_in_dim %cst_25, %4367, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4369 = stablehlo.divide %4368, %4358 : tensor<?x?x3072xf32>
    %4370 = stablehlo.exponential %4359 : tensor<?x?x3072xf32>
    %4371 = stablehlo.divide %4368, %4360 : tensor<?x?x3072xf32>
    %4372 = stablehlo.multiply %4370, %4371 : tensor<?x?x3072xf32>
    %4373 = stablehlo.get_dimension_size %4357, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4374 = stablehlo.reshape %4373 : (tensor<i32>) -> tensor<1xi32>
    %4375 = stablehlo.get_dimension_size %4357, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4376 = stablehlo.reshape %4375 : (tensor<i32>) -> tensor<1xi32>
    %4377 = stablehlo.get_dimension_size %4357, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4378 = stablehlo.reshape %4377 : (tensor<i32>) -> tensor<1xi32>
    %4379 = stablehlo.concatenate %4374, %4376, %4378, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4380 = stablehlo.dynamic_broadcast_in_dim %cst_24, %4379, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4381 = stablehlo.compare LT, %4360, %4380 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %4382 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4383 = stablehlo.reshape %4382 : (tensor<i32>) -> tensor<1xi32>
    %4384 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4385 = stablehlo.reshape %4384 : (tensor<i32>) -> tensor<1xi32>
    %4386 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4387 = stablehlo.reshape %4386 : (tensor<i32>) -> tensor<1xi32>
    %4388 = stablehlo.concatenate %4383, %4385, %4387, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4389 = stablehlo.dynamic_broadcast_in_dim %cst_23, %4388, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4390 = stablehlo.multiply %4389, %4369 : tensor<?x?x3072xf32>
    %4391 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4392 = stablehlo.reshape %4391 : (tensor<i32>) -> tensor<1xi32>
    %4393 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4394 = stablehlo.reshape %4393 : (tensor<i32>) -> tensor<1xi32>
    %4395 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4396 = stablehlo.reshape %4395 : (tensor<i32>) -> tensor<1xi32>
    %4397 = stablehlo.concatenate %4392, %4394, %4396, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4398 = stablehlo.dynamic_broadcast_in_dim %cst_22, %4397, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4399 = stablehlo.add %4390, %4398 : tensor<?x?x3072xf32>
    %4400 = stablehlo.multiply %4399, %4369 : tensor<?x?x3072xf32>
    %4401 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4402 = stablehlo.reshape %4401 : (tensor<i32>) -> tensor<1xi32>
    %4403 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4404 = stablehlo.reshape %4403 : (tensor<i32>) -> tensor<1xi32>
    %4405 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4406 = stablehlo.reshape %4405 : (tensor<i32>) -> tensor<1xi32>
    %4407 = stablehlo.concatenate %4402, %4404, %4406, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4408 = stablehlo.dynamic_broadcast_in_dim %cst_21, %4407, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4409 = stablehlo.add %4400, %4408 : tensor<?x?x3072xf32>
    %4410 = stablehlo.multiply %4409, %4369 : tensor<?x?x3072xf32>
    %4411 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4412 = stablehlo.reshape %4411 : (tensor<i32>) -> tensor<1xi32>
    %4413 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4414 = stablehlo.reshape %4413 : (tensor<i32>) -> tensor<1xi32>
    %4415 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4416 = stablehlo.reshape %4415 : (tensor<i32>) -> tensor<1xi32>
    %4417 = stablehlo.concatenate %4412, %4414, %4416, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4418 = stablehlo.dynamic_broadcast_in_dim %cst_20, %4417, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4419 = stablehlo.add %4410, %4418 : tensor<?x?x3072xf32>
    %4420 = stablehlo.multiply %4419, %4369 : tensor<?x?x3072xf32>
    %4421 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4422 = stablehlo.reshape %4421 : (tensor<i32>) -> tensor<1xi32>
    %4423 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4424 = stablehlo.reshape %4423 : (tensor<i32>) -> tensor<1xi32>
    %4425 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4426 = stablehlo.reshape %4425 : (tensor<i32>) -> tensor<1xi32>
    %4427 = stablehlo.concatenate %4422, %4424, %4426, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4428 = stablehlo.dynamic_broadcast_in_dim %cst_19, %4427, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4429 = stablehlo.add %4420, %4428 : tensor<?x?x3072xf32>
    %4430 = stablehlo.multiply %4429, %4369 : tensor<?x?x3072xf32>
    %4431 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4432 = stablehlo.reshape %4431 : (tensor<i32>) -> tensor<1xi32>
    %4433 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4434 = stablehlo.reshape %4433 : (tensor<i32>) -> tensor<1xi32>
    %4435 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4436 = stablehlo.reshape %4435 : (tensor<i32>) -> tensor<1xi32>
    %4437 = stablehlo.concatenate %4432, %4434, %4436, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4438 = stablehlo.dynamic_broadcast_in_dim %cst_18, %4437, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4439 = stablehlo.add %4430, %4438 : tensor<?x?x3072xf32>
    %4440 = stablehlo.multiply %4439, %4369 : tensor<?x?x3072xf32>
    %4441 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4442 = stablehlo.reshape %4441 : (tensor<i32>) -> tensor<1xi32>
    %4443 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4444 = stablehlo.reshape %4443 : (tensor<i32>) -> tensor<1xi32>
    %4445 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4446 = stablehlo.reshape %4445 : (tensor<i32>) -> tensor<1xi32>
    %4447 = stablehlo.concatenate %4442, %4444, %4446, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4448 = stablehlo.dynamic_broadcast_in_dim %cst_17, %4447, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4449 = stablehlo.add %4440, %4448 : tensor<?x?x3072xf32>
    %4450 = stablehlo.multiply %4449, %4369 : tensor<?x?x3072xf32>
    %4451 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4452 = stablehlo.reshape %4451 : (tensor<i32>) -> tensor<1xi32>
    %4453 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4454 = stablehlo.reshape %4453 : (tensor<i32>) -> tensor<1xi32>
    %4455 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4456 = stablehlo.reshape %4455 : (tensor<i32>) -> tensor<1xi32>
    %4457 = stablehlo.concatenate %4452, %4454, %4456, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4458 = stablehlo.dynamic_broadcast_in_dim %cst_16, %4457, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4459 = stablehlo.add %4450, %4458 : tensor<?x?x3072xf32>
    %4460 = stablehlo.multiply %4459, %4369 : tensor<?x?x3072xf32>
    %4461 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4462 = stablehlo.reshape %4461 : (tensor<i32>) -> tensor<1xi32>
    %4463 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4464 = stablehlo.reshape %4463 : (tensor<i32>) -> tensor<1xi32>
    %4465 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4466 = stablehlo.reshape %4465 : (tensor<i32>) -> tensor<1xi32>
    %4467 = stablehlo.concatenate %4462, %4464, %4466, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4468 = stablehlo.dynamic_broadcast_in_dim %cst_15, %4467, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4469 = stablehlo.add %4460, %4468 : tensor<?x?x3072xf32>
    %4470 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4471 = stablehlo.reshape %4470 : (tensor<i32>) -> tensor<1xi32>
    %4472 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4473 = stablehlo.reshape %4472 : (tensor<i32>) -> tensor<1xi32>
    %4474 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4475 = stablehlo.reshape %4474 : (tensor<i32>) -> tensor<1xi32>
    %4476 = stablehlo.concatenate %4471, %4473, %4475, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4477 = stablehlo.dynamic_broadcast_in_dim %cst_14, %4476, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4478 = stablehlo.multiply %4477, %4369 : tensor<?x?x3072xf32>
    %4479 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4480 = stablehlo.reshape %4479 : (tensor<i32>) -> tensor<1xi32>
    %4481 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4482 = stablehlo.reshape %4481 : (tensor<i32>) -> tensor<1xi32>
    %4483 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4484 = stablehlo.reshape %4483 : (tensor<i32>) -> tensor<1xi32>
    %4485 = stablehlo.concatenate %4480, %4482, %4484, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4486 = stablehlo.dynamic_broadcast_in_dim %cst_13, %4485, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4487 = stablehlo.add %4478, %4486 : tensor<?x?x3072xf32>
    %4488 = stablehlo.multiply %4487, %4369 : tensor<?x?x3072xf32>
    %4489 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4490 = stablehlo.reshape %4489 : (tensor<i32>) -> tensor<1xi32>
    %4491 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4492 = stablehlo.reshape %4491 : (tensor<i32>) -> tensor<1xi32>
    %4493 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4494 = stablehlo.reshape %4493 : (tensor<i32>) -> tensor<1xi32>
    %4495 = stablehlo.concatenate %4490, %4492, %4494, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4496 = stablehlo.dynamic_broadcast_in_dim %cst_12, %4495, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4497 = stablehlo.add %4488, %4496 : tensor<?x?x3072xf32>
    %4498 = stablehlo.multiply %4497, %4369 : tensor<?x?x3072xf32>
    %4499 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4500 = stablehlo.reshape %4499 : (tensor<i32>) -> tensor<1xi32>
    %4501 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4502 = stablehlo.reshape %4501 : (tensor<i32>) -> tensor<1xi32>
    %4503 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4504 = stablehlo.reshape %4503 : (tensor<i32>) -> tensor<1xi32>
    %4505 = stablehlo.concatenate %4500, %4502, %4504, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4506 = stablehlo.dynamic_broadcast_in_dim %cst_11, %4505, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4507 = stablehlo.add %4498, %4506 : tensor<?x?x3072xf32>
    %4508 = stablehlo.multiply %4507, %4369 : tensor<?x?x3072xf32>
    %4509 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4510 = stablehlo.reshape %4509 : (tensor<i32>) -> tensor<1xi32>
    %4511 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4512 = stablehlo.reshape %4511 : (tensor<i32>) -> tensor<1xi32>
    %4513 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4514 = stablehlo.reshape %4513 : (tensor<i32>) -> tensor<1xi32>
    %4515 = stablehlo.concatenate %4510, %4512, %4514, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4516 = stablehlo.dynamic_broadcast_in_dim %cst_10, %4515, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4517 = stablehlo.add %4508, %4516 : tensor<?x?x3072xf32>
    %4518 = stablehlo.multiply %4517, %4369 : tensor<?x?x3072xf32>
    %4519 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4520 = stablehlo.reshape %4519 : (tensor<i32>) -> tensor<1xi32>
    %4521 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4522 = stablehlo.reshape %4521 : (tensor<i32>) -> tensor<1xi32>
    %4523 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4524 = stablehlo.reshape %4523 : (tensor<i32>) -> tensor<1xi32>
    %4525 = stablehlo.concatenate %4520, %4522, %4524, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4526 = stablehlo.dynamic_broadcast_in_dim %cst_9, %4525, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4527 = stablehlo.add %4518, %4526 : tensor<?x?x3072xf32>
    %4528 = stablehlo.multiply %4527, %4369 : tensor<?x?x3072xf32>
    %4529 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4530 = stablehlo.reshape %4529 : (tensor<i32>) -> tensor<1xi32>
    %4531 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4532 = stablehlo.reshape %4531 : (tensor<i32>) -> tensor<1xi32>
    %4533 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4534 = stablehlo.reshape %4533 : (tensor<i32>) -> tensor<1xi32>
    %4535 = stablehlo.concatenate %4530, %4532, %4534, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4536 = stablehlo.dynamic_broadcast_in_dim %cst_8, %4535, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4537 = stablehlo.add %4528, %4536 : tensor<?x?x3072xf32>
    %4538 = stablehlo.multiply %4537, %4369 : tensor<?x?x3072xf32>
    %4539 = stablehlo.get_dimension_size %4369, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4540 = stablehlo.reshape %4539 : (tensor<i32>) -> tensor<1xi32>
    %4541 = stablehlo.get_dimension_size %4369, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4542 = stablehlo.reshape %4541 : (tensor<i32>) -> tensor<1xi32>
    %4543 = stablehlo.get_dimension_size %4369, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4544 = stablehlo.reshape %4543 : (tensor<i32>) -> tensor<1xi32>
    %4545 = stablehlo.concatenate %4540, %4542, %4544, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4546 = stablehlo.dynamic_broadcast_in_dim %cst_7, %4545, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4547 = stablehlo.add %4538, %4546 : tensor<?x?x3072xf32>
    %4548 = stablehlo.select %4381, %4469, %4547 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %4549 = stablehlo.multiply %4372, %4548 : tensor<?x?x3072xf32>
    %4550 = stablehlo.get_dimension_size %4357, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4551 = stablehlo.reshape %4550 : (tensor<i32>) -> tensor<1xi32>
    %4552 = stablehlo.get_dimension_size %4357, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4553 = stablehlo.reshape %4552 : (tensor<i32>) -> tensor<1xi32>
    %4554 = stablehlo.get_dimension_size %4357, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4555 = stablehlo.reshape %4554 : (tensor<i32>) -> tensor<1xi32>
    %4556 = stablehlo.concatenate %4551, %4553, %4555, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4557 = stablehlo.dynamic_broadcast_in_dim %cst_6, %4556, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4558 = stablehlo.compare LT, %4359, %4557 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %4559 = stablehlo.get_dimension_size %4357, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4560 = stablehlo.reshape %4559 : (tensor<i32>) -> tensor<1xi32>
    %4561 = stablehlo.get_dimension_size %4357, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4562 = stablehlo.reshape %4561 : (tensor<i32>) -> tensor<1xi32>
    %4563 = stablehlo.get_dimension_size %4357, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4564 = stablehlo.reshape %4563 : (tensor<i32>) -> tensor<1xi32>
    %4565 = stablehlo.concatenate %4560, %4562, %4564, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4566 = stablehlo.dynamic_broadcast_in_dim %cst_30, %4565, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4567 = stablehlo.select %4558, %4566, %4549 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %4568 = stablehlo.compare LT, %4357, %4566 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %4569 = stablehlo.subtract %4380, %4567 : tensor<?x?x3072xf32>
    %4570 = stablehlo.select %4568, %4569, %4567 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %4571 = stablehlo.get_dimension_size %4357, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4572 = stablehlo.reshape %4571 : (tensor<i32>) -> tensor<1xi32>
    %4573 = stablehlo.get_dimension_size %4357, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4574 = stablehlo.reshape %4573 : (tensor<i32>) -> tensor<1xi32>
    %4575 = stablehlo.get_dimension_size %4357, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4576 = stablehlo.reshape %4575 : (tensor<i32>) -> tensor<1xi32>
    %4577 = stablehlo.concatenate %4572, %4574, %4576, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4578 = stablehlo.dynamic_broadcast_in_dim %cst_25, %4577, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4579 = stablehlo.multiply %4357, %4357 : tensor<?x?x3072xf32>
    %4580 = stablehlo.get_dimension_size %4579, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4581 = stablehlo.reshape %4580 : (tensor<i32>) -> tensor<1xi32>
    %4582 = stablehlo.get_dimension_size %4579, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4583 = stablehlo.reshape %4582 : (tensor<i32>) -> tensor<1xi32>
    %4584 = stablehlo.get_dimension_size %4579, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4585 = stablehlo.reshape %4584 : (tensor<i32>) -> tensor<1xi32>
    %4586 = stablehlo.concatenate %4581, %4583, %4585, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4587 = stablehlo.dynamic_broadcast_in_dim %cst_5, %4586, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4588 = stablehlo.multiply %4587, %4579 : tensor<?x?x3072xf32>
    %4589 = stablehlo.get_dimension_size %4579, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4590 = stablehlo.reshape %4589 : (tensor<i32>) -> tensor<1xi32>
    %4591 = stablehlo.get_dimension_size %4579, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4592 = stablehlo.reshape %4591 : (tensor<i32>) -> tensor<1xi32>
    %4593 = stablehlo.get_dimension_size %4579, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4594 = stablehlo.reshape %4593 : (tensor<i32>) -> tensor<1xi32>
    %4595 = stablehlo.concatenate %4590, %4592, %4594, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4596 = stablehlo.dynamic_broadcast_in_dim %cst_4, %4595, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4597 = stablehlo.add %4588, %4596 : tensor<?x?x3072xf32>
    %4598 = stablehlo.multiply %4597, %4579 : tensor<?x?x3072xf32>
    %4599 = stablehlo.get_dimension_size %4579, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4600 = stablehlo.reshape %4599 : (tensor<i32>) -> tensor<1xi32>
    %4601 = stablehlo.get_dimension_size %4579, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4602 = stablehlo.reshape %4601 : (tensor<i32>) -> tensor<1xi32>
    %4603 = stablehlo.get_dimension_size %4579, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4604 = stablehlo.reshape %4603 : (tensor<i32>) -> tensor<1xi32>
    %4605 = stablehlo.concatenate %4600, %4602, %4604, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4606 = stablehlo.dynamic_broadcast_in_dim %cst_3, %4605, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4607 = stablehlo.add %4598, %4606 : tensor<?x?x3072xf32>
    %4608 = stablehlo.multiply %4607, %4579 : tensor<?x?x3072xf32>
    %4609 = stablehlo.get_dimension_size %4579, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4610 = stablehlo.reshape %4609 : (tensor<i32>) -> tensor<1xi32>
    %4611 = stablehlo.get_dimension_size %4579, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4612 = stablehlo.reshape %4611 : (tensor<i32>) -> tensor<1xi32>
    %4613 = stablehlo.get_dimension_size %4579, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4614 = stablehlo.reshape %4613 : (tensor<i32>) -> tensor<1xi32>
    %4615 = stablehlo.concatenate %4610, %4612, %4614, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4616 = stablehlo.dynamic_broadcast_in_dim %cst_2, %4615, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4617 = stablehlo.add %4608, %4616 : tensor<?x?x3072xf32>
    %4618 = stablehlo.multiply %4617, %4579 : tensor<?x?x3072xf32>
    %4619 = stablehlo.get_dimension_size %4579, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4620 = stablehlo.reshape %4619 : (tensor<i32>) -> tensor<1xi32>
    %4621 = stablehlo.get_dimension_size %4579, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4622 = stablehlo.reshape %4621 : (tensor<i32>) -> tensor<1xi32>
    %4623 = stablehlo.get_dimension_size %4579, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4624 = stablehlo.reshape %4623 : (tensor<i32>) -> tensor<1xi32>
    %4625 = stablehlo.concatenate %4620, %4622, %4624, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4626 = stablehlo.dynamic_broadcast_in_dim %cst_1, %4625, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4627 = stablehlo.add %4618, %4626 : tensor<?x?x3072xf32>
    %4628 = stablehlo.multiply %4627, %4579 : tensor<?x?x3072xf32>
    %4629 = stablehlo.get_dimension_size %4579, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4630 = stablehlo.reshape %4629 : (tensor<i32>) -> tensor<1xi32>
    %4631 = stablehlo.get_dimension_size %4579, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4632 = stablehlo.reshape %4631 : (tensor<i32>) -> tensor<1xi32>
    %4633 = stablehlo.get_dimension_size %4579, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4634 = stablehlo.reshape %4633 : (tensor<i32>) -> tensor<1xi32>
    %4635 = stablehlo.concatenate %4630, %4632, %4634, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4636 = stablehlo.dynamic_broadcast_in_dim %cst_0, %4635, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4637 = stablehlo.add %4628, %4636 : tensor<?x?x3072xf32>
    %4638 = stablehlo.multiply %4637, %4579 : tensor<?x?x3072xf32>
    %4639 = stablehlo.get_dimension_size %4579, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4640 = stablehlo.reshape %4639 : (tensor<i32>) -> tensor<1xi32>
    %4641 = stablehlo.get_dimension_size %4579, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4642 = stablehlo.reshape %4641 : (tensor<i32>) -> tensor<1xi32>
    %4643 = stablehlo.get_dimension_size %4579, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4644 = stablehlo.reshape %4643 : (tensor<i32>) -> tensor<1xi32>
    %4645 = stablehlo.concatenate %4640, %4642, %4644, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4646 = stablehlo.dynamic_broadcast_in_dim %cst, %4645, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4647 = stablehlo.add %4638, %4646 : tensor<?x?x3072xf32>
    %4648 = stablehlo.multiply %4357, %4647 : tensor<?x?x3072xf32>
    %4649 = stablehlo.subtract %4578, %4648 : tensor<?x?x3072xf32>
    %4650 = stablehlo.abs %4357 : tensor<?x?x3072xf32>
    %4651 = stablehlo.compare LT, %4650, %4578 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %4652 = stablehlo.select %4651, %4649, %4570 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %4653 = stablehlo.multiply %4351, %4652 : tensor<?x?x3072xf32>
    %4654 = stablehlo.dot_general %4653, %arg107, contracting_dims = [2] x [0] : (tensor<?x?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x?x768xf32>
    %4655 = stablehlo.broadcast_in_dim %arg103, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %4656 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4657 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4658 = stablehlo.concatenate %4656, %4657, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4659 = stablehlo.dynamic_broadcast_in_dim %4655, %4658, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4660 = stablehlo.add %4654, %4659 : tensor<?x?x768xf32>
    %4661 = stablehlo.add %4339, %4660 : tensor<?x?x768xf32>
    %4662 = stablehlo.reduce(%4661 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %4663 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4664 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4665 = stablehlo.concatenate %4663, %4664, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4666 = stablehlo.dynamic_broadcast_in_dim %4662, %4665, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4667 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4668 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4669 = stablehlo.concatenate %4667, %4668, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4670 = stablehlo.dynamic_broadcast_in_dim %cst_29, %4669, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4671 = stablehlo.divide %4666, %4670 : tensor<?x?x1xf32>
    %4672 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4673 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4674 = stablehlo.concatenate %4672, %4673, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4675 = stablehlo.dynamic_broadcast_in_dim %4671, %4674, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4676 = stablehlo.subtract %4661, %4675 : tensor<?x?x768xf32>
    %4677 = stablehlo.multiply %4676, %4676 : tensor<?x?x768xf32>
    %4678 = stablehlo.reduce(%4677 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %4679 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4680 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4681 = stablehlo.concatenate %4679, %4680, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4682 = stablehlo.dynamic_broadcast_in_dim %4678, %4681, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4683 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4684 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4685 = stablehlo.concatenate %4683, %4684, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4686 = stablehlo.dynamic_broadcast_in_dim %cst_29, %4685, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4687 = stablehlo.divide %4682, %4686 : tensor<?x?x1xf32>
    %4688 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4689 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4690 = stablehlo.concatenate %4688, %4689, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4691 = stablehlo.dynamic_broadcast_in_dim %4671, %4690, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4692 = stablehlo.subtract %4661, %4691 : tensor<?x?x768xf32>
    %4693 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4694 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4695 = stablehlo.concatenate %4693, %4694, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4696 = stablehlo.dynamic_broadcast_in_dim %cst_28, %4695, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4697 = stablehlo.add %4687, %4696 : tensor<?x?x1xf32>
    %4698 = stablehlo.rsqrt %4697 : tensor<?x?x1xf32>
    %4699 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4700 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4701 = stablehlo.concatenate %4699, %4700, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4702 = stablehlo.dynamic_broadcast_in_dim %4698, %4701, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4703 = stablehlo.multiply %4692, %4702 : tensor<?x?x768xf32>
    %4704 = stablehlo.broadcast_in_dim %arg105, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %4705 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4706 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4707 = stablehlo.concatenate %4705, %4706, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4708 = stablehlo.dynamic_broadcast_in_dim %4704, %4707, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4709 = stablehlo.multiply %4703, %4708 : tensor<?x?x768xf32>
    %4710 = stablehlo.broadcast_in_dim %arg99, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %4711 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4712 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4713 = stablehlo.concatenate %4711, %4712, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4714 = stablehlo.dynamic_broadcast_in_dim %4710, %4713, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4715 = stablehlo.add %4709, %4714 : tensor<?x?x768xf32>
    %4716 = stablehlo.dot_general %4715, %arg121, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
    %4717 = stablehlo.broadcast_in_dim %arg113, dims = [2] : (tensor<2304xf32>) -> tensor<1x1x2304xf32>
    %4718 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4719 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4720 = stablehlo.concatenate %4718, %4719, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4721 = stablehlo.dynamic_broadcast_in_dim %4717, %4720, dims = [0, 1, 2] : (tensor<1x1x2304xf32>, tensor<3xi32>) -> tensor<?x?x2304xf32>
    %4722 = stablehlo.add %4716, %4721 : tensor<?x?x2304xf32>
    %4723 = stablehlo.concatenate %c_39, %c_39, %c_39, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4724 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4725 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4726 = stablehlo.concatenate %4724, %4725, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4727 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4728 = stablehlo.real_dynamic_slice %4722, %4723, %4726, %4727 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4729 = stablehlo.concatenate %c_39, %c_39, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4730 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4731 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4732 = stablehlo.concatenate %4730, %4731, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4733 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4734 = stablehlo.real_dynamic_slice %4722, %4729, %4732, %4733 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4735 = stablehlo.concatenate %c_39, %c_39, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4736 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4737 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4738 = stablehlo.concatenate %4736, %4737, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4739 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4740 = stablehlo.real_dynamic_slice %4722, %4735, %4738, %4739 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4741 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4742 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4743 = stablehlo.concatenate %4741, %4742, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4744 = stablehlo.dynamic_reshape %4728, %4743 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %4745 = stablehlo.transpose %4744, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %4746 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4747 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4748 = stablehlo.concatenate %4746, %4747, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4749 = stablehlo.dynamic_reshape %4734, %4748 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %4750 = stablehlo.transpose %4749, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %4751 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4752 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4753 = stablehlo.concatenate %4751, %4752, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4754 = stablehlo.dynamic_reshape %4740, %4753 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %4755 = stablehlo.transpose %4754, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %4756 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4757 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4758 = stablehlo.concatenate %4756, %c_37, %c_37, %4757, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4759 = stablehlo.dynamic_broadcast_in_dim %arg147, %4758, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
    %4760 = stablehlo.dot_general %4745, %4750, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x?x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x?xf32>
    %4761 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4762 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4763 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4764 = stablehlo.concatenate %4761, %c_35, %4762, %4763, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4765 = stablehlo.dynamic_broadcast_in_dim %cst_33, %4764, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %4766 = stablehlo.divide %4760, %4765 : tensor<?x12x?x?xf32>
    %4767 = call @_where(%arg0, %arg1, %4759, %4766, %cst_32) : (tensor<i32>, tensor<i32>, tensor<?x1x1x?xi1>, tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?x?xf32>
    %4768 = stablehlo.reduce(%4767 init: %cst_31) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %4769 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4770 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4771 = stablehlo.concatenate %4769, %c_35, %4770, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4772 = stablehlo.dynamic_broadcast_in_dim %cst_31, %4771, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x?xf32>
    %4773 = stablehlo.maximum %4772, %4768 : tensor<?x12x?xf32>
    %4774 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4775 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4776 = stablehlo.concatenate %4774, %c_35, %4775, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4777 = stablehlo.dynamic_broadcast_in_dim %4773, %4776, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %4778 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4779 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4780 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4781 = stablehlo.concatenate %4778, %c_35, %4779, %4780, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4782 = stablehlo.dynamic_broadcast_in_dim %4777, %4781, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %4783 = stablehlo.subtract %4767, %4782 : tensor<?x12x?x?xf32>
    %4784 = stablehlo.exponential %4783 : tensor<?x12x?x?xf32>
    %4785 = stablehlo.reduce(%4784 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %4786 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4787 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4788 = stablehlo.concatenate %4786, %c_35, %4787, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4789 = stablehlo.dynamic_broadcast_in_dim %4785, %4788, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %4790 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4791 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4792 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4793 = stablehlo.concatenate %4790, %c_35, %4791, %4792, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %4794 = stablehlo.dynamic_broadcast_in_dim %4789, %4793, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %4795 = stablehlo.divide %4784, %4794 : tensor<?x12x?x?xf32>
    %4796 = stablehlo.dot_general %4795, %4755, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x64xf32>
    %4797 = stablehlo.transpose %4796, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
    %4798 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4799 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4800 = stablehlo.concatenate %4798, %4799, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4801 = stablehlo.dynamic_reshape %4797, %4800 : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4802 = stablehlo.dot_general %4801, %arg120, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x768xf32>) -> tensor<?x?x768xf32>
    %4803 = stablehlo.add %4715, %4802 : tensor<?x?x768xf32>
    %4804 = stablehlo.broadcast_in_dim %arg112, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %4805 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4806 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4807 = stablehlo.concatenate %4805, %4806, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4808 = stablehlo.dynamic_broadcast_in_dim %4804, %4807, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4809 = stablehlo.add %4803, %4808 : tensor<?x?x768xf32>
    %4810 = stablehlo.reduce(%4809 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %4811 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4812 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4813 = stablehlo.concatenate %4811, %4812, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4814 = stablehlo.dynamic_broadcast_in_dim %4810, %4813, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4815 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4816 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4817 = stablehlo.concatenate %4815, %4816, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4818 = stablehlo.dynamic_broadcast_in_dim %cst_29, %4817, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4819 = stablehlo.divide %4814, %4818 : tensor<?x?x1xf32>
    %4820 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4821 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4822 = stablehlo.concatenate %4820, %4821, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4823 = stablehlo.dynamic_broadcast_in_dim %4819, %4822, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4824 = stablehlo.subtract %4809, %4823 : tensor<?x?x768xf32>
    %4825 = stablehlo.multiply %4824, %4824 : tensor<?x?x768xf32>
    %4826 = stablehlo.reduce(%4825 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %4827 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4828 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4829 = stablehlo.concatenate %4827, %4828, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4830 = stablehlo.dynamic_broadcast_in_dim %4826, %4829, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4831 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4832 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4833 = stablehlo.concatenate %4831, %4832, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4834 = stablehlo.dynamic_broadcast_in_dim %cst_29, %4833, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4835 = stablehlo.divide %4830, %4834 : tensor<?x?x1xf32>
    %4836 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4837 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4838 = stablehlo.concatenate %4836, %4837, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4839 = stablehlo.dynamic_broadcast_in_dim %4819, %4838, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4840 = stablehlo.subtract %4809, %4839 : tensor<?x?x768xf32>
    %4841 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4842 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4843 = stablehlo.concatenate %4841, %4842, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4844 = stablehlo.dynamic_broadcast_in_dim %cst_28, %4843, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %4845 = stablehlo.add %4835, %4844 : tensor<?x?x1xf32>
    %4846 = stablehlo.rsqrt %4845 : tensor<?x?x1xf32>
    %4847 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4848 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4849 = stablehlo.concatenate %4847, %4848, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4850 = stablehlo.dynamic_broadcast_in_dim %4846, %4849, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4851 = stablehlo.multiply %4840, %4850 : tensor<?x?x768xf32>
    %4852 = stablehlo.broadcast_in_dim %arg116, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %4853 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4854 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4855 = stablehlo.concatenate %4853, %4854, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4856 = stablehlo.dynamic_broadcast_in_dim %4852, %4855, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4857 = stablehlo.multiply %4851, %4856 : tensor<?x?x768xf32>
    %4858 = stablehlo.broadcast_in_dim %arg110, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %4859 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4860 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4861 = stablehlo.concatenate %4859, %4860, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4862 = stablehlo.dynamic_broadcast_in_dim %4858, %4861, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %4863 = stablehlo.add %4857, %4862 : tensor<?x?x768xf32>
    %4864 = stablehlo.dot_general %4863, %arg118, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x3072xf32>) -> tensor<?x?x3072xf32>
    %4865 = stablehlo.broadcast_in_dim %arg114, dims = [2] : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %4866 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4867 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4868 = stablehlo.concatenate %4866, %4867, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4869 = stablehlo.dynamic_broadcast_in_dim %4865, %4868, dims = [0, 1, 2] : (tensor<1x1x3072xf32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4870 = stablehlo.add %4864, %4869 : tensor<?x?x3072xf32>
    %4871 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4872 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4873 = stablehlo.concatenate %4871, %4872, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4874 = stablehlo.dynamic_broadcast_in_dim %cst_27, %4873, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4875 = stablehlo.multiply %4874, %4870 : tensor<?x?x3072xf32>
    %4876 = stablehlo.negate %4870 : tensor<?x?x3072xf32>
    %4877 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4878 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %4879 = stablehlo.concatenate %4877, %4878, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4880 = stablehlo.dynamic_broadcast_in_dim %cst_26, %4879, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4881 = stablehlo.multiply %4876, %4880 : tensor<?x?x3072xf32>
    %4882 = stablehlo.multiply %4881, %4881 : tensor<?x?x3072xf32>
    %4883 = stablehlo.negate %4882 : tensor<?x?x3072xf32>
    %4884 = stablehlo.abs %4881 : tensor<?x?x3072xf32>
    %4885 = stablehlo.get_dimension_size %4881, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4886 = stablehlo.reshape %4885 : (tensor<i32>) -> tensor<1xi32>
    %4887 = stablehlo.get_dimension_size %4881, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4888 = stablehlo.reshape %4887 : (tensor<i32>) -> tensor<1xi32>
    %4889 = stablehlo.get_dimension_size %4881, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4890 = stablehlo.reshape %4889 : (tensor<i32>) -> tensor<1xi32>
    %4891 = stablehlo.concatenate %4886, %4888, %4890, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4892 = stablehlo.dynamic_broadcast_in_dim %cst_25, %4891, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4893 = stablehlo.divide %4892, %4882 : tensor<?x?x3072xf32>
    %4894 = stablehlo.exponential %4883 : tensor<?x?x3072xf32>
    %4895 = stablehlo.divide %4892, %4884 : tensor<?x?x3072xf32>
    %4896 = stablehlo.multiply %4894, %4895 : tensor<?x?x3072xf32>
    %4897 = stablehlo.get_dimension_size %4881, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4898 = stablehlo.reshape %4897 : (tensor<i32>) -> tensor<1xi32>
    %4899 = stablehlo.get_dimension_size %4881, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4900 = stablehlo.reshape %4899 : (tensor<i32>) -> tensor<1xi32>
    %4901 = stablehlo.get_dimension_size %4881, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4902 = stablehlo.reshape %4901 : (tensor<i32>) -> tensor<1xi32>
    %4903 = stablehlo.concatenate %4898, %4900, %4902, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4904 = stablehlo.dynamic_broadcast_in_dim %cst_24, %4903, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4905 = stablehlo.compare LT, %4884, %4904 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %4906 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4907 = stablehlo.reshape %4906 : (tensor<i32>) -> tensor<1xi32>
    %4908 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4909 = stablehlo.reshape %4908 : (tensor<i32>) -> tensor<1xi32>
    %4910 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4911 = stablehlo.reshape %4910 : (tensor<i32>) -> tensor<1xi32>
    %4912 = stablehlo.concatenate %4907, %4909, %4911, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4913 = stablehlo.dynamic_broadcast_in_dim %cst_23, %4912, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4914 = stablehlo.multiply %4913, %4893 : tensor<?x?x3072xf32>
    %4915 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4916 = stablehlo.reshape %4915 : (tensor<i32>) -> tensor<1xi32>
    %4917 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4918 = stablehlo.reshape %4917 : (tensor<i32>) -> tensor<1xi32>
    %4919 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4920 = stablehlo.reshape %4919 : (tensor<i32>) -> tensor<1xi32>
    %4921 = stablehlo.concatenate %4916, %4918, %4920, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4922 = stablehlo.dynamic_broadcast_in_dim %cst_22, %4921, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4923 = stablehlo.add %4914, %4922 : tensor<?x?x3072xf32>
    %4924 = stablehlo.multiply %4923, %4893 : tensor<?x?x3072xf32>
    %4925 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4926 = stablehlo.reshape %4925 : (tensor<i32>) -> tensor<1xi32>
    %4927 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4928 = stablehlo.reshape %4927 : (tensor<i32>) -> tensor<1xi32>
    %4929 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4930 = stablehlo.reshape %4929 : (tensor<i32>) -> tensor<1xi32>
    %4931 = stablehlo.concatenate %4926, %4928, %4930, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4932 = stablehlo.dynamic_broadcast_in_dim %cst_21, %4931, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4933 = stablehlo.add %4924, %4932 : tensor<?x?x3072xf32>
    %4934 = stablehlo.multiply %4933, %4893 : tensor<?x?x3072xf32>
    %4935 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4936 = stablehlo.reshape %4935 : (tensor<i32>) -> tensor<1xi32>
    %4937 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4938 = stablehlo.reshape %4937 : (tensor<i32>) -> tensor<1xi32>
    %4939 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4940 = stablehlo.reshape %4939 : (tensor<i32>) -> tensor<1xi32>
    %4941 = stablehlo.concatenate %4936, %4938, %4940, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4942 = stablehlo.dynamic_broadcast_in_dim %cst_20, %4941, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4943 = stablehlo.add %4934, %4942 : tensor<?x?x3072xf32>
    %4944 = stablehlo.multiply %4943, %4893 : tensor<?x?x3072xf32>
    %4945 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4946 = stablehlo.reshape %4945 : (tensor<i32>) -> tensor<1xi32>
    %4947 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4948 = stablehlo.reshape %4947 : (tensor<i32>) -> tensor<1xi32>
    %4949 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4950 = stablehlo.reshape %4949 : (tensor<i32>) -> tensor<1xi32>
    %4951 = stablehlo.concatenate %4946, %4948, %4950, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4952 = stablehlo.dynamic_broadcast_in_dim %cst_19, %4951, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4953 = stablehlo.add %4944, %4952 : tensor<?x?x3072xf32>
    %4954 = stablehlo.multiply %4953, %4893 : tensor<?x?x3072xf32>
    %4955 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4956 = stablehlo.reshape %4955 : (tensor<i32>) -> tensor<1xi32>
    %4957 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4958 = stablehlo.reshape %4957 : (tensor<i32>) -> tensor<1xi32>
    %4959 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4960 = stablehlo.reshape %4959 : (tensor<i32>) -> tensor<1xi32>
    %4961 = stablehlo.concatenate %4956, %4958, %4960, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4962 = stablehlo.dynamic_broadcast_in_dim %cst_18, %4961, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4963 = stablehlo.add %4954, %4962 : tensor<?x?x3072xf32>
    %4964 = stablehlo.multiply %4963, %4893 : tensor<?x?x3072xf32>
    %4965 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4966 = stablehlo.reshape %4965 : (tensor<i32>) -> tensor<1xi32>
    %4967 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4968 = stablehlo.reshape %4967 : (tensor<i32>) -> tensor<1xi32>
    %4969 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4970 = stablehlo.reshape %4969 : (tensor<i32>) -> tensor<1xi32>
    %4971 = stablehlo.concatenate %4966, %4968, %4970, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4972 = stablehlo.dynamic_broadcast_in_dim %cst_17, %4971, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4973 = stablehlo.add %4964, %4972 : tensor<?x?x3072xf32>
    %4974 = stablehlo.multiply %4973, %4893 : tensor<?x?x3072xf32>
    %4975 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4976 = stablehlo.reshape %4975 : (tensor<i32>) -> tensor<1xi32>
    %4977 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4978 = stablehlo.reshape %4977 : (tensor<i32>) -> tensor<1xi32>
    %4979 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4980 = stablehlo.reshape %4979 : (tensor<i32>) -> tensor<1xi32>
    %4981 = stablehlo.concatenate %4976, %4978, %4980, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4982 = stablehlo.dynamic_broadcast_in_dim %cst_16, %4981, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4983 = stablehlo.add %4974, %4982 : tensor<?x?x3072xf32>
    %4984 = stablehlo.multiply %4983, %4893 : tensor<?x?x3072xf32>
    %4985 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4986 = stablehlo.reshape %4985 : (tensor<i32>) -> tensor<1xi32>
    %4987 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4988 = stablehlo.reshape %4987 : (tensor<i32>) -> tensor<1xi32>
    %4989 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4990 = stablehlo.reshape %4989 : (tensor<i32>) -> tensor<1xi32>
    %4991 = stablehlo.concatenate %4986, %4988, %4990, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4992 = stablehlo.dynamic_broadcast_in_dim %cst_15, %4991, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %4993 = stablehlo.add %4984, %4992 : tensor<?x?x3072xf32>
    %4994 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4995 = stablehlo.reshape %4994 : (tensor<i32>) -> tensor<1xi32>
    %4996 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4997 = stablehlo.reshape %4996 : (tensor<i32>) -> tensor<1xi32>
    %4998 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %4999 = stablehlo.reshape %4998 : (tensor<i32>) -> tensor<1xi32>
    %5000 = stablehlo.concatenate %4995, %4997, %4999, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5001 = stablehlo.dynamic_broadcast_in_dim %cst_14, %5000, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5002 = stablehlo.multiply %5001, %4893 : tensor<?x?x3072xf32>
    %5003 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5004 = stablehlo.reshape %5003 : (tensor<i32>) -> tensor<1xi32>
    %5005 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5006 = stablehlo.reshape %5005 : (tensor<i32>) -> tensor<1xi32>
    %5007 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5008 = stablehlo.reshape %5007 : (tensor<i32>) -> tensor<1xi32>
    %5009 = stablehlo.concatenate %5004, %5006, %5008, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5010 = stablehlo.dynamic_broadcast_in_dim %cst_13, %5009, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5011 = stablehlo.add %5002, %5010 : tensor<?x?x3072xf32>
    %5012 = stablehlo.multiply %5011, %4893 : tensor<?x?x3072xf32>
    %5013 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5014 = stablehlo.reshape %5013 : (tensor<i32>) -> tensor<1xi32>
    %5015 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5016 = stablehlo.reshape %5015 : (tensor<i32>) -> tensor<1xi32>
    %5017 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5018 = stablehlo.reshape %5017 : (tensor<i32>) -> tensor<1xi32>
    %5019 = stablehlo.concatenate %5014, %5016, %5018, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5020 = stablehlo.dynamic_broadcast_in_dim %cst_12, %5019, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5021 = stablehlo.add %5012, %5020 : tensor<?x?x3072xf32>
    %5022 = stablehlo.multiply %5021, %4893 : tensor<?x?x3072xf32>
    %5023 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5024 = stablehlo.reshape %5023 : (tensor<i32>) -> tensor<1xi32>
    %5025 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5026 = stablehlo.reshape %5025 : (tensor<i32>) -> tensor<1xi32>
    %5027 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5028 = stablehlo.reshape %5027 : (tensor<i32>) -> tensor<1xi32>
    %5029 = stablehlo.concatenate %5024, %5026, %5028, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5030 = stablehlo.dynamic_broadcast_in_dim %cst_11, %5029, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5031 = stablehlo.add %5022, %5030 : tensor<?x?x3072xf32>
    %5032 = stablehlo.multiply %5031, %4893 : tensor<?x?x3072xf32>
    %5033 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5034 = stablehlo.reshape %5033 : (tensor<i32>) -> tensor<1xi32>
    %5035 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5036 = stablehlo.reshape %5035 : (tensor<i32>) -> tensor<1xi32>
    %5037 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5038 = stablehlo.reshape %5037 : (tensor<i32>) -> tensor<1xi32>
    %5039 = stablehlo.concatenate %5034, %5036, %5038, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5040 = stablehlo.dynamic_broadcast_in_dim %cst_10, %5039, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5041 = stablehlo.add %5032, %5040 : tensor<?x?x3072xf32>
    %5042 = stablehlo.multiply %5041, %4893 : tensor<?x?x3072xf32>
    %5043 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5044 = stablehlo.reshape %5043 : (tensor<i32>) -> tensor<1xi32>
    %5045 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5046 = stablehlo.reshape %5045 : (tensor<i32>) -> tensor<1xi32>
    %5047 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5048 = stablehlo.reshape %5047 : (tensor<i32>) -> tensor<1xi32>
    %5049 = stablehlo.concatenate %5044, %5046, %5048, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5050 = stablehlo.dynamic_broadcast_in_dim %cst_9, %5049, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5051 = stablehlo.add %5042, %5050 : tensor<?x?x3072xf32>
    %5052 = stablehlo.multiply %5051, %4893 : tensor<?x?x3072xf32>
    %5053 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5054 = stablehlo.reshape %5053 : (tensor<i32>) -> tensor<1xi32>
    %5055 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5056 = stablehlo.reshape %5055 : (tensor<i32>) -> tensor<1xi32>
    %5057 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5058 = stablehlo.reshape %5057 : (tensor<i32>) -> tensor<1xi32>
    %5059 = stablehlo.concatenate %5054, %5056, %5058, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5060 = stablehlo.dynamic_broadcast_in_dim %cst_8, %5059, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5061 = stablehlo.add %5052, %5060 : tensor<?x?x3072xf32>
    %5062 = stablehlo.multiply %5061, %4893 : tensor<?x?x3072xf32>
    %5063 = stablehlo.get_dimension_size %4893, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5064 = stablehlo.reshape %5063 : (tensor<i32>) -> tensor<1xi32>
    %5065 = stablehlo.get_dimension_size %4893, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5066 = stablehlo.reshape %5065 : (tensor<i32>) -> tensor<1xi32>
    %5067 = stablehlo.get_dimension_size %4893, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5068 = stablehlo.reshape %5067 : (tensor<i32>) -> tensor<1xi32>
    %5069 = stablehlo.concatenate %5064, %5066, %5068, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5070 = stablehlo.dynamic_broadcast_in_dim %cst_7, %5069, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5071 = stablehlo.add %5062, %5070 : tensor<?x?x3072xf32>
    %5072 = stablehlo.select %4905, %4993, %5071 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %5073 = stablehlo.multiply %4896, %5072 : tensor<?x?x3072xf32>
    %5074 = stablehlo.get_dimension_size %4881, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5075 = stablehlo.reshape %5074 : (tensor<i32>) -> tensor<1xi32>
    %5076 = stablehlo.get_dimension_size %4881, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5077 = stablehlo.reshape %5076 : (tensor<i32>) -> tensor<1xi32>
    %5078 = stablehlo.get_dimension_size %4881, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5079 = stablehlo.reshape %5078 : (tensor<i32>) -> tensor<1xi32>
    %5080 = stablehlo.concatenate %5075, %5077, %5079, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5081 = stablehlo.dynamic_broadcast_in_dim %cst_6, %5080, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5082 = stablehlo.compare LT, %4883, %5081 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %5083 = stablehlo.get_dimension_size %4881, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5084 = stablehlo.reshape %5083 : (tensor<i32>) -> tensor<1xi32>
    %5085 = stablehlo.get_dimension_size %4881, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5086 = stablehlo.reshape %5085 : (tensor<i32>) -> tensor<1xi32>
    %5087 = stablehlo.get_dimension_size %4881, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5088 = stablehlo.reshape %5087 : (tensor<i32>) -> tensor<1xi32>
    %5089 = stablehlo.concatenate %5084, %5086, %5088, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5090 = stablehlo.dynamic_broadcast_in_dim %cst_30, %5089, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5091 = stablehlo.select %5082, %5090, %5073 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %5092 = stablehlo.compare LT, %4881, %5090 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %5093 = stablehlo.subtract %4904, %5091 : tensor<?x?x3072xf32>
    %5094 = stablehlo.select %5092, %5093, %5091 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %5095 = stablehlo.get_dimension_size %4881, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5096 = stablehlo.reshape %5095 : (tensor<i32>) -> tensor<1xi32>
    %5097 = stablehlo.get_dimension_size %4881, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5098 = stablehlo.reshape %5097 : (tensor<i32>) -> tensor<1xi32>
    %5099 = stablehlo.get_dimension_size %4881, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5100 = stablehlo.reshape %5099 : (tensor<i32>) -> tensor<1xi32>
    %5101 = stablehlo.concatenate %5096, %5098, %5100, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5102 = stablehlo.dynamic_broadcast_in_dim %cst_25, %5101, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5103 = stablehlo.multiply %4881, %4881 : tensor<?x?x3072xf32>
    %5104 = stablehlo.get_dimension_size %5103, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5105 = stablehlo.reshape %5104 : (tensor<i32>) -> tensor<1xi32>
    %5106 = stablehlo.get_dimension_size %5103, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5107 = stablehlo.reshape %5106 : (tensor<i32>) -> tensor<1xi32>
    %5108 = stablehlo.get_dimension_size %5103, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5109 = stablehlo.reshape %5108 : (tensor<i32>) -> tensor<1xi32>
    %5110 = stablehlo.concatenate %5105, %5107, %5109, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5111 = stablehlo.dynamic_broadcast_in_dim %cst_5, %5110, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5112 = stablehlo.multiply %5111, %5103 : tensor<?x?x3072xf32>
    %5113 = stablehlo.get_dimension_size %5103, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5114 = stablehlo.reshape %5113 : (tensor<i32>) -> tensor<1xi32>
    %5115 = stablehlo.get_dimension_size %5103, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5116 = stablehlo.reshape %5115 : (tensor<i32>) -> tensor<1xi32>
    %5117 = stablehlo.get_dimension_size %5103, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5118 = stablehlo.reshape %5117 : (tensor<i32>) -> tensor<1xi32>
    %5119 = stablehlo.concatenate %5114, %5116, %5118, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5120 = stablehlo.dynamic_broadcast_in_dim %cst_4, %5119, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5121 = stablehlo.add %5112, %5120 : tensor<?x?x3072xf32>
    %5122 = stablehlo.multiply %5121, %5103 : tensor<?x?x3072xf32>
    %5123 = stablehlo.get_dimension_size %5103, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5124 = stablehlo.reshape %5123 : (tensor<i32>) -> tensor<1xi32>
    %5125 = stablehlo.get_dimension_size %5103, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5126 = stablehlo.reshape %5125 : (tensor<i32>) -> tensor<1xi32>
    %5127 = stablehlo.get_dimension_size %5103, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5128 = stablehlo.reshape %5127 : (tensor<i32>) -> tensor<1xi32>
    %5129 = stablehlo.concatenate %5124, %5126, %5128, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5130 = stablehlo.dynamic_broadcast_in_dim %cst_3, %5129, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5131 = stablehlo.add %5122, %5130 : tensor<?x?x3072xf32>
    %5132 = stablehlo.multiply %5131, %5103 : tensor<?x?x3072xf32>
    %5133 = stablehlo.get_dimension_size %5103, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5134 = stablehlo.reshape %5133 : (tensor<i32>) -> tensor<1xi32>
    %5135 = stablehlo.get_dimension_size %5103, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5136 = stablehlo.reshape %5135 : (tensor<i32>) -> tensor<1xi32>
    %5137 = stablehlo.get_dimension_size %5103, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5138 = stablehlo.reshape %5137 : (tensor<i32>) -> tensor<1xi32>
    %5139 = stablehlo.concatenate %5134, %5136, %5138, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5140 = stablehlo.dynamic_broadcast_in_dim %cst_2, %5139, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5141 = stablehlo.add %5132, %5140 : tensor<?x?x3072xf32>
    %5142 = stablehlo.multiply %5141, %5103 : tensor<?x?x3072xf32>
    %5143 = stablehlo.get_dimension_size %5103, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5144 = stablehlo.reshape %5143 : (tensor<i32>) -> tensor<1xi32>
    %5145 = stablehlo.get_dimension_size %5103, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5146 = stablehlo.reshape %5145 : (tensor<i32>) -> tensor<1xi32>
    %5147 = stablehlo.get_dimension_size %5103, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5148 = stablehlo.reshape %5147 : (tensor<i32>) -> tensor<1xi32>
    %5149 = stablehlo.concatenate %5144, %5146, %5148, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5150 = stablehlo.dynamic_broadcast_in_dim %cst_1, %5149, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5151 = stablehlo.add %5142, %5150 : tensor<?x?x3072xf32>
    %5152 = stablehlo.multiply %5151, %5103 : tensor<?x?x3072xf32>
    %5153 = stablehlo.get_dimension_size %5103, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5154 = stablehlo.reshape %5153 : (tensor<i32>) -> tensor<1xi32>
    %5155 = stablehlo.get_dimension_size %5103, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5156 = stablehlo.reshape %5155 : (tensor<i32>) -> tensor<1xi32>
    %5157 = stablehlo.get_dimension_size %5103, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5158 = stablehlo.reshape %5157 : (tensor<i32>) -> tensor<1xi32>
    %5159 = stablehlo.concatenate %5154, %5156, %5158, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5160 = stablehlo.dynamic_broadcast_in_dim %cst_0, %5159, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5161 = stablehlo.add %5152, %5160 : tensor<?x?x3072xf32>
    %5162 = stablehlo.multiply %5161, %5103 : tensor<?x?x3072xf32>
    %5163 = stablehlo.get_dimension_size %5103, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5164 = stablehlo.reshape %5163 : (tensor<i32>) -> tensor<1xi32>
    %5165 = stablehlo.get_dimension_size %5103, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5166 = stablehlo.reshape %5165 : (tensor<i32>) -> tensor<1xi32>
    %5167 = stablehlo.get_dimension_size %5103, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5168 = stablehlo.reshape %5167 : (tensor<i32>) -> tensor<1xi32>
    %5169 = stablehlo.concatenate %5164, %5166, %5168, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5170 = stablehlo.dynamic_broadcast_in_dim %cst, %5169, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5171 = stablehlo.add %5162, %5170 : tensor<?x?x3072xf32>
    %5172 = stablehlo.multiply %4881, %5171 : tensor<?x?x3072xf32>
    %5173 = stablehlo.subtract %5102, %5172 : tensor<?x?x3072xf32>
    %5174 = stablehlo.abs %4881 : tensor<?x?x3072xf32>
    %5175 = stablehlo.compare LT, %5174, %5102 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %5176 = stablehlo.select %5175, %5173, %5094 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %5177 = stablehlo.multiply %4875, %5176 : tensor<?x?x3072xf32>
    %5178 = stablehlo.dot_general %5177, %arg119, contracting_dims = [2] x [0] : (tensor<?x?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x?x768xf32>
    %5179 = stablehlo.broadcast_in_dim %arg115, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %5180 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5181 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5182 = stablehlo.concatenate %5180, %5181, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5183 = stablehlo.dynamic_broadcast_in_dim %5179, %5182, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5184 = stablehlo.add %5178, %5183 : tensor<?x?x768xf32>
    %5185 = stablehlo.add %4863, %5184 : tensor<?x?x768xf32>
    %5186 = stablehlo.reduce(%5185 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %5187 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5188 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5189 = stablehlo.concatenate %5187, %5188, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5190 = stablehlo.dynamic_broadcast_in_dim %5186, %5189, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5191 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5192 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5193 = stablehlo.concatenate %5191, %5192, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5194 = stablehlo.dynamic_broadcast_in_dim %cst_29, %5193, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5195 = stablehlo.divide %5190, %5194 : tensor<?x?x1xf32>
    %5196 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5197 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5198 = stablehlo.concatenate %5196, %5197, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5199 = stablehlo.dynamic_broadcast_in_dim %5195, %5198, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5200 = stablehlo.subtract %5185, %5199 : tensor<?x?x768xf32>
    %5201 = stablehlo.multiply %5200, %5200 : tensor<?x?x768xf32>
    %5202 = stablehlo.reduce(%5201 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %5203 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5204 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5205 = stablehlo.concatenate %5203, %5204, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5206 = stablehlo.dynamic_broadcast_in_dim %5202, %5205, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5207 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5208 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5209 = stablehlo.concatenate %5207, %5208, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5210 = stablehlo.dynamic_broadcast_in_dim %cst_29, %5209, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5211 = stablehlo.divide %5206, %5210 : tensor<?x?x1xf32>
    %5212 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5213 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5214 = stablehlo.concatenate %5212, %5213, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5215 = stablehlo.dynamic_broadcast_in_dim %5195, %5214, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5216 = stablehlo.subtract %5185, %5215 : tensor<?x?x768xf32>
    %5217 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5218 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5219 = stablehlo.concatenate %5217, %5218, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5220 = stablehlo.dynamic_broadcast_in_dim %cst_28, %5219, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5221 = stablehlo.add %5211, %5220 : tensor<?x?x1xf32>
    %5222 = stablehlo.rsqrt %5221 : tensor<?x?x1xf32>
    %5223 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5224 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5225 = stablehlo.concatenate %5223, %5224, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5226 = stablehlo.dynamic_broadcast_in_dim %5222, %5225, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5227 = stablehlo.multiply %5216, %5226 : tensor<?x?x768xf32>
    %5228 = stablehlo.broadcast_in_dim %arg117, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %5229 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5230 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5231 = stablehlo.concatenate %5229, %5230, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5232 = stablehlo.dynamic_broadcast_in_dim %5228, %5231, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5233 = stablehlo.multiply %5227, %5232 : tensor<?x?x768xf32>
    %5234 = stablehlo.broadcast_in_dim %arg111, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %5235 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5236 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5237 = stablehlo.concatenate %5235, %5236, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5238 = stablehlo.dynamic_broadcast_in_dim %5234, %5237, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5239 = stablehlo.add %5233, %5238 : tensor<?x?x768xf32>
    %5240 = stablehlo.dot_general %5239, %arg133, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
    %5241 = stablehlo.broadcast_in_dim %arg125, dims = [2] : (tensor<2304xf32>) -> tensor<1x1x2304xf32>
    %5242 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5243 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5244 = stablehlo.concatenate %5242, %5243, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5245 = stablehlo.dynamic_broadcast_in_dim %5241, %5244, dims = [0, 1, 2] : (tensor<1x1x2304xf32>, tensor<3xi32>) -> tensor<?x?x2304xf32>
    %5246 = stablehlo.add %5240, %5245 : tensor<?x?x2304xf32>
    %5247 = stablehlo.concatenate %c_39, %c_39, %c_39, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5248 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5249 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5250 = stablehlo.concatenate %5248, %5249, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5251 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5252 = stablehlo.real_dynamic_slice %5246, %5247, %5250, %5251 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5253 = stablehlo.concatenate %c_39, %c_39, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5254 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5255 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5256 = stablehlo.concatenate %5254, %5255, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5257 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5258 = stablehlo.real_dynamic_slice %5246, %5253, %5256, %5257 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5259 = stablehlo.concatenate %c_39, %c_39, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5260 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5261 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5262 = stablehlo.concatenate %5260, %5261, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5263 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5264 = stablehlo.real_dynamic_slice %5246, %5259, %5262, %5263 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5265 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5266 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5267 = stablehlo.concatenate %5265, %5266, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5268 = stablehlo.dynamic_reshape %5252, %5267 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %5269 = stablehlo.transpose %5268, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %5270 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5271 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5272 = stablehlo.concatenate %5270, %5271, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5273 = stablehlo.dynamic_reshape %5258, %5272 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %5274 = stablehlo.transpose %5273, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %5275 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5276 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5277 = stablehlo.concatenate %5275, %5276, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5278 = stablehlo.dynamic_reshape %5264, %5277 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %5279 = stablehlo.transpose %5278, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %5280 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5281 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5282 = stablehlo.concatenate %5280, %c_37, %c_37, %5281, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5283 = stablehlo.dynamic_broadcast_in_dim %arg147, %5282, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
    %5284 = stablehlo.dot_general %5269, %5274, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x?x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x?xf32>
    %5285 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5286 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5287 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5288 = stablehlo.concatenate %5285, %c_35, %5286, %5287, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5289 = stablehlo.dynamic_broadcast_in_dim %cst_33, %5288, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %5290 = stablehlo.divide %5284, %5289 : tensor<?x12x?x?xf32>
    %5291 = call @_where(%arg0, %arg1, %5283, %5290, %cst_32) : (tensor<i32>, tensor<i32>, tensor<?x1x1x?xi1>, tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?x?xf32>
    %5292 = stablehlo.reduce(%5291 init: %cst_31) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %5293 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5294 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5295 = stablehlo.concatenate %5293, %c_35, %5294, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5296 = stablehlo.dynamic_broadcast_in_dim %cst_31, %5295, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x?xf32>
    %5297 = stablehlo.maximum %5296, %5292 : tensor<?x12x?xf32>
    %5298 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5299 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5300 = stablehlo.concatenate %5298, %c_35, %5299, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5301 = stablehlo.dynamic_broadcast_in_dim %5297, %5300, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %5302 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5303 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5304 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5305 = stablehlo.concatenate %5302, %c_35, %5303, %5304, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5306 = stablehlo.dynamic_broadcast_in_dim %5301, %5305, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %5307 = stablehlo.subtract %5291, %5306 : tensor<?x12x?x?xf32>
    %5308 = stablehlo.exponential %5307 : tensor<?x12x?x?xf32>
    %5309 = stablehlo.reduce(%5308 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %5310 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5311 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5312 = stablehlo.concatenate %5310, %c_35, %5311, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5313 = stablehlo.dynamic_broadcast_in_dim %5309, %5312, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %5314 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5315 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5316 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5317 = stablehlo.concatenate %5314, %c_35, %5315, %5316, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5318 = stablehlo.dynamic_broadcast_in_dim %5313, %5317, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %5319 = stablehlo.divide %5308, %5318 : tensor<?x12x?x?xf32>
    %5320 = stablehlo.dot_general %5319, %5279, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x64xf32>
    %5321 = stablehlo.transpose %5320, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
    %5322 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5323 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5324 = stablehlo.concatenate %5322, %5323, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5325 = stablehlo.dynamic_reshape %5321, %5324 : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5326 = stablehlo.dot_general %5325, %arg132, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x768xf32>) -> tensor<?x?x768xf32>
    %5327 = stablehlo.add %5239, %5326 : tensor<?x?x768xf32>
    %5328 = stablehlo.broadcast_in_dim %arg124, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %5329 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5330 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5331 = stablehlo.concatenate %5329, %5330, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5332 = stablehlo.dynamic_broadcast_in_dim %5328, %5331, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5333 = stablehlo.add %5327, %5332 : tensor<?x?x768xf32>
    %5334 = stablehlo.reduce(%5333 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %5335 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5336 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5337 = stablehlo.concatenate %5335, %5336, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5338 = stablehlo.dynamic_broadcast_in_dim %5334, %5337, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5339 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5340 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5341 = stablehlo.concatenate %5339, %5340, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5342 = stablehlo.dynamic_broadcast_in_dim %cst_29, %5341, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5343 = stablehlo.divide %5338, %5342 : tensor<?x?x1xf32>
    %5344 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5345 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5346 = stablehlo.concatenate %5344, %5345, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5347 = stablehlo.dynamic_broadcast_in_dim %5343, %5346, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5348 = stablehlo.subtract %5333, %5347 : tensor<?x?x768xf32>
    %5349 = stablehlo.multiply %5348, %5348 : tensor<?x?x768xf32>
    %5350 = stablehlo.reduce(%5349 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %5351 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5352 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5353 = stablehlo.concatenate %5351, %5352, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5354 = stablehlo.dynamic_broadcast_in_dim %5350, %5353, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5355 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5356 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5357 = stablehlo.concatenate %5355, %5356, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5358 = stablehlo.dynamic_broadcast_in_dim %cst_29, %5357, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5359 = stablehlo.divide %5354, %5358 : tensor<?x?x1xf32>
    %5360 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5361 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5362 = stablehlo.concatenate %5360, %5361, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5363 = stablehlo.dynamic_broadcast_in_dim %5343, %5362, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5364 = stablehlo.subtract %5333, %5363 : tensor<?x?x768xf32>
    %5365 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5366 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5367 = stablehlo.concatenate %5365, %5366, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5368 = stablehlo.dynamic_broadcast_in_dim %cst_28, %5367, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5369 = stablehlo.add %5359, %5368 : tensor<?x?x1xf32>
    %5370 = stablehlo.rsqrt %5369 : tensor<?x?x1xf32>
    %5371 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5372 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5373 = stablehlo.concatenate %5371, %5372, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5374 = stablehlo.dynamic_broadcast_in_dim %5370, %5373, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5375 = stablehlo.multiply %5364, %5374 : tensor<?x?x768xf32>
    %5376 = stablehlo.broadcast_in_dim %arg128, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %5377 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5378 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5379 = stablehlo.concatenate %5377, %5378, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5380 = stablehlo.dynamic_broadcast_in_dim %5376, %5379, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5381 = stablehlo.multiply %5375, %5380 : tensor<?x?x768xf32>
    %5382 = stablehlo.broadcast_in_dim %arg122, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %5383 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5384 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5385 = stablehlo.concatenate %5383, %5384, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5386 = stablehlo.dynamic_broadcast_in_dim %5382, %5385, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5387 = stablehlo.add %5381, %5386 : tensor<?x?x768xf32>
    %5388 = stablehlo.dot_general %5387, %arg130, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x3072xf32>) -> tensor<?x?x3072xf32>
    %5389 = stablehlo.broadcast_in_dim %arg126, dims = [2] : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %5390 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5391 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5392 = stablehlo.concatenate %5390, %5391, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5393 = stablehlo.dynamic_broadcast_in_dim %5389, %5392, dims = [0, 1, 2] : (tensor<1x1x3072xf32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5394 = stablehlo.add %5388, %5393 : tensor<?x?x3072xf32>
    %5395 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5396 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5397 = stablehlo.concatenate %5395, %5396, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5398 = stablehlo.dynamic_broadcast_in_dim %cst_27, %5397, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5399 = stablehlo.multiply %5398, %5394 : tensor<?x?x3072xf32>
    %5400 = stablehlo.negate %5394 : tensor<?x?x3072xf32>
    %5401 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5402 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5403 = stablehlo.concatenate %5401, %5402, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5404 = stablehlo.dynamic_broadcast_in_dim %cst_26, %5403, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5405 = stablehlo.multiply %5400, %5404 : tensor<?x?x3072xf32>
    %5406 = stablehlo.multiply %5405, %5405 : tensor<?x?x3072xf32>
    %5407 = stablehlo.negate %5406 : tensor<?x?x3072xf32>
    %5408 = stablehlo.abs %5405 : tensor<?x?x3072xf32>
    %5409 = stablehlo.get_dimension_size %5405, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5410 = stablehlo.reshape %5409 : (tensor<i32>) -> tensor<1xi32>
    %5411 = stablehlo.get_dimension_size %5405, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5412 = stablehlo.reshape %5411 : (tensor<i32>) -> tensor<1xi32>
    %5413 = stablehlo.get_dimension_size %5405, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5414 = stablehlo.reshape %5413 : (tensor<i32>) -> tensor<1xi32>
    %5415 = stablehlo.concatenate %5410, %5412, %5414, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5416 = stablehlo.dynamic_broadcast_in_dim %cst_25, %5415, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5417 = stablehlo.divide %5416, %5406 : tensor<?x?x3072xf32>
    %5418 = stablehlo.exponential %5407 : tensor<?x?x3072xf32>
    %5419 = stablehlo.divide %5416, %5408 : tensor<?x?x3072xf32>
    %5420 = stablehlo.multiply %5418, %5419 : tensor<?x?x3072xf32>
    %5421 = stablehlo.get_dimension_size %5405, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5422 = stablehlo.reshape %5421 : (tensor<i32>) -> tensor<1xi32>
    %5423 = stablehlo.get_dimension_size %5405, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5424 = stablehlo.reshape %5423 : (tensor<i32>) -> tensor<1xi32>
    %5425 = stablehlo.get_dimension_size %5405, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5426 = stablehlo.reshape %5425 : (tensor<i32>) -> tensor<1xi32>
    %5427 = stablehlo.concatenate %5422, %5424, %5426, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5428 = stablehlo.dynamic_broadcast_in_dim %cst_24, %5427, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5429 = stablehlo.compare LT, %5408, %5428 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %5430 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5431 = stablehlo.reshape %5430 : (tensor<i32>) -> tensor<1xi32>
    %5432 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5433 = stablehlo.reshape %5432 : (tensor<i32>) -> tensor<1xi32>
    %5434 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5435 = stablehlo.reshape %5434 : (tensor<i32>) -> tensor<1xi32>
    %5436 = stablehlo.concatenate %5431, %5433, %5435, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5437 = stablehlo.dynamic_broadcast_in_dim %cst_23, %5436, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5438 = stablehlo.multiply %5437, %5417 : tensor<?x?x3072xf32>
    %5439 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5440 = stablehlo.reshape %5439 : (tensor<i32>) -> tensor<1xi32>
    %5441 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5442 = stablehlo.reshape %5441 : (tensor<i32>) -> tensor<1xi32>
    %5443 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5444 = stablehlo.reshape %5443 : (tensor<i32>) -> tensor<1xi32>
    %5445 = stablehlo.concatenate %5440, %5442, %5444, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5446 = stablehlo.dynamic_broadcast_in_dim %cst_22, %5445, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5447 = stablehlo.add %5438, %5446 : tensor<?x?x3072xf32>
    %5448 = stablehlo.multiply %5447, %5417 : tensor<?x?x3072xf32>
    %5449 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5450 = stablehlo.reshape %5449 : (tensor<i32>) -> tensor<1xi32>
    %5451 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5452 = stablehlo.reshape %5451 : (tensor<i32>) -> tensor<1xi32>
    %5453 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5454 = stablehlo.reshape %5453 : (tensor<i32>) -> tensor<1xi32>
    %5455 = stablehlo.concatenate %5450, %5452, %5454, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5456 = stablehlo.dynamic_broadcast_in_dim %cst_21, %5455, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5457 = stablehlo.add %5448, %5456 : tensor<?x?x3072xf32>
    %5458 = stablehlo.multiply %5457, %5417 : tensor<?x?x3072xf32>
    %5459 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5460 = stablehlo.reshape %5459 : (tensor<i32>) -> tensor<1xi32>
    %5461 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5462 = stablehlo.reshape %5461 : (tensor<i32>) -> tensor<1xi32>
    %5463 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5464 = stablehlo.reshape %5463 : (tensor<i32>) -> tensor<1xi32>
    %5465 = stablehlo.concatenate %5460, %5462, %5464, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5466 = stablehlo.dynamic_broadcast_in_dim %cst_20, %5465, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5467 = stablehlo.add %5458, %5466 : tensor<?x?x3072xf32>
    %5468 = stablehlo.multiply %5467, %5417 : tensor<?x?x3072xf32>
    %5469 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5470 = stablehlo.reshape %5469 : (tensor<i32>) -> tensor<1xi32>
    %5471 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5472 = stablehlo.reshape %5471 : (tensor<i32>) -> tensor<1xi32>
    %5473 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5474 = stablehlo.reshape %5473 : (tensor<i32>) -> tensor<1xi32>
    %5475 = stablehlo.concatenate %5470, %5472, %5474, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5476 = stablehlo.dynamic_broadcast_in_dim %cst_19, %5475, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5477 = stablehlo.add %5468, %5476 : tensor<?x?x3072xf32>
    %5478 = stablehlo.multiply %5477, %5417 : tensor<?x?x3072xf32>
    %5479 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5480 = stablehlo.reshape %5479 : (tensor<i32>) -> tensor<1xi32>
    %5481 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5482 = stablehlo.reshape %5481 : (tensor<i32>) -> tensor<1xi32>
    %5483 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5484 = stablehlo.reshape %5483 : (tensor<i32>) -> tensor<1xi32>
    %5485 = stablehlo.concatenate %5480, %5482, %5484, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5486 = stablehlo.dynamic_broadcast_in_dim %cst_18, %5485, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5487 = stablehlo.add %5478, %5486 : tensor<?x?x3072xf32>
    %5488 = stablehlo.multiply %5487, %5417 : tensor<?x?x3072xf32>
    %5489 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5490 = stablehlo.reshape %5489 : (tensor<i32>) -> tensor<1xi32>
    %5491 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5492 = stablehlo.reshape %5491 : (tensor<i32>) -> tensor<1xi32>
    %5493 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5494 = stablehlo.reshape %5493 : (tensor<i32>) -> tensor<1xi32>
    %5495 = stablehlo.concatenate %5490, %5492, %5494, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5496 = stablehlo.dynamic_broadcast_in_dim %cst_17, %5495, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5497 = stablehlo.add %5488, %5496 : tensor<?x?x3072xf32>
    %5498 = stablehlo.multiply %5497, %5417 : tensor<?x?x3072xf32>
    %5499 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5500 = stablehlo.reshape %5499 : (tensor<i32>) -> tensor<1xi32>
    %5501 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5502 = stablehlo.reshape %5501 : (tensor<i32>) -> tensor<1xi32>
    %5503 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5504 = stablehlo.reshape %5503 : (tensor<i32>) -> tensor<1xi32>
    %5505 = stablehlo.concatenate %5500, %5502, %5504, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5506 = stablehlo.dynamic_broadcast_in_dim %cst_16, %5505, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5507 = stablehlo.add %5498, %5506 : tensor<?x?x3072xf32>
    %5508 = stablehlo.multiply %5507, %5417 : tensor<?x?x3072xf32>
    %5509 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5510 = stablehlo.reshape %5509 : (tensor<i32>) -> tensor<1xi32>
    %5511 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5512 = stablehlo.reshape %5511 : (tensor<i32>) -> tensor<1xi32>
    %5513 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5514 = stablehlo.reshape %5513 : (tensor<i32>) -> tensor<1xi32>
    %5515 = stablehlo.concatenate %5510, %5512, %5514, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5516 = stablehlo.dynamic_broadcast_in_dim %cst_15, %5515, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5517 = stablehlo.add %5508, %5516 : tensor<?x?x3072xf32>
    %5518 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5519 = stablehlo.reshape %5518 : (tensor<i32>) -> tensor<1xi32>
    %5520 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5521 = stablehlo.reshape %5520 : (tensor<i32>) -> tensor<1xi32>
    %5522 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5523 = stablehlo.reshape %5522 : (tensor<i32>) -> tensor<1xi32>
    %5524 = stablehlo.concatenate %5519, %5521, %5523, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5525 = stablehlo.dynamic_broadcast_in_dim %cst_14, %5524, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5526 = stablehlo.multiply %5525, %5417 : tensor<?x?x3072xf32>
    %5527 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5528 = stablehlo.reshape %5527 : (tensor<i32>) -> tensor<1xi32>
    %5529 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5530 = stablehlo.reshape %5529 : (tensor<i32>) -> tensor<1xi32>
    %5531 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5532 = stablehlo.reshape %5531 : (tensor<i32>) -> tensor<1xi32>
    %5533 = stablehlo.concatenate %5528, %5530, %5532, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5534 = stablehlo.dynamic_broadcast_in_dim %cst_13, %5533, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5535 = stablehlo.add %5526, %5534 : tensor<?x?x3072xf32>
    %5536 = stablehlo.multiply %5535, %5417 : tensor<?x?x3072xf32>
    %5537 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5538 = stablehlo.reshape %5537 : (tensor<i32>) -> tensor<1xi32>
    %5539 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5540 = stablehlo.reshape %5539 : (tensor<i32>) -> tensor<1xi32>
    %5541 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5542 = stablehlo.reshape %5541 : (tensor<i32>) -> tensor<1xi32>
    %5543 = stablehlo.concatenate %5538, %5540, %5542, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5544 = stablehlo.dynamic_broadcast_in_dim %cst_12, %5543, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5545 = stablehlo.add %5536, %5544 : tensor<?x?x3072xf32>
    %5546 = stablehlo.multiply %5545, %5417 : tensor<?x?x3072xf32>
    %5547 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5548 = stablehlo.reshape %5547 : (tensor<i32>) -> tensor<1xi32>
    %5549 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5550 = stablehlo.reshape %5549 : (tensor<i32>) -> tensor<1xi32>
    %5551 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5552 = stablehlo.reshape %5551 : (tensor<i32>) -> tensor<1xi32>
    %5553 = stablehlo.concatenate %5548, %5550, %5552, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5554 = stablehlo.dynamic_broadcast_in_dim %cst_11, %5553, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5555 = stablehlo.add %5546, %5554 : tensor<?x?x3072xf32>
    %5556 = stablehlo.multiply %5555, %5417 : tensor<?x?x3072xf32>
    %5557 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5558 = stablehlo.reshape %5557 : (tensor<i32>) -> tensor<1xi32>
    %5559 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5560 = stablehlo.reshape %5559 : (tensor<i32>) -> tensor<1xi32>
    %5561 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5562 = stablehlo.reshape %5561 : (tensor<i32>) -> tensor<1xi32>
    %5563 = stablehlo.concatenate %5558, %5560, %5562, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5564 = stablehlo.dynamic_broadcast_in_dim %cst_10, %5563, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5565 = stablehlo.add %5556, %5564 : tensor<?x?x3072xf32>
    %5566 = stablehlo.multiply %5565, %5417 : tensor<?x?x3072xf32>
    %5567 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5568 = stablehlo.reshape %5567 : (tensor<i32>) -> tensor<1xi32>
    %5569 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5570 = stablehlo.reshape %5569 : (tensor<i32>) -> tensor<1xi32>
    %5571 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5572 = stablehlo.reshape %5571 : (tensor<i32>) -> tensor<1xi32>
    %5573 = stablehlo.concatenate %5568, %5570, %5572, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5574 = stablehlo.dynamic_broadcast_in_dim %cst_9, %5573, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5575 = stablehlo.add %5566, %5574 : tensor<?x?x3072xf32>
    %5576 = stablehlo.multiply %5575, %5417 : tensor<?x?x3072xf32>
    %5577 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5578 = stablehlo.reshape %5577 : (tensor<i32>) -> tensor<1xi32>
    %5579 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5580 = stablehlo.reshape %5579 : (tensor<i32>) -> tensor<1xi32>
    %5581 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5582 = stablehlo.reshape %5581 : (tensor<i32>) -> tensor<1xi32>
    %5583 = stablehlo.concatenate %5578, %5580, %5582, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5584 = stablehlo.dynamic_broadcast_in_dim %cst_8, %5583, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5585 = stablehlo.add %5576, %5584 : tensor<?x?x3072xf32>
    %5586 = stablehlo.multiply %5585, %5417 : tensor<?x?x3072xf32>
    %5587 = stablehlo.get_dimension_size %5417, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5588 = stablehlo.reshape %5587 : (tensor<i32>) -> tensor<1xi32>
    %5589 = stablehlo.get_dimension_size %5417, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5590 = stablehlo.reshape %5589 : (tensor<i32>) -> tensor<1xi32>
    %5591 = stablehlo.get_dimension_size %5417, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5592 = stablehlo.reshape %5591 : (tensor<i32>) -> tensor<1xi32>
    %5593 = stablehlo.concatenate %5588, %5590, %5592, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5594 = stablehlo.dynamic_broadcast_in_dim %cst_7, %5593, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5595 = stablehlo.add %5586, %5594 : tensor<?x?x3072xf32>
    %5596 = stablehlo.select %5429, %5517, %5595 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %5597 = stablehlo.multiply %5420, %5596 : tensor<?x?x3072xf32>
    %5598 = stablehlo.get_dimension_size %5405, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5599 = stablehlo.reshape %5598 : (tensor<i32>) -> tensor<1xi32>
    %5600 = stablehlo.get_dimension_size %5405, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5601 = stablehlo.reshape %5600 : (tensor<i32>) -> tensor<1xi32>
    %5602 = stablehlo.get_dimension_size %5405, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5603 = stablehlo.reshape %5602 : (tensor<i32>) -> tensor<1xi32>
    %5604 = stablehlo.concatenate %5599, %5601, %5603, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5605 = stablehlo.dynamic_broadcast_in_dim %cst_6, %5604, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5606 = stablehlo.compare LT, %5407, %5605 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %5607 = stablehlo.get_dimension_size %5405, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5608 = stablehlo.reshape %5607 : (tensor<i32>) -> tensor<1xi32>
    %5609 = stablehlo.get_dimension_size %5405, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5610 = stablehlo.reshape %5609 : (tensor<i32>) -> tensor<1xi32>
    %5611 = stablehlo.get_dimension_size %5405, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5612 = stablehlo.reshape %5611 : (tensor<i32>) -> tensor<1xi32>
    %5613 = stablehlo.concatenate %5608, %5610, %5612, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5614 = stablehlo.dynamic_broadcast_in_dim %cst_30, %5613, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5615 = stablehlo.select %5606, %5614, %5597 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %5616 = stablehlo.compare LT, %5405, %5614 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %5617 = stablehlo.subtract %5428, %5615 : tensor<?x?x3072xf32>
    %5618 = stablehlo.select %5616, %5617, %5615 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %5619 = stablehlo.get_dimension_size %5405, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5620 = stablehlo.reshape %5619 : (tensor<i32>) -> tensor<1xi32>
    %5621 = stablehlo.get_dimension_size %5405, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5622 = stablehlo.reshape %5621 : (tensor<i32>) -> tensor<1xi32>
    %5623 = stablehlo.get_dimension_size %5405, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5624 = stablehlo.reshape %5623 : (tensor<i32>) -> tensor<1xi32>
    %5625 = stablehlo.concatenate %5620, %5622, %5624, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5626 = stablehlo.dynamic_broadcast_in_dim %cst_25, %5625, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5627 = stablehlo.multiply %5405, %5405 : tensor<?x?x3072xf32>
    %5628 = stablehlo.get_dimension_size %5627, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5629 = stablehlo.reshape %5628 : (tensor<i32>) -> tensor<1xi32>
    %5630 = stablehlo.get_dimension_size %5627, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5631 = stablehlo.reshape %5630 : (tensor<i32>) -> tensor<1xi32>
    %5632 = stablehlo.get_dimension_size %5627, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5633 = stablehlo.reshape %5632 : (tensor<i32>) -> tensor<1xi32>
    %5634 = stablehlo.concatenate %5629, %5631, %5633, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5635 = stablehlo.dynamic_broadcast_in_dim %cst_5, %5634, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5636 = stablehlo.multiply %5635, %5627 : tensor<?x?x3072xf32>
    %5637 = stablehlo.get_dimension_size %5627, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5638 = stablehlo.reshape %5637 : (tensor<i32>) -> tensor<1xi32>
    %5639 = stablehlo.get_dimension_size %5627, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5640 = stablehlo.reshape %5639 : (tensor<i32>) -> tensor<1xi32>
    %5641 = stablehlo.get_dimension_size %5627, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5642 = stablehlo.reshape %5641 : (tensor<i32>) -> tensor<1xi32>
    %5643 = stablehlo.concatenate %5638, %5640, %5642, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5644 = stablehlo.dynamic_broadcast_in_dim %cst_4, %5643, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5645 = stablehlo.add %5636, %5644 : tensor<?x?x3072xf32>
    %5646 = stablehlo.multiply %5645, %5627 : tensor<?x?x3072xf32>
    %5647 = stablehlo.get_dimension_size %5627, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5648 = stablehlo.reshape %5647 : (tensor<i32>) -> tensor<1xi32>
    %5649 = stablehlo.get_dimension_size %5627, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5650 = stablehlo.reshape %5649 : (tensor<i32>) -> tensor<1xi32>
    %5651 = stablehlo.get_dimension_size %5627, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5652 = stablehlo.reshape %5651 : (tensor<i32>) -> tensor<1xi32>
    %5653 = stablehlo.concatenate %5648, %5650, %5652, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5654 = stablehlo.dynamic_broadcast_in_dim %cst_3, %5653, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5655 = stablehlo.add %5646, %5654 : tensor<?x?x3072xf32>
    %5656 = stablehlo.multiply %5655, %5627 : tensor<?x?x3072xf32>
    %5657 = stablehlo.get_dimension_size %5627, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5658 = stablehlo.reshape %5657 : (tensor<i32>) -> tensor<1xi32>
    %5659 = stablehlo.get_dimension_size %5627, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5660 = stablehlo.reshape %5659 : (tensor<i32>) -> tensor<1xi32>
    %5661 = stablehlo.get_dimension_size %5627, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5662 = stablehlo.reshape %5661 : (tensor<i32>) -> tensor<1xi32>
    %5663 = stablehlo.concatenate %5658, %5660, %5662, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5664 = stablehlo.dynamic_broadcast_in_dim %cst_2, %5663, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5665 = stablehlo.add %5656, %5664 : tensor<?x?x3072xf32>
    %5666 = stablehlo.multiply %5665, %5627 : tensor<?x?x3072xf32>
    %5667 = stablehlo.get_dimension_size %5627, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5668 = stablehlo.reshape %5667 : (tensor<i32>) -> tensor<1xi32>
    %5669 = stablehlo.get_dimension_size %5627, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5670 = stablehlo.reshape %5669 : (tensor<i32>) -> tensor<1xi32>
    %5671 = stablehlo.get_dimension_size %5627, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5672 = stablehlo.reshape %5671 : (tensor<i32>) -> tensor<1xi32>
    %5673 = stablehlo.concatenate %5668, %5670, %5672, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5674 = stablehlo.dynamic_broadcast_in_dim %cst_1, %5673, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5675 = stablehlo.add %5666, %5674 : tensor<?x?x3072xf32>
    %5676 = stablehlo.multiply %5675, %5627 : tensor<?x?x3072xf32>
    %5677 = stablehlo.get_dimension_size %5627, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5678 = stablehlo.reshape %5677 : (tensor<i32>) -> tensor<1xi32>
    %5679 = stablehlo.get_dimension_size %5627, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5680 = stablehlo.reshape %5679 : (tensor<i32>) -> tensor<1xi32>
    %5681 = stablehlo.get_dimension_size %5627, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5682 = stablehlo.reshape %5681 : (tensor<i32>) -> tensor<1xi32>
    %5683 = stablehlo.concatenate %5678, %5680, %5682, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5684 = stablehlo.dynamic_broadcast_in_dim %cst_0, %5683, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5685 = stablehlo.add %5676, %5684 : tensor<?x?x3072xf32>
    %5686 = stablehlo.multiply %5685, %5627 : tensor<?x?x3072xf32>
    %5687 = stablehlo.get_dimension_size %5627, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5688 = stablehlo.reshape %5687 : (tensor<i32>) -> tensor<1xi32>
    %5689 = stablehlo.get_dimension_size %5627, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5690 = stablehlo.reshape %5689 : (tensor<i32>) -> tensor<1xi32>
    %5691 = stablehlo.get_dimension_size %5627, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5692 = stablehlo.reshape %5691 : (tensor<i32>) -> tensor<1xi32>
    %5693 = stablehlo.concatenate %5688, %5690, %5692, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5694 = stablehlo.dynamic_broadcast_in_dim %cst, %5693, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5695 = stablehlo.add %5686, %5694 : tensor<?x?x3072xf32>
    %5696 = stablehlo.multiply %5405, %5695 : tensor<?x?x3072xf32>
    %5697 = stablehlo.subtract %5626, %5696 : tensor<?x?x3072xf32>
    %5698 = stablehlo.abs %5405 : tensor<?x?x3072xf32>
    %5699 = stablehlo.compare LT, %5698, %5626 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %5700 = stablehlo.select %5699, %5697, %5618 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %5701 = stablehlo.multiply %5399, %5700 : tensor<?x?x3072xf32>
    %5702 = stablehlo.dot_general %5701, %arg131, contracting_dims = [2] x [0] : (tensor<?x?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x?x768xf32>
    %5703 = stablehlo.broadcast_in_dim %arg127, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %5704 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5705 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5706 = stablehlo.concatenate %5704, %5705, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5707 = stablehlo.dynamic_broadcast_in_dim %5703, %5706, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5708 = stablehlo.add %5702, %5707 : tensor<?x?x768xf32>
    %5709 = stablehlo.add %5387, %5708 : tensor<?x?x768xf32>
    %5710 = stablehlo.reduce(%5709 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %5711 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5712 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5713 = stablehlo.concatenate %5711, %5712, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5714 = stablehlo.dynamic_broadcast_in_dim %5710, %5713, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5715 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5716 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5717 = stablehlo.concatenate %5715, %5716, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5718 = stablehlo.dynamic_broadcast_in_dim %cst_29, %5717, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5719 = stablehlo.divide %5714, %5718 : tensor<?x?x1xf32>
    %5720 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5721 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5722 = stablehlo.concatenate %5720, %5721, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5723 = stablehlo.dynamic_broadcast_in_dim %5719, %5722, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5724 = stablehlo.subtract %5709, %5723 : tensor<?x?x768xf32>
    %5725 = stablehlo.multiply %5724, %5724 : tensor<?x?x768xf32>
    %5726 = stablehlo.reduce(%5725 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %5727 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5728 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5729 = stablehlo.concatenate %5727, %5728, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5730 = stablehlo.dynamic_broadcast_in_dim %5726, %5729, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5731 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5732 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5733 = stablehlo.concatenate %5731, %5732, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5734 = stablehlo.dynamic_broadcast_in_dim %cst_29, %5733, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5735 = stablehlo.divide %5730, %5734 : tensor<?x?x1xf32>
    %5736 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5737 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5738 = stablehlo.concatenate %5736, %5737, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5739 = stablehlo.dynamic_broadcast_in_dim %5719, %5738, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5740 = stablehlo.subtract %5709, %5739 : tensor<?x?x768xf32>
    %5741 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5742 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5743 = stablehlo.concatenate %5741, %5742, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5744 = stablehlo.dynamic_broadcast_in_dim %cst_28, %5743, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5745 = stablehlo.add %5735, %5744 : tensor<?x?x1xf32>
    %5746 = stablehlo.rsqrt %5745 : tensor<?x?x1xf32>
    %5747 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5748 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5749 = stablehlo.concatenate %5747, %5748, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5750 = stablehlo.dynamic_broadcast_in_dim %5746, %5749, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5751 = stablehlo.multiply %5740, %5750 : tensor<?x?x768xf32>
    %5752 = stablehlo.broadcast_in_dim %arg129, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %5753 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5754 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5755 = stablehlo.concatenate %5753, %5754, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5756 = stablehlo.dynamic_broadcast_in_dim %5752, %5755, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5757 = stablehlo.multiply %5751, %5756 : tensor<?x?x768xf32>
    %5758 = stablehlo.broadcast_in_dim %arg123, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %5759 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5760 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5761 = stablehlo.concatenate %5759, %5760, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5762 = stablehlo.dynamic_broadcast_in_dim %5758, %5761, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5763 = stablehlo.add %5757, %5762 : tensor<?x?x768xf32>
    %5764 = stablehlo.dot_general %5763, %arg145, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x2304xf32>) -> tensor<?x?x2304xf32>
    %5765 = stablehlo.broadcast_in_dim %arg137, dims = [2] : (tensor<2304xf32>) -> tensor<1x1x2304xf32>
    %5766 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5767 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5768 = stablehlo.concatenate %5766, %5767, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5769 = stablehlo.dynamic_broadcast_in_dim %5765, %5768, dims = [0, 1, 2] : (tensor<1x1x2304xf32>, tensor<3xi32>) -> tensor<?x?x2304xf32>
    %5770 = stablehlo.add %5764, %5769 : tensor<?x?x2304xf32>
    %5771 = stablehlo.concatenate %c_39, %c_39, %c_39, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5772 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5773 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5774 = stablehlo.concatenate %5772, %5773, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5775 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5776 = stablehlo.real_dynamic_slice %5770, %5771, %5774, %5775 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5777 = stablehlo.concatenate %c_39, %c_39, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5778 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5779 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5780 = stablehlo.concatenate %5778, %5779, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5781 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5782 = stablehlo.real_dynamic_slice %5770, %5777, %5780, %5781 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5783 = stablehlo.concatenate %c_39, %c_39, %c_36, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5784 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5785 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5786 = stablehlo.concatenate %5784, %5785, %c_40, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5787 = stablehlo.concatenate %c_37, %c_37, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5788 = stablehlo.real_dynamic_slice %5770, %5783, %5786, %5787 : (tensor<?x?x2304xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5789 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5790 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5791 = stablehlo.concatenate %5789, %5790, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5792 = stablehlo.dynamic_reshape %5776, %5791 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %5793 = stablehlo.transpose %5792, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %5794 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5795 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5796 = stablehlo.concatenate %5794, %5795, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5797 = stablehlo.dynamic_reshape %5782, %5796 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %5798 = stablehlo.transpose %5797, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %5799 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5800 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5801 = stablehlo.concatenate %5799, %5800, %c_35, %c_34, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5802 = stablehlo.dynamic_reshape %5788, %5801 : (tensor<?x?x768xf32>, tensor<4xi32>) -> tensor<?x?x12x64xf32>
    %5803 = stablehlo.transpose %5802, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    %5804 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5805 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5806 = stablehlo.concatenate %5804, %c_37, %c_37, %5805, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5807 = stablehlo.dynamic_broadcast_in_dim %arg147, %5806, dims = [0, 3] : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x1x1x?xi1>
    %5808 = stablehlo.dot_general %5793, %5798, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x12x?x64xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x?xf32>
    %5809 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5810 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5811 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5812 = stablehlo.concatenate %5809, %c_35, %5810, %5811, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5813 = stablehlo.dynamic_broadcast_in_dim %cst_33, %5812, dims = [] : (tensor<f32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %5814 = stablehlo.divide %5808, %5813 : tensor<?x12x?x?xf32>
    %5815 = call @_where(%arg0, %arg1, %5807, %5814, %cst_32) : (tensor<i32>, tensor<i32>, tensor<?x1x1x?xi1>, tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?x?xf32>
    %5816 = stablehlo.reduce(%5815 init: %cst_31) applies stablehlo.maximum across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %5817 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5818 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5819 = stablehlo.concatenate %5817, %c_35, %5818, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5820 = stablehlo.dynamic_broadcast_in_dim %cst_31, %5819, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x12x?xf32>
    %5821 = stablehlo.maximum %5820, %5816 : tensor<?x12x?xf32>
    %5822 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5823 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5824 = stablehlo.concatenate %5822, %c_35, %5823, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5825 = stablehlo.dynamic_broadcast_in_dim %5821, %5824, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %5826 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5827 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5828 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5829 = stablehlo.concatenate %5826, %c_35, %5827, %5828, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5830 = stablehlo.dynamic_broadcast_in_dim %5825, %5829, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %5831 = stablehlo.subtract %5815, %5830 : tensor<?x12x?x?xf32>
    %5832 = stablehlo.exponential %5831 : tensor<?x12x?x?xf32>
    %5833 = stablehlo.reduce(%5832 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<?x12x?x?xf32>, tensor<f32>) -> tensor<?x12x?xf32>
    %5834 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5835 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5836 = stablehlo.concatenate %5834, %c_35, %5835, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5837 = stablehlo.dynamic_broadcast_in_dim %5833, %5836, dims = [0, 1, 2] : (tensor<?x12x?xf32>, tensor<4xi32>) -> tensor<?x12x?x1xf32>
    %5838 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5839 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5840 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5841 = stablehlo.concatenate %5838, %c_35, %5839, %5840, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5842 = stablehlo.dynamic_broadcast_in_dim %5837, %5841, dims = [0, 1, 2, 3] : (tensor<?x12x?x1xf32>, tensor<4xi32>) -> tensor<?x12x?x?xf32>
    %5843 = stablehlo.divide %5832, %5842 : tensor<?x12x?x?xf32>
    %5844 = stablehlo.dot_general %5843, %5803, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x?xf32>, tensor<?x12x?x64xf32>) -> tensor<?x12x?x64xf32>
    %5845 = stablehlo.transpose %5844, dims = [0, 2, 1, 3] : (tensor<?x12x?x64xf32>) -> tensor<?x?x12x64xf32>
    %5846 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5847 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5848 = stablehlo.concatenate %5846, %5847, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5849 = stablehlo.dynamic_reshape %5845, %5848 : (tensor<?x?x12x64xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5850 = stablehlo.dot_general %5849, %arg144, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x768xf32>) -> tensor<?x?x768xf32>
    %5851 = stablehlo.add %5763, %5850 : tensor<?x?x768xf32>
    %5852 = stablehlo.broadcast_in_dim %arg136, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %5853 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5854 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5855 = stablehlo.concatenate %5853, %5854, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5856 = stablehlo.dynamic_broadcast_in_dim %5852, %5855, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5857 = stablehlo.add %5851, %5856 : tensor<?x?x768xf32>
    %5858 = stablehlo.reduce(%5857 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %5859 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5860 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5861 = stablehlo.concatenate %5859, %5860, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5862 = stablehlo.dynamic_broadcast_in_dim %5858, %5861, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5863 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5864 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5865 = stablehlo.concatenate %5863, %5864, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5866 = stablehlo.dynamic_broadcast_in_dim %cst_29, %5865, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5867 = stablehlo.divide %5862, %5866 : tensor<?x?x1xf32>
    %5868 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5869 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5870 = stablehlo.concatenate %5868, %5869, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5871 = stablehlo.dynamic_broadcast_in_dim %5867, %5870, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5872 = stablehlo.subtract %5857, %5871 : tensor<?x?x768xf32>
    %5873 = stablehlo.multiply %5872, %5872 : tensor<?x?x768xf32>
    %5874 = stablehlo.reduce(%5873 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %5875 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5876 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5877 = stablehlo.concatenate %5875, %5876, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5878 = stablehlo.dynamic_broadcast_in_dim %5874, %5877, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5879 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5880 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5881 = stablehlo.concatenate %5879, %5880, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5882 = stablehlo.dynamic_broadcast_in_dim %cst_29, %5881, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5883 = stablehlo.divide %5878, %5882 : tensor<?x?x1xf32>
    %5884 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5885 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5886 = stablehlo.concatenate %5884, %5885, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5887 = stablehlo.dynamic_broadcast_in_dim %5867, %5886, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5888 = stablehlo.subtract %5857, %5887 : tensor<?x?x768xf32>
    %5889 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5890 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5891 = stablehlo.concatenate %5889, %5890, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5892 = stablehlo.dynamic_broadcast_in_dim %cst_28, %5891, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %5893 = stablehlo.add %5883, %5892 : tensor<?x?x1xf32>
    %5894 = stablehlo.rsqrt %5893 : tensor<?x?x1xf32>
    %5895 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5896 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5897 = stablehlo.concatenate %5895, %5896, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5898 = stablehlo.dynamic_broadcast_in_dim %5894, %5897, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5899 = stablehlo.multiply %5888, %5898 : tensor<?x?x768xf32>
    %5900 = stablehlo.broadcast_in_dim %arg140, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %5901 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5902 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5903 = stablehlo.concatenate %5901, %5902, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5904 = stablehlo.dynamic_broadcast_in_dim %5900, %5903, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5905 = stablehlo.multiply %5899, %5904 : tensor<?x?x768xf32>
    %5906 = stablehlo.broadcast_in_dim %arg134, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %5907 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5908 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5909 = stablehlo.concatenate %5907, %5908, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5910 = stablehlo.dynamic_broadcast_in_dim %5906, %5909, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %5911 = stablehlo.add %5905, %5910 : tensor<?x?x768xf32>
    %5912 = stablehlo.dot_general %5911, %arg142, contracting_dims = [2] x [0] : (tensor<?x?x768xf32>, tensor<768x3072xf32>) -> tensor<?x?x3072xf32>
    %5913 = stablehlo.broadcast_in_dim %arg138, dims = [2] : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %5914 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5915 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5916 = stablehlo.concatenate %5914, %5915, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5917 = stablehlo.dynamic_broadcast_in_dim %5913, %5916, dims = [0, 1, 2] : (tensor<1x1x3072xf32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5918 = stablehlo.add %5912, %5917 : tensor<?x?x3072xf32>
    %5919 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5920 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5921 = stablehlo.concatenate %5919, %5920, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5922 = stablehlo.dynamic_broadcast_in_dim %cst_27, %5921, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5923 = stablehlo.multiply %5922, %5918 : tensor<?x?x3072xf32>
    %5924 = stablehlo.negate %5918 : tensor<?x?x3072xf32>
    %5925 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5926 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5927 = stablehlo.concatenate %5925, %5926, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5928 = stablehlo.dynamic_broadcast_in_dim %cst_26, %5927, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5929 = stablehlo.multiply %5924, %5928 : tensor<?x?x3072xf32>
    %5930 = stablehlo.multiply %5929, %5929 : tensor<?x?x3072xf32>
    %5931 = stablehlo.negate %5930 : tensor<?x?x3072xf32>
    %5932 = stablehlo.abs %5929 : tensor<?x?x3072xf32>
    %5933 = stablehlo.get_dimension_size %5929, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5934 = stablehlo.reshape %5933 : (tensor<i32>) -> tensor<1xi32>
    %5935 = stablehlo.get_dimension_size %5929, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5936 = stablehlo.reshape %5935 : (tensor<i32>) -> tensor<1xi32>
    %5937 = stablehlo.get_dimension_size %5929, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5938 = stablehlo.reshape %5937 : (tensor<i32>) -> tensor<1xi32>
    %5939 = stablehlo.concatenate %5934, %5936, %5938, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5940 = stablehlo.dynamic_broadcast_in_dim %cst_25, %5939, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5941 = stablehlo.divide %5940, %5930 : tensor<?x?x3072xf32>
    %5942 = stablehlo.exponential %5931 : tensor<?x?x3072xf32>
    %5943 = stablehlo.divide %5940, %5932 : tensor<?x?x3072xf32>
    %5944 = stablehlo.multiply %5942, %5943 : tensor<?x?x3072xf32>
    %5945 = stablehlo.get_dimension_size %5929, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5946 = stablehlo.reshape %5945 : (tensor<i32>) -> tensor<1xi32>
    %5947 = stablehlo.get_dimension_size %5929, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5948 = stablehlo.reshape %5947 : (tensor<i32>) -> tensor<1xi32>
    %5949 = stablehlo.get_dimension_size %5929, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5950 = stablehlo.reshape %5949 : (tensor<i32>) -> tensor<1xi32>
    %5951 = stablehlo.concatenate %5946, %5948, %5950, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5952 = stablehlo.dynamic_broadcast_in_dim %cst_24, %5951, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5953 = stablehlo.compare LT, %5932, %5952 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %5954 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5955 = stablehlo.reshape %5954 : (tensor<i32>) -> tensor<1xi32>
    %5956 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5957 = stablehlo.reshape %5956 : (tensor<i32>) -> tensor<1xi32>
    %5958 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5959 = stablehlo.reshape %5958 : (tensor<i32>) -> tensor<1xi32>
    %5960 = stablehlo.concatenate %5955, %5957, %5959, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5961 = stablehlo.dynamic_broadcast_in_dim %cst_23, %5960, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5962 = stablehlo.multiply %5961, %5941 : tensor<?x?x3072xf32>
    %5963 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5964 = stablehlo.reshape %5963 : (tensor<i32>) -> tensor<1xi32>
    %5965 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5966 = stablehlo.reshape %5965 : (tensor<i32>) -> tensor<1xi32>
    %5967 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5968 = stablehlo.reshape %5967 : (tensor<i32>) -> tensor<1xi32>
    %5969 = stablehlo.concatenate %5964, %5966, %5968, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5970 = stablehlo.dynamic_broadcast_in_dim %cst_22, %5969, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5971 = stablehlo.add %5962, %5970 : tensor<?x?x3072xf32>
    %5972 = stablehlo.multiply %5971, %5941 : tensor<?x?x3072xf32>
    %5973 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5974 = stablehlo.reshape %5973 : (tensor<i32>) -> tensor<1xi32>
    %5975 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5976 = stablehlo.reshape %5975 : (tensor<i32>) -> tensor<1xi32>
    %5977 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5978 = stablehlo.reshape %5977 : (tensor<i32>) -> tensor<1xi32>
    %5979 = stablehlo.concatenate %5974, %5976, %5978, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5980 = stablehlo.dynamic_broadcast_in_dim %cst_21, %5979, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5981 = stablehlo.add %5972, %5980 : tensor<?x?x3072xf32>
    %5982 = stablehlo.multiply %5981, %5941 : tensor<?x?x3072xf32>
    %5983 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5984 = stablehlo.reshape %5983 : (tensor<i32>) -> tensor<1xi32>
    %5985 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5986 = stablehlo.reshape %5985 : (tensor<i32>) -> tensor<1xi32>
    %5987 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5988 = stablehlo.reshape %5987 : (tensor<i32>) -> tensor<1xi32>
    %5989 = stablehlo.concatenate %5984, %5986, %5988, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %5990 = stablehlo.dynamic_broadcast_in_dim %cst_20, %5989, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %5991 = stablehlo.add %5982, %5990 : tensor<?x?x3072xf32>
    %5992 = stablehlo.multiply %5991, %5941 : tensor<?x?x3072xf32>
    %5993 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5994 = stablehlo.reshape %5993 : (tensor<i32>) -> tensor<1xi32>
    %5995 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5996 = stablehlo.reshape %5995 : (tensor<i32>) -> tensor<1xi32>
    %5997 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %5998 = stablehlo.reshape %5997 : (tensor<i32>) -> tensor<1xi32>
    %5999 = stablehlo.concatenate %5994, %5996, %5998, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6000 = stablehlo.dynamic_broadcast_in_dim %cst_19, %5999, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6001 = stablehlo.add %5992, %6000 : tensor<?x?x3072xf32>
    %6002 = stablehlo.multiply %6001, %5941 : tensor<?x?x3072xf32>
    %6003 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6004 = stablehlo.reshape %6003 : (tensor<i32>) -> tensor<1xi32>
    %6005 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6006 = stablehlo.reshape %6005 : (tensor<i32>) -> tensor<1xi32>
    %6007 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6008 = stablehlo.reshape %6007 : (tensor<i32>) -> tensor<1xi32>
    %6009 = stablehlo.concatenate %6004, %6006, %6008, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6010 = stablehlo.dynamic_broadcast_in_dim %cst_18, %6009, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6011 = stablehlo.add %6002, %6010 : tensor<?x?x3072xf32>
    %6012 = stablehlo.multiply %6011, %5941 : tensor<?x?x3072xf32>
    %6013 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6014 = stablehlo.reshape %6013 : (tensor<i32>) -> tensor<1xi32>
    %6015 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6016 = stablehlo.reshape %6015 : (tensor<i32>) -> tensor<1xi32>
    %6017 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6018 = stablehlo.reshape %6017 : (tensor<i32>) -> tensor<1xi32>
    %6019 = stablehlo.concatenate %6014, %6016, %6018, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6020 = stablehlo.dynamic_broadcast_in_dim %cst_17, %6019, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6021 = stablehlo.add %6012, %6020 : tensor<?x?x3072xf32>
    %6022 = stablehlo.multiply %6021, %5941 : tensor<?x?x3072xf32>
    %6023 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6024 = stablehlo.reshape %6023 : (tensor<i32>) -> tensor<1xi32>
    %6025 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6026 = stablehlo.reshape %6025 : (tensor<i32>) -> tensor<1xi32>
    %6027 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6028 = stablehlo.reshape %6027 : (tensor<i32>) -> tensor<1xi32>
    %6029 = stablehlo.concatenate %6024, %6026, %6028, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6030 = stablehlo.dynamic_broadcast_in_dim %cst_16, %6029, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6031 = stablehlo.add %6022, %6030 : tensor<?x?x3072xf32>
    %6032 = stablehlo.multiply %6031, %5941 : tensor<?x?x3072xf32>
    %6033 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6034 = stablehlo.reshape %6033 : (tensor<i32>) -> tensor<1xi32>
    %6035 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6036 = stablehlo.reshape %6035 : (tensor<i32>) -> tensor<1xi32>
    %6037 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6038 = stablehlo.reshape %6037 : (tensor<i32>) -> tensor<1xi32>
    %6039 = stablehlo.concatenate %6034, %6036, %6038, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6040 = stablehlo.dynamic_broadcast_in_dim %cst_15, %6039, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6041 = stablehlo.add %6032, %6040 : tensor<?x?x3072xf32>
    %6042 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6043 = stablehlo.reshape %6042 : (tensor<i32>) -> tensor<1xi32>
    %6044 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6045 = stablehlo.reshape %6044 : (tensor<i32>) -> tensor<1xi32>
    %6046 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6047 = stablehlo.reshape %6046 : (tensor<i32>) -> tensor<1xi32>
    %6048 = stablehlo.concatenate %6043, %6045, %6047, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6049 = stablehlo.dynamic_broadcast_in_dim %cst_14, %6048, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6050 = stablehlo.multiply %6049, %5941 : tensor<?x?x3072xf32>
    %6051 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6052 = stablehlo.reshape %6051 : (tensor<i32>) -> tensor<1xi32>
    %6053 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6054 = stablehlo.reshape %6053 : (tensor<i32>) -> tensor<1xi32>
    %6055 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6056 = stablehlo.reshape %6055 : (tensor<i32>) -> tensor<1xi32>
    %6057 = stablehlo.concatenate %6052, %6054, %6056, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6058 = stablehlo.dynamic_broadcast_in_dim %cst_13, %6057, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6059 = stablehlo.add %6050, %6058 : tensor<?x?x3072xf32>
    %6060 = stablehlo.multiply %6059, %5941 : tensor<?x?x3072xf32>
    %6061 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6062 = stablehlo.reshape %6061 : (tensor<i32>) -> tensor<1xi32>
    %6063 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6064 = stablehlo.reshape %6063 : (tensor<i32>) -> tensor<1xi32>
    %6065 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6066 = stablehlo.reshape %6065 : (tensor<i32>) -> tensor<1xi32>
    %6067 = stablehlo.concatenate %6062, %6064, %6066, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6068 = stablehlo.dynamic_broadcast_in_dim %cst_12, %6067, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6069 = stablehlo.add %6060, %6068 : tensor<?x?x3072xf32>
    %6070 = stablehlo.multiply %6069, %5941 : tensor<?x?x3072xf32>
    %6071 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6072 = stablehlo.reshape %6071 : (tensor<i32>) -> tensor<1xi32>
    %6073 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6074 = stablehlo.reshape %6073 : (tensor<i32>) -> tensor<1xi32>
    %6075 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6076 = stablehlo.reshape %6075 : (tensor<i32>) -> tensor<1xi32>
    %6077 = stablehlo.concatenate %6072, %6074, %6076, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6078 = stablehlo.dynamic_broadcast_in_dim %cst_11, %6077, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6079 = stablehlo.add %6070, %6078 : tensor<?x?x3072xf32>
    %6080 = stablehlo.multiply %6079, %5941 : tensor<?x?x3072xf32>
    %6081 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6082 = stablehlo.reshape %6081 : (tensor<i32>) -> tensor<1xi32>
    %6083 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6084 = stablehlo.reshape %6083 : (tensor<i32>) -> tensor<1xi32>
    %6085 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6086 = stablehlo.reshape %6085 : (tensor<i32>) -> tensor<1xi32>
    %6087 = stablehlo.concatenate %6082, %6084, %6086, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6088 = stablehlo.dynamic_broadcast_in_dim %cst_10, %6087, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6089 = stablehlo.add %6080, %6088 : tensor<?x?x3072xf32>
    %6090 = stablehlo.multiply %6089, %5941 : tensor<?x?x3072xf32>
    %6091 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6092 = stablehlo.reshape %6091 : (tensor<i32>) -> tensor<1xi32>
    %6093 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6094 = stablehlo.reshape %6093 : (tensor<i32>) -> tensor<1xi32>
    %6095 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6096 = stablehlo.reshape %6095 : (tensor<i32>) -> tensor<1xi32>
    %6097 = stablehlo.concatenate %6092, %6094, %6096, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6098 = stablehlo.dynamic_broadcast_in_dim %cst_9, %6097, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6099 = stablehlo.add %6090, %6098 : tensor<?x?x3072xf32>
    %6100 = stablehlo.multiply %6099, %5941 : tensor<?x?x3072xf32>
    %6101 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6102 = stablehlo.reshape %6101 : (tensor<i32>) -> tensor<1xi32>
    %6103 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6104 = stablehlo.reshape %6103 : (tensor<i32>) -> tensor<1xi32>
    %6105 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6106 = stablehlo.reshape %6105 : (tensor<i32>) -> tensor<1xi32>
    %6107 = stablehlo.concatenate %6102, %6104, %6106, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6108 = stablehlo.dynamic_broadcast_in_dim %cst_8, %6107, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6109 = stablehlo.add %6100, %6108 : tensor<?x?x3072xf32>
    %6110 = stablehlo.multiply %6109, %5941 : tensor<?x?x3072xf32>
    %6111 = stablehlo.get_dimension_size %5941, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6112 = stablehlo.reshape %6111 : (tensor<i32>) -> tensor<1xi32>
    %6113 = stablehlo.get_dimension_size %5941, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6114 = stablehlo.reshape %6113 : (tensor<i32>) -> tensor<1xi32>
    %6115 = stablehlo.get_dimension_size %5941, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6116 = stablehlo.reshape %6115 : (tensor<i32>) -> tensor<1xi32>
    %6117 = stablehlo.concatenate %6112, %6114, %6116, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6118 = stablehlo.dynamic_broadcast_in_dim %cst_7, %6117, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6119 = stablehlo.add %6110, %6118 : tensor<?x?x3072xf32>
    %6120 = stablehlo.select %5953, %6041, %6119 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %6121 = stablehlo.multiply %5944, %6120 : tensor<?x?x3072xf32>
    %6122 = stablehlo.get_dimension_size %5929, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6123 = stablehlo.reshape %6122 : (tensor<i32>) -> tensor<1xi32>
    %6124 = stablehlo.get_dimension_size %5929, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6125 = stablehlo.reshape %6124 : (tensor<i32>) -> tensor<1xi32>
    %6126 = stablehlo.get_dimension_size %5929, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6127 = stablehlo.reshape %6126 : (tensor<i32>) -> tensor<1xi32>
    %6128 = stablehlo.concatenate %6123, %6125, %6127, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6129 = stablehlo.dynamic_broadcast_in_dim %cst_6, %6128, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6130 = stablehlo.compare LT, %5931, %6129 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %6131 = stablehlo.get_dimension_size %5929, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6132 = stablehlo.reshape %6131 : (tensor<i32>) -> tensor<1xi32>
    %6133 = stablehlo.get_dimension_size %5929, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6134 = stablehlo.reshape %6133 : (tensor<i32>) -> tensor<1xi32>
    %6135 = stablehlo.get_dimension_size %5929, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6136 = stablehlo.reshape %6135 : (tensor<i32>) -> tensor<1xi32>
    %6137 = stablehlo.concatenate %6132, %6134, %6136, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6138 = stablehlo.dynamic_broadcast_in_dim %cst_30, %6137, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6139 = stablehlo.select %6130, %6138, %6121 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %6140 = stablehlo.compare LT, %5929, %6138 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %6141 = stablehlo.subtract %5952, %6139 : tensor<?x?x3072xf32>
    %6142 = stablehlo.select %6140, %6141, %6139 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %6143 = stablehlo.get_dimension_size %5929, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6144 = stablehlo.reshape %6143 : (tensor<i32>) -> tensor<1xi32>
    %6145 = stablehlo.get_dimension_size %5929, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6146 = stablehlo.reshape %6145 : (tensor<i32>) -> tensor<1xi32>
    %6147 = stablehlo.get_dimension_size %5929, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6148 = stablehlo.reshape %6147 : (tensor<i32>) -> tensor<1xi32>
    %6149 = stablehlo.concatenate %6144, %6146, %6148, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6150 = stablehlo.dynamic_broadcast_in_dim %cst_25, %6149, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6151 = stablehlo.multiply %5929, %5929 : tensor<?x?x3072xf32>
    %6152 = stablehlo.get_dimension_size %6151, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6153 = stablehlo.reshape %6152 : (tensor<i32>) -> tensor<1xi32>
    %6154 = stablehlo.get_dimension_size %6151, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6155 = stablehlo.reshape %6154 : (tensor<i32>) -> tensor<1xi32>
    %6156 = stablehlo.get_dimension_size %6151, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6157 = stablehlo.reshape %6156 : (tensor<i32>) -> tensor<1xi32>
    %6158 = stablehlo.concatenate %6153, %6155, %6157, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6159 = stablehlo.dynamic_broadcast_in_dim %cst_5, %6158, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6160 = stablehlo.multiply %6159, %6151 : tensor<?x?x3072xf32>
    %6161 = stablehlo.get_dimension_size %6151, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6162 = stablehlo.reshape %6161 : (tensor<i32>) -> tensor<1xi32>
    %6163 = stablehlo.get_dimension_size %6151, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6164 = stablehlo.reshape %6163 : (tensor<i32>) -> tensor<1xi32>
    %6165 = stablehlo.get_dimension_size %6151, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6166 = stablehlo.reshape %6165 : (tensor<i32>) -> tensor<1xi32>
    %6167 = stablehlo.concatenate %6162, %6164, %6166, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6168 = stablehlo.dynamic_broadcast_in_dim %cst_4, %6167, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6169 = stablehlo.add %6160, %6168 : tensor<?x?x3072xf32>
    %6170 = stablehlo.multiply %6169, %6151 : tensor<?x?x3072xf32>
    %6171 = stablehlo.get_dimension_size %6151, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6172 = stablehlo.reshape %6171 : (tensor<i32>) -> tensor<1xi32>
    %6173 = stablehlo.get_dimension_size %6151, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6174 = stablehlo.reshape %6173 : (tensor<i32>) -> tensor<1xi32>
    %6175 = stablehlo.get_dimension_size %6151, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6176 = stablehlo.reshape %6175 : (tensor<i32>) -> tensor<1xi32>
    %6177 = stablehlo.concatenate %6172, %6174, %6176, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6178 = stablehlo.dynamic_broadcast_in_dim %cst_3, %6177, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6179 = stablehlo.add %6170, %6178 : tensor<?x?x3072xf32>
    %6180 = stablehlo.multiply %6179, %6151 : tensor<?x?x3072xf32>
    %6181 = stablehlo.get_dimension_size %6151, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6182 = stablehlo.reshape %6181 : (tensor<i32>) -> tensor<1xi32>
    %6183 = stablehlo.get_dimension_size %6151, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6184 = stablehlo.reshape %6183 : (tensor<i32>) -> tensor<1xi32>
    %6185 = stablehlo.get_dimension_size %6151, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6186 = stablehlo.reshape %6185 : (tensor<i32>) -> tensor<1xi32>
    %6187 = stablehlo.concatenate %6182, %6184, %6186, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6188 = stablehlo.dynamic_broadcast_in_dim %cst_2, %6187, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6189 = stablehlo.add %6180, %6188 : tensor<?x?x3072xf32>
    %6190 = stablehlo.multiply %6189, %6151 : tensor<?x?x3072xf32>
    %6191 = stablehlo.get_dimension_size %6151, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6192 = stablehlo.reshape %6191 : (tensor<i32>) -> tensor<1xi32>
    %6193 = stablehlo.get_dimension_size %6151, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6194 = stablehlo.reshape %6193 : (tensor<i32>) -> tensor<1xi32>
    %6195 = stablehlo.get_dimension_size %6151, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6196 = stablehlo.reshape %6195 : (tensor<i32>) -> tensor<1xi32>
    %6197 = stablehlo.concatenate %6192, %6194, %6196, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6198 = stablehlo.dynamic_broadcast_in_dim %cst_1, %6197, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6199 = stablehlo.add %6190, %6198 : tensor<?x?x3072xf32>
    %6200 = stablehlo.multiply %6199, %6151 : tensor<?x?x3072xf32>
    %6201 = stablehlo.get_dimension_size %6151, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6202 = stablehlo.reshape %6201 : (tensor<i32>) -> tensor<1xi32>
    %6203 = stablehlo.get_dimension_size %6151, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6204 = stablehlo.reshape %6203 : (tensor<i32>) -> tensor<1xi32>
    %6205 = stablehlo.get_dimension_size %6151, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6206 = stablehlo.reshape %6205 : (tensor<i32>) -> tensor<1xi32>
    %6207 = stablehlo.concatenate %6202, %6204, %6206, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6208 = stablehlo.dynamic_broadcast_in_dim %cst_0, %6207, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6209 = stablehlo.add %6200, %6208 : tensor<?x?x3072xf32>
    %6210 = stablehlo.multiply %6209, %6151 : tensor<?x?x3072xf32>
    %6211 = stablehlo.get_dimension_size %6151, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6212 = stablehlo.reshape %6211 : (tensor<i32>) -> tensor<1xi32>
    %6213 = stablehlo.get_dimension_size %6151, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6214 = stablehlo.reshape %6213 : (tensor<i32>) -> tensor<1xi32>
    %6215 = stablehlo.get_dimension_size %6151, dim = 2 : (tensor<?x?x3072xf32>) -> tensor<i32>
    %6216 = stablehlo.reshape %6215 : (tensor<i32>) -> tensor<1xi32>
    %6217 = stablehlo.concatenate %6212, %6214, %6216, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6218 = stablehlo.dynamic_broadcast_in_dim %cst, %6217, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x3072xf32>
    %6219 = stablehlo.add %6210, %6218 : tensor<?x?x3072xf32>
    %6220 = stablehlo.multiply %5929, %6219 : tensor<?x?x3072xf32>
    %6221 = stablehlo.subtract %6150, %6220 : tensor<?x?x3072xf32>
    %6222 = stablehlo.abs %5929 : tensor<?x?x3072xf32>
    %6223 = stablehlo.compare LT, %6222, %6150 : (tensor<?x?x3072xf32>, tensor<?x?x3072xf32>) -> tensor<?x?x3072xi1>
    %6224 = stablehlo.select %6223, %6221, %6142 : tensor<?x?x3072xi1>, tensor<?x?x3072xf32>
    %6225 = stablehlo.multiply %5923, %6224 : tensor<?x?x3072xf32>
    %6226 = stablehlo.dot_general %6225, %arg143, contracting_dims = [2] x [0] : (tensor<?x?x3072xf32>, tensor<3072x768xf32>) -> tensor<?x?x768xf32>
    %6227 = stablehlo.broadcast_in_dim %arg139, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %6228 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6229 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6230 = stablehlo.concatenate %6228, %6229, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6231 = stablehlo.dynamic_broadcast_in_dim %6227, %6230, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %6232 = stablehlo.add %6226, %6231 : tensor<?x?x768xf32>
    %6233 = stablehlo.add %5911, %6232 : tensor<?x?x768xf32>
    %6234 = stablehlo.reduce(%6233 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %6235 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6236 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6237 = stablehlo.concatenate %6235, %6236, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6238 = stablehlo.dynamic_broadcast_in_dim %6234, %6237, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %6239 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6240 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6241 = stablehlo.concatenate %6239, %6240, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6242 = stablehlo.dynamic_broadcast_in_dim %cst_29, %6241, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %6243 = stablehlo.divide %6238, %6242 : tensor<?x?x1xf32>
    %6244 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6245 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6246 = stablehlo.concatenate %6244, %6245, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6247 = stablehlo.dynamic_broadcast_in_dim %6243, %6246, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %6248 = stablehlo.subtract %6233, %6247 : tensor<?x?x768xf32>
    %6249 = stablehlo.multiply %6248, %6248 : tensor<?x?x768xf32>
    %6250 = stablehlo.reduce(%6249 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %6251 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6252 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6253 = stablehlo.concatenate %6251, %6252, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6254 = stablehlo.dynamic_broadcast_in_dim %6250, %6253, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %6255 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6256 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6257 = stablehlo.concatenate %6255, %6256, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6258 = stablehlo.dynamic_broadcast_in_dim %cst_29, %6257, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %6259 = stablehlo.divide %6254, %6258 : tensor<?x?x1xf32>
    %6260 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6261 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6262 = stablehlo.concatenate %6260, %6261, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6263 = stablehlo.dynamic_broadcast_in_dim %6243, %6262, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %6264 = stablehlo.subtract %6233, %6263 : tensor<?x?x768xf32>
    %6265 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6266 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6267 = stablehlo.concatenate %6265, %6266, %c_37, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6268 = stablehlo.dynamic_broadcast_in_dim %cst_28, %6267, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %6269 = stablehlo.add %6259, %6268 : tensor<?x?x1xf32>
    %6270 = stablehlo.rsqrt %6269 : tensor<?x?x1xf32>
    %6271 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6272 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6273 = stablehlo.concatenate %6271, %6272, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6274 = stablehlo.dynamic_broadcast_in_dim %6270, %6273, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %6275 = stablehlo.multiply %6264, %6274 : tensor<?x?x768xf32>
    %6276 = stablehlo.broadcast_in_dim %arg141, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %6277 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6278 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6279 = stablehlo.concatenate %6277, %6278, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6280 = stablehlo.dynamic_broadcast_in_dim %6276, %6279, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %6281 = stablehlo.multiply %6275, %6280 : tensor<?x?x768xf32>
    %6282 = stablehlo.broadcast_in_dim %arg135, dims = [2] : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %6283 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6284 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %6285 = stablehlo.concatenate %6283, %6284, %c_38, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6286 = stablehlo.dynamic_broadcast_in_dim %6282, %6285, dims = [0, 1, 2] : (tensor<1x1x768xf32>, tensor<3xi32>) -> tensor<?x?x768xf32>
    %6287 = stablehlo.add %6281, %6286 : tensor<?x?x768xf32>
    return %6287 : tensor<?x?x768xf32>
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
